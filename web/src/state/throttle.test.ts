import { describe, expect, it } from "vitest";
import { FrameThrottle } from "./throttle";

function rigged() {
	const sent: [string, number][] = [];
	let pending: (() => void) | null = null;
	const throttle = new FrameThrottle<number>(
		(key, value) => sent.push([key, value]),
		(callback) => {
			pending = callback;
		},
	);
	const frame = () => {
		const run = pending;
		pending = null;
		run?.();
	};
	return { sent, throttle, frame, idle: () => pending === null };
}

describe("FrameThrottle", () => {
	it("sends the first at once and only the newest of a frame after it", () => {
		const { sent, throttle, frame } = rigged();
		for (const value of [1, 2, 3]) throttle.push("a", value);
		expect(sent).toEqual([["a", 1]]);
		frame();
		expect(sent).toEqual([
			["a", 1],
			["a", 3],
		]);
	});

	it("counts each target by itself", () => {
		const { sent, throttle } = rigged();
		throttle.push("a", 1);
		throttle.push("b", 2);
		expect(sent).toHaveLength(2);
	});

	it("loses nothing when flushed, and sends nothing twice", () => {
		const { sent, throttle, frame } = rigged();
		throttle.push("a", 1);
		throttle.push("a", 2);
		throttle.flush();
		frame();
		expect(sent.map(([, value]) => value)).toEqual([1, 2]);
	});

	it("comes to rest", () => {
		const { throttle, frame, idle } = rigged();
		throttle.push("a", 1);
		frame();
		frame();
		expect(idle()).toBe(true);
	});
});
