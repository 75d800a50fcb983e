import { describe, expect, it } from "vitest";
import type { GroundPatch } from "../../wire";
import { heightAt, linesOf, trianglesOf } from "./terrain";

const hill: GroundPatch = {
	xs: [-1, 0.2, 2],
	zs: [-2, 0, 0.5, 3],
	heights: [0, 1, 0, 1, 3, 1, 0, 2, 0, 0, 0, 0],
};
const step: GroundPatch = { xs: [-2, 2], zs: [-2, 0.9995, 1, 2], heights: [0, 0, 0, 0, 0.2, 0.2, 0.2, 0.2] };

describe("the ground", () => {
	it("is as high at its corners as the patch says", () => {
		hill.zs.forEach((z, j) => {
			hill.xs.forEach((x, i) => {
				expect(heightAt(hill, x, z)).toBeCloseTo(hill.heights[3 * j + i] ?? 0);
			});
		});
	});

	it("goes on level beyond its edges", () => {
		expect(heightAt(hill, -9, -2)).toBeCloseTo(0);
		expect(heightAt(hill, 0.2, -90)).toBeCloseTo(1);
		expect(heightAt(step, 0, 50)).toBeCloseTo(0.2);
	});

	it("has triangles that face up and lie where the height says", () => {
		const corners = trianglesOf(hill);
		expect(corners.length).toBe(2 * 3 * 2 * 9);
		for (let i = 0; i < corners.length; i += 9) {
			const [ax, ay, az, bx, by, bz, cx, cy, cz] = corners.subarray(i, i + 9) as unknown as number[] as [
				number,
				number,
				number,
				number,
				number,
				number,
				number,
				number,
				number,
			];
			const up = (bz - az) * (cx - ax) - (bx - ax) * (cz - az);
			expect(up).toBeGreaterThan(0);
			expect(heightAt(hill, (ax + bx + cx) / 3, (az + bz + cz) / 3)).toBeCloseTo((ay + by + cy) / 3, 4);
		}
	});

	it("has lines at round places that lie on it, and edges at risers", () => {
		const { even, edges } = linesOf(step, 1, 0);
		for (let i = 0; i < even.length; i += 3) {
			const [x, y, z] = [even[i] ?? 0, even[i + 1] ?? 0, even[i + 2] ?? 0];
			expect(y).toBeCloseTo(heightAt(step, x, z), 4);
		}
		const xs = new Set([...even].filter((_, i) => i % 6 === 0));
		expect([...xs].every((x) => Number.isInteger(x) || Math.abs(x) === 2)).toBe(true);
		expect(linesOf(step, 0.5, 0).even.length).toBeGreaterThan(1.5 * even.length);
		expect([...edges].filter((_, i) => i % 3 === 1).map((y) => Math.round(10 * y))).toEqual([0, 0, 2, 2]);
	});

	it("copes with nothing", () => {
		expect(trianglesOf({ xs: [], zs: [], heights: [] }).length).toBe(0);
		expect(linesOf({ xs: [], zs: [], heights: [] }, 1, 0).even.length).toBe(0);
		expect(heightAt({ xs: [], zs: [], heights: [] }, 1, 1)).toBe(0);
	});
});
