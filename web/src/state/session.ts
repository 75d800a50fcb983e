// What the page does: opens rigs, changes scenes, drags.

import type { Q, V3 } from "../maths";
import type {
	BehaviourDocument,
	ClientMessage,
	Fitting,
	LimitDocument,
	MotionDescription,
	RigDescription,
	RigSource,
	ServerMessage,
} from "../wire";
import { camera } from "./camera";
import { makeEdits } from "./documents";
import { frames } from "./frames";
import { type Change, emptyHistory, type History, record } from "./history";
import { latency } from "./latency";
import { behaviourKey, nothingEdited, type Snapshot, snapshotFromHash } from "./link";
import { live } from "./live";
import { type Moment, momentNow, showMoment } from "./moment";
import { leaveMotion, offerMotion, resumeMotion } from "./playing";
import { workspaceOf } from "./registry";
import { recallReloaded } from "./reloading";
import { type Scenes, setStudio, studio, toast, type WorkspaceName, wordsOf } from "./store";
import { connect, nextInput, question, send } from "./talk";
import { forgetTriangles, withFiles } from "./things";
import { Throttle } from "./throttle";
import { recallUpload, upload } from "./uploads";

const PROTOCOL = 1;
const FIRST_RIG: RigSource = { kind: "rig", name: "humanoid" };

/** What to open when the server has said welcome. */
let wanted: Snapshot | null = null;
/** The connection was lost with a rig open, and whether its scenes were changed since. */
let lost = false;
let changedMeanwhile = false;

