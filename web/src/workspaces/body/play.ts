// Playing and scrubbing: changes of the scene that are no steps of undo.

import { detailsOf, frames } from "../../state/frames";
import { setSceneQuietly } from "../../state/session";
import { studio } from "../../state/store";
import { lengthOf, stepped } from "./timeline";

/** The frame that is shown. */
export function frameNow(): number {
	return detailsOf(frames.latest, "body")?.frame ?? studio().scenes.body?.frame ?? 0;
}

export function setPlaying(playing: boolean): void {
	setSceneQuietly("body", (scene) =>
		scene.source.kind === "markers" ? scene : { ...scene, playing, frame: frameNow() },
	);
}

export function togglePlaying(): void {
	setPlaying(!studio().scenes.body?.playing);
}

/** Stops, and shows this frame. */
export function scrubTo(frame: number): void {
	setSceneQuietly("body", (scene) => ({ ...scene, playing: false, frame }));
}

export function stepBy(by: number): void {
	const { rig, track } = studio();
	const scene = studio().scenes.body;
	const length = rig && scene && lengthOf(scene, rig, track);
	if (length) scrubTo(stepped(frameNow(), by, length.frames));
}
