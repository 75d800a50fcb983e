// Postures as lists: angles for the sliders, rotations for keeping them.

import { IDENTITY, inverse, multiply, type Q, quaternionAt } from "../../maths";
import type { JointDescription, LookScene, Placed, PostureDocument, RigDescription } from "../../wire";

/** Shapes that the studio gives to every chain; they cannot be forgotten. */
export const GIVEN: readonly string[] = ["straight", "bow", "wave", "coil"];

/** A joint with a slider, and where it stands in the rig. */
export interface Slid {
	place: number;
	joint: JointDescription;
	range: [number, number];
}

/** The joints that have sliders: hinges and slides. */
export function slidJoints(rig: RigDescription): Slid[] {
	return rig.joints.flatMap((joint, place) => (joint.range ? [{ place, joint, range: joint.range }] : []));
}

export function isSlide(joint: JointDescription): boolean {
	return joint.kind === "prismatic";
}

/** The scene with one value of its posture changed. */
export function withValue(scene: LookScene, joints: number, place: number, value: number): LookScene {
	const values = Array.from({ length: joints }, (_, i) => scene.values[i] ?? 0);
	values[place] = value;
	return { ...scene, values };
}

/** The scene in a kept posture. */
export function withPosture(scene: LookScene, { values, rotations }: PostureDocument): LookScene {
	return { ...scene, values, rotations };
}

/** Whether the scene is in a posture: the same values, and the same turns of what is no hinge, to a thousandth. */
export function isIn(scene: LookScene, posture: PostureDocument): boolean {
	const near = (a: number, b: number) => Math.abs(a - b) < 1e-3;
	// Without rotations everything is turned as at rest; a hinge's turn is in its value.
	const turned = (i: number) => scene.rotations[i] ?? (i % 4 === 3 ? 1 : 0);
	return (
		posture.values.every((value, i) => near(value, scene.values[i] ?? 0)) &&
		(posture.values.some((value) => value !== 0) ||
			posture.rotations.every((value, i) => near(value, turned(i))))
	);
}

/** Every joint's rotation relative to its rest, from where the joints are in model space. */
export function relativeRotations(rig: RigDescription, placed: Placed): number[] {
	return rig.joints.flatMap((joint, place) => {
		const parent: Q = joint.parent === null ? IDENTITY : quaternionAt(placed.rotations, joint.parent);
		const local = multiply(inverse(parent), quaternionAt(placed.rotations, place));
		return multiply(inverse(joint.rest_rotation), local);
	});
}

/** A turn from straight ahead: to the left, up, and over to the left shoulder, in radians. */
export interface Direction {
	yaw: number;
	pitch: number;
	roll: number;
}

/** First over, then up, then to the side: about z, x, y. Up is against the turn about x. */
export function turnOf({ yaw, pitch, roll }: Direction): Q {
	const about = (axis: 0 | 1 | 2, angle: number): Q => {
		const turn: Q = [0, 0, 0, Math.cos(angle / 2)];
		turn[axis] = Math.sin(angle / 2);
		return turn;
	};
	return multiply(multiply(about(1, yaw), about(0, -pitch)), about(2, -roll));
}

/** The angles of a turn; straight up and down all of the turn is yaw. */
export function directionOf([x, y, z, w]: Q): Direction {
	const sine = Math.min(1, Math.max(-1, 2 * (w * x - y * z)));
	const upright = Math.abs(sine) > 0.99999;
	return {
		yaw: upright ? 2 * Math.atan2(y, w) : Math.atan2(2 * (x * z + w * y), 1 - 2 * (x * x + y * y)),
		pitch: -Math.asin(sine),
		roll: upright ? 0 : -Math.atan2(2 * (x * y + w * z), 1 - 2 * (x * x + z * z)),
	};
}
