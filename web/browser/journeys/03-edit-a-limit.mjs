import { assert } from "../studio.mjs";

const select = (page, label, value) => page.getByLabel(label, { exact: true }).selectOption(value);

/** How far the limited direction of a joint is from the limit's centre now, in radians. */
function swingNow(page, joint) {
	return page.evaluate((place) => {
		const { rig } = window.sinew.state();
		const { parent, rest_rotation, limit } = rig.joints[place];
		const { frame, rest } = limit.shape;
		const r = window.sinew.frame().pose.rotations;
		const at = (i) => r.slice(4 * i, 4 * i + 4);
		const multiply = ([ax, ay, az, aw], [bx, by, bz, bw]) => [
			aw * bx + ax * bw + ay * bz - az * by,
			aw * by - ax * bz + ay * bw + az * bx,
			aw * bz + ax * by - ay * bx + az * bw,
			aw * bw - ax * bx - ay * by - az * bz,
		];
		const inverse = ([x, y, z, w]) => [-x, -y, -z, w];
		const base = parent === null ? rest_rotation : multiply(at(parent), rest_rotation);
		const turned = multiply(inverse(base), at(place));
		const [x, y, z, w] = multiply(inverse(frame), multiply(turned, multiply(frame, rest)));
		const cosine = 1 - (2 * (x * x + y * y)) / (x * x + y * y + z * z + w * w);
		return Math.acos(Math.min(1, Math.max(-1, cosine)));
	}, joint);
}

export default {
	name: "edit a limit and see the pose obey",
	async run(studio, page) {
		await studio.open();
		const arm = await studio.jointOf("leftUpperArm");
		const hand = await studio.jointOf("leftHand");

		// Pull the hand far across, so that the shoulder has to swing.
		await studio.drag(await studio.jointOnScreen(hand), [90, -130]);
		await studio.frameWhere((frame) => frame.details.goals.length > 0);

		// A narrow cone about where the arm rests.
		await select(page, "Joint", String(arm));
		await select(page, "Kind of limit", "cone");
		await page.waitForFunction(
			(joint) => window.sinew.state().rig.joints[joint].limit?.shape.swing?.kind === "cone",
			arm,
		);
		const opening = page.locator(".card").getByLabel("Opening", { exact: true }).last();
		await opening.fill("12");
		await opening.press("Enter");
		await page.waitForFunction((joint) => {
			const radius = window.sinew.state().rig.joints[joint].limit.shape.swing.radius;
			return Math.abs(radius - (12 * Math.PI) / 180) < 1e-3;
		}, arm);
		const number = (await studio.frame()).number;
		const { id } = (await studio.state()).scenes.pose.goals.find((goal) => goal.joint === hand);
		const target = () => page.evaluate((name) => window.sinew.find(`target ${name}`), id);
		await studio.drag(await target(), [6, -6]);
		await studio.frameWhere((frame) => frame.number > number);
		const narrow = await swingNow(page, arm);
		assert.ok(narrow < (12.2 * Math.PI) / 180, `the arm swings ${narrow} rad within the cone`);
		assert.equal((await studio.frame()).details.reached, false, "the hand cannot get there any more");

		// Dragging the rim on the sphere opens it again, and the arm follows.
		const { handles } = (await studio.state()).rig.joints[arm].limit;
		const rim = handles.findIndex((handle) => handle.kind === "rim");
		assert.notEqual(rim, -1, "the limit has a rim to drag");
		const from = await page.evaluate((index) => window.sinew.find(`handle ${index}`), rim);
		const centre = await studio.jointOnScreen(arm);
		await studio.drag(from, [centre[0] + 45 - from[0], centre[1] + 45 - from[1]]);
		await page.waitForFunction((joint) => {
			const radius = window.sinew.state().rig.joints[joint].limit.shape.swing.radius;
			return Math.abs(radius - (12 * Math.PI) / 180) > 0.05;
		}, arm);
		const radius = (await studio.state()).rig.joints[arm].limit.shape.swing.radius;
		await page.waitForTimeout(300);
		const wide = await swingNow(page, arm);
		assert.ok(wide < radius + 0.005, "the arm stays within what was dragged");

		// Undo brings the narrow cone back, and the arm into it.
		await page.keyboard.press("Control+z");
		await page.waitForFunction((joint) => {
			const limit = window.sinew.state().rig.joints[joint].limit;
			return Math.abs(limit.shape.swing.radius - (12 * Math.PI) / 180) < 1e-3;
		}, arm);
		await page.waitForTimeout(300);
		assert.ok((await swingNow(page, arm)) < (12.2 * Math.PI) / 180);
	},
};
