// Moves the nodes of a file with the joints of the rig made from it.
//
// A node that is a joint keeps its place relative to the joint: where it is now
// is (joint now) · (joint in the file)⁻¹ · (node in the file), all in the world.
// A file with a pose in its nodes does not hold them at rest. Other nodes go with
// their parents. No drawing here.

import { Matrix4, Quaternion, Vector3 } from "three";
import type { Placed } from "../wire";

export interface FileNode {
	/** Its place in the list; parents come before children. */
	parent: number | null;
	/** How it is in its parent, in the file. */
	local: Matrix4;
	/** The joint that it is. */
	joint: number | null;
}

interface Bound extends FileNode {
	/** (joint in the file)⁻¹ · (node in the file). */
	fromJoint: Matrix4 | null;
	world: Matrix4;
}

const position = new Vector3();
const rotation = new Quaternion();
const unit = new Vector3(1, 1, 1);
const scratch = new Matrix4();

export function jointMatrix(placed: Placed, joint: number, out: Matrix4): Matrix4 {
	position.fromArray(placed.positions, 3 * joint);
	rotation.fromArray(placed.rotations, 4 * joint);
	return out.compose(position, rotation, unit);
}

export class Retarget {
	private readonly nodes: Bound[];

	constructor(
		nodes: readonly FileNode[],
		/** The joints as the file holds them. */
		held: Placed,
		/** Turns the file's world into model space. */
		private readonly root: Matrix4,
	) {
		this.nodes = [];
		for (const node of nodes) {
			const parent = node.parent === null ? root : (this.nodes[node.parent]?.world ?? root);
			const world = parent.clone().multiply(node.local);
			const fromJoint =
				node.joint === null ? null : jointMatrix(held, node.joint, new Matrix4()).invert().multiply(world);
			this.nodes.push({ ...node, fromJoint, world });
		}
	}

	/** Works out where every node is; `write` is given each that moves, with its place in its parent. */
	place(placed: Placed, write: (node: number, local: Matrix4) => void): void {
		this.nodes.forEach((node, i) => {
			const parent = node.parent === null ? this.root : (this.nodes[node.parent]?.world ?? this.root);
			if (node.joint === null || node.fromJoint === null) {
				node.world.multiplyMatrices(parent, node.local);
				return;
			}
			jointMatrix(placed, node.joint, node.world).multiply(node.fromJoint);
			write(i, scratch.copy(parent).invert().multiply(node.world));
		});
	}
}
