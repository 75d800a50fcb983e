// Generated from crates/sinew-studio/src/wire: do not edit.
// `cargo xtask wire` writes it, and the tests fail when it differs.

/** A motion of the rig that is shown instead of what the workspace makes. */
export type Playing = {
/** Its place in the rig's list. */
motion: number,
/** Whether it runs, or stands at `frame`. */
running: boolean,
/** The frame to go on from. */
frame: number,
/** How fast, 1 for as recorded. */
speed: number,
/** Whether it begins again at its end. */
looped: boolean,
/** The first and the last frame; what is before and after is left out. */
trim: [number, number] | null, };

/** Where a motion that plays is. */
export type PlayFrame = {
/** The motion's place in the rig's list. */
motion: number,
/** The frame, with a part where two are blended. */
frame: number,
/** Whether it runs on. */
running: boolean, };

/** A part of a motion of the rig, to be exported by a name. */
export type Clip = {
/** The motion's place in the rig's list. */
motion: number,
/** The first and the last frame. */
trim: [number, number] | null,
/** What it is called in the file. */
name: string, };
