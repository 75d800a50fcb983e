// Generated from crates/sinew-studio/src/wire: do not edit.
// `cargo xtask wire` writes it, and the tests fail when it differs.

import type { WireCause } from "./cause";

/** All of the Walk workspace. */
export type WalkScene = {
/** What is walked on. Another one puts the walker back to the start. */
terrain: TerrainChoice,
/** The leg solver, by name; may change while walking. */
solver: string,
/** How fast at full speed, in metres a second; `null` for the character's own. */
speed: number | null,
/** How high a foot is lifted, against the usual of 1. */
lift: number,
/** How much the arms swing, against the usual of 1. */
arms: number, };

/** What is walked on. */
export type TerrainChoice = { "kind": "flat" } | { "kind": "slope",
/** The rise over the run. */
grade: number, } | { "kind": "stairs",
/** The height of a step. */
rise: number,
/** Its depth. */
tread: number, } | { "kind": "hills",
/** Which. */
seed: number,
/** How high. */
height: number, } | { "kind": "mesh",
/** Its id. */
file: string,
/** Metres of one of its units. */
scale: number, } | { "kind": "map",
/** Its id. */
file: string,
/** How high white is, in metres. */
height: number,
/** The side of a pixel, in metres. */
cell: number, };

/** What a Walk frame says. */
export type WalkFrame = {
/** The feet. */
feet: Array<FootFrame>,
/** Where the walker is, on the ground. */
place: [number, number, number],
/** Where it heads: about y, zero along z. */
heading: number,
/** Whether it stands. */
standing: boolean,
/** How its feet take turns. */
gait: Gait,
/** What keeps it from going on. */
blocked: BlockedFrame | null,
/** Rounds of the leg solver. */
iterations: number,
/** The furthest that a planted foot is off its plant, in metres. */
slip: number,
/** Why the worst planted foot is off, in words. */
cause: string | null,
/** The same for programs. */
typed_cause: WireCause | null, };

/** How feet take turns. */
export type Gait = "stand" | "walk" | "run" | "trot" | "alternate";

/** Ground that is not walked on. */
export type BlockedFrame = {
/** What it is. */
by: BlockedBy,
/** Where it begins. */
at: [number, number, number],
/** How high or deep it is, in metres; of a slope, its rise over its run. */
size: number, };

/** A kind of ground that is not walked on. */
export type BlockedBy = "wall" | "step" | "drop" | "slope";

/** A foot. */
export type FootFrame = {
/** The joint's place. */
joint: number,
/** Where its heel is. */
heel: [number, number, number],
/** Whether it is held there. */
heel_planted: boolean,
/** Where its toes are. */
toe: [number, number, number],
/** Whether they are held there. */
toe_planted: boolean,
/** How high the heel is above the ground: the stride curve. */
height: number, };

/** A patch of ground: a grid whose lines need not be even, so that stairs keep their edges. */
export type GroundPatch = {
/** The lines along z stand at these x, rising. */
xs: Array<number>,
/** The lines along x stand at these z, rising. */
zs: Array<number>,
/** For each z, the height at every x. */
heights: Array<number>, };
