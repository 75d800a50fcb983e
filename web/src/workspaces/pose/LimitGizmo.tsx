// The limit of the selected joint, drawn on a sphere about it in its rest frame,
// with handles to drag. The outlines are the server's: from the code that solves.

import { Html, Line } from "@react-three/drei";
import { useThree } from "@react-three/fiber";
import { useEffect, useMemo, useRef, useState } from "react";
import {
	BufferGeometry,
	Group,
	LineBasicMaterial,
	type Mesh,
	Quaternion,
	type Raycaster,
	Sphere,
	Line as ThinLine,
	Vector3,
} from "three";
import { inverse, multiply, type Q, quaternionAt, type V3 } from "../../maths";
import { restOf } from "../../scene/bones";
import { type Palette, usePalette } from "../../scene/palette";
import { addPickable } from "../../scene/pick";
import { drawsInSoftware } from "../../scene/software";
import { addToLimit, dragLimitHandle, removeFromLimit } from "../../state/documents";
import { frames } from "../../state/frames";
import { Latest } from "../../state/latest";
import { useRig, useStudio } from "../../state/store";
import type {
	Frame,
	Handle,
	JointDescription,
	LimitDocument,
	LimitOutline,
	Placed,
	RigDescription,
} from "../../wire";
import { swingDirection } from "./limits";

/** How the joint's rest frame is turned in the world now: its parent's turn, then its own rest. */
export function restFrame(rig: RigDescription, joint: number, placed: Placed): Q {
	const { parent, rest_rotation } = rig.joints[joint] as JointDescription;
	return parent === null ? rest_rotation : multiply(quaternionAt(placed.rotations, parent), rest_rotation);
}

/** How large the sphere is: about as the bone is long, but neither tiny nor huge. */
function radiusOf(rig: RigDescription, joint: number): number {
	const lengths = rig.joints
		.filter((other) => other.parent === joint)
		.map((other) => Math.hypot(...other.rest_position));
	const tip = rig.joints[joint]?.tip;
	const bone = Math.max(0, ...lengths, tip ? Math.hypot(...tip) : 0);
	return Math.min(Math.max(0.75 * bone, 0.07 * rig.size), 0.15 * rig.size);
}

const COLOUR_OF: Record<string, keyof Palette> = {
	twist: "ghost",
	angle: "limit",
	swing: "limit",
	euler: "limit",
};

function Outline({ outline, radius, palette }: { outline: LimitOutline; radius: number; palette: Palette }) {
	const points = useMemo(() => {
		// Places of a slide are metres already; directions lie on the sphere.
		const scale = outline.component === "displacement" ? 1 : radius;
		const found: V3[] = [];
		for (let i = 0; i + 2 < outline.points.length; i += 3) {
			found.push([
				scale * (outline.points[i] ?? 0),
				scale * (outline.points[i + 1] ?? 0),
				scale * (outline.points[i + 2] ?? 0),
			]);
		}
		if (outline.closed && found[0]) found.push(found[0]);
		return found;
	}, [outline, radius]);
	const colour = palette[COLOUR_OF[outline.component] ?? "limit"];
	const thin = useMemo(() => {
		const geometry = new BufferGeometry().setFromPoints(points.map((point) => new Vector3(...point)));
		return new ThinLine(geometry, new LineBasicMaterial());
	}, [points]);
	useEffect(() => () => thin.geometry.dispose(), [thin]);
	if (points.length < 2) return null;
	if (drawsInSoftware) {
		thin.material.color.set(colour);
		return <primitive object={thin} />;
	}
	return <Line points={points} color={colour} lineWidth={2.2} />;
}

/** Numbers the drags. */
let drags = 0;

