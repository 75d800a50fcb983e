// Where the lines of an axis stand, and what is written at them.

export interface Axis {
	from: number;
	to: number;
	log: boolean;
	ticks: { at: number; label: string }[];
}

/** A number with as few digits as it needs, and a sign that lines up. */
export function tidy(value: number): string {
	const text =
		Math.abs(value) >= 10000 || (value !== 0 && Math.abs(value) < 0.001)
			? value.toExponential(0)
			: String(Number(value.toPrecision(4)));
	return text.replace("-", "−");
}

/** Even steps of 1, 2 or 5 times a power of ten over the range, at most `most` lines. */
export function linearAxis(low: number, high: number, most = 4): Axis {
	let from = Number.isFinite(low) ? low : 0;
	let to = Number.isFinite(high) ? high : 1;
	if (to - from < 1e-12 * Math.max(1, Math.abs(to))) {
		const around = Math.max(Math.abs(to) * 0.1, 1e-9);
		from -= around;
		to += around;
	}
	const raw = (to - from) / most;
	const power = 10 ** Math.floor(Math.log10(raw));
	const step = [1, 2, 5, 10].map((k) => k * power).find((size) => size >= raw * (1 - 1e-9)) ?? raw;
	from = Math.floor(from / step + 1e-9) * step;
	to = Math.ceil(to / step - 1e-9) * step;
	const ticks = [];
	for (let i = 0; i <= Math.round((to - from) / step); i += 1) {
		const at = from + i * step;
		ticks.push({ at, label: tidy(Math.abs(at) < step * 1e-6 ? 0 : at) });
	}
	return { from, to, log: false, ticks };
}

/** Whole decades that hold the range; lines at every one, or every second or third. */
export function logAxis(low: number, high: number, label: (value: number) => string = tidy, most = 4): Axis {
	const least = low > 0 && Number.isFinite(low) ? low : 1e-6;
	const greatest = Math.max(least * 10, Number.isFinite(high) ? high : 1);
	const first = Math.floor(Math.log10(least) + 1e-9);
	const last = Math.max(first + 1, Math.ceil(Math.log10(greatest) - 1e-9));
	const every = Math.max(1, Math.ceil((last - first) / most));
	const ticks = [];
	for (let decade = first; decade <= last; decade += every) {
		ticks.push({ at: 10 ** decade, label: label(10 ** decade) });
	}
	return { from: 10 ** first, to: 10 ** last, log: true, ticks };
}

/** From 0 at the axis' beginning to 1 at its end. */
export function along(axis: Axis, value: number): number {
	if (!axis.log) return (value - axis.from) / (axis.to - axis.from);
	const least = Math.log(axis.from);
	return (Math.log(Math.max(value, axis.from)) - least) / (Math.log(axis.to) - least);
}
