import { PerspectiveCamera, Vector3 } from "three";
import { describe, expect, it } from "vitest";
import type { V3 } from "../maths";
import { framing } from "./framing";

function seen(points: V3[], aspect: number, covered: number, margin: number): Vector3[] {
	const camera = new PerspectiveCamera(38, aspect, 0.001, 1000);
	const place = framing(points, { camera, covered, margin });
	camera.position.set(...place.position);
	camera.lookAt(...place.target);
	camera.updateMatrixWorld();
	return points.map((point) => new Vector3(...point).project(camera));
}

describe("the usual view", () => {
	const tall: V3[] = [
		[0, 0, 0],
		[0, 1.7, 0],
		[0.7, 1.4, 0],
		[-0.7, 1.4, 0],
	];
	const tiny: V3[] = tall.map(([x, y, z]) => [0.1 * x, 0.1 * y, 0.1 * z]);
	const flat: V3[] = [
		[-3, 0, -1],
		[3, 0, 1],
	];

	it("shows every point above what is covered, and fills what is free", () => {
		for (const points of [tall, tiny, flat]) {
			for (const [aspect, covered] of [
				[1.6, 0],
				[1.6, 0.3],
				[0.6, 0.2],
			] as const) {
				const places = seen(points, aspect, covered, 0);
				const across = Math.max(...places.map((p) => Math.abs(p.x)));
				const top = Math.max(...places.map((p) => p.y));
				const bottom = Math.min(...places.map((p) => p.y));
				expect(across).toBeLessThan(1.001);
				expect(top).toBeLessThan(1.001);
				expect(bottom).toBeGreaterThan(2 * covered - 1.001);
				expect(Math.max(across, (top - bottom) / (2 - 2 * covered))).toBeGreaterThan(0.75);
			}
		}
	});

	it("shows a single point with room around it", () => {
		const [place] = seen([[0, 1, 0]], 1.5, 0, 0.1);
		expect(place?.x).toBeCloseTo(0);
		expect(place?.y).toBeCloseTo(0);
	});
});
