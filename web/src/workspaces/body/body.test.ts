import { describe, expect, it } from "vitest";
import type { BodyScene, BodyTrack, RigDescription } from "../../wire";
import {
	markerPlace,
	POINTS,
	PRESETS,
	pointInWords,
	presetOf,
	restTurn,
	SIX,
	standing,
	withMethod,
	withPoint,
} from "./points";
import { clock, frameAt, lengthOf, stepped, timesOf } from "./timeline";

const scene: BodyScene = {
	source: { kind: "markers", markers: [{ point: "head", position: [0, 2, 0], rotation: null }] },
	method: "sik",
	points: [...SIX],
	orientations: false,
	noise: 0,
	playing: false,
	speed: 1,
	frame: 0,
};

describe("points", () => {
	it("have presets of three, four, six and eleven", () => {
		expect(PRESETS.map(({ points }) => points.length)).toEqual([3, 4, 6, 11]);
		expect(presetOf(SIX)).toBe("6");
		expect(presetOf([...SIX].reverse())).toBe("6");
		expect(presetOf(["head"])).toBe("");
		expect(pointInWords("left-wrist")).toBe("Left wrist");
	});

	it("are switched in their order, and never all off", () => {
		const more = withPoint(scene, "chest", true);
		expect(more.points).toEqual(POINTS.slice(0, 7));
		expect(withPoint(more, "chest", false).points).toEqual(SIX);
		const one = { ...scene, points: ["head"] };
		expect(withPoint(one, "head", false)).toBe(one);
	});

	it("are the six where the method takes no others", () => {
		const three = { ...scene, points: ["head", "left-wrist", "right-wrist"], orientations: true };
		expect(withMethod(three, "sik+").points.length).toBe(3);
		expect(withMethod(three, "fabrik")).toMatchObject({ points: SIX, orientations: false, method: "fabrik" });
	});

	it("are where they were put, or where the server has them", () => {
		const states = [
			{ point: "head", position: [9, 9, 9], reached: [0, 0, 0], source: "measured" },
			{ point: "pelvis", position: [0, 1, 0], reached: [0, 0, 0], source: "measured" },
		] as never;
		expect(markerPlace(scene, states, "head")).toEqual([0, 2, 0]);
		expect(markerPlace(scene, states, "pelvis")).toEqual([0, 1, 0]);
		expect(markerPlace(scene, [], "pelvis")).toBeNull();
		expect(["measured", "filled in", "not believed", "no number"].map(standing)).toEqual([
			"good",
			"filled",
			"doubted",
			"doubted",
		]);
	});
});

describe("turns at rest", () => {
	it("are those of the joint with the part", () => {
		const rig = {
			joints: [
				{ role: "hips", model_rotation: [1, 0, 0, 0] },
				{ role: "leftHand", model_rotation: [0, 1, 0, 0] },
				{ role: "chest", model_rotation: [0, 0, 1, 0] },
			],
		} as unknown as RigDescription;
		expect(["pelvis", "left-wrist", "chest", "right-knee"].map((point) => restTurn(rig, point))).toEqual([
			[1, 0, 0, 0],
			[0, 1, 0, 0],
			[0, 0, 1, 0],
			[0, 0, 0, 1],
		]);
	});
});

describe("the timeline", () => {
	const track = { frames: 600, frame_time: 1 / 60, stride: 3, position: [0, 0, 0] } as unknown as BodyTrack;
	const rig = { motions: [{ name: "a", frames: 10, frame_time: 0.1 }] } as unknown as RigDescription;

	it("knows its length before and after there is a track", () => {
		const motion: BodyScene = { ...scene, source: { kind: "motion", motion: 0 } };
		expect(lengthOf(scene, rig, track)).toBeNull();
		expect(lengthOf(motion, rig, null)).toEqual({ frames: 10, frameTime: 0.1 });
		expect(lengthOf(motion, rig, track)).toEqual({ frames: 600, frameTime: 1 / 60 });
		expect(lengthOf({ ...scene, source: { kind: "made", name: "walking" } }, rig, null)).toBeNull();
	});

	it("finds the frame of a time, within the motion", () => {
		expect(frameAt(1, 600, 1 / 60)).toBe(60);
		expect(frameAt(-3, 600, 1 / 60)).toBe(0);
		expect(frameAt(1e9, 600, 1 / 60)).toBe(599);
		expect(frameAt(Number.NaN, 600, 1 / 60)).toBe(0);
		expect(frameAt(1, 0, 0)).toBe(0);
	});

	it("steps round the ends", () => {
		expect(stepped(599, 1, 600)).toBe(0);
		expect(stepped(0, -10, 600)).toBe(590);
		expect(stepped(3, 1, 0)).toBe(0);
	});

	it("reads as a clock", () => {
		expect(clock(0)).toBe("0:00.00");
		expect(clock(62.349)).toBe("1:02.35");
		expect(clock(59.999)).toBe("1:00.00");
		expect(timesOf(track).map((t) => Math.round(100 * t))).toEqual([0, 5, 10]);
	});
});
