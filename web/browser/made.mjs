// Small files for the journeys, made here: a recording, a character, ground and obstacles.

import { deflateSync } from "node:zlib";

const RADIANS = Math.PI / 180;

/**
 * A person in BVH, in centimetres: squats with both feet where they are, swings its arms, floats half a metre high. With
 * `apart`, a pose for calibration elsewhere comes first, which is no part of the motion.
 */
export function squats({ frames = 60, high = 50, apart = false } = {}) {
	const limb = (side, x, [a, b, c, end], offsets) =>
		`JOINT ${side}${a}\n{\nOFFSET ${x} ${offsets[0]} 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n` +
		`JOINT ${side}${b}\n{\nOFFSET 0 ${offsets[1]} 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n` +
		`JOINT ${side}${c}\n{\nOFFSET 0 ${offsets[2]} 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n` +
		`End Site\n{\nOFFSET ${end}\n}\n}\n}\n}\n`;
	const arm = (side, x) => limb(side, x, ["Arm", "ForeArm", "Hand", "0 -8 0"], [12, -28, -25]);
	const leg = (side, x) => limb(side, x, ["UpLeg", "Leg", "Foot", "0 -8 14"], [-4, -40, -40]);
	const text =
		`HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n` +
		`JOINT Spine\n{\nOFFSET 0 12 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n` +
		`JOINT Chest\n{\nOFFSET 0 16 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n` +
		`JOINT Neck\n{\nOFFSET 0 18 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n` +
		`JOINT Head\n{\nOFFSET 0 9 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 18 0\n}\n}\n}\n` +
		`${arm("Left", 17)}${arm("Right", -17)}}\n}\n${leg("Left", 9)}${leg("Right", -9)}}\n`;
	const rows = [];
	for (let i = 0; i < frames; i += 1) {
		const turn = (2 * Math.PI * i) / (frames - 1);
		// Thighs forward, knees back, ankles level again: the feet stand.
		const bend = 20 * (1 - Math.cos(turn));
		const hips = high + 80 * Math.cos(bend * RADIANS) + 12;
		const swing = 40 * Math.sin(turn);
		const zero = "0 0 0";
		const armRow = (by) => `0 ${by} 0 0 ${-Math.abs(swing) / 2} 0 ${zero}`;
		const legRow = `0 ${-bend} 0 0 ${2 * bend} 0 0 ${-bend} 0`;
		rows.push(
			`0 ${hips} 0 ${zero} ${zero} ${zero} ${zero} ${zero} ${armRow(swing)} ${armRow(-swing)} ${legRow} ${legRow}`,
		);
	}
	if (apart) rows.unshift(`500 ${high + 92} 300 ${"0 ".repeat(rows[0].split(" ").length - 3).trim()}`);
	return `${text}MOTION\nFrames: ${rows.length}\nFrame Time: 0.0333333\n${rows.join("\n")}\n`;
}

const BONES = [
	["hips", null, [0, 0.92, 0]],
	["spine", "hips", [0, 0.1, 0]],
	["chest", "spine", [0, 0.14, 0]],
	["neck", "chest", [0, 0.2, 0]],
	["head", "neck", [0, 0.09, 0]],
	...["left", "right"].flatMap((side) => {
		const s = side === "left" ? 1 : -1;
		return [
			[`${side}UpperArm`, "chest", [0.17 * s, 0.16, 0]],
			[`${side}LowerArm`, `${side}UpperArm`, [0.26 * s, 0, 0]],
			[`${side}Hand`, `${side}LowerArm`, [0.24 * s, 0, 0]],
			[`${side}UpperLeg`, "hips", [0.09 * s, -0.04, 0]],
			[`${side}LowerLeg`, `${side}UpperLeg`, [0, -0.4, 0]],
			[`${side}Foot`, `${side}LowerLeg`, [0, -0.4, 0]],
			[`${side}Toes`, `${side}Foot`, [0, -0.06, 0.14]],
		];
	}),
];

/** The six corners of a small box around each bone's joint, as triangles. */
const CORNERS = [
	[1, 0, 0],
	[-1, 0, 0],
	[0, 1, 0],
	[0, -1, 0],
	[0, 0, 1],
	[0, 0, -1],
];
const FACES = [
	[0, 2, 4],
	[2, 1, 4],
	[1, 3, 4],
	[3, 0, 4],
	[2, 0, 5],
	[1, 2, 5],
	[3, 1, 5],
	[0, 3, 5],
];

