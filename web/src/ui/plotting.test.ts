import { describe, expect, it } from "vitest";
import { eased, extentIn, padded, Samples, ticks, tickWords } from "./plotting";

describe("Samples", () => {
	it("forgets what is older than the window, and never much more than it holds", () => {
		const samples = new Samples(2, 2);
		for (let i = 0; i < 1000; i += 1) samples.push(i / 60, i, -i);
		expect(samples.now()).toBeCloseTo(999 / 60);
		expect(samples.times.length).toBeLessThan(2 * 60 + 70);
		expect(samples.times[0]).toBeLessThan(samples.now() - 2);
		expect(samples.values[0]?.length).toBe(samples.times.length);
		expect(samples.values[1]?.at(-1)).toBe(-999);
	});

	it("begins anew when time runs backwards, leaves out repeats and what is no time", () => {
		const samples = new Samples(1, 5);
		samples.push(3, 1);
		samples.push(3, 2);
		samples.push(Number.NaN, 2);
		expect(samples.times).toEqual([3]);
		samples.push(0.5, 7);
		expect(samples.times).toEqual([0.5]);
		expect(samples.values[0]).toEqual([7]);
	});
});

describe("pauses", () => {
	it("are holes", () => {
		const samples = new Samples(1, 5);
		samples.push(1, 2);
		samples.push(2.5, 3);
		expect(samples.times).toEqual([1, 1.001, 2.5]);
		expect(samples.values[0]).toEqual([2, Number.NaN, 3]);
	});
});

describe("ranges", () => {
	it("sees only the window, and no holes", () => {
		expect(extentIn([0, 1, 2, 3], [9, 1, Number.NaN, 4], [1, 3])).toEqual([1, 4]);
		expect(extentIn([0, 1], [9, 1], [5, 6])).toBeNull();
	});

	it("is never narrower than asked, and gives no air below a floor", () => {
		const [low, high] = padded([1, 1], 0.5);
		expect(high - low).toBeGreaterThanOrEqual(0.5);
		expect((low + high) / 2).toBeCloseTo(1);
		expect(padded([0, 0], 0.5, 0)[0]).toBe(0);
		expect(padded([0.01, 4], 0.5, 0)[0]).toBe(0);
	});

	it("grows at once and shrinks slowly", () => {
		expect(eased(null, [0, 1])).toEqual([0, 1]);
		expect(eased([0, 1], [-2, 3])).toEqual([-2, 3]);
		const [low, high] = eased([-2, 3], [0, 1]);
		expect(low).toBeGreaterThan(-2);
		expect(low).toBeLessThan(-1.5);
		expect(high).toBeGreaterThan(2.5);
	});
});

describe("ticks", () => {
	it("are round, within, and not too many", () => {
		expect(ticks([0, 1], 5)).toEqual([0, 0.2, 0.4, 0.6000000000000001, 0.8, 1]);
		expect(ticks([-8, 0], 4)).toEqual([-8, -6, -4, -2, 0]);
		for (const span of [1e-6, 0.37, 12, 9e7]) {
			const found = ticks([-span, 2 * span], 6);
			expect(found.length).toBeGreaterThan(2);
			expect(found.length).toBeLessThanOrEqual(7);
			for (const tick of found) expect(tick >= -span && tick <= 2 * span * 1.0001).toBe(true);
		}
	});

	it("are none for what is no interval", () => {
		expect(ticks([1, 1], 5)).toEqual([]);
		expect(ticks([0, Infinity], 5)).toEqual([]);
	});

	it("have as many decimals as they need", () => {
		expect(tickWords(0.6000000000000001, 0.2)).toBe("0.6");
		expect(tickWords(-20, 10)).toBe("−20");
		expect(tickWords(0.025, 0.025)).toBe("0.03");
		expect(tickWords(0, 0.5)).toBe("0.0");
	});
});
