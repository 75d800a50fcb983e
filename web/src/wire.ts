// Generated from crates/sinew-studio/src/wire: do not edit.
// `cargo xtask wire` writes it, and the tests fail when it differs.

/**
 * What the page says.
 */
export type ClientMessage = { "type": "load", 
/**
 * Echoed in the answer.
 */
request: number, 
/**
 * Which.
 */
rig: RigSource, } | { "type": "pose", 
/**
 * Numbers the page's inputs, rising; frames say the last one they show.
 */
input: number, 
/**
 * All of it.
 */
scene: PoseScene, } | { "type": "reach", 
/**
 * As above.
 */
input: number, 
/**
 * All of it.
 */
scene: ReachScene, } | { "type": "body", 
/**
 * As above.
 */
input: number, 
/**
 * All of it.
 */
scene: BodyScene, } | { "type": "look", 
/**
 * As above.
 */
input: number, 
/**
 * All of it.
 */
scene: LookScene, } | { "type": "walk", 
/**
 * As above.
 */
input: number, 
/**
 * All of it.
 */
scene: WalkScene, } | { "type": "drag", 
/**
 * As above.
 */
input: number, 
/**
 * What moved.
 */
target: string, 
/**
 * Where to.
 */
position: [number, number, number], 
/**
 * How it is turned, if the target has an orientation.
 */
rotation: [number, number, number, number] | null, } | { "type": "steer", 
/**
 * As above.
 */
input: number, 
/**
 * Forward is positive.
 */
speed: number, 
/**
 * To the left is positive.
 */
turn: number, } | { "type": "reset" } | { "type": "set_limit", 
/**
 * Echoed in the answer.
 */
request: number, 
/**
 * The joint's place.
 */
joint: number, 
/**
 * The whole limit.
 */
limit: LimitDocument, } | { "type": "drag_handle", 
/**
 * Echoed in the answer.
 */
request: number, 
/**
 * The joint's place.
 */
joint: number, 
/**
 * Which handle, as numbered in the last `limit` answer or the rig.
 */
handle: number, 
/**
 * The direction to drag it to, in the joint's rest frame.
 */
to: [number, number, number], } | { "type": "edit_shape", 
/**
 * Echoed in the answer.
 */
request: number, 
/**
 * The joint's place.
 */
joint: number, 
/**
 * Where to add, in the joint's rest frame.
 */
add: [number, number, number] | null, 
/**
 * The handle whose point is taken away.
 */
remove: number | null, } | { "type": "edit_behaviour", 
/**
 * Echoed in the answer.
 */
request: number, 
/**
 * The side whose behaviour it is.
 */
side: SideName, 
/**
 * The change.
 */
edit: BehaviourEdit, } | { "type": "save_posture", 
/**
 * Echoed in the answer.
 */
request: number, 
/**
 * Its name.
 */
posture: PostureDocument, 
/**
 * Forget it instead.
 */
remove: boolean, } | { "type": "record", 
/**
 * Whether to keep frames.
 */
on: boolean, } | { "type": "export", 
/**
 * Echoed in the answer.
 */
request: number, 
/**
 * What is in it.
 */
what: ExportWhat, 
/**
 * Its format.
 */
format: ExportFormat, } | { "type": "ping", 
/**
 * Echoed.
 */
stamp: number, };

/**
 * What the server says.
 */
export type ServerMessage = { "type": "welcome", 
/**
 * What there is to choose from.
 */
welcome: Welcome, } | { "type": "loaded", 
/**
 * The request answered.
 */
request: number, 
/**
 * The rig.
 */
rig: RigDescription, } | { "type": "limit", 
/**
 * The request answered.
 */
request: number, 
/**
 * The joint's place.
 */
joint: number, 
/**
 * Its limit with outlines and handles.
 */
limit: LimitDocument, } | { "type": "behaviour", 
/**
 * The request answered, or zero.
 */
request: number, 
/**
 * All of it.
 */
behaviour: BehaviourDocument, } | { "type": "postures", 
/**
 * The request answered.
 */
request: number, 
/**
 * All of them.
 */
postures: Array<PostureDocument>, } | { "type": "track", 
/**
 * The curves.
 */
track: BodyTrack, } | { "type": "ground", 
/**
 * A patch of it.
 */
ground: GroundPatch, } | { "type": "exported", 
/**
 * The request answered.
 */
request: number, 
/**
 * Where to fetch it: a path on this server.
 */
url: string, 
/**
 * What to call it.
 */
name: string, 
/**
 * What the format could not hold.
 */
notes: Array<string>, } | { "type": "failed", 
/**
 * The request answered, or zero if the message was not understood or came from a scene.
 */
request: number, 
/**
 * Why, in words for a person.
 */
message: string, } | { "type": "frame", 
/**
 * The frame.
 */
frame: Frame, } | { "type": "pong", 
/**
 * As it came.
 */
stamp: number, };

