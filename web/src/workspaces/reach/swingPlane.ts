// The swing plane: directions from the shoulder as points, keys and the triangles between them.
//
// Drawn as the character sees it: what is to its right is right, what is higher is higher. A swing
// is the axis-angle vector of a direction, so to the right is against its second number and up
// against its first. All swings lie in a disk of radius π; the four outer keys stand around it.

import type { BehaviourDocument, ReachFrame, SideName } from "../../wire";

export type Swing = [number, number];
type Point = { x: number; y: number };

/** The furthest that a key may stand from the middle. */
const FURTHEST = 0.99 * Math.PI;

/** From the plane to a square picture of a side `size`. */
export function toPicture([about_x, about_y]: Swing, size: number): Point {
	const scale = size / (2 * Math.PI);
	return { x: size / 2 - about_y * scale, y: size / 2 + about_x * scale };
}

/** Back; what lies outside of the disk is brought to its edge. */
export function fromPicture({ x, y }: Point, size: number): Swing {
	const scale = (2 * Math.PI) / size;
	const swing: Swing = [(y - size / 2) * scale, (size / 2 - x) * scale];
	const length = Math.hypot(...swing);
	if (length <= FURTHEST) return swing;
	return [(swing[0] / length) * FURTHEST, (swing[1] / length) * FURTHEST];
}

/** The weights of a point on the corners of a triangle; they add up to one. */
export function barycentric(p: Swing, a: Swing, b: Swing, c: Swing): [number, number, number] | null {
	const area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
	if (!(Math.abs(area) > 1e-12)) return null;
	const wb = ((p[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (p[1] - a[1])) / area;
	const wc = ((b[0] - a[0]) * (p[1] - a[1]) - (p[0] - a[0]) * (b[1] - a[1])) / area;
	return [1 - wb - wc, wb, wc];
}

/** The triangle that a swing lies in: its place in the list, or -1. */
export function triangleAt({ keys, triangles }: BehaviourDocument, swing: Swing): number {
	let best = -1;
	let most = -1e-6;
	triangles.forEach(([a, b, c], i) => {
		const corners = [keys[a]?.swing, keys[b]?.swing, keys[c]?.swing];
		if (!corners[0] || !corners[1] || !corners[2]) return;
		const weights = barycentric(swing, corners[0], corners[1], corners[2]);
		const least = weights ? Math.min(...weights) : -1;
		if (least > most) {
			best = i;
			most = least;
		}
	});
	return best;
}

/** Where the goal of a side is on the plane. */
export function goalOf(frame: ReachFrame | null, side: SideName): Swing | null {
	return frame?.[side]?.swing ?? null;
}

/** The key nearest to a place of the picture, within a reach; -1 if there is none. */
export function keyNear(behaviour: BehaviourDocument, at: Point, size: number, reach: number): number {
	let best = -1;
	let nearest = reach;
	behaviour.keys.forEach((key, i) => {
		const { x, y } = toPicture(key.swing, size);
		const far = Math.hypot(x - at.x, y - at.y);
		if (far <= nearest) {
			nearest = far;
			best = i;
		}
	});
	return best;
}
