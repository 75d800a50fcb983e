// How the camera goes with the walker.

import type { V3 } from "../../maths";

/** An angle brought between -π and π. */
export function wrapped(angle: number): number {
	return angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
}

/** The share of a distance that is gone in a time, for a motion that slows down towards its end. */
export function share(rate: number, seconds: number): number {
	return 1 - Math.exp(-rate * Math.max(0, seconds));
}

/** Not quite behind, so that one sees both legs and the steps: some twenty degrees. */
export const BEHIND = 0.35;
/** Feet are seen from their side, where heels and toes are told apart. */
export const BESIDE = 1.05;

/** A camera's offset from its target, turned about y towards the place behind a heading, so far aside. */
export function turnedBehind(offset: V3, heading: number, part: number, aside: number = BEHIND): V3 {
	// A heading of zero looks along z, so behind it is -z.
	const wanted = Math.atan2(-Math.sin(heading), -Math.cos(heading));
	const now = Math.atan2(offset[0], offset[2]);
	const next = now + part * wrapped(wanted + aside - now);
	const level = Math.hypot(offset[0], offset[2]);
	return [level * Math.sin(next), offset[1], level * Math.cos(next)];
}

/** Shares of the way from what is looked at to the eye at which the ground must not be in between. */
const LOOKS = [0.25, 0.4, 0.55, 0.7, 0.85];
/** The eye goes no steeper than this to look over what is in between: its rise over its way. */
const STEEPEST = 1.5;

/**
 * The least height of the eye, not below its own, at which it is above the ground, and the ground does not hide
 * what it looks at; `room` is left in between.
 */
export function clearHeight(
	ground: (x: number, z: number) => number,
	eye: V3,
	target: V3,
	room: number,
): number {
	const level = Math.hypot(eye[0] - target[0], eye[2] - target[2]);
	const most = Math.max(eye[1], target[1] + STEEPEST * level);
	let height = eye[1];
	for (const share of LOOKS) {
		const [x, z] = [0, 2].map((axis) => {
			const [from, to] = [target[axis] ?? 0, eye[axis] ?? 0];
			return from + share * (to - from);
		}) as [number, number];
		const over = ground(x, z) + share * room - target[1];
		height = Math.max(height, Math.min(target[1] + over / share, most));
	}
	return Math.max(height, ground(eye[0], eye[2]) + room);
}