/**
 * One solved frame.
 */
export type Frame = { 
/**
 * The last input that it shows.
 */
input: number, 
/**
 * Rises by one each frame solved; gaps are frames that were skipped for a slow page.
 */
number: number, 
/**
 * Seconds since the connection began.
 */
time: number, 
/**
 * The character.
 */
pose: Placed, 
/**
 * The median time of the last solves, in microseconds.
 */
micros: number, 
/**
 * Solves a second, over the last second.
 */
rate: number, 
/**
 * Frames kept in the take so far.
 */
recorded: number, 
/**
 * What belongs to the workspace.
 */
details: FrameDetails, };

/**
 * The joints of a character in model space, in the rig's order.
 */
export type Placed = { 
/**
 * x, y, z of every joint.
 */
positions: Array<number>, 
/**
 * x, y, z, w of every joint.
 */
rotations: Array<number>, };

/**
 * What a frame says besides the pose.
 */
export type FrameDetails = { "workspace": "pose" } & PoseFrame | { "workspace": "reach" } & ReachFrame | { "workspace": "body" } & BodyFrame | { "workspace": "look" } & LookFrame | { "workspace": "walk" } & WalkFrame;

/**
 * What a file holds.
 */
export type ExportWhat = "pose" | "take" | "rig";

/**
 * The format of a file.
 */
export type ExportFormat = "glb" | "bvh" | "rig";

/**
 * What `/api/upload` answers; a refusal is `{ "message": … }` with a status of 4xx.
 */
export type Uploaded = { 
/**
 * Names the file in [`RigSource::Upload`]: made from its content.
 */
id: string, 
/**
 * The file's name as given, without folders.
 */
name: string, 
/**
 * Its size.
 */
bytes: number, };

/**
 * The first message.
 */
export type Welcome = { 
/**
 * The protocol's version.
 */
protocol: number, 
/**
 * The program's version.
 */
version: string, 
/**
 * The rigs that are built in.
 */
rigs: Array<RigChoice>, 
/**
 * The general solvers.
 */
solvers: Array<SolverInfo>, 
/**
 * The methods of the Body workspace.
 */
methods: Array<MethodInfo>, 
/**
 * The leg solvers of the Walk workspace.
 */
leg_solvers: Array<string>, 
/**
 * A file given on the command line, to open first.
 */
open: RigSource | null, 
/**
 * The largest upload, in bytes.
 */
largest_upload: number, };

/**
 * A rig that is built in.
 */
export type RigChoice = { 
/**
 * What to ask for.
 */
name: string, 
/**
 * What it is.
 */
summary: string, 
/**
 * How many joints.
 */
joints: number, };

/**
 * Where a rig comes from.
 */
export type RigSource = { "kind": "rig", 
/**
 * Its name.
 */
name: string, } | { "kind": "upload", 
/**
 * As `/api/upload` named it.
 */
id: string, };

/**
 * A general solver.
 */
export type SolverInfo = { 
/**
 * Its short name.
 */
name: string, 
/**
 * What it is, in a sentence.
 */
summary: string, 
/**
 * What can be set, with the defaults.
 */
options: Array<SolverOption>, };

/**
 * An option of a solver.
 */
export type SolverOption = { 
/**
 * Where it is, with dots: `tolerance.position`.
 */
path: string, 
/**
 * Its default: a number, a truth value or a word.
 */
value: number | boolean | string, };

