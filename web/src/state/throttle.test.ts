import { describe, expect, it } from "vitest";
import { Throttle } from "./throttle";

function rigged() {
	const sent: [string, number][] = [];
	let pending: (() => void) | null = null;
	const throttle = new Throttle<number>(
		(key, value) => sent.push([key, value]),
		(callback) => {
			pending = callback;
		},
	);
	const wait = () => {
		const run = pending;
		pending = null;
		run?.();
	};
	return { sent, throttle, wait, idle: () => pending === null };
}

describe("Throttle", () => {
	it("sends the first at once and only the newest of a while after it", () => {
		const { sent, throttle, wait } = rigged();
		for (const value of [1, 2, 3]) throttle.push("a", value);
		expect(sent).toEqual([["a", 1]]);
		wait();
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
		const { sent, throttle, wait } = rigged();
		throttle.push("a", 1);
		throttle.push("a", 2);
		throttle.flush();
		wait();
		expect(sent.map(([, value]) => value)).toEqual([1, 2]);
	});

	it("comes to rest", () => {
		const { throttle, wait, idle } = rigged();
		throttle.push("a", 1);
		wait();
		wait();
		expect(idle()).toBe(true);
	});
});
