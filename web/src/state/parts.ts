// The parts of a person in words, and whether somebody should be asked for them.

import type { Fitting, RigDescription } from "../wire";

/** `leftUpperArm` as "Left upper arm". */
export function partInWords(role: string): string {
	const words = role.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);
	return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The heading under which a part is listed. */
export function groupOf(role: string): "body" | "more" | "fingers" {
	if (/(Thumb|Index|Middle|Ring|Little)/.test(role)) return "fingers";
	return /(Eye|jaw|Toes|Shoulder|chest|Chest|neck)/.test(role) ? "more" : "body";
}

/** A body has so many joints at least: what has fewer is no person whose joints are called oddly. */
const FEWEST = 15;

/** Whether a file may be a person whose joints nobody can tell: then it is asked which is which. */
export function isPuzzling({ joints, parts }: RigDescription): boolean {
	const isMachine = joints.every(({ kind }) => kind === "fixed" || kind === "hinge" || kind === "prismatic");
	const missing = parts.some(({ needed, joint }) => needed && joint === null);
	return missing && !isMachine && joints.length >= FEWEST;
}

/** What is said of a rig, without what says nothing. */
export function sameFitting(a: Fitting, b: Fitting): boolean {
	const roles = (fitting: Fitting) => JSON.stringify(Object.entries(fitting.roles).sort());
	return a.scale === b.scale && a.up === b.up && a.anatomy === b.anatomy && roles(a) === roles(b);
}