/**
 * A rig as the page needs it.
 */
export type RigDescription = { 
/**
 * Its name.
 */
name: string, 
/**
 * Where it came from.
 */
source: RigSource, 
/**
 * Its joints, parents before children.
 */
joints: Array<JointDescription>, 
/**
 * The longest side of its box at rest, in metres.
 */
size: number, 
/**
 * The lowest point at rest.
 */
floor: number, 
/**
 * Its skin, if the file has one: the page fetches and draws it.
 */
mesh: MeshDescription | null, 
/**
 * Its motions.
 */
motions: Array<MotionDescription>, 
/**
 * Postures kept with it.
 */
postures: Array<PostureDocument>, 
/**
 * The behaviours it can reach with.
 */
behaviours: Array<string>, 
/**
 * Goals that make sense to begin with: the file's, or hands, feet, head and hips, or the tips.
 */
goals: Array<PoseGoal>, 
/**
 * Which workspaces it can be used in.
 */
workspaces: Workspaces, 
/**
 * What was remarked when it was read.
 */
notes: Array<string>, };

/**
 * For each workspace, why the rig cannot be used there; `null` if it can.
 */
export type Workspaces = { 
/**
 * Reach.
 */
reach: string | null, 
/**
 * Body.
 */
body: string | null, 
/**
 * Look.
 */
look: string | null, 
/**
 * Walk.
 */
walk: string | null, };

/**
 * A joint.
 */
export type JointDescription = { 
/**
 * Its name, unique.
 */
name: string, 
/**
 * Its parent's place.
 */
parent: number | null, 
/**
 * Where it rests, from its parent.
 */
rest_position: [number, number, number], 
/**
 * How it rests, from its parent.
 */
rest_rotation: [number, number, number, number], 
/**
 * Where it rests in model space.
 */
model_position: [number, number, number], 
/**
 * How it rests in model space.
 */
model_rotation: [number, number, number, number], 
/**
 * Its kind: fixed, hinge, universal, ball, prismatic, free.
 */
kind: string, 
/**
 * How many ways it can move.
 */
freedoms: number, 
/**
 * Where its bone ends, in its own frame, if no child shows it.
 */
tip: [number, number, number] | null, 
/**
 * Its part in a humanoid, as VRM calls it.
 */
role: string | null, 
/**
 * Its limit; `null` if it has none.
 */
limit: LimitDocument | null, 
/**
 * The range of a hinge or slide, for a slider; whole turns for a free hinge.
 */
range: [number, number] | null, };

/**
 * A skinned mesh that belongs to the rig.
 */
export type MeshDescription = { 
/**
 * Where to fetch the file: a path on this server.
 */
url: string, 
/**
 * Turns the file's world into model space, before anything else.
 */
turn: [number, number, number, number], };

/**
 * A motion that came with a rig.
 */
export type MotionDescription = { 
/**
 * Its name.
 */
name: string, 
/**
 * How many frames.
 */
frames: number, 
/**
 * Seconds a frame.
 */
frame_time: number, };

/**
 * A posture: every joint's rotation relative to rest.
 */
export type PostureDocument = { 
/**
 * Its name.
 */
name: string, 
/**
 * x, y, z, w of every joint, relative to rest, in the rig's order.
 */
rotations: Array<number>, 
/**
 * For every joint the angle of a hinge or the way of a slide; zero for others.
 */
values: Array<number>, };

/**
 * A joint's limit. The page may send it back whole; outlines and handles are
 * the server's and are ignored then.
 */
export type LimitDocument = { 
/**
 * The allowed region.
 */
shape: LimitShape, 
/**
 * The band inside the edge that pushes back, in radians.
 */
soft_zone: number, 
/**
 * What the edge looks like.
 */
outlines: Array<LimitOutline>, 
/**
 * Where to take hold of it.
 */
handles: Array<Handle>, };

/**
 * The allowed region.
 */
