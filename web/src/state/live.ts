// What is being dragged right now. It moves at the pointer's rate, so it stays
// out of React's state until the drag ends, when it becomes part of the scene.

import type { Q, V3 } from "../maths";

export interface Moved {
	position: V3;
	rotation: Q | null;
}

type Listener = (moved: Moved) => void;

class Live {
	readonly targets = new Map<string, Moved>();
	private readonly listeners = new Map<string, Set<Listener>>();

	set(target: string, moved: Moved): void {
		this.targets.set(target, moved);
		for (const listener of this.listeners.get(target) ?? []) listener(moved);
	}

	/** Takes away all that was dragged, and gives it back. */
	take(): Map<string, Moved> {
		const taken = new Map(this.targets);
		this.targets.clear();
		return taken;
	}

	subscribe(target: string, listener: Listener): () => void {
		const set = this.listeners.get(target) ?? new Set();
		set.add(listener);
		this.listeners.set(target, set);
		return () => {
			set.delete(listener);
			if (set.size === 0) this.listeners.delete(target);
		};
	}
}

export const live = new Live();
