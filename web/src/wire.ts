// Generated from crates/sinew-studio/src/wire: do not edit.
// `cargo xtask wire` writes it, and the tests fail when it differs.

export * from "./wire/messages";
export * from "./wire/rig";
export * from "./wire/limit";
export * from "./wire/play";
export * from "./wire/cause";
export * from "./wire/pose";
export * from "./wire/reach";
export * from "./wire/body";
export * from "./wire/look";
export * from "./wire/thing";
export * from "./wire/walk";
