import { describe, expect, it, vi } from "vitest";
import type { BehaviourDocument, LimitDocument, PoseScene, RigDescription, ServerMessage } from "../wire";
import { hashOfSnapshot, nothingEdited, type Snapshot } from "./link";

// The page's surroundings, as little as the session needs of them.
class FakeSocket {
	static now: FakeSocket;
	readyState = 1;
	sent: { type: string; request?: number; [key: string]: unknown }[] = [];
	onopen: (() => void) | null = null;
	onclose: (() => void) | null = null;
	onmessage: ((event: { data: string }) => void) | null = null;
	constructor() {
		FakeSocket.now = this;
	}
	send(text: string) {
		this.sent.push(JSON.parse(text));
	}
	close() {
		this.onclose?.();
	}
	says(message: unknown) {
		this.onmessage?.({ data: JSON.stringify(message) });
	}
	last(type: string) {
		return this.sent.filter((message) => message.type === type).at(-1);
	}
	count(type: string) {
		return this.sent.filter((message) => message.type === type).length;
	}
}

vi.stubGlobal("location", { hash: "", protocol: "http:", host: "127.0.0.1:1" });
vi.stubGlobal("window", { addEventListener: () => {} });
vi.stubGlobal("WebSocket", FakeSocket);

const hinge = (max: number): LimitDocument => ({
	shape: { kind: "hinge", axis: [1, 0, 0], range: { min: 0, max } },
	soft_zone: 0,
	outlines: [],
	handles: [],
});
const rig = {
	name: "humanoid",
	source: { kind: "rig", name: "humanoid" },
	joints: [{ name: "knee", limit: hinge(1) }],
	goals: [
		{ id: "g", joint: 0, position: [0, 0, 0], rotation: [0, 0, 0, 1], kind: "position", enabled: true },
	],
	behaviours: ["plain"],
	postures: [],
	motions: [],
	workspaces: { reach: null, body: "no body", look: null, walk: null },
	notes: [],
} as unknown as RigDescription;
const welcome: ServerMessage = {
	type: "welcome",
	welcome: {
		protocol: 1,
		version: "0",
		rigs: [],
		solvers: [{ name: "robust", summary: "", options: [] }],
		methods: [],
		leg_solvers: [],
		open: null,
		largest_upload: 10,
	},
};

const link: Snapshot = {
	rig: { kind: "rig", name: "humanoid" },
	fitting: null,
	name: "humanoid",
	workspace: "pose",
	scenes: {},
	edited: nothingEdited,
	camera: null,
	moment: null,
	adopted: [],
	player: null,
};

const tick = () => new Promise((resolve) => setTimeout(resolve, 0));

/** The page, opened at a link if there is one; the server has said welcome. */
async function arrive(link?: Snapshot) {
	location.hash = link ? await hashOfSnapshot(link) : "";
	vi.resetModules();
	const { registerWorkspaces } = await import("./registry");
	const { poseScene } = await import("../workspaces/pose/scene");
	registerWorkspaces([{ name: "pose", ...poseScene } as never]);
	const session = {
		...(await import("./session")),
		...(await import("./documents")),
		...(await import("./undo")),
		...(await import("./talk")),
	};
	const { studio } = await import("./store");
	await session.begin();
	await greet();
	return { session, studio };
}

async function openPage() {
	const page = await arrive();
	await answerLoad();
	return page;
}

async function greet() {
	FakeSocket.now.onopen?.();
	FakeSocket.now.says(welcome);
	await tick();
}

async function answerLoad() {
	FakeSocket.now.says({ type: "loaded", request: FakeSocket.now.last("load")?.request, rig });
	await tick();
}

const goalPlace = (scene: PoseScene | undefined) => scene?.goals[0]?.position;

