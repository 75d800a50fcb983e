import { describe, expect, it } from "vitest";
import { IDENTITY, type Q, radians, turn, type V3 } from "../../maths";
import type { JointDescription, LimitDocument, RigDescription, Swing, Welcome } from "../../wire";
import { leansOf, nearestSwing } from "./equivalent";
import { freshId } from "./goals";
import { goingBack } from "./kindMemory";
import { changedKind, frameAlong, kindOf, kindsFor, swingDirection, twistDirection } from "./limits";
import { poseScene as pose } from "./scene";
import { optionLabel, withOption } from "./solverOptions";
import { angleParts, lengthInWords, microsParts } from "./words";

const joint = (name: string, parent: number | null, kind: string, at: V3): JointDescription => ({
	name,
	parent,
	rest_position: at,
	rest_rotation: IDENTITY,
	model_position: at,
	model_rotation: IDENTITY,
	kind,
	freedoms: 3,
	tip: null,
	role: null,
	limit: null,
	range: null,
});
const rig = {
	joints: [
		joint("a", null, "free", [0, 0, 0]),
		joint("b", 0, "ball", [0, 0.3, 0]),
		joint("c", 1, "hinge", [0.4, 0, 0]),
	],
	size: 1,
} as unknown as RigDescription;
const welcome = {
	solvers: [
		{ name: "ccd", options: [] },
		{ name: "robust", options: [{ path: "restarts", value: 100 }] },
	],
} as unknown as Welcome;

describe("limits", () => {
	it("can be turned from any kind into any other that the joint has", () => {
		let limit: LimitDocument | null = null;
		for (const from of kindsFor(rig.joints[1] as JointDescription)) {
			limit = changedKind(limit, from, rig, 1);
			expect(kindOf(limit.shape)).toBe(from);
			for (const to of kindsFor(rig.joints[1] as JointDescription)) {
				expect(kindOf(changedKind(limit, to, rig, 1).shape)).toBe(to);
			}
		}
	});

	it("are offered as the joint can be limited", () => {
		expect(kindsFor(rig.joints[2] as JointDescription)).toEqual(["none", "hinge"]);
		expect(kindsFor({ ...(rig.joints[2] as JointDescription), kind: "fixed" })).toEqual(["none"]);
	});

	it("begin about the bone, and keep frame, soft zone and twist after", () => {
		const cone = changedKind(null, "cone", rig, 1);
		if (cone.shape.kind !== "swing_twist") throw new Error("a cone is a swing");
		const along = turn(cone.shape.frame, [0, 0, 1]);
		for (const [i, x] of [1, 0, 0].entries()) expect(along[i]).toBeCloseTo(x);
		const next = changedKind({ ...cone, soft_zone: 0.2 }, "kusudama", rig, 1);
		expect(next.soft_zone).toBe(0.2);
		expect(next.shape).toMatchObject({ frame: cone.shape.frame, twist: cone.shape.twist });
	});

	const swingLimit = (swing: Swing): LimitDocument => ({
		shape: { kind: "swing_twist", frame: IDENTITY, rest: IDENTITY, swing, twist: { min: -0.3, max: 0.7 } },
		soft_zone: 0,
		outlines: [],
		handles: [],
	});
	const kinds = ["cone", "ellipse", "polygon", "spline", "kusudama"] as const;

	it("of another kind allow about what the old one did", () => {
		const old = swingLimit({ kind: "ellipse", x: radians(30), y: radians(70) });
		const wanted = leansOf(old) ?? [];
		for (const kind of ["ellipse", "polygon", "spline"] as const) {
			const leans = leansOf(swingLimit(nearestSwing(kind, wanted))) ?? [];
			leans.forEach((lean, i) => {
				expect(Math.abs(lean - (wanted[i] ?? 0)), `${kind} ${i}`).toBeLessThan(radians(7));
			});
		}
		const cones = nearestSwing("kusudama", wanted);
		if (cones.kind !== "kusudama") throw new Error("a Kusudama was asked for");
		expect(cones.cones).toHaveLength(2);
		for (const { axis, radius } of cones.cones) {
			// Along x, where the bone leans by turns about y.
			expect(radius).toBeCloseTo(radians(30));
			expect(Math.acos(axis[2]) + radius).toBeCloseTo(radians(70));
			expect(axis[1]).toBeCloseTo(0);
		}
		expect(nearestSwing("cone", leansOf(swingLimit({ kind: "cone", radius: 0.8 })) ?? [])).toEqual({
			kind: "cone",
			radius: expect.closeTo(0.8),
		});
		const round = nearestSwing("kusudama", leansOf(swingLimit({ kind: "cone", radius: 0.8 })) ?? []);
		expect(round).toMatchObject({ cones: [{ axis: [0, 0, 1], radius: expect.closeTo(0.8) }] });
	});

	it("are shapes that there can be, whatever the old one was", () => {
		for (const from of [
			{ kind: "cone", radius: 0 },
			{ kind: "cone", radius: Math.PI },
			{ kind: "ellipse", x: 0, y: Math.PI },
			{ kind: "kusudama", cones: [{ axis: [0, 0, -1], radius: 0.2, tangent: null }] },
		] satisfies Swing[]) {
			for (const kind of kinds) {
				const text = JSON.stringify(changedKind(swingLimit(from), kind, rig, 1));
				expect(text).not.toContain("null,null");
				expect(JSON.parse(text).shape.swing.kind).toBe(kind);
			}
		}
	});

	it("as three angles and back lean as far to each side, and twist as much", () => {
		const old = swingLimit({ kind: "ellipse", x: radians(30), y: radians(70) });
		const { shape } = changedKind(old, "euler", rig, 1);
		if (shape.kind !== "euler") throw new Error("three angles were asked for");
		const degreesOf = shape.ranges.map(({ min, max }) => [min, max].map((angle) => angle / radians(1)));
		expect(degreesOf[0]?.[1]).toBeCloseTo(30);
		expect(degreesOf[1]?.[0]).toBeCloseTo(-70);
		expect(shape.ranges[2]).toEqual({ min: -0.3, max: 0.7 });
		// The bone of joint 1 lies along x; with a frame along it the way back is known.
		const along = { ...shape, frame: frameAlong([1, 0, 0]) };
		const back = changedKind({ ...old, shape: along }, "ellipse", rig, 1).shape;
		expect(back).toMatchObject({
			twist: { min: -0.3, max: 0.7 },
			swing: { x: expect.closeTo(radians(30)), y: expect.closeTo(radians(70)) },
		});
	});

	it("that nothing else was done to are what they were", () => {
		const cone = swingLimit({ kind: "cone", radius: 0.5 });
		const spline = swingLimit(nearestSwing("spline", leansOf(cone) ?? []));
		expect(goingBack([cone, spline], spline)).toEqual([cone, spline]);
		// An undo goes back without a change of kind.
		expect(goingBack([cone, spline], cone)).toEqual([cone, spline]);
		const edited = swingLimit({ kind: "cone", radius: 0.6 });
		expect(goingBack([cone, spline], edited)).toEqual([edited]);
	});

	it("show how far the bone is twisted", () => {
		const { shape } = swingLimit({ kind: "cone", radius: 1 });
		const quarter: Q = [0, 0, Math.SQRT1_2, Math.SQRT1_2];
		twistDirection(shape, quarter)?.forEach((x, i) => {
			expect(x).toBeCloseTo([0, 1, 0][i] ?? 0);
		});
	});

	it("have a frame for every direction, also straight back and none", () => {
		for (const direction of [
			[0, 0, 1],
			[0, 0, -1],
			[1, 2, -3],
			[0, -5, 0],
		] as V3[]) {
			const length = Math.hypot(...direction);
			const along = turn(frameAlong(direction), [0, 0, 1]);
			along.forEach((x, i) => {
				expect(x).toBeCloseTo((direction[i] ?? 0) / length);
			});
		}
		expect(frameAlong([0, 0, 0])).toEqual(IDENTITY);
	});

	it("show where the bone points", () => {
		const { shape } = changedKind(null, "cone", rig, 1);
		const quarter: Q = [0, 0, Math.SQRT1_2, Math.SQRT1_2];
		swingDirection(shape, quarter)?.forEach((x, i) => {
			expect(x).toBeCloseTo([0, 1, 0][i] ?? 0);
		});
		expect(swingDirection({ kind: "none" }, quarter)).toBeNull();
	});
});

