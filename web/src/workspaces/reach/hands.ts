// The hands of a humanoid, and where their targets begin.

import { distance, type Q, quaternionAt, type V3, vectorAt } from "../../maths";
import { frames } from "../../state/frames";
import type { ReachScene, ReachTarget, RigDescription, SideName } from "../../wire";

export const SIDES: readonly SideName[] = ["left", "right"];

/** The joint with a part in the humanoid; -1 if there is none. */
export function jointOfRole(rig: RigDescription, role: string): number {
	return rig.joints.findIndex((joint) => joint.role === role);
}

export function wristOf(rig: RigDescription, side: SideName): number {
	return jointOfRole(rig, `${side}Hand`);
}

/** In front of the shoulder, within reach: three quarters of the arm away and a little low. */
export function firstTarget(rig: RigDescription, side: SideName): ReachTarget {
	const at = (role: string): V3 | null => rig.joints[jointOfRole(rig, role)]?.model_position ?? null;
	const shoulder = at(`${side}UpperArm`);
	const elbow = at(`${side}LowerArm`);
	const wrist = at(`${side}Hand`);
	if (!shoulder || !elbow || !wrist) {
		const out = side === "left" ? 0.2 : -0.2;
		return { position: [out * rig.size, rig.floor + 0.6 * rig.size, 0.25 * rig.size], rotation: null };
	}
	const arm = distance(shoulder, elbow) + distance(elbow, wrist);
	return {
		position: [shoulder[0], shoulder[1] - 0.25 * arm, shoulder[2] + 0.75 * arm],
		rotation: null,
	};
}

/** How the hand is turned now. */
export function turnNow(rig: RigDescription, side: SideName): Q {
	const wrist = wristOf(rig, side);
	const now = frames.latest?.pose.rotations;
	if (now && wrist >= 0) return quaternionAt(now, wrist);
	return rig.joints[wrist]?.model_rotation ?? [0, 0, 0, 1];
}

/** Where a joint is now. */
export function placeNow(rig: RigDescription, joint: number): V3 {
	const now = frames.latest?.pose.positions;
	return now ? vectorAt(now, joint) : (rig.joints[joint]?.model_position ?? [0, 0, 0]);
}

/** The scene with a hand's target put there or taken away. */
export function withHand(scene: ReachScene, side: SideName, target: ReachTarget | null): ReachScene {
	return { ...scene, [side]: target };
}
