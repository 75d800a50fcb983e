// Generated from crates/sinew-studio/src/wire: do not edit.
// `cargo xtask wire` writes it, and the tests fail when it differs.

import type { WireCause } from "./cause";
import type { Placed } from "./messages";

/** All of the Look workspace. */
export type LookScene = {
/** The joint that looks; `null` for a head, a camera or a lamp, or the end of the longest chain. */
endpoint: number | null,
/**
 * The posture: for every joint the angle of a hinge or the way of a slide.
 * Empty for rest. Joints of other kinds take `rotations`.
 */
values: Array<number>,
/** The posture of joints that are no hinges: x, y, z, w of every joint; empty for rest. */
rotations: Array<number>,
/** What it looks at. */
target: LookTarget,
/** Bends keep the sides that they have in the posture. */
keep_sides: boolean,
/** Upside down is as good, for an end point without a face (SymmetricEndpoint). */
symmetric: boolean,
/** The filter; `null` for none. */
filter: FilterSettings | null,
/** The joint whose motion is plotted. */
plotted: number, };

/** What is looked at. */
export type LookTarget = { "kind": "at",
/** Where. */
position: [number, number, number], } | { "kind": "toward",
/** The turn. */
rotation: [number, number, number, number], } | { "kind": "path",
/** How. */
path: LookPath,
/** Rounds a second. */
speed: number, };

/** How a point moves by itself. */
export type LookPath = "circle" | "eight" | "jumps";

/** The filter's parameters; see the engine's `FilterOptions`. */
export type FilterSettings = {
/** 1, 2 or 3: how many derivatives are bounded. */
order: number,
/** The most, in radians a second. */
velocity: number,
/** The most, a second squared. */
acceleration: number,
/** The most, a second cubed. */
jerk: number,
/** From 0 to 1. */
smoothness: number,
/** From 0 to below 1. */
responsiveness: number, };

/** What a Look frame says. */
export type LookFrame = {
/** Whether it looks there. */
reached: boolean,
/** What came of it, in words. */
outcome: string,
/** What stood in the way, for programs. */
typed_cause: WireCause | null,
/** The point that is looked at, if it is one. */
target: [number, number, number] | null,
/** Where it is on its path, in rounds. */
phase: number,
/** Where the end point is. */
eye: [number, number, number],
/** Where it looks. */
sight: [number, number, number],
/** The paper's measures. */
orientation_error: number,
/** The same for the posture. */
posture_error: number,
/** Both. */
combined_error: number,
/** The posture alone. */
posture: Placed,
/** What ERIK wants, before the filter. */
wanted: Placed,
/** The motion of the plotted joint since the last frame sent. */
samples: Array<MotionSample>, };

/** A moment of a joint's motion, in radians (or metres) and seconds. */
export type MotionSample = {
/** When. */
time: number,
/** The set-point. */
wanted: number,
/** Where it is. */
position: number,
/** Its derivative. */
velocity: number,
/** Its second. */
acceleration: number,
/** Its third. */
jerk: number, };
