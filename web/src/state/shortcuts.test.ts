import { describe, expect, it } from "vitest";
import { keysOf, shortcutFor } from "./shortcuts";

const press = (key: string, more: Partial<KeyboardEvent> = {}) =>
	({
		key,
		ctrlKey: false,
		metaKey: false,
		shiftKey: false,
		altKey: false,
		target: null,
		...more,
	}) as KeyboardEvent;

describe("shortcuts", () => {
	it("are written as one reads them", () => {
		expect(keysOf(press("z", { ctrlKey: true }))).toBe("Ctrl+Z");
		expect(keysOf(press("Z", { metaKey: true, shiftKey: true }))).toBe("Ctrl+Shift+Z");
		expect(keysOf(press("?", { shiftKey: true }))).toBe("?");
		expect(keysOf(press(" "))).toBe("Space");
		expect(keysOf(press("Delete", { shiftKey: true }))).toBe("Shift+Delete");
	});

	it("are found by any of their keys", () => {
		const redo = { keys: "Ctrl+Shift+Z or Ctrl+Y", label: "Redo", run: () => {} };
		expect(shortcutFor(press("y", { ctrlKey: true }), [redo])).toBe(redo);
		expect(shortcutFor(press("y"), [redo])).toBeNull();
	});

	it("leave text alone, but not sliders", () => {
		const w = { keys: "W", label: "Move", run: () => {} };
		const into = (type: string) =>
			press("w", { target: { tagName: "INPUT", type } as unknown as EventTarget });
		expect(shortcutFor(into("text"), [w])).toBeNull();
		expect(shortcutFor(into("range"), [w])).toBe(w);
	});

	it("leave to a control the keys that it needs", () => {
		const on = (key: string, target: object, more: Partial<KeyboardEvent> = {}) =>
			shortcutFor(press(key, { target: target as EventTarget, ...more }), [
				{ keys: "ArrowUp or Space or Home or A or Ctrl+Z", label: "Any", run: () => {} },
			]) !== null;
		const slider = { tagName: "INPUT", type: "range" };
		expect(on("ArrowUp", slider)).toBe(false);
		expect(on("Home", slider)).toBe(false);
		expect(on("a", slider)).toBe(true);
		const button = { tagName: "BUTTON" };
		expect(on(" ", button)).toBe(false);
		expect(on("ArrowUp", button)).toBe(true);
		expect(on("ArrowUp", { tagName: "INPUT", type: "radio" })).toBe(false);
		const list = { tagName: "SELECT" };
		expect(on("a", list)).toBe(false);
		expect(on("z", list, { ctrlKey: true })).toBe(true);
		expect(on("ArrowUp", { tagName: "BODY" })).toBe(true);
	});
});
