// Keeps the address up to date with the scene, so that a reload or a copied
// address reopens it.

import { camera } from "../state/camera";
import { frames } from "../state/frames";
import { hashOfSnapshot, snapshotFromHash } from "../state/link";
import { workspaceOf } from "../state/registry";
import { keepForReload } from "../state/reloading";
import { currentSnapshot, openRig } from "../state/session";
import { studio, toast, useStudio, wordsOf } from "../state/store";

const PAUSE = 400;
const LONGEST = 1500;
let ours = "";

async function currentHash(): Promise<string | null> {
	const snapshot = currentSnapshot();
	return snapshot && hashOfSnapshot(snapshot);
}

async function write(): Promise<void> {
	const hash = await currentHash();
	if (hash === null) return;
	ours = hash;
	history.replaceState(null, "", hash);
}

export function watchAddress(): void {
	let timer: ReturnType<typeof setTimeout> | null = null;
	let since = 0;
	// When all rests, or after a while of something that moves on and on.
	const soon = () => {
		if (studio().greeting) return;
		const now = Date.now();
		if (timer === null) since = now;
		else clearTimeout(timer);
		timer = setTimeout(
			() => {
				timer = null;
				void write();
			},
			Math.max(0, Math.min(PAUSE, since + LONGEST - now)),
		);
	};
	useStudio.subscribe((now, before) => {
		if (now.scenes !== before.scenes || now.workspace !== before.workspace || now.edited !== before.edited)
			soon();
	});
	frames.subscribe(soon);
	camera.onRest = soon;
	window.addEventListener("pagehide", () => {
		const snapshot = studio().greeting ? null : currentSnapshot();
		if (snapshot) keepForReload(snapshot);
	});
	window.addEventListener("hashchange", () => {
		if (location.hash === ours) return;
		snapshotFromHash(location.hash)
			.then((snapshot) => {
				if (!snapshot) return;
				return openRig(snapshot.rig, snapshot);
			})
			.catch((error: unknown) => toast("error", wordsOf(error)));
	});
}

/** Puts a link to this scene on the clipboard. */
export async function copyLink(): Promise<void> {
	await write();
	try {
		await navigator.clipboard.writeText(location.href);
		const { rig, workspace, scenes } = studio();
		const scene = scenes[workspace];
		const named = scene ? (workspaceOf(workspace).files?.of(scene) ?? []) : [];
		const alone = rig?.source.kind === "upload" || named.length > 0;
		toast(
			"done",
			alone
				? "The link to this scene is on the clipboard. It names the files and does not hold them: it works in this browser."
				: "The link to this scene is on the clipboard.",
		);
	} catch {
		toast("note", "The browser keeps the clipboard closed; copy the link from the address line.");
	}
}
