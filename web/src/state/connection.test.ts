import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ServerMessage } from "../wire";
import { Connection, type ConnectionState } from "./connection";

class FakeSocket {
	static made: FakeSocket[] = [];
	readyState = 0;
	sent: Record<string, unknown>[] = [];
	onopen: (() => void) | null = null;
	onclose: (() => void) | null = null;
	onmessage: ((event: { data: unknown }) => void) | null = null;
	constructor() {
		FakeSocket.made.push(this);
	}
	send(text: string) {
		this.sent.push(JSON.parse(text));
	}
	close() {
		this.readyState = 3;
		this.onclose?.();
	}
	opens() {
		this.readyState = 1;
		this.onopen?.();
	}
	says(message: unknown) {
		this.onmessage?.({ data: typeof message === "string" ? message : JSON.stringify(message) });
	}
}

const last = () => FakeSocket.made.at(-1) as FakeSocket;

function connected() {
	const states: ConnectionState[] = [];
	const heard: ServerMessage[] = [];
	const connection = new Connection(
		"ws://here",
		{ onState: (state) => states.push(state), onMessage: (message) => heard.push(message) },
		() => new FakeSocket() as unknown as WebSocket,
	);
	connection.start();
	last().opens();
	return { connection, states, heard };
}

describe("Connection", () => {
	beforeEach(() => {
		FakeSocket.made = [];
		vi.useFakeTimers();
	});
	afterEach(() => {
		vi.useRealTimers();
	});

	it("pairs answers with questions, in whatever order they come", async () => {
		const { connection } = connected();
		const first = connection.ask({ type: "export", what: "pose", format: "bvh", clip: null, body: null });
		const second = connection.ask({ type: "export", what: "rig", format: "rig", clip: null, body: null });
		const [a, b] = last().sent as { request: number }[];
		last().says({ type: "failed", request: b?.request, message: "no" });
		last().says({ type: "exported", request: a?.request, url: "/x", name: "x.bvh", notes: [] });
		await expect(first).resolves.toMatchObject({ type: "exported", name: "x.bvh" });
		await expect(second).rejects.toThrow("no");
	});

	it("tells of failures that answer nothing", () => {
		const { heard } = connected();
		last().says({ type: "failed", request: 0, message: "choose a rig first" });
		expect(heard).toEqual([{ type: "failed", request: 0, message: "choose a rig first" }]);
	});

	it("lives through what it does not understand", () => {
		const { heard, connection } = connected();
		last().says("{ not json");
		last().says({ type: "pong", stamp: 1 });
		expect(heard).toHaveLength(1);
		expect(connection.send({ type: "reset" })).toBe(true);
	});

	it("reconnects with longer and longer pauses, and at once when asked", () => {
		const { connection, states } = connected();
		last().close();
		expect(states.at(-1)).toBe("lost");
		expect(connection.send({ type: "reset" })).toBe(false);
		vi.advanceTimersByTime(260);
		expect(FakeSocket.made).toHaveLength(2);
		last().close();
		vi.advanceTimersByTime(260);
		expect(FakeSocket.made).toHaveLength(2);
		connection.retry();
		expect(FakeSocket.made).toHaveLength(3);
		last().opens();
		expect(states.at(-1)).toBe("open");
	});

	it("fails what was asked when the connection is lost, and asks nothing without one", async () => {
		const { connection } = connected();
		const asked = connection.ask({ type: "load", rig: { kind: "rig", name: "x" }, fitting: null });
		last().close();
		await expect(asked).rejects.toThrow(/lost/);
		await expect(
			connection.ask({ type: "load", rig: { kind: "rig", name: "x" }, fitting: null }),
		).rejects.toThrow(/no connection/);
	});

	it("stops for good", () => {
		const { connection } = connected();
		connection.stop();
		vi.advanceTimersByTime(60_000);
		expect(FakeSocket.made).toHaveLength(1);
	});
});
