// A stand-in for the studio's server, for working on the page without the engine:
// `node mock/server.mjs [PORT]`. It moves the joints of goals and nothing else.

import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { WebSocketServer } from "ws";

const port = Number(process.argv[2] ?? 8017);

const JOINTS = [
	["hips", null, [0, 0.95, 0], "free", "hips"],
	["spine", 0, [0, 0.12, 0], "ball", "spine"],
	["chest", 1, [0, 0.16, 0], "ball", "chest"],
	["neck", 2, [0, 0.24, 0], "ball", "neck"],
	["head", 3, [0, 0.1, 0.01], "ball", "head"],
	["left_upper_arm", 2, [0.18, 0.17, 0], "ball", "leftUpperArm"],
	["left_lower_arm", 5, [0.28, 0, 0], "hinge", "leftLowerArm"],
	["left_hand", 6, [0.25, 0, 0], "universal", "leftHand"],
	["right_upper_arm", 2, [-0.18, 0.17, 0], "ball", "rightUpperArm"],
	["right_lower_arm", 8, [-0.28, 0, 0], "hinge", "rightLowerArm"],
	["right_hand", 9, [-0.25, 0, 0], "universal", "rightHand"],
	["left_upper_leg", 0, [0.09, -0.05, 0], "ball", "leftUpperLeg"],
	["left_lower_leg", 11, [0, -0.42, 0], "hinge", "leftLowerLeg"],
	["left_foot", 12, [0, -0.4, 0], "ball", "leftFoot"],
	["right_upper_leg", 0, [-0.09, -0.05, 0], "ball", "rightUpperLeg"],
	["right_lower_leg", 14, [0, -0.42, 0], "hinge", "rightLowerLeg"],
	["right_foot", 15, [0, -0.4, 0], "ball", "rightFoot"],
];
const IDENTITY = [0, 0, 0, 1];

function coneLimit(radius) {
	const points = [];
	for (let i = 0; i < 48; i += 1) {
		const a = (2 * Math.PI * i) / 48;
		points.push(Math.sin(radius) * Math.cos(a), Math.sin(radius) * Math.sin(a), Math.cos(radius));
	}
	return {
		shape: {
			kind: "swing_twist",
			frame: IDENTITY,
			rest: IDENTITY,
			swing: { kind: "cone", radius },
			twist: { min: -0.5, max: 0.5 },
		},
		soft_zone: 0,
		outlines: [{ component: "swing", points, closed: true }],
		handles: [
			{
				kind: "rim",
				at: [Math.sin(radius), 0, Math.cos(radius)],
				label: "opening of the cone",
				removable: false,
			},
		],
	};
}

function makeRig(source, name = "humanoid") {
	const model = [];
	const joints = JOINTS.map(([jointName, parent, offset, kind, role], i) => {
		const from = parent === null ? [0, 0, 0] : model[parent];
		model[i] = offset.map((x, k) => x + from[k]);
		const hand = jointName.endsWith("hand");
		return {
			name: jointName,
			parent,
			rest_position: offset,
			rest_rotation: IDENTITY,
			model_position: model[i],
			model_rotation: IDENTITY,
			kind,
			freedoms: 3,
			tip:
				jointName === "head"
					? [0, 0.18, 0]
					: hand
						? [offset[0] > 0 ? 0.12 : -0.12, 0, 0]
						: jointName.endsWith("foot")
							? [0, -0.06, 0.16]
							: null,
			role,
			limit: kind === "ball" ? coneLimit(0.8) : null,
			range: null,
		};
	});
	const goal = (joint) => ({
		id: joints[joint].name,
		joint,
		kind: "position",
		position: model[joint],
		rotation: IDENTITY,
		position_weight: 1,
		orientation_weight: 1,
		priority: 0,
		enabled: true,
	});
	return {
		name,
		source,
		joints,
		size: 1.72,
		floor: 0.02,
		mesh: null,
		motions: [],
		postures: [],
		behaviours: ["reach"],
		goals: [0, 4, 7, 10, 13, 16].map(goal),
		workspaces: {
			reach: null,
			body: null,
			look: "This rig has no chain of hinges to look with.",
			walk: null,
		},
		notes: [],
	};
}

