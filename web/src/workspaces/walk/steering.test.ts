import { describe, expect, it } from "vitest";
import { fromGamepad, fromKeys, fromStick, STILL, SteerClock, steers, strongest } from "./steering";

describe("keys", () => {
	it("add up, oppose each other and stay within one", () => {
		expect(fromKeys(new Set(["KeyW"]), false)).toEqual({ speed: 1, turn: 0 });
		expect(fromKeys(new Set(["KeyW", "ArrowUp", "KeyA"]), false)).toEqual({ speed: 1, turn: 1 });
		expect(fromKeys(new Set(["KeyW", "KeyS"]), false)).toEqual({ speed: 0, turn: 0 });
		expect(fromKeys(new Set(["KeyD"]), false)).toEqual({ speed: 0, turn: -1 });
		expect(fromKeys(new Set(["KeyW"]), true).speed).toBe(0.5);
		expect(fromKeys(new Set(["KeyQ"]), false)).toEqual(STILL);
		expect(steers("KeyW") && steers("ArrowLeft")).toBe(true);
		expect(steers("KeyQ") || steers("toString")).toBe(false);
	});
});

describe("stick", () => {
	it("is still near the middle and continuous at its edge", () => {
		expect(fromStick(0.1, -0.1)).toEqual(STILL);
		expect(fromStick(Number.NaN, 0)).toEqual(STILL);
		expect(fromStick(0, -0.151).speed).toBeLessThan(0.01);
	});

	it("goes forward when pushed up and turns left when pushed left", () => {
		expect(fromStick(0, -1)).toEqual({ speed: 1, turn: -0 });
		expect(fromStick(-1, 0).turn).toBe(1);
		const corner = fromStick(1, 1);
		expect(Math.hypot(corner.speed, corner.turn)).toBeCloseTo(1);
		expect(corner.speed).toBeLessThan(0);
		expect(corner.turn).toBeLessThan(0);
	});
});

describe("gamepad", () => {
	const pad = (axes: number[], down: Record<number, number> = {}) => ({
		axes,
		buttons: Array.from({ length: 16 }, (_, i) => ({
			value: down[i] ?? 0,
			pressed: (down[i] ?? 0) > 0,
			touched: false,
		})),
	});
	it("steers by stick, cross or trigger, whichever says most", () => {
		expect(fromGamepad(pad([0, -1])).speed).toBe(1);
		expect(fromGamepad(pad([0, 0], { 12: 1, 14: 1 }))).toEqual({ speed: 1, turn: 1 });
		expect(fromGamepad(pad([0, 0], { 7: 0.6 })).speed).toBe(0.6);
		expect(fromGamepad(pad([-1, 0], { 7: 0.6 }))).toEqual({ speed: 0.6, turn: 1 });
		expect(fromGamepad({ axes: [], buttons: [] })).toEqual(STILL);
	});
});

describe("together", () => {
	it("the furthest push wins", () => {
		expect(
			strongest([
				{ speed: 0.2, turn: 0.9 },
				{ speed: -0.7, turn: 0 },
			]),
		).toEqual({ speed: -0.7, turn: 0.9 });
	});

	it("are sent on change, now and then while held, once when let go", () => {
		const clock = new SteerClock();
		const on = { speed: 1, turn: 0 };
		expect(clock.due(STILL, 0)).toBe(false);
		expect(clock.due(on, 10)).toBe(true);
		expect(clock.due(on, 20)).toBe(false);
		expect(clock.due({ speed: 0.995, turn: 0 }, 30)).toBe(false);
		expect(clock.due(on, 300)).toBe(true);
		expect(clock.due(STILL, 310)).toBe(true);
		expect(clock.due(STILL, 9000)).toBe(false);
	});

	it("a push too small to be sent by itself is still let go", () => {
		const clock = new SteerClock();
		expect(clock.due({ speed: 0.5, turn: 0 }, 0)).toBe(true);
		expect(clock.due({ speed: 0.495, turn: 0 }, 300)).toBe(true);
		expect(clock.due(STILL, 301)).toBe(true);
	});
});