export type LimitShape = { "kind": "none" } | { "kind": "hinge", 
/**
 * The axis, in the joint's rest frame.
 */
axis: [number, number, number], 
/**
 * The range.
 */
range: Range, } | { "kind": "universal", 
/**
 * The axes.
 */
axes: [[number, number, number], [number, number, number]], 
/**
 * The ranges.
 */
ranges: [Range, Range], } | { "kind": "euler", 
/**
 * The frame that the angles are measured in.
 */
frame: [number, number, number, number], 
/**
 * `xyz` and so on.
 */
order: string, 
/**
 * The ranges, in that order.
 */
ranges: [Range, Range, Range], } | { "kind": "swing_twist", 
/**
 * Turns the limit's frame (z along its centre) into the joint's rest frame.
 */
frame: [number, number, number, number], 
/**
 * How the joint rests in the limit's frame.
 */
rest: [number, number, number, number], 
/**
 * Where z may point.
 */
swing: Swing, 
/**
 * The turns about z.
 */
twist: Range | null, } | { "kind": "prismatic", 
/**
 * The direction.
 */
axis: [number, number, number], 
/**
 * Metres.
 */
range: Range, };

/**
 * A region for a direction.
 */
export type Swing = { "kind": "free" } | { "kind": "cone", 
/**
 * Half of its opening.
 */
radius: number, } | { "kind": "ellipse", 
/**
 * About x.
 */
x: number, 
/**
 * About y.
 */
y: number, } | { "kind": "polygon", 
/**
 * Directions, in the limit's frame.
 */
vertices: Array<[number, number, number]>, } | { "kind": "spline", 
/**
 * The knots.
 */
knots: Array<LimitKnot>, } | { "kind": "kusudama", 
/**
 * The cones.
 */
cones: Array<LimitCone>, };

/**
 * A range, in radians or metres.
 */
export type Range = { 
/**
 * The least.
 */
min: number, 
/**
 * The most.
 */
max: number, };

/**
 * A knot of a spline.
 */
export type LimitKnot = { 
/**
 * The direction of the swing.
 */
circumduction: number, 
/**
 * How far.
 */
amplitude: number, };

/**
 * A cone of a Kusudama.
 */
export type LimitCone = { 
/**
 * Its axis, in the limit's frame.
 */
axis: [number, number, number], 
/**
 * Half of its opening.
 */
radius: number, 
/**
 * The radius of the way to the next; `null` for the usual.
 */
tangent: number | null, };

/**
 * A curve of the edge, in the joint's rest frame.
 */
export type LimitOutline = { 
/**
 * What it bounds: angle, swing, twist, euler, displacement.
 */
component: string, 
/**
 * x, y, z of each point: unit directions, or places for a slide.
 */
points: Array<number>, 
/**
 * Whether the last joins the first.
 */
closed: boolean, };

/**
 * A point to take hold of.
 */
export type Handle = { 
/**
 * What it does.
 */
kind: HandleKind, 
/**
 * The direction that it shows, in the joint's rest frame.
 */
at: [number, number, number], 
/**
 * Words for a tool tip.
 */
label: string, 
/**
 * Whether its point can be taken away.
 */
removable: boolean, };

/**
 * What dragging a handle does.
 */
export type HandleKind = "point" | "rim" | "end";

/**
 * All of the Pose workspace.
 */
export type PoseScene = { 
/**
 * The goals.
 */
goals: Array<PoseGoal>, 
/**
 * Joints that stay where they are in model space when the goal is set: by their place.
 */
pins: Array<number>, 
/**
 * The solver.
 */
solver: SolverChoice, 
/**
 * A second solver to compare with.
 */
ghost: SolverChoice | null, 
/**
 * Whether a free root may travel; otherwise it is held, unless a goal is on it.
 */
travel: boolean, 
/**
 * Start every solve from rest rather than from the last frame.
 */
from_rest: boolean, };

/**
 * A solver by name, with what differs from its defaults.
 */
export type SolverChoice = { 
/**
 * As in `SolverInfo`.
 */
name: string, 
/**
 * By the path of the option.
 */
options: Record<string, number | boolean | string>, };

/**
 * A goal.
 */