function HandleDot(props: {
	joint: number;
	index: number;
	handle: Handle;
	limit: LimitDocument;
	group: Group;
	radius: number;
	palette: Palette;
}) {
	const { joint, index, handle, group, radius, palette } = props;
	const [over, setOver] = useState(false);
	const invalidate = useThree((state) => state.invalidate);
	const asks = useMemo(
		() => new Latest((to: V3) => dragLimitHandle(joint, index, to, drags)),
		[joint, index],
	);
	const latest = useRef(handle);
	latest.current = handle;

	useEffect(() => {
		const direction = (ray: Raycaster): V3 | null => {
			const centre = group.getWorldPosition(new Vector3());
			const sphere = new Sphere(centre, radius);
			// Beside the sphere, the nearest point of its edge is meant.
			const point =
				ray.ray.intersectSphere(sphere, new Vector3()) ?? ray.ray.closestPointToPoint(centre, new Vector3());
			point.sub(centre).normalize().applyQuaternion(group.getWorldQuaternion(new Quaternion()).invert());
			return point.lengthSq() > 0.5 ? (point.toArray() as V3) : null;
		};
		return addPickable({
			name: `handle ${index}`,
			rank: 4,
			cursor: "grab",
			place: (out) => {
				group.localToWorld(out.set(...latest.current.at).multiplyScalar(radius));
				return true;
			},
			onHover: (now) => {
				setOver(now);
				invalidate();
			},
			onClick: (event) => {
				if (event.altKey && latest.current.removable) void removeFromLimit(joint, index);
			},
			onDrag: () => {
				drags += 1;
				return {
					move: (ray) => {
						const to = direction(ray);
						if (to) asks.push(to);
					},
					end: () => {},
				};
			},
		});
	}, [joint, index, group, radius, asks, invalidate]);

	const size = radius * (handle.kind === "point" ? 0.075 : 0.055);
	return (
		<group position={handle.at.map((x) => x * radius) as V3}>
			<mesh renderOrder={6}>
				<icosahedronGeometry args={[over ? 1.35 * size : size, 1]} />
				<meshBasicMaterial
					color={over ? palette.selected : handle.kind === "point" ? palette.target : palette.limit}
					depthTest={false}
					transparent
				/>
			</mesh>
			{over && (
				<Html className="joint-name" style={{ pointerEvents: "none" }}>
					{handle.label}
					{handle.removable ? " (Alt-click takes it away)" : ""}
				</Html>
			)}
		</group>
	);
}

export function LimitGizmo() {
	const rig = useRig();
	const joint = useStudio((state) => state.selectedJoint);
	const limit = joint === null ? null : (rig.joints[joint]?.limit ?? null);
	if (joint === null || !limit || limit.shape.kind === "none") return null;
	return <ShownLimit key={joint} rig={rig} joint={joint} limit={limit} />;
}

function ShownLimit({ rig, joint, limit }: { rig: RigDescription; joint: number; limit: LimitDocument }) {
	const palette = usePalette();
	const group = useMemo(() => new Group(), []);
	const needle = useRef<Mesh>(null);
	const invalidate = useThree((state) => state.invalidate);
	const radius = radiusOf(rig, joint);
	const rest = useMemo(() => restOf(rig), [rig]);
	const slides = limit.shape.kind === "prismatic";
	// Handles cannot be used while something else is held.
	const held = useStudio((state) => state.held);

	useEffect(() => {
		const follow = (frame: Frame | null) => {
			const placed = frame?.pose ?? rest;
			const frameNow = restFrame(rig, joint, placed);
			group.position.fromArray(placed.positions, 3 * joint);
			group.quaternion.set(...frameNow);
			const turned = multiply(inverse(frameNow), quaternionAt(placed.rotations, joint));
			const direction = swingDirection(limit.shape, turned);
			if (needle.current) {
				needle.current.visible = direction !== null;
				if (direction) needle.current.position.set(...direction).multiplyScalar(radius);
			}
			invalidate();
		};
		follow(frames.latest);
		return frames.subscribe(follow);
	}, [rig, joint, limit, radius, rest, group, invalidate]);

	useEffect(() => {
		const hit = (ray: Raycaster) =>
			ray.ray.intersectSphere(new Sphere(group.position, radius), new Vector3());
		return addPickable({
			rank: -1,
			cursor: "",
			place: () => true,
			hits: (ray) => hit(ray) !== null,
			onDoubleClick: (ray) => {
				const point = hit(ray)
					?.sub(group.position)
					.normalize()
					.applyQuaternion(group.quaternion.clone().invert());
				if (point) void addToLimit(joint, point.toArray() as V3);
			},
		});
	}, [group, joint, radius]);

	return (
		<primitive object={group}>
			{!slides && !held && (
				<mesh renderOrder={2}>
					<icosahedronGeometry args={[0.985 * radius, 5]} />
					<meshBasicMaterial color={palette.limit} transparent opacity={0.07} depthWrite={false} />
				</mesh>
			)}
			{limit.outlines.map((outline, i) => (
				<Outline key={`${outline.component} ${i}`} outline={outline} radius={radius} palette={palette} />
			))}
			<mesh ref={needle} renderOrder={6} visible={false}>
				<icosahedronGeometry args={[0.045 * radius, 1]} />
				<meshBasicMaterial color={palette.jointHover} depthTest={false} transparent />
			</mesh>
			{limit.handles.map((handle, i) =>
				held ? null : (
					<HandleDot
						key={`handle ${i}`}
						joint={joint}
						index={i}
						handle={handle}
						limit={limit}
						group={group}
						radius={radius}
						palette={palette}
					/>
				),
			)}
		</primitive>
	);
}
