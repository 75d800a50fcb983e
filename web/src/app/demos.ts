// Something happens when a workspace is opened from the first screen, until somebody takes hold of it.

import type { V3 } from "../maths";
import { editScene, sendScene, setSceneQuietly, showWorkspace } from "../state/session";
import { setStudio, studio, type WorkspaceName } from "../state/store";
import { nextInput, send } from "../state/talk";
import { STILL } from "../workspaces/walk/steering";
import { screenStick } from "../workspaces/walk/useSteering";
import { still } from "./reducedMotion";

const EVERY = 33;
let stop: (() => void) | null = null;

/** Ends what plays by itself. */
export function endDemo(): void {
	stop?.();
	stop = null;
}

/** A point that goes round, about a place. */
export function around([x, y, z]: V3, seconds: number, size: number): V3 {
	return [
		x + size * Math.sin(1.3 * seconds),
		y + 0.6 * size * Math.sin(2.6 * seconds),
		z + 0.5 * size * Math.cos(1.3 * seconds),
	];
}

/** Moves a target until the demonstration ends; the scene is left as it was. */
function move(target: string, place: V3, size: number): () => void {
	const began = performance.now();
	const timer = setInterval(() => {
		const position = around(place, (performance.now() - began) / 1000, size);
		send({ type: "drag", input: nextInput(), target, position, rotation: null });
	}, EVERY);
	return () => {
		clearInterval(timer);
		sendScene();
	};
}

const beginnings: Record<WorkspaceName, () => (() => void) | null> = {
	pose: () => {
		const { rig, scenes } = studio();
		const goal = scenes.pose?.goals.find(({ id }) => id === "right hand") ?? scenes.pose?.goals[0];
		if (!goal || !rig) return null;
		const [x, y, z] = goal.position;
		return move(goal.id, [x, y + 0.25 * rig.size, z + 0.12 * rig.size], 0.1 * rig.size);
	},
	reach: () => {
		const { rig, scenes } = studio();
		const target = scenes.reach?.right;
		if (!target || !rig) return null;
		return move("right", target.position, 0.14 * rig.size);
	},
	body: () => {
		const { rig } = studio();
		if (rig?.motions.length || !rig?.source || rig.source.kind !== "rig") return null;
		setSceneQuietly("body", (scene) => ({
			...scene,
			source: { kind: "made", name: "walking" },
			playing: true,
		}));
		return null;
	},
	// A robot looks round by itself, and so does a character.
	look: () => null,
	walk: () => {
		editScene("walk", "Hills", (scene) => ({ ...scene, terrain: { kind: "hills", seed: 1, height: 0.35 } }));
		const controls = { speed: 0.8, turn: 0.12 };
		screenStick.controls = controls;
		return () => {
			if (screenStick.controls === controls) screenStick.controls = STILL;
		};
	},
};

/** Shows a workspace with something happening in it. */
export function demonstrate(name: WorkspaceName): void {
	endDemo();
	setStudio({ greeting: false, panelOpen: true });
	showWorkspace(name);
	if (studio().workspace !== name || still()) return;
	// Its scene is there at once, its stage after the next picture; in Pose the character of the greeting stands again first.
	const wait = name === "pose" ? 480 : 60;
	const later = setTimeout(() => {
		const end = beginnings[name]();
		stop = () => {
			end?.();
			forget();
		};
	}, wait);
	const end = (event: Event) => {
		if (event.target instanceof Element && event.target.closest(".tour, .header")) return;
		endDemo();
	};
	const forget = () => {
		clearTimeout(later);
		window.removeEventListener("pointerdown", end, true);
		window.removeEventListener("keydown", end, true);
	};
	window.addEventListener("pointerdown", end, true);
	window.addEventListener("keydown", end, true);
	stop = forget;
}
