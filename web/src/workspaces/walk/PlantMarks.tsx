// Heels and toes as they are now, and a trail of where they were put down.

import { useThree } from "@react-three/fiber";
import { useEffect, useMemo, useRef } from "react";
import {
	CircleGeometry,
	Color,
	IcosahedronGeometry,
	type InstancedMesh,
	Matrix4,
	type MeshBasicMaterial,
	Quaternion,
	Vector3,
} from "three";
import { usePalette } from "../../scene/palette";
import { detailsOf, frames } from "../../state/frames";
import { useRig } from "../../state/store";
import type { Frame } from "../../wire";
import { footColours } from "./feet";
import { Plants } from "./plants";

const KEPT = 64;
const MOST_FEET = 16;
const disc = new CircleGeometry(1, 20).rotateX(-Math.PI / 2);
const ball = new IcosahedronGeometry(1, 1);
const matrix = new Matrix4();
const place = new Vector3();
const turn = new Quaternion();
const size = new Vector3();
const colour = new Color();
const faded = new Color();

export function PlantMarks() {
	const rig = useRig();
	const palette = usePalette();
	const invalidate = useThree((state) => state.invalidate);
	const trail = useRef<InstancedMesh>(null);
	const marks = useRef<InstancedMesh>(null);
	const plants = useMemo(() => new Plants(KEPT), []);

	useEffect(() => {
		const trailMesh = trail.current;
		const markMesh = marks.current;
		if (!trailMesh || !markMesh) return;
		const colours = footColours(palette);
		const drawTrail = () => {
			plants.list.forEach((plant, i) => {
				const age = (plants.list.length - 1 - i) / KEPT;
				place.set(plant.at[0], plant.at[1] + 0.004, plant.at[2]);
				size.setScalar((plant.part === "heel" ? 0.017 : 0.022) * rig.size * (1 - 0.4 * age));
				trailMesh.setMatrixAt(i, matrix.compose(place, turn.identity(), size));
				colour.set(colours[plant.foot % colours.length] as string);
				trailMesh.setColorAt(i, colour.lerp(faded.set(palette.ground), Math.min(1, 0.1 + age)));
			});
			trailMesh.count = plants.list.length;
			trailMesh.instanceMatrix.needsUpdate = true;
			if (trailMesh.instanceColor) trailMesh.instanceColor.needsUpdate = true;
		};
		const draw = (frame: Frame | null) => {
			const details = detailsOf(frame, "walk");
			if (!details) return;
			if (plants.take(details)) drawTrail();
			const feet = details.feet.slice(0, MOST_FEET);
			feet.forEach((foot, i) => {
				for (const [k, part] of (["heel", "toe"] as const).entries()) {
					const planted = foot[`${part}_planted`];
					place.set(...foot[part]);
					size.setScalar((planted ? 0.012 : 0.008) * rig.size);
					markMesh.setMatrixAt(2 * i + k, matrix.compose(place, turn.identity(), size));
					markMesh.setColorAt(2 * i + k, colour.set(planted ? palette.pin : palette.targetOff));
				}
			});
			markMesh.count = 2 * feet.length;
			markMesh.instanceMatrix.needsUpdate = true;
			if (markMesh.instanceColor) markMesh.instanceColor.needsUpdate = true;
			invalidate();
		};
		drawTrail();
		draw(frames.latest);
		return frames.subscribe(draw);
	}, [rig, palette, plants, invalidate]);

	const none = undefined as unknown as MeshBasicMaterial;
	return (
		<>
			<instancedMesh ref={trail} args={[disc, none, KEPT]} frustumCulled={false} renderOrder={-1}>
				<meshBasicMaterial polygonOffset polygonOffsetFactor={-2} polygonOffsetUnits={-2} />
			</instancedMesh>
			<instancedMesh ref={marks} args={[ball, none, 2 * MOST_FEET]} frustumCulled={false} renderOrder={4}>
				<meshBasicMaterial depthTest={false} transparent />
			</instancedMesh>
		</>
	);
}
