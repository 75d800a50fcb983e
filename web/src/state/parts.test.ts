import { describe, expect, it } from "vitest";
import type { Fitting, RigDescription } from "../wire";
import { groupOf, isPuzzling, partInWords, sameFitting } from "./parts";

const rig = (kind: string, count: number, found: boolean) =>
	({
		joints: Array.from({ length: count }, (_, i) => ({ name: `j${i}`, kind })),
		parts: [{ role: "hips", joint: found ? 0 : null, found: null, needed: true }],
	}) as unknown as RigDescription;

describe("parts of a person", () => {
	it("says them in words, under headings", () => {
		expect(partInWords("leftUpperArm")).toBe("Left upper arm");
		expect(partInWords("hips")).toBe("Hips");
		expect(groupOf("rightThumbDistal")).toBe("fingers");
		expect(groupOf("upperChest")).toBe("more");
		expect(groupOf("leftFoot")).toBe("body");
	});

	it("asks for them where a body could be, and not of machines, chains or whoever was recognised", () => {
		expect(isPuzzling(rig("ball", 20, false))).toBe(true);
		expect(isPuzzling(rig("ball", 20, true))).toBe(false);
		expect(isPuzzling(rig("ball", 4, false))).toBe(false);
		expect(isPuzzling(rig("hinge", 20, false))).toBe(false);
	});

	it("compares what is said whatever its order", () => {
		const a: Fitting = { roles: { hips: 1, head: 2 }, scale: 1, up: "y", anatomy: true };
		expect(sameFitting(a, { ...a, roles: { head: 2, hips: 1 } })).toBe(true);
		expect(sameFitting(a, { ...a, up: "z" })).toBe(false);
		expect(sameFitting(a, { ...a, roles: { hips: 1 } })).toBe(false);
	});
});
