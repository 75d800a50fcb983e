// A limit whose kind is changed and changed back is what it was, as long as nothing else was done to it.

import { setLimit } from "../../state/documents";
import { studio } from "../../state/store";
import type { LimitDocument, RigDescription } from "../../wire";
import { changedKind, KIND_WORDS, kindOf, type LimitKind } from "./limits";

/** Limits of a joint that came from one another by nothing but changes of their kind: one of each. */
type Kept = LimitDocument[];

/** By joint, for one rig. */
let kept: { rig: string; joints: Map<number, Kept> } = { rig: "", joints: new Map() };

const sameShape = (a: LimitDocument, b: LimitDocument) => JSON.stringify(a.shape) === JSON.stringify(b.shape);

const limitNow = (place: number): LimitDocument =>
	studio().rig?.joints[place]?.limit ?? { shape: { kind: "none" }, soft_zone: 0, outlines: [], handles: [] };

/** The limits that a limit was before, itself among them; others are forgotten once it was edited. */
export function goingBack(all: Kept, limit: LimitDocument): Kept {
	return all.some((other) => sameShape(other, limit)) ? all : [limit];
}

/** Gives the limit of a joint another kind: as it was when it had that kind, or the nearest of it. */
export async function changeKind(rig: RigDescription, place: number, kind: LimitKind): Promise<void> {
	const source = JSON.stringify(rig.source);
	if (kept.rig !== source) kept = { rig: source, joints: new Map() };
	const { joints } = kept;
	const limit = limitNow(place);
	const before = goingBack(joints.get(place) ?? [], limit);
	const known = before.find(({ shape }) => kindOf(shape) === kind);
	const next = known ? { ...known, soft_zone: limit.soft_zone } : changedKind(limit, kind, rig, place);
	if (!(await setLimit(place, next, `${KIND_WORDS[kind]} limit`))) return;
	const others = before.filter(({ shape }) => kindOf(shape) !== kind);
	joints.set(place, [...others, limitNow(place)]);
}
