// What the page does: opens rigs, changes scenes and documents, drags, undoes.

import type { Q, V3 } from "../maths";
import type {
	BehaviourDocument,
	BehaviourEdit,
	ClientMessage,
	ExportFormat,
	ExportWhat,
	LimitDocument,
	PostureDocument,
	RigDescription,
	RigSource,
	ServerMessage,
	SideName,
} from "../wire";
import { camera } from "./camera";
import { Connection, type Unnumbered } from "./connection";
import { frames } from "./frames";
import { type Change, emptyHistory, record, stepBack, stepForward } from "./history";
import { latency } from "./latency";
import { behaviourKey, type Edited, nothingEdited, type Snapshot, snapshotFromHash } from "./link";
import { live } from "./live";
import { workspaceOf } from "./registry";
import { type Scenes, setStudio, studio, toast, type WorkspaceName, wordsOf } from "./store";
import { Throttle } from "./throttle";
import { recallUpload, upload } from "./uploads";

const PROTOCOL = 1;
const FIRST_RIG: RigSource = { kind: "rig", name: "humanoid" };

let connection: Connection | null = null;
let lastInput = 0;
/** What to open when the server has said welcome. */
let wanted: Snapshot | null = null;

function nextInput(): number {
	lastInput += 1;
	return lastInput;
}

export function send(message: ClientMessage): void {
	connection?.send(message);
}

/** Asks the server; on failure says its words in a toast and gives `null`. */
export async function ask(question: Unnumbered): Promise<ServerMessage | null> {
	try {
		if (!connection) throw new Error("There is no connection to the studio.");
		return await connection.ask(question);
	} catch (error) {
		toast("error", wordsOf(error));
		return null;
	}
}

