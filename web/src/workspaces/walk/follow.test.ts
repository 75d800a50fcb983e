import { describe, expect, it } from "vitest";
import { share, turnedBehind, wrapped } from "./follow";

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

	it("goes the same way in many small steps as in one", () => {
		let left = 1;
		for (let i = 0; i < 60; i += 1) left *= 1 - share(4, 1 / 60);
		expect(left).toBeCloseTo(1 - share(4, 1));
		expect(share(4, -1)).toBe(0);
	});
});
