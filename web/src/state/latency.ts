// From a pointer event to the first picture that shows its input, and pictures a second.

const KEPT = 600;

class Latency {
	/** Milliseconds, oldest first. */
	readonly samples: number[] = [];
	private pending: { input: number; since: number }[] = [];
	private pictures: number[] = [];

	/** An input was sent for an event of that time. */
	sent(input: number, since: number): void {
		this.pending.push({ input, since });
		if (this.pending.length > KEPT) this.pending.shift();
	}

	/** A picture was drawn that shows everything up to that input. */
	drawn(input: number, now: number): void {
		this.pictures.push(now);
		while (this.pictures.length > 0 && now - (this.pictures[0] ?? now) > 1000) this.pictures.shift();
		while (this.pending.length > 0 && (this.pending[0]?.input ?? Infinity) <= input) {
			const shown = this.pending.shift();
			if (shown) this.samples.push(now - shown.since);
		}
		if (this.samples.length > KEPT) this.samples.splice(0, this.samples.length - KEPT);
	}

	/** Pictures over the last second. */
	rate(): number {
		return this.pictures.length;
	}

	clear(): void {
		this.samples.length = 0;
		this.pending = [];
	}
}

export const latency = new Latency();
