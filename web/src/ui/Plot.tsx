// Plots on a canvas: over the last seconds (`TimePlot`), or a whole curve with a
// cursor that can be dragged (`CurvePlot`). Axes have units.

import { type PointerEvent as ReactPointerEvent, useEffect, useRef } from "react";
import { useTheme } from "../scene/palette";
import { type Axis, along, linearAxis, logAxis } from "./axis";
import type { Samples } from "./samples";

export interface Series {
	label: string;
	/** A CSS colour; `var(--accent)` and the like are allowed. */
	colour: string;
	dashed?: boolean;
}

interface Common {
	title: string;
	series: readonly Series[];
	/** What the values are in: "mm", "rad/s". */
	unit: string;
	height?: number;
	log?: boolean;
	/** The axis holds at least this much. */
	atLeast?: readonly [number, number];
	/** Writes a value for the axis and the legend. */
	words?(value: number): string;
}

const LEFT = 46;
const RIGHT = 10;
const TOP = 26;
const BOTTOM = 20;
const FONT = '11px ui-sans-serif, system-ui, "Segoe UI", Roboto, "Noto Sans", Arial, sans-serif';
const REDRAW = 1000 / 15;

type Curve = { length: number; x(i: number): number; y(i: number): number };

/** A canvas that is drawn again when asked, when its size changes and when the theme does. */
function useDrawing(draw: (context: CanvasRenderingContext2D, width: number, height: number) => void) {
	const canvas = useRef<HTMLCanvasElement>(null);
	const latest = useRef(draw);
	latest.current = draw;
	const theme = useTheme();
	const ask = useRef<() => void>(() => {});

	// biome-ignore lint/correctness/useExhaustiveDependencies: another theme asks for another drawing
	useEffect(() => {
		const element = canvas.current;
		const context = element?.getContext("2d");
		if (!element || !context) return;
		let width = 0;
		let height = 0;
		let last = 0;
		let timer: ReturnType<typeof setTimeout> | null = null;
		const now = () => {
			timer = null;
			last = performance.now();
			if (width === 0) return;
			const density = Math.min(2, window.devicePixelRatio);
			const [w, h] = [Math.round(width * density), Math.round(height * density)];
			if (element.width !== w || element.height !== h) {
				element.width = w;
				element.height = h;
			}
			context.setTransform(density, 0, 0, density, 0, 0);
			context.clearRect(0, 0, width, height);
			latest.current(context, width, height);
		};
		ask.current = () => {
			timer ??= setTimeout(now, Math.max(0, last + REDRAW - performance.now()));
		};
		const observer = new ResizeObserver(([entry]) => {
			width = entry?.contentRect.width ?? 0;
			height = entry?.contentRect.height ?? 0;
			ask.current();
		});
		observer.observe(element);
		ask.current();
		return () => {
			observer.disconnect();
			if (timer !== null) clearTimeout(timer);
			ask.current = () => {};
		};
	}, [theme]);

	useEffect(() => ask.current());
	return { canvas, ask };
}

function colours(context: CanvasRenderingContext2D) {
	const style = getComputedStyle(context.canvas);
	const resolve = (colour: string) => {
		const name = /^var\((--[\w-]+)\)$/.exec(colour)?.[1];
		return name ? style.getPropertyValue(name).trim() : colour;
	};
	return {
		resolve,
		text: resolve("var(--text)"),
		dim: resolve("var(--text-dim)"),
		line: resolve("var(--line)"),
	};
}

function drawAll(
	context: CanvasRenderingContext2D,
	width: number,
	height: number,
	plot: Common & { x: Axis; curves: readonly Curve[]; latest: readonly number[]; cursor?: number | null },
): void {
	const { resolve, text, dim, line } = colours(context);
	let low = plot.atLeast?.[0] ?? Infinity;
	let high = plot.atLeast?.[1] ?? -Infinity;
	for (const curve of plot.curves) {
		for (let i = 0; i < curve.length; i += 1) {
			const value = curve.y(i);
			if (!Number.isFinite(value) || (plot.log && value <= 0)) continue;
			low = Math.min(low, value);
			high = Math.max(high, value);
		}
	}
	const y = plot.log ? logAxis(low, high, plot.words) : linearAxis(low, high, 3);
	const right = width - RIGHT;
	const bottom = height - BOTTOM;
	const px = (value: number) => LEFT + along(plot.x, value) * (right - LEFT);
	const py = (value: number) => bottom - along(y, value) * (bottom - TOP);

	context.font = FONT;
	context.lineWidth = 1;
	context.textBaseline = "middle";
	context.textAlign = "right";
	for (const { at, label } of y.ticks) {
		const height_ = Math.round(py(at)) + 0.5;
		context.strokeStyle = line;
		context.beginPath();
		context.moveTo(LEFT, height_);
		context.lineTo(right, height_);
		context.stroke();
		context.fillStyle = dim;
		context.fillText(label, LEFT - 6, height_);
	}
	context.textAlign = "center";
	for (const { at, label } of plot.x.ticks) {
		const place = px(at);
		if (place < LEFT - 1 || place > right + 1) continue;
		context.fillStyle = dim;
		context.textAlign = place > right - 20 ? "right" : "center";
		context.fillText(label, Math.min(place, right), height - BOTTOM / 2);
	}

	context.save();
	context.beginPath();
	context.rect(LEFT, TOP - 2, right - LEFT, bottom - TOP + 4);
	context.clip();
	context.lineWidth = 1.5;
	context.lineJoin = "round";
	plot.curves.forEach((curve, k) => {
		context.strokeStyle = resolve(plot.series[k]?.colour ?? text);
		context.setLineDash(plot.series[k]?.dashed ? [4, 3] : []);
		context.beginPath();
		let drawing = false;
		for (let i = 0; i < curve.length; i += 1) {
			const value = curve.y(i);
			if (!Number.isFinite(value)) {
				drawing = false;
				continue;
			}
			if (drawing) context.lineTo(px(curve.x(i)), py(value));
			else context.moveTo(px(curve.x(i)), py(value));
			drawing = true;
		}
		context.stroke();
	});
	context.setLineDash([]);
	if (plot.cursor != null) {
		context.strokeStyle = text;
		context.beginPath();
		context.moveTo(px(plot.cursor), TOP - 2);
		context.lineTo(px(plot.cursor), bottom + 2);
		context.stroke();
	}
	context.restore();

	context.textAlign = "left";
	context.fillStyle = text;
	context.font = `600 ${FONT}`;
	const title = plot.unit && !plot.words ? `${plot.title} (${plot.unit})` : plot.title;
	context.fillText(title, 10, 13);
	context.font = FONT;
	let from = width - 10;
	context.textAlign = "right";
	for (let k = plot.series.length - 1; k >= 0; k -= 1) {
		const series = plot.series[k];
		const value = plot.latest[k] ?? Number.NaN;
		const shown = Number.isFinite(value) ? (plot.words?.(value) ?? tidyLegend(value)) : "–";
		const words = plot.series.length > 1 ? `${series?.label} ${shown}` : shown;
		context.fillStyle = resolve(series?.colour ?? text);
		context.fillText(words, from, 13);
		from -= context.measureText(words).width + 12;
	}
}

