// Generated from crates/sinew-studio/src/wire: do not edit.
// `cargo xtask wire` writes it, and the tests fail when it differs.

import type { MethodInfo } from "./body";
import type { LimitDocument } from "./limit";
import type { Placed } from "./messages";
import type { PoseGoal } from "./pose";

/** The first message. */
export type Welcome = {
/** The protocol's version. */
protocol: number,
/** The program's version. */
version: string,
/** The rigs that are built in. */
rigs: Array<RigChoice>,
/** The general solvers. */
solvers: Array<SolverInfo>,
/** The methods of the Body workspace. */
methods: Array<MethodInfo>,
/** The leg solvers of the Walk workspace. */
leg_solvers: Array<string>,
/** A file given on the command line, to open first. */
open: RigSource | null,
/** The largest upload, in bytes. */
largest_upload: number, };

/** A rig that is built in. */
export type RigChoice = {
/** What to ask for. */
name: string,
/** What it is. */
summary: string,
/** How many joints. */
joints: number, };

/** Where a rig comes from. */
export type RigSource = { "kind": "rig",
/** Its name. */
name: string, } | { "kind": "upload",
/** As `/api/upload` named it. */
id: string, };

/** How a rig is taken where its file says nothing, or is wrong: what a person says of it. */
export type Fitting = {
/** For parts of a humanoid, as VRM calls them, the place of the joint that plays it. The others are found. */
roles: { [key in string]: number },
/** How many times as large as it is read. */
scale: number,
/** Which axis, as it is read, points up. */
up: UpAxis,
/** Whether the joints of a person in a file that have no limits get those of anatomy. */
anatomy: boolean, };

/** An axis that points up. */
export type UpAxis = "y" | "z" | "x" | "minus_y" | "minus_z" | "minus_x";

/** A part of a humanoid and the joint that plays it. */
export type PartDescription = {
/** Its name in VRM. */
role: string,
/** The joint's place. */
joint: number | null,
/** How it was found: `given`, `name` or `topology`. */
found: string | null,
/** Whether every humanoid needs it. */
needed: boolean, };

/** A general solver. */
export type SolverInfo = {
/** Its short name. */
name: string,
/** What it is, in a sentence. */
summary: string,
/** What can be set, with the defaults. */
options: Array<SolverOption>, };

/** An option of a solver. */
export type SolverOption = {
/** Where it is, with dots: `tolerance.position`. */
path: string,
/** Its default: a number, a truth value or a word. */
value: number | boolean | string, };

/** A rig as the page needs it. */
export type RigDescription = {
/** Its name. */
name: string,
/** Where it came from. */
source: RigSource,
/** How it was taken. */
fitting: Fitting,
/** The parts of a humanoid, all of them, and what was found. */
parts: Array<PartDescription>,
/** How many joints have got the limits of anatomy. */
anatomical: number,
/** Its joints, parents before children. */
joints: Array<JointDescription>,
/** The longest side of its box at rest, in metres. */
size: number,
/** The lowest point at rest. */
floor: number,
/** Its skin, if the file has one: the page fetches and draws it. */
mesh: MeshDescription | null,
/** Its motions. */
motions: Array<MotionDescription>,
/** Postures kept with it. */
postures: Array<PostureDocument>,
/** The behaviours it can reach with. */
behaviours: Array<string>,
/** Goals that make sense to begin with: the file's, or hands, feet, head and hips, or the tips. */
goals: Array<PoseGoal>,
/** Which workspaces it can be used in. */
workspaces: Workspaces,
/** What was remarked when it was read. */
notes: Array<string>, };

/** For each workspace, why the rig cannot be used there; `null` if it can. */
export type Workspaces = {
/** Reach. */
reach: string | null,
/** Body. */
body: string | null,
/** Look. */
look: string | null,
/** Walk. */
walk: string | null, };

/** A joint. */
export type JointDescription = {
/** Its name, unique. */
name: string,
/** Its parent's place. */
parent: number | null,
/** Where it rests, from its parent. */
rest_position: [number, number, number],
/** How it rests, from its parent. */
rest_rotation: [number, number, number, number],
/** Where it rests in model space. */
model_position: [number, number, number],
/** How it rests in model space. */
model_rotation: [number, number, number, number],
/** Its kind: fixed, hinge, universal, ball, prismatic, free. */
kind: string,
/** How many ways it can move. */
freedoms: number,
/** Where its bone ends, in its own frame, if no child shows it. */
tip: [number, number, number] | null,
/** Its part in a humanoid, as VRM calls it. */
role: string | null,
/** Its limit; `null` if it has none. */
limit: LimitDocument | null,
/** The range of a hinge or slide, for a slider; whole turns for a free hinge. */
range: [number, number] | null, };

/** A skinned mesh that belongs to the rig. */
export type MeshDescription = {
/** Where to fetch the file: a path on this server. */
url: string,
/** Turns the file's world into model space, before anything else. */
turn: [number, number, number, number],
/** How many times as large as in the file. */
scale: number,
/** Where the joints are that its nodes belong to; `null` if they are as at rest. */
pose: Placed | null, };

/** A motion that came with a rig. */
export type MotionDescription = {
/** Its name. */
name: string,
/** How many frames. */
frames: number,
/** Seconds a frame. */
frame_time: number,
/** Whether it is a take, or was put on the rig from another file. */
added: boolean, };

/** A posture: every joint's rotation relative to rest. */
export type PostureDocument = {
/** Its name. */
name: string,
/** x, y, z, w of every joint, relative to rest, in the rig's order. */
rotations: Array<number>,
/** For every joint the angle of a hinge or the way of a slide; zero for others. */
values: Array<number>, };
