import { describe, expect, it } from "vitest";
import { hashOfSnapshot, type Snapshot, snapshotFromHash } from "./link";

const snapshot: Snapshot = {
	rig: { kind: "upload", id: "abc" },
	fitting: null,
	name: "wal\u00eb.bvh",
	workspace: "walk",
	scenes: {
		walk: {
			terrain: { kind: "stairs", rise: 0.17, tread: 0.29 },
			solver: "x",
			speed: null,
			lift: 1,
			arms: 1,
		},
	},
	edited: {
		limits: {
			3: {
				shape: { kind: "hinge", axis: [1, 0, 0], range: { min: -1, max: 0.123456789 } },
				soft_zone: 0.1,
				outlines: [{ component: "angle", points: [1, 2, 3], closed: false }],
				handles: [],
			},
		},
		behaviours: {
			"left bold": {
				name: "bold",
				side: "left",
				keys: [{ swing: [0.5, 0.25], outer: false, rotations: [0, 0, 0, 1], swivel: 0.5 }],
				triangles: [[0, 1, 2]],
			},
		},
		postures: { shy: { name: "shy", rotations: [0, 0, 0, 1], values: [0.5] }, wave: null },
	},
	camera: { position: [1, 2, 3], target: [0, 1, 0] },
	moment: { pose: { positions: [0, 1, 0.5], rotations: [0, 0, 0, 1] }, time: 0.25 },
	adopted: ["dance"],
	player: null,
};

describe("links", () => {
	it("hold the scene and come back the same, without what the server works out", async () => {
		const back = await snapshotFromHash(await hashOfSnapshot(snapshot));
		expect(back?.scenes).toEqual(snapshot.scenes);
		expect(back?.camera).toEqual(snapshot.camera);
		expect(back?.name).toBe(snapshot.name);
		expect(back?.edited.limits[3]?.outlines).toEqual([]);
		expect(back?.edited.limits[3]?.shape).toMatchObject({ range: { max: 0.12346 } });
		expect(back?.edited.behaviours["left bold"]).toEqual({
			...snapshot.edited.behaviours["left bold"],
			triangles: [],
		});
		expect(back?.edited.postures).toEqual(snapshot.edited.postures);
	});

	it("are made of characters that survive in an address", async () => {
		expect(await hashOfSnapshot(snapshot)).toMatch(/^#v2=[\w-]+$/);
	});

	it("may be absent", async () => {
		expect(await snapshotFromHash("")).toBeNull();
		expect(await snapshotFromHash("#")).toBeNull();
	});

	it("fail in words when cut, foreign or of another version", async () => {
		const hash = await hashOfSnapshot(snapshot);
		await expect(snapshotFromHash(hash.slice(0, -20))).rejects.toThrow(/damaged|cut/);
		await expect(snapshotFromHash("#section-2")).rejects.toThrow(/not one of the studio's/);
		await expect(snapshotFromHash(hash.replace("#v2", "#v9"))).rejects.toThrow(/another version/);
		await expect(snapshotFromHash("#v2=")).rejects.toThrow(/damaged/);
	});
});
