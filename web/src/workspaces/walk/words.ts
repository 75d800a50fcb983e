// What the walker does, in words.

import type { BlockedFrame, Gait, WalkFrame } from "../../wire";
import { lengthInWords } from "../pose/words";

const GAITS: Record<Gait, string> = {
	stand: "Standing. Hold W to walk.",
	walk: "Walking",
	run: "Running",
	trot: "Trotting, diagonal legs in turn",
	alternate: "Walking, every other leg in turn",
};

function blockedInWords({ by, size }: BlockedFrame): string {
	switch (by) {
		case "wall":
			return `a wall, at least ${lengthInWords(size)} high`;
		case "step":
			return `a step of ${lengthInWords(size)}, which is too high`;
		case "drop":
			return `a drop of ${lengthInWords(size)}, which is too deep`;
		case "slope":
			return `a slope of ${Math.round(100 * size)} %, which is too steep`;
	}
}

/** For the status line. */
export function walkInWords(walk: WalkFrame): { good: boolean; text: string } {
	const good = walk.slip < 0.01;
	if (walk.blocked && walk.standing)
		return { good: true, text: `Stopped by ${blockedInWords(walk.blocked)}. A and D turn away.` };
	if (walk.blocked) return { good, text: `${GAITS[walk.gait]}; ahead is ${blockedInWords(walk.blocked)}.` };
	if (walk.gait === "stand") return { good, text: GAITS.stand };
	const slip = `planted feet are ${(1000 * walk.slip).toFixed(1)} mm off`;
	return { good, text: `${GAITS[walk.gait]}; ${slip}${good || !walk.cause ? "" : `: ${walk.cause}`}.` };
}
