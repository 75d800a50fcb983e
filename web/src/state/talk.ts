// What is said to the server, in order and numbered.

import type { ClientMessage, ServerMessage } from "../wire";
import { Connection, type ConnectionHandlers, type Unnumbered } from "./connection";
import { toast, wordsOf } from "./store";

let connection: Connection | null = null;
let lastInput = 0;

export function nextInput(): number {
	lastInput += 1;
	return lastInput;
}

export function connect(address: string, handlers: ConnectionHandlers): void {
	connection = new Connection(address, handlers);
	connection.start();
	window.addEventListener("online", reconnectNow);
}

export function reconnectNow(): void {
	connection?.retry();
}

export function send(message: ClientMessage): void {
	connection?.send(message);
}

/** Asks the server; fails with its words. */
export function question(asked: Unnumbered): Promise<ServerMessage> {
	if (!connection) return Promise.reject(new Error("There is no connection to the studio."));
	return connection.ask(asked);
}

/** Asks the server; on failure says its words in a toast and gives `null`. */
export async function ask(asked: Unnumbered): Promise<ServerMessage | null> {
	try {
		return await question(asked);
	} catch (error) {
		toast("error", wordsOf(error));
		return null;
	}
}
