// Generated from crates/sinew-studio/src/wire: do not edit.
// `cargo xtask wire` writes it, and the tests fail when it differs.

/**
 * A joint's limit: the engine's own document of it, with what it looks like.
 * The page may send it back whole; outlines and handles are the server's and
 * are ignored then.
 */
export type LimitDocument = {
/** The allowed region. */
shape: LimitShape,
/** The band inside the edge that pushes back, in radians. */
soft_zone: number,
/** What the edge looks like. */
outlines: Array<LimitOutline>,
/** Where to take hold of it. */
handles: Array<Handle>,
/**
 * Of a swing: how far inside of its edge each direction of a grid is, to shade what is allowed.
 * Two hexadecimal digits each: 80 on the edge, more inside, 127 steps for [`REGION_DEPTH`]. Row after
 * row from the limit's z to its opposite, [`REGION_ROWS`] of them with both; each of
 * [`REGION_COLUMNS`] directions around z, from x towards y.
 */
region?: string, };

/** The allowed region. */
export type LimitShape = { "kind": "none" } | { "kind": "hinge",
/** The axis, in the joint's rest frame. */
axis: [number, number, number],
/** The range. */
range: Range, } | { "kind": "universal",
/** The axes. */
axes: [[number, number, number], [number, number, number]],
/** The ranges. */
ranges: [Range, Range], } | { "kind": "euler",
/** The frame that the angles are measured in. */
frame: [number, number, number, number],
/** `xyz` and so on. */
order: string,
/** The ranges, in that order. */
ranges: [Range, Range, Range], } | { "kind": "swing_twist",
/** Turns the limit's frame (z along its centre) into the joint's rest frame. */
frame: [number, number, number, number],
/** How the joint rests in the limit's frame. */
rest: [number, number, number, number],
/** Where z may point. */
swing: Swing,
/** The turns about z. */
twist: Range | null, } | { "kind": "prismatic",
/** The direction. */
axis: [number, number, number],
/** The least, in metres. */
min: number,
/** The most. */
max: number, };

/** A region for a direction. */
export type Swing = { "kind": "free" } | { "kind": "cone",
/** Half of its opening. */
radius: number, } | { "kind": "ellipse",
/** About x. */
x: number,
/** About y. */
y: number, } | { "kind": "polygon",
/** Directions, in the limit's frame. */
vertices: Array<[number, number, number]>, } | { "kind": "spline",
/** The knots. */
knots: Array<LimitKnot>, } | { "kind": "kusudama",
/** The cones. */
cones: Array<LimitCone>, };

/** A range, in radians or metres. */
export type Range = {
/** The least. */
min: number,
/** The most. */
max: number, };

/** A knot of a spline. */
export type LimitKnot = {
/** The direction of the swing. */
circumduction: number,
/** How far. */
amplitude: number, };

/** A cone of a Kusudama. */
export type LimitCone = {
/** Its axis, in the limit's frame. */
axis: [number, number, number],
/** Half of its opening. */
radius: number,
/** The radius of the way to the next; `null` for the usual. */
tangent: number | null, };

/** A curve of the edge, in the joint's rest frame. */
export type LimitOutline = {
/** What it bounds: angle, swing, twist, euler, displacement. */
component: string,
/** x, y, z of each point: unit directions, or places for a slide. */
points: Array<number>,
/** Whether the last joins the first. */
closed: boolean, };

/** A point to take hold of. */
export type Handle = {
/** What it does. */
kind: HandleKind,
/** The direction that it shows, in the joint's rest frame. */
at: [number, number, number],
/** Words for a tool tip. */
label: string,
/** Whether its point can be taken away. */
removable: boolean, };

/** What dragging a handle does. */
export type HandleKind = "point" | "rim" | "end";
