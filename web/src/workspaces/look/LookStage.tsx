// What the Look workspace draws.

import { useThree } from "@react-three/fiber";
import { useEffect, useMemo, useRef } from "react";
import { BufferAttribute, BufferGeometry, type Group, Line, LineBasicMaterial, Vector3 } from "three";
import type { V3 } from "../../maths";
import { Character } from "../../scene/Character";
import { JointPicks } from "../../scene/JointPicks";
import { usePalette } from "../../scene/palette";
import { facingPlane, raycasterAt } from "../../scene/pick";
import { Skeleton } from "../../scene/Skeleton";
import { Target } from "../../scene/Target";
import { detailsOf, frames } from "../../state/frames";
import { live } from "../../state/live";
import { drag, editScene, setSceneQuietly } from "../../state/session";
import { studio, useRig, useScene, useStudio } from "../../state/store";
import type { Frame } from "../../wire";
import { useLookView } from "./view";

/** Sight this near to its target, in radians, is on it. */
const ON_TARGET = 0.03;

function Mark({ colour, size }: { colour: string; size: number }) {
	return (
		<>
			<mesh renderOrder={5}>
				<sphereGeometry args={[size, 16, 12]} />
				<meshBasicMaterial color={colour} depthTest={false} transparent opacity={0.35} />
			</mesh>
			<mesh renderOrder={5}>
				<sphereGeometry args={[0.45 * size, 12, 8]} />
				<meshBasicMaterial color={colour} depthTest={false} transparent />
			</mesh>
		</>
	);
}

/** A target that is not taken hold of: it moves by itself or with the pointer. */
function MovingMark({ size }: { size: number }) {
	const group = useRef<Group>(null);
	const palette = usePalette();
	useEffect(() => {
		const draw = (frame: Frame | null) => {
			const target = detailsOf(frame, "look")?.target ?? null;
			if (!group.current) return;
			group.current.visible = target !== null;
			if (target) group.current.position.set(...target);
		};
		draw(frames.latest);
		return frames.subscribe(draw);
	}, []);
	return (
		<group ref={group} visible={false}>
			<Mark colour={palette.target} size={size} />
		</group>
	);
}

/** From the eye to where it looks: as far as the target. */
function Sight() {
	const rig = useRig();
	const palette = usePalette();
	const line = useMemo(() => {
		const geometry = new BufferGeometry();
		geometry.setAttribute("position", new BufferAttribute(new Float32Array(6), 3));
		const made = new Line(geometry, new LineBasicMaterial({ transparent: true, depthTest: false }));
		made.frustumCulled = false;
		made.renderOrder = 4;
		return made;
	}, []);
	useEffect(() => {
		const material = line.material as LineBasicMaterial;
		const draw = (frame: Frame | null) => {
			const look = detailsOf(frame, "look");
			line.visible = look !== null;
			if (!look) return;
			const eye = new Vector3(...look.eye);
			const sight = new Vector3(...look.sight);
			const wanted = look.target && new Vector3(...look.target).sub(eye);
			const far = wanted?.length() ?? rig.size;
			// What ERIK reaches the filter may still be on its way to.
			const there = look.reached && (!wanted || wanted.angleTo(sight) < ON_TARGET);
			const points = line.geometry.getAttribute("position") as BufferAttribute;
			points.setXYZ(0, ...look.eye);
			points.setXYZ(1, ...eye.addScaledVector(sight, far).toArray());
			points.needsUpdate = true;
			material.color.set(there ? palette.pin : look.reached ? palette.target : palette.blocking);
		};
		draw(frames.latest);
		return frames.subscribe(draw);
	}, [line, rig, palette]);
	useEffect(
		() => () => {
			line.geometry.dispose();
			(line.material as LineBasicMaterial).dispose();
		},
		[line],
	);
	return <primitive object={line} />;
}

/** The target follows the pointer over the plane that faces the camera. */
function FollowPointer() {
	const get = useThree((state) => state.get);
	const element = useThree((state) => state.gl.domElement);
	useEffect(() => {
		const target = studio().scenes.look?.target;
		let at: V3 | null = target?.kind === "at" ? target.position : null;
		const move = (event: PointerEvent) => {
			if (event.buttons !== 0 || !at) return;
			const { camera } = get();
			const through = new Vector3(...at);
			const ray = raycasterAt(event, element, camera);
			// The plane goes through the target; its own distance to the pointer is not kept.
			const centred = raycasterAt(event, element, camera);
			centred.set(camera.position.clone(), through.clone().sub(camera.position).normalize());
			const to = facingPlane(camera, through, centred)(ray);
			if (!to) return;
			at = to.toArray();
			drag("target", at, null, event.timeStamp);
		};
		element.addEventListener("pointermove", move);
		return () => {
			element.removeEventListener("pointermove", move);
			live.take();
			const last = at;
			if (last) {
				setSceneQuietly("look", (scene) =>
					scene.target.kind === "at" ? { ...scene, target: { kind: "at", position: last } } : scene,
				);
			}
		};
	}, [get, element]);
	return null;
}

export function LookStage() {
	const rig = useRig();
	const scene = useScene("look");
	const palette = usePalette();
	const view = useLookView();
	const selectedJoint = useStudio((state) => state.selectedJoint);
	const follows = view.followPointer && scene.target.kind === "at";
	const playing = useStudio((state) => state.player?.shown === true);
	const size = 0.02 * rig.size;
	const choose = (joint: number) => {
		if (rig.joints[joint]?.range) {
			editScene("look", "Plot another joint", (old) => ({ ...old, plotted: joint }));
		}
	};
	return (
		<>
			<Character
				markedKey={`${scene.plotted} ${selectedJoint} ${palette.selected}`}
				marked={(_, joint) =>
					joint === selectedJoint ? palette.selected : joint === scene.plotted ? palette.target : null
				}
			/>
			{view.showPosture && (
				<Skeleton
					rig={rig}
					read={(frame) => detailsOf(frame, "look")?.posture ?? null}
					beside={(frame) => frame.pose}
					boneColour={palette.pin}
					jointColour={palette.pin}
					opacity={0.3}
				/>
			)}
			{view.showWanted && scene.filter && (
				<Skeleton
					rig={rig}
					read={(frame) => detailsOf(frame, "look")?.wanted ?? null}
					beside={(frame) => frame.pose}
					boneColour={palette.ghost}
					jointColour={palette.ghost}
					opacity={0.35}
				/>
			)}
			{view.showSight && !playing && <Sight />}
			<JointPicks onClick={choose} />
			{scene.target.kind === "at" && !follows && (
				<Target id="target" label="target" position={scene.target.position} rotation={null}>
					<Mark colour={palette.target} size={size} />
				</Target>
			)}
			{(scene.target.kind === "path" || follows) && !playing && <MovingMark size={size} />}
			{follows && <FollowPointer />}
		</>
	);
}
