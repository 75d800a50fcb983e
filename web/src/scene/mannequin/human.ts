// A person's body from the joints that play its parts.
//
// All sizes are shares of the stature, which the legs give: hip to ankle is 0.49 of it
// (Drillis & Contini 1966). A rig with long arms so has long, not thick, arms.

import type { V3 } from "../../maths";
import type { RigDescription } from "../../wire";
import { add, cross, distance, dot, type Group, lerp, type Part, scaled, subtract, unit } from "./shape";

const SIDES = ["left", "right"] as const;
const FINGERS = ["Index", "Middle", "Ring", "Little"] as const;

/** What is known of a person before anything is drawn. */
interface Person {
	rig: RigDescription;
	stature: number;
	up: V3;
	left: V3;
	forward: V3;
	role(name: string): number | undefined;
	at(joint: number): V3;
}

const REQUIRED = ["hips", "head"].concat(
	SIDES.flatMap((side) =>
		["UpperArm", "LowerArm", "Hand", "UpperLeg", "LowerLeg", "Foot"].map((part) => side + part),
	),
);

/** The surfaces of a person; `null` if the rig lacks a part of one. */
export function personOf(rig: RigDescription): Group[] | null {
	const roles = new Map(rig.joints.flatMap(({ role }, joint) => (role ? [[role, joint] as const] : [])));
	if (!REQUIRED.every((role) => roles.has(role))) return null;
	const role = (name: string) => roles.get(name);
	const at = (joint: number): V3 => rig.joints[joint]?.model_position ?? [0, 0, 0];
	const place = (name: string): V3 => at(roles.get(name) ?? 0);
	const up = unit(subtract(place("head"), place("hips")), [0, 1, 0]);
	const acrossHips = subtract(place("leftUpperLeg"), place("rightUpperLeg"));
	const left = unit(subtract(acrossHips, scaled(up, dot(acrossHips, up))), [1, 0, 0]);
	const legs = SIDES.map(
		(side) =>
			distance(place(`${side}UpperLeg`), place(`${side}LowerLeg`)) +
			distance(place(`${side}LowerLeg`), place(`${side}Foot`)),
	);
	const stature = ((legs[0] ?? 0) + (legs[1] ?? 0)) / 2 / 0.49;
	if (!(stature > 1e-3 * rig.size)) return null;
	const person: Person = { rig, stature, up, left, forward: cross(left, up), role, at };
	return [...trunk(person), ...SIDES.flatMap((side) => [...arm(person, side), leg(person, side)])];
}

/** The joints from one down to another, both among them; only `from` where `to` does not hang on it. */
function path(rig: RigDescription, from: number, to: number): number[] {
	const way: number[] = [];
	for (let j: number | null = to; j !== null; j = rig.joints[j]?.parent ?? null) {
		way.unshift(j);
		if (j === from) return way;
	}
	return [from];
}

/** Half the trunk's width and depth from the hips (0) to the height of the shoulders (1). */
const TRUNK: [number, number, number][] = [
	[0, 0.078, 0.055],
	[0.2, 0.074, 0.052],
	[0.42, 0.063, 0.045],
	[0.62, 0.072, 0.051],
	[0.82, 0.082, 0.056],
	[0.95, 0.07, 0.046],
	[1, 0.055, 0.038],
];

/** From the joint of a head to the crown. */
const CROWN = 0.125;

function trunkAt(t: number): [number, number] {
	const next = TRUNK.findIndex(([at]) => at >= t);
	const [a, b] = [TRUNK[Math.max(0, next - 1)], TRUNK[Math.max(0, next)]];
	if (!a || !b) return [0.08, 0.06];
	const k = b[0] > a[0] ? (t - a[0]) / (b[0] - a[0]) : 0;
	return [a[1] + k * (b[1] - a[1]), a[2] + k * (b[2] - a[2])];
}