export type PoseGoal = { 
/**
 * The page's name for it, unique in the scene.
 */
id: string, 
/**
 * The joint's place.
 */
joint: number, 
/**
 * What is wanted.
 */
kind: TargetKind, 
/**
 * Where: the wanted place, or the point to aim at.
 */
position: [number, number, number], 
/**
 * How it is turned; used by `orientation` and `pose`.
 */
rotation: [number, number, number, number], 
/**
 * The weight of the place.
 */
position_weight: number, 
/**
 * The weight of the turn.
 */
orientation_weight: number, 
/**
 * Zero comes first.
 */
priority: number, 
/**
 * Whether it counts at all.
 */
enabled: boolean, };

/**
 * What is wanted of an effector.
 */
export type TargetKind = "position" | "orientation" | "pose" | "aim";

/**
 * What a Pose frame says.
 */
export type PoseFrame = { 
/**
 * Whether every goal is met.
 */
reached: boolean, 
/**
 * If not, why, in words.
 */
cause: string | null, 
/**
 * The joint whose limit stands in the way.
 */
blocking: number | null, 
/**
 * Rounds of the solver.
 */
iterations: number, 
/**
 * The largest distance, in metres.
 */
position_error: number, 
/**
 * The largest turn missing, in radians.
 */
orientation_error: number, 
/**
 * Each goal, in the order of the enabled goals of the scene.
 */
goals: Array<GoalError>, 
/**
 * The second solver.
 */
ghost: GhostFrame | null, };

/**
 * How far a goal is off.
 */
export type GoalError = { 
/**
 * The goal's `id`.
 */
id: string, 
/**
 * Metres.
 */
position: number, 
/**
 * Radians.
 */
orientation: number, };

/**
 * What the second solver came to.
 */
export type GhostFrame = { 
/**
 * The character.
 */
pose: Placed, 
/**
 * The largest distance, in metres.
 */
position_error: number, 
/**
 * The largest turn missing, in radians.
 */
orientation_error: number, 
/**
 * Rounds.
 */
iterations: number, 
/**
 * The median time of its last solves, in microseconds.
 */
micros: number, 
/**
 * If it fails, why; also when it cannot be built for these goals.
 */
cause: string | null, };

/**
 * All of the Reach workspace.
 */
export type ReachScene = { 
/**
 * The behaviour, by name.
 */
behaviour: string, 
/**
 * A second behaviour, shown as a ghost.
 */
compare: string | null, 
/**
 * Where the left wrist should go.
 */
left: ReachTarget | null, 
/**
 * Where the right wrist should go.
 */
right: ReachTarget | null, 
/**
 * What stands around.
 */
obstacles: Array<Obstacle>, 
/**
 * Whether collisions are kept out of.
 */
collisions: boolean, 
/**
 * The side whose swing plane is shown.
 */
side: SideName, 
/**
 * Show and edit the posture of this key instead of reaching.
 */
edit_key: number | null, };

/**
 * Left or right.
 */
export type SideName = "left" | "right";

/**
 * Where a wrist should go.
 */
export type ReachTarget = { 
/**
 * The place.
 */
position: [number, number, number], 
/**
 * How the hand is turned; `null` for any way.
 */
rotation: [number, number, number, number] | null, };

/**
 * A thing in the way.
 */
export type Obstacle = { 
/**
 * The page's name for it, unique; also used in outcomes.
 */
id: string, 
/**
 * Its form.
 */
form: ObstacleForm, 
/**
 * Where its middle is.
 */
position: [number, number, number], 
/**
 * How it is turned.
 */
rotation: [number, number, number, number], };

/**
 * The form of an obstacle.
 */
export type ObstacleForm = { "kind": "box", 
/**
 * Width, height and depth.
 */
size: [number, number, number], } | { "kind": "ball", 
/**
 * In metres.
 */
radius: number, } | { "kind": "cylinder", 
/**
 * In metres.
 */
radius: number, 
/**
 * In metres.
 */
height: number, } | { "kind": "capsule", 
/**
 * In metres.
 */
radius: number, 
/**
 * Between the centres of its ends.
 */
height: number, };

/**
 * What a Reach frame says.
 */
