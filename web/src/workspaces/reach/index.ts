// Reach: reach with one or both hands, around what stands in the way.

import { detailsOf } from "../../state/frames";
import type { Workspace } from "../workspace";
import { ReachPanel } from "./ReachPanel";
import { ReachStage } from "./ReachStage";

export const reach: Workspace<"reach"> = {
	name: "reach",
	title: "Reach",
	summary: "Reach with one or both hands, around what stands in the way.",
	Panel: ReachPanel,
	Stage: ReachStage,
	initial: (rig) => ({
		behaviour: rig.behaviours[0] ?? "",
		compare: null,
		left: null,
		right: null,
		obstacles: [],
		collisions: true,
		side: "right",
		edit_key: null,
	}),
	move: (scene, target, position, rotation) => ({
		...scene,
		left: target === "left" ? { position, rotation } : scene.left,
		right: target === "right" ? { position, rotation } : scene.right,
		obstacles: scene.obstacles.map((obstacle) =>
			obstacle.id === target ? { ...obstacle, position, rotation: rotation ?? obstacle.rotation } : obstacle,
		),
	}),
	outcome: (frame) => {
		const details = detailsOf(frame, "reach");
		return details && { good: details.reached, text: details.outcome };
	},
	shortcuts: [],
	rigs: ["humanoid"],
};
