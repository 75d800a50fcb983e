// Where feet were put down, the newest last.

import type { V3 } from "../../maths";
import type { FootFrame, WalkFrame } from "../../wire";

export interface Plant {
	foot: number;
	part: "heel" | "toe";
	at: V3;
}

const JUMP = 1;

/** Keeps the last places where heels and toes were put down. */
export class Plants {
	readonly list: Plant[] = [];
	private held = new Map<string, boolean>();
	private last: V3 | null = null;

	constructor(readonly most: number) {}

	/** Takes a frame; says whether there is something new. */
	take(frame: Pick<WalkFrame, "feet" | "place">): boolean {
		const before = this.list.length;
		// Put back to the start: the old plants are elsewhere, or on another ground.
		const jumped =
			this.last !== null && Math.hypot(frame.place[0] - this.last[0], frame.place[2] - this.last[2]) > JUMP;
		if (jumped) this.clear();
		this.last = frame.place;
		let added = 0;
		frame.feet.forEach((foot, i) => {
			added += this.takePart(i, "heel", foot.heel, foot.heel_planted);
			added += this.takePart(i, "toe", foot.toe, foot.toe_planted);
		});
		this.list.splice(0, this.list.length - this.most);
		return added > 0 || (jumped && before > 0);
	}

	clear(): void {
		this.list.length = 0;
		this.held.clear();
		this.last = null;
	}

	private takePart(foot: number, part: Plant["part"], at: V3, planted: boolean): number {
		const key = `${foot} ${part}`;
		const was = this.held.get(key) ?? false;
		this.held.set(key, planted);
		if (!planted || was) return 0;
		this.list.push({ foot, part, at: [...at] });
		return 1;
	}
}

/** How many of the feet are on the ground with heel or toes. */
export function plantedFeet(feet: readonly FootFrame[]): number {
	return feet.filter((foot) => foot.heel_planted || foot.toe_planted).length;
}