export type ReachFrame = { 
/**
 * Whether every hand is where it should be and nothing is met.
 */
reached: boolean, 
/**
 * What came of it, in words.
 */
outcome: string, 
/**
 * The left hand.
 */
left: HandOutcome | null, 
/**
 * The right hand.
 */
right: HandOutcome | null, 
/**
 * How much of the posture was kept for the feet and contacts, from 0 to 1.
 */
kept: number, 
/**
 * How far the worse foot is off, in metres.
 */
feet: number, 
/**
 * Postures that were tested for contact.
 */
tests: number, 
/**
 * The body's parts as capsules and hulls would be many; these two touch: joint names or obstacle ids.
 */
contact: [string, string] | null, 
/**
 * The second behaviour.
 */
ghost: Placed | null, 
/**
 * What came of it, in words.
 */
ghost_outcome: string | null, };

/**
 * What came of a hand.
 */
export type HandOutcome = { 
/**
 * Metres off.
 */
position_error: number, 
/**
 * Radians off.
 */
orientation_error: number, 
/**
 * The goal on the swing plane.
 */
swing: [number, number], 
/**
 * How much the body takes part, from 0 to 1.
 */
weight: number, 
/**
 * The elbow's swivel angle.
 */
swivel: number, 
/**
 * The keys that were blended, with their parts.
 */
blend: Array<[number, number]>, };

/**
 * A behaviour.
 */
export type BehaviourDocument = { 
/**
 * Its name.
 */
name: string, 
/**
 * The arm that it is for.
 */
side: SideName, 
/**
 * Its key postures; the outer ones first.
 */
keys: Array<KeyDocument>, 
/**
 * The triangles over the keys; the server's, ignored when sent back.
 */
triangles: Array<[number, number, number]>, };

/**
 * A key posture.
 */
export type KeyDocument = { 
/**
 * Its place on the swing plane.
 */
swing: [number, number], 
/**
 * One of the outer ones, which cannot be moved or removed.
 */
outer: boolean, 
/**
 * x, y, z, w of every joint, relative to rest.
 */
rotations: Array<number>, 
/**
 * Where the elbow starts.
 */
swivel: number, 
/**
 * x, y, z of every joint's shift from rest; the server's, sent back to undo.
 */
translations?: Array<number>, 
/**
 * The rest of what is blended; the server's, sent back to undo.
 */
settings?: KeySettings, };

/**
 * How a key's elbow is searched, and at what distance its posture is taken.
 */
export type KeySettings = { 
/**
 * How far the search for the elbow goes: clockwise (not positive) and counter-clockwise.
 */
range: [number, number], 
/**
 * Its first step.
 */
step: number, 
/**
 * By how much each step is longer than the one before.
 */
growth: number, 
/**
 * Up to here, in arm's lengths, the body does not take part.
 */
start: number, 
/**
 * From here on it does all it can.
 */
full: number, 
/**
 * The part of its length to which the arm is stretched before the body leans on.
 */
stretch: number, };

/**
 * A change of a behaviour.
 */
export type BehaviourEdit = { "kind": "add", 
/**
 * Where.
 */
swing: [number, number], } | { "kind": "move", 
/**
 * Which.
 */
key: number, 
/**
 * Where to.
 */
swing: [number, number], } | { "kind": "remove", 
/**
 * Which.
 */
key: number, } | { "kind": "turn", 
/**
 * Which key.
 */
key: number, 
/**
 * The joint's place.
 */
joint: number, 
/**
 * How it should be turned.
 */
rotation: [number, number, number, number], } | { "kind": "pull", 
/**
 * Which key.
 */
key: number, 
/**
 * The joint's place.
 */
joint: number, 
/**
 * Where to.
 */
position: [number, number, number], } | { "kind": "swivel", 
/**
 * Which key.
 */
key: number, 
/**
 * The angle.
 */
swivel: number, } | { "kind": "replace", 
/**
 * With this.
 */
behaviour: BehaviourDocument, } | { "kind": "save_as", 
/**
 * The name.
 */
name: string, };

/**
 * All of the Body workspace.
 */
