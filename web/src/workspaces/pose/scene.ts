// The Pose scene: how it begins, how it is made to fit, what a drag does to it. No drawing here.

import { degrees, quaternionAt, vectorAt } from "../../maths";
import { detailsOf } from "../../state/frames";
import type { PoseFrame, PoseGoal, RigDescription, SolverChoice, Welcome } from "../../wire";
import type { Workspace } from "../workspace";
import { choiceOf } from "./solverOptions";
import { lengthInWords } from "./words";

function outcomeOf(details: PoseFrame): { good: boolean; text: string } {
	if (details.goals.length === 0) return { good: true, text: "No goals: drag a joint to begin." };
	const off = `${lengthInWords(details.position_error)}, ${degrees(details.orientation_error).toFixed(1)}° off`;
	if (details.reached) return { good: true, text: `Every goal is met (${off}).` };
	return { good: false, text: details.cause ? `${details.cause} (${off})` : `Not there yet: ${off}.` };
}

/** The engine's own default where the server has it. */
function usualSolver(welcome: Welcome): SolverChoice {
	return choiceOf(welcome.solvers.find((solver) => solver.name === "robust") ?? welcome.solvers[0]);
}

const fits = (rig: RigDescription) => (goal: PoseGoal) => goal.joint < rig.joints.length;

export const poseScene: Pick<Workspace<"pose">, "initial" | "fit" | "move" | "posed" | "outcome"> = {
	initial: (rig, welcome) => ({
		goals: rig.goals,
		pins: [],
		solver: usualSolver(welcome),
		ghost: null,
		travel: false,
		from_rest: false,
		posture: null,
	}),
	fit: (scene, rig, welcome) => {
		const known = (name: string) => welcome.solvers.some((solver) => solver.name === name);
		return {
			...scene,
			goals: scene.goals.filter(fits(rig)),
			pins: scene.pins.filter((joint) => joint < rig.joints.length),
			solver: known(scene.solver.name) ? scene.solver : usualSolver(welcome),
			ghost: scene.ghost && known(scene.ghost.name) ? scene.ghost : null,
			posture: scene.posture?.positions.length === 3 * rig.joints.length ? scene.posture : null,
		};
	},
	// What somebody has taken hold of is firm from then on; what nobody has touched goes along.
	move: (scene, target, position, rotation) => ({
		...scene,
		goals: scene.goals.map((goal) =>
			goal.id === target
				? {
						...goal,
						position,
						rotation: rotation ?? goal.rotation,
						position_weight: Math.max(goal.position_weight, 1),
						orientation_weight: Math.max(goal.orientation_weight, 1),
					}
				: goal,
		),
	}),
	// A goal to point at something is no place of a joint.
	posed: (scene, pose) => ({
		...scene,
		// What is natural now is how it stands here.
		posture: pose,
		goals: scene.goals.map((goal) =>
			goal.kind === "aim"
				? goal
				: {
						...goal,
						position: vectorAt(pose.positions, goal.joint),
						rotation: quaternionAt(pose.rotations, goal.joint),
					},
		),
	}),
	outcome: (frame) => {
		const details = detailsOf(frame, "pose");
		return details && outcomeOf(details);
	},
};
