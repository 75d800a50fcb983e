// What a body is made of: balls swept along lines, and the smooth union of several.

import type { V3 } from "../../maths";

/** A ball swept along a line while its radius changes. Places are in model space, at rest. */
export interface Part {
	/** The joint that carries it. */
	joint: number;
	from: V3;
	to: V3;
	fromRadius: number;
	toRadius: number;
	/** The body is `wide` times as thick along this unit vector as it is otherwise. */
	across?: V3;
	wide?: number;
	/** Skin beside it follows it so many times less far off than usual. */
	hold?: number;
}

/** Parts that are one smooth surface, or stay apart, each a rigid housing. */
export interface Group {
	parts: Part[];
	/** How far one part flows into the next, in metres; 0 keeps them apart. */
	blend: number;
	/** The size of the surface's facets, in metres. */
	cell: number;
	colour: Tone;
}

/** What a colour is for; the palette says which it is. */
export type Tone = "skin" | "joint" | "eye";

export const add = (a: V3, b: V3): V3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const subtract = (a: V3, b: V3): V3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scaled = (a: V3, k: number): V3 => [k * a[0], k * a[1], k * a[2]];
export const dot = (a: V3, b: V3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a: V3, b: V3): V3 => [
	a[1] * b[2] - a[2] * b[1],
	a[2] * b[0] - a[0] * b[2],
	a[0] * b[1] - a[1] * b[0],
];
export const lerp = (a: V3, b: V3, t: number): V3 => add(a, scaled(subtract(b, a), t));
export const distance = (a: V3, b: V3): number => Math.hypot(...subtract(a, b));
/** Along `a`, or `otherwise` where `a` has no direction. */
export function unit(a: V3, otherwise: V3): V3 {
	const length = Math.hypot(...a);
	return length > 1e-9 ? scaled(a, 1 / length) : otherwise;
}

/** How far a place is outside of a part; negative inside. */
export type Distance = (x: number, y: number, z: number) => number;

/**
 * The distance to a part, exact where the part is round and does not taper. It is asked for at every corner of a
 * grid, so it is worked out in numbers and what does not depend on the place is worked out once. Along `across`
 * space is narrowed: what is a ball there is the wide part here.
 */
export function distanceOf(part: Part): Distance {
	const [ax, ay, az] = part.across ?? [0, 0, 0];
	const less = part.across ? 1 - 1 / (part.wide ?? 1) : 0;
	const [fx, fy, fz] = part.from;
	const narrow = less * dot(subtract(part.to, part.from), [ax, ay, az]);
	const [wx, wy, wz] = subtract(subtract(part.to, part.from), scaled([ax, ay, az], narrow));
	const square = wx * wx + wy * wy + wz * wz;
	const inverse = square > 0 ? 1 / square : 0;
	const taper = part.toRadius - part.fromRadius;
	return (x, y, z) => {
		const side = less * ((x - fx) * ax + (y - fy) * ay + (z - fz) * az);
		const px = x - fx - side * ax;
		const py = y - fy - side * ay;
		const pz = z - fz - side * az;
		const t = Math.min(1, Math.max(0, (px * wx + py * wy + pz * wz) * inverse));
		const dx = px - t * wx;
		const dy = py - t * wy;
		const dz = pz - t * wz;
		return Math.sqrt(dx * dx + dy * dy + dz * dz) - (part.fromRadius + t * taper);
	};
}

/** How far the part reaches from its line, anywhere. */
export function reachOf(part: Part): number {
	return Math.max(part.fromRadius, part.toRadius) * Math.max(1, part.wide ?? 1);
}
