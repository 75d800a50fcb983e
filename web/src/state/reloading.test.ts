import { beforeEach, describe, expect, it, vi } from "vitest";
import { nothingEdited, type Snapshot } from "./link";
import { keepForReload, recallReloaded } from "./reloading";

const held = new Map<string, string>();
const place = { href: "http://127.0.0.1:1/#one" };
vi.stubGlobal("location", place);
vi.stubGlobal("sessionStorage", {
	getItem: (key: string) => held.get(key) ?? null,
	setItem: (key: string, value: string) => {
		if (value.length > 100_000) throw new Error("full");
		held.set(key, value);
	},
	removeItem: (key: string) => held.delete(key),
});

const snapshot: Snapshot = {
	rig: { kind: "upload", id: "7" },
	fitting: null,
	name: "small.bvh",
	workspace: "pose",
	scenes: {},
	edited: nothingEdited,
	camera: null,
	moment: null,
	adopted: [],
	player: null,
};

describe("a page that is reloaded", () => {
	beforeEach(() => {
		held.clear();
		place.href = "http://127.0.0.1:1/#one";
	});

	// A file that was dropped less than a second before the reload was not in the address yet: the page came back
	// with the first rig.
	it("finds the scene that the address did not have yet, once", () => {
		keepForReload(snapshot);
		expect(recallReloaded()).toEqual(snapshot);
		expect(recallReloaded()).toBeNull();
	});

	it("takes another address at its word", () => {
		keepForReload(snapshot);
		place.href = "http://127.0.0.1:1/#two";
		expect(recallReloaded()).toBeNull();
	});

	it("goes by the address when the storage is full or holds something else", () => {
		keepForReload({ ...snapshot, name: "x".repeat(200_000) });
		expect(recallReloaded()).toBeNull();
		held.set("sinew-reloading", JSON.stringify({ address: place.href, snapshot: { rig: 3 } }));
		expect(recallReloaded()).toBeNull();
		held.set("sinew-reloading", "{");
		expect(recallReloaded()).toBeNull();
	});
});
