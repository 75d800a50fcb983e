import { describe, expect, it } from "vitest";
import { boundsOf, PRESETS, presetOf } from "./filters";

describe("filters", () => {
	it("are known by their numbers", () => {
		expect(presetOf({ ...PRESETS.heavy })).toBe("heavy");
		expect(presetOf({ ...PRESETS.heavy, jerk: 13 })).toBe("own");
	});

	it("bound as many derivatives as their order says", () => {
		const second = { ...PRESETS.usual, order: 2 };
		expect(boundsOf("velocity", second, null)).toEqual([-4, 4]);
		expect(boundsOf("acceleration", second, null)).toEqual([-25, 25]);
		expect(boundsOf("jerk", second, null)).toEqual([]);
		expect(boundsOf("velocity", null, null)).toEqual([]);
	});

	it("keep positions in the joint's range, unless it goes all the way round", () => {
		expect(boundsOf("position", null, [-1, 1])).toEqual([-1, 1]);
		expect(boundsOf("position", null, [-Math.PI, Math.PI])).toEqual([]);
		expect(boundsOf("position", PRESETS.light, null)).toEqual([]);
	});
});
