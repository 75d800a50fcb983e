import { Matrix4, Quaternion, Vector3 } from "three";
import { describe, expect, it } from "vitest";
import type { Placed } from "../wire";
import { type FileNode, Retarget } from "./retarget";

const compose = (p: number[], axis: [number, number, number] = [0, 0, 1], angle = 0, s = 1) =>
	new Matrix4().compose(
		new Vector3(...p),
		new Quaternion().setFromAxisAngle(new Vector3(...axis).normalize(), angle),
		new Vector3(s, s, s),
	);

const placedOf = (...matrices: Matrix4[]): Placed => {
	const placed: Placed = { positions: [], rotations: [] };
	for (const matrix of matrices) {
		const p = new Vector3();
		const q = new Quaternion();
		matrix.decompose(p, q, new Vector3());
		placed.positions.push(...p.toArray());
		placed.rotations.push(...q.toArray());
	}
	return placed;
};

const worldsAfter = (nodes: FileNode[], rest: Placed, root: Matrix4, now: Placed) => {
	const locals = nodes.map((node) => node.local.clone());
	new Retarget(nodes, rest, root).place(now, (i, local) => locals[i]?.copy(local));
	const worlds: Matrix4[] = [];
	nodes.forEach((node, i) => {
		const parent = node.parent === null ? root : (worlds[node.parent] as Matrix4);
		worlds.push(parent.clone().multiply(locals[i] as Matrix4));
	});
	return worlds;
};

const expectSame = (a: Matrix4 | undefined, b: Matrix4) =>
	a?.elements.forEach((x, i) => {
		expect(x).toBeCloseTo(b.elements[i] ?? Number.NaN, 6);
	});

// An armature that is scaled and turned, a joint, a node between, another joint, a thing held.
const root = compose([0, 0, 0], [1, 0, 0], -Math.PI / 2);
const nodes: FileNode[] = [
	{ parent: null, local: compose([0, 0.1, 0], [1, 0, 0], 0.3, 0.01), joint: null },
	{ parent: 0, local: compose([0, 100, 0], [0, 1, 0], 0.5), joint: 0 },
	{ parent: 1, local: compose([3, 0, 0], [0, 0, 1], 0.2), joint: null },
	{ parent: 2, local: compose([0, 40, 0], [1, 1, 0], 0.7), joint: 1 },
	{ parent: 3, local: compose([0, 5, 1]), joint: null },
];
const restWorlds = (() => {
	const worlds: Matrix4[] = [];
	for (const node of nodes) {
		worlds.push(
			(node.parent === null ? root : (worlds[node.parent] as Matrix4)).clone().multiply(node.local),
		);
	}
	return worlds;
})();
// The rig's frames differ from the file's, as when bones are given other axes.
const jointRest = [1, 3].map((i, k) => {
	const p = new Vector3().setFromMatrixPosition(restWorlds[i] as Matrix4);
	return compose(p.toArray(), [0, 1, k], 1 + k);
});
const rest = placedOf(...jointRest);

describe("retargeting a file's nodes", () => {
	it("leaves everything where it was at rest", () => {
		worldsAfter(nodes, rest, root, rest).forEach((world, i) => {
			expectSame(world, restWorlds[i] as Matrix4);
		});
	});

	it("moves joints' nodes as the joints move, and what hangs on them", () => {
		const move = compose([0.3, -0.2, 0.5], [1, 2, 3], 0.9);
		const now = placedOf(...jointRest.map((matrix) => move.clone().multiply(matrix)));
		const worlds = worldsAfter(nodes, rest, root, now);
		for (const i of [1, 3, 4]) expectSame(worlds[i], move.clone().multiply(restWorlds[i] as Matrix4));
		expectSame(worlds[0], restWorlds[0] as Matrix4);
	});

	it("moves one joint alone, though its parents stay", () => {
		const move = compose([0, 0.1, 0], [0, 0, 1], 0.4);
		const now = placedOf(jointRest[0] as Matrix4, move.clone().multiply(jointRest[1] as Matrix4));
		const worlds = worldsAfter(nodes, rest, root, now);
		expectSame(worlds[2], restWorlds[2] as Matrix4);
		expectSame(worlds[3], move.clone().multiply(restWorlds[3] as Matrix4));
	});

	it("can be placed many times without drifting", () => {
		const retarget = new Retarget(nodes, rest, root);
		const away = placedOf(...jointRest.map((matrix) => compose([1, 1, 1]).multiply(matrix)));
		for (let i = 0; i < 50; i += 1) retarget.place(i % 2 ? away : rest, () => {});
		const locals: Matrix4[] = [];
		retarget.place(rest, (i, local) => {
			locals[i] = local.clone();
		});
		expectSame(locals[1], (nodes[1] as FileNode).local);
		expectSame(locals[3], (nodes[3] as FileNode).local);
	});
});
