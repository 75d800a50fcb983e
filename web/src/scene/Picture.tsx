// The canvas: camera, light, ground, and the stage of the workspace shown.

import { OrbitControls } from "@react-three/drei";
import { addAfterEffect, Canvas, useThree } from "@react-three/fiber";
import { useEffect, useRef } from "react";
import { type PerspectiveCamera, Vector3 } from "three";
import { camera as cameraState } from "../state/camera";
import { frames } from "../state/frames";
import { latency } from "../state/latency";
import type { CameraPlace } from "../state/link";
import { workspaceOf } from "../state/registry";
import { setStudio, studio, useStudio } from "../state/store";
import { useWorkspace } from "../workspaces";
import { framing } from "./framing";
import { Ground } from "./Ground";
import { gizmo } from "./gizmo";
import { type Palette, usePalette } from "./palette";
import { watchPointer } from "./pick";
import { picture } from "./picture";
import { drawsInSoftware } from "./software";

interface Orbit {
	target: Vector3;
	enabled: boolean;
	update(): void;
}

function Eyes() {
	// An edited limit makes a new rig, but not a new view.
	const source = useStudio((state) => state.rig?.source);
	const workspace = useStudio((state) => state.workspace);
	const controls = useRef<Orbit>(null);
	const camera = useThree((state) => state.camera) as PerspectiveCamera;
	const element = useThree((state) => state.gl.domElement);
	const invalidate = useThree((state) => state.invalidate);

	useEffect(() => {
		const orbit = controls.current;
		const { rig } = studio();
		if (!source || !rig || !orbit) return;
		const go = (place: CameraPlace) => {
			camera.position.set(...place.position);
			orbit.target.set(...place.target);
			orbit.update();
			invalidate();
		};
		let usual: Vector3 | null = null;
		const frame = () => {
			// Plots cover the lower edge: the character stands in what is left above them.
			const tall = element.clientHeight || 1;
			const covered = Math.min(
				0.4,
				(document.querySelector<HTMLElement>(".overlay")?.offsetHeight ?? 0) / tall,
			);
			const { workspace, scenes } = studio();
			const scene = scenes[workspace];
			const points = [...rig.joints.map((joint) => joint.model_position), ...cameraState.extent];
			if (scene) points.push(...(workspaceOf(workspace).framed?.(scene, rig) ?? []));
			// Things are dragged beyond the joints.
			go(framing(points, { camera, covered, margin: 0.14 * rig.size }));
			usual = camera.position.clone();
		};
		cameraState.extent = [];
		camera.near = rig.size / 200;
		camera.far = rig.size * 60;
		camera.updateProjectionMatrix();
		cameraState.holder = {
			read: () => ({ position: camera.position.toArray(), target: orbit.target.toArray() }),
			go,
			frame,
			frameAgain: () => {
				if (usual?.equals(camera.position)) frame();
			},
		};
		const next = cameraState.next;
		cameraState.next = null;
		if (next) {
			go(next);
			return;
		}
		frame();
		// Once more when the plots are there.
		const later = requestAnimationFrame(frame);
		return () => cancelAnimationFrame(later);
	}, [source, camera, element, invalidate]);

	// Another workspace has other things to show, and other plots.
	// biome-ignore lint/correctness/useExhaustiveDependencies: for every workspace anew
	useEffect(() => {
		const later = requestAnimationFrame(() => cameraState.holder?.frameAgain());
		return () => cancelAnimationFrame(later);
	}, [workspace]);

	useEffect(
		() =>
			watchPointer({
				element,
				camera: () => camera,
				taken: (event) => gizmo.taken(event),
				holdCamera: (hold) => {
					if (controls.current) controls.current.enabled = !hold;
				},
				onMiss: () => setStudio({ selectedJoint: null, selectedTarget: null }),
			}),
		[element, camera],
	);

	return (
		<OrbitControls
			ref={controls as never}
			makeDefault
			enableDamping={false}
			maxPolarAngle={Math.PI * 0.97}
			onEnd={() => cameraState.onRest?.()}
		/>
	);
}

/** Draws when a frame came, and keeps the times. */
function Clockwork() {
	const invalidate = useThree((state) => state.invalidate);
	const get = useThree((state) => state.get);
	useEffect(() => frames.subscribe(() => invalidate()), [invalidate]);
	useEffect(() => addAfterEffect(() => latency.drawn(frames.latest?.input ?? 0, performance.now())), []);
	useEffect(() => {
		picture.take = () => {
			const { gl, scene, camera } = get();
			gl.render(scene, camera);
			return gl.domElement;
		};
		picture.project = (place) => {
			const { gl, camera } = get();
			const box = gl.domElement.getBoundingClientRect();
			const p = new Vector3(...place).project(camera);
			return [box.left + ((p.x + 1) / 2) * box.width, box.top + ((1 - p.y) / 2) * box.height];
		};
		return () => {
			picture.take = null;
			picture.project = null;
		};
	}, [get]);
	return null;
}

function Scene({ palette }: { palette: Palette }) {
	const rig = useStudio((state) => state.rig);
	const hasScene = useStudio((state) => state.scenes[state.workspace] !== undefined);
	const { Stage, name, ownGround } = useWorkspace();
	return (
		<>
			<color attach="background" args={[palette.background]} />
			<hemisphereLight args={["#ffffff", palette.background, 1.2]} />
			<directionalLight position={[2, 4, 3]} intensity={2.1} />
			{/* From behind, so that a body stands out from what is dark around it. */}
			{!drawsInSoftware && <directionalLight position={[-3, 2, -4]} intensity={0.7} color="#bcd0ff" />}
			<Clockwork />
			<Eyes />
			{rig && !ownGround && <Ground rig={rig} palette={palette} />}
			{rig && hasScene && <Stage key={name} />}
		</>
	);
}

export function Picture() {
	const palette = usePalette();
	return (
		<Canvas
			className="picture"
			flat
			frameloop="demand"
			dpr={drawsInSoftware ? 1 : [1, 2]}
			gl={{ alpha: false, stencil: false, antialias: !drawsInSoftware, powerPreference: "high-performance" }}
			camera={{ fov: 38, position: [1, 1.2, 3.5] }}
			role="img"
			aria-label="The character in three dimensions"
			// Nothing here uses the renderer's own events; see `pick.ts`.
			events={undefined}
		>
			<Scene palette={palette} />
		</Canvas>
	);
}
