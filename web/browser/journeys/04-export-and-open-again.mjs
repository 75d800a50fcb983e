import { assert } from "../studio.mjs";

export default {
	name: "export and open again: pose, take, rig and picture",
	async run(studio, page) {
		await studio.open();
		const hand = await studio.jointOf("rightHand");
		const first = (await studio.state()).rig;

		// A take of a drag.
		await page.keyboard.press("r");
		await page.locator(".record[aria-pressed=true]").waitFor();
		await studio.drag(await studio.jointOnScreen(hand), [60, 60], 30);
		await studio.frameWhere((frame) => frame.recorded > 20);
		await page.keyboard.press("r");
		const { recorded } = await studio.frame();

		// A limit of its own, which the rig file must keep.
		const arm = await studio.jointOf("rightUpperArm");
		await page.getByLabel("Joint", { exact: true }).selectOption(String(arm));
		await page.getByLabel("Kind of limit", { exact: true }).selectOption("ellipse");
		await page.waitForFunction(
			(joint) => window.sinew.state().rig.joints[joint].limit?.shape.swing?.kind === "ellipse",
			arm,
		);

		const pose = await studio.export("Pose", "BVH");
		assert.match(pose.bytes.toString("utf8"), /^HIERARCHY/);
		const take = await studio.export("Motion take 1", "GLB");
		assert.equal(take.bytes.subarray(0, 4).toString("latin1"), "glTF");
		const rig = await studio.export("Rig with limits", "TOML");
		const picture = await studio.export("Picture", "PNG");
		assert.equal(picture.bytes.subarray(1, 4).toString("latin1"), "PNG");
		assert.ok(picture.bytes.length > 5000, "the picture shows something");

		// The take comes back as a motion of the same joints.
		await studio.drop(take.name, take.bytes);
		await page.waitForFunction(() => window.sinew.state().rig?.source.kind === "upload");
		await studio.ready();
		const fromTake = (await studio.state()).rig;
		assert.equal(fromTake.joints.length, first.joints.length);
		assert.equal(fromTake.motions.length, 1);
		assert.ok(
			Math.abs(fromTake.motions[0].frames - recorded) <= 30,
			`${fromTake.motions[0].frames} of ${recorded} frames`,
		);

		// So does the pose as a BVH, with the same names.
		await studio.drop(pose.name, pose.bytes);
		await page.getByRole("button", { name: /^Open by itself/ }).click();
		await page.waitForFunction((old) => window.sinew.state().rig?.source.id !== old, fromTake.source.id);
		await studio.ready();
		const fromPose = (await studio.state()).rig;
		const names = new Set(fromPose.joints.map((joint) => joint.name));
		for (const { name } of first.joints) assert.ok(names.has(name), `the BVH has ${name}`);

		// And the rig with its limit.
		await studio.drop(rig.name, rig.bytes);
		await page.waitForFunction((old) => window.sinew.state().rig?.source.id !== old, fromPose.source.id);
		await studio.ready();
		const fromRig = (await studio.state()).rig;
		assert.equal(fromRig.joints.length, first.joints.length);
		assert.equal(fromRig.joints[arm].limit.shape.swing.kind, "ellipse");
	},
};
