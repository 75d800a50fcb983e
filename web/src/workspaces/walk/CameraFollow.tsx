import { useThree } from "@react-three/fiber";
import { useEffect } from "react";
import { Vector3 } from "three";
import { camera as cameraState } from "../../state/camera";
import { detailsOf, frames } from "../../state/frames";
import { studio, useRig } from "../../state/store";
import type { Frame } from "../../wire";
import { BEHIND, BESIDE, clearEye, share, turnedBehind } from "./follow";
import { heightAt } from "./terrain";
import { useWalkView } from "./view";

const GO = 5;
const TURN = 1.6;
/** Over the ground and whatever is between it and the walker, in sizes of the walker. */
const ROOM = 0.05;
/** How far the camera is from the feet when it goes close to them: on the level, and above. */
const CLOSE = { level: 0.62, above: 0.22 };

interface Orbit {
	target: Vector3;
	update(): void;
	addEventListener(name: "start" | "end" | "change", run: () => void): void;
	removeEventListener(name: "start" | "end" | "change", run: () => void): void;
}

/** Takes the camera along with the walker, above the ground. The pointer may turn and zoom it all the same. */
export function CameraFollow() {
	const rig = useRig();
	const mode = useWalkView((state) => state.camera);
	const camera = useThree((state) => state.camera);
	const orbit = useThree((state) => state.controls) as unknown as Orbit | null;
	const invalidate = useThree((state) => state.invalidate);

	useEffect(() => {
		if (!orbit) return;
		const wanted = new Vector3();
		const way = new Vector3();
		let last: number | null = null;
		let held = false;
		/** How far the camera is from where it would be on a plain, and where that has put it. */
		const shift = new Vector3();
		const ours = new Vector3(Infinity, 0, 0);

		const clear = () => {
			const patch = studio().ground;
			if (!patch) return;
			const { position } = camera;
			const ground = (x: number, z: number) => heightAt(patch, x, z);
			shift.copy(position).negate();
			position.set(...clearEye(ground, position.toArray(), orbit.target.toArray(), ROOM * rig.size));
			shift.add(position);
			if (shift.lengthSq() > 1e-12) camera.lookAt(orbit.target);
			ours.copy(position);
		};
		// A hand on the camera, a link, the usual view: wherever it was put, it is not under the ground.
		const changed = () => {
			if (camera.position.distanceToSquared(ours) < 1e-12) return;
			clear();
			shift.set(0, 0, 0);
			invalidate();
		};
		const follow = (frame: Frame) => {
			const details = detailsOf(frame, "walk");
			if (!details) return;
			const seconds = last === null ? 0 : Math.min(0.1, Math.max(0, frame.time - last));
			const first = last === null;
			last = frame.time;
			wanted.set(...details.place);
			// The lower edge is covered by the curve and the stick.
			wanted.y += (mode === "feet" ? 0.02 : 0.3) * rig.size;
			camera.position.sub(shift);
			way.subVectors(wanted, orbit.target);
			// Put back to the start: there at once, as it would be dizzying to fly there.
			const jump = way.length() > 2 * rig.size || (first && mode === "feet");
			way.multiplyScalar(jump ? 1 : share(GO, seconds));
			orbit.target.add(way);
			camera.position.add(way);
			if (mode === "feet" && first) {
				way.set(0, CLOSE.above, -CLOSE.level).multiplyScalar(rig.size);
				camera.position.copy(orbit.target).add(way);
			}
			if (mode !== "along" && !held && (!details.standing || jump)) {
				way.subVectors(camera.position, orbit.target);
				const aside = mode === "feet" ? BESIDE : BEHIND;
				const part = jump ? 1 : share(TURN, seconds);
				const turned = turnedBehind(way.toArray(), details.heading, part, aside);
				camera.position.copy(orbit.target).add(way.fromArray(turned));
			}
			ours.copy(camera.position);
			orbit.update();
			clear();
		};
		const hold = () => {
			held = true;
		};
		const letGo = () => {
			held = false;
		};
		orbit.addEventListener("start", hold);
		orbit.addEventListener("end", letGo);
		orbit.addEventListener("change", changed);
		const stop = mode === "still" ? null : frames.subscribe(follow);
		if (mode !== "still" && frames.latest) follow(frames.latest);
		else clear();
		return () => {
			stop?.();
			orbit.removeEventListener("start", hold);
			orbit.removeEventListener("end", letGo);
			orbit.removeEventListener("change", changed);
		};
	}, [rig, mode, camera, orbit, invalidate]);

	// From the feet back to the whole.
	useEffect(() => {
		if (mode !== "feet") return;
		return () => cameraState.holder?.frame();
	}, [mode]);
	return null;
}
