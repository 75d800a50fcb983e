// The surface of smoothly united parts, by surface nets.
//
// The field is −k·ln Σ exp(−dᵢ/k) of the distances dᵢ to the parts, which does not
// depend on their order. Every part adds to the cells near it alone. A cell that the
// surface passes through gets one vertex, the mean of where it crosses the cell's
// edges, and every edge that is crossed gives a quadrangle (Gibson 1998). No npm
// package that does this is kept up, and it is short.

import type { V3 } from "../../maths";
import { distanceOf, type Group, type Part, reachOf } from "./shape";

export interface Surface {
	positions: number[];
	normals: number[];
	/** Three to a triangle, counter-clockwise from outside. */
	triangles: number[];
}

/** A grid may have this many corners; what needs more is drawn by its parts. */
const MOST_CORNERS = 1_500_000;

/** The smooth surface around a group; `null` where it would take too fine a grid. */
export function surfaceOf(group: Group): Surface | null {
	const { parts, cell } = group;
	const blend = Math.max(group.blend, 1e-6);
	// Beyond this a part adds too little to matter.
	const far = 4 * blend + 2 * cell;
	const low: V3 = [Infinity, Infinity, Infinity];
	const high: V3 = [-Infinity, -Infinity, -Infinity];
	for (const part of parts) {
		const reach = reachOf(part) + blend + 2 * cell;
		for (const end of [part.from, part.to]) {
			for (let k = 0; k < 3; k += 1) {
				low[k] = Math.min(low[k] as number, (end[k] as number) - reach);
				high[k] = Math.max(high[k] as number, (end[k] as number) + reach);
			}
		}
	}
	const size = [0, 1, 2].map((k) => Math.ceil(((high[k] as number) - (low[k] as number)) / cell) + 1);
	const [nx = 0, ny = 0, nz = 0] = size;
	if (!(nx * ny * nz > 0 && nx * ny * nz <= MOST_CORNERS)) return null;

	const sum = new Float32Array(nx * ny * nz);
	for (const part of parts) splat(part, sum, low, [nx, ny, nz], cell, far, blend);
	const field = sum;
	for (let i = 0; i < field.length; i += 1) {
		const s = sum[i] as number;
		field[i] = s > 0 ? -blend * Math.log(s) : far;
	}
	return netsOf(field, low, [nx, ny, nz], cell);
}

function splat(
	part: Part,
	sum: Float32Array,
	low: V3,
	n: V3,
	cell: number,
	far: number,
	blend: number,
): void {
	const distance = distanceOf(part);
	const reach = reachOf(part) + far;
	const first = [0, 1, 2].map((k) => {
		const least = Math.min(part.from[k] as number, part.to[k] as number) - reach;
		return Math.max(0, Math.floor((least - (low[k] as number)) / cell));
	});
	const last = [0, 1, 2].map((k) => {
		const most = Math.max(part.from[k] as number, part.to[k] as number) + reach;
		return Math.min((n[k] as number) - 1, Math.ceil((most - (low[k] as number)) / cell));
	});
	const [x0 = 0, y0 = 0, z0 = 0] = first;
	const [x1 = 0, y1 = 0, z1 = 0] = last;
	for (let z = z0; z <= z1; z += 1) {
		for (let y = y0; y <= y1; y += 1) {
			let i = (z * n[1] + y) * n[0] + x0;
			for (let x = x0; x <= x1; x += 1, i += 1) {
				const d = distance(low[0] + x * cell, low[1] + y * cell, low[2] + z * cell);
				// Deep inside the exponential would overflow, and there is no surface.
				if (d < far) sum[i] = (sum[i] as number) + Math.exp(Math.min(60, -d / blend));
			}
		}
	}
}

/** The twelve edges of a cell, as pairs of its corners; corner bits are x, y, z. */
const EDGES: [number, number][] = [];
for (let corner = 0; corner < 8; corner += 1) {
	for (const bit of [1, 2, 4]) if (!(corner & bit)) EDGES.push([corner, corner | bit]);
}

