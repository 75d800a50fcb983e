// Walk: walk over slopes, stairs and hills.

import { detailsOf } from "../../state/frames";
import type { Workspace } from "../workspace";
import { WalkPanel } from "./WalkPanel";
import { WalkStage } from "./WalkStage";

export const walk: Workspace<"walk"> = {
	name: "walk",
	title: "Walk",
	summary: "Walk over slopes, stairs and hills.",
	Panel: WalkPanel,
	Stage: WalkStage,
	initial: (_rig, welcome) => ({
		terrain: { kind: "flat" },
		solver: welcome.leg_solvers[0] ?? "",
		speed: null,
		lift: 1,
		arms: 1,
	}),
	move: (scene) => scene,
	outcome: (frame) => {
		const details = detailsOf(frame, "walk");
		return details && { good: true, text: details.standing ? "Standing" : "Walking" };
	},
	shortcuts: [],
	rigs: ["humanoid", "quadruped", "spider"],
};