function trunk(person: Person): Group[] {
	const { rig, stature: s, up, left, forward, role, at } = person;
	const hips = role("hips") ?? 0;
	const head = role("head") ?? 0;
	const neck = role("neck") ?? rig.joints[head]?.parent ?? head;
	const parts: Part[] = [];

	const spine = path(rig, hips, neck);
	const places = spine.map(at);
	const shoulders = lerp(at(role("leftUpperArm") ?? 0), at(role("rightUpperArm") ?? 0), 0.5);
	// Robots have no neck above their waists: what carries the head carries the chest.
	const above = dot(subtract(shoulders, places.at(-1) as V3), up);
	if (places.length < 2 || above > 0.04 * s) {
		spine.push(spine.at(-1) ?? hips);
		places.push(shoulders);
	}
	const lengths = places.slice(1).map((p, i) => distance(p, places[i] as V3));
	const whole = lengths.reduce((a, b) => a + b, 0) || 1;
	const sample = (t: number): [V3, number] => {
		let rest = t * whole;
		for (let i = 0; i < lengths.length; i += 1) {
			const length = lengths[i] as number;
			if (rest <= length || i + 1 === lengths.length) {
				return [
					lerp(places[i] as V3, places[i + 1] as V3, length > 0 ? rest / length : 0),
					spine[i] as number,
				];
			}
			rest -= length;
		}
		return [places[0] as V3, hips];
	};
	// Rigs put the joint called a neck anywhere between the shoulders and the skull: the trunk ends at the shoulders.
	const height = (p: V3) => dot(subtract(p, places[0] as V3), up);
	const top = Math.min(
		1,
		Math.max(0.5, (height(shoulders) + 0.012 * s) / Math.max(height(sample(1)[0]), 1e-9)),
	);
	// The spine runs along the back: the body is before it.
	const before = scaled(forward, 0.012 * s);
	const slices = 9;
	for (let i = 0; i < slices; i += 1) {
		const [t, u] = [i / slices, (i + 1) / slices];
		const [from, joint] = sample(t * top);
		const [to] = sample(u * top);
		const [width, depth] = trunkAt(t);
		const [, nextDepth] = trunkAt(u);
		parts.push({
			joint,
			from: add(from, before),
			to: add(to, before),
			fromRadius: depth * s,
			toRadius: nextDepth * s,
			across: left,
			wide: width / depth,
		});
	}
	const [collar, carriesNeck] = sample(top);
	parts.push({
		joint: carriesNeck,
		from: add(collar, before),
		to: lerp(add(collar, before), at(head), 0.5),
		fromRadius: 0.037 * s,
		toRadius: 0.027 * s,
	});
	// Nor need the joint called hips be near them.
	const seat = lerp(at(role("leftUpperLeg") ?? 0), at(role("rightUpperLeg") ?? 0), 0.5);
	parts.push({
		joint: hips,
		from: add(at(hips), before),
		to: seat,
		fromRadius: 0.054 * s,
		toRadius: 0.05 * s,
		across: left,
		wide: 1.35,
	});
	for (const side of SIDES) {
		const hip = at(role(`${side}UpperLeg`) ?? 0);
		parts.push({
			joint: hips,
			from: seat,
			to: lerp(seat, hip, 0.85),
			fromRadius: 0.052 * s,
			toRadius: 0.05 * s,
		});
		parts.push(thigh(person, side));
		const upperArm = role(`${side}UpperArm`) ?? 0;
		const carrier = role(`${side}Shoulder`) ?? rig.joints[upperArm]?.parent ?? hips;
		const inner = add(shoulders, scaled(up, 0.004 * s));
		parts.push({
			joint: carrier,
			from: lerp(inner, at(upperArm), 0.3),
			to: at(upperArm),
			fromRadius: 0.03 * s,
			toRadius: 0.029 * s,
		});
	}
	parts.push({
		joint: neck,
		from: lerp(add(collar, before), at(head), 0.5),
		to: add(at(head), scaled(up, 0.02 * s)),
		fromRadius: 0.027 * s,
		toRadius: 0.026 * s,
	});

	// A crown is as high as the person is tall, 0.47 of it above the hip joints: rigs put the joint called a head anywhere
	// between the neck and the ears.
	const tooHigh = dot(subtract(at(head), seat), up) + CROWN * s - 0.47 * s;
	const h = add(at(head), scaled(up, -Math.min(0.035 * s, Math.max(0, tooHigh))));
	const on = (upwards: number, ahead: number, aside = 0): V3 =>
		add(add(add(h, scaled(up, upwards * s)), scaled(forward, ahead * s)), scaled(left, aside * s));
	const skull: Part[] = [
		{
			joint: head,
			from: on(0.055, 0.004),
			to: on(0.078, 0.01),
			fromRadius: 0.05 * s,
			toRadius: 0.047 * s,
			across: left,
			wide: 0.86,
		},
		{ joint: head, from: on(0.03, 0.024), to: on(0.014, 0.04), fromRadius: 0.032 * s, toRadius: 0.018 * s },
		// A nose and eyes show where it looks.
		{ joint: head, from: on(0.058, 0.056), to: on(0.044, 0.064), fromRadius: 0.005 * s, toRadius: 0.008 * s },
	];
	const eyes: Part[] = [-1, 1].map((side) => {
		const place = on(0.062, 0.0495, 0.018 * side);
		return { joint: head, from: place, to: place, fromRadius: 0.0062 * s, toRadius: 0.0062 * s };
	});
	return [
		{ parts, blend: 0.008 * s, cell: 0.009 * s, colour: "skin" },
		{ parts: skull, blend: 0.006 * s, cell: 0.005 * s, colour: "skin" },
		{ parts: eyes, blend: 0, cell: 0, colour: "eye" },
	];
}

