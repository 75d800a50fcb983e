// The camera goes along with a motion that plays, over the ground.

import { useThree } from "@react-three/fiber";
import { useEffect } from "react";
import type { Vector3 } from "three";
import { camera as cameraState } from "../state/camera";
import { frames } from "../state/frames";
import { useStudio } from "../state/store";
import type { Frame } from "../wire";

interface Orbit {
	target: Vector3;
}

/** The middle of the joints. */
function middle({ pose: { positions } }: Frame): [number, number] {
	let [x, z] = [0, 0];
	const count = positions.length / 3;
	for (let i = 0; i < count; i += 1) {
		x += (positions[3 * i] ?? 0) / count;
		z += (positions[3 * i + 2] ?? 0) / count;
	}
	return [x, z];
}

export function MotionFollow() {
	const shown = useStudio((state) => state.player?.shown === true && state.workspace !== "body");
	const source = useStudio((state) => state.rig?.source);
	const orbit = useThree((state) => state.controls) as unknown as Orbit | null;
	// biome-ignore lint/correctness/useExhaustiveDependencies: another rig is somewhere else
	useEffect(() => {
		if (!shown || !orbit) return;
		// Whole, with room for what it does, unless somebody has looked elsewhere.
		cameraState.holder?.frameAgain();
		// The character is where the camera looks, wherever the motion begins.
		return frames.subscribe((frame) => {
			if (!frame.playing) return;
			const [x, z] = middle(frame);
			const [dx, dz] = [x - orbit.target.x, z - orbit.target.z];
			cameraState.holder?.carry([dx, 0, dz]);
		});
	}, [shown, source, orbit]);
	return null;
}
