// The region of a swing as the server tells it: see `LimitDocument.region`.

/** As in the server's `wire/limit.rs`. */
export const REGION = { rows: 33, columns: 64 } as const;

/** The distances to the edge: 128 on it, more inside. */
export function regionBytes(text: string): Uint8Array {
	const bytes = new Uint8Array(REGION.rows * REGION.columns);
	for (let i = 0; i < bytes.length; i += 1) bytes[i] = Number.parseInt(text.slice(2 * i, 2 * i + 2), 16) || 0;
	return bytes;
}
