// A patch of ground as triangles and lines. No drawing here.

import type { GroundPatch } from "../../wire";

/** The cell of a rising list that holds a value: the index of its lower line. */
function cellOf(lines: readonly number[], at: number): number {
	let low = 0;
	let high = lines.length - 2;
	while (low < high) {
		const middle = (low + high + 1) >> 1;
		if ((lines[middle] ?? Infinity) <= at) low = middle;
		else high = middle - 1;
	}
	return Math.max(0, low);
}

/** The height of the drawn ground; beyond the patch, that of its edge. */
export function heightAt(patch: GroundPatch, x: number, z: number): number {
	const { xs, zs, heights } = patch;
	const i = cellOf(xs, x);
	const j = cellOf(zs, z);
	const share = (lines: readonly number[], k: number, at: number) => {
		const a = lines[k] ?? 0;
		const b = lines[k + 1] ?? a;
		return b > a ? Math.min(1, Math.max(0, (at - a) / (b - a))) : 0;
	};
	const s = share(xs, i, x);
	const t = share(zs, j, z);
	const height = (a: number, b: number) =>
		heights[Math.min(b, zs.length - 1) * xs.length + Math.min(a, xs.length - 1)] ?? 0;
	// The same diagonal as in `trianglesOf`.
	const [h00, h10, h01, h11] = [height(i, j), height(i + 1, j), height(i, j + 1), height(i + 1, j + 1)];
	return s > t ? h00 + s * (h10 - h00) + t * (h11 - h10) : h00 + t * (h01 - h00) + s * (h11 - h01);
}

/** Corners of triangles, three by three and facing up; none is shared, so that edges stay sharp. */
export function trianglesOf({ xs, zs, heights }: GroundPatch): Float32Array {
	const columns = Math.max(0, xs.length - 1);
	const rows = Math.max(0, zs.length - 1);
	const out = new Float32Array(columns * rows * 18);
	let at = 0;
	const corner = (i: number, j: number) => {
		out[at] = xs[i] ?? 0;
		out[at + 1] = heights[j * xs.length + i] ?? 0;
		out[at + 2] = zs[j] ?? 0;
		at += 3;
	};
	for (let j = 0; j < rows; j += 1) {
		for (let i = 0; i < columns; i += 1) {
			corner(i, j);
			corner(i + 1, j + 1);
			corner(i + 1, j);
			corner(i, j);
			corner(i, j + 1);
			corner(i + 1, j + 1);
		}
	}
	return out;
}

/** Two lines nearer than this are the two edges of a riser. */
const RISER = 2e-3;

/**
 * Lines that lie on the ground, as pairs of ends: one every `step`, and along the edges of risers.
 * They stand at round places, so that they stay when the next patch comes.
 */
export function linesOf(
	patch: GroundPatch,
	step: number,
	lift: number,
): { even: Float32Array; edges: Float32Array } {
	const { xs, zs } = patch;
	const even: number[] = [];
	const edges: number[] = [];
	const add = (to: number[], x: number, z: number, x2: number, z2: number) =>
		to.push(x, heightAt(patch, x, z) + lift, z, x2, heightAt(patch, x2, z2) + lift, z2);
	const [west, east] = [xs[0] ?? 0, xs.at(-1) ?? 0];
	const [north, south] = [zs[0] ?? 0, zs.at(-1) ?? 0];
	for (let i = Math.ceil(west / step); i * step <= east; i += 1) {
		const x = i * step;
		for (let j = 0; j + 1 < zs.length; j += 1) add(even, x, zs[j] ?? 0, x, zs[j + 1] ?? 0);
	}
	for (let j = Math.ceil(north / step); j * step <= south; j += 1) {
		const z = j * step;
		for (let i = 0; i + 1 < xs.length; i += 1) add(even, xs[i] ?? 0, z, xs[i + 1] ?? 0, z);
	}
	for (let j = 0; j + 1 < zs.length; j += 1) {
		const [a, b] = [zs[j] ?? 0, zs[j + 1] ?? 0];
		// Where it breaks along x as well, the ends of a line do not say what is between them.
		if (b - a > RISER || xs.length > 2) continue;
		add(edges, west, a, east, a);
		add(edges, west, b, east, b);
	}
	return { even: new Float32Array(even), edges: new Float32Array(edges) };
}
