// The colours of feet, in the trail as in the stride curve.

import type { Palette } from "../../scene/palette";
import type { FootFrame, RigDescription } from "../../wire";

export function footColours(palette: Palette): string[] {
	const { target, ghost, pin, selected, obstacle, blocking, bone, jointHover } = palette;
	return [target, ghost, pin, selected, obstacle, blocking, bone, jointHover];
}

/** What to call a foot: its side if there are two, otherwise its name, without what all have in common. */
export function footName(rig: RigDescription, foot: Pick<FootFrame, "joint">, count: number): string {
	const joint = rig.joints[foot.joint];
	const side = /^(left|right)/.exec(joint?.role ?? "")?.[1];
	if (side && count <= 2) return side;
	return joint?.name.replace(/[_ ]?foot$/i, "") || "foot";
}
