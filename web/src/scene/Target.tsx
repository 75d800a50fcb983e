// A thing that can be dragged about: drawn as a small marker, taken hold of
// directly, and given a gizmo when it is selected.

import { useThree } from "@react-three/fiber";
import { type ReactNode, useEffect, useMemo, useRef } from "react";
import { Group, type Raycaster, Vector3 } from "three";
import type { Q, V3 } from "../maths";
import { live } from "../state/live";
import { pause } from "../state/playing";
import { drag, endDrag } from "../state/session";
import { setStudio, studio, useStudio } from "../state/store";
import { takeGizmo } from "./gizmo";
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
	// Where targets are says nothing of a motion that plays.
	const playing = useStudio((state) => state.player?.shown === true && state.workspace !== "body");
	const latest = useRef(props);
	latest.current = props;

	useEffect(() => {
		group.position.set(...position);
		if (rotation) group.quaternion.set(...rotation);
		else group.quaternion.identity();
		invalidate();
	}, [group, position, rotation, invalidate]);

	useEffect(() => {
		group.visible = !playing;
		invalidate();
	}, [group, playing, invalidate]);

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
			// Whoever takes hold of a body in motion stops it, and has the joint where it is.
			const stopped = studio().player?.shown === true && studio().workspace !== "body";
			if (stopped) {
				const joint = new Vector3();
				if (latest.current.alsoAt?.(joint)) group.position.copy(joint);
				pause();
			}
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
					return group.visible;
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

	const turns = rotation !== null;
	const hasGizmo = selected && withGizmo && !held && !playing;
	useEffect(() => {
		if (!hasGizmo) return;
		const turned = () => (turns ? (group.quaternion.toArray() as Q) : null);
		return takeGizmo({
			object: group,
			mode: turns ? mode : "translate",
			onMove: () => drag(id, group.position.toArray(), turned()),
			onEnd: () => endDrag(`${mode === "rotate" && turns ? "Turn" : "Move"} ${label}`),
		});
	}, [hasGizmo, turns, mode, id, label, group]);
	return <primitive object={group}>{props.children}</primitive>;
}

export const scratchVector = new Vector3();
