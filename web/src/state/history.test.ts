import { describe, expect, it } from "vitest";
import type { LimitDocument } from "../wire";
import { type Change, emptyHistory, record, stepBack, stepForward } from "./history";

/** A limit that is told apart by its soft zone. */
const limit = (soft_zone: number): LimitDocument => ({
	shape: { kind: "none" },
	soft_zone,
	outlines: [],
	handles: [],
});
const change = (before: number, after: number, joint = 0): Change => ({
	subject: "limit",
	joint,
	label: "x",
	before: limit(before),
	after: limit(after),
	from: null,
	to: null,
});
const shown = { pose: { positions: [0, 1, 0], rotations: [0, 0, 0, 1] }, time: null };

describe("history", () => {
	it("goes back and forward through what was done", () => {
		let history = record(emptyHistory, change(0, 1), null, 0);
		history = record(history, change(1, 2), null, 1);
		const [back, undone] = stepBack(history, shown);
		expect(undone).toEqual(change(1, 2));
		const [again, redone] = stepForward(back);
		expect(redone).toEqual({ ...change(1, 2), to: shown });
		expect(again.done).toHaveLength(2);
	});

	it("does nothing at either end", () => {
		expect(stepBack(emptyHistory, shown)).toEqual([emptyHistory, null]);
		expect(stepForward(emptyHistory)).toEqual([emptyHistory, null]);
	});

	it("forgets what was undone when something new is done", () => {
		const [back] = stepBack(record(emptyHistory, change(0, 1), null, 0), shown);
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
		let history = record(emptyHistory, change(0, 1, 1), "handle 0", 0);
		history = record(history, change(0, 1, 2), "handle 0", 1);
		expect(history.done).toHaveLength(2);
		[history] = stepBack(history, shown);
		history = record(history, change(1, 2, 1), "handle 0", 2);
		expect(history.done).toHaveLength(2);
	});

	it("keeps no more than it should", () => {
		let history = emptyHistory;
		for (let i = 0; i < 500; i += 1) history = record(history, change(i, i + 1), null, i);
		expect(history.done).toHaveLength(200);
		expect(history.done.at(-1)).toEqual(change(499, 500));
	});
});