export type BodyScene = { 
/**
 * Where the points come from.
 */
source: BodySource, 
/**
 * The method, by name.
 */
method: string, 
/**
 * The points in use, by name.
 */
points: Array<string>, 
/**
 * Whether the points' orientations are used too, where a tracker has one.
 */
orientations: boolean, 
/**
 * Noise on the points of a motion, in metres.
 */
noise: number, 
/**
 * Whether the motion plays.
 */
playing: boolean, 
/**
 * How fast, 1 for as recorded.
 */
speed: number, 
/**
 * The frame to show when it does not play, and to go on from when it does.
 */
frame: number, };

/**
 * Where the points come from.
 */
export type BodySource = { "kind": "markers", 
/**
 * Where each is; a point that is not named is where the body rests.
 */
markers: Array<BodyMarker>, } | { "kind": "motion", 
/**
 * Its place in the rig's list.
 */
motion: number, } | { "kind": "made", 
/**
 * Its name.
 */
name: string, };

/**
 * A marker.
 */
export type BodyMarker = { 
/**
 * The point: pelvis, head, left-wrist, …
 */
point: string, 
/**
 * Where.
 */
position: [number, number, number], 
/**
 * How it is turned, if it has an orientation.
 */
rotation: [number, number, number, number] | null, };

/**
 * A method.
 */
export type MethodInfo = { 
/**
 * Its short name.
 */
name: string, 
/**
 * What it is, in a sentence.
 */
summary: string, };

/**
 * What a Body frame says.
 */
export type BodyFrame = { 
/**
 * The frame of the motion.
 */
frame: number, 
/**
 * The original, where the points come from a motion.
 */
original: Placed | null, 
/**
 * The mean distance of the joints over the height, where there is an original.
 */
position_error: number | null, 
/**
 * The mean turn of the joints, in radians.
 */
orientation_error: number | null, 
/**
 * The points.
 */
points: Array<PointState>, 
/**
 * What came of it, in words.
 */
outcome: string, };

/**
 * A point.
 */
export type PointState = { 
/**
 * Its name.
 */
point: string, 
/**
 * Where it is wanted.
 */
position: [number, number, number], 
/**
 * Where the body has it.
 */
reached: [number, number, number], 
/**
 * Whether it was measured, or filled in, or not believed: in a word.
 */
source: string, };

/**
 * The whole reconstruction of a motion.
 */
export type BodyTrack = { 
/**
 * The method.
 */
method: string, 
/**
 * How many frames the motion has.
 */
frames: number, 
/**
 * Seconds a frame.
 */
frame_time: number, 
/**
 * How many are done; the curves are sent anew as they grow.
 */
done: number, 
/**
 * Every so many frames there is a value.
 */
stride: number, 
/**
 * The position error over the height.
 */
position: Array<number>, 
/**
 * The orientation error, in radians.
 */
orientation: Array<number>, 
/**
 * The root mean squares so far.
 */
rms: [number, number], 
/**
 * The median time a frame, in microseconds.
 */
micros: number, };

/**
 * All of the Look workspace.
 */
export type LookScene = { 
/**
 * The joint that looks; `null` for the end of the longest chain.
 */
endpoint: number | null, 
/**
 * The posture: for every joint the angle of a hinge or the way of a slide.
 * Empty for rest. Joints of other kinds take `rotations`.
 */
values: Array<number>, 
/**
 * The posture of joints that are no hinges: x, y, z, w of every joint; empty for rest.
 */
rotations: Array<number>, 
/**
 * What it looks at.
 */
target: LookTarget, 
/**
 * Bends keep the sides that they have in the posture.
 */
keep_sides: boolean, 
/**
 * The filter; `null` for none.
 */
filter: FilterSettings | null, 
/**
 * The joint whose motion is plotted.
 */
plotted: number, };

/**
 * What is looked at.
 */
export type LookTarget = { "kind": "at", 
/**
 * Where.
 */
position: [number, number, number], } | { "kind": "toward", 
/**
 * The turn.
 */
rotation: [number, number, number, number], } | { "kind": "path", 
/**
 * How.
 */
path: LookPath, 
/**
 * Rounds a second.
 */
speed: number, };

/**
 * How a point moves by itself.
 */
export type LookPath = "circle" | "eight" | "jumps";