/** A character of VRM 1.0 with a skin: a small body around every joint. */
export function character() {
	const place = new Map();
	for (const [name, parent, offset] of BONES) {
		const from = parent ? place.get(parent) : [0, 0, 0];
		place.set(
			name,
			offset.map((x, i) => x + from[i]),
		);
	}
	const count = BONES.length * CORNERS.length;
	const positions = new Float32Array(3 * count);
	const joints = new Uint8Array(4 * count);
	const weights = new Float32Array(4 * count);
	const indices = new Uint16Array(3 * FACES.length * BONES.length);
	const inverses = new Float32Array(16 * BONES.length);
	BONES.forEach(([name], bone) => {
		const at = place.get(name);
		CORNERS.forEach((corner, i) => {
			const v = bone * CORNERS.length + i;
			positions.set(
				corner.map((x, axis) => 0.05 * x + at[axis]),
				3 * v,
			);
			joints[4 * v] = bone;
			weights[4 * v] = 1;
		});
		FACES.forEach((face, i) => {
			indices.set(
				face.map((corner) => bone * CORNERS.length + corner),
				3 * (bone * FACES.length + i),
			);
		});
		inverses.set([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -at[0], -at[1], -at[2], 1], 16 * bone);
	});
	const parts = [positions, joints, weights, indices, inverses].map((part) => Buffer.from(part.buffer));
	const bin = Buffer.concat(parts);
	let offset = 0;
	const bufferViews = parts.map((part) => {
		const view = { buffer: 0, byteOffset: offset, byteLength: part.length };
		offset += part.length;
		return view;
	});
	const low = [0, 1, 2].map((axis) => Math.min(...positions.filter((_, i) => i % 3 === axis)));
	const high = [0, 1, 2].map((axis) => Math.max(...positions.filter((_, i) => i % 3 === axis)));
	const index = (name) => BONES.findIndex(([other]) => other === name);
	const json = {
		asset: { version: "2.0" },
		scene: 0,
		scenes: [{ nodes: [0, BONES.length] }],
		nodes: [
			...BONES.map(([name, , translation], i) => {
				const children = BONES.flatMap(([, parent], child) => (parent === BONES[i][0] ? [child] : []));
				return { name, translation, ...(children.length > 0 ? { children } : {}) };
			}),
			{ name: "skin", mesh: 0, skin: 0 },
		],
		meshes: [
			{
				primitives: [{ attributes: { POSITION: 0, JOINTS_0: 1, WEIGHTS_0: 2 }, indices: 3, material: 0 }],
			},
		],
		materials: [{ pbrMetallicRoughness: { baseColorFactor: [0.9, 0.5, 0.3, 1] } }],
		skins: [{ joints: BONES.map((_, i) => i), inverseBindMatrices: 4 }],
		accessors: [
			{ bufferView: 0, componentType: 5126, count, type: "VEC3", min: low, max: high },
			{ bufferView: 1, componentType: 5121, count, type: "VEC4" },
			{ bufferView: 2, componentType: 5126, count, type: "VEC4" },
			{ bufferView: 3, componentType: 5123, count: indices.length, type: "SCALAR" },
			{ bufferView: 4, componentType: 5126, count: BONES.length, type: "MAT4" },
		],
		bufferViews,
		buffers: [{ byteLength: bin.length }],
		extensionsUsed: ["VRMC_vrm"],
		extensions: {
			VRMC_vrm: {
				specVersion: "1.0",
				meta: { name: "made", authors: ["the journeys"], licenseUrl: "https://vrm.dev/licenses/1.0/" },
				humanoid: {
					humanBones: Object.fromEntries(BONES.map(([name]) => [name, { node: index(name) }])),
				},
			},
		},
	};
	return glb(json, bin);
}

