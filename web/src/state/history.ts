// Undo: what was before and what came after, for scenes and for documents, with the pose that was shown.

import type { BehaviourDocument, LimitDocument, PostureDocument, SideName } from "../wire";
import type { Fitted } from "./fitting";
import type { Moment } from "./moment";
import type { Scenes, WorkspaceName } from "./store";

interface Step {
	/** What was done, in words: "Move left hand". */
	label: string;
	/** What was shown before it. */
	from: Moment | null;
	/** What was shown when it was undone. */
	to: Moment | null;
}

interface Of<T> {
	before: T;
	after: T;
}

type SceneChange = {
	[W in WorkspaceName]: { subject: "scene"; workspace: W } & Of<Scenes[W]>;
}[WorkspaceName];

export type Change = Step &
	(
		| SceneChange
		| ({ subject: "limit"; joint: number } & Of<LimitDocument>)
		| ({ subject: "behaviour"; side: SideName } & Of<BehaviourDocument>)
		| ({ subject: "posture"; name: string } & Of<PostureDocument | null>)
		| ({ subject: "fitting" } & Of<Fitted>)
		| { subject: "pose" }
	);

export interface History {
	done: Change[];
	undone: Change[];
	/** Two changes with the same key, close in time, are one. */
	mergeKey: string | null;
	mergeUntil: number;
}

const LONGEST = 200;
const MERGE_MILLISECONDS = 900;

export const emptyHistory: History = { done: [], undone: [], mergeKey: null, mergeUntil: 0 };

/** The thing that a change is one of. */
function subjectOf(change: Change): string {
	switch (change.subject) {
		case "scene":
			return change.workspace;
		case "limit":
			return `limit ${change.joint}`;
		case "behaviour":
			return `behaviour ${change.side}`;
		case "posture":
			return `posture ${change.name}`;
		case "fitting":
		case "pose":
			return change.subject;
	}
}

/** Two changes of the same thing as one: from before the first to after the second. */
function merged(first: Change, second: Change): Change {
	return "before" in first
		? ({ ...second, label: first.label, before: first.before, from: first.from } as Change)
		: second;
}

/**
 * Keeps a change. What had been undone is gone then. A change that is `held`
 * merges with its like however long it takes: a drag, until it is let go.
 */
export function record(
	history: History,
	change: Change,
	mergeKey: string | null,
	now: number,
	held = false,
): History {
	const key = mergeKey === null ? null : `${subjectOf(change)} ${mergeKey}`;
	const last = history.done.at(-1);
	const merges = key !== null && key === history.mergeKey && now < history.mergeUntil && last !== undefined;
	const done = merges
		? [...history.done.slice(0, -1), merged(last, change)]
		: [...history.done, change].slice(-LONGEST);
	return { done, undone: [], mergeKey: key, mergeUntil: held ? Infinity : now + MERGE_MILLISECONDS };
}

/**
 * Takes a step back: the history after it, and the change whose `before` is to be put in place. What is shown
 * now is what a step forward brings back.
 */
export function stepBack(history: History, shown: Moment | null): [History, Change | null] {
	const change = history.done.at(-1);
	if (!change) return [history, null];
	const undone = [...history.undone, { ...change, to: shown }];
	return [{ ...emptyHistory, done: history.done.slice(0, -1), undone }, change];
}

/** Takes a step forward again: the history after it, and the change whose `after` is to be put in place. */
export function stepForward(history: History): [History, Change | null] {
	const change = history.undone.at(-1);
	if (!change) return [history, null];
	return [{ ...emptyHistory, done: [...history.done, change], undone: history.undone.slice(0, -1) }, change];
}
