import { assert, jointIn } from "../studio.mjs";

const DEGREE = Math.PI / 180;

/** How a joint is turned now, from its rest, as a quaternion. */
function turnNow(page, joint) {
	return page.evaluate((place) => {
		const { parent, rest_rotation } = window.sinew.state().rig.joints[place];
		const r = window.sinew.frame().pose.rotations;
		const at = (i) => r.slice(4 * i, 4 * i + 4);
		const multiply = ([ax, ay, az, aw], [bx, by, bz, bw]) => [
			aw * bx + ax * bw + ay * bz - az * by,
			aw * by - ax * bz + ay * bw + az * bx,
			aw * bz + ax * by - ay * bx + az * bw,
			aw * bw - ax * bx - ay * by - az * bz,
		];
		const [x, y, z, w] = parent === null ? rest_rotation : multiply(at(parent), rest_rotation);
		return multiply([-x, -y, -z, w], at(place));
	}, joint);
}

function multiply([ax, ay, az, aw], [bx, by, bz, bw]) {
	return [
		aw * bx + ax * bw + ay * bz - az * by,
		aw * by - ax * bz + ay * bw + az * bx,
		aw * bz + ax * by - ay * bx + az * bw,
		aw * bw - ax * bx - ay * by - az * bz,
	];
}

/** How far an elbow is bent: the angle between upper and lower arm, in radians. */
function bend(frame, [shoulder, elbow, hand]) {
	const [s, e, h] = [shoulder, elbow, hand].map((joint) => jointIn(frame, joint));
	const upper = e.map((x, i) => x - s[i]);
	const lower = h.map((x, i) => x - e[i]);
	const dot = upper.reduce((sum, x, i) => sum + x * lower[i], 0);
	return Math.acos(dot / (Math.hypot(...upper) * Math.hypot(...lower)));
}

/** How far the limited direction is from the limit's centre, in radians. */
function swingAngle(turned, { frame, rest }) {
	const [fx, fy, fz, fw] = frame;
	const [x, y] = multiply([-fx, -fy, -fz, fw], multiply(turned, multiply(frame, rest)));
	return Math.acos(Math.min(1, Math.max(-1, 1 - 2 * (x * x + y * y))));
}

export default {
	name: "edit a limit and see the pose obey",
	async run(studio, page) {
		await studio.open();
		const select = (label, value) => page.getByLabel(label, { exact: true }).selectOption(value);
		const limitOf = async (joint) => (await studio.state()).rig.joints[joint].limit;
		const hand = await studio.jointOf("leftHand");
		const elbow = await studio.jointOf("leftLowerArm");
		const arm = await studio.jointOf("leftUpperArm");

		// The hand to the shoulder: the elbow bends.
		const [hx, hy] = await studio.jointOnScreen(hand);
		const [sx, sy] = await studio.jointOnScreen(arm);
		await studio.drag([hx, hy], [sx + 25 - hx, sy + 25 - hy]);
		const joints = [arm, elbow, hand];
		const bent = await studio.frameWhere((frame) => frame.details.position_error < 0.01);
		assert.ok(bend(bent, joints) > 60 * DEGREE, `the elbow bends by ${bend(bent, joints)} rad`);

		// An elbow that bends by ten degrees at most: the hand cannot get there, the elbow obeys.
		await select("Joint", String(elbow));
		const field = page.getByLabel("First axis, most", { exact: true });
		await field.fill("10");
		await field.press("Enter");
		const stiff = await studio.frameWhere((frame) => frame.details.position_error > 0.05);
		assert.equal(stiff.details.reached, false);
		assert.equal(typeof stiff.details.cause, "string");
		// The arm of the rig is a little bent at rest.
		assert.ok(bend(stiff, joints) < 20 * DEGREE, `the elbow keeps to ${bend(stiff, joints)} rad`);

		// Undo: it bends again.
		await page.keyboard.press("Control+z");
		const again = await studio.frameWhere((frame) => frame.details.position_error < 0.01);
		assert.ok(bend(again, joints) > 60 * DEGREE);

		// A cone on the shoulder, its rim dragged on the sphere: the arm stays inside.
		await select("Joint", String(arm));
		await select("Kind of limit", "cone");
		await page.waitForFunction(
			(joint) => window.sinew.state().rig.joints[joint].limit?.shape.swing?.kind === "cone",
			arm,
		);
		const before = await limitOf(arm);
		const rim = before.handles.findIndex((handle) => handle.kind === "rim");
		assert.notEqual(rim, -1, "the cone has a rim to drag");
		const from = await page.evaluate((index) => window.sinew.find(`handle ${index}`), rim);
		await studio.drag(from, [(sx - from[0]) / 2 + 6, (sy - from[1]) / 2 + 6], 16);
		await page.waitForFunction(
			([joint, radius]) =>
				Math.abs(window.sinew.state().rig.joints[joint].limit.shape.swing.radius - radius) > 0.03,
			[arm, before.shape.swing.radius],
		);
		await page.waitForTimeout(500);
		const { shape } = await limitOf(arm);
		const swing = swingAngle(await turnNow(page, arm), shape);
		assert.ok(swing < shape.swing.radius + 0.005, `${swing} rad within ${shape.swing.radius}`);
		await page.keyboard.press("Control+z");
		await page.waitForFunction(
			([joint, radius]) =>
				Math.abs(window.sinew.state().rig.joints[joint].limit.shape.swing.radius - radius) < 1e-4,
			[arm, before.shape.swing.radius],
		);
	},
};