/**
 * The beginning of a leg as a part of the trunk, so that hips are one smooth skin. It tapers into the leg's own surface,
 * which it meets at a few degrees. Arms hang beside the trunk: theirs would grow together with it.
 */
function thigh({ stature: s, role, at }: Person, side: "left" | "right"): Part {
	const joint = role(`${side}UpperLeg`) ?? 0;
	const end = lerp(at(joint), at(role(`${side}LowerLeg`) ?? joint), 0.6);
	return { joint, from: at(joint), to: end, fromRadius: 0.047 * s, toRadius: 0.029 * s, hold: 3 };
}

function arm(person: Person, side: "left" | "right"): Group[] {
	const { stature: s, forward, role, at } = person;
	const upper = role(`${side}UpperArm`) ?? 0;
	const lower = role(`${side}LowerArm`) ?? 0;
	const hand = role(`${side}Hand`) ?? 0;
	const [shoulder, elbow, wrist] = [at(upper), at(lower), at(hand)];
	const along = unit(subtract(wrist, elbow), [0, -1, 0]);
	const limb: Part[] = [
		{
			joint: upper,
			from: shoulder,
			to: lerp(shoulder, elbow, 0.45),
			fromRadius: 0.031 * s,
			toRadius: 0.027 * s,
		},
		{
			joint: upper,
			from: lerp(shoulder, elbow, 0.45),
			to: elbow,
			fromRadius: 0.027 * s,
			toRadius: 0.021 * s,
		},
		{ joint: lower, from: elbow, to: lerp(elbow, wrist, 0.3), fromRadius: 0.021 * s, toRadius: 0.023 * s },
		{ joint: lower, from: lerp(elbow, wrist, 0.3), to: wrist, fromRadius: 0.023 * s, toRadius: 0.0145 * s },
	];
	const palm: Part[] = [];
	const knuckles = FINGERS.flatMap((finger) => {
		const joint = role(`${side}${finger}Proximal`);
		return joint === undefined ? [] : [at(joint)];
	});
	const [first, last] = [knuckles[0], knuckles.at(-1)];
	// Hands lie flat in a T-pose and along the thighs in others: both are wide from front to back.
	const flat = unit(subtract(forward, scaled(along, dot(forward, along))), [0, 0, 1]);
	if (first && last && knuckles.length > 1) {
		for (const knuckle of knuckles) {
			palm.push({
				joint: hand,
				from: lerp(wrist, knuckle, 0.1),
				to: knuckle,
				fromRadius: 0.0115 * s,
				toRadius: 0.0085 * s,
			});
		}
		for (const finger of [...FINGERS, "Thumb"]) palm.push(...fingerOf(person, `${side}${finger}`));
	} else {
		const on = (far: number, ahead = 0): V3 =>
			add(add(wrist, scaled(along, far * s)), scaled(flat, ahead * s));
		palm.push(
			{
				joint: hand,
				from: wrist,
				to: on(0.05),
				fromRadius: 0.0125 * s,
				toRadius: 0.0135 * s,
				across: flat,
				wide: 1.75,
			},
			{
				joint: hand,
				from: on(0.05),
				to: on(0.095),
				fromRadius: 0.012 * s,
				toRadius: 0.008 * s,
				across: flat,
				wide: 1.9,
			},
			{
				joint: hand,
				from: on(0.02, 0.014),
				to: on(0.052, 0.034),
				fromRadius: 0.0095 * s,
				toRadius: 0.0075 * s,
			},
		);
	}
	return [
		{ parts: limb, blend: 0.0035 * s, cell: 0.0065 * s, colour: "skin" },
		{ parts: palm, blend: 0.0025 * s, cell: 0.0032 * s, colour: "skin" },
	];
}

