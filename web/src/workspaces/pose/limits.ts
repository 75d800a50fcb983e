// Kinds of limits, and how one is made from another. The geometry is the
// server's; here are only the numbers that a new shape begins with, as near to the old one as it can be.

import { IDENTITY, inverse, multiply, type Q, radians, turn, type V3 } from "../../maths";
import type { JointDescription, LimitDocument, LimitShape, Range, RigDescription } from "../../wire";
import { ellipseLeans, type Leans, leansOf, nearestSwing } from "./equivalent";

export type LimitKind =
	| "none"
	| "hinge"
	| "universal"
	| "euler"
	| "prismatic"
	| "free"
	| "cone"
	| "ellipse"
	| "polygon"
	| "spline"
	| "kusudama";

export const KIND_WORDS: Record<LimitKind, string> = {
	none: "No limit",
	hinge: "Hinge",
	universal: "Two axes",
	euler: "Three angles (Euler)",
	prismatic: "Slide",
	free: "Twist only",
	cone: "Cone",
	ellipse: "Ellipse",
	polygon: "Polygon",
	spline: "Spline",
	kusudama: "Kusudama",
};

/** One word for a shape, the swing's own where it has one. */
export function kindOf(shape: LimitShape): LimitKind {
	return shape.kind === "swing_twist" ? shape.swing.kind : shape.kind;
}

/** What a joint can be limited by. */
export function kindsFor(joint: JointDescription): LimitKind[] {
	switch (joint.kind) {
		case "hinge":
			return ["none", "hinge"];
		case "universal":
			return ["none", "universal"];
		case "prismatic":
			return ["none", "prismatic"];
		case "ball":
		case "free":
			return ["none", "cone", "ellipse", "polygon", "spline", "kusudama", "euler", "free"];
		default:
			return ["none"];
	}
}

/** A turn from z to a direction. */
export function frameAlong(direction: V3): Q {
	const length = Math.hypot(...direction);
	if (length < 1e-9) return IDENTITY;
	const [x, y, z] = direction.map((part) => part / length) as V3;
	if (z < -0.999999) return [1, 0, 0, 0];
	// The shortest turn: its axis is z × direction, its half angle comes from 1 + cosine.
	const norm = Math.hypot(-y, x, 1 + z);
	return [-y / norm, x / norm, 0, (1 + z) / norm];
}

/** Where the bone of a joint points, in the joint's own frame: to its first child, or to its tip. */
export function boneDirection(rig: RigDescription, place: number): V3 {
	const child = rig.joints.find(
		(joint) => joint.parent === place && Math.hypot(...joint.rest_position) > 1e-6,
	);
	return child?.rest_position ?? rig.joints[place]?.tip ?? [0, 1, 0];
}

const AROUND = { min: -radians(60), max: radians(60) };

/** The nearest limit of another kind. */
export function changedKind(
	limit: LimitDocument | null,
	kind: LimitKind,
	rig: RigDescription,
	place: number,
): LimitDocument {
	const old = limit?.shape;
	const soft_zone = limit?.soft_zone ?? 0;
	const make = (shape: LimitShape): LimitDocument => ({ shape, soft_zone, outlines: [], handles: [] });
	switch (kind) {
		case "none":
			return make({ kind: "none" });
		// The axes of hinges and slides are the joint's own: zero asks the server for them.
		case "hinge":
			return make({ kind, axis: [0, 0, 0], range: AROUND });
		case "universal":
			return make({
				kind,
				axes: [
					[0, 0, 0],
					[0, 0, 0],
				],
				ranges: [AROUND, AROUND],
			});
		case "prismatic":
			return make({ kind, axis: [0, 0, 0], min: -0.1 * rig.size, max: 0.1 * rig.size });
		case "euler":
			return make(eulerOf(limit));
		default: {
			const before = old?.kind === "euler" ? swingOf(old, rig, place) : null;
			const same = old?.kind === "swing_twist" ? old : null;
			return make({
				kind: "swing_twist",
				frame: same?.frame ?? before?.frame ?? frameAlong(boneDirection(rig, place)),
				rest: same?.rest ?? IDENTITY,
				swing: nearestSwing(kind, leansOf(limit) ?? before?.leans ?? [radians(60)]),
				twist: same ? same.twist : (before?.twist ?? { min: -radians(45), max: radians(45) }),
			});
		}
	}
}

/**
 * Three angles about the axes of a swing's frame: turns about x and y as far as the swing leans that way, then
 * the twist about z.
 */
function eulerOf(limit: LimitDocument | null): LimitShape {
	const shape = limit?.shape;
	const leans = leansOf(limit);
	const swing = shape?.kind === "swing_twist" ? shape : null;
	// A turn about x leans z towards -y, one about y towards x.
	const lean = (quarter: number) => leans?.[(quarter * leans.length) / 4] ?? radians(60);
	return {
		kind: "euler",
		frame: swing ? multiply(swing.frame, swing.rest) : IDENTITY,
		order: "xyz",
		ranges: [{ min: -lean(1), max: lean(3) }, { min: -lean(2), max: lean(0) }, swing?.twist ?? AROUND],
	};
}

/** The swing of three angles, where their last axis is about the bone's; `null` where it is not. */
function swingOf(
	{ frame, order, ranges }: Extract<LimitShape, { kind: "euler" }>,
	rig: RigDescription,
	place: number,
): { frame: Q; leans: Leans; twist: Range } | null {
	const bone = boneDirection(rig, place);
	const along = turn(frame, [0, 0, 1]);
	const cosine = along.reduce((sum, x, axis) => sum + x * (bone[axis] ?? 0), 0) / Math.hypot(...bone);
	const range = (axis: string) => ranges[order.indexOf(axis)] ?? AROUND;
	if (cosine < Math.cos(radians(20))) return null;
	const half = ({ min, max }: Range) => Math.max((max - min) / 2, radians(1));
	return { frame, leans: ellipseLeans(half(range("x")), half(range("y"))), twist: range("z") };
}

/** Where the limited direction of a swing points now, in the joint's rest frame; `null` if it is no swing. */
export function swingDirection(shape: LimitShape, rotation: Q): V3 | null {
	if (shape.kind !== "swing_twist") return null;
	return turn(rotation, turn(shape.frame, turn(shape.rest, [0, 0, 1])));
}

/** Where the x axis of a limit is turned to about its z now, in the joint's rest frame: its twist. */
export function twistDirection(shape: LimitShape, rotation: Q): V3 | null {
	if (shape.kind !== "swing_twist") return null;
	const [, , z, w] = multiply(inverse(shape.frame), multiply(rotation, multiply(shape.frame, shape.rest)));
	const angle = 2 * Math.atan2(z, w);
	return turn(shape.frame, [Math.cos(angle), Math.sin(angle), 0]);
}
