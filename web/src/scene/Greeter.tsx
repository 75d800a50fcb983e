// The first screen: the character looks at the pointer and reaches for it.

import { useThree } from "@react-three/fiber";
import { useEffect } from "react";
import { Plane, Vector3 } from "three";
import { around } from "../app/demos";
import { still } from "../app/reducedMotion";
import type { V3 } from "../maths";
import { frames } from "../state/frames";
import { resetNow, sendScene } from "../state/session";
import { setStudio, studio } from "../state/store";
import { nextInput, send } from "../state/talk";
import type { PoseGoal, PoseScene, RigDescription } from "../wire";
import { raycasterAt } from "./pick";

/** Milliseconds between two messages. */
const EVERY = 25;
/** After so many without the pointer it looks about by itself. */
const IDLE = 6000;
/** It stands again so many messages after the greeting. */
const STEPS_BACK = 16;

/** How far from the hand to the camera the place is that the face looks at. */
const OUTWARD = 0.3;

interface Arm {
	goal: PoseGoal;
	shoulder: Vector3;
	/** As far as the hand goes easily. */
	reach: number;
	/** 1 to the left of the body, -1 to the right. */
	side: number;
}

function arms(rig: RigDescription): Arm[] {
	const at = (role: string) => {
		const joint = rig.joints.find((other) => other.role === role);
		return joint && new Vector3(...joint.model_position);
	};
	return (["left", "right"] as const).flatMap((side) => {
		const goal = rig.goals.find(({ id }) => id === `${side} hand`);
		const [shoulder, elbow, hand] = ["UpperArm", "LowerArm", "Hand"].map((part) => at(`${side}${part}`));
		if (!goal || !shoulder || !elbow || !hand) return [];
		const reach = 0.92 * (shoulder.distanceTo(elbow) + elbow.distanceTo(hand));
		return [{ goal, shoulder, reach, side: side === "left" ? 1 : -1 }];
	});
}

/**
 * The scene of the greeting: a head that points its face at things instead of being somewhere, on a chest that stays
 * where it is, or a hand that is near would have the whole body lean back.
 */
export function greetingScene(scene: PoseScene, rig: RigDescription): PoseScene {
	const goals = scene.goals.map(
		(goal): PoseGoal => (goal.id === "head" ? { ...goal, kind: "aim", position_weight: 1 } : goal),
	);
	const usual = goals.find(({ kind }) => kind === "position");
	const joint = rig.joints.findIndex(({ role }) => role === "neck");
	const place = rig.joints[joint]?.model_position;
	if (usual && place && goals.every((goal) => goal.joint !== joint)) {
		goals.push({ ...usual, id: "chest", joint, position: place, position_weight: 1 });
	}
	return { ...scene, goals };
}

/** Hands go back to where they hang, and the body stands as the rig does; a hold of anything has it there at once. */
function standAgain(ways: readonly { id: string; from: Vector3; to: Vector3 }[], rig: RigDescription): void {
	let step = 0;
	const mine = () => {
		const { workspace, loading, rig: now } = studio();
		return workspace === "pose" && loading === null && now?.source === rig.source;
	};
	const finish = () => {
		clearInterval(timer);
		window.removeEventListener("pointerdown", finish, true);
		window.removeEventListener("keydown", finish, true);
		if (!mine()) return;
		sendScene();
		resetNow();
	};
	const timer = setInterval(() => {
		step += 1;
		if (step >= STEPS_BACK || !mine() || still()) return finish();
		const t = 0.5 - 0.5 * Math.cos((Math.PI * step) / STEPS_BACK);
		for (const { id, from, to } of ways) {
			const position = from.clone().lerp(to, t).toArray();
			send({ type: "drag", input: nextInput(), target: id, position, rotation: null });
		}
	}, EVERY);
	window.addEventListener("pointerdown", finish, true);
	window.addEventListener("keydown", finish, true);
}

export function Greeter() {
	const get = useThree((state) => state.get);
	const element = useThree((state) => state.gl.domElement);
	useEffect(() => {
		const { rig, scenes } = studio();
		if (!rig || !scenes.pose) return;
		const bodyArms = arms(rig);
		send({ type: "pose", input: nextInput(), scene: greetingScene(scenes.pose, rig) });
		const head = rig.joints.find(({ role }) => role === "head");
		const face = new Vector3(...(head?.model_position ?? [0, 0.9 * rig.size, 0]));
		// The pointer is on a pane in front of the body, which faces the camera.
		const ahead = face.clone().add(new Vector3(0, -0.12 * rig.size, 0.3 * rig.size));
		const from: V3 = ahead.toArray();
		let wanted = ahead.clone();
		const shown = wanted.clone();
		let pointerAt = Number.NEGATIVE_INFINITY;
		let active: Arm | null = bodyArms[1] ?? null;
		const held = new Map<string, Vector3>();
		// The face looks out at the pointer, nearer to whoever holds it than the hand gets.
		const seen = () => shown.clone().lerp(get().camera.position, OUTWARD).toArray();
		const move = (event: PointerEvent) => {
			const { camera } = get();
			const pane = new Plane().setFromNormalAndCoplanarPoint(
				camera.getWorldDirection(new Vector3()).negate(),
				ahead,
			);
			const hit = raycasterAt(event, element, camera).ray.intersectPlane(pane, new Vector3());
			if (!hit) return;
			wanted = hit;
			pointerAt = performance.now();
		};
		const began = performance.now();
		const drag = (target: string, position: V3) =>
			send({ type: "drag", input: nextInput(), target, position, rotation: null });
		const timer = setInterval(() => {
			const now = performance.now();
			if (now - pointerAt > IDLE) {
				if (still()) return;
				wanted = new Vector3(...around(from, 0.6 * ((now - began) / 1000), 0.28 * rig.size));
			}
			shown.lerp(wanted, 0.2);
			if (head) drag("head", seen());
			// The hand of the side that the pointer is on; the other hangs again.
			const other = bodyArms.find(({ side }) => side * shown.x > 0.06 * rig.size);
			if (other && other !== active) {
				if (active) drag(active.goal.id, active.goal.position);
				active = other;
			}
			if (!active) return;
			const way = shown.clone().sub(active.shoulder);
			way.clampLength(0, active.reach);
			const hand = active.shoulder.clone().add(way);
			held.clear();
			held.set(active.goal.id, hand);
			drag(active.goal.id, hand.toArray());
		}, EVERY);
		let taken = false;
		const end = () => {
			taken = true;
			setStudio({ greeting: false });
		};
		element.addEventListener("pointermove", move);
		element.addEventListener("pointerdown", end, { capture: true });
		return () => {
			clearInterval(timer);
			element.removeEventListener("pointermove", move);
			element.removeEventListener("pointerdown", end, { capture: true });
			// Another rig has another scene.
			const { workspace, loading, greeting } = studio();
			if (!frames.latest || workspace !== "pose" || loading !== null) return;
			if (taken || greeting) {
				sendScene();
				resetNow();
				return;
			}
			const ways = bodyArms.flatMap(({ goal }) => {
				const from = held.get(goal.id);
				return from ? [{ id: goal.id, from, to: new Vector3(...goal.position) }] : [];
			});
			if (head) ways.push({ id: "head", from: new Vector3(...seen()), to: face.clone().setZ(10 * rig.size) });
			standAgain(ways, rig);
		};
	}, [get, element]);
	return null;
}
