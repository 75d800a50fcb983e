// Limits, behaviours and postures: the server holds them, changes them on request and answers with the whole.

import type { V3 } from "../maths";
import type { BehaviourEdit, LimitDocument, PostureDocument, RigDescription, SideName } from "../wire";
import type { Unnumbered } from "./connection";
import { type Change, record } from "./history";
import type { Edited } from "./link";
import { momentNow } from "./moment";
import { setStudio, studio } from "./store";
import { ask } from "./talk";

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
	const from = momentNow();
	const answer = await ask(question);
	if (answer?.type !== "limit") return false;
	const change: Change = {
		subject: "limit",
		joint,
		label: label ?? "",
		before,
		after: answer.limit,
		from,
		to: null,
	};
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
	const from = momentNow();
	const answer = await ask({ type: "edit_behaviour", side, edit });
	if (answer?.type !== "behaviour") return false;
	if (label !== null && before) {
		const change: Change = {
			subject: "behaviour",
			side,
			label,
			before,
			after: answer.behaviour,
			from,
			to: null,
		};
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
	const change: Change = {
		subject: "posture",
		name: posture.name,
		label: label ?? "",
		before,
		after,
		from: null,
		to: null,
	};
	setStudio((state) => ({
		edited: { ...state.edited, postures: { ...state.edited.postures, [posture.name]: after } },
		history: label === null ? state.history : record(state.history, change, null, Date.now()),
	}));
	return true;
}

/** Keeps a posture as it was, or forgets it. */
export function putPosture(name: string, posture: PostureDocument | null): Promise<boolean> {
	return savePosture(posture ?? { name, rotations: [], values: [] }, posture === null, null);
}

/** Makes the changes of a link to a rig. */
export async function makeEdits(
	rig: RigDescription,
	{ limits, behaviours, postures }: Edited,
): Promise<void> {
	for (const [joint, limit] of Object.entries(limits)) {
		if (Number(joint) < rig.joints.length) await setLimit(Number(joint), limit, null);
	}
	for (const behaviour of Object.values(behaviours)) {
		await editBehaviour(behaviour.side, { kind: "replace", behaviour }, null);
	}
	for (const [name, posture] of Object.entries(postures)) await putPosture(name, posture);
}
