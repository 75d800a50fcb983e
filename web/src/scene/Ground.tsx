// A grid that fades into the background, and a soft shadow under the character.

import { useThree } from "@react-three/fiber";
import { useEffect, useMemo, useRef } from "react";
import {
	BufferAttribute,
	BufferGeometry,
	Color,
	DataTexture,
	LinearFilter,
	type Mesh,
	RGBAFormat,
} from "three";
import { frames } from "../state/frames";
import type { Frame, RigDescription } from "../wire";
import type { Palette } from "./palette";

/** 1, 2 or 5 times a power of ten, near a length. */
export function niceStep(length: number): number {
	const power = 10 ** Math.floor(Math.log10(length));
	const rest = length / power;
	return power * (rest < 1.5 ? 1 : rest < 3.5 ? 2 : rest < 7.5 ? 5 : 10);
}

const HALF_LINES = 12;
const PARTS = 12;

function gridGeometry(step: number, palette: Palette): BufferGeometry {
	const positions: number[] = [];
	const colours: number[] = [];
	const background = new Color(palette.background);
	const usual = new Color(palette.grid);
	const strong = new Color(palette.gridStrong);
	const extent = HALF_LINES * step;
	const mixed = new Color();
	const point = (x: number, z: number, colour: Color) => {
		positions.push(x, 0, z);
		const fade = Math.min(1, Math.hypot(x, z) / extent) ** 2;
		mixed.copy(colour).lerp(background, fade);
		colours.push(mixed.r, mixed.g, mixed.b);
	};
	for (let line = -HALF_LINES; line <= HALF_LINES; line += 1) {
		const colour = line % 5 === 0 ? strong : usual;
		for (let part = 0; part < PARTS; part += 1) {
			const a = -extent + (2 * extent * part) / PARTS;
			const b = -extent + (2 * extent * (part + 1)) / PARTS;
			point(line * step, a, colour);
			point(line * step, b, colour);
			point(a, line * step, colour);
			point(b, line * step, colour);
		}
	}
	const geometry = new BufferGeometry();
	geometry.setAttribute("position", new BufferAttribute(new Float32Array(positions), 3));
	geometry.setAttribute("color", new BufferAttribute(new Float32Array(colours), 3));
	return geometry;
}

/** A soft round spot. */
export function blobTexture(): DataTexture {
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

export function Ground({ rig, palette }: { rig: RigDescription; palette: Palette }) {
	const step = niceStep(rig.size / 6);
	const grid = useMemo(() => gridGeometry(step, palette), [step, palette]);
	const blob = useMemo(blobTexture, []);
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

	useEffect(() => () => grid.dispose(), [grid]);

	return (
		<group>
			<lineSegments geometry={grid} position={[0, rig.floor, 0]} renderOrder={-2}>
				<lineBasicMaterial vertexColors />
			</lineSegments>
			<mesh ref={shadow} rotation={[-Math.PI / 2, 0, 0]} scale={rig.size * 0.85} renderOrder={-1}>
				<planeGeometry />
				<meshBasicMaterial
					map={blob}
					color={palette.shadow}
					transparent
					opacity={palette.shadow === "#000000" ? 0.5 : 0.28}
					depthWrite={false}
				/>
			</mesh>
		</group>
	);
}
