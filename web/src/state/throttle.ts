// At most one message for each target in a while, the newest winning. The first
// goes at once, since waiting would only add to the delay; a mouse may report a
// thousand times a second, of which the server could use sixty.

const WHILE = 8;

export class Throttle<T> {
	private readonly late = new Map<string, T>();
	private readonly sent = new Set<string>();
	private scheduled = false;

	constructor(
		private readonly send: (key: string, value: T) => void,
		private readonly later: (callback: () => void) => void = (callback) => {
			setTimeout(callback, WHILE);
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
		this.later(() => {
			this.scheduled = false;
			this.sent.clear();
			const late = [...this.late];
			this.late.clear();
			for (const [key, value] of late) this.push(key, value);
		});
	}
}
