// A grid that fades into the background, a soft shadow under the character, and a darker one under each joint that
// comes near to the ground.

import { useThree } from "@react-three/fiber";
import { useEffect, useMemo, useRef } from "react";
import {
	BufferAttribute,
	BufferGeometry,
	Color,
	DataTexture,
	type Group,
	LinearFilter,
	type Mesh,
	type MeshBasicMaterial,
	RGBAFormat,
} from "three";
import { frames } from "../state/frames";
import type { Frame, RigDescription } from "../wire";
import type { Palette } from "./palette";
import { drawsInSoftware } from "./software";

/** 1, 2 or 5 times a power of ten, near a length. */
export function niceStep(length: number): number {
	const power = 10 ** Math.floor(Math.log10(length));
	const rest = length / power;
	return power * (rest < 1.5 ? 1 : rest < 3.5 ? 2 : rest < 7.5 ? 5 : 10);
}

const HALF_LINES = 12;
const PARTS = drawsInSoftware ? 8 : 12;

function gridGeometry(step: number, palette: Palette): BufferGeometry {
	const positions: number[] = [];
	const colours: number[] = [];
	const background = new Color(palette.background);
	const usual = new Color(palette.grid);
	const strong = new Color(palette.gridStrong);
	const extent = HALF_LINES * step;
	const mixed = new Color();
	const fade = (x: number, z: number) => Math.min(1, Math.hypot(x, z) / extent) ** 2;
	const point = (x: number, z: number, colour: Color) => {
		positions.push(x, 0, z);
		mixed.copy(colour).lerp(background, fade(x, z)).convertLinearToSRGB();
		colours.push(mixed.r, mixed.g, mixed.b);
	};
	const line = (x: number, z: number, toX: number, toZ: number, colour: Color) => {
		// What has faded at both ends is not there.
		if (fade(x, z) === 1 && fade(toX, toZ) === 1) return;
		point(x, z, colour);
		point(toX, toZ, colour);
	};
	for (let i = -HALF_LINES; i <= HALF_LINES; i += 1) {
		const colour = i % 5 === 0 ? strong : usual;
		for (let part = 0; part < PARTS; part += 1) {
			const a = -extent + (2 * extent * part) / PARTS;
			const b = -extent + (2 * extent * (part + 1)) / PARTS;
			line(i * step, a, i * step, b, colour);
			line(a, i * step, b, i * step, colour);
		}
	}
	const geometry = new BufferGeometry();
	geometry.setAttribute("position", new BufferAttribute(new Float32Array(positions), 3));
	geometry.setAttribute("color", new BufferAttribute(new Float32Array(colours), 3));
	return geometry;
}

const RINGS = 12;
const AROUND = 40;

/** How strong a soft round spot is at a share of its radius. */
const soft = (far: number) => (1 - far) ** 2 * (1 + 2 * far);

/**
 * A disc of radius one, of one colour that fades into another, or away where there is none. Colours at its corners take
 * a third of the time of a picture stretched over half the screen, where it is drawn in software.
 */
function discGeometry(colour: string, into: string | null, strength: number): BufferGeometry {
	const positions: number[] = [];
	const colours: number[] = [];
	const triangles: number[] = [];
	const [own, other] = [new Color(colour), new Color(into ?? colour)];
	for (let ring = 0; ring <= RINGS; ring += 1) {
		const far = ring / RINGS;
		const share = strength * soft(far);
		// Mixed as a picture with a transparent colour is: as shown, not as light.
		const mixed = other.clone().convertLinearToSRGB().lerp(own.clone().convertLinearToSRGB(), share);
		for (let k = 0; k < AROUND; k += 1) {
			const angle = (2 * Math.PI * k) / AROUND;
			positions.push(far * Math.sin(angle), 0, far * Math.cos(angle));
			colours.push(mixed.r, mixed.g, mixed.b, into === null ? share : 1);
			if (ring === RINGS) continue;
			const [a, b] = [ring * AROUND + k, ring * AROUND + ((k + 1) % AROUND)];
			triangles.push(a, a + AROUND, b + AROUND);
			if (ring > 0) triangles.push(a, b + AROUND, b);
		}
	}
	const geometry = new BufferGeometry();
	geometry.setAttribute("position", new BufferAttribute(new Float32Array(positions), 3));
	geometry.setAttribute("color", new BufferAttribute(new Float32Array(colours), 4));
	geometry.setIndex(triangles);
	return geometry;
}

/** For materials whose colours are given as they are shown: saves three powers for every point of the screen. */
const asShown = {
	onBeforeCompile: (shader: { fragmentShader: string }) => {
		shader.fragmentShader = shader.fragmentShader.replace("#include <colorspace_fragment>", "");
	},
	customProgramCacheKey: () => "as shown",
};

let blob: DataTexture | null = null;

/** A soft round spot: one for all that is ever drawn with it. */
export function blobTexture(): DataTexture {
	blob ??= makeBlob();
	return blob;
}

