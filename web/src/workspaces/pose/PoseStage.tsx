// What the Pose workspace draws.

import { useThree } from "@react-three/fiber";
import type { Raycaster } from "three";
import { Character } from "../../scene/Character";
import { JointPicks } from "../../scene/JointPicks";
import { usePalette } from "../../scene/palette";
import { type DragMoves, facingPlane } from "../../scene/pick";
import { Skeleton } from "../../scene/Skeleton";
import { scratchVector, Target } from "../../scene/Target";
import { detailsOf, frames } from "../../state/frames";
import { pause } from "../../state/playing";
import { drag, endDrag } from "../../state/session";
import { setStudio, studio, useRig, useScene, useStudio } from "../../state/store";
import type { PoseGoal } from "../../wire";
import { addGoal, jointNow } from "./goals";
import { LimitGizmo } from "./LimitGizmo";

function GoalTarget({ goal }: { goal: PoseGoal }) {
	const rig = useRig();
	const palette = usePalette();
	const selected = useStudio((state) => state.selectedTarget === goal.id);
	const greeting = useStudio((state) => state.greeting);
	const name = rig.joints[goal.joint]?.name ?? goal.id;
	const turns = goal.kind === "orientation" || goal.kind === "pose";
	const colour = !goal.enabled ? palette.targetOff : selected ? palette.selected : palette.target;
	const size = rig.size * 0.014;
	return (
		<Target
			id={goal.id}
			label={name}
			position={goal.position}
			rotation={turns ? goal.rotation : null}
			rank={goal.enabled ? 2 : 1}
			alsoAt={(out) => {
				const positions = frames.latest?.pose.positions;
				if (!positions || !goal.enabled || goal.kind === "aim") return false;
				out.fromArray(positions, 3 * goal.joint);
				return true;
			}}
			onSelect={() => setStudio({ selectedJoint: goal.joint })}
		>
			<mesh renderOrder={5} visible={!greeting}>
				{turns ? (
					<boxGeometry args={[1.7 * size, 1.7 * size, 1.7 * size]} />
				) : (
					<octahedronGeometry args={[1.3 * size]} />
				)}
				<meshBasicMaterial
					color={colour}
					wireframe={!selected}
					depthTest={false}
					transparent
					opacity={selected ? 0.85 : 1}
				/>
			</mesh>
		</Target>
	);
}

/** A joint without a goal that is dragged gets one. */
function useJointDrag(): (joint: number, ray: Raycaster, event: PointerEvent) => DragMoves | null {
	const get = useThree((state) => state.get);
	return (joint, ray) => {
		pause();
		const now = jointNow(joint);
		const id = now && addGoal(joint);
		if (!now || !id) return null;
		const move = facingPlane(get().camera, scratchVector.set(...now.position).clone(), ray);
		return {
			move: (next, event) => {
				const to = move(next);
				if (to) drag(id, to.toArray(), null, event.timeStamp);
			},
			end: () => endDrag(`Move ${studio().rig?.joints[joint]?.name ?? "joint"}`),
		};
	};
}

export function PoseStage() {
	const rig = useRig();
	const scene = useScene("pose");
	const palette = usePalette();
	const selectedJoint = useStudio((state) => state.selectedJoint);
	const onDrag = useJointDrag();
	return (
		<>
			<Character
				markedKey={`${selectedJoint} ${scene.pins.join()} ${palette.pin}`}
				marked={(frame, joint) => {
					if (detailsOf(frame, "pose")?.blocking === joint) return palette.blocking;
					if (joint === selectedJoint) return palette.selected;
					return scene.pins.includes(joint) ? palette.pin : null;
				}}
			/>
			{scene.ghost && (
				<Skeleton
					rig={rig}
					read={(frame) => detailsOf(frame, "pose")?.ghost?.pose ?? null}
					beside={(frame) => frame.pose}
					boneColour={palette.ghost}
					jointColour={palette.ghost}
					opacity={0.4}
				/>
			)}
			<JointPicks onDrag={onDrag} />
			<LimitGizmo />
			{scene.goals.map((goal) => (
				<GoalTarget key={goal.id} goal={goal} />
			))}
		</>
	);
}
