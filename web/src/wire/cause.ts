// Generated from crates/sinew-studio/src/wire: do not edit.
// `cargo xtask wire` writes it, and the tests fail when it differs.

/**
 * What stood in the way, or what a solve that met its goals had to do for it. Words for a
 * person go beside it.
 */
export type WireCause = { "kind": "out_of_reach",
/** The goal. */
goal: string,
/** How much too far, in metres. */
by_m: number, } | { "kind": "too_close",
/** The goal. */
goal: string,
/** How much too near, in metres. */
by_m: number, } | { "kind": "limit",
/** The goal that suffers. */
goal: string,
/** The joint that blocks. */
joint: string,
/** What of its motion. */
component: WireComponent, } | { "kind": "collision",
/** The joint that carries the first part. */
joint: string,
/** The joint that carries the second; `null` for a thing of the scene. */
other: string | null,
/** The thing of the scene, where its name is known. */
obstacle: string | null,
/** How deep they are in each other, in metres, where that was measured. */
depth_m: number | null, } | { "kind": "balance",
/** The goal that suffers; `null` if the body is off balance without one. */
goal: string | null,
/** How far outside of the support it is, in metres; zero while it is kept. */
by_m: number, } | { "kind": "speed",
/** The goal that is on its way. */
goal: string,
/** The joint that is furthest behind. */
joint: string, } | { "kind": "conflict",
/** The goal with the larger error. */
goal: string,
/** The goal it competes with. */
with: string, } | { "kind": "no_freedom",
/** The goal. */
goal: string, } | { "kind": "stalled",
/** The goal with the largest error. */
goal: string, } | { "kind": "iteration_budget" } | { "kind": "time_budget" } | { "kind": "underway",
/** The goal. */
goal: string,
/** How much the joint that is furthest behind has still to turn, in radians. */
turn_rad: number, } | { "kind": "faded",
/** The goal. */
goal: string, } | { "kind": "strained",
/** The goal it gave way for. */
goal: string,
/** The joint that is outside. */
joint: string,
/** What of its motion. */
component: WireComponent,
/** How far, in radians. */
by_rad: number, } | { "kind": "outside_limit",
/** The joint that is furthest outside. */
joint: string,
/** How far, in radians, or metres for one that slides. */
by: number, } | { "kind": "mended",
/** The first joint that was mended. */
joint: string, } | { "kind": "not_finite",
/** The goal. */
goal: string, } | { "kind": "mismatch" };

/** What of a joint's motion a limit stopped. */
export type WireComponent = "angle" | "swing" | "twist" | "first_angle" | "second_angle" | "third_angle" | "displacement";
