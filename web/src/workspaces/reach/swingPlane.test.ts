import { describe, expect, it } from "vitest";
import type { BehaviourDocument } from "../../wire";
import { barycentric, fromPicture, keyNear, type Swing, toPicture, triangleAt } from "./swingPlane";

const key = (a: number, b: number, outer = false) => ({
	swing: [a, b] as Swing,
	outer,
	rotations: [],
	swivel: 0,
});
const plane: BehaviourDocument = {
	name: "plain",
	side: "right",
	keys: [
		key(-Math.PI, -Math.PI, true),
		key(Math.PI, -Math.PI, true),
		key(Math.PI, Math.PI, true),
		key(-Math.PI, Math.PI, true),
		key(0.2, -0.4),
	],
	triangles: [
		[0, 1, 4],
		[1, 2, 4],
		[2, 3, 4],
		[3, 0, 4],
	],
};

describe("the swing plane", () => {
	it("shows right as right and up as up", () => {
		expect(toPicture([0, 0], 200)).toEqual({ x: 100, y: 100 });
		expect(toPicture([0, -1], 200).x).toBeGreaterThan(100);
		expect(toPicture([-1, 0], 200).y).toBeLessThan(100);
		expect(toPicture([-Math.PI, -Math.PI], 200)).toEqual({ x: 200, y: 0 });
	});

	it("comes back from the picture, and stays within the disk", () => {
		for (const swing of [
			[0.3, -1.2],
			[-2, 0.1],
		] as Swing[]) {
			const back = fromPicture(toPicture(swing, 320), 320);
			expect(back[0]).toBeCloseTo(swing[0]);
			expect(back[1]).toBeCloseTo(swing[1]);
		}
		const corner = fromPicture({ x: 0, y: 0 }, 320);
		expect(Math.hypot(...corner)).toBeLessThan(Math.PI);
		expect(corner[0]).toBeLessThan(0);
		expect(corner[1]).toBeGreaterThan(0);
	});

	it("weighs corners", () => {
		expect(barycentric([0, 0], [0, 0], [1, 0], [0, 1])).toEqual([1, 0, 0]);
		const middle = barycentric([1 / 3, 1 / 3], [0, 0], [1, 0], [0, 1]);
		for (const weight of middle ?? []) expect(weight).toBeCloseTo(1 / 3);
		expect(middle).not.toBeNull();
		expect(barycentric([0, 0], [0, 0], [1, 1], [2, 2])).toBeNull();
	});

	it("finds the triangle of every swing", () => {
		expect(triangleAt(plane, [0.2, -2])).toBe(0);
		expect(triangleAt(plane, [2, -0.4])).toBe(1);
		expect(triangleAt(plane, [0.2, 2])).toBe(2);
		expect(triangleAt(plane, [-2, -0.4])).toBe(3);
		for (let i = 0; i < 200; i += 1) {
			const angle = i * 0.7;
			const radius = (i / 200) * 3.1;
			expect(triangleAt(plane, [radius * Math.cos(angle), radius * Math.sin(angle)])).not.toBe(-1);
		}
		expect(triangleAt({ ...plane, triangles: [[0, 1, 99]] }, [0, 0])).toBe(-1);
	});

	it("finds the key under the pointer", () => {
		const at = toPicture([0.2, -0.4], 300);
		expect(keyNear(plane, { x: at.x + 3, y: at.y }, 300, 8)).toBe(4);
		expect(keyNear(plane, { x: at.x + 30, y: at.y }, 300, 8)).toBe(-1);
	});
});
