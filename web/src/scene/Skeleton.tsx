// A skeleton as tapered bones and round joints: two instanced meshes, moved
// from the frames without React.

import { useThree } from "@react-three/fiber";
import { useEffect, useMemo, useRef } from "react";
import {
	BufferAttribute,
	BufferGeometry,
	Color,
	IcosahedronGeometry,
	type InstancedMesh,
	Matrix4,
	type MeshLambertMaterial,
	Quaternion,
	Vector3,
} from "three";
import { frames } from "../state/frames";
import type { Frame, Placed, RigDescription } from "../wire";
import { bonesOf, endsOf, restOf } from "./bones";
import { distance } from "./mannequin/shape";

/** An octahedron from the origin to (0, 1, 0), widest at a sixth of its length. */
function taperedOctahedron(): BufferGeometry {
	const shoulder = 1 / 6;
	const corners = [
		[0, 0, 0],
		[1, shoulder, 0],
		[0, shoulder, 1],
		[-1, shoulder, 0],
		[0, shoulder, -1],
		[0, 1, 0],
	];
	const faces = [
		[0, 1, 2],
		[0, 2, 3],
		[0, 3, 4],
		[0, 4, 1],
		[5, 2, 1],
		[5, 3, 2],
		[5, 4, 3],
		[5, 1, 4],
	];
	const geometry = new BufferGeometry();
	const points = faces.flatMap((face) => face.flatMap((corner) => corners[corner] ?? []));
	geometry.setAttribute("position", new BufferAttribute(new Float32Array(points), 3));
	geometry.computeVertexNormals();
	return geometry;
}

const boneGeometry = taperedOctahedron();
// Spheres of joints are many and small: few corners will do.
const jointGeometry = new IcosahedronGeometry(1, 1);

/** A ghost's bone that is nearer to the character's than this share of its size becomes thin. */
const APART = 0.015;

const up = new Vector3(0, 1, 0);
const start = new Vector3();
const way = new Vector3();
const scale = new Vector3();
const rotation = new Quaternion();
const matrix = new Matrix4();
const colour = new Color();

export interface SkeletonProps {
	rig: RigDescription;
	/** What to show of a frame; the rest pose until there is one. `null` hides it. */
	read(frame: Frame): Placed | null;
	boneColour: string;
	jointColour: string;
	/** A ghost lets what is behind it through. */
	opacity?: number;
	/** Joints that are drawn in colours of their own. */
	marked?(frame: Frame | null, joint: number): string | null;
	/** Changes when `marked` would answer differently without a new frame. */
	markedKey?: unknown;
	/** Thickness, against the usual of 1. */
	thickness?: number;
	joints?: boolean;
	/** Bones that lie on those of this pose are left out: a ghost shows what is another. */
	beside?(frame: Frame): Placed;
	/** Only the joints with colours of their own. */
	onlyMarked?: boolean;
	/** Seen through whatever is in front. */
	through?: boolean;
}

export function Skeleton(props: SkeletonProps) {
	const { rig, boneColour, jointColour, opacity = 1, thickness = 1 } = props;
	const { joints = true, onlyMarked = false, through = false } = props;
	const bonesMesh = useRef<InstancedMesh>(null);
	const jointsMesh = useRef<InstancedMesh>(null);
	const invalidate = useThree((state) => state.invalidate);
	const bones = useMemo(() => bonesOf(rig), [rig]);
	const rest = useMemo(() => restOf(rig), [rig]);
	const latest = useRef(props);
	latest.current = props;

	// biome-ignore lint/correctness/useExhaustiveDependencies: `markedKey` and colours ask for another drawing
	useEffect(() => {
		const boneMesh = bonesMesh.current;
		const jointMesh = jointsMesh.current;
		if (!boneMesh || !jointMesh) return;
		const jointRadius = rig.size * 0.0085 * thickness;

		const draw = (frame: Frame | null) => {
			const { read, marked, beside } = latest.current;
			const read_ = frame ? read(frame) : rest;
			const placed = read_ && read_.positions.length === 3 * rig.joints.length ? read_ : null;
			const other = frame && beside ? beside(frame) : null;
			const marks = marked && rig.joints.map((_, joint) => marked(frame, joint));
			boneMesh.visible = placed !== null && !onlyMarked;
			jointMesh.visible = placed !== null && joints && (!onlyMarked || marks?.some(Boolean) === true);
			if (!placed) {
				invalidate();
				return;
			}
			bones.forEach((bone, i) => {
				const [from, to] = endsOf(bone, placed);
				start.set(...from);
				way.set(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
				const length = way.length();
				rotation.setFromUnitVectors(up, length > 0 ? way.divideScalar(length) : up);
				// Short bones are thicker for their length, so that a spine does not look like a thread.
				const usual = Math.min(0.085 * length, 0.02 * rig.size);
				let width = Math.max(usual, Math.min(0.2 * length, 0.008 * rig.size)) * thickness;
				if (other) {
					const [otherFrom, otherTo] = endsOf(bone, other);
					const apart = Math.max(distance(from, otherFrom), distance(to, otherTo));
					width *= Math.min(1, apart / (APART * rig.size));
				}
				scale.set(width, length, width);
				boneMesh.setMatrixAt(i, matrix.compose(start, rotation, scale));
			});
			boneMesh.instanceMatrix.needsUpdate = true;
			if (jointMesh.visible) {
				rotation.identity();
				for (let joint = 0; joint < rig.joints.length; joint += 1) {
					start.fromArray(placed.positions, 3 * joint);
					const mark = marks?.[joint] ?? null;
					scale.setScalar(mark ? 1.5 * jointRadius : onlyMarked ? 0 : jointRadius);
					if (other) {
						const apart = way.fromArray(other.positions, 3 * joint).distanceTo(start);
						scale.multiplyScalar(Math.min(1, apart / (APART * rig.size)));
					}
					jointMesh.setMatrixAt(joint, matrix.compose(start, rotation, scale));
					jointMesh.setColorAt(joint, colour.set(mark ?? jointColour));
				}
				jointMesh.instanceMatrix.needsUpdate = true;
				if (jointMesh.instanceColor) jointMesh.instanceColor.needsUpdate = true;
			}
			invalidate();
		};
		draw(frames.latest);
		return frames.subscribe(draw);
	}, [rig, bones, rest, jointColour, thickness, joints, onlyMarked, props.markedKey, invalidate]);

	const material = (
		<meshLambertMaterial
			color={boneColour}
			transparent={opacity < 1 || through}
			opacity={through ? 0.75 * opacity : opacity}
			depthWrite={opacity === 1}
			depthTest={!through}
		/>
	);
	return (
		<group>
			<instancedMesh
				key={`bones ${bones.length}`}
				ref={bonesMesh}
				args={[boneGeometry, undefined as unknown as MeshLambertMaterial, Math.max(1, bones.length)]}
				frustumCulled={false}
				renderOrder={through ? 3 : 0}
			>
				{material}
			</instancedMesh>
			<instancedMesh
				key={`joints ${rig.joints.length}`}
				ref={jointsMesh}
				args={[jointGeometry, undefined as unknown as MeshLambertMaterial, rig.joints.length]}
				frustumCulled={false}
				renderOrder={through ? 3 : 0}
			>
				<meshLambertMaterial
					transparent={opacity < 1 || through}
					opacity={opacity}
					depthWrite={opacity === 1}
					depthTest={!through}
				/>
			</instancedMesh>
		</group>
	);
}
