import { describe, expect, it } from "vitest";
import type { V3 } from "../../maths";
import { Plants, plantedFeet } from "./plants";

const foot = (x: number, heel: boolean, toe: boolean) => ({
	joint: 3,
	heel: [x, 0, 0] as V3,
	heel_planted: heel,
	toe: [x, 0, 0.2] as V3,
	toe_planted: toe,
	height: 0,
});

describe("plants", () => {
	it("are kept once for each time that a foot comes down", () => {
		const plants = new Plants(10);
		const place: V3 = [0, 0, 0];
		expect(plants.take({ place, feet: [foot(0, true, true)] })).toBe(true);
		expect(plants.take({ place, feet: [foot(0, true, true)] })).toBe(false);
		expect(plants.take({ place, feet: [foot(0.3, false, true)] })).toBe(false);
		expect(plants.take({ place, feet: [foot(0.6, true, false)] })).toBe(true);
		expect(plants.list.map(({ part, at }) => [part, at[0]])).toEqual([
			["heel", 0],
			["toe", 0],
			["heel", 0.6],
		]);
	});

	it("are no more than asked for, and forgotten when the walker is put back", () => {
		const plants = new Plants(3);
		for (let i = 0; i < 9; i += 1) {
			plants.take({ place: [0, 0, 0.1 * i], feet: [foot(i, i % 2 === 0, false)] });
		}
		expect(plants.list.map(({ at }) => at[0])).toEqual([4, 6, 8]);
		expect(plants.take({ place: [0, 0, 7], feet: [foot(0, false, false)] })).toBe(true);
		expect(plants.list).toEqual([]);
	});

	it("count feet", () => {
		expect(plantedFeet([foot(0, true, false), foot(0, false, true), foot(0, false, false)])).toBe(2);
	});
});
