// A thing that can be dragged about: drawn as a small marker, taken hold of
// directly, and given a gizmo when it is selected.

import { TransformControls } from "@react-three/drei";
import { useThree } from "@react-three/fiber";
import { type ReactNode, useEffect, useMemo, useRef } from "react";
import { Group, type Raycaster, Vector3 } from "three";
import type { Q, V3 } from "../maths";
import { live } from "../state/live";
import { drag, endDrag } from "../state/session";
import { setStudio, useStudio } from "../state/store";
import { gizmo } from "./gizmo";
import { addPickable, facingPlane } from "./pick";

export interface TargetProps {
	/** As the server knows it in `drag`. */
	id: string;
	/** What it is, for undo: "left hand". */
	label: string;
	position: V3;
	/** `null` if it has no orientation. */
	rotation: Q | null;
	/** Its looks, around the origin. */
	children?: ReactNode;
	/** Where else it can be taken hold of, such as the joint that belongs to it. */
	alsoAt?(out: Vector3): boolean;
	/** For a thing with a body: whether a ray meets it. */
	hits?(ray: Raycaster): boolean;
	/** Among overlapping ones, a higher one wins. */
	rank?: number;
	/** The selected one has a gizmo, unless this is false. */
	withGizmo?: boolean;
	onSelect?(): void;
}

export function Target(props: TargetProps) {
	const { id, label, position, rotation, withGizmo = true, rank = 2 } = props;
	const group = useMemo(() => new Group(), []);
	const selected = useStudio((state) => state.selectedTarget === id);
	const mode = useStudio((state) => state.gizmo);
	const invalidate = useThree((state) => state.invalidate);
	const get = useThree((state) => state.get);
	// The gizmo would only be in the way of a thing that is held directly.
	const held = useStudio((state) => state.held);
	const latest = useRef(props);
	latest.current = props;

	useEffect(() => {
		group.position.set(...position);
		if (rotation) group.quaternion.set(...rotation);
		else group.quaternion.identity();
		invalidate();
	}, [group, position, rotation, invalidate]);

	useEffect(
		() =>
			live.subscribe(id, (moved) => {
				group.position.set(...moved.position);
				if (moved.rotation) group.quaternion.set(...moved.rotation);
				invalidate();
			}),
		[id, group, invalidate],
	);

	useEffect(() => {
		const select = () => {
			setStudio({ selectedTarget: id });
			latest.current.onSelect?.();
		};
		const onDrag = (ray: Parameters<typeof facingPlane>[2]) => {
			select();
			setStudio({ held: true });
			const move = facingPlane(get().camera, group.position.clone(), ray);
			const from: V3 = group.position.toArray();
			const turned: Q | null = latest.current.rotation;
			return {
				move: (next: typeof ray, event: PointerEvent) => {
					const to = move(next);
					if (to) drag(id, to.toArray(), turned, event.timeStamp);
				},
				end: (cancelled: boolean) => {
					setStudio({ held: false });
					if (cancelled) drag(id, from, turned);
					endDrag(`Move ${label}`);
				},
			};
		};
		const common = { onClick: select, onDrag, cursor: "grab" };
		const stops = [
			addPickable({
				...common,
				name: `target ${id}`,
				rank,
				hits: latest.current.hits && ((ray) => latest.current.hits?.(ray) ?? false),
				place: (out) => {
					out.copy(group.position);
					return true;
				},
			}),
			addPickable({
				...common,
				rank: rank - 0.5,
				place: (out) => latest.current.alsoAt?.(out) ?? false,
			}),
		];
		return () => {
			for (const stop of stops) stop();
		};
	}, [id, label, group, rank, get]);

	const turned = () => (latest.current.rotation ? (group.quaternion.toArray() as Q) : null);
	return (
		<>
			<primitive object={group}>{props.children}</primitive>
			{selected && withGizmo && !held && (
				<TransformControls
					ref={gizmo.hold}
					object={group}
					mode={rotation ? mode : "translate"}
					size={0.7}
					onObjectChange={() => drag(id, group.position.toArray(), turned())}
					onMouseUp={() => endDrag(`${mode === "rotate" && rotation ? "Turn" : "Move"} ${label}`)}
				/>
			)}
		</>
	);
}

export const scratchVector = new Vector3();
