// The arithmetic behind the plots: samples over time, ranges, ticks. No drawing here.

/** A pause longer than this is a hole in the line, in seconds. */
const GAP = 0.5;

/** Values over time, the newest last; what is older than the window is forgotten. */
export class Samples {
	readonly times: number[] = [];
	readonly values: number[][];

	constructor(
		channels: number,
		/** How much is kept, in seconds. */
		readonly window: number,
	) {
		this.values = Array.from({ length: channels }, () => []);
	}

	/** Adds a moment. Time that runs backwards begins anew; a moment that is there already is left out. */
	push(time: number, ...values: number[]): void {
		if (!Number.isFinite(time)) return;
		const last = this.times.at(-1);
		if (last !== undefined && time < last) this.clear();
		if (last === time) return;
		// Nothing came for a while: a hole, not a straight line across it.
		if (last !== undefined && time - last > GAP) {
			this.times.push(last + 1e-3);
			for (const channel of this.values) channel.push(Number.NaN);
		}
		this.times.push(time);
		this.values.forEach((channel, i) => {
			channel.push(values[i] ?? Number.NaN);
		});
		// One moment older than the window stays, so that the line reaches the left edge. Forgotten in
		// batches: taking from the front of a list moves all of it.
		let old = 0;
		while ((this.times[old + 1] ?? Infinity) < time - this.window) old += 1;
		if (old > 64) {
			this.times.splice(0, old);
			for (const channel of this.values) channel.splice(0, old);
		}
	}

	clear(): void {
		this.times.length = 0;
		for (const channel of this.values) channel.length = 0;
	}

	/** The newest moment. */
	now(): number {
		return this.times.at(-1) ?? 0;
	}
}

export type Interval = [number, number];

/** The least and the most of what lies in a window of x; `null` if nothing does. */
export function extentIn(
	xs: ArrayLike<number>,
	ys: ArrayLike<number>,
	[from, to]: Interval,
): Interval | null {
	let low = Infinity;
	let high = -Infinity;
	for (let i = 0; i < xs.length; i += 1) {
		const x = xs[i] ?? Number.NaN;
		const y = ys[i] ?? Number.NaN;
		if (!(x >= from && x <= to) || !Number.isFinite(y)) continue;
		low = Math.min(low, y);
		high = Math.max(high, y);
	}
	return low <= high ? [low, high] : null;
}

/** An interval with some air around it, and never narrower than `least`. */
export function padded([low, high]: Interval, least: number, floor = -Infinity): Interval {
	const missing = Math.max(0, least - (high - low));
	const air = 0.08 * Math.max(high - low, least);
	const from = low - missing / 2 - air;
	// What cannot go below a floor does not get air below it.
	return from < floor && low >= floor ? [floor, high + missing + air] : [from, high + missing / 2 + air];
}

/** Grows at once and shrinks slowly, so that an axis does not tremble. */
export function eased(shown: Interval | null, wanted: Interval): Interval {
	if (!shown) return wanted;
	const slow = 0.04;
	return [
		wanted[0] < shown[0] ? wanted[0] : shown[0] + slow * (wanted[0] - shown[0]),
		wanted[1] > shown[1] ? wanted[1] : shown[1] + slow * (wanted[1] - shown[1]),
	];
}

/** Round values within an interval, at most `most` of them. */
export function ticks([low, high]: Interval, most: number): number[] {
	const span = high - low;
	if (!(span > 0) || !Number.isFinite(span) || most < 1) return [];
	const rough = span / most;
	const power = 10 ** Math.floor(Math.log10(rough));
	const step = [1, 2, 5, 10].map((k) => k * power).find((size) => size >= rough * (1 - 1e-9)) ?? 10 * power;
	const first = Math.ceil(low / step - 1e-9);
	const last = Math.floor(high / step + 1e-9);
	const found: number[] = [];
	for (let i = first; i <= last; i += 1) found.push(i === 0 ? 0 : i * step);
	return found;
}

/** A tick's words: as many decimals as the distance to its neighbours asks for. */
export function tickWords(value: number, step: number): string {
	const decimals = Math.max(0, Math.min(6, -Math.floor(Math.log10(step) + 1e-9)));
	return value.toFixed(decimals).replace("-", "−");
}
