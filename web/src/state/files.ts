// Files on their way in and out.

import type { ExportFormat, ExportWhat } from "../wire";
import { shownBody } from "./body";
import { isPuzzling } from "./parts";
import { playMotion } from "./playing";
import { adopt, openRig } from "./session";
import { setStudio, studio, toast, wordsOf } from "./store";
import { ask, send } from "./talk";
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

function askUse(name: string): Promise<MotionUse | null> {
	if (usual) return Promise.resolve(usual);
	return new Promise((resolve) => {
		setStudio({
			question: {
				file: name,
				answer: (use) => {
					usual = use;
					setStudio({ question: null });
					resolve(use);
				},
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

/** A file that was dropped or chosen. */
export async function openFile(file: File): Promise<void> {
	const largest = studio().welcome?.largest_upload ?? Infinity;
	if (file.size > largest) {
		toast("error", `${file.name} is larger than the ${Math.floor(largest / 1048576)} MB that can be read.`);
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
