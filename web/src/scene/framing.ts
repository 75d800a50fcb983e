// Where the camera stands so that points are seen.

import { type PerspectiveCamera, Vector3 } from "three";
import type { V3 } from "../maths";
import type { CameraPlace } from "../state/link";

/** From the front, a little from the side and from above. */
const FROM = new Vector3(0.42, 0.2, 1).normalize();

interface Window {
	/** The vertical field of view, in degrees, and width over height. */
	camera: Pick<PerspectiveCamera, "fov" | "aspect">;
	/** The part of the height that is covered from below. */
	covered: number;
	/** Room around every point, in metres. */
	margin: number;
}

/** The usual view of some points, in what is left above the part that is covered. */
export function framing(points: readonly V3[], { camera, covered, margin }: Window): CameraPlace {
	const places = points.map((point) => new Vector3(...point));
	const low = new Vector3(Infinity, Infinity, Infinity);
	const high = low.clone().negate();
	for (const place of places) {
		low.min(place);
		high.max(place);
	}
	const middle = low.add(high).multiplyScalar(0.5);
	const right = new Vector3(0, 1, 0).cross(FROM).normalize();
	const up = FROM.clone().cross(right);
	const slope = Math.tan((camera.fov * Math.PI) / 360);
	const free = 1 - covered;
	// The distance at which each point just fits; the farthest of them is taken.
	const far = Math.max(
		...places.map((place) => {
			const from = place.sub(middle);
			const near = from.dot(FROM);
			const wide = (Math.abs(from.dot(right)) + margin) / (slope * camera.aspect);
			const high = (from.dot(up) + margin) / slope;
			const low = (margin - from.dot(up)) / slope;
			return Math.max(near + wide, (high + near) / free, (low + (1 - 2 * covered) * near) / free);
		}),
	);
	// Lowered, so that the middle of what is free shows the middle of the points.
	const target = middle.addScaledVector(up, -covered * far * slope);
	const eye = FROM.clone().multiplyScalar(far).add(target);
	return { position: eye.toArray(), target: target.toArray() };
}
