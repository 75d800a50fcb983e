// At most one message for each target and animation frame, the newest winning.
// The first goes at once: browsers already hand out pointer moves once a frame,
// and waiting for the next frame would only add to the delay.

export class FrameThrottle<T> {
	private readonly late = new Map<string, T>();
	private readonly sent = new Set<string>();
	private scheduled = false;

	constructor(
		private readonly send: (key: string, value: T) => void,
		private readonly nextFrame: (callback: () => void) => void = (callback) => {
			requestAnimationFrame(callback);
		},
	) {}

	push(key: string, value: T): void {
		if (this.sent.has(key)) {
			this.late.set(key, value);
		} else {
			this.sent.add(key);
			this.send(key, value);
		}
		this.schedule();
	}

	/** Sends at once what still waits. */
	flush(): void {
		const late = [...this.late];
		this.late.clear();
		for (const [key, value] of late) this.send(key, value);
	}

	private schedule(): void {
		if (this.scheduled) return;
		this.scheduled = true;
		this.nextFrame(() => {
			this.scheduled = false;
			this.sent.clear();
			const late = [...this.late];
			this.late.clear();
			for (const [key, value] of late) this.push(key, value);
		});
	}
}
