// Generated from crates/sinew-studio/src/wire: do not edit.
// `cargo xtask wire` writes it, and the tests fail when it differs.

import type { WireCause } from "./cause";
import type { Placed } from "./messages";

/** All of the Body workspace. */
export type BodyScene = {
/** Where the points come from. */
source: BodySource,
/** The method, by name. */
method: string,
/** The points in use, by name. */
points: Array<string>,
/** Whether the points' orientations are used too, where a tracker has one. */
orientations: boolean,
/** Noise on the points of a motion, in metres. */
noise: number,
/** Whether the motion plays. */
playing: boolean,
/** How fast, 1 for as recorded. */
speed: number,
/** The frame to show when it does not play, and to go on from when it does. */
frame: number, };

/** Where the points come from. */
export type BodySource = { "kind": "markers",
/** Where each is; a point that is not named is where the body rests. */
markers: Array<BodyMarker>, } | { "kind": "motion",
/** Its place in the rig's list. */
motion: number, } | { "kind": "made",
/** Its name. */
name: string, };

/** A marker. */
export type BodyMarker = {
/** The point: pelvis, head, left-wrist, … */
point: string,
/** Where. */
position: [number, number, number],
/** How it is turned, if it has an orientation. */
rotation: [number, number, number, number] | null, };

/** A method. */
export type MethodInfo = {
/** Its short name. */
name: string,
/** What it is, in a sentence. */
summary: string, };

/** What a Body frame says. */
export type BodyFrame = {
/** The frame of the motion. */
frame: number,
/** The original, where the points come from a motion. */
original: Placed | null,
/** The mean distance of the joints over the height, where there is an original. */
position_error: number | null,
/** The mean turn of the joints, in radians. */
orientation_error: number | null,
/** The points. */
points: Array<PointState>,
/** What came of it, in words. */
outcome: string, };

/** A point. */
export type PointState = {
/** Its name. */
point: string,
/** Where it is wanted. */
position: [number, number, number],
/** Where the body has it. */
reached: [number, number, number],
/** Whether it was measured, or filled in, or not believed: in a word. */
source: string,
/** Why the arm or leg does not bring it there. */
typed_cause: WireCause | null, };

/** The whole reconstruction of a motion. */
export type BodyTrack = {
/** The method. */
method: string,
/** How many frames the motion has. */
frames: number,
/** Seconds a frame. */
frame_time: number,
/** How many are done; the curves are sent anew as they grow. */
done: number,
/** Every so many frames there is a value. */
stride: number,
/** The position error over the height. */
position: Array<number>,
/** The orientation error, in radians. */
orientation: Array<number>,
/** The root mean squares so far. */
rms: [number, number],
/** The median time a frame, in microseconds. */
micros: number, };
