// The ground that is walked on, and the walker's shadow on it.

import { useThree } from "@react-three/fiber";
import { useEffect, useMemo, useRef } from "react";
import { BufferAttribute, BufferGeometry, Color, Fog, type Mesh } from "three";
import { blobTexture, niceStep } from "../../scene/Ground";
import { usePalette } from "../../scene/palette";
import { detailsOf, frames } from "../../state/frames";
import { useRig, useStudio } from "../../state/store";
import type { Frame } from "../../wire";
import { heightAt, linesOf, trianglesOf } from "./terrain";

function geometryOf(points: Float32Array): BufferGeometry {
	const geometry = new BufferGeometry();
	geometry.setAttribute("position", new BufferAttribute(points, 3));
	return geometry;
}

/** The edge of a patch is in the mist, so that one does not see where it ends. */
function useMist(): void {
	const palette = usePalette();
	const scene = useThree((state) => state.scene);
	const get = useThree((state) => state.get);
	useEffect(() => {
		const fog = new Fog(new Color(palette.background), 6, 11);
		scene.fog = fog;
		const adjust = (frame: Frame) => {
			const place = detailsOf(frame, "walk")?.place;
			if (!place) return;
			const far = get().camera.position.distanceTo({ x: place[0], y: place[1], z: place[2] } as never);
			fog.near = far + 1.5;
			fog.far = far + 6;
		};
		const stop = frames.subscribe(adjust);
		return () => {
			stop();
			scene.fog = null;
		};
	}, [palette.background, scene, get]);
}

export function TerrainMesh() {
	const ground = useStudio((state) => state.ground);
	const rig = useRig();
	const palette = usePalette();
	const invalidate = useThree((state) => state.invalidate);
	const shadow = useRef<Mesh>(null);
	const blob = useMemo(blobTexture, []);
	const made = useMemo(() => {
		if (!ground) return null;
		const surface = geometryOf(trianglesOf(ground));
		surface.computeVertexNormals();
		const { even, edges } = linesOf(ground, niceStep(Math.max(0.2, rig.size / 1.8)), 0.002);
		return { surface, even: geometryOf(even), edges: geometryOf(edges) };
	}, [ground, rig.size]);
	useMist();

	useEffect(() => {
		invalidate();
		return () => {
			made?.surface.dispose();
			made?.even.dispose();
			made?.edges.dispose();
		};
	}, [made, invalidate]);

	useEffect(() => {
		const follow = (frame: Frame | null) => {
			const place = detailsOf(frame, "walk")?.place;
			if (!place || !shadow.current) return;
			const height = ground ? heightAt(ground, place[0], place[2]) : place[1];
			shadow.current.position.set(place[0], height + 0.008 * rig.size, place[2]);
		};
		follow(frames.latest);
		return frames.subscribe(follow);
	}, [ground, rig.size]);

	if (!made) return null;
	return (
		<group>
			<mesh geometry={made.surface} renderOrder={-3}>
				<meshLambertMaterial
					color={palette.ground}
					flatShading
					polygonOffset
					polygonOffsetFactor={2}
					polygonOffsetUnits={2}
				/>
			</mesh>
			<lineSegments geometry={made.even} renderOrder={-2}>
				<lineBasicMaterial color={palette.gridStrong} transparent opacity={0.75} />
			</lineSegments>
			<lineSegments geometry={made.edges} renderOrder={-2}>
				<lineBasicMaterial color={palette.targetOff} transparent opacity={0.7} />
			</lineSegments>
			<mesh ref={shadow} rotation={[-Math.PI / 2, 0, 0]} scale={rig.size * 0.6} renderOrder={-1}>
				<planeGeometry />
				<meshBasicMaterial
					map={blob}
					color={palette.shadow}
					transparent
					opacity={palette.shadow === "#000000" ? 0.5 : 0.25}
					depthWrite={false}
				/>
			</mesh>
		</group>
	);
}
