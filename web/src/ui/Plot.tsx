// Lines over an axis, on a canvas. Drawn from the frames without React, some
// thirty times a second at most; the words around it are ordinary text.

import { type PointerEvent as ReactPointerEvent, useEffect, useRef } from "react";
import { useTheme } from "../scene/palette";
import { drawsInSoftware, mostHertz } from "../scene/software";
import { frames } from "../state/frames";
import { eased, extentIn, type Interval, padded, ticks, tickWords } from "./plotting";
import "./plot.css";

export interface PlotLine {
	label: string;
	colour: string;
	dashed?: boolean;
	/** The curve as it is now; x rising. */
	read(): { xs: ArrayLike<number>; ys: ArrayLike<number> };
}

export interface PlotProps {
	/** What is shown: "Height of the heels". */
	title: string;
	/** Of the upright axis. */
	unit: string;
	/** The part of x that is shown. */
	window(): Interval;
	/** Words at the ticks of x; their places are multiples of a round number from `origin`. */
	xOrigin?(): number;
	xUnit: string;
	lines: readonly PlotLine[];
	/** Straight lines across: bounds that must hold. Shown only when they are near to the data. */
	bounds?: readonly number[];
	boundColour?: string;
	/** The least span of the upright axis. */
	least: number;
	/** What the values cannot go below. */
	floor?: number;
	/** A line upright at this x. */
	mark?(): number | null;
	markColour?: string;
	/** Pressed or dragged at this x. */
	onPick?(x: number): void;
	/** Changes when it must be drawn anew without a frame. */
	version?: unknown;
	className?: string;
}

const MARGIN = { left: 38, right: 8, top: 6, bottom: 18 };
const LEAST_PAUSE = Math.max(33, 1000 / mostHertz);

interface Colours {
	line: string;
	text: string;
	font: string;
}

function drawPlot(canvas: HTMLCanvasElement, props: PlotProps, shown: Interval | null, colours: Colours) {
	// Where everything is drawn in software, the processor draws lines faster by itself.
	const context = canvas.getContext("2d", { willReadFrequently: drawsInSoftware });
	const { clientWidth: width, clientHeight: height } = canvas;
	if (!context || width === 0 || height === 0) return shown;
	const ratio = Math.min(2, window.devicePixelRatio || 1);
	if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
		canvas.width = Math.round(width * ratio);
		canvas.height = Math.round(height * ratio);
	}
	context.setTransform(ratio, 0, 0, ratio, 0, 0);
	context.clearRect(0, 0, width, height);
	const span = props.window();
	const curves = props.lines.map((line) => ({ line, ...line.read() }));

	let extent: Interval | null = null;
	for (const { xs, ys } of curves) {
		const found = extentIn(xs, ys, span);
		if (found) extent = extent ? [Math.min(extent[0], found[0]), Math.max(extent[1], found[1])] : found;
	}
	extent ??= [props.floor ?? 0, props.floor ?? 0];
	const reach = Math.max(extent[1] - extent[0], props.least, Math.abs(extent[0]), Math.abs(extent[1]));
	for (const bound of props.bounds ?? []) {
		if (bound > extent[1] && bound - extent[1] < 0.7 * reach) extent = [extent[0], bound];
		if (bound < extent[0] && extent[0] - bound < 0.7 * reach) extent = [bound, extent[1]];
	}
	const range = eased(shown, padded(extent, props.least, props.floor));

	const inner = { width: width - MARGIN.left - MARGIN.right, height: height - MARGIN.top - MARGIN.bottom };
	const atX = (x: number) => MARGIN.left + ((x - span[0]) / (span[1] - span[0] || 1)) * inner.width;
	const atY = (y: number) => MARGIN.top + (1 - (y - range[0]) / (range[1] - range[0] || 1)) * inner.height;

	context.font = colours.font;
	context.fillStyle = colours.text;
	context.strokeStyle = colours.line;
	context.lineWidth = 1;
	context.textBaseline = "middle";
	context.textAlign = "right";
	const upright = ticks(range, Math.max(2, Math.floor(inner.height / 18)));
	const stepY = upright.length > 1 ? (upright[1] as number) - (upright[0] as number) : range[1] - range[0];
	context.beginPath();
	for (const tick of upright) {
		const y = Math.round(atY(tick)) + 0.5;
		context.moveTo(MARGIN.left, y);
		context.lineTo(width - MARGIN.right, y);
		context.fillText(tickWords(tick, stepY), MARGIN.left - 5, y);
	}
	const origin = props.xOrigin?.() ?? 0;
	const along = ticks([span[0] - origin, span[1] - origin], Math.max(2, Math.floor(inner.width / 52)));
	const stepX = along.length > 1 ? (along[1] as number) - (along[0] as number) : 1;
	context.textBaseline = "alphabetic";
	context.textAlign = "center";
	along.forEach((tick, i) => {
		const x = Math.round(atX(tick + origin)) + 0.5;
		context.moveTo(x, MARGIN.top);
		context.lineTo(x, height - MARGIN.bottom);
		const words = tickWords(tick, stepX);
		const last = i === along.length - 1;
		context.textAlign = last ? "right" : "center";
		context.fillText(
			last ? `${words} ${props.xUnit}` : words,
			last ? Math.min(x + 12, width - 3) : x,
			height - 5,
		);
	});
	context.stroke();

	context.save();
	context.beginPath();
	context.rect(MARGIN.left, MARGIN.top, inner.width, inner.height);
	context.clip();
	context.strokeStyle = props.boundColour ?? colours.text;
	context.setLineDash([2, 3]);
	for (const bound of props.bounds ?? []) {
		const y = Math.round(atY(bound)) + 0.5;
		context.beginPath();
		context.moveTo(MARGIN.left, y);
		context.lineTo(width, y);
		context.stroke();
	}
	context.lineWidth = 1.5;
	context.lineJoin = "round";
	for (const { line, xs, ys } of curves) {
		context.strokeStyle = line.colour;
		context.setLineDash(line.dashed ? [4, 3] : []);
		context.beginPath();
		let pen = false;
		for (let i = 0; i < xs.length; i += 1) {
			const x = xs[i] as number;
			const y = ys[i] as number;
			// One point beyond each edge, so that the line reaches it.
			if ((xs[i + 1] ?? Infinity) < span[0]) continue;
			if (!Number.isFinite(y)) {
				pen = false;
				continue;
			}
			if (pen) context.lineTo(atX(x), atY(y));
			else context.moveTo(atX(x), atY(y));
			pen = true;
			if (x > span[1]) break;
		}
		context.stroke();
	}
	const mark = props.mark?.() ?? null;
	if (mark !== null) {
		context.setLineDash([]);
		context.strokeStyle = props.markColour ?? colours.text;
		context.beginPath();
		context.moveTo(atX(mark), MARGIN.top);
		context.lineTo(atX(mark), height - MARGIN.bottom);
		context.stroke();
	}
	context.restore();
	return range;
}

