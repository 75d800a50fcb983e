// What the page knows. Actions that talk to the server are in `session.ts`.

import { create } from "zustand";
import type {
	BehaviourDocument,
	BodyScene,
	BodyTrack,
	GroundPatch,
	LookScene,
	PoseScene,
	ReachScene,
	RigDescription,
	SideName,
	ThingDescription,
	WalkScene,
	Welcome,
} from "../wire";
import type { ConnectionState } from "./connection";
import { emptyHistory, type History } from "./history";
import { type Edited, nothingEdited } from "./link";
import type { Player } from "./playing";

export interface Scenes {
	pose: PoseScene;
	reach: ReachScene;
	body: BodyScene;
	look: LookScene;
	walk: WalkScene;
}

export type WorkspaceName = keyof Scenes;

export interface Toast {
	id: number;
	kind: "error" | "note" | "done";
	text: string;
}

/** What a file is for, to be chosen by a person. */
export interface Question {
	file: string;
	choices: { words: string; small: string; choose(): void }[];
	hint: string | null;
	dismiss(): void;
}

export interface Studio {
	connection: ConnectionState;
	welcome: Welcome | null;
	rig: RigDescription | null;
	/** What is being fetched or read, in words. */
	loading: string | null;
	workspace: WorkspaceName;
	scenes: Partial<Scenes>;
	history: History;

	/** The joint that was clicked last. */
	selectedJoint: number | null;
	/** The target that was clicked last: a goal, a hand, an obstacle, a marker. */
	selectedTarget: string | null;
	gizmo: "translate" | "rotate";
	/** Whether a target is held right now. */
	held: boolean;

	/** What differs from the rig as it was opened: kept for links and reconnecting. */
	edited: Edited;
	/** The behaviours shown in Reach. */
	behaviours: Partial<Record<SideName, BehaviourDocument>>;
	track: BodyTrack | null;
	ground: GroundPatch | null;

	/** The workspace that was asked for though the rig cannot be used there; others are offered. */
	offer: WorkspaceName | null;
	recording: boolean;
	/** The first screen: a character that plays with the pointer until something is done. */
	greeting: boolean;
	/** Whether the view is being filmed. */
	filming: boolean;
	/** The step of the tour that is shown. */
	tour: number | null;
	/** Uploaded files whose motions were put on the rig. */
	adopted: string[];
	/** The motion in the play bar. */
	player: Player | null;
	/** Files that scenes bring in, by their ids. */
	things: Record<string, ThingDescription>;
	/** A file was dropped that may be for this or for that. */
	question: Question | null;
	/** Whether the parts, the size and the axes of the rig are being said. */
	fittingOpen: boolean;
	/** The mesh of the rig's own file. */
	showMesh: boolean;
	/** The body made for a rig without one. */
	showBody: boolean;
	showBones: boolean;
	theme: "auto" | "dark" | "light";
	panelOpen: boolean;
	helpOpen: boolean;
	toasts: Toast[];
}

export const useStudio = create<Studio>()(() => ({
	connection: "connecting",
	welcome: null,
	rig: null,
	loading: null,
	workspace: "pose",
	scenes: {},
	history: emptyHistory,
	selectedJoint: null,
	selectedTarget: null,
	gizmo: "translate",
	held: false,
	edited: nothingEdited,
	behaviours: {},
	track: null,
	ground: null,
	offer: null,
	recording: false,
	greeting: false,
	filming: false,
	tour: null,
	adopted: [],
	player: null,
	things: {},
	question: null,
	fittingOpen: false,
	showMesh: true,
	showBody: true,
	showBones: false,
	theme: "auto",
	panelOpen: true,
	helpOpen: false,
	toasts: [],
}));

export const studio = useStudio.getState;
export const setStudio = useStudio.setState;

/** The scene of a workspace, for its panel and stage; they are shown only when there is one. */
export function useScene<W extends WorkspaceName>(workspace: W): Scenes[W] {
	return useStudio((state) => state.scenes[workspace]) as Scenes[W];
}

/** The rig, for panels and stages; they are shown only when there is one. */
export function useRig(): RigDescription {
	return useStudio((state) => state.rig) as RigDescription;
}

let lastToast = 0;

/** Says something in the corner. The same words are not said twice at once. */
export function toast(kind: Toast["kind"], text: string): void {
	lastToast += 1;
	const id = lastToast;
	setStudio((state) => ({
		toasts: [...state.toasts.filter((other) => other.text !== text), { id, kind, text }].slice(-4),
	}));
	setTimeout(() => dismissToast(id), kind === "error" ? 12_000 : 5_000);
}

export function dismissToast(id: number): void {
	setStudio((state) => ({ toasts: state.toasts.filter((other) => other.id !== id) }));
}

/** Words of whatever was thrown. */
export function wordsOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