/** Connects, and opens what the address names. */
export async function begin(): Promise<void> {
	try {
		wanted = recallReloaded() ?? (await snapshotFromHash(location.hash));
	} catch (error) {
		toast("error", wordsOf(error));
	}
	const address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`;
	connect(address, {
		onState: (state) => {
			setStudio({ connection: state });
			if (state === "lost") {
				setStudio({ recording: false, loading: null });
				lost ||= studio().rig !== null;
			}
		},
		onMessage: receive,
	});
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
		case "motions":
			takeMotions(message.motions, message.request === 0);
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
	// What was done while there was no connection is in the page, and goes on from there.
	const back = lost ? currentSnapshot() : null;
	const { history } = studio();
	lost = false;
	const snapshot = back ?? wanted;
	wanted = null;
	if (snapshot && (await openRig(snapshot.rig, snapshot))) {
		if (back) setStudio({ history });
		if (back && changedMeanwhile) sendScene();
		changedMeanwhile = false;
		return;
	}
	changedMeanwhile = false;
	const { open } = studio().welcome ?? {};
	// Somebody who comes without a file or a link is greeted.
	if (await openRig(open ?? FIRST_RIG)) setStudio({ greeting: !open && !snapshot });
}

/** The motions, and a take that has just ended: it is put into the bar to be looked at, cut and named. */
function takeMotions(motions: MotionDescription[], take: boolean): void {
	setStudio((state) => ({ rig: state.rig && { ...state.rig, motions } }));
	if (take && studio().workspace !== "body") offerMotion(motions.length - 1);
}

/** All that a link holds. */
export function currentSnapshot(): Snapshot | null {
	const { rig, workspace, scenes, edited, adopted, player } = studio();
	if (!rig) return null;
	const body = scenes.body && { ...scenes.body, frame: bodyFrame() ?? scenes.body.frame };
	return {
		rig: rig.source,
		fitting: rig.fitting,
		name: rig.name,
		workspace,
		scenes: body ? { ...scenes, body } : scenes,
		edited,
		camera: camera.read(),
		moment: momentNow(),
		adopted,
		player,
	};
}

/** The frame of the motion that Body shows. */
function bodyFrame(): number | null {
	const details = frames.latest?.details;
	return details?.workspace === "body" && studio().scenes.body?.source.kind !== "markers"
		? details.frame
		: null;
}

/** Has the server take a rig; fails with its words. */
export async function loadRig(
	source: RigSource,
	name: string | null,
	fitting: Fitting | null,
): Promise<RigDescription> {
	const load = (rig: RigSource) => question({ type: "load", rig, fitting });
	let answer: ServerMessage;
	try {
		answer = await load(source);
	} catch (error) {
		// The server forgets uploads; this browser may still have the file.
		const file = source.kind === "upload" ? await recallUpload(source.id) : null;
		if (!file) {
			throw source.kind === "upload" && name
				? new Error(`${wordsOf(error)} Drop the file ${name} here to go on with it.`)
				: error;
		}
		const again = await upload(file);
		answer = await load({ kind: "upload", id: again.id });
	}
	if (answer.type !== "loaded") throw new Error("The studio answered something else than a rig.");
	return answer.rig;
}

/** Takes another rig; what a snapshot says is put in place after it. Says whether it could be read. */
export async function openRig(source: RigSource, snapshot?: Snapshot): Promise<boolean> {
	const name = source.kind === "rig" ? source.name : (snapshot?.name ?? "the file");
	setStudio({ loading: `Opening ${name}`, greeting: false, fittingOpen: false });
	try {
		const rig = await loadRig(source, snapshot?.name ?? null, snapshot?.fitting ?? null);
		await takeRig(rig, snapshot);
		return true;
	} catch (error) {
		toast("error", wordsOf(error));
		return false;
	} finally {
		setStudio({ loading: null });
	}
}

/** Shows a rig that the server has taken. `kept` is what stays of the one before, which is the same at another size. */
export async function takeRig(
	opened: RigDescription,
	snapshot?: Snapshot,
	kept?: { history: History; adopted: string[] },
): Promise<void> {
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
	forgetTriangles();
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
		greeting: false,
		adopted: [],
		player: null,
		things: {},
		...kept,
	});
	if (!kept) for (const note of rig.notes.slice(0, 3)) toast("note", note);
	if (snapshot) {
		await makeEdits(rig, snapshot.edited);
		if (!kept) for (const id of snapshot.adopted) await adoptAgain(id);
		for (const name of Object.keys(scenes) as WorkspaceName[]) await bringSceneFiles(name);
	}
	sendScene();
	if (snapshot) {
		showMoment(fitting(snapshot.moment, rig));
		resumeMotion(snapshot.player);
	}
}

/** Has the server read the files that a scene of a link names, or leaves them out of it. */
async function bringSceneFiles(workspace: WorkspaceName): Promise<void> {
	const scene = studio().scenes[workspace];
	if (!scene) return;
	const whole = await withFiles(workspace, scene);
	if (whole !== scene) setStudio(({ scenes }) => ({ scenes: { ...scenes, [workspace]: whole } }));
}

/** A moment of another rig is none of this one. */
function fitting(moment: Moment | null, rig: RigDescription): Moment | null {
	return moment?.pose.positions.length === 3 * rig.joints.length ? moment : null;
}

/** Puts a motion on the rig that a link speaks of; the server may have forgotten its file. */
async function adoptAgain(id: string): Promise<void> {
	try {
		await adopt(id);
	} catch (error) {
		const file = await recallUpload(id);
		if (!file) {
			toast("error", wordsOf(error));
			return;
		}
		await upload(file)
			.then((again) => adopt(again.id))
			.catch((other: unknown) => toast("error", wordsOf(other)));
	}
}

/** Puts the motion of an uploaded file on the open character; gives its place among the motions. */
export async function adopt(id: string): Promise<number> {
	const answer = await question({ type: "adopt", id });
	if (answer.type !== "motions") throw new Error("The studio answered something else than motions.");
	for (const note of answer.notes.slice(0, 3)) toast("note", note);
	setStudio(({ adopted }) => ({ adopted: [...adopted.filter((other) => other !== id), id] }));
	return answer.motions.length - 1;
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

export function showWorkspace(name: WorkspaceName): void {
	const { rig, welcome, workspace } = studio();
	if (name === workspace || !rig || !welcome) return;
	const reason = reasonAgainst(rig, name);
	if (reason !== null) {
		setStudio({ offer: name });
		return;
	}
	// Body plays motions itself.
	if (name === "body") leaveMotion();
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
	return openRig(rig, {
		rig,
		fitting: null,
		name,
		workspace,
		scenes: {},
		edited: nothingEdited,
		camera: null,
		moment: null,
		adopted: [],
		player: null,
	});
}

/** Sends the shown scene whole. */
export function sendScene(): void {
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
	from: Moment | null = momentNow(),
): void {
	const before = studio().scenes[workspace] as Scenes[W] | undefined;
	if (!before) return;
	const after = change(before);
	if (after === before) return;
	// The one cast: that `before` and `after` are scenes of `workspace` is what this function's types say.
	const step = { subject: "scene", workspace, label, before, after, from, to: null } as Change;
	setStudio((state) => ({
		scenes: { ...state.scenes, [workspace]: after },
		history: record(state.history, step, merge, Date.now()),
	}));
	noteChange();
	sendScene();
}

/** What is changed while there is no connection is sent when there is one again. */
function noteChange(): void {
	if (studio().connection === "open") return;
	changedMeanwhile = true;
	toast("note", "There is no connection; the change is kept and made when there is one again.");
}

/** Changes a scene without a step of undo: a motion that plays, a pointer that is followed. */
export function setSceneQuietly<W extends WorkspaceName>(
	workspace: W,
	change: (scene: Scenes[W]) => Scenes[W],
): void {
	const before = studio().scenes[workspace] as Scenes[W] | undefined;
	if (!before) return;
	setStudio((state) => ({ scenes: { ...state.scenes, [workspace]: change(before) } }));
	if (studio().connection !== "open") changedMeanwhile = true;
	sendScene();
}

const drags = new Throttle<{ position: V3; rotation: Q | null; since: number }>((target, moved) => {
	const input = nextInput();
	send({ type: "drag", input, target, position: moved.position, rotation: moved.rotation });
	latency.sent(input, moved.since);
});

/** What was shown before the drag. */
let dragFrom: Moment | null = null;

/** A target is being dragged; `since` is the time of the event, as `performance.now()` gives it. */
export function drag(
	target: string,
	position: V3,
	rotation: Q | null = null,
	since: number = performance.now(),
): void {
	if (live.targets.size === 0) {
		dragFrom = momentNow();
		leaveMotion();
	}
	live.set(target, { position, rotation });
	drags.push(target, { position, rotation, since });
}

/** The drag is over: it becomes part of the scene, as one step of undo. */
export function endDrag(label: string): void {
	drags.flush();
	const { workspace } = studio();
	const moved = live.take();
	if (moved.size === 0) return;
	const move = (scene: Scenes[WorkspaceName]) => {
		let next = scene;
		for (const [target, { position, rotation }] of moved) {
			next = workspaceOf(workspace).move(next, target, position, rotation);
		}
		return next;
	};
	editScene(workspace, label, move, null, dragFrom);
}

/** The walker's controls, each from -1 to 1. */
export function steer(speed: number, turn: number): void {
	send({ type: "steer", input: nextInput(), speed, turn });
}

export function resetNow(): void {
	send({ type: "reset" });
}

function withLimit(rig: RigDescription, joint: number, limit: LimitDocument): RigDescription {
	return {
		...rig,
		joints: rig.joints.map((old, place) => (place === joint ? { ...old, limit } : old)),
	};
}
