// Files on their way in and out.

import type { ExportFormat, ExportWhat } from "../wire";
import { shownBody } from "./body";
import { isPuzzling } from "./parts";
import { playMotion } from "./playing";
import { workspaceOf } from "./registry";
import { adopt, openRig } from "./session";
import { setStudio, studio, toast, wordsOf } from "./store";
import { ask, send } from "./talk";
import { bring } from "./things";
import { upload } from "./uploads";
import { oneFileOf } from "./zip";

/** What a motion that is dropped on a character becomes. */
export type MotionUse = "drive" | "open";

/** What was chosen before: it is asked once. */
let usual: MotionUse | null = null;

/** Files that are motions before anything else. */
const MOTIONS = /\.(bvh|amc|vrma)$/i;

/** Whether a motion could drive what is open: a character that somebody brought. */
function isCharacter(): boolean {
	const { rig } = studio();
	return rig?.mesh != null && rig.workspaces.body === null;
}

/** Asks what a file is for; `null` when that is not said. */
function askFor<T>(
	file: string,
	choices: { value: T; words: string; small: string }[],
	hint: string | null = null,
): Promise<T | null> {
	return new Promise((resolve) => {
		const answer = (value: T | null) => {
			setStudio({ question: null });
			resolve(value);
		};
		setStudio({
			question: {
				file,
				choices: choices.map(({ value, ...words }) => ({ ...words, choose: () => answer(value) })),
				hint,
				dismiss: () => answer(null),
			},
		});
	});
}

/** What was dropped: a file, or a folder or several files that belong together. */
export async function openFiles(entries: readonly FileSystemEntry[], files: readonly File[]): Promise<void> {
	try {
		const file = await oneFileOf(entries, files, studio().welcome?.largest_upload ?? Infinity);
		if (file) await openFile(file);
	} catch (error) {
		toast("error", wordsOf(error));
	}
}

async function askUse(name: string): Promise<MotionUse | null> {
	usual ??= await askFor<MotionUse>(
		name,
		[
			{
				value: "drive",
				words: `Move ${studio().rig?.name}`,
				small: "The character moves as recorded, with its feet on the floor",
			},
			{
				value: "open",
				words: "Open by itself",
				small: "The recorded skeleton takes the place of the character",
			},
		],
		"Later motions go the same way until the page is loaded again.",
	);
	return usual;
}

/** Files that are part of a scene and no rig, wherever they are dropped. */
const PARTS = /\.(obj|png)$/i;

/** Whether the workspace takes a file into its scene; `null` when that is not said. */
async function isForScene(file: string): Promise<boolean | null> {
	const { files } = workspaceOf(studio().workspace);
	if (files?.takes.test(file)) return true;
	if (!files?.mayTake?.test(file)) return false;
	return askFor(file, [
		{ value: true, words: files.what, small: "It becomes a part of the scene" },
		{ value: false, words: "Open it", small: "What is in it takes the place of the character" },
	]);
}

/** Makes a file a part of the scene shown. */
export async function bringIntoScene(file: File): Promise<void> {
	const { workspace, welcome } = studio();
	const { files } = workspaceOf(workspace);
	if (!files || isTooLarge(file, welcome?.largest_upload)) return;
	setStudio({ loading: `Reading ${file.name}` });
	try {
		const { id } = await upload(file);
		const thing = await bring(id);
		if (studio().workspace === workspace) files.add(thing);
	} catch (error) {
		toast("error", wordsOf(error));
	} finally {
		setStudio({ loading: null });
	}
}

function isTooLarge(file: File, largest = Infinity): boolean {
	if (file.size <= largest) return false;
	toast("error", `${file.name} is larger than the ${Math.floor(largest / 1048576)} MB that can be read.`);
	return true;
}

/** A file that was dropped or chosen. */
export async function openFile(file: File): Promise<void> {
	if (isTooLarge(file, studio().welcome?.largest_upload)) return;
	const forScene = await isForScene(file.name);
	if (forScene === null) return;
	if (forScene) {
		await bringIntoScene(file);
		return;
	}
	if (PARTS.test(file.name)) {
		const words = "An OBJ is an obstacle in Reach and ground in Walk, a PNG heights of the ground in Walk";
		toast("error", `${file.name} is no rig. ${words}: go there and drop it again.`);
		return;
	}
	const use = MOTIONS.test(file.name) && isCharacter() ? await askUse(file.name) : "open";
	if (use === null) return;
	setStudio({ loading: `Sending ${file.name}` });
	try {
		const { id } = await upload(file);
		if (use === "drive") {
			setStudio({ loading: `Putting ${file.name} on ${studio().rig?.name}` });
			playMotion(await adopt(id));
			return;
		}
		if (await openRig({ kind: "upload", id })) {
			playWhatCame();
			const { rig } = studio();
			if (rig && isPuzzling(rig)) setStudio({ fittingOpen: true });
		}
	} catch (error) {
		toast("error", wordsOf(error));
	} finally {
		setStudio({ loading: null });
	}
}

/** A file that moves was opened for it. A single frame is a pose. */
function playWhatCame(): void {
	const { rig, workspace } = studio();
	const first = rig?.motions.findIndex(({ frames }) => frames > 1) ?? -1;
	if (first >= 0 && workspace !== "body") playMotion(first);
}

export function setRecording(on: boolean): void {
	send({ type: "record", on });
	setStudio({ recording: on });
}

/** Saves something under a name. */
export function saveAs(address: string, name: string): void {
	const anchor = document.createElement("a");
	anchor.href = address;
	anchor.download = name;
	anchor.click();
	toast("done", `Saved ${name}.`);
}

/** The body that is shown for a rig without a mesh, sent to be written; `null` if none is. */
async function uploadedBody(): Promise<string | null> {
	const { rig, showBody } = studio();
	const bytes = rig && !rig.mesh && showBody ? shownBody.bytes?.() : null;
	return bytes ? (await upload(new File([bytes], "body.bin"), false)).id : null;
}

/** Has a file made, and downloads it. A motion that is in the play bar is taken as it is cut there. */
export async function exportFile(what: ExportWhat, format: ExportFormat): Promise<void> {
	const { player, rig } = studio();
	const clip =
		what === "take" && player
			? {
					motion: player.motion,
					trim: player.trim,
					name: player.name || (rig?.motions[player.motion]?.name ?? ""),
				}
			: null;
	const body = format === "glb" || format === "vrm" ? await uploadedBody() : null;
	const answer = await ask({ type: "export", what, format, clip, body });
	if (answer?.type !== "exported") return;
	saveAs(answer.url, answer.name);
	for (const note of answer.notes) toast("note", note);
}
