import { describe, expect, it } from "vitest";
import { along, linearAxis, logAxis, tidy } from "./axis";
import { Samples } from "./samples";

describe("axes", () => {
	it("hold the range with even, round steps", () => {
		const axis = linearAxis(0.3, 7.2, 4);
		expect(axis.from).toBe(0);
		expect(axis.to).toBe(8);
		expect(axis.ticks.map((tick) => tick.at)).toEqual([0, 2, 4, 6, 8]);
	});

	it("survive a range of nothing, of no numbers and of huge ones", () => {
		for (const [low, high] of [
			[5, 5],
			[0, 0],
			[Infinity, -Infinity],
			[Number.NaN, Number.NaN],
			[-1e300, 1e300],
		] as const) {
			const axis = linearAxis(low, high);
			expect(axis.to).toBeGreaterThan(axis.from);
			expect(axis.ticks.length).toBeGreaterThan(1);
			expect(axis.ticks.length).toBeLessThan(12);
		}
	});

	it("have whole decades when logarithmic", () => {
		const axis = logAxis(0.00002, 0.3);
		expect(axis.from).toBeCloseTo(1e-5, 12);
		expect(axis.to).toBeCloseTo(1, 12);
		expect(along(axis, 0)).toBe(0);
		expect(along(axis, 1)).toBeCloseTo(1);
		expect(logAxis(0, 0).ticks.length).toBeGreaterThan(1);
	});

	it("write numbers shortly", () => {
		expect(tidy(0.30000000000000004)).toBe("0.3");
		expect(tidy(-2)).toBe("−2");
		expect(tidy(0)).toBe("0");
	});
});

describe("samples", () => {
	it("keep the newest and find by time", () => {
		const samples = new Samples(1, 4);
		for (let i = 0; i < 6; i += 1) samples.push(i, [10 * i]);
		expect(samples.length).toBe(4);
		expect(samples.time(0)).toBe(2);
		expect(samples.value(0, 3)).toBe(50);
		expect(samples.firstFrom(3.5)).toBe(2);
		expect(samples.firstFrom(100)).toBe(4);
	});

	it("begin anew when time goes back, as after a reconnection", () => {
		const samples = new Samples(2, 8);
		samples.push(50, [1, null]);
		samples.push(0.1, [2, 3]);
		expect(samples.length).toBe(1);
		expect(samples.value(1, 0)).toBe(3);
	});
});