function makeBlob(): DataTexture {
	const side = 64;
	const data = new Uint8Array(4 * side * side);
	for (let y = 0; y < side; y += 1) {
		for (let x = 0; x < side; x += 1) {
			const far = Math.hypot((2 * (x + 0.5)) / side - 1, (2 * (y + 0.5)) / side - 1);
			const weight = Math.max(0, 1 - far);
			const i = 4 * (y * side + x);
			data.fill(255, i, i + 3);
			data[i + 3] = 255 * weight * weight * (3 - 2 * weight);
		}
	}
	const texture = new DataTexture(data, side, side, RGBAFormat);
	texture.minFilter = LinearFilter;
	texture.magFilter = LinearFilter;
	texture.needsUpdate = true;
	return texture;
}

/** The joints whose shadows are drawn: the ends of limbs, the lowest first. */
function touching(rig: RigDescription): number[] {
	const parents = new Set(rig.joints.map(({ parent }) => parent));
	return rig.joints
		.map((joint, i) => ({ i, height: joint.model_position[1], end: !parents.has(i), role: joint.role ?? "" }))
		.filter(({ end, role }) => end || /(Foot|Toes|Hand|LowerLeg|hips)$/.test(role))
		.filter(({ role }) => !/(Thumb|Index|Middle|Ring|Little)/.test(role))
		.sort((a, b) => a.height - b.height)
		.slice(0, 12)
		.map(({ i }) => i);
}

/** A spot under each end of a limb: small and dark where it stands, wide and faint where it is lifted. */
function Contacts({ rig, palette, blob }: { rig: RigDescription; palette: Palette; blob: DataTexture }) {
	const joints = useMemo(() => touching(rig), [rig]);
	const group = useRef<Group>(null);
	const dark = palette.shadow === "#000000" ? 0.55 : 0.3;
	useEffect(() => {
		const follow = (frame: Frame | null) => {
			const positions = frame?.pose.positions ?? rig.joints.flatMap((joint) => joint.model_position);
			group.current?.children.forEach((spot, k) => {
				const i = 3 * (joints[k] ?? 0);
				const height = Math.max(0, ((positions[i + 1] ?? 0) - rig.floor) / rig.size);
				const strength = Math.max(0, 1 - height / 0.25) ** 2;
				spot.visible = strength > 0.02;
				spot.position.set(positions[i] ?? 0, rig.floor + 0.003 * rig.size, positions[i + 2] ?? 0);
				spot.scale.setScalar(rig.size * (0.1 + 0.6 * height));
				((spot as Mesh).material as MeshBasicMaterial).opacity = dark * strength;
			});
		};
		follow(frames.latest);
		return frames.subscribe(follow);
	}, [rig, joints, dark]);
	return (
		<group ref={group}>
			{joints.map((joint) => (
				<mesh key={joint} rotation={[-Math.PI / 2, 0, 0]} renderOrder={-1}>
					<planeGeometry />
					<meshBasicMaterial map={blob} color={palette.shadow} transparent depthWrite={false} />
				</mesh>
			))}
		</group>
	);
}

export function Ground({ rig, palette }: { rig: RigDescription; palette: Palette }) {
	const step = niceStep(rig.size / 6);
	const grid = useMemo(() => gridGeometry(step, palette), [step, palette]);
	const pool = useMemo(() => discGeometry(palette.pool, palette.background, 0.55), [palette]);
	const spot = useMemo(
		() => discGeometry(palette.shadow, null, palette.shadow === "#000000" ? 0.35 : 0.2),
		[palette],
	);
	const shadow = useRef<Mesh>(null);
	const invalidate = useThree((state) => state.invalidate);

	useEffect(() => {
		const follow = (frame: Frame | null) => {
			const positions = frame?.pose.positions ?? rig.joints.flatMap((joint) => joint.model_position);
			let x = 0;
			let z = 0;
			const count = positions.length / 3;
			for (let i = 0; i < count; i += 1) {
				x += positions[3 * i] ?? 0;
				z += positions[3 * i + 2] ?? 0;
			}
			shadow.current?.position.set(x / count, rig.floor + 0.002 * rig.size, z / count);
		};
		follow(frames.latest);
		invalidate();
		return frames.subscribe(follow);
	}, [rig, invalidate]);

	useEffect(
		() => () => {
			for (const geometry of [grid, pool, spot]) geometry.dispose();
		},
		[grid, pool, spot],
	);

	return (
		<group>
			<lineSegments geometry={grid} position={[0, rig.floor, 0]} renderOrder={-2}>
				<lineBasicMaterial vertexColors {...asShown} />
			</lineSegments>
			{/* A pool of light that the character stands in. */}
			<mesh
				geometry={pool}
				position={[0, rig.floor - 0.002 * rig.size, 0]}
				scale={2.1 * rig.size}
				renderOrder={-3}
			>
				<meshBasicMaterial vertexColors depthWrite={false} {...asShown} />
			</mesh>
			<mesh ref={shadow} geometry={spot} scale={0.425 * rig.size} renderOrder={-1}>
				<meshBasicMaterial vertexColors transparent depthWrite={false} {...asShown} />
			</mesh>
			{!drawsInSoftware && <Contacts rig={rig} palette={palette} blob={blobTexture()} />}
		</group>
	);
}
