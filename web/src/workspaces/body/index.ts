// Body: drive a whole body from a few points, or rebuild a motion from them.

import { detailsOf } from "../../state/frames";
import type { Workspace } from "../workspace";
import { BodyPanel } from "./BodyPanel";
import { BodyStage } from "./BodyStage";

export const body: Workspace<"body"> = {
	name: "body",
	title: "Body",
	summary: "Drive a whole body from a few points, or rebuild a motion from them.",
	Panel: BodyPanel,
	Stage: BodyStage,
	initial: (_rig, welcome) => ({
		source: { kind: "markers", markers: [] },
		method: welcome.methods[0]?.name ?? "",
		points: ["pelvis", "head", "left-wrist", "right-wrist", "left-ankle", "right-ankle"],
		orientations: false,
		noise: 0,
		playing: false,
		speed: 1,
		frame: 0,
	}),
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
		return details && { good: true, text: details.outcome };
	},
	shortcuts: [],
	rigs: ["humanoid"],
};
