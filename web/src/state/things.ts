// Files that scenes bring in besides the rig: ground to walk on, obstacles to reach around. A scene names a file
// by its upload; the server reads it when it is brought, before a scene may name it.

import type { ThingDescription } from "../wire";
import { workspaceOf } from "./registry";
import { type Scenes, setStudio, studio, toast, type WorkspaceName, wordsOf } from "./store";
import { question } from "./talk";
import { recallUpload, upload } from "./uploads";

/** Has the server read an uploaded file; fails with its words. */
export async function bring(id: string): Promise<ThingDescription> {
	const answer = await question({ type: "bring", id });
	if (answer.type !== "brought") throw new Error("The studio answered something else than a file.");
	const { thing } = answer;
	setStudio(({ things }) => ({ things: { ...things, [thing.id]: thing } }));
	return thing;
}

/** The same for a file that the server may have forgotten; this browser may still have it. */
async function bringAgain(id: string): Promise<void> {
	try {
		await bring(id);
	} catch (error) {
		const file = await recallUpload(id);
		if (!file) throw error;
		await bring((await upload(file)).id);
	}
}

/** Whether every file that a scene names is at hand. */
export function hasFiles<W extends WorkspaceName>(workspace: W, scene: Scenes[W]): boolean {
	const { things } = studio();
	return (workspaceOf(workspace).files?.of(scene) ?? []).every((id) => id in things);
}

/** The scene with every file that it names at hand; what cannot be had any more is left out of it, and said. */
export async function withFiles<W extends WorkspaceName>(workspace: W, scene: Scenes[W]): Promise<Scenes[W]> {
	const { files } = workspaceOf(workspace);
	if (!files) return scene;
	let whole: Scenes[W] = scene;
	for (const id of new Set(files.of(scene))) {
		if (studio().things[id]) continue;
		try {
			await bringAgain(id);
		} catch (error) {
			toast("error", `A file of the scene is left out. ${wordsOf(error)}`);
			whole = files.without(whole, id) as Scenes[W];
		}
	}
	return whole;
}

/** The corners and triangles of a mesh that was brought. */
export interface Triangles {
	positions: Float32Array<ArrayBuffer>;
	indices: Uint32Array<ArrayBuffer>;
}

const fetched = new Map<string, Promise<Triangles>>();

/** The triangles of a mesh, as the server has them: fetched once, forgotten when another rig is opened. */
export function trianglesOfThing(id: string): Promise<Triangles> {
	const known = fetched.get(id);
	if (known) return known;
	const coming = fetchTriangles(id);
	fetched.set(id, coming);
	coming.catch(() => fetched.delete(id));
	return coming;
}

export function forgetTriangles(): void {
	fetched.clear();
}

async function fetchTriangles(id: string): Promise<Triangles> {
	const response = await fetch(`/api/mesh/${encodeURIComponent(id)}`);
	if (!response.ok) throw new Error(`The triangles of a file did not come (${response.status}).`);
	return unpacked(await response.arrayBuffer());
}

/** See `packed` in the server's `rig/things.rs`. */
export function unpacked(bytes: ArrayBuffer): Triangles {
	const [corners = 0, triangles = 0] = new Uint32Array(bytes, 0, 2);
	return {
		positions: new Float32Array(bytes, 8, 3 * corners),
		indices: new Uint32Array(bytes, 8 + 12 * corners, 3 * triangles),
	};
}
