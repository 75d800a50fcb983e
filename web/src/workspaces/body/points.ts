// The points of a body, which of them are used, and what became of each.

import { IDENTITY, type Q, type V3 } from "../../maths";
import type { BodyScene, PointState, RigDescription } from "../../wire";

/** The six first; the order of the panel. */
export const POINTS = [
	"pelvis",
	"head",
	"left-wrist",
	"right-wrist",
	"left-ankle",
	"right-ankle",
	"chest",
	"left-elbow",
	"right-elbow",
	"left-knee",
	"right-knee",
] as const;

export const SIX: readonly string[] = POINTS.slice(0, 6);

export const PRESETS: readonly { label: string; title: string; points: readonly string[] }[] = [
	{ label: "3", title: "Head and wrists", points: POINTS.slice(1, 4) },
	{ label: "4", title: "Pelvis, head and wrists", points: POINTS.slice(0, 4) },
	{ label: "6", title: "Pelvis, head, wrists and ankles", points: SIX },
	{ label: "11", title: "All of them", points: POINTS },
];

/** A point's name in words. */
export function pointInWords(point: string): string {
	const words = point.replaceAll("-", " ");
	return words.charAt(0).toUpperCase() + words.slice(1);
}

function same(a: readonly string[], b: readonly string[]): boolean {
	return a.length === b.length && a.every((point) => b.includes(point));
}

/** The preset that a choice is; empty if it is none. */
export function presetOf(points: readonly string[]): string {
	return PRESETS.find((preset) => same(preset.points, points))?.label ?? "";
}

/** Only SIK takes other points than the six, and orientations. */
export function takesAnyPoints(method: string): boolean {
	return method === "sik" || method === "sik+";
}

/** The scene with another method, and with points that it can use. */
export function withMethod(scene: BodyScene, method: string): BodyScene {
	if (takesAnyPoints(method)) return { ...scene, method };
	return { ...scene, method, points: [...SIX], orientations: false };
}

/** The scene with a point used or not, in the order of the list. One point at least stays. */
export function withPoint(scene: BodyScene, point: string, used: boolean): BodyScene {
	const points = POINTS.filter((other) => (other === point ? used : scene.points.includes(other)));
	return points.length === 0 ? scene : { ...scene, points };
}

/** How a point's place is to be taken. */
export function standing(source: string): "good" | "filled" | "doubted" {
	if (source === "measured") return "good";
	return source === "filled in" || source === "catching up" ? "filled" : "doubted";
}

/** Where a marker is: where it was put, or where the server has it. */
export function markerPlace(scene: BodyScene, states: readonly PointState[], point: string): V3 | null {
	const put =
		scene.source.kind === "markers" && scene.source.markers.find((marker) => marker.point === point);
	if (put) return put.position;
	return states.find((state) => state.point === point)?.position ?? null;
}

const ROLES: Record<string, readonly string[]> = {
	pelvis: ["hips"],
	head: ["head"],
	chest: ["upperChest", "chest", "spine"],
	wrist: ["Hand"],
	ankle: ["Foot"],
	elbow: ["LowerArm"],
	knee: ["LowerLeg"],
};

/** How the point's joint is turned at rest. */
export function restTurn(rig: RigDescription, point: string): Q {
	const [, side = "", part = ""] = /^(left|right)?-?(.*)$/.exec(point) ?? [];
	for (const role of ROLES[part] ?? []) {
		const found = rig.joints.find((joint) => joint.role === `${side}${role}`);
		if (found) return found.model_rotation;
	}
	return IDENTITY;
}
