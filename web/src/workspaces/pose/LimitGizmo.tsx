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
	Plane,
	Quaternion,
	type Raycaster,
	Sphere,
	Line as ThinLine,
	Vector3,
} from "three";
import { inverse, multiply, type Q, quaternionAt, turn, type V3 } from "../../maths";
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
import { RegionShade, Sector } from "./LimitShade";
import { swingDirection, twistDirection } from "./limits";
import "../../scene/names.css";

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

const COLOUR_OF: Record<string, keyof Palette> = { twist: "ghost" };

/** A twist has a dial of its own, in front of the sphere, so that its handles are not among those of the swing. */
interface Dial {
	centre: V3;
	axis: V3;
	radius: number;
}

function dialOf({ shape }: LimitDocument, radius: number): Dial | null {
	if (shape.kind !== "swing_twist" || !shape.twist) return null;
	const axis = turn(shape.frame, [0, 0, 1]);
	return { centre: axis.map((x) => 1.35 * radius * x) as V3, axis, radius: 0.42 * radius };
}

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
	const sector = useMemo(() => points.flat(), [points]);
	const colour = palette[COLOUR_OF[outline.component] ?? "limit"];
	const thin = useMemo(() => {
		const geometry = new BufferGeometry().setFromPoints(points.map((point) => new Vector3(...point)));
		return new ThinLine(geometry, new LineBasicMaterial());
	}, [points]);
	useEffect(
		() => () => {
			thin.geometry.dispose();
			thin.material.dispose();
		},
		[thin],
	);
	if (points.length < 2) return null;
	thin.material.color.set(colour);
	const isAngle = outline.component !== "swing" && outline.component !== "displacement";
	return (
		<>
			{isAngle && <Sector points={sector} colour={colour} />}
			{drawsInSoftware ? (
				<primitive object={thin} />
			) : (
				<Line points={points} color={colour} lineWidth={2.2} />
			)}
		</>
	);
}

/** The least cosine between a ray and the axis of a dial at which places on it can be told. */
const EDGE_ON = 0.15;

/** Numbers the drags. */
let drags = 0;

function HandleDot(props: {
	joint: number;
	index: number;
	handle: Handle;
	group: Group;
	radius: number;
	/** What it is on, if that is not the sphere. */
	dial: Dial | null;
	palette: Palette;
}) {
	const { joint, index, handle, group, radius, dial, palette } = props;
	const [over, setOver] = useState(false);
	const invalidate = useThree((state) => state.invalidate);
	const asks = useMemo(
		() => new Latest((to: V3) => dragLimitHandle(joint, index, to, drags)),
		[joint, index],
	);
	const latest = useRef(handle);
	latest.current = handle;

	const at = useMemo(
		() =>
			handle.at.map(
				(x, axis) => (dial ? (dial.centre[axis] ?? 0) : 0) + (dial ?? { radius }).radius * x,
			) as V3,
		[handle, dial, radius],
	);
	const place = useRef(at);
	place.current = at;

	useEffect(() => {
		const direction = (ray: Raycaster): V3 | null => {
			const centre = group.localToWorld(new Vector3(...(dial?.centre ?? [0, 0, 0])));
			const near = () => ray.ray.closestPointToPoint(centre, new Vector3());
			let point: Vector3;
			if (dial) {
				const normal = new Vector3(...dial.axis).applyQuaternion(group.getWorldQuaternion(new Quaternion()));
				// Seen from its side a dial has no places.
				const flat = Math.abs(normal.dot(ray.ray.direction)) < EDGE_ON;
				const plane = new Plane().setFromNormalAndCoplanarPoint(normal, centre);
				point = (flat ? null : ray.ray.intersectPlane(plane, new Vector3())) ?? near();
			} else {
				// Beside the sphere, the nearest point of its edge is meant.
				point = ray.ray.intersectSphere(new Sphere(centre, radius), new Vector3()) ?? near();
			}
			point.sub(centre).normalize().applyQuaternion(group.getWorldQuaternion(new Quaternion()).invert());
			return point.lengthSq() > 0.5 ? (point.toArray() as V3) : null;
		};
		return addPickable({
			name: `handle ${index}`,
			rank: 4,
			cursor: "grab",
			place: (out) => {
				group.localToWorld(out.set(...place.current));
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
	}, [joint, index, group, radius, dial, asks, invalidate]);

	const usual = dial ? palette.ghost : handle.kind === "point" ? palette.target : palette.limit;
	const size = radius * (handle.kind === "point" ? 0.075 : 0.055);
	return (
		<group position={at}>
			<mesh renderOrder={6}>
				<icosahedronGeometry args={[over ? 1.35 * size : size, 1]} />
				<meshBasicMaterial color={over ? palette.selected : usual} depthTest={false} transparent />
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
	const { shape } = limit;
	const slides = shape.kind === "prismatic";
	const dial = useMemo(() => dialOf(limit, radius), [limit, radius]);
	const twistNeedle = useRef<Mesh>(null);
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
			const twist = twistDirection(limit.shape, turned);
			if (twistNeedle.current && dial && twist) {
				twistNeedle.current.position.set(...twist).multiplyScalar(dial.radius);
				twistNeedle.current.position.add(new Vector3(...dial.centre));
			}
			invalidate();
		};
		follow(frames.latest);
		return frames.subscribe(follow);
	}, [rig, joint, limit, radius, rest, group, dial, invalidate]);

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
			{limit.region && shape.kind === "swing_twist" && (
				<RegionShade region={limit.region} frame={shape.frame} radius={radius} colour={palette.limit} />
			)}
			{!slides && !held && !limit.region && (
				<mesh renderOrder={2}>
					<icosahedronGeometry args={[0.985 * radius, 5]} />
					<meshBasicMaterial color={palette.limit} transparent opacity={0.07} depthWrite={false} />
				</mesh>
			)}
			{limit.outlines.map((outline, i) => {
				const on = outline.component === "twist" ? dial : null;
				return (
					<group key={`${outline.component} ${i}`} position={on?.centre ?? [0, 0, 0]}>
						<Outline outline={outline} radius={on?.radius ?? radius} palette={palette} />
					</group>
				);
			})}
			{dial && (
				<mesh ref={twistNeedle} renderOrder={6}>
					<icosahedronGeometry args={[0.04 * radius, 1]} />
					<meshBasicMaterial color={palette.jointHover} depthTest={false} transparent />
				</mesh>
			)}
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
						group={group}
						radius={radius}
						dial={shape.kind === "swing_twist" && handle.kind === "end" ? dial : null}
						palette={palette}
					/>
				),
			)}
		</primitive>
	);
}
