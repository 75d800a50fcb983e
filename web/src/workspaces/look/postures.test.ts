import { describe, expect, it } from "vitest";
import { multiply, type Q, turn } from "../../maths";
import type { LookScene, RigDescription } from "../../wire";
import { directionOf, isIn, relativeRotations, slidJoints, turnOf, withPosture, withValue } from "./postures";

const about = (axis: number, angle: number): Q => {
	const q: Q = [0, 0, 0, Math.cos(angle / 2)];
	q[axis] = Math.sin(angle / 2);
	return q;
};
const joint = (parent: number | null, rest_rotation: Q, range: [number, number] | null) => ({
	name: `joint ${parent}`,
	parent,
	rest_rotation,
	range,
	kind: range ? "hinge" : "fixed",
});
const rig = {
	joints: [
		joint(null, about(1, 0.4), null),
		joint(0, about(0, -0.7), [-1, 1]),
		joint(1, about(2, 1.1), [0, 2]),
	],
} as unknown as RigDescription;
const scene = { values: [], rotations: [] } as unknown as LookScene;

describe("postures", () => {
	it("have sliders for what has a range", () => {
		expect(slidJoints(rig).map(({ place }) => place)).toEqual([1, 2]);
	});

	it("change one value and leave the others", () => {
		const one = withValue(scene, 3, 1, 0.5);
		expect(one.values).toEqual([0, 0.5, 0]);
		expect(withValue(one, 3, 2, -1).values).toEqual([0, 0.5, -1]);
		expect(scene.values).toEqual([]);
	});

	it("are recognised", () => {
		const shy = { name: "shy", values: [0, 0.5, 0], rotations: [] };
		expect(isIn(scene, shy)).toBe(false);
		expect(isIn(withPosture(scene, shy), shy)).toBe(true);
		expect(isIn(scene, { ...shy, values: [0, 0, 0] })).toBe(true);
	});

	it("come back from where the joints are", () => {
		const turns = [about(1, 0.2), about(0, 0.9), about(2, -0.3)];
		const model: Q[] = [];
		rig.joints.forEach(({ parent, rest_rotation }, i) => {
			const local = multiply(rest_rotation, turns[i] as Q);
			model[i] = parent === null ? local : multiply(model[parent] as Q, local);
		});
		const found = relativeRotations(rig, { positions: [], rotations: model.flat() });
		turns.flat().forEach((x, i) => {
			expect(found[i]).toBeCloseTo(x);
		});
	});
});

describe("directions", () => {
	it("go left, up and over", () => {
		const [lx, , lz] = turn(turnOf({ yaw: Math.PI / 2, pitch: 0, roll: 0 }), [0, 0, 1]);
		expect([lx, lz].map(Math.round)).toEqual([1, 0]);
		expect(turn(turnOf({ yaw: 0, pitch: 0.5, roll: 0 }), [0, 0, 1])[1]).toBeCloseTo(Math.sin(0.5));
	});

	it("come back from their turn", () => {
		for (const yaw of [-3, -0.4, 0, 1.2]) {
			for (const pitch of [-1.5, -0.2, 0, 1.4]) {
				for (const roll of [-2.5, 0, 0.7]) {
					const found = directionOf(turnOf({ yaw, pitch, roll }));
					expect(found.yaw).toBeCloseTo(yaw);
					expect(found.pitch).toBeCloseTo(pitch);
					expect(found.roll).toBeCloseTo(roll);
				}
			}
		}
	});

	it("are whole even straight up", () => {
		const straight = turnOf({ yaw: 0.8, pitch: Math.PI / 2, roll: 0 });
		const again = turnOf(directionOf(straight));
		const dot = straight.reduce((sum, x, i) => sum + x * (again[i] ?? 0), 0);
		expect(Math.abs(dot)).toBeCloseTo(1);
	});
});