function netsOf(field: Float32Array, low: V3, [nx, ny, nz]: V3, cell: number): Surface {
	const positions: number[] = [];
	const normals: number[] = [];
	const triangles: number[] = [];
	const vertexOf = new Int32Array(field.length).fill(-1);
	const strides = [1, nx, nx * ny] as const;
	const corners = new Float32Array(8);
	for (let z = 0; z + 1 < nz; z += 1) {
		for (let y = 0; y + 1 < ny; y += 1) {
			for (let x = 0; x + 1 < nx; x += 1) {
				const at = (z * ny + y) * nx + x;
				let inside = 0;
				for (let c = 0; c < 8; c += 1) {
					const value = field[at + (c & 1) + ((c >> 1) & 1) * nx + (c >> 2) * nx * ny] as number;
					corners[c] = value;
					if (value < 0) inside += 1;
				}
				if (inside === 0 || inside === 8) continue;
				const mean: V3 = [0, 0, 0];
				let crossings = 0;
				for (const [a, b] of EDGES) {
					const va = corners[a] as number;
					const vb = corners[b] as number;
					if (va < 0 === vb < 0) continue;
					const t = va / (va - vb);
					for (let k = 0; k < 3; k += 1) {
						const bit = 1 << k;
						mean[k] = (mean[k] as number) + (a & bit ? 1 : b & bit ? t : 0);
					}
					crossings += 1;
				}
				const slope: V3 = [0, 0, 0];
				for (let c = 0; c < 8; c += 1) {
					for (let k = 0; k < 3; k += 1) {
						slope[k] = (slope[k] as number) + ((c >> k) & 1 ? 1 : -1) * (corners[c] as number);
					}
				}
				const steep = Math.hypot(...slope) || 1;
				vertexOf[at] = positions.length / 3;
				const base = [x, y, z];
				for (let k = 0; k < 3; k += 1) {
					const grid = (base[k] as number) + (mean[k] as number) / crossings;
					positions.push((low[k] as number) + cell * grid);
					normals.push((slope[k] as number) / steep);
				}
			}
		}
	}
	// Every crossed edge joins the four cells around it.
	for (let z = 1; z + 1 < nz; z += 1) {
		for (let y = 1; y + 1 < ny; y += 1) {
			for (let x = 1; x + 1 < nx; x += 1) {
				const at = (z * ny + y) * nx + x;
				const here = (field[at] as number) < 0;
				for (let k = 0; k < 3; k += 1) {
					if ((field[at + (strides[k] as number)] as number) < 0 === here) continue;
					const u = strides[(k + 1) % 3] as number;
					const v = strides[(k + 2) % 3] as number;
					const ring = [at - u - v, at - v, at, at - u].map((i) => vertexOf[i] as number);
					const [a = 0, b = 0, c = 0, d = 0] = here ? ring : ring.reverse();
					triangles.push(a, b, c, a, c, d);
				}
			}
		}
	}
	return { positions, normals, triangles };
}

const AROUND = 14;
const CAP = 4;

/** A part by itself, exactly: two caps and what is between them. */
export function solidOf(part: Part): Surface {
	const way: V3 = [0, 1, 2].map((k) => (part.to[k] as number) - (part.from[k] as number)) as V3;
	const length = Math.hypot(...way);
	const axis: V3 = length > 1e-9 ? (way.map((v) => v / length) as V3) : [0, 1, 0];
	const side: V3 = Math.abs(axis[1]) < 0.9 ? [axis[2], 0, -axis[0]] : [0, -axis[2], axis[1]];
	const sideLength = Math.hypot(...side) || 1;
	const u = side.map((v) => v / sideLength) as V3;
	const w: V3 = [
		axis[1] * u[2] - axis[2] * u[1],
		axis[2] * u[0] - axis[0] * u[2],
		axis[0] * u[1] - axis[1] * u[0],
	];
	const surface: Surface = { positions: [], normals: [], triangles: [] };
	const rings: [V3, number, number][] = [];
	for (let i = 0; i <= CAP; i += 1)
		rings.push([part.from, part.fromRadius, -Math.PI / 2 + (Math.PI / 2) * (i / CAP)]);
	for (let i = 0; i <= CAP; i += 1) rings.push([part.to, part.toRadius, (Math.PI / 2) * (i / CAP)]);
	const { across, wide = 1 } = part;
	for (const [centre, radius, height] of rings) {
		for (let k = 0; k <= AROUND; k += 1) {
			const angle = (2 * Math.PI * k) / AROUND;
			const [c, s] = [Math.cos(height) * Math.cos(angle), Math.cos(height) * Math.sin(angle)];
			const normal = [0, 1, 2].map(
				(i) => c * (u[i] as number) + s * (w[i] as number) + Math.sin(height) * (axis[i] as number),
			) as V3;
			const stretch = across
				? (wide - 1) * (normal[0] * across[0] + normal[1] * across[1] + normal[2] * across[2])
				: 0;
			for (let i = 0; i < 3; i += 1) {
				const out = (normal[i] as number) + stretch * (across?.[i] ?? 0);
				surface.positions.push((centre[i] as number) + radius * out);
				surface.normals.push(normal[i] as number);
			}
		}
	}
	const row = AROUND + 1;
	for (let i = 0; i + 1 < rings.length; i += 1) {
		for (let k = 0; k < AROUND; k += 1) {
			const a = i * row + k;
			surface.triangles.push(a, a + 1, a + row + 1, a, a + row + 1, a + row);
		}
	}
	return surface;
}
