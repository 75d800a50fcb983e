// What a limit allows, shaded: the region of a swing on the sphere, the sector of an angle.

import { useThree } from "@react-three/fiber";
import { useEffect, useMemo } from "react";
import {
	BufferAttribute,
	BufferGeometry,
	Color,
	DataTexture,
	DoubleSide,
	LinearFilter,
	RedFormat,
	RepeatWrapping,
	ShaderMaterial,
} from "three";
import type { Q } from "../../maths";
import { REGION, regionBytes } from "./region";

const VERTEX = `
varying vec3 direction;
void main() {
	direction = position;
	gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;

// The grid holds distances to the edge, so that the edge between two of its directions is where it is, and sharp.
const FRAGMENT = `
uniform sampler2D region;
uniform vec3 colour;
varying vec3 direction;
void main() {
	vec3 d = normalize(direction);
	float around = atan(d.y, d.x) / 6.283185307 + 0.5 / float(COLUMNS);
	float away = (acos(clamp(d.z, -1.0, 1.0)) / 3.141592654 * float(ROWS - 1) + 0.5) / float(ROWS);
	float inside = texture2D(region, vec2(around, away)).r * 255.0 - 128.0;
	float soft = max(fwidth(inside), 0.5);
	gl_FragColor = vec4(colour, mix(0.05, 0.42, smoothstep(-soft, soft, inside)));
	#include <colorspace_fragment>
}`;

/** The sphere about the joint, dark where the bone may point. `frame` turns the limit into the joint's rest frame. */
export function RegionShade(props: { region: string; frame: Q; radius: number; colour: string }) {
	const { region, frame, radius, colour } = props;
	const invalidate = useThree((state) => state.invalidate);
	const texture = useMemo(() => {
		const made = new DataTexture(
			new Uint8Array(REGION.rows * REGION.columns),
			REGION.columns,
			REGION.rows,
			RedFormat,
		);
		made.unpackAlignment = 1;
		made.minFilter = LinearFilter;
		made.magFilter = LinearFilter;
		made.wrapS = RepeatWrapping;
		return made;
	}, []);
	const tint = useMemo(() => new Color(), []);
	const material = useMemo(
		() =>
			new ShaderMaterial({
				defines: { ROWS: REGION.rows, COLUMNS: REGION.columns },
				uniforms: { region: { value: texture }, colour: { value: tint } },
				vertexShader: VERTEX,
				fragmentShader: FRAGMENT,
				transparent: true,
				depthWrite: false,
			}),
		[texture, tint],
	);
	useEffect(() => {
		(texture.image.data as Uint8Array).set(regionBytes(region));
		texture.needsUpdate = true;
		invalidate();
	}, [texture, region, invalidate]);
	useEffect(() => {
		tint.set(colour);
		invalidate();
	}, [tint, colour, invalidate]);
	useEffect(
		() => () => {
			texture.dispose();
			material.dispose();
		},
		[texture, material],
	);
	return (
		<mesh quaternion={frame} renderOrder={2} material={material}>
			<icosahedronGeometry args={[0.985 * radius, 5]} />
		</mesh>
	);
}

/** The sector between the middle and an arc. */
export function Sector({ points, colour }: { points: readonly number[]; colour: string }) {
	const geometry = useMemo(() => {
		const made = new BufferGeometry();
		made.setAttribute("position", new BufferAttribute(new Float32Array([0, 0, 0, ...points]), 3));
		const index: number[] = [];
		for (let i = 1; i + 1 <= points.length / 3; i += 1) index.push(0, i, i + 1);
		made.setIndex(index);
		return made;
	}, [points]);
	useEffect(() => () => geometry.dispose(), [geometry]);
	return (
		<mesh geometry={geometry} renderOrder={2}>
			<meshBasicMaterial color={colour} transparent opacity={0.28} side={DoubleSide} depthWrite={false} />
		</mesh>
	);
}
