// Reach: reach with one or both hands, around what stands in the way.

import { detailsOf } from "../../state/frames";
import { editScene } from "../../state/session";
import { setStudio, studio } from "../../state/store";
import type { Workspace } from "../workspace";
import { removeKey, showKey } from "./editing";
import { firstTarget } from "./hands";
import { obstacleFiles } from "./obstacleFile";
import { withRemoved } from "./obstacles";
import { ReachOverlay } from "./ReachOverlay";
import { ReachPanel } from "./ReachPanel";
import { ReachStage } from "./ReachStage";
import { sentence } from "./words";

/** Removes what is chosen: an obstacle, or the key that is edited. */
function removeChosen(): void {
	const { selectedTarget } = studio();
	const scene = studio().scenes.reach;
	if (scene?.obstacles.some((obstacle) => obstacle.id === selectedTarget)) {
		editScene("reach", `Remove ${selectedTarget}`, (old) => withRemoved(old, selectedTarget ?? ""));
	} else if (selectedTarget === "left" || selectedTarget === "right") {
		editScene("reach", `Let the ${selectedTarget} hand be`, (old) => ({ ...old, [selectedTarget]: null }));
	} else if (scene && scene.edit_key !== null) {
		const key = studio().behaviours[scene.side]?.keys[scene.edit_key];
		if (key && !key.outer) void removeKey(scene.edit_key);
	}
}

export const reach: Workspace<"reach"> = {
	name: "reach",
	title: "Reach",
	summary: "Reach with one or both hands, around what stands in the way.",
	Panel: ReachPanel,
	Stage: ReachStage,
	Overlay: ReachOverlay,
	initial: (rig) => ({
		behaviour: rig.behaviours[0] ?? "",
		compare: null,
		left: null,
		right: firstTarget(rig, "right"),
		obstacles: [],
		collisions: true,
		side: "right",
		edit_key: null,
	}),
	fit: (scene, rig) => {
		const known = rig.behaviours.includes(scene.behaviour);
		return {
			...scene,
			behaviour: known ? scene.behaviour : (rig.behaviours[0] ?? ""),
			compare: scene.compare !== null && rig.behaviours.includes(scene.compare) ? scene.compare : null,
			edit_key: known ? scene.edit_key : null,
		};
	},
	move: (scene, target, position, rotation) => ({
		...scene,
		left: target === "left" ? { position, rotation } : scene.left,
		right: target === "right" ? { position, rotation } : scene.right,
		obstacles: scene.obstacles.map((obstacle) =>
			obstacle.id === target ? { ...obstacle, position, rotation: rotation ?? obstacle.rotation } : obstacle,
		),
	}),
	files: obstacleFiles,
	framed: ({ left, right, obstacles }) =>
		[left, right, ...obstacles].flatMap((thing) => (thing ? [thing.position] : [])),
	outcome: (frame) => {
		const details = detailsOf(frame, "reach");
		return details && { good: details.reached, text: sentence(details.outcome) };
	},
	shortcuts: [
		{ keys: "W", label: "Move or pull with the gizmo", run: () => setStudio({ gizmo: "translate" }) },
		{ keys: "E", label: "Turn with the gizmo", run: () => setStudio({ gizmo: "rotate" }) },
		{ keys: "Delete or Backspace", label: "Remove the chosen obstacle, target or key", run: removeChosen },
		{
			keys: "Escape",
			label: "Choose nothing; back to reaching",
			run: () => {
				setStudio({ selectedJoint: null, selectedTarget: null });
				showKey(null);
			},
		},
		{
			keys: "C",
			label: "Collisions on or off",
			run: () =>
				editScene("reach", "Switch collisions", (scene) => ({ ...scene, collisions: !scene.collisions })),
		},
	],
	rigs: ["humanoid", "humanoid-hands"],
};
