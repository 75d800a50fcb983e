// A link that reopens the same scene: everything in the address after the `#`,
// as deflated JSON with a version in front, so that nothing is kept by the server.

import type { V3 } from "../maths";
import type { BehaviourDocument, Fitting, LimitDocument, PostureDocument, RigSource } from "../wire";
import type { Moment } from "./moment";
import type { Player } from "./playing";
import type { Scenes, WorkspaceName } from "./store";

export interface CameraPlace {
	position: V3;
	target: V3;
}

export interface Snapshot {
	rig: RigSource;
	/** What was said of its parts, its size and its axes. */
	fitting: Fitting | null;
	/** The rig's name, to speak of it when it is not there any more. */
	name: string;
	workspace: WorkspaceName;
	scenes: Partial<Scenes>;
	edited: Edited;
	camera: CameraPlace | null;
	/** The pose shown. */
	moment: Moment | null;
	/** Uploaded files whose motions were put on the rig. */
	adopted: string[];
	player: Player | null;
}

/** What differs from the rig as it was opened. */
export interface Edited {
	/** By joint. */
	limits: Record<number, LimitDocument>;
	/** By `behaviourKey`. */
	behaviours: Record<string, BehaviourDocument>;
	/** By name; `null` where one was forgotten. */
	postures: Record<string, PostureDocument | null>;
}

export const nothingEdited: Edited = { limits: {}, behaviours: {}, postures: {} };

export function behaviourKey({ name, side }: BehaviourDocument): string {
	return `${side} ${name}`;
}

const VERSION = "2";
const LONGEST = 2_000_000;

async function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream) {
	const piped = new Blob([bytes]).stream().pipeThrough(stream);
	const reader = piped.getReader();
	const parts: Uint8Array<ArrayBuffer>[] = [];
	let length = 0;
	for (;;) {
		const { done, value } = await reader.read();
		if (done) break;
		length += value.length;
		if (length > LONGEST) throw new Error("The link is too long.");
		parts.push(value);
	}
	return new Uint8Array(await new Blob(parts).arrayBuffer());
}

function toBase64Url(bytes: Uint8Array): string {
	let text = "";
	for (const byte of bytes) text += String.fromCharCode(byte);
	return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
	const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
	return Uint8Array.from(plain, (character) => character.charCodeAt(0));
}

/** Five decimals: a hundredth of a millimetre. */
function rounded(_key: string, value: unknown): unknown {
	return typeof value === "number" && !Number.isInteger(value) ? Math.round(value * 1e5) / 1e5 : value;
}

function mapped<T>(of: Record<string, T>, change: (value: T) => T): Record<string, T> {
	return Object.fromEntries(Object.entries(of).map(([key, value]) => [key, change(value)]));
}

/** Without what the server works out anew. */
function bare({ limits, behaviours, postures }: Edited): Edited {
	return {
		limits: mapped(limits, ({ shape, soft_zone }) => ({ shape, soft_zone, outlines: [], handles: [] })),
		behaviours: mapped(behaviours, (behaviour) => ({ ...behaviour, triangles: [] })),
		postures,
	};
}

export async function hashOfSnapshot(snapshot: Snapshot): Promise<string> {
	const text = JSON.stringify({ ...snapshot, edited: bare(snapshot.edited) }, rounded);
	const bytes = new TextEncoder().encode(text);
	return `#v${VERSION}=${toBase64Url(await through(bytes, new CompressionStream("deflate-raw")))}`;
}

/** What a hash holds; `null` if it holds nothing. Fails in words if it cannot be read. */
export async function snapshotFromHash(hash: string): Promise<Snapshot | null> {
	if (hash === "" || hash === "#") return null;
	const parts = /^#v(\d+)=([\w-]*)$/.exec(hash);
	if (!parts) throw new Error("The link in the address is not one of the studio's.");
	if (parts[1] !== VERSION) throw new Error("The link was made by another version of the studio.");
	let found: unknown;
	try {
		const bytes = await through(fromBase64Url(parts[2] ?? ""), new DecompressionStream("deflate-raw"));
		found = JSON.parse(new TextDecoder().decode(bytes));
	} catch {
		throw new Error("The link in the address is damaged, or was cut short.");
	}
	return readSnapshot(found as Partial<Snapshot> | null);
}

/** A whole snapshot from what JSON held. */
export function readSnapshot(snapshot: Partial<Snapshot> | null | undefined): Snapshot {
	const kind = snapshot?.rig?.kind;
	if (!snapshot?.rig || !snapshot.workspace || (kind !== "rig" && kind !== "upload")) {
		throw new Error("The link in the address is damaged.");
	}
	return {
		rig: snapshot.rig,
		fitting: snapshot.fitting ?? null,
		name: snapshot.name ?? "the rig",
		workspace: snapshot.workspace,
		scenes: snapshot.scenes ?? {},
		edited: { ...nothingEdited, ...snapshot.edited },
		camera: snapshot.camera ?? null,
		moment: snapshot.moment ?? null,
		adopted: snapshot.adopted ?? [],
		player: snapshot.player ?? null,
	};
}
