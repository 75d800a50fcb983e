import { describe, expect, it } from "vitest";
import type { V3 } from "../maths";
import type { JointDescription, RigDescription } from "../wire";
import { mannequinOf } from "./mannequin";
import { distanceOf, type Part } from "./mannequin/shape";
import { solidOf, surfaceOf } from "./mannequin/surface";

/** A rig without turns: places are in model space. */
function rigOf(
	joints: { at: V3; parent: number | null; role?: string; kind?: string; tip?: V3 }[],
): RigDescription {
	const described = joints.map(({ at, parent, role, kind, tip }, i): JointDescription => {
		const from = parent === null ? [0, 0, 0] : (joints[parent]?.at ?? [0, 0, 0]);
		return {
			name: `joint${i}`,
			parent,
			rest_position: at.map((v, k) => v - (from[k] ?? 0)) as V3,
			rest_rotation: [0, 0, 0, 1],
			model_position: at,
			model_rotation: [0, 0, 0, 1],
			kind: kind ?? "ball",
			freedoms: 3,
			tip: tip ?? null,
			role: role ?? null,
			limit: null,
			range: null,
		};
	});
	return { joints: described, size: 1.7, floor: 0 } as unknown as RigDescription;
}

const person = rigOf([
	{ at: [0, 0.95, 0], parent: null, role: "hips" },
	{ at: [0, 1.1, 0], parent: 0, role: "spine" },
	{ at: [0, 1.45, 0], parent: 1, role: "neck" },
	{ at: [0, 1.55, 0], parent: 2, role: "head" },
	...(["left", "right"] as const).flatMap((side, s) => {
		const x = side === "left" ? 1 : -1;
		const first = 4 + 6 * s;
		return [
			{ at: [0.18 * x, 1.4, 0] as V3, parent: 1, role: `${side}UpperArm` },
			{ at: [0.19 * x, 1.12, 0] as V3, parent: first, role: `${side}LowerArm` },
			{ at: [0.2 * x, 0.87, 0] as V3, parent: first + 1, role: `${side}Hand` },
			{ at: [0.09 * x, 0.9, 0] as V3, parent: 0, role: `${side}UpperLeg` },
			{ at: [0.09 * x, 0.49, 0] as V3, parent: first + 3, role: `${side}LowerLeg` },
			{ at: [0.09 * x, 0.08, 0] as V3, parent: first + 4, role: `${side}Foot` },
		];
	}),
]);

describe("surfaces", () => {
	const part: Part = { joint: 0, from: [0, 0, 0], to: [0, 1, 0], fromRadius: 0.2, toRadius: 0.1 };

	it("are closed, lie where the parts end and face outwards", () => {
		const surface = surfaceOf({ parts: [part], blend: 0.02, cell: 0.04, colour: "skin" });
		expect(surface).not.toBeNull();
		if (!surface) return;
		const edges = new Map<string, number>();
		for (let i = 0; i < surface.triangles.length; i += 3) {
			const corners = surface.triangles.slice(i, i + 3);
			const points = corners.map((c) => surface.positions.slice(3 * c, 3 * c + 3));
			const [a = [], b = [], c = []] = points;
			const u = b.map((v, k) => v - (a[k] ?? 0));
			const w = c.map((v, k) => v - (a[k] ?? 0));
			const out = [0, 1, 2].map(
				(k) => (u[(k + 1) % 3] ?? 0) * (w[(k + 2) % 3] ?? 0) - (u[(k + 2) % 3] ?? 0) * (w[(k + 1) % 3] ?? 0),
			);
			const normal = surface.normals.slice(3 * (corners[0] ?? 0), 3 * (corners[0] ?? 0) + 3);
			const along = out.reduce((sum, v, k) => sum + v * (normal[k] ?? 0), 0);
			expect(along).toBeGreaterThanOrEqual(-1e-9);
			corners.forEach((corner, k) => {
				const next = corners[(k + 1) % 3] ?? 0;
				const [key, way] = corner < next ? [`${corner} ${next}`, 1] : [`${next} ${corner}`, -1];
				edges.set(key, (edges.get(key) ?? 0) + way);
			});
		}
		// Every edge is gone along once in each direction.
		expect([...edges.values()].every((sum) => sum === 0)).toBe(true);
		for (let i = 0; i < surface.positions.length; i += 3) {
			expect(Math.abs(distanceOf(part)(...(surface.positions.slice(i, i + 3) as V3)))).toBeLessThan(0.03);
		}
	});

	it("are refused where the grid would be too fine", () => {
		const long: Part = { ...part, to: [1000, 1000, 1000] };
		expect(surfaceOf({ parts: [long], blend: 0.02, cell: 0.04, colour: "skin" })).toBeNull();
	});

	it("of single parts end where the part does, also without a length", () => {
		for (const to of [
			[0, 1, 0],
			[0, 0, 0],
		] as V3[]) {
			const ball = { ...part, to, toRadius: 0.2 };
			const { positions } = solidOf(ball);
			for (let i = 0; i < positions.length; i += 3) {
				expect(Math.abs(distanceOf(ball)(...(positions.slice(i, i + 3) as V3)))).toBeLessThan(1e-6);
			}
		}
	});
});

