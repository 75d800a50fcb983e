// The colours of feet, in the trail as in the stride curve.

import type { Palette } from "../../scene/palette";
import type { FootFrame, RigDescription } from "../../wire";

export function footColours(palette: Palette): string[] {
	return [palette.target, palette.ghost, palette.pin, palette.selected, palette.obstacle, palette.blocking];
}

/** What to call a foot: "left foot" of `l_foot` is the file's business; names are shown as they are. */
export function footName(rig: RigDescription, foot: Pick<FootFrame, "joint">): string {
	const joint = rig.joints[foot.joint];
	const side = /^(left|right)/.exec(joint?.role ?? "")?.[1];
	return side ?? joint?.name ?? "foot";
}
