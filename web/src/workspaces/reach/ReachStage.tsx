// What the Reach workspace draws.

import { useThree } from "@react-three/fiber";
import { useEffect, useMemo, useRef } from "react";
import { EdgesGeometry, Group, type Mesh, type Raycaster, Vector3 } from "three";
import type { Q } from "../../maths";
import { Character } from "../../scene/Character";
import { takeGizmo } from "../../scene/gizmo";
import { JointPicks } from "../../scene/JointPicks";
import { usePalette } from "../../scene/palette";
import { type DragMoves, facingPlane } from "../../scene/pick";
import { Skeleton } from "../../scene/Skeleton";
import { Target } from "../../scene/Target";
import { detailsOf, frames, useSampled } from "../../state/frames";
import { studio, useRig, useScene, useStudio } from "../../state/store";
import type { Frame, Obstacle, ObstacleForm, SideName } from "../../wire";
import { pullJoint, turnJoint } from "./editing";
import { placeNow, SIDES, wristOf } from "./hands";
import { MeshForm } from "./MeshForm";

function Hand({ side }: { side: SideName }) {
	const rig = useRig();
	const target = useScene("reach")[side];
	const palette = usePalette();
	const selected = useStudio((state) => state.selectedTarget === side);
	const wrist = wristOf(rig, side);
	if (!target) return null;
	const size = 0.016 * rig.size;
	const colour = selected ? palette.selected : palette.target;
	return (
		<Target
			id={side}
			label={`${side} hand`}
			position={target.position}
			rotation={target.rotation}
			rank={3}
			alsoAt={(out) => {
				if (wrist < 0) return false;
				out.set(...placeNow(rig, wrist));
				return true;
			}}
		>
			<mesh renderOrder={5}>
				{target.rotation ? (
					<boxGeometry args={[2 * size, size, 2.6 * size]} />
				) : (
					<octahedronGeometry args={[1.3 * size]} />
				)}
				<meshBasicMaterial color={colour} wireframe={!selected} depthTest={false} transparent />
			</mesh>
			<mesh renderOrder={5}>
				<sphereGeometry args={[0.35 * size, 8, 6]} />
				<meshBasicMaterial color={colour} depthTest={false} transparent />
			</mesh>
		</Target>
	);
}

type Simple = Exclude<ObstacleForm, { kind: "mesh" }>;

function FormGeometry({ form }: { form: Simple }) {
	switch (form.kind) {
		case "box":
			return <boxGeometry args={form.size} />;
		case "ball":
			return <sphereGeometry args={[form.radius, 32, 20]} />;
		case "cylinder":
			return <cylinderGeometry args={[form.radius, form.radius, form.height, 32]} />;
		case "capsule":
			return <capsuleGeometry args={[form.radius, form.height, 10, 28]} />;
	}
}

function ObstacleMesh({ obstacle, touched }: { obstacle: Obstacle; touched: boolean }) {
	const palette = usePalette();
	const selected = useStudio((state) => state.selectedTarget === obstacle.id);
	const mesh = useRef<Mesh>(null);
	const { form } = obstacle;
	const key = JSON.stringify(form);
	const colour = touched ? palette.blocking : selected ? palette.selected : palette.obstacle;
	return (
		<Target
			id={obstacle.id}
			label={obstacle.id}
			position={obstacle.position}
			rotation={obstacle.rotation}
			rank={1}
			hits={(ray: Raycaster) => mesh.current !== null && ray.intersectObject(mesh.current).length > 0}
		>
			{form.kind === "mesh" ? (
				<MeshForm
					form={form}
					mesh={mesh}
					colour={colour}
					edgeColour={selected ? palette.selected : palette.targetOff}
				/>
			) : (
				<mesh ref={mesh} key={key}>
					<FormGeometry form={form} />
					<meshLambertMaterial color={colour} transparent opacity={0.82} />
				</mesh>
			)}
			{(form.kind === "box" || form.kind === "cylinder") && (
				<FormEdges
					key={`edges ${key}`}
					form={form}
					colour={selected ? palette.selected : palette.targetOff}
				/>
			)}
		</Target>
	);
}

