// The region of a swing as how far the bone may lean in each direction around z, and the nearest shape of each
// kind to that: what a limit begins with when its kind is changed.

import { inverse, radians, turn, type V3 } from "../../maths";
import type { LimitDocument, LimitShape, Swing } from "../../wire";

/** How far the bone may lean in so many directions around z, evenly from x towards y. */
export type Leans = readonly number[];

const COUNT = 48;
/** Corners and knots of a new shape. */
const POINTS = 12;
const TURN = 2 * Math.PI;
const LEAST = radians(1);
const MOST = radians(175);

const bounded = (lean: number) => Math.min(Math.max(lean, LEAST), MOST);

/** The direction that leans from z by an angle, towards a direction around it. */
function polar(around: number, lean: number): V3 {
	return [Math.sin(lean) * Math.cos(around), Math.sin(lean) * Math.sin(around), Math.cos(lean)];
}

function mean(values: readonly number[]): number {
	return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Leans as a function of where they are around z. */
function leansBy(lean: (around: number) => number): Leans {
	return Array.from({ length: COUNT }, (_, i) => bounded(lean((TURN * i) / COUNT)));
}

/** An ellipse of turns about x and y: a turn about x leans z towards y. */
export function ellipseLeans(x: number, y: number): Leans {
	return leansBy((around) => 1 / Math.hypot(Math.sin(around) / x, Math.cos(around) / y));
}

/** Closed curves around a swing, in the limit's frame: the server's, or the corners that the shape has. */
function curvesOf(limit: LimitDocument, shape: Extract<LimitShape, { kind: "swing_twist" }>): V3[][] {
	const back = inverse(shape.frame);
	const curves = limit.outlines
		.filter(({ component }) => component === "swing")
		.map(({ points }) => {
			const found: V3[] = [];
			for (let i = 0; i + 2 < points.length; i += 3)
				found.push(turn(back, [points[i] ?? 0, points[i + 1] ?? 0, points[i + 2] ?? 0]));
			return found;
		});
	if (curves.length > 0) return curves;
	const { swing } = shape;
	if (swing.kind === "polygon") return [swing.vertices];
	if (swing.kind === "spline") return [swing.knots.map((knot) => polar(knot.circumduction, knot.amplitude))];
	return [];
}

/** The farthest that any of the curves leans in each direction around z. */
function farthest(curves: readonly V3[][]): Leans {
	const leans = new Array<number>(COUNT).fill(0);
	for (const curve of curves) {
		curve.forEach((a, i) => {
			const b = curve[(i + 1) % curve.length] ?? a;
			const [from, to] = [Math.atan2(a[1], a[0]), Math.atan2(b[1], b[0])];
			const way = to - from - TURN * Math.round((to - from) / TURN);
			const [low, high] = [Math.acos(clampOne(a[2])), Math.acos(clampOne(b[2]))];
			const steps = Math.ceil(Math.abs(way) / (TURN / COUNT)) + 1;
			for (let k = 0; k <= steps; k += 1) {
				const share = k / steps;
				const at = (Math.round(((from + way * share) / TURN) * COUNT) + COUNT) % COUNT;
				leans[at] = Math.max(leans[at] ?? 0, low + (high - low) * share);
			}
		});
	}
	return leans.map(bounded);
}

const clampOne = (x: number) => Math.min(1, Math.max(-1, x));

/** How far a limit lets the bone lean; `null` if it says nothing of that. */
export function leansOf(limit: LimitDocument | null): Leans | null {
	const shape = limit?.shape;
	if (!limit || shape?.kind !== "swing_twist") return null;
	const { swing } = shape;
	switch (swing.kind) {
		case "free":
			return null;
		case "cone":
			return leansBy(() => swing.radius);
		case "ellipse":
			return ellipseLeans(bounded(swing.x), bounded(swing.y));
		case "kusudama": {
			const curves = curvesOf(limit, shape);
			if (curves.length > 0) return farthest(curves);
			return leansBy(() => Math.max(...swing.cones.map((cone) => cone.radius)));
		}
		default:
			return farthest(curvesOf(limit, shape));
	}
}

function at(leans: Leans, around: number): number {
	const place = ((around / TURN) * leans.length + 2 * leans.length) % leans.length;
	const [i, share] = [Math.floor(place), place % 1];
	const [a, b] = [leans[i % leans.length] ?? 0, leans[(i + 1) % leans.length] ?? 0];
	return a + (b - a) * share;
}

/** What lies on both sides of a direction around z, as a mean. */
const across = (leans: Leans, around: number) => (at(leans, around) + at(leans, around + Math.PI)) / 2;

/** The nearest swing of a kind. */
export function nearestSwing(kind: Swing["kind"], leans: Leans): Swing {
	const around = (i: number) => (TURN * i) / POINTS;
	switch (kind) {
		case "cone":
			return { kind, radius: mean(leans) };
		case "ellipse":
			return { kind, x: across(leans, Math.PI / 2), y: across(leans, 0) };
		case "polygon":
			return {
				kind,
				vertices: Array.from({ length: POINTS }, (_, i) => polar(around(i), at(leans, around(i)))),
			};
		case "spline":
			return {
				kind,
				knots: Array.from({ length: POINTS }, (_, i) => ({
					circumduction: around(i),
					amplitude: at(leans, around(i)),
				})),
			};
		case "kusudama":
			return { kind, cones: conesFor(leans) };
		default:
			return { kind: "free" };
	}
}

/** One cone for a region that is about round, two along its longer way for another. */
function conesFor(leans: Leans): Extract<Swing, { kind: "kusudama" }>["cones"] {
	const ways = leans.slice(0, leans.length / 2).map((_, i) => across(leans, (TURN * i) / leans.length));
	const longest = ways.indexOf(Math.max(...ways));
	const along = (TURN * longest) / leans.length;
	const radius = Math.max(across(leans, along + Math.PI / 2), LEAST);
	if ((ways[longest] ?? 0) - radius < radians(3))
		return [{ axis: [0, 0, 1], radius: mean(leans), tangent: null }];
	return [0, Math.PI].map((side) => ({
		axis: polar(along + side, Math.max(at(leans, along + side) - radius, 0)),
		radius,
		tangent: null,
	}));
}
