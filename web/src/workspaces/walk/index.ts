// Walk: walk over slopes, stairs and hills.

import { detailsOf } from "../../state/frames";
import type { Welcome } from "../../wire";
import type { Workspace } from "../workspace";
import { groundFiles } from "./groundFile";
import { useWalkView } from "./view";
import { WalkOverlay } from "./WalkOverlay";
import { WalkPanel } from "./WalkPanel";
import { WalkStage } from "./WalkStage";
import { walkInWords } from "./words";

function usualSolver(welcome: Welcome): string {
	return welcome.leg_solvers.includes("limb") ? "limb" : (welcome.leg_solvers[0] ?? "");
}

const NEXT_CAMERA = { behind: "along", along: "feet", feet: "still", still: "behind" } as const;
// Steering listens to keys being held, in `useSteering`; these are for the help.
const held = () => {};

export const walk: Workspace<"walk"> = {
	name: "walk",
	title: "Walk",
	summary: "Walk over slopes, stairs and hills.",
	Panel: WalkPanel,
	Stage: WalkStage,
	Overlay: WalkOverlay,
	initial: (_rig, welcome) => ({
		terrain: { kind: "flat" },
		solver: usualSolver(welcome),
		speed: null,
		lift: 1,
		arms: 1,
	}),
	fit: (scene, _rig, welcome) => ({
		...scene,
		solver: welcome.leg_solvers.includes(scene.solver) ? scene.solver : usualSolver(welcome),
	}),
	files: groundFiles,
	move: (scene) => scene,
	outcome: (frame) => {
		const details = detailsOf(frame, "walk");
		return details && walkInWords(details);
	},
	shortcuts: [
		{ keys: "W or ArrowUp", label: "Walk (with Shift: slowly)", run: held },
		{ keys: "A or ArrowLeft", label: "Turn left", run: held },
		{ keys: "D or ArrowRight", label: "Turn right", run: held },
		{
			keys: "C",
			label: "Camera behind, along, at the feet or still",
			run: () => useWalkView.setState(({ camera }) => ({ camera: NEXT_CAMERA[camera] })),
		},
	],
	rigs: ["humanoid", "quadruped", "spider"],
	ownGround: true,
	onlyMoves: true,
};