describe("the session", () => {
	it("opens a rig and sends its scene", async () => {
		const { studio } = await openPage();
		expect(studio().rig?.name).toBe("humanoid");
		expect(studio().loading).toBeNull();
		expect(FakeSocket.now.last("pose")?.scene).toEqual(studio().scenes.pose);
	});

	it("makes one step of undo of a whole drag, and sends the old scene back", async () => {
		const { session, studio } = await openPage();
		for (const x of [1, 2, 3]) session.drag("g", [x, 0, 0], null, 0);
		expect(goalPlace(studio().scenes.pose)).toEqual([0, 0, 0]);
		session.endDrag("Move");
		expect(goalPlace(studio().scenes.pose)).toEqual([3, 0, 0]);
		expect(FakeSocket.now.last("drag")).toMatchObject({ target: "g", position: [3, 0, 0] });
		session.undo();
		expect(goalPlace(FakeSocket.now.last("pose")?.scene as PoseScene)).toEqual([0, 0, 0]);
		session.redo();
		expect(goalPlace(FakeSocket.now.last("pose")?.scene as PoseScene)).toEqual([3, 0, 0]);
	});

	it("numbers its inputs rising", async () => {
		const { session } = await openPage();
		session.drag("g", [1, 0, 0], null, 0);
		session.endDrag("Move");
		const inputs = FakeSocket.now.sent.flatMap((message) =>
			typeof message.input === "number" ? [message.input] : [],
		);
		expect(inputs).toEqual([...inputs].sort((a, b) => a - b));
		expect(new Set(inputs).size).toBe(inputs.length);
	});

	it("undoes a limit by sending the old one back", async () => {
		const { session, studio } = await openPage();
		const changed = session.setLimit(0, hinge(2), "Change limit");
		FakeSocket.now.says({
			type: "limit",
			request: FakeSocket.now.last("set_limit")?.request,
			joint: 0,
			limit: hinge(2),
		});
		await changed;
		expect(studio().rig?.joints[0]?.limit).toEqual(hinge(2));
		session.undo();
		expect(FakeSocket.now.last("set_limit")?.limit).toEqual(hinge(1));
		FakeSocket.now.says({
			type: "limit",
			request: FakeSocket.now.last("set_limit")?.request,
			joint: 0,
			limit: hinge(1),
		});
		await tick();
		expect(studio().rig?.joints[0]?.limit).toEqual(hinge(1));
		expect(studio().history.undone).toHaveLength(1);
	});

	it("keeps nothing of a limit that the server refuses, and says why", async () => {
		const { session, studio } = await openPage();
		const changed = session.setLimit(0, hinge(99), "Change limit");
		FakeSocket.now.says({
			type: "failed",
			request: FakeSocket.now.last("set_limit")?.request,
			message: "too wide",
		});
		expect(await changed).toBe(false);
		expect(studio().rig?.joints[0]?.limit).toEqual(hinge(1));
		expect(studio().history.done).toEqual([]);
		expect(studio().toasts.map((toast) => toast.text)).toContain("too wide");
	});

	it("comes back to the same scene and limits after the connection was lost", async () => {
		const { session, studio } = await openPage();
		session.drag("g", [5, 0, 0], null, 0);
		session.endDrag("Move");
		const changed = session.setLimit(0, hinge(2), "Change limit");
		FakeSocket.now.says({
			type: "limit",
			request: FakeSocket.now.last("set_limit")?.request,
			joint: 0,
			limit: hinge(2),
		});
		await changed;
		const old = FakeSocket.now;
		old.close();
		expect(studio().connection).toBe("lost");
		session.reconnectNow();
		expect(FakeSocket.now).not.toBe(old);
		await greet();
		await answerLoad();
		expect(FakeSocket.now.last("set_limit")).toMatchObject({ joint: 0, limit: hinge(2) });
		FakeSocket.now.says({
			type: "limit",
			request: FakeSocket.now.last("set_limit")?.request,
			joint: 0,
			limit: hinge(2),
		});
		await tick();
		expect(goalPlace(FakeSocket.now.last("pose")?.scene as PoseScene)).toEqual([5, 0, 0]);
	});

	it("makes the changes that a link holds before its scene is shown", async () => {
		const behaviour: BehaviourDocument = { name: "bold", side: "left", keys: [], triangles: [] };
		const posture = { name: "shy", rotations: [], values: [1] };
		const { studio } = await arrive({
			...link,
			edited: {
				limits: { 0: hinge(2) },
				behaviours: { "left bold": behaviour },
				postures: { shy: posture },
			},
		});
		await answerLoad();
		const answer = async (question: string, message: object) => {
			expect(FakeSocket.now.count("pose")).toBe(0);
			FakeSocket.now.says({ ...message, request: FakeSocket.now.last(question)?.request } as never);
			await tick();
		};
		expect(FakeSocket.now.last("set_limit")).toMatchObject({ joint: 0, limit: { shape: hinge(2).shape } });
		await answer("set_limit", { type: "limit", joint: 0, limit: hinge(2) });
		expect(FakeSocket.now.last("edit_behaviour")?.edit).toEqual({ kind: "replace", behaviour });
		await answer("edit_behaviour", { type: "behaviour", behaviour });
		expect(FakeSocket.now.last("save_posture")).toMatchObject({ posture, remove: false });
		await answer("save_posture", { type: "postures", postures: [posture] });
		expect(FakeSocket.now.count("pose")).toBe(1);
		expect(studio().rig?.behaviours).toEqual(["plain", "bold"]);
		// And the next link holds them as well.
		expect(studio().edited).toEqual({
			limits: { 0: hinge(2) },
			behaviours: { "left bold": behaviour },
			postures: { shy: posture },
		});
	});

	it("opens what a link names, and falls back in words when it cannot", async () => {
		const { studio } = await arrive({ ...link, rig: { kind: "upload", id: "gone" }, name: "walk.bvh" });
		expect(FakeSocket.now.last("load")?.rig).toEqual({ kind: "upload", id: "gone" });
		FakeSocket.now.says({
			type: "failed",
			request: FakeSocket.now.last("load")?.request,
			message: "The file is no longer kept.",
		});
		await tick();
		await tick();
		expect(studio().toasts[0]?.text).toContain("walk.bvh");
		expect(FakeSocket.now.last("load")?.rig).toEqual({ kind: "rig", name: "humanoid" });
		expect(FakeSocket.now.count("load")).toBe(2);
	});
});
