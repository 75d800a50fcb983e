// The meshes of the rig's own file, skins too, moved with the joints.

import { useThree } from "@react-three/fiber";
import { useEffect, useState } from "react";
import {
	Box3,
	type BufferGeometry,
	DoubleSide,
	type Material,
	Matrix4,
	type Mesh,
	MeshLambertMaterial,
	type MeshStandardMaterial,
	type Object3D,
	Quaternion,
	type Texture,
	Vector3,
} from "three";
import type { GLTF } from "three/examples/jsm/loaders/GLTFLoader.js";
import type { V3 } from "../maths";
import { camera } from "../state/camera";
import { frames } from "../state/frames";
import { toast, wordsOf } from "../state/store";
import type { Frame, MeshDescription, RigDescription } from "../wire";
import { restOf } from "./bones";
import { type FileNode, Retarget } from "./retarget";

interface Loaded {
	scene: Object3D;
	objects: Object3D[];
	retarget: Retarget;
}

/** The name that the file itself gives a node; the loader changes names that it finds unusual. */
function rawName(gltf: GLTF, object: Object3D): string | null {
	const place = gltf.parser.associations.get(object)?.nodes;
	if (place === undefined) return null;
	const nodes = (gltf.parser.json as { nodes?: { name?: string }[] }).nodes;
	return nodes?.[place]?.name ?? null;
}

/** A matt material with the same picture: needs no surroundings to look right, and draws fast. */
function matt(material: Material): Material {
	const old = material as MeshStandardMaterial;
	const made = new MeshLambertMaterial({
		color: old.color,
		map: old.map,
		side: old.side === DoubleSide ? DoubleSide : old.side,
		transparent: old.transparent,
		opacity: old.opacity,
		alphaTest: old.alphaTest,
		vertexColors: old.vertexColors,
		depthWrite: old.depthWrite,
	});
	made.name = old.name;
	return made;
}

function prepare(gltf: GLTF, rig: RigDescription, mesh: MeshDescription): Loaded {
	const jointOf = new Map(rig.joints.map(({ name }, joint) => [name, joint]));
	const objects: Object3D[] = [];
	const nodes: FileNode[] = [];
	const placeOf = new Map<Object3D, number>();
	const taken = new Set<number>();
	gltf.scene.traverse((object) => {
		if (object === gltf.scene) return;
		object.updateMatrix();
		const name = rawName(gltf, object);
		const joint = name === null ? undefined : jointOf.get(name);
		const first = joint !== undefined && !taken.has(joint);
		if (first) taken.add(joint);
		placeOf.set(object, nodes.length);
		objects.push(object);
		nodes.push({
			parent: object.parent ? (placeOf.get(object.parent) ?? null) : null,
			local: object.matrix.clone(),
			joint: first ? joint : null,
		});
		if ((object as Mesh).isMesh) {
			const drawn = object as Mesh;
			// A skin moves away from the box that it rests in.
			drawn.frustumCulled = false;
			drawn.material = Array.isArray(drawn.material) ? drawn.material.map(matt) : matt(drawn.material);
		}
	});
	if (taken.size === 0) throw new Error("none of its nodes has the name of a joint");
	const size = new Vector3().setScalar(mesh.scale);
	const root = new Matrix4().compose(new Vector3(), new Quaternion(...mesh.turn), size);
	gltf.scene.matrixAutoUpdate = false;
	gltf.scene.matrix.copy(root);
	return { scene: gltf.scene, objects, retarget: new Retarget(nodes, mesh.pose ?? restOf(rig), root) };
}

/** The corners of the box around it, at rest. */
function extentOf(scene: Object3D): V3[] {
	const box = new Box3().setFromObject(scene, true);
	return box.isEmpty() ? [] : [box.min.toArray(), box.max.toArray()];
}

function dispose(scene: Object3D): void {
	scene.traverse((object) => {
		const drawn = object as Mesh<BufferGeometry, Material | Material[]>;
		if (!drawn.isMesh) return;
		drawn.geometry.dispose();
		for (const material of Array.isArray(drawn.material) ? drawn.material : [drawn.material]) {
			(material as Material & { map?: Texture | null }).map?.dispose();
			material.dispose();
		}
	});
}

async function load(rig: RigDescription, mesh: MeshDescription): Promise<Loaded> {
	// Only files with meshes need the loader.
	const [{ GLTFLoader }, { MeshoptDecoder }] = await Promise.all([
		import("three/examples/jsm/loaders/GLTFLoader.js"),
		import("three/examples/jsm/libs/meshopt_decoder.module.js"),
	]);
	const loader = new GLTFLoader();
	loader.setMeshoptDecoder(MeshoptDecoder);
	return prepare(await loader.loadAsync(mesh.url), rig, mesh);
}

/** Why a mesh could not be shown, in words. */
function reasonInWords(error: unknown): string {
	const words = wordsOf(error);
	return /draco/i.test(words) ? "it is compressed with Draco, which the studio does not read" : words;
}

export function FileMesh({
	rig,
	mesh,
	visible,
}: {
	rig: RigDescription;
	mesh: MeshDescription;
	visible: boolean;
}) {
	const [loaded, setLoaded] = useState<Loaded | null>(null);
	const invalidate = useThree((state) => state.invalidate);

	// biome-ignore lint/correctness/useExhaustiveDependencies: an edited limit makes a new rig, but the file stays
	useEffect(() => {
		let gone = false;
		let mine: Loaded | null = null;
		load(rig, mesh)
			.then((found) => {
				mine = found;
				if (gone) {
					dispose(found.scene);
					return;
				}
				setLoaded(found);
				camera.widen(extentOf(found.scene));
			})
			.catch((error: unknown) => {
				if (!gone) toast("note", `The mesh of ${rig.name} is not shown: ${reasonInWords(error)}.`);
			});
		return () => {
			gone = true;
			setLoaded(null);
			if (mine) dispose(mine.scene);
		};
	}, [rig.source, mesh.url]);

	useEffect(() => {
		if (!loaded || !visible) return;
		const { objects, retarget } = loaded;
		const follow = (frame: Frame | null) => {
			if (!frame) return;
			retarget.place(frame.pose, (i, local) => {
				const object = objects[i] as Object3D;
				object.matrixAutoUpdate = false;
				object.matrix.copy(local);
				object.matrixWorldNeedsUpdate = true;
			});
		};
		follow(frames.latest);
		invalidate();
		return frames.subscribe(follow);
	}, [loaded, visible, invalidate]);

	return loaded && <primitive object={loaded.scene} visible={visible} />;
}
