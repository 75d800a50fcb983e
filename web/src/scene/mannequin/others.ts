// Bodies of what is no person: animals and tails as smooth limbs, robots as housings.

import type { V3 } from "../../maths";
import type { JointDescription, RigDescription } from "../../wire";
import { type Bone, bonesOf, endsOf, restOf } from "../bones";
import { add, type Group, type Part, scaled, subtract, unit } from "./shape";

/** Machines turn about axes and slide; what grows has balls. */
function isMachine(rig: RigDescription): boolean {
	const moving = rig.joints.filter(({ kind, parent }) => kind !== "fixed" && parent !== null);
	const geared = moving.filter(({ kind }) => kind === "hinge" || kind === "prismatic").length;
	return moving.length > 0 && geared > 0.7 * moving.length;
}

/**
 * What carries more is thicker: the cross-section goes with the length of all that hangs on it, as in trees and
 * legs (the pipe model, Shinozaki 1964).
 */
function radiiOf(rig: RigDescription, bones: readonly Bone[]): number[] {
	const carried = rig.joints.map(({ tip }) => (tip ? Math.hypot(...tip) : 0));
	// Children come after their parents. Joints that lie on one another have no bone between them.
	for (let joint = rig.joints.length - 1; joint >= 0; joint -= 1) {
		const { parent, rest_position: offset } = rig.joints[joint] as JointDescription;
		if (parent !== null)
			carried[parent] = (carried[parent] ?? 0) + Math.hypot(...offset) + (carried[joint] ?? 0);
	}
	return bones.map((bone) => {
		const length = bone.length + (bone.to === null ? 0 : (carried[bone.to] ?? 0));
		return Math.min(0.07, Math.max(0.006, 0.034 * Math.sqrt(length / rig.size))) * rig.size;
	});
}

/** For every joint, the first of those that lie where it does, on the way to the root. */
function placesOf(rig: RigDescription, bones: readonly Bone[]): number[] {
	const ends = new Set(bones.flatMap(({ to }) => (to === null ? [] : [to])));
	const places: number[] = [];
	rig.joints.forEach(({ parent }, joint) => {
		places.push(parent === null || ends.has(joint) ? joint : (places[parent] ?? joint));
	});
	return places;
}

export function creatureOf(rig: RigDescription): Group[] {
	const rest = restOf(rig);
	const bones = bonesOf(rig);
	const radii = radiiOf(rig, bones);
	const place = placesOf(rig, bones);
	// The thickest bone that goes on from a place: its line is one with the bone before it.
	const heir = new Map<number, number>();
	bones.forEach((bone, i) => {
		const from = place[bone.from] ?? bone.from;
		const other = heir.get(from);
		if (other === undefined || (radii[other] ?? 0) < (radii[i] ?? 0)) heir.set(from, i);
	});
	const parts: Part[] = bones.map((bone, i) => {
		const [from, to] = endsOf(bone, rest);
		const next = bone.to === null ? undefined : heir.get(place[bone.to] ?? bone.to);
		const radius = radii[i] ?? 0;
		const end = next === undefined ? 0.6 * radius : (radii[next] ?? radius);
		return { joint: bone.from, from, to, fromRadius: radius, toRadius: end };
	});
	if (isMachine(rig)) return machineOf(rig, parts);
	// What only lies close at rest does not grow together: a branch is a surface of its own.
	const groupOf = new Map<number, Part[]>();
	const groups: Part[][] = [];
	bones.forEach((bone, i) => {
		const from = place[bone.from] ?? bone.from;
		const goesOn = heir.get(from) === i ? groupOf.get(from) : undefined;
		const group = goesOn ?? [];
		if (!goesOn) groups.push(group);
		group.push(parts[i] as Part);
		if (bone.to !== null) groupOf.set(place[bone.to] ?? bone.to, group);
	});
	return groups.map((group) => {
		const thinnest = Math.min(...group.map((p) => Math.min(p.fromRadius, p.toRadius)));
		const mean = group.reduce((sum, p) => sum + p.fromRadius + p.toRadius, 0) / (2 * group.length);
		return { parts: group, blend: 0.15 * mean, cell: Math.max(0.5 * thinnest, 0.25 * mean), colour: "skin" };
	});
}

/** Tubes between drums, and an eye on what ends a single arm. */
function machineOf(rig: RigDescription, parts: Part[]): Group[] {
	const at = (joint: number) =>
		Math.max(0.008 * rig.size, ...parts.filter((p) => p.joint === joint).map((p) => p.fromRadius));
	const links = parts.map((part) => ({
		...part,
		fromRadius: 0.8 * part.fromRadius,
		toRadius: 0.65 * part.toRadius,
	}));
	const drums: Part[] = rig.joints.flatMap(({ kind, model_position }, joint) =>
		kind === "hinge" || kind === "prismatic" || kind === "ball"
			? [
					{
						joint,
						from: model_position,
						to: model_position,
						fromRadius: 1.1 * at(joint),
						toRadius: 1.1 * at(joint),
					},
				]
			: [],
	);
	const groups: Group[] = [
		{ parts: links, blend: 0, cell: 0, colour: "skin" },
		{ parts: drums, blend: 0, cell: 0, colour: "joint" },
	];
	const forks = new Set<number>();
	const seen = new Set<number>();
	for (const { parent } of rig.joints) {
		if (parent !== null) (seen.has(parent) ? forks : seen).add(parent);
	}
	const end = parts.at(-1);
	if (forks.size === 0 && end) {
		const ahead: V3 = unit(subtract(end.to, end.from), [0, 1, 0]);
		const radius = Math.max(end.toRadius, 0.018 * rig.size);
		const place = add(end.to, scaled(ahead, 0.35 * radius));
		groups.push(
			{
				parts: [
					{ joint: end.joint, from: end.to, to: end.to, fromRadius: 1.25 * radius, toRadius: 1.25 * radius },
				],
				blend: 0,
				cell: 0,
				colour: "skin",
			},
			{
				parts: [
					{
						joint: end.joint,
						from: place,
						to: add(place, scaled(ahead, 0.25 * radius)),
						fromRadius: radius,
						toRadius: 0.8 * radius,
					},
				],
				blend: 0,
				cell: 0,
				colour: "eye",
			},
		);
	}
	return groups;
}