function glb(json, bin) {
	const padded = (bytes, fill) => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4, fill)]);
	const chunks = [
		[0x4e4f534a, padded(Buffer.from(JSON.stringify(json)), 0x20)],
		[0x004e4942, padded(bin, 0)],
	].map(([kind, bytes]) => {
		const head = Buffer.alloc(8);
		head.writeUInt32LE(bytes.length, 0);
		head.writeUInt32LE(kind, 4);
		return Buffer.concat([head, bytes]);
	});
	const body = Buffer.concat(chunks);
	const head = Buffer.alloc(12);
	head.write("glTF", 0, "latin1");
	head.writeUInt32LE(2, 4);
	head.writeUInt32LE(12 + body.length, 8);
	return Buffer.concat([head, body]);
}

/** The document of a binary glTF. */
export function documentOf(bytes) {
	return JSON.parse(bytes.subarray(20, 20 + bytes.readUInt32LE(12)).toString("utf8"));
}

/** A box as corners and triangles: from one corner to the other. */
function box([x0, y0, z0], [x1, y1, z1]) {
	const corners = [];
	for (const y of [y0, y1])
		for (const [x, z] of [
			[x0, z0],
			[x1, z0],
			[x1, z1],
			[x0, z1],
		])
			corners.push([x, y, z]);
	const faces = [
		[0, 1, 2, 3],
		[7, 6, 5, 4],
		[0, 4, 5, 1],
		[1, 5, 6, 2],
		[2, 6, 7, 3],
		[3, 7, 4, 0],
	];
	return {
		corners,
		triangles: faces.flatMap(([a, b, c, d]) => [
			[a, b, c],
			[a, c, d],
		]),
	};
}

/** A Wavefront file of boxes, given by two corners each. */
export function boxes(list) {
	let text = "# made for the journeys\n";
	let first = 1;
	for (const [low, high] of list) {
		const { corners, triangles } = box(low, high);
		text += corners.map((corner) => `v ${corner.join(" ")}\n`).join("");
		text += triangles.map((triangle) => `f ${triangle.map((i) => i + first).join(" ")}\n`).join("");
		first += corners.length;
	}
	return text;
}

/** A binary glTF with nothing but a box in it. */
export function boxGlb(low, high) {
	const { corners, triangles } = box(low, high);
	const positions = Buffer.from(new Float32Array(corners.flat()).buffer);
	const indices = Buffer.from(new Uint16Array(triangles.flat()).buffer);
	const bin = Buffer.concat([positions, indices]);
	const json = {
		asset: { version: "2.0" },
		scene: 0,
		scenes: [{ nodes: [0] }],
		nodes: [{ name: "box", mesh: 0 }],
		meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
		accessors: [
			{ bufferView: 0, componentType: 5126, count: corners.length, type: "VEC3", min: low, max: high },
			{ bufferView: 1, componentType: 5123, count: 3 * triangles.length, type: "SCALAR" },
		],
		bufferViews: [
			{ buffer: 0, byteLength: positions.length },
			{ buffer: 0, byteOffset: positions.length, byteLength: indices.length },
		],
		buffers: [{ byteLength: bin.length }],
	};
	return glb(json, bin);
}

function crc32(bytes) {
	let crc = ~0;
	for (const byte of bytes) {
		crc ^= byte;
		for (let i = 0; i < 8; i += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
	}
	return ~crc >>> 0;
}

/** A grey picture of so many pixels a side, by the brightness of each from 0 to 1. */
export function heights(side, bright) {
	const chunk = (kind, data) => {
		const body = Buffer.concat([Buffer.from(kind, "latin1"), data]);
		const out = Buffer.alloc(body.length + 8);
		out.writeUInt32BE(data.length, 0);
		body.copy(out, 4);
		out.writeUInt32BE(crc32(body), body.length + 4);
		return out;
	};
	const head = Buffer.alloc(13);
	head.writeUInt32BE(side, 0);
	head.writeUInt32BE(side, 4);
	head.set([8, 0, 0, 0, 0], 8);
	const rows = Buffer.alloc(side * (side + 1));
	for (let y = 0; y < side; y += 1)
		for (let x = 0; x < side; x += 1) rows[y * (side + 1) + x + 1] = Math.round(255 * bright(x, y));
	const parts = [chunk("IHDR", head), chunk("IDAT", deflateSync(rows)), chunk("IEND", Buffer.alloc(0))];
	return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), ...parts]);
}
