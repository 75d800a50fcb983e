// Changes of the goals and pins of a Pose scene.

import { type Q, quaternionAt, type V3, vectorAt } from "../../maths";
import { restOf } from "../../scene/bones";
import { frames } from "../../state/frames";
import { editScene } from "../../state/session";
import { setStudio, studio } from "../../state/store";
import type { PoseGoal, PoseScene } from "../../wire";

/** A name that no goal has yet. */
export function freshId(goals: readonly PoseGoal[]): string {
	let number = goals.length + 1;
	while (goals.some((goal) => goal.id === `goal-${number}`)) number += 1;
	return `goal-${number}`;
}

/** Where a joint is now. */
export function jointNow(joint: number): { position: V3; rotation: Q } | null {
	const { rig } = studio();
	if (!rig) return null;
	const placed = frames.latest?.pose ?? restOf(rig);
	return { position: vectorAt(placed.positions, joint), rotation: quaternionAt(placed.rotations, joint) };
}

export function goalOn(scene: PoseScene, joint: number): PoseGoal | undefined {
	return scene.goals.find((goal) => goal.joint === joint);
}

/** Adds a goal where the joint is now, and selects it; selects the one there is. Gives its id. */
export function addGoal(joint: number): string | null {
	const scene = studio().scenes.pose;
	const now = jointNow(joint);
	if (!scene || !now) return null;
	const there = goalOn(scene, joint);
	if (there) {
		setStudio({ selectedTarget: there.id, selectedJoint: joint });
		return there.id;
	}
	const id = freshId(scene.goals);
	const goal: PoseGoal = {
		id,
		joint,
		kind: "position",
		...now,
		position_weight: 1,
		orientation_weight: 1,
		priority: 0,
		enabled: true,
	};
	editScene("pose", `Add goal on ${studio().rig?.joints[joint]?.name ?? "joint"}`, (old) => ({
		...old,
		goals: [...old.goals, goal],
		pins: old.pins.filter((pin) => pin !== joint),
	}));
	setStudio({ selectedTarget: id, selectedJoint: joint });
	return id;
}

export function removeGoal(id: string): void {
	editScene("pose", "Remove goal", (scene) => ({
		...scene,
		goals: scene.goals.filter((goal) => goal.id !== id),
	}));
	if (studio().selectedTarget === id) setStudio({ selectedTarget: null });
}

export function changeGoal(id: string, label: string, change: Partial<PoseGoal>, merge?: string): void {
	editScene(
		"pose",
		label,
		(scene) => ({
			...scene,
			goals: scene.goals.map((goal) => (goal.id === id ? { ...goal, ...change } : goal)),
		}),
		merge,
	);
}

export function togglePin(joint: number): void {
	editScene("pose", "Pin", (scene) => ({
		...scene,
		pins: scene.pins.includes(joint)
			? scene.pins.filter((pin) => pin !== joint)
			: [...scene.pins, joint].sort((a, b) => a - b),
	}));
}
