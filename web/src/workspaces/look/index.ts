// Look: have a robot or a neck look at things, in a posture that speaks.

import type { V3 } from "../../maths";
import { detailsOf } from "../../state/frames";
import { editScene } from "../../state/session";
import type { LookScene, RigDescription } from "../../wire";
import type { Workspace } from "../workspace";
import { PRESETS } from "./filters";
import { LookOverlay } from "./LookOverlay";
import { LookPanel } from "./LookPanel";
import { LookStage } from "./LookStage";
import { slidJoints } from "./postures";
import { useLookView } from "./view";

/** A joint in the middle of the chain has the most to show; of a character, the neck or the head. */
function plottedAtFirst(rig: RigDescription): number {
	for (const part of ["neck", "head"]) {
		const joint = rig.joints.findIndex(({ role }) => role === part);
		if (joint >= 0) return joint;
	}
	const slid = slidJoints(rig);
	return slid[Math.floor((slid.length - 1) / 2)]?.place ?? 0;
}

function sentence(words: string): string {
	return words.charAt(0).toUpperCase() + words.slice(1);
}

const fits = (rig: RigDescription, scene: LookScene): LookScene => ({
	...scene,
	endpoint: scene.endpoint !== null && scene.endpoint < rig.joints.length ? scene.endpoint : null,
	values: scene.values.length === rig.joints.length ? scene.values : [],
	rotations: scene.rotations.length === 4 * rig.joints.length ? scene.rotations : [],
	plotted: scene.plotted < rig.joints.length ? scene.plotted : plottedAtFirst(rig),
});

/** Where the end of an arm is that stands up to look: some rest folded. */
function upright(rig: RigDescription): V3[] {
	if (rig.joints.some(({ role }) => role === "head")) return [];
	const far: number[] = [];
	for (const { parent, rest_position: offset, tip } of rig.joints) {
		const before = parent === null ? 0 : (far[parent] ?? 0) + Math.hypot(...offset);
		far.push(before);
		if (tip) far[far.length - 1] = before + Math.hypot(...tip);
	}
	const [x, y, z] = rig.joints[0]?.model_position ?? [0, 0, 0];
	return [[x, y + 0.9 * Math.max(...far), z]];
}

export const look: Workspace<"look"> = {
	name: "look",
	title: "Look",
	summary: "Have a robot or a character look at things, in a posture that speaks.",
	Panel: LookPanel,
	Stage: LookStage,
	Overlay: LookOverlay,
	initial: (rig) => ({
		endpoint: null,
		values: [],
		rotations: [],
		target: { kind: "path", path: "circle", speed: 0.2 },
		keep_sides: true,
		symmetric: false,
		filter: PRESETS.usual,
		plotted: plottedAtFirst(rig),
	}),
	fit: (scene, rig) => fits(rig, scene),
	move: (scene, _target, position) => ({ ...scene, target: { kind: "at", position } }),
	framed: ({ target }, rig) => {
		if (target.kind === "at") return [target.position];
		if (target.kind === "toward") return [];
		// The paths are as large as the rig, and as far before it; most of them is shown, with the
		// rig as large as it may be.
		const [low, high] = [rig.floor + 0.3 * rig.size, rig.floor + 0.95 * rig.size];
		const across = 0.2 * rig.size;
		const path = [-across, across].flatMap((x): V3[] => [
			[x, low, rig.size],
			[x, high, rig.size],
		]);
		return [...path, ...upright(rig)];
	},
	outcome: (frame) => {
		const details = detailsOf(frame, "look");
		return details && { good: details.reached, text: sentence(details.outcome) };
	},
	shortcuts: [
		{
			keys: "X",
			label: "Filter on or off",
			run: () =>
				editScene("look", "Switch filter", (scene) => ({
					...scene,
					filter: scene.filter ? null : PRESETS.usual,
				})),
		},
		{
			keys: "G",
			label: "Ghost of the posture",
			run: () => useLookView.setState(({ showPosture }) => ({ showPosture: !showPosture })),
		},
	],
	rigs: ["humanoid", "erik-a", "erik-b", "erik-c", "erik-d", "erik-e", "erik-f", "erik-g", "snake"],
	onlyMoves: true,
};
