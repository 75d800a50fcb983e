// Values over time, for plots: the newest few thousand of each series.

export class Samples {
	private readonly times: Float64Array;
	private readonly values: Float64Array[];
	private next = 0;
	private count = 0;
	private readonly listeners = new Set<() => void>();

	constructor(
		readonly series: number,
		readonly capacity = 2400,
	) {
		this.times = new Float64Array(capacity);
		this.values = Array.from({ length: series }, () => new Float64Array(capacity));
	}

	get length(): number {
		return this.count;
	}

	/** The time of the newest sample. */
	get now(): number {
		return this.count === 0 ? 0 : this.time(this.count - 1);
	}

	/** Adds a sample; `null` leaves a gap in a series. Time that goes back begins anew. */
	push(time: number, values: readonly (number | null)[]): void {
		if (this.count > 0 && time < this.now) this.clear();
		this.times[this.next] = time;
		this.values.forEach((list, i) => {
			list[this.next] = values[i] ?? Number.NaN;
		});
		this.next = (this.next + 1) % this.capacity;
		this.count = Math.min(this.count + 1, this.capacity);
		for (const listener of this.listeners) listener();
	}

	clear(): void {
		this.next = 0;
		this.count = 0;
		for (const listener of this.listeners) listener();
	}

	/** The i-th oldest. */
	time(i: number): number {
		return this.times[this.place(i)] ?? 0;
	}

	value(series: number, i: number): number {
		return this.values[series]?.[this.place(i)] ?? Number.NaN;
	}

	/** The place of the first sample not before a time. */
	firstFrom(time: number): number {
		let low = 0;
		let high = this.count;
		while (low < high) {
			const middle = (low + high) >> 1;
			if (this.time(middle) < time) low = middle + 1;
			else high = middle;
		}
		return low;
	}

	subscribe(listener: () => void): () => void {
		this.listeners.add(listener);
		return () => {
			this.listeners.delete(listener);
		};
	}

	private place(i: number): number {
		return (this.next - this.count + i + this.capacity) % this.capacity;
	}
}
