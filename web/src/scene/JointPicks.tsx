// Every joint can be clicked, and dragged where the workspace says what that does.

import { Html } from "@react-three/drei";
import { useThree } from "@react-three/fiber";
import { useEffect, useMemo, useRef, useState } from "react";
import { type Raycaster, Vector3 } from "three";
import { frames } from "../state/frames";
import { setStudio, useRig, useStudio } from "../state/store";
import { restOf } from "./bones";
import { addPickable, type DragMoves } from "./pick";
import "./names.css";

export interface JointPicksProps {
	/** Clicked; the joint is selected already. */
	onClick?(joint: number): void;
	onDrag?(joint: number, ray: Raycaster, event: PointerEvent): DragMoves | null;
}

export function JointPicks(props: JointPicksProps) {
	const rig = useRig();
	const rest = useMemo(() => restOf(rig), [rig]);
	const [hovered, setHovered] = useState<number | null>(null);
	const greeting = useStudio((state) => state.greeting);
	const invalidate = useThree((state) => state.invalidate);
	const latest = useRef(props);
	latest.current = props;

	useEffect(() => {
		const placed = () => frames.latest?.pose ?? rest;
		const stops = rig.joints.map(({ name }, joint) =>
			addPickable({
				name: `joint ${name}`,
				rank: 0,
				place: (out) => {
					out.fromArray(placed().positions, 3 * joint);
					return true;
				},
				onHover: (over) => {
					setHovered(over ? joint : null);
					invalidate();
				},
				onClick: () => {
					setStudio({ selectedJoint: joint, selectedTarget: null });
					latest.current.onClick?.(joint);
				},
				onDrag: latest.current.onDrag
					? (ray, event) => latest.current.onDrag?.(joint, ray, event) ?? null
					: undefined,
			}),
		);
		return () => {
			for (const stop of stops) stop();
		};
	}, [rig, rest, invalidate]);

	if (greeting || hovered === null || !rig.joints[hovered]) return null;
	const at = new Vector3().fromArray((frames.latest?.pose ?? rest).positions, 3 * hovered);
	return (
		<Html position={at} className="joint-name" style={{ pointerEvents: "none" }}>
			{rig.joints[hovered].name}
		</Html>
	);
}
