// Which bones a rig has, and where they lie for given joints. No drawing here.

import type { V3 } from "../maths";
import { turn } from "../maths";
import type { Placed, RigDescription } from "../wire";

/** A bone from a joint to a child, or to the tip that the joint carries. */
export interface Bone {
	from: number;
	/** The child, or `null` for a tip. */
	to: number | null;
	/** The tip in the joint's own frame. */
	tip: V3 | null;
	length: number;
}

/** The bones of a rig. Joints that lie on top of their parents have none. */
export function bonesOf(rig: RigDescription): Bone[] {
	const shortest = rig.size * 1e-3;
	const bones: Bone[] = [];
	rig.joints.forEach((joint, place) => {
		if (joint.parent !== null) {
			const length = Math.hypot(...joint.rest_position);
			// The root's place over the ground is no bone.
			const fromGround = rig.joints[joint.parent]?.parent === null && joint.kind === "free";
			if (length > shortest && !fromGround) bones.push({ from: joint.parent, to: place, tip: null, length });
		}
		if (joint.tip) {
			const length = Math.hypot(...joint.tip);
			if (length > shortest) bones.push({ from: place, to: null, tip: joint.tip, length });
		}
	});
	return bones;
}

/** Where a bone begins and ends. */
export function endsOf(bone: Bone, placed: Placed): [V3, V3] {
	const p = placed.positions;
	const at = (i: number): V3 => [p[3 * i] ?? 0, p[3 * i + 1] ?? 0, p[3 * i + 2] ?? 0];
	const start = at(bone.from);
	if (bone.to !== null) return [start, at(bone.to)];
	const r = placed.rotations;
	const i = 4 * bone.from;
	const tip = turn([r[i] ?? 0, r[i + 1] ?? 0, r[i + 2] ?? 0, r[i + 3] ?? 1], bone.tip ?? [0, 0, 0]);
	return [start, [start[0] + tip[0], start[1] + tip[1], start[2] + tip[2]]];
}

/** The rest pose in model space. */
export function restOf(rig: RigDescription): Placed {
	return {
		positions: rig.joints.flatMap((joint) => joint.model_position),
		rotations: rig.joints.flatMap((joint) => joint.model_rotation),
	};
}