describe("the Pose scene", () => {
	const goal = {
		id: "goal-1",
		joint: 1,
		kind: "position" as const,
		position: [0, 0, 0] as V3,
		rotation: IDENTITY,
		position_weight: 1,
		orientation_weight: 1,
		priority: 0,
		enabled: true,
	};
	const scene = pose.initial({ ...rig, goals: [goal] }, welcome);

	it("begins with the rig's goals and the usual solver", () => {
		expect(scene.solver).toEqual({ name: "robust", options: {} });
		expect(scene.goals).toEqual([goal]);
	});

	it("takes a drag, and keeps the turn where none is given", () => {
		const moved = pose.move(scene, "goal-1", [1, 2, 3], null);
		expect(moved.goals[0]).toMatchObject({ position: [1, 2, 3], rotation: IDENTITY });
		expect(pose.move(scene, "other", [1, 2, 3], null).goals).toEqual(scene.goals);
	});

	it("makes firm what is dragged and leaves the rest soft", () => {
		const soft = { ...goal, position_weight: 0.05, orientation_weight: 0.05 };
		const both = { ...scene, goals: [soft, { ...soft, id: "goal-2" }] };
		const weights = pose.move(both, "goal-1", [1, 2, 3], null).goals.map((g) => g.position_weight);
		expect(weights).toEqual([1, 0.05]);
	});

	it("of a link is made to fit another rig and another server", () => {
		const odd = {
			...scene,
			goals: [goal, { ...goal, id: "x", joint: 99 }],
			pins: [0, 50],
			solver: { name: "gone", options: { a: 1 } },
			ghost: { name: "gone", options: {} },
		};
		const fitted = pose.fit?.(odd, rig, welcome);
		expect(fitted).toMatchObject({
			pins: [0],
			solver: { name: "robust", options: {} },
			ghost: null,
		});
		expect(fitted?.goals.map(({ id }) => id)).toEqual(["goal-1"]);
	});

	it("names new goals as none is named", () => {
		expect(freshId([goal])).toBe("goal-2");
		expect(freshId([goal, { ...goal, id: "goal-3" }])).toBe("goal-4");
	});
});

describe("words", () => {
	it("choose units that read well", () => {
		expect(lengthInWords(0.00042)).toBe("0.42 mm");
		expect(lengthInWords(0.0423)).toBe("42.3 mm");
		expect(lengthInWords(0.25)).toBe("25.0 cm");
		expect(lengthInWords(1.5)).toBe("1.50 m");
		expect(angleParts(Math.PI)).toEqual(["180.0", "°"]);
		expect(microsParts(1500)).toEqual(["1.50", "ms"]);
	});
});

describe("options of solvers", () => {
	const option = { path: "tolerance.position", value: 0.001 };
	it("are sent only where they differ", () => {
		const changed = withOption({ name: "x", options: {} }, option, 0.01);
		expect(changed.options).toEqual({ "tolerance.position": 0.01 });
		expect(withOption(changed, option, 0.001).options).toEqual({});
		expect(optionLabel("tolerance.position")).toBe("Tolerance, position");
	});
});
