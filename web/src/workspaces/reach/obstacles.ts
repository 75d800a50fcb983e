// Things in the way: made, named, measured. No drawing here.

import type { V3 } from "../../maths";
import type { Obstacle, ObstacleForm, ReachScene, RigDescription, ThingDescription } from "../../wire";

export type Kind = Exclude<ObstacleForm["kind"], "mesh">;
export const KINDS: readonly Kind[] = ["box", "ball", "cylinder", "capsule"];

/** A form of a kind, sized for the rig. */
export function formOf(kind: Kind, size: number): ObstacleForm {
	const s = Number((0.1 * size).toFixed(2));
	switch (kind) {
		case "box":
			return { kind, size: [2 * s, s, s] };
		case "ball":
			return { kind, radius: 0.7 * s };
		case "cylinder":
			return { kind, radius: 0.5 * s, height: 2 * s };
		case "capsule":
			return { kind, radius: 0.4 * s, height: 2 * s };
	}
}

/** A name that no obstacle has: `box 2`. */
export function freshName(obstacles: readonly Obstacle[], kind: string): string {
	for (let number = 1; ; number += 1) {
		const name = `${kind} ${number}`;
		if (!obstacles.some((obstacle) => obstacle.id === name)) return name;
	}
}

/** The scene with one more, in front of the character, beside those that are there. */
export function withAdded(
	scene: ReachScene,
	rig: RigDescription,
	kind: Kind,
): { scene: ReachScene; id: string } {
	const id = freshName(scene.obstacles, kind);
	const aside = [0, -1, 1, -2, 2][scene.obstacles.length % 5] ?? 0;
	const position: V3 = [0.12 * aside * rig.size, rig.floor + 0.55 * rig.size, 0.3 * rig.size];
	const obstacle: Obstacle = { id, form: formOf(kind, rig.size), position, rotation: [0, 0, 0, 1] };
	return { scene: { ...scene, obstacles: [...scene.obstacles, obstacle] }, id };
}

/** The longest name that the server takes, less room for a number. */
const LONGEST_NAME = 90;

/**
 * The scene with the mesh of a file, where it stands in its file. A thing that would stand in the character,
 * and is no room around it, goes in front.
 */
export function withMesh(
	scene: ReachScene,
	rig: RigDescription,
	{ id: file, name, form }: ThingDescription,
): { scene: ReachScene; id: string } | null {
	if (form.kind !== "mesh") return null;
	const id = freshName(scene.obstacles, name.slice(0, LONGEST_NAME));
	const sides = form.high.map((high, axis) => high - (form.low[axis] ?? 0));
	const middle = form.high.map((high, axis) => (high + (form.low[axis] ?? 0)) / 2) as V3;
	const hips: V3 = [0, rig.floor + 0.55 * rig.size, 0];
	const inside = hips.every(
		(x, axis) => Math.abs(x - (middle[axis] ?? 0)) < (sides[axis] ?? 0) / 2 + 0.1 * rig.size,
	);
	const small = Math.max(...sides) < 1.2 * rig.size;
	const ahead: V3 = [0, rig.floor + 0.5 * (sides[1] ?? 0), 0.35 * rig.size + 0.5 * (sides[2] ?? 0)];
	const atOrigin = Math.hypot(middle[0], middle[2]) < 0.15 * rig.size;
	const position = small && (inside || atOrigin) ? ahead : middle;
	const mesh: Obstacle = { id, form: { kind: "mesh", file, scale: 1 }, position, rotation: [0, 0, 0, 1] };
	return { scene: { ...scene, obstacles: [...scene.obstacles, mesh] }, id };
}

export function withRemoved(scene: ReachScene, id: string): ReachScene {
	return { ...scene, obstacles: scene.obstacles.filter((obstacle) => obstacle.id !== id) };
}

export function withChanged(scene: ReachScene, id: string, change: Partial<Obstacle>): ReachScene {
	return {
		...scene,
		obstacles: scene.obstacles.map((obstacle) =>
			obstacle.id === id ? { ...obstacle, ...change } : obstacle,
		),
	};
}

/** The lengths of a form that can be set, in order, with their names. */
export function lengthsOf(
	form: ObstacleForm,
): { name: string; value: number; set(to: number): ObstacleForm }[] {
	switch (form.kind) {
		case "box":
			return (["Width", "Height", "Depth"] as const).map((name, i) => ({
				name,
				value: form.size[i] as number,
				set: (to) => {
					const size: V3 = [...form.size];
					size[i] = to;
					return { ...form, size };
				},
			}));
		case "mesh":
			return [];
		case "ball":
			return [{ name: "Radius", value: form.radius, set: (radius) => ({ ...form, radius }) }];
		default:
			return [
				{ name: "Radius", value: form.radius, set: (radius) => ({ ...form, radius }) },
				{ name: "Height", value: form.height, set: (height) => ({ ...form, height }) },
			];
	}
}
