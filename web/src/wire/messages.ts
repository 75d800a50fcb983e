// Generated from crates/sinew-studio/src/wire: do not edit.
// `cargo xtask wire` writes it, and the tests fail when it differs.

import type { BodyFrame, BodyScene, BodyTrack } from "./body";
import type { LimitDocument } from "./limit";
import type { LookFrame, LookScene } from "./look";
import type { Clip, PlayFrame, Playing } from "./play";
import type { PoseFrame, PoseScene } from "./pose";
import type { BehaviourDocument, BehaviourEdit, ReachFrame, ReachScene, SideName } from "./reach";
import type { Fitting, MotionDescription, PostureDocument, RigDescription, RigSource, Welcome } from "./rig";
import type { ThingDescription } from "./thing";
import type { GroundPatch, WalkFrame, WalkScene } from "./walk";

/** What the page says. */
export type ClientMessage = { "type": "load",
/** Echoed in the answer. */
request: number,
/** Which. */
rig: RigSource,
/** What a person says of it; `null` takes it as it is read. The rig that is open keeps its takes. */
fitting: Fitting | null, } | { "type": "pose",
/** Numbers the page's inputs, rising; frames say the last one they show. */
input: number,
/** All of it. */
scene: PoseScene, } | { "type": "reach",
/** As above. */
input: number,
/** All of it. */
scene: ReachScene, } | { "type": "body",
/** As above. */
input: number,
/** All of it. */
scene: BodyScene, } | { "type": "look",
/** As above. */
input: number,
/** All of it. */
scene: LookScene, } | { "type": "walk",
/** As above. */
input: number,
/** All of it. */
scene: WalkScene, } | { "type": "drag",
/** As above. */
input: number,
/** What moved. */
target: string,
/** Where to. */
position: [number, number, number],
/** How it is turned, if the target has an orientation. */
rotation: [number, number, number, number] | null, } | { "type": "steer",
/** As above. */
input: number,
/** Forward is positive. */
speed: number,
/** To the left is positive. */
turn: number, } | { "type": "reset" } | { "type": "stand",
/** As above. */
input: number,
/** Every joint. */
pose: Placed,
/** Where a target is on its path, in rounds; only in Look. */
time: number | null, } | { "type": "play",
/** As above. */
input: number,
/** Which, and how. */
play: Playing | null, } | { "type": "adopt",
/** Echoed in the answer. */
request: number,
/** As `/api/upload` named it. */
id: string, } | { "type": "bring",
/** Echoed in the answer. */
request: number,
/** As `/api/upload` named it. */
id: string, } | { "type": "set_limit",
/** Echoed in the answer. */
request: number,
/** The joint's place. */
joint: number,
/** The whole limit. */
limit: LimitDocument, } | { "type": "drag_handle",
/** Echoed in the answer. */
request: number,
/** The joint's place. */
joint: number,
/** Which handle, as numbered in the last `limit` answer or the rig. */
handle: number,
/** The direction to drag it to, in the joint's rest frame. */
to: [number, number, number], } | { "type": "edit_shape",
/** Echoed in the answer. */
request: number,
/** The joint's place. */
joint: number,
/** Where to add, in the joint's rest frame. */
add: [number, number, number] | null,
/** The handle whose point is taken away. */
remove: number | null, } | { "type": "edit_behaviour",
/** Echoed in the answer. */
request: number,
/** The side whose behaviour it is. */
side: SideName,
/** The change. */
edit: BehaviourEdit, } | { "type": "save_posture",
/** Echoed in the answer. */
request: number,
/** Its name. */
posture: PostureDocument,
/** Forget it instead. */
remove: boolean, } | { "type": "record",
/** Whether to keep frames. */
on: boolean, } | { "type": "export",
/** Echoed in the answer. */
request: number,
/** What is in it. */
what: ExportWhat,
/** Its format. */
format: ExportFormat,
/** For a take: a part of a motion of the rig, instead of what was recorded last. */
clip: Clip | null,
/**
 * For GLB and VRM of a rig without a mesh: the body that the page shows, as `/api/upload` named it; see
 * `rig/body.rs`.
 */
body: string | null, } | { "type": "ping",
/** Echoed. */
stamp: number, };

/** What the server says. */
export type ServerMessage = { "type": "welcome",
/** What there is to choose from. */
welcome: Welcome, } | { "type": "loaded",
/** The request answered. */
request: number,
/** The rig. */
rig: RigDescription, } | { "type": "limit",
/** The request answered. */
request: number,
/** The joint's place. */
joint: number,
/** Its limit with outlines and handles. */
limit: LimitDocument, } | { "type": "behaviour",
/** The request answered, or zero. */
request: number,
/** All of it. */
behaviour: BehaviourDocument, } | { "type": "postures",
/** The request answered. */
request: number,
/** All of them. */
postures: Array<PostureDocument>, } | { "type": "motions",
/** The request answered, or zero. */
request: number,
/** All of them. */
motions: Array<MotionDescription>,
/** What was remarked. */
notes: Array<string>, } | { "type": "brought",
/** The request answered. */
request: number,
/** What is in it. */
thing: ThingDescription, } | { "type": "track",
/** The curves. */
track: BodyTrack, } | { "type": "ground",
/** A patch of it. */
ground: GroundPatch, } | { "type": "exported",
/** The request answered. */
request: number,
/** Where to fetch it: a path on this server. */
url: string,
/** What to call it. */
name: string,
/** What the format could not hold. */
notes: Array<string>, } | { "type": "failed",
/** The request answered, or zero if the message was not understood or came from a scene. */
request: number,
/** Why, in words for a person. */
message: string, } | { "type": "frame",
/** The frame. */
frame: Frame, } | { "type": "pong",
/** As it came. */
stamp: number, };

/** One solved frame. */
export type Frame = {
/** The last input that it shows. */
input: number,
/** Rises by one each frame solved; gaps are frames that were skipped for a slow page. */
number: number,
/** Seconds since the connection began. */
time: number,
/** The character. */
pose: Placed,
/** The median time of the last solves, in microseconds. */
micros: number,
/** Solves a second, over the last second. */
rate: number,
/** Frames kept in the take so far. */
recorded: number,
/** The motion that is shown instead of what the workspace makes. */
playing: PlayFrame | null,
/** What belongs to the workspace. */
details: FrameDetails, };

/** The joints of a character in model space, in the rig's order. */
export type Placed = {
/** x, y, z of every joint. */
positions: Array<number>,
/** x, y, z, w of every joint. */
rotations: Array<number>, };

/** What a frame says besides the pose. */
export type FrameDetails = { "workspace": "pose" } & PoseFrame | { "workspace": "reach" } & ReachFrame | { "workspace": "body" } & BodyFrame | { "workspace": "look" } & LookFrame | { "workspace": "walk" } & WalkFrame;

/** What a file holds. */
export type ExportWhat = "pose" | "take" | "rig";

/** The format of a file. */
export type ExportFormat = "glb" | "vrm" | "bvh" | "rig";

/** What `/api/upload` answers; a refusal is `{ "message": … }` with a status of 4xx. */
export type Uploaded = {
/** Names the file in [`RigSource::Upload`]: made from its content. */
id: string,
/** The file's name as given, without folders. */
name: string,
/** Its size. */
bytes: number, };