const welcome = {
	protocol: 1,
	version: "mock",
	open: null,
	largest_upload: 64 << 20,
	rigs: [
		{ name: "humanoid", summary: "A person with 17 joints", joints: 17 },
		{ name: "arm", summary: "An arm of six hinges", joints: 7 },
	],
	solvers: [
		{
			name: "fabrik",
			summary: "Forward and backward reaching",
			options: [
				{ path: "tolerance.position", value: 0.001 },
				{ path: "iterations", value: 30 },
				{ path: "soft_limits", value: true },
				{ path: "order", value: "tips" },
			],
		},
		{
			name: "jacobian",
			summary: "Damped least squares with null-space priorities",
			options: [{ path: "damping", value: 0.05 }],
		},
	],
	methods: [{ name: "sparse", summary: "From six points" }],
	leg_solvers: ["analytic"],
};

const server = createServer((request, response) => {
	if (request.url.startsWith("/api/upload")) {
		const parts = [];
		request.on("data", (part) => parts.push(part));
		request.on("end", () => {
			const body = Buffer.concat(parts);
			response.setHeader("content-type", "application/json");
			if (!body.includes("HIERARCHY")) {
				response.statusCode = 422;
				response.end(JSON.stringify({ message: "Expected HIERARCHY in line 1, found something else." }));
				return;
			}
			const id = createHash("sha256").update(body).digest("hex").slice(0, 16);
			response.end(JSON.stringify({ id, name: "file.bvh", bytes: body.length }));
		});
		return;
	}
	response.statusCode = 404;
	response.end();
});

new WebSocketServer({ server, path: "/ws" }).on("connection", (socket) => {
	let rig = null;
	let scene = null;
	let workspace = "pose";
	let input = 0;
	let number = 0;
	const began = performance.now();
	const say = (message) => socket.send(JSON.stringify(message));
	say({ type: "welcome", welcome });
	const step = () => {
		if (!rig || workspace !== "pose" || !scene) return;
		number += 1;
		const positions = rig.joints.flatMap((joint) => joint.model_position);
		const rotations = rig.joints.flatMap((joint) => joint.model_rotation);
		for (const goal of scene.goals) {
			if (goal.enabled)
				goal.position.forEach((x, k) => {
					positions[3 * goal.joint + k] = x;
				});
		}
		const error = Math.abs(Math.sin(number / 60)) * 0.01;
		say({
			type: "frame",
			frame: {
				input,
				number,
				time: (performance.now() - began) / 1000,
				pose: { positions, rotations },
				micros: 42,
				rate: 60,
				recorded: 0,
				details: {
					workspace: "pose",
					reached: error < 0.005,
					cause: error < 0.005 ? null : "The left shoulder is at its limit.",
					blocking: error < 0.005 ? null : 5,
					iterations: 7,
					position_error: error,
					orientation_error: error,
					goals: scene.goals
						.filter((goal) => goal.enabled)
						.map((goal) => ({ id: goal.id, position: error, orientation: 0 })),
					ghost: scene.ghost
						? {
								pose: { positions: positions.map((x, i) => (i % 3 === 0 ? x + 0.05 : x)), rotations },
								position_error: error,
								orientation_error: 0,
								iterations: 9,
								micros: 99,
								cause: null,
							}
						: null,
				},
			},
		});
	};
	const timer = setInterval(step, 1000 / 60);
	socket.on("close", () => clearInterval(timer));
	socket.on("message", (data) => {
		const message = JSON.parse(data);
		if (message.type === "load") {
			rig = makeRig(message.rig, message.rig.name ?? "file");
			say({ type: "loaded", request: message.request, rig });
		} else if (["pose", "reach", "body", "look", "walk"].includes(message.type)) {
			workspace = message.type;
			scene = message.scene;
			input = message.input;
		} else if (message.type === "drag") {
			input = message.input;
			const goal = scene?.goals?.find((other) => other.id === message.target);
			if (goal) goal.position = message.position;
		} else if (message.type === "set_limit") {
			rig.joints[message.joint].limit = message.limit;
			say({ type: "limit", request: message.request, joint: message.joint, limit: message.limit });
		} else if (message.type === "drag_handle") {
			const limit = coneLimit(Math.acos(message.to[2]));
			rig.joints[message.joint].limit = limit;
			say({ type: "limit", request: message.request, joint: message.joint, limit });
		} else if (message.request) {
			say({ type: "failed", request: message.request, message: "The stand-in cannot do that." });
		}
	});
});

server.listen(port, "127.0.0.1", () => process.stdout.write(`http://127.0.0.1:${port}\n`));
