// Changing the behaviour that is shown: its keys and their postures.

import type { Q, V3 } from "../../maths";
import { editBehaviour } from "../../state/documents";
import { Latest } from "../../state/latest";
import { editScene, setSceneQuietly } from "../../state/session";
import { setStudio, studio } from "../../state/store";
import type { BehaviourEdit } from "../../wire";
import type { Swing } from "./swingPlane";

interface Edit {
	edit: BehaviourEdit;
	label: string;
	merge: string | null;
}

const side = () => studio().scenes.reach?.side ?? "right";

// While something is dragged the server is asked once at a time; the newest wins.
const edits = new Latest<Edit>(({ edit, label, merge }) => editBehaviour(side(), edit, label, merge));

export function showKey(key: number | null): void {
	if (studio().scenes.reach?.edit_key === key) return;
	setSceneQuietly("reach", (scene) => ({ ...scene, edit_key: key }));
	setStudio({ selectedTarget: null });
}

export async function addKey(swing: Swing): Promise<void> {
	const done = await editBehaviour(side(), { kind: "add", swing }, "Add key");
	const keys = studio().behaviours[side()]?.keys.length ?? 0;
	if (done && keys > 0) showKey(keys - 1);
}

export function moveKey(key: number, swing: Swing): void {
	edits.push({ edit: { kind: "move", key, swing }, label: "Move key", merge: `move ${key}` });
}

export async function removeKey(key: number): Promise<void> {
	// The keys after it get other numbers.
	showKey(null);
	await editBehaviour(side(), { kind: "remove", key }, "Remove key");
}

export function pullJoint(key: number, joint: number, position: V3): void {
	const name = studio().rig?.joints[joint]?.name ?? "joint";
	edits.push({
		edit: { kind: "pull", key, joint, position },
		label: `Pull ${name}`,
		merge: `pull ${key} ${joint}`,
	});
}

export function turnJoint(key: number, joint: number, rotation: Q): void {
	const name = studio().rig?.joints[joint]?.name ?? "joint";
	edits.push({
		edit: { kind: "turn", key, joint, rotation },
		label: `Turn ${name}`,
		merge: `turn ${key} ${joint}`,
	});
}

export function setSwivel(key: number, swivel: number): void {
	edits.push({ edit: { kind: "swivel", key, swivel }, label: "Change swivel", merge: `swivel ${key}` });
}

/** Keeps the behaviour under another name, and goes on with that one. */
export async function saveAs(name: string): Promise<boolean> {
	if (!(await editBehaviour(side(), { kind: "save_as", name }, null))) return false;
	editScene("reach", `Reach as ${name}`, (scene) => ({ ...scene, behaviour: name }));
	return true;
}
