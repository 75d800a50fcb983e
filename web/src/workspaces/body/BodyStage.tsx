// What the Body workspace draws.

import { useThree } from "@react-three/fiber";
import { useEffect, useMemo, useRef } from "react";
import {
	BufferAttribute,
	BufferGeometry,
	Color,
	IcosahedronGeometry,
	type InstancedMesh,
	LineBasicMaterial,
	LineSegments,
	Matrix4,
	type MeshBasicMaterial,
} from "three";
import { Character } from "../../scene/Character";
import { type Palette, usePalette } from "../../scene/palette";
import { Skeleton } from "../../scene/Skeleton";
import { Target } from "../../scene/Target";
import { detailsOf, frames, useSampled } from "../../state/frames";
import { useRig, useScene, useStudio } from "../../state/store";
import type { Frame } from "../../wire";
import { markerPlace, POINTS, pointInWords, restTurn, standing } from "./points";
import { useBodyView } from "./view";

const MOST = POINTS.length;
const ball = new IcosahedronGeometry(1, 2);
const matrix = new Matrix4();
const colour = new Color();

function colourOf(palette: Palette, source: string): string {
	return { good: palette.pin, filled: palette.selected, doubted: palette.blocking }[standing(source)];
}

/** Where the points are wanted, with lines to where the body has them. */
function PointMarks({ balls }: { balls: boolean }) {
	const rig = useRig();
	const palette = usePalette();
	const invalidate = useThree((state) => state.invalidate);
	const mesh = useRef<InstancedMesh>(null);
	const lines = useMemo(() => {
		const geometry = new BufferGeometry();
		geometry.setAttribute("position", new BufferAttribute(new Float32Array(6 * MOST), 3));
		const made = new LineSegments(geometry, new LineBasicMaterial({ depthTest: false, transparent: true }));
		made.frustumCulled = false;
		made.renderOrder = 4;
		return made;
	}, []);
	useEffect(() => {
		(lines.material as LineBasicMaterial).color.set(palette.target);
		const draw = (frame: Frame | null) => {
			const points = detailsOf(frame, "body")?.points.slice(0, MOST) ?? [];
			const ends = lines.geometry.getAttribute("position") as BufferAttribute;
			points.forEach((point, i) => {
				ends.setXYZ(2 * i, ...point.position);
				ends.setXYZ(2 * i + 1, ...point.reached);
				if (mesh.current) {
					const size = 0.014 * rig.size;
					mesh.current.setMatrixAt(i, matrix.makeScale(size, size, size).setPosition(...point.position));
					mesh.current.setColorAt(i, colour.set(colourOf(palette, point.source)));
				}
			});
			ends.needsUpdate = true;
			lines.geometry.setDrawRange(0, 2 * points.length);
			if (mesh.current) {
				mesh.current.count = points.length;
				mesh.current.instanceMatrix.needsUpdate = true;
				if (mesh.current.instanceColor) mesh.current.instanceColor.needsUpdate = true;
			}
			invalidate();
		};
		draw(frames.latest);
		return frames.subscribe(draw);
	}, [lines, rig, palette, invalidate]);
	useEffect(
		() => () => {
			lines.geometry.dispose();
			(lines.material as LineBasicMaterial).dispose();
		},
		[lines],
	);
	return (
		<>
			<primitive object={lines} />
			{balls && (
				<instancedMesh
					ref={mesh}
					args={[ball, undefined as unknown as MeshBasicMaterial, MOST]}
					frustumCulled={false}
					renderOrder={5}
				>
					<meshBasicMaterial depthTest={false} transparent opacity={0.9} />
				</instancedMesh>
			)}
		</>
	);
}

function Marker({ point }: { point: string }) {
	const rig = useRig();
	const scene = useScene("body");
	const palette = usePalette();
	const selected = useStudio((state) => state.selectedTarget === point);
	const { at, source } = useSampled((frame) => {
		const points = detailsOf(frame, "body")?.points ?? [];
		return {
			at: markerPlace(scene, points, point),
			source: points.find((state) => state.point === point)?.source ?? "measured",
		};
	}, 5);
	const put =
		scene.source.kind === "markers"
			? scene.source.markers.find((marker) => marker.point === point)
			: undefined;
	const place = put ? put.position : at;
	if (!place) return null;
	const size = 0.016 * rig.size;
	const shade = selected ? palette.selected : colourOf(palette, source);
	return (
		<Target
			id={point}
			label={pointInWords(point).toLowerCase()}
			position={place}
			rotation={scene.orientations ? (put?.rotation ?? restTurn(rig, point)) : null}
		>
			<mesh renderOrder={5} geometry={ball} scale={size}>
				<meshBasicMaterial color={shade} depthTest={false} transparent opacity={0.45} />
			</mesh>
			<mesh renderOrder={6} geometry={ball} scale={0.45 * size}>
				<meshBasicMaterial color={shade} depthTest={false} transparent />
			</mesh>
		</Target>
	);
}

export function BodyStage() {
	const rig = useRig();
	const scene = useScene("body");
	const palette = usePalette();
	const showOriginal = useBodyView((state) => state.showOriginal);
	const dragged = scene.source.kind === "markers";
	return (
		<>
			<Character />
			{!dragged && showOriginal && (
				<Skeleton
					rig={rig}
					read={(frame) => detailsOf(frame, "body")?.original ?? null}
					beside={(frame) => frame.pose}
					boneColour={palette.ghost}
					jointColour={palette.ghost}
					opacity={0.4}
				/>
			)}
			<PointMarks key={String(dragged)} balls={!dragged} />
			{dragged && scene.points.map((point) => <Marker key={point} point={point} />)}
		</>
	);
}
