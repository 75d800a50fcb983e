// Frames come sixty times a second, so they stay out of React's state: the
// drawing reads `frames.latest`, panels sample it a few times a second.

import { useEffect, useRef, useState } from "react";
import { mostHertz } from "../scene/software";
import type { Frame, FrameDetails } from "../wire";

type Listener = (frame: Frame) => void;

class Frames {
	latest: Frame | null = null;
	/** Frames that came, ever. */
	count = 0;
	private readonly listeners = new Set<Listener>();

	push(frame: Frame): void {
		this.latest = frame;
		this.count += 1;
		for (const listener of this.listeners) listener(frame);
	}

	/** Forgets the last frame: it belonged to another rig. */
	clear(): void {
		this.latest = null;
	}

	/** Calls for every frame; gives back how to stop it. */
	subscribe(listener: Listener): () => void {
		this.listeners.add(listener);
		return () => {
			this.listeners.delete(listener);
		};
	}
}

export const frames = new Frames();

/** The details of the latest frame, if it is of the workspace asked for. */
export function detailsOf<W extends FrameDetails["workspace"]>(
	frame: Frame | null,
	workspace: W,
): Extract<FrameDetails, { workspace: W }> | null {
	return frame && frame.details.workspace === workspace
		? (frame.details as Extract<FrameDetails, { workspace: W }>)
		: null;
}

/**
 * Something read from the frames, for a panel: read again at most `hertz` times a
 * second, and drawn again only if it differs (compared by its JSON).
 */
export function useSampled<T>(read: (frame: Frame | null) => T, hertz = 10): T {
	const latestRead = useRef(read);
	latestRead.current = read;
	const [value, setValue] = useState(() => read(frames.latest));
	useEffect(() => {
		let timer: ReturnType<typeof setTimeout> | null = null;
		let shown = "";
		const look = () => {
			timer = null;
			const next = latestRead.current(frames.latest);
			const text = JSON.stringify(next) ?? "";
			if (text !== shown) {
				shown = text;
				setValue(() => next);
			}
		};
		const stop = frames.subscribe(() => {
			timer ??= setTimeout(look, 1000 / Math.min(hertz, mostHertz));
		});
		look();
		return () => {
			stop();
			if (timer !== null) clearTimeout(timer);
		};
	}, [hertz]);
	return value;
}
