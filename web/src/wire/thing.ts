// Generated from crates/sinew-studio/src/wire: do not edit.
// `cargo xtask wire` writes it, and the tests fail when it differs.

/** A file that scenes may name. The triangles of a mesh are at `/api/mesh/ID`. */
export type ThingDescription = {
/** What scenes call it: the upload's id. */
id: string,
/** The file's name. */
name: string,
/** What is in it. */
form: ThingForm, };

/** What is in a file. */
export type ThingForm = { "kind": "mesh",
/** How many. */
triangles: number,
/** The lowest corner of the box around them, in the file's units. */
low: [number, number, number],
/** The highest. */
high: [number, number, number], } | { "kind": "map",
/** Pixels along x. */
columns: number,
/** Pixels along z. */
rows: number, };