/** Connects, and opens what the address names. */
export async function begin(): Promise<void> {
	try {
		wanted = await snapshotFromHash(location.hash);
	} catch (error) {
		toast("error", wordsOf(error));
	}
	const address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`;
	connection = new Connection(address, {
		onState: (state) => {
			setStudio({ connection: state });
			if (state === "lost") {
				setStudio({ recording: false, loading: null });
				wanted ??= currentSnapshot();
			}
		},
		onMessage: receive,
	});
	connection.start();
	window.addEventListener("online", () => connection?.retry());
}

export function reconnectNow(): void {
	connection?.retry();
}

function receive(message: ServerMessage): void {
	switch (message.type) {
		case "frame":
			frames.push(message.frame);
			break;
		case "welcome":
			if (message.welcome.protocol !== PROTOCOL) {
				toast("error", "This page belongs to another version of the studio. Reload it.");
				return;
			}
			setStudio({ welcome: message.welcome });
			void openFirst();
			break;
		case "limit":
			setStudio((state) => ({ rig: state.rig && withLimit(state.rig, message.joint, message.limit) }));
			break;
		case "behaviour":
			takeBehaviour(message.behaviour, message.request !== 0);
			break;
		case "postures":
			setStudio((state) => ({ rig: state.rig && { ...state.rig, postures: message.postures } }));
			break;
		case "track":
			setStudio({ track: message.track });
			break;
		case "ground":
			setStudio({ ground: message.ground });
			break;
		case "failed":
			toast("error", message.message);
			break;
		default:
			break;
	}
}

async function openFirst(): Promise<void> {
	const snapshot = wanted;
	wanted = null;
	if (snapshot && (await openRig(snapshot.rig, snapshot))) return;
	await openRig(studio().welcome?.open ?? FIRST_RIG);
}

/** All that a link holds. */
export function currentSnapshot(): Snapshot | null {
	const { rig, workspace, scenes, edited } = studio();
	if (!rig) return null;
	return { rig: rig.source, name: rig.name, workspace, scenes, edited, camera: camera.read() };
}

/** Takes another rig; what a snapshot says is put in place after it. Says whether it could be read. */
export async function openRig(source: RigSource, snapshot?: Snapshot): Promise<boolean> {
	const name = source.kind === "rig" ? source.name : (snapshot?.name ?? "the file");
	setStudio({ loading: `Opening ${name}` });
	try {
		if (!connection) throw new Error("There is no connection to the studio.");
		let answer: ServerMessage;
		try {
			answer = await connection.ask({ type: "load", rig: source });
		} catch (error) {
			// The server forgets uploads; this browser may still have the file.
			const file = source.kind === "upload" ? await recallUpload(source.id) : null;
			if (!file) {
				throw source.kind === "upload" && snapshot
					? new Error(`${wordsOf(error)} Drop the file ${snapshot.name} here to go on with it.`)
					: error;
			}
			const again = await upload(file);
			answer = await connection.ask({ type: "load", rig: { kind: "upload", id: again.id } });
		}
		if (answer.type !== "loaded") throw new Error("The studio answered something else than a rig.");
		await takeRig(answer.rig, snapshot);
		return true;
	} catch (error) {
		toast("error", wordsOf(error));
		return false;
	} finally {
		setStudio({ loading: null });
	}
}

async function takeRig(opened: RigDescription, snapshot?: Snapshot): Promise<void> {
	const { welcome, workspace: shown } = studio();
	if (!welcome) return;
	// Behaviours that the link brings with it are there for its scenes.
	const brought = Object.values(snapshot?.edited.behaviours ?? {}).map(({ name }) => name);
	const rig = { ...opened, behaviours: [...new Set([...opened.behaviours, ...brought])] };
	const scenes: Partial<Scenes> = {};
	for (const [name, scene] of Object.entries(snapshot?.scenes ?? {}) as [WorkspaceName, never][]) {
		if (reasonAgainst(rig, name) !== null) continue;
		scenes[name] = (workspaceOf(name).fit?.(scene, rig, welcome) ?? scene) as never;
	}
	const asked = snapshot?.workspace ?? shown;
	const workspace = reasonAgainst(rig, asked) === null ? asked : "pose";
	scenes[workspace] ??= workspaceOf(workspace).initial(rig, welcome) as never;
	frames.clear();
	live.take();
	camera.next = snapshot?.camera ?? null;
	setStudio({
		rig,
		scenes,
		workspace,
		history: emptyHistory,
		selectedJoint: null,
		selectedTarget: null,
		edited: nothingEdited,
		behaviours: {},
		track: null,
		ground: null,
		recording: false,
	});
	for (const note of rig.notes.slice(0, 3)) toast("note", note);
	if (snapshot) await edit(rig, snapshot.edited);
	sendScene();
}

/** Makes the changes of a link to a rig. */
async function edit(rig: RigDescription, { limits, behaviours, postures }: Edited): Promise<void> {
	for (const [joint, limit] of Object.entries(limits)) {
		if (Number(joint) < rig.joints.length) await setLimit(Number(joint), limit, null);
	}
	for (const behaviour of Object.values(behaviours)) {
		await editBehaviour(behaviour.side, { kind: "replace", behaviour }, null);
	}
	for (const [name, posture] of Object.entries(postures)) await putPosture(name, posture);
}

/** A behaviour that was chosen, or that was changed. */
function takeBehaviour(behaviour: BehaviourDocument, changed: boolean): void {
	const { name, side } = behaviour;
	setStudio(({ rig, behaviours, edited, scenes }) => ({
		// A change may be undone while another one is shown.
		behaviours:
			changed && scenes.reach && scenes.reach.behaviour !== name
				? behaviours
				: { ...behaviours, [side]: behaviour },
		rig: rig && !rig.behaviours.includes(name) ? { ...rig, behaviours: [...rig.behaviours, name] } : rig,
		edited: changed
			? { ...edited, behaviours: { ...edited.behaviours, [behaviourKey(behaviour)]: behaviour } }
			: edited,
	}));
}

/** Why the rig cannot be used in a workspace; `null` if it can. */
export function reasonAgainst(rig: RigDescription, workspace: WorkspaceName): string | null {
	return workspace === "pose" ? null : rig.workspaces[workspace];
}

/** A file that was dropped or chosen. */
export async function openFile(file: File): Promise<void> {
	const largest = studio().welcome?.largest_upload ?? Infinity;
	if (file.size > largest) {
		toast("error", `${file.name} is larger than the ${Math.floor(largest / 1048576)} MB that can be read.`);
		return;
	}
	setStudio({ loading: `Sending ${file.name}` });
	try {
		const uploaded = await upload(file);
		await openRig({ kind: "upload", id: uploaded.id });
	} catch (error) {
		toast("error", wordsOf(error));
	} finally {
		setStudio({ loading: null });
	}
}

export function showWorkspace(name: WorkspaceName): void {
	const { rig, welcome, workspace } = studio();
	if (name === workspace || !rig || !welcome) return;
	const reason = reasonAgainst(rig, name);
	if (reason !== null) {
		setStudio({ offer: name });
		return;
	}
	setStudio((state) => ({
		workspace: name,
		selectedTarget: null,
		scenes: { ...state.scenes, [name]: state.scenes[name] ?? workspaceOf(name).initial(rig, welcome) },
	}));
	sendScene();
}

/** Opens a rig that is built in, for a workspace. */
export function openRigFor(workspace: WorkspaceName, name: string): Promise<boolean> {
	const rig: RigSource = { kind: "rig", name };
	return openRig(rig, { rig, name, workspace, scenes: {}, edited: nothingEdited, camera: null });
}

/** Sends the shown scene whole. */
function sendScene(): void {
	const { workspace, scenes } = studio();
	const scene = scenes[workspace];
	if (scene) send({ type: workspace, input: nextInput(), scene } as ClientMessage);
}

/** Changes a scene. Changes with the same `merge` soon after one another are one step of undo. */
export function editScene<W extends WorkspaceName>(
	workspace: W,
	label: string,
	change: (scene: Scenes[W]) => Scenes[W],
	merge: string | null = null,
): void {
	const before = studio().scenes[workspace] as Scenes[W] | undefined;
	if (!before) return;
	const after = change(before);
	if (after === before) return;
	setStudio((state) => ({
		scenes: { ...state.scenes, [workspace]: after },
		history: record(
			state.history,
			{ subject: `scene:${workspace}`, label, before, after },
			merge,
			Date.now(),
		),
	}));
	sendScene();
}

/** Changes a scene without a step of undo: a motion that plays, a pointer that is followed. */
export function setSceneQuietly<W extends WorkspaceName>(
	workspace: W,
	change: (scene: Scenes[W]) => Scenes[W],
): void {
	const before = studio().scenes[workspace] as Scenes[W] | undefined;
	if (!before) return;
	setStudio((state) => ({ scenes: { ...state.scenes, [workspace]: change(before) } }));
	sendScene();
}

const drags = new Throttle<{ position: V3; rotation: Q | null; since: number }>((target, moved) => {
	const input = nextInput();
	send({ type: "drag", input, target, position: moved.position, rotation: moved.rotation });
	latency.sent(input, moved.since);
});

/** A target is being dragged; `since` is the time of the event, as `performance.now()` gives it. */
export function drag(
	target: string,
	position: V3,
	rotation: Q | null = null,
	since: number = performance.now(),
): void {
	live.set(target, { position, rotation });
	drags.push(target, { position, rotation, since });
}

/** The drag is over: it becomes part of the scene, as one step of undo. */
export function endDrag(label: string): void {
	drags.flush();
	const { workspace } = studio();
	const moved = live.take();
	if (moved.size === 0) return;
	editScene(workspace, label, (scene) => {
		let next: Scenes[WorkspaceName] = scene;
		for (const [target, { position, rotation }] of moved) {
			next = workspaceOf(workspace).move(next, target, position, rotation);
		}
		return next;
	});
}

/** The walker's controls, each from -1 to 1. */
export function steer(speed: number, turn: number): void {
	send({ type: "steer", input: nextInput(), speed, turn });
}

export function resetPose(): void {
	send({ type: "reset" });
}

function withLimit(rig: RigDescription, joint: number, limit: LimitDocument): RigDescription {
	return {
		...rig,
		joints: rig.joints.map((old, place) => (place === joint ? { ...old, limit } : old)),
	};
}

const NO_LIMIT: LimitDocument = { shape: { kind: "none" }, soft_zone: 0, outlines: [], handles: [] };

/** Does something that the server answers with a limit; a label makes it a step of undo. */
async function changeLimit(
	joint: number,
	label: string | null,
	merge: string | null,
	question: Unnumbered,
	held = false,
): Promise<boolean> {
	const before = studio().rig?.joints[joint]?.limit ?? NO_LIMIT;
	const answer = await ask(question);
	if (answer?.type !== "limit") return false;
	const change: Change = { subject: `limit:${joint}`, label: label ?? "", before, after: answer.limit };
	setStudio((state) => ({
		edited: { ...state.edited, limits: { ...state.edited.limits, [joint]: answer.limit } },
		history: label === null ? state.history : record(state.history, change, merge, Date.now(), held),
	}));
	return true;
}

export function setLimit(
	joint: number,
	limit: LimitDocument,
	label: string | null,
	merge: string | null = null,
): Promise<boolean> {
	return changeLimit(joint, label, merge, { type: "set_limit", joint, limit });
}

/** All that one `drag`, by its number, does to a limit is one step of undo. */
export function dragLimitHandle(joint: number, handle: number, to: V3, drag: number): Promise<boolean> {
	const question: Unnumbered = { type: "drag_handle", joint, handle, to };
	return changeLimit(joint, "Drag limit", `drag ${drag}`, question, true);
}

export function addToLimit(joint: number, at: V3): Promise<boolean> {
	return changeLimit(joint, "Add to limit", null, { type: "edit_shape", joint, add: at, remove: null });
}

export function removeFromLimit(joint: number, handle: number): Promise<boolean> {
	return changeLimit(joint, "Remove from limit", null, {
		type: "edit_shape",
		joint,
		add: null,
		remove: handle,
	});
}

/** Changes the behaviour shown in Reach; a label makes it a step of undo. */
export async function editBehaviour(
	side: SideName,
	edit: BehaviourEdit,
	label: string | null,
	merge: string | null = null,
): Promise<boolean> {
	const before = studio().behaviours[side];
	const answer = await ask({ type: "edit_behaviour", side, edit });
	if (answer?.type !== "behaviour") return false;
	if (label !== null && before) {
		const change: Change = { subject: `behaviour:${side}`, label, before, after: answer.behaviour };
		setStudio((state) => ({ history: record(state.history, change, merge, Date.now()) }));
	}
	return true;
}

/**
 * Keeps a posture under its name, or forgets it; without rotations, the pose shown. A label makes it a step
 * of undo.
 */
export async function savePosture(
	posture: PostureDocument,
	remove: boolean,
	label: string | null,
): Promise<boolean> {
	const find = () => studio().rig?.postures.find((kept) => kept.name === posture.name) ?? null;
	const before = find();
	if ((await ask({ type: "save_posture", posture, remove })) === null) return false;
	const after = find();
	const change: Change = { subject: `posture:${posture.name}`, label: label ?? "", before, after };
	setStudio((state) => ({
		edited: { ...state.edited, postures: { ...state.edited.postures, [posture.name]: after } },
		history: label === null ? state.history : record(state.history, change, null, Date.now()),
	}));
	return true;
}

/** Keeps a posture as it was, or forgets it. */
function putPosture(name: string, posture: PostureDocument | null): Promise<boolean> {
	return savePosture(posture ?? { name, rotations: [], values: [] }, posture === null, null);
}

function putInPlace(change: Change, value: unknown): void {
	const [subject, which] = change.subject.split(":") as [string, string];
	if (subject === "scene") {
		const workspace = which as WorkspaceName;
		setStudio((state) => ({ scenes: { ...state.scenes, [workspace]: value }, workspace }));
		sendScene();
	} else if (subject === "limit") {
		void setLimit(Number(which), value as LimitDocument, null);
	} else if (subject === "behaviour") {
		const behaviour = value as BehaviourDocument;
		void editBehaviour(which as SideName, { kind: "replace", behaviour }, null);
	} else if (subject === "posture") {
		void putPosture(change.subject.slice("posture:".length), value as PostureDocument | null);
	}
}

export function undo(): void {
	const [history, change] = stepBack(studio().history);
	if (!change) return;
	setStudio({ history });
	putInPlace(change, change.before);
}

export function redo(): void {
	const [history, change] = stepForward(studio().history);
	if (!change) return;
	setStudio({ history });
	putInPlace(change, change.after);
}

export function setRecording(on: boolean): void {
	send({ type: "record", on });
	setStudio({ recording: on });
}

/** Has a file made, and downloads it. */
export async function exportFile(what: ExportWhat, format: ExportFormat): Promise<void> {
	const answer = await ask({ type: "export", what, format });
	if (answer?.type !== "exported") return;
	const anchor = document.createElement("a");
	anchor.href = answer.url;
	anchor.download = answer.name;
	anchor.click();
	toast("done", `Saved ${answer.name}.`);
	for (const note of answer.notes) toast("note", note);
}
