import { describe, expect, it } from "vitest";
import { type Change, emptyHistory, record, stepBack, stepForward } from "./history";

const change = (before: number, after: number, subject = "scene:pose"): Change => ({
	subject,
	label: "x",
	before,
	after,
});

describe("history", () => {
	it("goes back and forward through what was done", () => {
		let history = record(emptyHistory, change(0, 1), null, 0);
		history = record(history, change(1, 2), null, 1);
		const [back, undone] = stepBack(history);
		expect(undone?.before).toBe(1);
		const [again, redone] = stepForward(back);
		expect(redone?.after).toBe(2);
		expect(again.done).toHaveLength(2);
	});

	it("does nothing at either end", () => {
		expect(stepBack(emptyHistory)).toEqual([emptyHistory, null]);
		expect(stepForward(emptyHistory)).toEqual([emptyHistory, null]);
	});

	it("forgets what was undone when something new is done", () => {
		const [back] = stepBack(record(emptyHistory, change(0, 1), null, 0));
		expect(record(back, change(0, 5), null, 1).undone).toEqual([]);
	});

	it("makes one step of a slider's many changes, and a new one after a pause", () => {
		let history = record(emptyHistory, change(0, 1), "weight", 0);
		history = record(history, change(1, 2), "weight", 100);
		expect(history.done).toEqual([change(0, 2)]);
		history = record(history, change(2, 3), "weight", 5000);
		expect(history.done).toHaveLength(2);
	});

	it("makes one step of a drag, however slow, and another of the next drag", () => {
		let history = record(emptyHistory, change(0, 1), "drag 1", 0, true);
		history = record(history, change(1, 2), "drag 1", 60_000, true);
		history = record(history, change(2, 3), "drag 2", 60_001, true);
		expect(history.done).toEqual([change(0, 2), change(2, 3)]);
	});

	it("does not merge changes of different things, nor over an undo", () => {
		let history = record(emptyHistory, change(0, 1, "limit:1"), "handle 0", 0);
		history = record(history, change(0, 1, "limit:2"), "handle 0", 1);
		expect(history.done).toHaveLength(2);
		[history] = stepBack(history);
		history = record(history, change(1, 2, "limit:1"), "handle 0", 2);
		expect(history.done).toHaveLength(2);
	});

	it("keeps no more than it should", () => {
		let history = emptyHistory;
		for (let i = 0; i < 500; i += 1) history = record(history, change(i, i + 1), null, i);
		expect(history.done).toHaveLength(200);
		expect(history.done.at(-1)?.after).toBe(500);
	});
});
