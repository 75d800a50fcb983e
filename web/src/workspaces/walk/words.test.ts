import { describe, expect, it } from "vitest";
import type { WalkFrame } from "../../wire";
import { walkInWords } from "./words";

const walk: WalkFrame = {
	feet: [],
	place: [0, 0, 0],
	heading: 0,
	standing: false,
	gait: "walk",
	blocked: null,
	iterations: 0,
	slip: 0.0004,
	cause: null,
	typed_cause: null,
};

describe("the walker in words", () => {
	it("says the gait and how well the feet hold", () => {
		expect(walkInWords(walk).text).toBe("Walking; planted feet are 0.4 mm off.");
		expect(walkInWords({ ...walk, gait: "trot" }).text).toMatch(/^Trotting, diagonal legs in turn; /);
		expect(walkInWords({ ...walk, gait: "stand", standing: true }).text).toBe("Standing. Hold W to walk.");
		const off = walkInWords({ ...walk, slip: 0.03, cause: "the left foot is out of reach" });
		expect(off).toEqual({
			good: false,
			text: "Walking; planted feet are 30.0 mm off: the left foot is out of reach.",
		});
	});

	it("says what it stops before, without coordinates", () => {
		const at: [number, number, number] = [1.23, 0, 4.56];
		const stopped = (by: "wall" | "step" | "drop" | "slope", size: number) =>
			walkInWords({ ...walk, gait: "stand", standing: true, blocked: { by, at, size } }).text;
		expect(stopped("wall", 2)).toBe("Stopped by a wall, at least 2.00 m high. A and D turn away.");
		expect(stopped("slope", 0.9)).toContain("a slope of 90 %");
		expect(stopped("drop", 1)).toContain("a drop of");
		expect(stopped("step", 0.5)).not.toContain("4.56");
		const near = walkInWords({ ...walk, blocked: { by: "wall", at, size: 2 } });
		expect(near.text).toBe("Walking; ahead is a wall, at least 2.00 m high.");
	});
});
