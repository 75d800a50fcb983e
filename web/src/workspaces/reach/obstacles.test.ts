import { describe, expect, it } from "vitest";
import type { ReachScene, RigDescription } from "../../wire";
import { firstTarget, withHand } from "./hands";
import { formOf, freshName, KINDS, lengthsOf, withAdded, withChanged, withRemoved } from "./obstacles";

const rig = {
	size: 1.8,
	floor: 0,
	joints: [
		{ role: "rightUpperArm", model_position: [-0.2, 1.4, 0] },
		{ role: "rightLowerArm", model_position: [-0.5, 1.4, 0] },
		{ role: "rightHand", model_position: [-0.75, 1.4, 0] },
	],
} as unknown as RigDescription;
const empty = { obstacles: [], left: null, right: null } as unknown as ReachScene;

describe("obstacles", () => {
	it("have names of their own and do not stand in each other", () => {
		let scene = empty;
		for (const kind of [...KINDS, ...KINDS]) scene = withAdded(scene, rig, kind).scene;
		expect(new Set(scene.obstacles.map(({ id }) => id)).size).toBe(8);
		expect(scene.obstacles[0]?.position).not.toEqual(scene.obstacles[1]?.position);
		expect(freshName(scene.obstacles, "box")).toBe("box 3");
		expect(freshName(withRemoved(scene, "box 1").obstacles, "box")).toBe("box 1");
	});

	it("are changed one at a time", () => {
		const { scene, id } = withAdded(withAdded(empty, rig, "ball").scene, rig, "ball");
		const moved = withChanged(scene, id, { position: [9, 9, 9] });
		expect(moved.obstacles.map(({ position }) => position[0] === 9)).toEqual([false, true]);
	});

	it("have lengths that can be set", () => {
		for (const kind of KINDS) {
			const form = formOf(kind, 1.8);
			lengthsOf(form).forEach((length, i) => {
				expect(length.value).toBeGreaterThan(0);
				const changed = lengthsOf(length.set(7));
				expect(changed.map(({ value }) => value === 7)).toEqual(changed.map((_, k) => k === i));
			});
		}
	});
});

describe("hands", () => {
	it("begin within the arm's reach, in front", () => {
		const { position } = firstTarget(rig, "right");
		const far = Math.hypot(position[0] + 0.2, position[1] - 1.4, position[2]);
		expect(far).toBeLessThan(0.55);
		expect(position[2]).toBeGreaterThan(0.2);
		expect(firstTarget(rig, "left").position[0]).toBeGreaterThan(0);
		expect(withHand(empty, "left", null).left).toBeNull();
	});
});
