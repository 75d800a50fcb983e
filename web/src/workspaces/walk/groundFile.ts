// Ground from a file: a mesh, or a picture of heights.

import { editScene } from "../../state/session";
import { studio, toast } from "../../state/store";
import type { TerrainChoice, ThingDescription, WalkScene } from "../../wire";
import { sizeInWords } from "../UnitRow";
import type { SceneFiles } from "../workspace";

type OfFile = Extract<TerrainChoice, { file: string }>;

export function isOfFile(terrain: TerrainChoice): terrain is OfFile {
	return terrain.kind === "mesh" || terrain.kind === "map";
}

/** Ground of a file with the sizes that the command line gives it as well. */
export function terrainOf({ id, form }: ThingDescription): OfFile {
	return form.kind === "mesh"
		? { kind: "mesh", file: id, scale: 1 }
		: { kind: "map", file: id, height: 1, cell: 0.1 };
}

/** A side longer than this, in metres, is more likely of another unit. */
const LONG = 200;

/** What is odd about a ground, in words; `null` if nothing is. */
export function oddOf({ name, form }: ThingDescription, scale: number): string | null {
	if (form.kind !== "mesh") return null;
	const [low, high] = [form.low, form.high].map((corner) => corner.map((x) => scale * x));
	if (!low || !high) return null;
	const side = (axis: number) => (high[axis] ?? 0) - (low[axis] ?? 0);
	if (Math.max(side(0), side(1), side(2)) > LONG)
		return `${name} is ${Math.round(Math.max(side(0), side(1), side(2)))} m large; choose its unit if that is not meant.`;
	if (Math.max(side(0), side(2)) < 0.5)
		return `${name} is smaller than half a metre; choose its unit if that is not meant.`;
	const around = [0, 2].every((axis) => (low[axis] ?? 0) <= 0 && (high[axis] ?? 0) >= 0);
	return around ? null : `${name} is not under the start; there the ground is at height zero.`;
}

export const groundFiles: SceneFiles<WalkScene> = {
	takes: /\.(obj|png)$/i,
	what: "Walk on it",
	words: "or ground to walk on: OBJ, or a PNG of heights",
	of: ({ terrain }) => (isOfFile(terrain) ? [terrain.file] : []),
	without: (scene, id) =>
		isOfFile(scene.terrain) && scene.terrain.file === id ? { ...scene, terrain: { kind: "flat" } } : scene,
	add: (thing) => {
		const terrain = terrainOf(thing);
		if (!studio().scenes.walk) return;
		editScene("walk", `Walk on ${thing.name}`, (scene) => ({ ...scene, terrain }));
		const odd = oddOf(thing, 1);
		toast(odd ? "note" : "done", odd ?? `Walking on ${thing.name}, ${sizeInWords(thing, 1)}.`);
	},
};
