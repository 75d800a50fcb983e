import { describe, expect, it } from "vitest";
import { share, turnedBehind, wrapped } from "./follow";

describe("the camera", () => {
	it("turns the short way round", () => {
		expect(wrapped(3.5)).toBeCloseTo(3.5 - 2 * Math.PI);
		expect(wrapped(-3.5)).toBeCloseTo(2 * Math.PI - 3.5);
		expect(wrapped(0.3)).toBeCloseTo(0.3);
	});

	it("ends up behind the walker, as far away and as high as before", () => {
		const [x, y, z] = turnedBehind([3, 1, 4], 0, 1);
		expect([x, y, z].map((c) => Math.round(1e6 * c) / 1e6 + 0)).toEqual([0, 1, -5]);
		const side = turnedBehind([0, 1, 2], Math.PI / 2, 1);
		expect(side[0]).toBeCloseTo(-2);
		expect(side[2]).toBeCloseTo(0);
	});

	it("goes the same way in many small steps as in one", () => {
		let left = 1;
		for (let i = 0; i < 60; i += 1) left *= 1 - share(4, 1 / 60);
		expect(left).toBeCloseTo(1 - share(4, 1));
		expect(share(4, -1)).toBe(0);
	});
});
