// Generated from crates/sinew-studio/src/wire: do not edit.
// `cargo xtask wire` writes it, and the tests fail when it differs.

import type { WireCause } from "./cause";
import type { Placed } from "./messages";

/** All of the Pose workspace. */
export type PoseScene = {
/** The goals. */
goals: Array<PoseGoal>,
/** Joints that stay where they are in model space when the goal is set: by their place. */
pins: Array<number>,
/** The solver. */
solver: SolverChoice,
/** A second solver to compare with. */
ghost: SolverChoice | null,
/** Whether a free root may travel; otherwise it is held, unless a goal is on it. */
travel: boolean,
/** Start every solve from rest rather than from the last frame. */
from_rest: boolean,
/** The pose that the body is drawn to: that of a motion where it was stopped. `null` for the rig's own. */
posture: Placed | null, };

/** A solver by name, with what differs from its defaults. */
export type SolverChoice = {
/** As in `SolverInfo`. */
name: string,
/** By the path of the option. */
options: Record<string, number | boolean | string>, };

/** A goal. */
export type PoseGoal = {
/** The page's name for it, unique in the scene. */
id: string,
/** The joint's place. */
joint: number,
/** What is wanted. */
kind: TargetKind,
/** Where: the wanted place, or the point to aim at. */
position: [number, number, number],
/** How it is turned; used by `orientation` and `pose`. */
rotation: [number, number, number, number],
/** The weight of the place. */
position_weight: number,
/** The weight of the turn. */
orientation_weight: number,
/** Zero comes first. */
priority: number,
/** Whether it counts at all. */
enabled: boolean, };

/** What is wanted of an effector. */
export type TargetKind = "position" | "orientation" | "pose" | "aim";

/** What a Pose frame says. */
export type PoseFrame = {
/** Whether every goal is met. */
reached: boolean,
/** If not, why, in words. */
cause: string | null,
/** The same for programs; `null` also when nothing could be solved. */
typed_cause: WireCause | null,
/** The joint whose limit stands in the way. */
blocking: number | null,
/** Rounds of the solver. */
iterations: number,
/** The largest distance, in metres. */
position_error: number,
/** The largest turn missing, in radians. */
orientation_error: number,
/** Each goal, in the order of the enabled goals of the scene. */
goals: Array<GoalError>,
/** The second solver. */
ghost: GhostFrame | null, };

/** How far a goal is off. */
export type GoalError = {
/** The goal's `id`. */
id: string,
/** Metres. */
position: number,
/** Radians. */
orientation: number, };

/** What the second solver came to. */
export type GhostFrame = {
/** The character. */
pose: Placed,
/** The largest distance, in metres. */
position_error: number,
/** The largest turn missing, in radians. */
orientation_error: number,
/** Rounds. */
iterations: number,
/** The median time of its last solves, in microseconds. */
micros: number,
/** If it fails, why; also when it cannot be built for these goals. */
cause: string | null,
/** The same for programs; `null` when it cannot be built. */
typed_cause: WireCause | null, };
