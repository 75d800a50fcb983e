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

/** Looks at the ground on the way from what is looked at to the eye. */
const LOOKS = 16;
/** What would have to be looked over more steeply is no hill but a wall: its rise over its way. */
const STEEPEST = 1.2;

/**
 * The place of the eye, or the nearest above it, at which it is above the ground and nothing of the ground hides
 * what it looks at; `room` is left in between. Before a wall that cannot be looked over it comes nearer.
 */
export function clearEye(ground: (x: number, z: number) => number, eye: V3, target: V3, room: number): V3 {
	const [dx, dy, dz] = [eye[0] - target[0], eye[1] - target[1], eye[2] - target[2]];
	const level = Math.hypot(dx, dz);
	let steepest = -Infinity;
	let near = 1;
	for (let look = 1; look <= LOOKS; look += 1) {
		const share = look / LOOKS;
		const over = ground(target[0] + share * dx, target[2] + share * dz) + share * room - target[1];
		const slope = over / Math.max(share * level, 1e-6);
		if (slope > STEEPEST && over > dy * share) {
			near = (look - 1) / LOOKS;
			break;
		}
		steepest = Math.max(steepest, slope);
	}
	const [x, z] = [target[0] + near * dx, target[2] + near * dz];
	const high = Math.max(target[1] + near * dy, target[1] + steepest * near * level, ground(x, z) + room);
	return [x, high, z];
}