function FormEdges({ form, colour }: { form: Simple; colour: string }) {
	const mesh = useRef<Mesh>(null);
	const edges = useMemo(() => new EdgesGeometry(), []);
	const invalidate = useThree((state) => state.invalidate);
	useEffect(() => {
		if (mesh.current) edges.copy(new EdgesGeometry(mesh.current.geometry, 30));
		invalidate();
		return () => edges.dispose();
	}, [edges, invalidate]);
	return (
		<>
			<mesh ref={mesh} visible={false}>
				<FormGeometry form={form} />
			</mesh>
			<lineSegments geometry={edges}>
				<lineBasicMaterial color={colour} />
			</lineSegments>
		</>
	);
}

/** The gizmo on the chosen joint of a key's posture. */
function JointGizmo({ editKey, joint }: { editKey: number; joint: number }) {
	const group = useMemo(() => new Group(), []);
	const mode = useStudio((state) => state.gizmo);
	const held = useRef(false);
	useEffect(() => {
		const follow = (frame: Frame | null) => {
			if (held.current || !frame) return;
			group.position.fromArray(frame.pose.positions, 3 * joint);
			group.quaternion.fromArray(frame.pose.rotations, 4 * joint);
		};
		follow(frames.latest);
		return frames.subscribe(follow);
	}, [group, joint]);
	useEffect(
		() =>
			takeGizmo({
				object: group,
				mode,
				local: mode === "rotate",
				onStart: () => {
					held.current = true;
				},
				onEnd: () => {
					held.current = false;
				},
				onMove: () => {
					if (!held.current) return;
					if (mode === "rotate") turnJoint(editKey, joint, group.quaternion.toArray() as Q);
					else pullJoint(editKey, joint, group.position.toArray());
				},
			}),
		[group, mode, editKey, joint],
	);
	return <primitive object={group} />;
}

export function ReachStage() {
	const rig = useRig();
	const scene = useScene("reach");
	const palette = usePalette();
	const get = useThree((state) => state.get);
	const selectedJoint = useStudio((state) => state.selectedJoint);
	const contact = useSampled((frame) => detailsOf(frame, "reach")?.contact ?? null, 10);
	const editing = scene.edit_key;
	const pull = (joint: number, ray: Raycaster): DragMoves | null => {
		const key = studio().scenes.reach?.edit_key ?? null;
		if (key === null) return null;
		const move = facingPlane(get().camera, new Vector3(...placeNow(rig, joint)), ray);
		return {
			move: (next) => {
				const to = move(next);
				if (to) pullJoint(key, joint, to.toArray());
			},
			end: () => {},
		};
	};
	return (
		<>
			<Character
				markedKey={`${selectedJoint} ${editing} ${contact?.join()} ${palette.selected}`}
				marked={(frame, joint) => {
					const touching = detailsOf(frame, "reach")?.contact;
					if (touching?.includes(rig.joints[joint]?.name ?? "")) return palette.blocking;
					return editing !== null && joint === selectedJoint ? palette.selected : null;
				}}
			/>
			{scene.compare !== null && editing === null && (
				<Skeleton
					rig={rig}
					read={(frame) => detailsOf(frame, "reach")?.ghost ?? null}
					beside={(frame) => frame.pose}
					boneColour={palette.ghost}
					jointColour={palette.ghost}
					opacity={0.4}
				/>
			)}
			<JointPicks key={String(editing !== null)} onDrag={editing !== null ? pull : undefined} />
			{editing !== null && selectedJoint !== null && (
				<JointGizmo key={selectedJoint} editKey={editing} joint={selectedJoint} />
			)}
			{editing === null && SIDES.map((side) => <Hand key={side} side={side} />)}
			{scene.obstacles.map((obstacle) => (
				<ObstacleMesh
					key={obstacle.id}
					obstacle={obstacle}
					touched={contact?.includes(obstacle.id) ?? false}
				/>
			))}
		</>
	);
}
