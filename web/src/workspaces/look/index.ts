// Look: have a robot or a neck look at things, in a posture that speaks.

import { detailsOf } from "../../state/frames";
import type { Workspace } from "../workspace";
import { LookPanel } from "./LookPanel";
import { LookStage } from "./LookStage";

export const look: Workspace<"look"> = {
	name: "look",
	title: "Look",
	summary: "Have a robot or a neck look at things, in a posture that speaks.",
	Panel: LookPanel,
	Stage: LookStage,
	initial: (rig) => ({
		endpoint: null,
		values: [],
		rotations: [],
		target: { kind: "at", position: [0.3 * rig.size, rig.floor + 0.6 * rig.size, rig.size] },
		keep_sides: true,
		filter: null,
		plotted: 0,
	}),
	move: (scene, _target, position) => ({ ...scene, target: { kind: "at", position } }),
	outcome: (frame) => {
		const details = detailsOf(frame, "look");
		return details && { good: details.reached, text: details.outcome };
	},
	shortcuts: [],
	rigs: ["erik-a", "erik-b", "erik-c", "erik-d", "erik-e"],
};
