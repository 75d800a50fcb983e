// A body for a rig that brings none: surfaces around its bones, each vertex with the joints that move it.
//
// A person gets a person's shape from the roles of its joints, everything else one from its bones. Limbs are
// surfaces of their own: arms that hang beside a trunk at rest do not grow together with it.

import type { V3 } from "../maths";
import type { RigDescription } from "../wire";
import { personOf } from "./mannequin/human";
import { creatureOf } from "./mannequin/others";
import { type Distance, distanceOf, type Group, type Part, type Tone } from "./mannequin/shape";
import { type Surface, solidOf, surfaceOf } from "./mannequin/surface";

export interface MannequinMesh {
	positions: Float32Array;
	normals: Float32Array;
	/** Four joints to a vertex. */
	joints: Uint16Array;
	/** Four weights to a vertex, one in sum. */
	weights: Float32Array;
	triangles: Uint32Array;
	/** For every vertex, which tone it has: a place in `TONES`. */
	tones: Uint8Array;
}

export const TONES: readonly Tone[] = ["skin", "joint", "eye"];

/**
 * The body; `null` for a rig that has nothing to put one around. `coarse` is how many times wider its grid is:
 * triangles go with the inverse square, and their normals are those of the smooth shape all the same.
 */
export function mannequinOf(rig: RigDescription, coarse = 1): MannequinMesh | null {
	const groups = personOf(rig) ?? creatureOf(rig);
	const positions: number[] = [];
	const normals: number[] = [];
	const joints: number[] = [];
	const weights: number[] = [];
	const triangles: number[] = [];
	const tones: number[] = [];
	const take = (surface: Surface, group: Group, parts: readonly Part[]) => {
		const first = positions.length / 3;
		const bones = parts.map((part): [number, Distance] => {
			const [distance, { hold = 1 }] = [distanceOf(part), part];
			return [part.joint, hold === 1 ? distance : (x, y, z) => hold * distance(x, y, z)];
		});
		for (let i = 0; i < surface.positions.length; i += 3) {
			const p: V3 = [surface.positions[i] ?? 0, surface.positions[i + 1] ?? 0, surface.positions[i + 2] ?? 0];
			positions.push(...p);
			const bound = bindingOf(p, bones, group.blend);
			for (let k = 0; k < 4; k += 1) {
				joints.push(bound[k]?.[0] ?? 0);
				weights.push(bound[k]?.[1] ?? 0);
			}
			tones.push(TONES.indexOf(group.colour));
		}
		for (const n of surface.normals) normals.push(n);
		for (const corner of surface.triangles) triangles.push(first + corner);
	};
	for (const group of groups) {
		const whole = group.blend > 0 ? surfaceOf({ ...group, cell: coarse * group.cell }) : null;
		if (whole) take(whole, group, group.parts);
		else for (const part of group.parts) take(solidOf(part), group, [part]);
	}
	if (triangles.length === 0) return null;
	return {
		positions: new Float32Array(positions),
		normals: new Float32Array(normals),
		joints: new Uint16Array(joints),
		weights: new Float32Array(weights),
		triangles: new Uint32Array(triangles),
		tones: new Uint8Array(tones),
	};
}

/** A joint that moves a vertex by less than this share of what the nearest does moves it not at all. */
const LEAST_WEIGHT = 0.04;

/** The joints that move a vertex: those of the parts around it, the nearest most. */
function bindingOf([x, y, z]: V3, bones: readonly [number, Distance][], blend: number): [number, number][] {
	const distances = new Map<number, number>();
	for (const [joint, distance] of bones) {
		distances.set(joint, Math.min(distances.get(joint) ?? Infinity, distance(x, y, z)));
	}
	const nearest = Math.min(...distances.values());
	// Skin gives over a wider stretch than the one that joins the shapes.
	const soft = Math.max(1.8 * blend, 1e-9);
	const near = [...distances]
		.map(([joint, d]): [number, number] => [joint, Math.exp((nearest - d) / soft) - LEAST_WEIGHT])
		.filter(([, weight]) => weight > 0)
		.sort((a, b) => b[1] - a[1])
		.slice(0, 4);
	const sum = near.reduce((all, [, w]) => all + w, 0);
	return near.map(([joint, w]) => [joint, w / sum]);
}
