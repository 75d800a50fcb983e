// The pose shown and the time it belongs to: what undo, links and a new connection bring back.

import type { Placed } from "../wire";
import { detailsOf, frames } from "./frames";
import { nextInput, send } from "./talk";

export interface Moment {
	pose: Placed;
	/** Where a target was on its path, in Look. */
	time: number | null;
}

/** What is shown now; `null` before the first frame. */
export function momentNow(): Moment | null {
	const frame = frames.latest;
	return frame && { pose: frame.pose, time: detailsOf(frame, "look")?.phase ?? null };
}

/** Shows a moment of the scene that was sent before, until there is input. */
export function showMoment(moment: Moment | null): void {
	if (moment) send({ type: "stand", input: nextInput(), pose: moment.pose, time: moment.time });
}