function tidyLegend(value: number): string {
	return (Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3)).replace("-", "−");
}

/** The last seconds of some samples; stands still when nothing comes. */
export function TimePlot(props: Common & { samples: Samples; seconds?: number; factor?: number }) {
	const { samples, seconds = 8, factor = 1, height = 124 } = props;
	const { canvas, ask } = useDrawing((context, width, tall) => {
		const now = samples.now;
		const first = Math.max(0, samples.firstFrom(now - seconds) - 1);
		const count = samples.length - first;
		const curves = props.series.map((_, k) => ({
			length: count,
			x: (i: number) => samples.time(first + i) - now,
			y: (i: number) => factor * samples.value(k, first + i),
		}));
		const half = seconds / 2;
		drawAll(context, width, tall, {
			...props,
			curves,
			latest: props.series.map((_, k) => factor * samples.value(k, samples.length - 1)),
			x: {
				from: -seconds,
				to: 0,
				log: false,
				ticks: [
					{ at: -seconds, label: `−${seconds} s` },
					{ at: -half, label: `−${half} s` },
					{ at: 0, label: "now" },
				],
			},
		});
	});
	useEffect(() => samples.subscribe(() => ask.current()), [samples, ask]);
	return (
		<div className="plot" style={{ height }} role="img" aria-label={`${props.title} over time`}>
			<canvas ref={canvas} />
		</div>
	);
}

/** Whole curves over `x`, with a cursor; dragging in it calls `onScrub`. */
export function CurvePlot(
	props: Common & {
		curves: readonly { x: ArrayLike<number>; y: ArrayLike<number> }[];
		xUnit: string;
		xRange?: readonly [number, number];
		cursor?: number | null;
		onScrub?(x: number): void;
	},
) {
	const { height = 124, onScrub } = props;
	const range: [number, number] = props.xRange ? [...props.xRange] : [Infinity, -Infinity];
	if (!props.xRange) {
		for (const { x } of props.curves) {
			if (x.length === 0) continue;
			range[0] = Math.min(range[0], x[0] ?? 0);
			range[1] = Math.max(range[1], x[x.length - 1] ?? 0);
		}
	}
	const ticks = linearAxis(range[0], range[1], 6).ticks.filter(({ at }) => at >= range[0] && at <= range[1]);
	const axis: Axis = {
		from: Number.isFinite(range[0]) ? range[0] : 0,
		to: Number.isFinite(range[1]) && range[1] > range[0] ? range[1] : 1,
		log: false,
		ticks: ticks.map(({ at, label }) => ({ at, label: `${label} ${props.xUnit}` })),
	};
	const { canvas } = useDrawing((context, width, tall) => {
		const valueAt = (x: ArrayLike<number>, y: ArrayLike<number>) => {
			if (props.cursor == null) return y[y.length - 1] ?? Number.NaN;
			let i = 0;
			while (i + 1 < x.length && (x[i + 1] ?? 0) <= props.cursor) i += 1;
			return y[i] ?? Number.NaN;
		};
		drawAll(context, width, tall, {
			...props,
			x: axis,
			latest: props.curves.map(({ x, y }) => valueAt(x, y)),
			curves: props.curves.map(({ x, y }) => ({
				length: y.length,
				x: (i) => x[i] ?? 0,
				y: (i) => y[i] ?? Number.NaN,
			})),
		});
	});
	const scrub = (event: ReactPointerEvent<HTMLDivElement>) => {
		if (!onScrub || event.buttons !== 1) return;
		event.currentTarget.setPointerCapture(event.pointerId);
		const box = event.currentTarget.getBoundingClientRect();
		const part = (event.clientX - box.left - LEFT) / (box.width - LEFT - RIGHT);
		onScrub(axis.from + Math.min(1, Math.max(0, part)) * (axis.to - axis.from));
	};
	return (
		<div
			className="plot"
			style={{ height, cursor: onScrub ? "ew-resize" : undefined, touchAction: "none" }}
			role="img"
			aria-label={props.title}
			onPointerDown={scrub}
			onPointerMove={scrub}
		>
			<canvas ref={canvas} />
		</div>
	);
}