/**
 * The filter's parameters; see the engine's `FilterOptions`.
 */
export type FilterSettings = { 
/**
 * 1, 2 or 3: how many derivatives are bounded.
 */
order: number, 
/**
 * The most, in radians a second.
 */
velocity: number, 
/**
 * The most, a second squared.
 */
acceleration: number, 
/**
 * The most, a second cubed.
 */
jerk: number, 
/**
 * From 0 to 1.
 */
smoothness: number, 
/**
 * From 0 to below 1.
 */
responsiveness: number, };

/**
 * What a Look frame says.
 */
export type LookFrame = { 
/**
 * Whether it looks there.
 */
reached: boolean, 
/**
 * What came of it, in words.
 */
outcome: string, 
/**
 * The point that is looked at, if it is one.
 */
target: [number, number, number] | null, 
/**
 * Where the end point is.
 */
eye: [number, number, number], 
/**
 * Where it looks.
 */
sight: [number, number, number], 
/**
 * The paper's measures.
 */
orientation_error: number, 
/**
 * The same for the posture.
 */
posture_error: number, 
/**
 * Both.
 */
combined_error: number, 
/**
 * The posture alone.
 */
posture: Placed, 
/**
 * What ERIK wants, before the filter.
 */
wanted: Placed, 
/**
 * The motion of the plotted joint since the last frame sent.
 */
samples: Array<MotionSample>, };

/**
 * A moment of a joint's motion, in radians (or metres) and seconds.
 */
export type MotionSample = { 
/**
 * When.
 */
time: number, 
/**
 * The set-point.
 */
wanted: number, 
/**
 * Where it is.
 */
position: number, 
/**
 * Its derivative.
 */
velocity: number, 
/**
 * Its second.
 */
acceleration: number, 
/**
 * Its third.
 */
jerk: number, };

/**
 * All of the Walk workspace.
 */
export type WalkScene = { 
/**
 * What is walked on. Another one puts the walker back to the start.
 */
terrain: TerrainChoice, 
/**
 * The leg solver, by name; may change while walking.
 */
solver: string, 
/**
 * How fast at full speed, in metres a second; `null` for the character's own.
 */
speed: number | null, 
/**
 * How high a foot is lifted, against the usual of 1.
 */
lift: number, 
/**
 * How much the arms swing, against the usual of 1.
 */
arms: number, };

/**
 * What is walked on.
 */
export type TerrainChoice = { "kind": "flat" } | { "kind": "slope", 
/**
 * The rise over the run.
 */
grade: number, } | { "kind": "stairs", 
/**
 * The height of a step.
 */
rise: number, 
/**
 * Its depth.
 */
tread: number, } | { "kind": "hills", 
/**
 * Which.
 */
seed: number, 
/**
 * How high.
 */
height: number, };

/**
 * What a Walk frame says.
 */
export type WalkFrame = { 
/**
 * The feet.
 */
feet: Array<FootFrame>, 
/**
 * Where the walker is, on the ground.
 */
place: [number, number, number], 
/**
 * Where it heads: about y, zero along z.
 */
heading: number, 
/**
 * Whether it stands.
 */
standing: boolean, 
/**
 * Rounds of the leg solver.
 */
iterations: number, 
/**
 * The furthest that a planted foot is off its plant, in metres.
 */
slip: number, };

/**
 * A foot.
 */
export type FootFrame = { 
/**
 * The joint's place.
 */
joint: number, 
/**
 * Where its heel is.
 */
heel: [number, number, number], 
/**
 * Whether it is held there.
 */
heel_planted: boolean, 
/**
 * Where its toes are.
 */
toe: [number, number, number], 
/**
 * Whether they are held there.
 */
toe_planted: boolean, 
/**
 * How high the heel is above the ground: the stride curve.
 */
height: number, };

/**
 * A patch of ground: a grid whose lines need not be even, so that stairs keep their edges.
 */
export type GroundPatch = { 
/**
 * The lines along z stand at these x, rising.
 */
xs: Array<number>, 
/**
 * The lines along x stand at these z, rising.
 */
zs: Array<number>, 
/**
 * For each z, the height at every x.
 */
heights: Array<number>, };
