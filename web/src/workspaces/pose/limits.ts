// Kinds of limits, and how one is made from another. The geometry is the
// server's; here are only the numbers that a new shape begins with.

import { IDENTITY, type Q, radians, turn, type V3 } from "../../maths";
import type { JointDescription, LimitDocument, LimitShape, RigDescription, Swing } from "../../wire";

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

/** Points on a circle about z. */
function ring(count: number, angle: number): V3[] {
	return Array.from({ length: count }, (_, i) => {
		const a = (2 * Math.PI * i) / count;
		return [Math.sin(angle) * Math.cos(a), Math.sin(angle) * Math.sin(a), Math.cos(angle)];
	});
}

/** The widest opening of a swing, to begin another kind with. */
export function openingOf(swing: Swing): number {
	switch (swing.kind) {
		case "cone":
			return swing.radius;
		case "ellipse":
			return Math.max(swing.x, swing.y);
		case "spline":
			return Math.max(...swing.knots.map((knot) => knot.amplitude), 0.1);
		case "polygon":
			return Math.max(
				...swing.vertices.map((vertex) => Math.acos(Math.min(1, Math.max(-1, vertex[2])))),
				0.1,
			);
		case "kusudama":
			return Math.max(...swing.cones.map((cone) => cone.radius), 0.1);
		default:
			return radians(60);
	}
}

/** The first shape of a swing of that kind and opening. */
export function firstSwing(kind: Swing["kind"], opening: number): Swing {
	const angle = Math.min(Math.max(opening, radians(5)), radians(170));
	switch (kind) {
		case "cone":
			return { kind, radius: angle };
		case "ellipse":
			return { kind, x: angle, y: 0.6 * angle };
		case "polygon":
			return { kind, vertices: ring(6, Math.min(angle, radians(85))) };
		case "spline":
			return {
				kind,
				knots: Array.from({ length: 6 }, (_, i) => ({
					circumduction: (Math.PI * i) / 3,
					amplitude: angle * (i % 3 === 0 ? 1 : 0.75),
				})),
			};
		case "kusudama": {
			const side = Math.min(angle, radians(60));
			const tilt = (sign: number): V3 => [sign * Math.sin(side), 0, Math.cos(side)];
			return {
				kind,
				cones: [
					{ axis: tilt(-1), radius: 0.5 * side, tangent: null },
					{ axis: tilt(1), radius: 0.5 * side, tangent: null },
				],
			};
		}
		default:
			return { kind: "free" };
	}
}

const AROUND = { min: -radians(60), max: radians(60) };

/** A limit of another kind, keeping what the two have in common. */
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
			return make({
				kind,
				frame: old?.kind === "swing_twist" ? old.frame : IDENTITY,
				order: "zxy",
				ranges: [AROUND, AROUND, AROUND],
			});
		default: {
			const same = old?.kind === "swing_twist" ? old : null;
			return make({
				kind: "swing_twist",
				frame: same?.frame ?? frameAlong(boneDirection(rig, place)),
				rest: same?.rest ?? IDENTITY,
				swing: firstSwing(kind, same ? openingOf(same.swing) : radians(60)),
				twist: same?.twist ?? { min: -radians(45), max: radians(45) },
			});
		}
	}
}

/** Where the limited direction of a swing points now, in the joint's rest frame; `null` if it is no swing. */
export function swingDirection(shape: LimitShape, rotation: Q): V3 | null {
	if (shape.kind !== "swing_twist") return null;
	return turn(rotation, turn(shape.frame, turn(shape.rest, [0, 0, 1])));
}
