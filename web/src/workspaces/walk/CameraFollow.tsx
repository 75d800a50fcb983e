import { useThree } from "@react-three/fiber";
import { useEffect } from "react";
import { Vector3 } from "three";
import { detailsOf, frames } from "../../state/frames";
import { useRig } from "../../state/store";
import type { Frame } from "../../wire";
import { share, turnedBehind } from "./follow";
import { useWalkView } from "./view";

const GO = 5;
const TURN = 1.6;

interface Orbit {
	target: Vector3;
	update(): void;
	addEventListener(name: "start" | "end", run: () => void): void;
	removeEventListener(name: "start" | "end", run: () => void): void;
}

/** Takes the camera along with the walker. The pointer may turn and zoom it all the same. */
export function CameraFollow() {
	const rig = useRig();
	const mode = useWalkView((state) => state.camera);
	const camera = useThree((state) => state.camera);
	const orbit = useThree((state) => state.controls) as unknown as Orbit | null;

	useEffect(() => {
		if (!orbit || mode === "still") return;
		const wanted = new Vector3();
		const way = new Vector3();
		let last: number | null = null;
		let held = false;
		const hold = () => {
			held = true;
		};
		const letGo = () => {
			held = false;
		};
		const follow = (frame: Frame) => {
			const details = detailsOf(frame, "walk");
			if (!details) return;
			const seconds = last === null ? 0 : Math.min(0.1, Math.max(0, frame.time - last));
			last = frame.time;
			wanted.set(...details.place);
			// The lower edge is covered by the curve and the stick.
			wanted.y += 0.3 * rig.size;
			way.subVectors(wanted, orbit.target);
			// Put back to the start: there at once, as it would be dizzying to fly there.
			const jump = way.length() > 2 * rig.size;
			way.multiplyScalar(jump ? 1 : share(GO, seconds));
			orbit.target.add(way);
			camera.position.add(way);
			if (mode === "behind" && !held && (!details.standing || jump)) {
				way.subVectors(camera.position, orbit.target);
				const turned = turnedBehind(way.toArray(), details.heading, jump ? 1 : share(TURN, seconds));
				camera.position.copy(orbit.target).add(way.fromArray(turned));
			}
			orbit.update();
		};
		if (frames.latest) follow(frames.latest);
		orbit.addEventListener("start", hold);
		orbit.addEventListener("end", letGo);
		const stop = frames.subscribe(follow);
		return () => {
			stop();
			orbit.removeEventListener("start", hold);
			orbit.removeEventListener("end", letGo);
		};
	}, [rig, mode, camera, orbit]);
	return null;
}