/** The phalanges of a finger, with an end as long as the one before it. */
function fingerOf({ role, at, stature: s }: Person, finger: string): Part[] {
	const joints = ["Metacarpal", "Proximal", "Intermediate", "Distal"].flatMap((phalanx) => {
		const joint = role(finger + phalanx);
		return joint === undefined ? [] : [joint];
	});
	return joints.map((joint, i) => {
		const from = at(joint);
		const next = joints[i + 1];
		const before = joints[i - 1];
		const to =
			next !== undefined
				? at(next)
				: before !== undefined
					? add(from, scaled(subtract(from, at(before)), 0.85))
					: from;
		return { joint, from, to, fromRadius: (0.0072 - 0.0007 * i) * s, toRadius: (0.0065 - 0.0007 * i) * s };
	});
}

function leg(person: Person, side: "left" | "right"): Group {
	const { rig, stature: s, up, left, forward, role, at } = person;
	const upper = role(`${side}UpperLeg`) ?? 0;
	const lower = role(`${side}LowerLeg`) ?? 0;
	const foot = role(`${side}Foot`) ?? 0;
	const toes = role(`${side}Toes`);
	const [hip, knee, ankle] = [at(upper), at(lower), at(foot)];
	const back = scaled(forward, -0.008 * s);
	const calf = add(lerp(knee, ankle, 0.3), back);
	const parts: Part[] = [
		{ joint: upper, from: hip, to: lerp(hip, knee, 0.35), fromRadius: 0.049 * s, toRadius: 0.046 * s },
		{ joint: upper, from: lerp(hip, knee, 0.35), to: knee, fromRadius: 0.047 * s, toRadius: 0.031 * s },
		{ joint: lower, from: knee, to: calf, fromRadius: 0.03 * s, toRadius: 0.033 * s },
		{ joint: lower, from: calf, to: ankle, fromRadius: 0.033 * s, toRadius: 0.02 * s },
	];
	// Soles stand on the floor where the rig rests on it, and a usual ankle's height below it elsewhere.
	const aboveFloor = ankle[1] - rig.floor;
	const ankleHeight = aboveFloor > 0.01 * s && aboveFloor < 0.09 * s ? aboveFloor : 0.045 * s;
	const on = (ahead: number, thick: number): V3 =>
		add(add(ankle, scaled(up, thick * s - ankleHeight)), scaled(forward, ahead * s));
	const ball = toes === undefined ? on(0.085, 0.016) : alongside(at(toes), on(0, 0.016), up);
	const ahead = dot(subtract(ball, ankle), forward) / s;
	parts.push(
		{ joint: foot, from: ankle, to: on(-0.022, 0.022), fromRadius: 0.021 * s, toRadius: 0.021 * s },
		{
			joint: foot,
			from: on(-0.015, 0.02),
			to: ball,
			fromRadius: 0.02 * s,
			toRadius: 0.016 * s,
			across: left,
			wide: 1.5,
		},
		{ joint: foot, from: ankle, to: lerp(ankle, ball, 0.75), fromRadius: 0.02 * s, toRadius: 0.015 * s },
		{
			joint: toes ?? foot,
			from: ball,
			to: on(Math.max(ahead, 0.03) + 0.042, 0.012),
			fromRadius: 0.016 * s,
			toRadius: 0.012 * s,
			across: left,
			wide: 1.8,
		},
	);
	return { parts, blend: 0.0045 * s, cell: 0.0075 * s, colour: "skin" };
}

/** `p` at the height of `level`. */
function alongside(p: V3, level: V3, up: V3): V3 {
	return add(p, scaled(up, dot(subtract(level, p), up)));
}