describe("mannequinOf", () => {
	it("gives a person soles on the floor, a head above its joint and weights that are one", () => {
		const mesh = mannequinOf(person);
		expect(mesh).not.toBeNull();
		if (!mesh) return;
		const heights = mesh.positions.filter((_, i) => i % 3 === 1);
		const lowest = heights.reduce((a, b) => Math.min(a, b));
		const highest = heights.reduce((a, b) => Math.max(a, b));
		expect(Math.abs(lowest)).toBeLessThan(0.015);
		expect(highest).toBeGreaterThan(1.65);
		expect(highest).toBeLessThan(1.85);
		for (let i = 0; i < mesh.weights.length; i += 4) {
			const sum = mesh.weights.slice(i, i + 4).reduce((a, b) => a + b, 0);
			expect(Math.abs(sum - 1)).toBeLessThan(1e-5);
		}
		expect(mesh.positions.every(Number.isFinite)).toBe(true);
		// Software draws the coarse one sixty times a second.
		expect(mesh.triangles.length / 3).toBeLessThan(60_000);
		expect((mannequinOf(person, 2.5)?.triangles.length ?? Infinity) / 3).toBeLessThan(8_000);
	});

	it("keeps a hanging arm apart from the thigh beside it", () => {
		const mesh = mannequinOf(person);
		if (!mesh) return;
		const arm = new Set([4, 5, 6]);
		const others = new Set([0, 7, 8]);
		for (let i = 0; i < mesh.weights.length; i += 4) {
			const bound = [0, 1, 2, 3]
				.filter((k) => (mesh.weights[i + k] ?? 0) > 0)
				.map((k) => mesh.joints[i + k] ?? 0);
			expect(bound.some((j) => arm.has(j)) && bound.some((j) => others.has(j))).toBe(false);
		}
	});

	it("gives everything else a body too, or says that there is none", () => {
		const chain = rigOf(
			Array.from({ length: 1000 }, (_, i) => ({
				at: [0, 0.0017 * i, 0] as V3,
				parent: i === 0 ? null : i - 1,
			})),
		);
		const robot = rigOf([
			{ at: [0, 0, 0], parent: null, kind: "hinge" },
			{ at: [0, 0.5, 0], parent: 0, kind: "hinge" },
			{ at: [0, 1, 0], parent: 1, kind: "hinge", tip: [0, 0.2, 0] },
		]);
		for (const rig of [chain, robot]) {
			const mesh = mannequinOf(rig);
			expect(mesh?.positions.every(Number.isFinite)).toBe(true);
			expect(mesh?.triangles.length).toBeGreaterThan(0);
		}
		expect(mannequinOf(rigOf([{ at: [0, 0, 0], parent: null }]))).toBeNull();
	});

	it("gives a robot without a neck a trunk from the hips to the shoulders", () => {
		// Its waist carries head and arms, and the joint called hips is above those of the legs.
		const robot = rigOf(
			person.joints
				.filter(({ role }) => role !== "neck")
				.map(({ model_position: at, role }) => {
					const place: V3 = role === "hips" ? [0, 1.05, 0] : role === "spine" ? [0, 1.1, 0] : at;
					const parent = role === "hips" ? null : role === "spine" || role?.endsWith("UpperLeg") ? 0 : 1;
					return role ? { at: place, parent, role } : { at: place, parent };
				}),
		);
		const mesh = mannequinOf(robot);
		for (const height of [0.95, 1.05, 1.2, 1.3, 1.4]) {
			const widths: number[] = [];
			for (let i = 0; i < (mesh?.positions.length ?? 0); i += 3) {
				const [x = 0, y = 0, z = 0] = mesh?.positions.slice(i, i + 3) ?? [];
				if (Math.abs(y - height) < 0.02 && Math.abs(x) < 0.15) widths.push(Math.hypot(x, z));
			}
			expect(Math.max(...widths)).toBeGreaterThan(0.07);
		}
	});

	it("makes a robot's base no thinner than its arm, though two of its joints lie on one another", () => {
		const arm = rigOf([
			{ at: [0, 0, 0], parent: null, kind: "fixed" },
			{ at: [0, 0.33, 0], parent: 0, kind: "hinge" },
			{ at: [0, 0.33, 0], parent: 1, kind: "hinge" },
			{ at: [0, 0.65, 0], parent: 2, kind: "hinge" },
			{ at: [0, 1, 0], parent: 3, kind: "hinge", tip: [0, 0.1, 0] },
		]);
		const mesh = mannequinOf(arm);
		const wide = (height: number) => {
			let most = 0;
			for (let i = 0; i < (mesh?.positions.length ?? 0); i += 3) {
				const [x = 0, y = 0, z = 0] = mesh?.positions.slice(i, i + 3) ?? [];
				if (Math.abs(y - height) < 0.03) most = Math.max(most, Math.hypot(x, z));
			}
			return most;
		};
		expect(wide(0.02)).toBeGreaterThan(wide(0.62));
	});
});
