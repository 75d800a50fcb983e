// The wire's vectors and quaternions, and the little arithmetic that the page needs on them.

export type V3 = [number, number, number];
/** x, y, z, w. */
export type Q = [number, number, number, number];

export const IDENTITY: Q = [0, 0, 0, 1];

/** The i-th vector of a flat list. */
export function vectorAt(list: ArrayLike<number>, i: number): V3 {
	return [list[3 * i] ?? 0, list[3 * i + 1] ?? 0, list[3 * i + 2] ?? 0];
}

/** The i-th quaternion of a flat list. */
export function quaternionAt(list: ArrayLike<number>, i: number): Q {
	return [list[4 * i] ?? 0, list[4 * i + 1] ?? 0, list[4 * i + 2] ?? 0, list[4 * i + 3] ?? 1];
}

/** `a` after `b`. */
export function multiply(a: Q, b: Q): Q {
	const [ax, ay, az, aw] = a;
	const [bx, by, bz, bw] = b;
	return [
		aw * bx + ax * bw + ay * bz - az * by,
		aw * by - ax * bz + ay * bw + az * bx,
		aw * bz + ax * by - ay * bx + az * bw,
		aw * bw - ax * bx - ay * by - az * bz,
	];
}

/** The turn back, of a unit quaternion. */
export function inverse([x, y, z, w]: Q): Q {
	return [-x, -y, -z, w];
}

/** A vector turned. */
export function turn([x, y, z, w]: Q, [vx, vy, vz]: V3): V3 {
	const tx = 2 * (y * vz - z * vy);
	const ty = 2 * (z * vx - x * vz);
	const tz = 2 * (x * vy - y * vx);
	return [vx + w * tx + y * tz - z * ty, vy + w * ty + z * tx - x * tz, vz + w * tz + x * ty - y * tx];
}

export function distance(a: V3, b: V3): number {
	return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

export const degrees = (radians: number): number => (radians * 180) / Math.PI;
export const radians = (deg: number): number => (deg * Math.PI) / 180;
export const clamp = (x: number, low: number, high: number): number => Math.min(high, Math.max(low, x));
