// The socket: reconnects by itself, and pairs requests with their answers.

import type { ClientMessage, ServerMessage } from "../wire";

export type ConnectionState = "connecting" | "open" | "lost";

type Answer = Extract<ServerMessage, { request: number }>;
type Question = Extract<ClientMessage, { request: number }>;
/** A question without its number, which the connection gives. */
export type Unnumbered<M = Question> = M extends Question ? Omit<M, "request"> : never;

interface Waiting {
	resolve(answer: Answer): void;
	reject(error: Error): void;
}

export interface ConnectionHandlers {
	onState(state: ConnectionState): void;
	/** Every message, answers too. */
	onMessage(message: ServerMessage): void;
}

const FIRST_DELAY = 250;
const LONGEST_DELAY = 4000;

export class Connection {
	private socket: WebSocket | null = null;
	private readonly waiting = new Map<number, Waiting>();
	private lastRequest = 0;
	private delay = FIRST_DELAY;
	private timer: ReturnType<typeof setTimeout> | null = null;
	private closed = false;

	constructor(
		private readonly url: string,
		private readonly handlers: ConnectionHandlers,
		private readonly open: (url: string) => WebSocket = (address) => new WebSocket(address),
	) {}

	start(): void {
		this.handlers.onState("connecting");
		const socket = this.open(this.url);
		this.socket = socket;
		socket.onopen = () => {
			this.delay = FIRST_DELAY;
			this.handlers.onState("open");
		};
		socket.onmessage = (event: MessageEvent<unknown>) => {
			if (typeof event.data === "string") this.receive(event.data);
		};
		socket.onclose = () => {
			if (this.socket === socket) this.lose();
		};
	}

	/** Stops for good. */
	stop(): void {
		this.closed = true;
		if (this.timer !== null) clearTimeout(this.timer);
		this.socket?.close();
		this.lose();
	}

	/** Tries at once rather than after the pause. */
	retry(): void {
		if (this.timer === null || this.closed) return;
		clearTimeout(this.timer);
		this.timer = null;
		this.start();
	}

	/** Sends if there is a connection; says whether it did. */
	send(message: ClientMessage): boolean {
		if (this.socket?.readyState !== 1) return false;
		this.socket.send(JSON.stringify(message));
		return true;
	}

	/** Sends a question; fails with the server's words if it says `failed`. */
	ask(question: Unnumbered): Promise<Answer> {
		this.lastRequest += 1;
		const request = this.lastRequest;
		return new Promise((resolve, reject) => {
			if (!this.send({ ...question, request } as Question)) {
				reject(new Error("There is no connection to the studio."));
				return;
			}
			this.waiting.set(request, { resolve, reject });
		});
	}

	private receive(text: string): void {
		let message: ServerMessage;
		try {
			message = JSON.parse(text) as ServerMessage;
		} catch {
			return;
		}
		if ("request" in message && message.request !== 0) {
			const waiting = this.waiting.get(message.request);
			if (waiting) {
				this.waiting.delete(message.request);
				// The state is brought up to date before whoever asked goes on.
				if (message.type !== "failed") this.handlers.onMessage(message);
				if (message.type === "failed") waiting.reject(new Error(message.message));
				else waiting.resolve(message);
				return;
			}
		}
		this.handlers.onMessage(message);
	}

	private lose(): void {
		this.socket = null;
		for (const waiting of this.waiting.values()) {
			waiting.reject(new Error("The connection to the studio was lost."));
		}
		this.waiting.clear();
		this.handlers.onState("lost");
		if (this.closed) return;
		this.timer = setTimeout(() => {
			this.timer = null;
			this.start();
		}, this.delay);
		this.delay = Math.min(2 * this.delay, LONGEST_DELAY);
	}
}
