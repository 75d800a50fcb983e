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
const ASIDE = 0.35;

/** A camera's offset from its target, turned about y towards the place behind a heading, a little aside. */
export function turnedBehind(offset: V3, heading: number, part: number): V3 {
	// A heading of zero looks along z, so behind it is -z.
	const wanted = Math.atan2(-Math.sin(heading), -Math.cos(heading));
	const now = Math.atan2(offset[0], offset[2]);
	const next = now + part * wrapped(wanted + ASIDE - now);
	const level = Math.hypot(offset[0], offset[2]);
	return [level * Math.sin(next), offset[1], level * Math.cos(next)];
}
