import { describe, expect, it } from "vitest";
import { clearEye, share, turnedBehind, wrapped } from "./follow";

describe("the camera", () => {
	it("turns the short way round", () => {
		expect(wrapped(3.5)).toBeCloseTo(3.5 - 2 * Math.PI);
		expect(wrapped(-3.5)).toBeCloseTo(2 * Math.PI - 3.5);
		expect(wrapped(0.3)).toBeCloseTo(0.3);
	});

	it("ends up behind the walker, as far away and as high as before", () => {
		for (const heading of [0, 1, Math.PI / 2, 4]) {
			const [x, y, z] = turnedBehind([3, 1, 4], heading, 1);
			expect(Math.hypot(x, z)).toBeCloseTo(5);
			expect(y).toBe(1);
			// Against the heading, within some twenty degrees.
			const against = -(x * Math.sin(heading) + z * Math.cos(heading)) / 5;
			expect(against).toBeGreaterThan(0.9);
			expect(against).toBeLessThan(0.99);
		}
	});

	it("is above the ground, and the ground is not between it and the walker", () => {
		const flat = () => 0;
		expect(clearEye(flat, [0, 2, -4], [0, 1, 0], 0.1)).toEqual([0, 2, -4]);
		const below = clearEye(flat, [0, -3, -4], [0, 1, 0], 0.1);
		expect(below[1]).toBeCloseTo(0.1);
		const hill = (_: number, z: number) => (Math.abs(z + 2) < 0.5 ? 1.6 : 0);
		const [, height, back] = clearEye(hill, [0, 1.2, -4], [0, 1, 0], 0.1);
		expect(back).toBe(-4);
		for (let share = 0; share <= 1; share += 0.01)
			if (hill(0, -4 * share) > 0) expect(1 + share * (height - 1)).toBeGreaterThan(1.4);
	});

	it("comes nearer before a wall, instead of going up on it or into it", () => {
		const wall = (_: number, z: number) => (z < -2 ? 3 : 0);
		const [x, y, z] = clearEye(wall, [0, 0.4, -4], [0, 0.1, 0], 0.1);
		expect(x).toBe(0);
		expect(z).toBeGreaterThan(-2.01);
		expect(z).toBeLessThan(-1.5);
		expect(y).toBeLessThan(0.5);
		// One that is high enough already sees over it.
		const over = clearEye(wall, [0, 7, -4], [0, 0.1, 0], 0.1);
		expect(over).toEqual([0, 7, -4]);
	});

	it("goes the same way in many small steps as in one", () => {
		let left = 1;
		for (let i = 0; i < 60; i += 1) left *= 1 - share(4, 1 / 60);
		expect(left).toBeCloseTo(1 - share(4, 1));
		expect(share(4, -1)).toBe(0);
	});
});