export function Plot(props: PlotProps) {
	const canvas = useRef<HTMLCanvasElement>(null);
	const theme = useTheme();
	const latest = useRef(props);
	latest.current = props;

	// biome-ignore lint/correctness/useExhaustiveDependencies: theme, lines and version ask for another drawing
	useEffect(() => {
		const element = canvas.current;
		if (!element) return;
		let range: Interval | null = null;
		let drawn = 0;
		let waiting = 0;
		let colours: Colours | null = null;
		const draw = (now: number) => {
			waiting = 0;
			drawn = now;
			if (!colours) {
				const style = getComputedStyle(element);
				colours = {
					line: style.getPropertyValue("--line"),
					text: style.getPropertyValue("--text-dim"),
					font: `11px ${style.fontFamily}`,
				};
			}
			range = drawPlot(element, latest.current, range, colours);
		};
		const soon = () => {
			if (waiting === 0) {
				const pause = Math.max(0, drawn + LEAST_PAUSE - performance.now());
				waiting = window.setTimeout(() => draw(performance.now()), pause);
			}
		};
		const resized = new ResizeObserver(soon);
		resized.observe(element);
		soon();
		const stop = frames.subscribe(soon);
		return () => {
			stop();
			resized.disconnect();
			clearTimeout(waiting);
		};
	}, [theme, props.version, props.title]);

	const pick = (event: ReactPointerEvent<HTMLCanvasElement>) => {
		const box = event.currentTarget.getBoundingClientRect();
		const [from, to] = props.window();
		const share = (event.clientX - box.left - MARGIN.left) / (box.width - MARGIN.left - MARGIN.right);
		props.onPick?.(from + Math.min(1, Math.max(0, share)) * (to - from));
	};
	return (
		<figure className={`plot lines ${props.className ?? ""}`} aria-label={`${props.title}, ${props.unit}`}>
			<figcaption>
				<span className="plot-title">
					<span className="plot-words">{props.title}</span> <small>{props.unit}</small>
				</span>
				{props.lines.length > 1 &&
					props.lines.map((line) => (
						<span key={line.label} className="plot-key">
							<i style={{ borderTopColor: line.colour, borderTopStyle: line.dashed ? "dashed" : "solid" }} />
							<span className="plot-words" title={line.label}>
								{line.label}
							</span>
						</span>
					))}
			</figcaption>
			<canvas
				ref={canvas}
				style={props.onPick ? { cursor: "ew-resize", touchAction: "none" } : undefined}
				onPointerDown={
					props.onPick &&
					((event) => {
						event.currentTarget.setPointerCapture(event.pointerId);
						pick(event);
					})
				}
				onPointerMove={props.onPick && ((event) => event.buttons !== 0 && pick(event))}
			/>
		</figure>
	);
}
