// Pose: pull at joints, choose solvers, set limits.

import type { Workspace } from "../workspace";
import { PoseOverlay } from "./PoseOverlay";
import { PosePanel } from "./PosePanel";
import { PoseStage } from "./PoseStage";
import { poseShortcuts } from "./poseShortcuts";
import { poseScene } from "./scene";

export const pose: Workspace<"pose"> = {
	name: "pose",
	title: "Pose",
	summary: "Pull at any joint, weigh goals, choose the solver, set limits.",
	Panel: PosePanel,
	Stage: PoseStage,
	Overlay: PoseOverlay,
	...poseScene,
	shortcuts: poseShortcuts,
	rigs: ["humanoid"],
};
