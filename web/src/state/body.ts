// The body that the picture shows around the bones of a rig without a mesh, for whoever writes it to a file.

/** What a body is made of; see `scene/mannequin`. */
export interface BodyLists {
	positions: Float32Array;
	normals: Float32Array;
	/** Four joints to a corner. */
	joints: Uint16Array;
	/** Four weights to a corner. */
	weights: Float32Array;
	triangles: Uint32Array;
}

/** The picture says here what it shows. */
export const shownBody: { bytes: (() => Uint8Array<ArrayBuffer> | null) | null } = { bytes: null };

/** A body as the server reads it: `crates/sinew-studio/src/rig/body.rs` says how. */
export function bytesOfBody(body: BodyLists, colours: Float32Array): Uint8Array<ArrayBuffer> {
	const counts = Uint32Array.of(body.positions.length / 3, body.triangles.length / 3);
	const lists = [counts, body.positions, body.normals, colours, body.weights, body.triangles, body.joints];
	const bytes = new Uint8Array(lists.reduce((sum, list) => sum + list.byteLength, 0));
	let at = 0;
	for (const list of lists) {
		bytes.set(new Uint8Array(list.buffer, list.byteOffset, list.byteLength), at);
		at += list.byteLength;
	}
	return bytes;
}
