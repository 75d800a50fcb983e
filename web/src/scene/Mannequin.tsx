// The body of a rig without a mesh of its own, moved with the joints as a skin.

import { useThree } from "@react-three/fiber";
import { useEffect, useMemo } from "react";
import {
	Bone,
	BufferAttribute,
	BufferGeometry,
	Color,
	type Material,
	Matrix4,
	MeshLambertMaterial,
	ShaderMaterial,
	SkinnedMesh,
	Skeleton as ThreeSkeleton,
	UniformsLib,
	UniformsUtils,
} from "three";
import { bytesOfBody, shownBody } from "../state/body";
import { camera } from "../state/camera";
import { frames } from "../state/frames";
import type { Frame, RigDescription } from "../wire";
import { restOf } from "./bones";
import { type MannequinMesh, mannequinOf, TONES } from "./mannequin";
import type { Palette } from "./palette";
import { jointMatrix } from "./retarget";
import { drawsInSoftware } from "./software";

/** In software a sixth of the triangles: setting one up takes longer than filling it. */
const COARSE = drawsInSoftware ? 2.5 : 1;

/** Matt, lit at the corners instead of at every point of the screen: on so smooth a body no difference is seen. */
function softwareMaterial(): ShaderMaterial {
	return new ShaderMaterial({
		lights: true,
		vertexColors: true,
		uniforms: UniformsUtils.clone(UniformsLib.lights),
		vertexShader: `
			#include <common>
			#include <skinning_pars_vertex>
			#include <lights_pars_begin>
			varying vec3 shade;
			void main() {
				#include <beginnormal_vertex>
				#include <skinbase_vertex>
				#include <skinnormal_vertex>
				#include <defaultnormal_vertex>
				#include <begin_vertex>
				#include <skinning_vertex>
				#include <project_vertex>
				vec3 outward = normalize(transformedNormal);
				vec3 light = vec3(0.0);
				#if NUM_HEMI_LIGHTS > 0
				light += getHemisphereLightIrradiance(hemisphereLights[0], outward);
				#endif
				#if NUM_DIR_LIGHTS > 0
				light += max(dot(outward, directionalLights[0].direction), 0.0) * directionalLights[0].color;
				#endif
				vec3 seen = min(color * light * RECIPROCAL_PI, 1.0);
				shade = mix(1.055 * pow(seen, vec3(0.41666)) - 0.055, 12.92 * seen, vec3(lessThan(seen, vec3(0.0031308))));
			}`,
		fragmentShader: "varying vec3 shade; void main() { gl_FragColor = vec4(shade, 1.0); }",
	});
}

function materialOf(): Material {
	return drawsInSoftware ? softwareMaterial() : new MeshLambertMaterial({ vertexColors: true });
}

function geometryOf(mesh: MannequinMesh): BufferGeometry {
	const geometry = new BufferGeometry();
	geometry.setAttribute("position", new BufferAttribute(mesh.positions, 3));
	geometry.setAttribute("normal", new BufferAttribute(mesh.normals, 3));
	geometry.setAttribute("skinIndex", new BufferAttribute(mesh.joints, 4));
	geometry.setAttribute("skinWeight", new BufferAttribute(mesh.weights, 4));
	geometry.setAttribute("color", new BufferAttribute(new Float32Array(mesh.positions.length), 3));
	geometry.setIndex(new BufferAttribute(mesh.triangles, 1));
	return geometry;
}

/** The skin, with bones that no scene holds: their places are written from the frames. */
function skinOf(rig: RigDescription, mesh: MannequinMesh): SkinnedMesh {
	const skin = new SkinnedMesh(geometryOf(mesh), materialOf());
	const rest = restOf(rig);
	const bones = rig.joints.map(() => new Bone());
	const inverses = rig.joints.map((_, joint) => jointMatrix(rest, joint, new Matrix4()).invert());
	skin.bind(new ThreeSkeleton(bones, inverses), new Matrix4());
	// It moves away from the box that it rests in.
	skin.frustumCulled = false;
	skin.castShadow = true;
	return skin;
}

export function Mannequin({ rig, palette }: { rig: RigDescription; palette: Palette }) {
	const invalidate = useThree((state) => state.invalidate);
	// An edited limit makes a new rig with the same bones.
	const shape = JSON.stringify(rig.joints.map((j) => [j.parent, j.model_position, j.tip, j.role, j.kind]));
	// biome-ignore lint/correctness/useExhaustiveDependencies: `shape` says when the body is another
	const made = useMemo(() => {
		const mesh = mannequinOf(rig, COARSE);
		return mesh && { skin: skinOf(rig, mesh), tones: mesh.tones };
	}, [shape]);

	useEffect(() => {
		// A head is higher than its joint.
		made?.skin.geometry.computeBoundingBox();
		const box = made?.skin.geometry.boundingBox;
		if (box) camera.widen([box.min.toArray(), box.max.toArray()]);
		return () => {
			made?.skin.geometry.dispose();
			made?.skin.skeleton.dispose();
			(made?.skin.material as Material | undefined)?.dispose();
		};
	}, [made]);

	useEffect(() => {
		if (!made) return;
		const colours = { skin: palette.skin, joint: palette.joint, eye: palette.eye };
		const each = TONES.map((tone) => new Color(colours[tone]));
		const attribute = made.skin.geometry.getAttribute("color");
		made.tones.forEach((tone, i) => {
			const { r, g, b } = each[tone] as Color;
			attribute.setXYZ(i, r, g, b);
		});
		attribute.needsUpdate = true;
		invalidate();
	}, [made, palette, invalidate]);

	// A file has the fine grid whatever the picture can afford.
	// biome-ignore lint/correctness/useExhaustiveDependencies: `shape` says when the body is another
	useEffect(() => {
		const colours = { skin: palette.skin, joint: palette.joint, eye: palette.eye };
		const each = TONES.map((tone) => new Color(colours[tone]).toArray());
		const bytes = () => {
			const mesh = mannequinOf(rig);
			const tones = mesh ? [...mesh.tones] : [];
			return mesh && bytesOfBody(mesh, new Float32Array(tones.flatMap((tone) => each[tone] ?? [1, 1, 1])));
		};
		shownBody.bytes = bytes;
		return () => {
			if (shownBody.bytes === bytes) shownBody.bytes = null;
		};
	}, [shape, palette]);

	useEffect(() => {
		if (!made) return;
		const { skeleton } = made.skin;
		const rest = restOf(rig);
		const follow = (frame: Frame | null) => {
			const placed = frame && frame.pose.positions.length === 3 * rig.joints.length ? frame.pose : rest;
			skeleton.bones.forEach((bone, joint) => {
				jointMatrix(placed, joint, bone.matrixWorld);
			});
		};
		follow(frames.latest);
		invalidate();
		return frames.subscribe(follow);
	}, [made, rig, invalidate]);

	return made && <primitive object={made.skin} />;
}
