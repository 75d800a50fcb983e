import { assert, distance, jointIn } from "../studio.mjs";

export default {
	name: "three points crouch and come back",
	async run(studio, page) {
		await studio.open();
		await studio.showWorkspace("Body");
		await page.getByRole("radio", { name: "3", exact: true }).click();
		await studio.frameWhere((frame) => frame.details.points.length === 3);
		const joints = {};
		for (const role of ["hips", "head", "leftFoot", "rightFoot", "leftLowerLeg"]) {
			joints[role] = await studio.jointOf(role);
		}
		const before = await studio.rest();
		const place = (frame, role) => jointIn(frame, joints[role]);
		await page.waitForFunction(() => window.sinew.find("target head") !== null);
		const at = await page.evaluate(() => window.sinew.find("target head"));
		const top = place(before, "head");
		const low = await studio.onScreen([top[0], top[1] - 0.45, top[2]]);
		const pixels = low[1] - (await studio.onScreen(top))[1];
		await page.mouse.move(...at);
		await page.mouse.down();
		const go = async (a, b) => {
			for (let i = 1; i <= 30; i += 1) {
				await page.mouse.move(at[0], at[1] + a + ((b - a) * i) / 30);
				await page.waitForTimeout(16);
			}
		};
		await go(0, pixels);
		const down = await studio.frameWhere(
			(frame) => place(frame, "hips")[1] < place(before, "hips")[1] - 0.15,
		);
		assert.ok(place(down, "head")[1] < top[1] - 0.3, "the head went down");
		await go(pixels, 0);
		await page.mouse.up();
		await studio.frameWhere((frame) => distance(place(frame, "hips"), place(before, "hips")) < 0.03);
		const after = await studio.rest();
		for (const role of Object.keys(joints)) {
			const off = distance(place(after, role), place(before, role));
			assert.ok(off < 0.05, `${role} is ${off} m from where it was`);
		}
	},
};
