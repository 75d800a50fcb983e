// The canvas: camera, light, ground, and the stage of the workspace shown.

import { OrbitControls } from "@react-three/drei";
import { addAfterEffect, Canvas, useThree } from "@react-three/fiber";
import { useEffect, useRef } from "react";
import { type Object3D, type PerspectiveCamera, Vector3 } from "three";
import { type V3, vectorAt } from "../maths";
import { camera as cameraState } from "../state/camera";
import { frames } from "../state/frames";
import { latency } from "../state/latency";
import type { CameraPlace } from "../state/link";
import { workspaceOf } from "../state/registry";
import { setStudio, studio, useStudio } from "../state/store";
import type { RigDescription } from "../wire";
import { useWorkspace } from "../workspaces";
import { Character } from "./Character";
import { framing } from "./framing";
import { Greeter } from "./Greeter";
import { Ground } from "./Ground";
import { gizmo } from "./gizmo";
import { MotionFollow } from "./MotionFollow";
import { type Palette, usePalette } from "./palette";
import { watchPointer } from "./pick";
import { picture } from "./picture";
import { drawsInSoftware } from "./software";
import { TargetGizmo } from "./TargetGizmo";

/** What is drawn from this place on is no part of the character: targets, lines, handles. */
const FIRST_MARK = 3;

interface Orbit {
	target: Vector3;
	enabled: boolean;
	update(): void;
}

/** Where the joints are, and what the mesh covers beyond them as if it had moved with the whole. */
function shownPoints(rig: RigDescription): V3[] {
	const rest = rig.joints.map((joint) => joint.model_position);
	const positions = frames.latest?.pose.positions;
	if (positions?.length !== 3 * rest.length) return [...rest, ...cameraState.extent];
	const now = rest.map((_, joint) => vectorAt(positions, joint));
	return [...now, ...moved(cameraState.extent, rest, now)];
}

/** What limbs and leaps need around a body in motion. */
function roomToMove(rig: RigDescription, points: readonly V3[]): V3[] {
	const middle = (axis: number) => points.reduce((sum, point) => sum + (point[axis] ?? 0), 0) / points.length;
	const [x, z, far] = [middle(0), middle(2), 0.5 * rig.size];
	return [
		[x - far, rig.floor, z - far],
		[x + far, rig.floor + 1.25 * rig.size, z + far],
	];
}

/** A box around joints at rest, moved and sized to them as they are now. */
function moved(box: readonly V3[], rest: readonly V3[], now: readonly V3[]): V3[] {
	const end = (points: readonly V3[], axis: number, far: (...of: number[]) => number) =>
		far(...points.map((point) => point[axis] ?? 0));
	return box.map((corner, i) => {
		const far = i === 0 ? Math.min : Math.max;
		return corner.map((value, axis) => value - end(rest, axis, far) + end(now, axis, far)) as V3;
	});
}

function Eyes() {
	// An edited limit makes a new rig, but not a new view.
	const source = useStudio((state) => state.rig?.source);
	const workspace = useStudio((state) => state.workspace);
	const greeting = useStudio((state) => state.greeting);
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
				(document.querySelector<HTMLElement>(".bottom, .welcome")?.offsetHeight ?? 0) / tall,
			);
			const { workspace, scenes } = studio();
			const scene = scenes[workspace];
			// What is there now: the pose shown, and the body around it.
			const points = shownPoints(rig);
			const { player } = studio();
			if (player?.shown && workspace !== "body") points.push(...roomToMove(rig, points));
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
				if (usual && usual.distanceTo(camera.position) < 1e-6 * rig.size) frame();
			},
			carry: ([x, y, z]) => {
				for (const place of [camera.position, orbit.target, usual]) place?.add(new Vector3(x, y, z));
				orbit.update();
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

	// Another workspace has other things to show, and other plots, which may come and go.
	// biome-ignore lint/correctness/useExhaustiveDependencies: for every workspace anew
	useEffect(() => {
		const watch = new ResizeObserver(() => cameraState.holder?.frameAgain());
		const later = requestAnimationFrame(() => {
			cameraState.holder?.frameAgain();
			const plots = document.querySelector(".bottom");
			if (plots) watch.observe(plots);
		});
		return () => {
			cancelAnimationFrame(later);
			watch.disconnect();
		};
	}, [workspace, greeting]);

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
			zoomToCursor
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
		picture.canvas = () => get().gl.domElement;
		picture.draw = () => get().invalidate();
		picture.held = () => ({ ...get().gl.info.memory });
		picture.take = ({ scale, marks }, use) => {
			const { gl, scene, camera } = get();
			const fine = gl.getPixelRatio();
			const hidden: Object3D[] = [];
			if (!marks) {
				scene.traverse((object) => {
					const isMark = object.renderOrder >= FIRST_MARK || "isTransformControlsRoot" in object;
					if (isMark && object.visible) hidden.push(object);
				});
			}
			for (const object of hidden) object.visible = false;
			if (scale !== 1) gl.setPixelRatio(scale * fine);
			gl.render(scene, camera);
			use(gl.domElement);
			for (const object of hidden) object.visible = true;
			if (scale !== 1) gl.setPixelRatio(fine);
			get().invalidate();
		};
		picture.place = (name) => {
			const object = get().scene.getObjectByName(name);
			object?.updateWorldMatrix(true, false);
			return object ? new Vector3().setFromMatrixPosition(object.matrixWorld).toArray() : null;
		};
		picture.project = (place) => {
			const { gl, camera } = get();
			const box = gl.domElement.getBoundingClientRect();
			const p = new Vector3(...place).project(camera);
			return [box.left + ((p.x + 1) / 2) * box.width, box.top + ((1 - p.y) / 2) * box.height];
		};
		return () => {
			picture.take = null;
			picture.canvas = null;
			picture.draw = () => get().invalidate();
			picture.held = null;
			picture.project = null;
			picture.place = null;
		};
	}, [get]);
	return null;
}

function Scene({ palette }: { palette: Palette }) {
	const rig = useStudio((state) => state.rig);
	const hasScene = useStudio((state) => state.scenes[state.workspace] !== undefined);
	const { Stage, name, ownGround } = useWorkspace();
	const greeting = useStudio((state) => state.greeting);
	const playing = useStudio((state) => state.player?.shown === true && state.workspace !== "body");
	return (
		<>
			<color attach="background" args={[palette.background]} />
			<hemisphereLight args={["#ffffff", palette.background, 1.2]} />
			<directionalLight position={[2, 4, 3]} intensity={2.1} />
			{/* From behind, so that a body stands out from what is dark around it. */}
			{!drawsInSoftware && <directionalLight position={[-3, 2, -4]} intensity={0.7} color="#bcd0ff" />}
			<Clockwork />
			<Eyes />
			<MotionFollow />
			<TargetGizmo />
			{rig && (!ownGround || playing) && <Ground rig={rig} palette={palette} />}
			{/* A motion goes over flat ground, and not over a stage's own. */}
			{rig && hasScene && (playing && ownGround ? <Character /> : <Stage key={name} />)}
			{rig && hasScene && greeting && <Greeter key={rig.name} />}
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
