// Generated from crates/sinew-studio/src/wire: do not edit.
// `cargo xtask wire` writes it, and the tests fail when it differs.

import type { WireCause } from "./cause";
import type { Placed } from "./messages";

/** All of the Reach workspace. */
export type ReachScene = {
/** The behaviour, by name. */
behaviour: string,
/** A second behaviour, shown as a ghost. */
compare: string | null,
/** Where the left wrist should go. */
left: ReachTarget | null,
/** Where the right wrist should go. */
right: ReachTarget | null,
/** What stands around. */
obstacles: Array<Obstacle>,
/** Whether collisions are kept out of. */
collisions: boolean,
/** The side whose swing plane is shown. */
side: SideName,
/** Show and edit the posture of this key instead of reaching. */
edit_key: number | null, };

/** Left or right. */
export type SideName = "left" | "right";

/** Where a wrist should go. */
export type ReachTarget = {
/** The place. */
position: [number, number, number],
/** How the hand is turned; `null` for any way. */
rotation: [number, number, number, number] | null, };

/** A thing in the way. */
export type Obstacle = {
/** The page's name for it, unique; also used in outcomes. */
id: string,
/** Its form. */
form: ObstacleForm,
/** Where its middle is. */
position: [number, number, number],
/** How it is turned. */
rotation: [number, number, number, number], };

/** The form of an obstacle. */
export type ObstacleForm = { "kind": "box",
/** Width, height and depth. */
size: [number, number, number], } | { "kind": "ball",
/** In metres. */
radius: number, } | { "kind": "cylinder",
/** In metres. */
radius: number,
/** In metres. */
height: number, } | { "kind": "capsule",
/** In metres. */
radius: number,
/** Between the centres of its ends. */
height: number, } | { "kind": "mesh",
/** Its id. */
file: string,
/** Metres of one of its units. */
scale: number, };

/** What a Reach frame says. */
export type ReachFrame = {
/** Whether every hand is where it should be and nothing is met. */
reached: boolean,
/** What came of it, in words. */
outcome: string,
/** What stood in the way, for programs. */
typed_cause: WireCause | null,
/** The left hand. */
left: HandOutcome | null,
/** The right hand. */
right: HandOutcome | null,
/** How much of the posture was kept for the feet and contacts, from 0 to 1. */
kept: number,
/** How far the worse foot is off, in metres. */
feet: number,
/** Postures that were tested for contact. */
tests: number,
/** The body's parts as capsules and hulls would be many; these two touch: joint names or obstacle ids. */
contact: [string, string] | null,
/** The second behaviour. */
ghost: Placed | null,
/** What came of it, in words. */
ghost_outcome: string | null,
/** What stood in its way, for programs. */
ghost_typed_cause: WireCause | null, };

/** What came of a hand. */
export type HandOutcome = {
/** What stood in this hand's way. */
typed_cause: WireCause | null,
/** Metres off. */
position_error: number,
/** Radians off. */
orientation_error: number,
/** The goal on the swing plane. */
swing: [number, number],
/** How much the body takes part, from 0 to 1. */
weight: number,
/** The elbow's swivel angle. */
swivel: number,
/** The keys that were blended, with their parts. */
blend: Array<[number, number]>, };

/** A behaviour. */
export type BehaviourDocument = {
/** Its name. */
name: string,
/** The arm that it is for. */
side: SideName,
/** Its key postures; the outer ones first. */
keys: Array<KeyDocument>,
/** The triangles over the keys; the server's, ignored when sent back. */
triangles: Array<[number, number, number]>, };

/** A key posture. */
export type KeyDocument = {
/** Its place on the swing plane. */
swing: [number, number],
/** One of the outer ones, which cannot be moved or removed. */
outer: boolean,
/** x, y, z, w of every joint, relative to rest. */
rotations: Array<number>,
/** Where the elbow starts. */
swivel: number,
/** x, y, z of every joint's shift from rest; the server's, sent back to undo. */
translations?: Array<number>,
/** The rest of what is blended; the server's, sent back to undo. */
settings?: KeySettings, };

/** How a key's elbow is searched, and at what distance its posture is taken. */
export type KeySettings = {
/** How far the search for the elbow goes: clockwise (not positive) and counter-clockwise. */
range: [number, number],
/** Its first step. */
step: number,
/** By how much each step is longer than the one before. */
growth: number,
/** Up to here, in arm's lengths, the body does not take part. */
start: number,
/** From here on it does all it can. */
full: number,
/** The part of its length to which the arm is stretched before the body leans on. */
stretch: number, };

/** A change of a behaviour. */
export type BehaviourEdit = { "kind": "add",
/** Where. */
swing: [number, number], } | { "kind": "move",
/** Which. */
key: number,
/** Where to. */
swing: [number, number], } | { "kind": "remove",
/** Which. */
key: number, } | { "kind": "turn",
/** Which key. */
key: number,
/** The joint's place. */
joint: number,
/** How it should be turned. */
rotation: [number, number, number, number], } | { "kind": "pull",
/** Which key. */
key: number,
/** The joint's place. */
joint: number,
/** Where to. */
position: [number, number, number], } | { "kind": "swivel",
/** Which key. */
key: number,
/** The angle. */
swivel: number, } | { "kind": "replace",
/** With this. */
behaviour: BehaviourDocument, } | { "kind": "save_as",
/** The name. */
name: string, };
