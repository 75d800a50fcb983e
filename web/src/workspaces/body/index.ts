// Body: drive a whole body from a few points, or rebuild a motion from them.

import { detailsOf } from "../../state/frames";
import type { BodyScene, Welcome } from "../../wire";
import type { Workspace } from "../workspace";
import { BodyOverlay } from "./BodyOverlay";
import { BodyPanel } from "./BodyPanel";
import { BodyStage } from "./BodyStage";
import { stepBy, togglePlaying } from "./play";
import { POINTS, SIX, withMethod } from "./points";

function usualMethod(welcome: Welcome): string {
	return welcome.methods[0]?.name ?? "";
}

function sentence(words: string): string {
	return words.charAt(0).toUpperCase() + words.slice(1);
}

export const body: Workspace<"body"> = {
	name: "body",
	title: "Body",
	summary: "Drive a whole body from a few points, or rebuild a motion from them.",
	Panel: BodyPanel,
	Stage: BodyStage,
	Overlay: BodyOverlay,
	// A file that has a motion was opened for it.
	initial: (rig, welcome) => ({
		source: rig.motions.length > 0 ? { kind: "motion", motion: 0 } : { kind: "markers", markers: [] },
		method: usualMethod(welcome),
		points: [...SIX],
		orientations: false,
		noise: 0,
		playing: rig.motions.length > 0,
		speed: 1,
		frame: 0,
	}),
	fit: (scene, rig, welcome) => {
		const known = welcome.methods.some(({ name }) => name === scene.method);
		const gone = scene.source.kind === "motion" && scene.source.motion >= rig.motions.length;
		const points = POINTS.filter((point) => scene.points.includes(point));
		const fitted: BodyScene = {
			...scene,
			source: gone ? { kind: "markers", markers: [] } : scene.source,
			points: points.length > 0 ? points : [...SIX],
		};
		return known ? fitted : withMethod(fitted, usualMethod(welcome));
	},
	move: (scene, target, position, rotation) => {
		if (scene.source.kind !== "markers") return scene;
		const others = scene.source.markers.filter((marker) => marker.point !== target);
		return {
			...scene,
			source: { kind: "markers", markers: [...others, { point: target, position, rotation }] },
		};
	},
	outcome: (frame) => {
		const details = detailsOf(frame, "body");
		return details && { good: true, text: sentence(details.outcome) };
	},
	shortcuts: [
		{ keys: "Space", label: "Play or pause", run: togglePlaying },
		{ keys: "ArrowLeft", label: "A frame back", run: () => stepBy(-1) },
		{ keys: "ArrowRight", label: "A frame on", run: () => stepBy(1) },
		{ keys: "Shift+ArrowLeft", label: "Ten frames back", run: () => stepBy(-10) },
		{ keys: "Shift+ArrowRight", label: "Ten frames on", run: () => stepBy(10) },
	],
	rigs: ["humanoid", "humanoid-hands"],
};
