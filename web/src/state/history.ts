// Undo: what was before and what came after, for scenes and for documents.

export interface Change<T = unknown> {
	/** What it is a change of: `scene:pose`, `limit:12`, `behaviour:left`, … */
	subject: string;
	/** What was done, in words: "Move left hand". */
	label: string;
	before: T;
	after: T;
}

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
	const key = mergeKey === null ? null : `${change.subject} ${mergeKey}`;
	const last = history.done.at(-1);
	const merges = key !== null && key === history.mergeKey && now < history.mergeUntil && last !== undefined;
	const done = merges
		? [...history.done.slice(0, -1), { ...last, after: change.after }]
		: [...history.done, change].slice(-LONGEST);
	return { done, undone: [], mergeKey: key, mergeUntil: held ? Infinity : now + MERGE_MILLISECONDS };
}

/** Takes a step back: the history after it, and the change whose `before` is to be put in place. */
export function stepBack(history: History): [History, Change | null] {
	const change = history.done.at(-1);
	if (!change) return [history, null];
	return [{ ...emptyHistory, done: history.done.slice(0, -1), undone: [...history.undone, change] }, change];
}

/** Takes a step forward again: the history after it, and the change whose `after` is to be put in place. */
export function stepForward(history: History): [History, Change | null] {
	const change = history.undone.at(-1);
	if (!change) return [history, null];
	return [{ ...emptyHistory, done: [...history.done, change], undone: history.undone.slice(0, -1) }, change];
}
