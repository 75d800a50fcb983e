import { assert, distance, jointIn, record, steepest } from "../studio.mjs";

export default {
	name: "a pelvis is pulled 40 cm down and back: feet stay, nothing jumps, shoulders come back",
	async run(studio, page) {
		await studio.open();
		const find = (role) => studio.jointOf(role);
		const hips = await find("hips");
		const feet = [await find("leftFoot"), await find("rightFoot")];
		const shoulders = [await find("leftUpperArm"), await find("rightUpperArm")];
		const before = await studio.frame();
		const from = jointIn(before, hips);
		const at = await studio.onScreen(from);
		const low = await studio.onScreen([from[0], from[1] - 0.4, from[2]]);
		await record(page);
		await page.mouse.move(...at);
		await page.mouse.down();
		const go = async (a, b, steps) => {
			for (let i = 1; i <= steps; i += 1) {
				await page.mouse.move(a[0] + ((b[0] - a[0]) * i) / steps, a[1] + ((b[1] - a[1]) * i) / steps);
				await page.waitForTimeout(16);
			}
		};
		await go(at, low, 40);
		// Ankles bend by 35 degrees: over feet that stay flat it does not go all of the way.
		await studio.frameWhere((frame) => jointIn(frame, hips)[1] < from[1] - 0.15);
		await go(low, at, 40);
		await page.mouse.up();
		await studio.frameWhere((frame) => distance(jointIn(frame, hips), from) < 0.02);
		await studio.rest();
		const frames = await record(page, false);
		assert.ok(frames.length > 60, `${frames.length} frames`);
		const off = Math.max(
			...frames.flatMap((frame) => feet.map((foot) => distance(jointIn(frame, foot), jointIn(before, foot)))),
		);
		const step = steepest(frames, (await studio.state()).rig.joints);
		const after = await studio.frame();
		const back = Math.max(...shoulders.map((one) => distance(jointIn(after, one), jointIn(before, one))));
		process.stdout.write(
			`        feet ${(1000 * off).toFixed(2)} mm, largest step ${step.degrees.toFixed(1)}° (${step.joint}), ` +
				`shoulders ${(100 * back).toFixed(1)} cm\n`,
		);
		assert.ok(off < 0.001, `feet are off by ${off} m`);
		assert.ok(step.degrees < 12, `${step.joint} turns by ${step.degrees}° in a step`);
		assert.ok(back < 0.03, `shoulders are ${back} m from where they were`);
	},
};
