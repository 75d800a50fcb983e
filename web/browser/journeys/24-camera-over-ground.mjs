import { assert } from "../studio.mjs";

/** How far the camera is above the ground that is drawn, and how far from the walker. */
function cameraNow(page) {
	return page.evaluate(() => {
		const { xs, zs, heights } = window.sinew.state().ground;
		const { position } = window.sinew.camera();
		const near = (lines, at) =>
			lines.reduce((best, line, i) => (Math.abs(line - at) < Math.abs(lines[best] - at) ? i : best), 0);
		const ground = heights[near(zs, position[2]) * xs.length + near(xs, position[0])];
		const { place } = window.sinew.frame().details;
		return {
			above: position[1] - ground,
			far: Math.hypot(...position.map((x, i) => x - place[i])),
		};
	});
}

export default {
	name: "the camera follows the feet, and stays above the ground in every mode",
	longest: 150_000,
	async run(studio, page) {
		await studio.open();
		await studio.showWorkspace("Walk");
		await page.getByRole("radio", { name: "Hills", exact: true }).click();
		const height = page.getByLabel("Height of the hills", { exact: true }).last();
		await height.fill("1.2");
		await height.press("Enter");
		await page.waitForFunction(() => window.sinew.state().ground?.heights.some((h) => Math.abs(h) > 0.3));
		const canvas = await page.locator(".picture canvas").boundingBox();
		const middle = [canvas.x + canvas.width / 2, canvas.y + canvas.height / 3];
		for (const mode of ["Behind", "Along", "Feet", "Still"]) {
			await page.getByRole("radio", { name: mode, exact: true }).click();
			await page.waitForTimeout(300);
			// Pulled below the ground by hand, as far as it goes.
			await studio.drag(middle, [60, -330], 12);
			let least = (await cameraNow(page)).above;
			await page.keyboard.down("w");
			for (let i = 0; i < 14; i += 1) {
				await page.waitForTimeout(150);
				const now = await cameraNow(page);
				least = Math.min(least, now.above);
				if (mode === "Feet") assert.ok(now.far < 2.2, `close to the feet: ${now.far} m`);
			}
			await page.keyboard.up("w");
			// What is drawn between two lines may be a little higher than at the nearer one.
			assert.ok(least > -0.05, `${mode}: ${least} m above the ground`);
			await studio.frameWhere((frame) => frame.details.standing);
		}
		// From the feet the whole comes back.
		await page.getByRole("radio", { name: "Feet", exact: true }).click();
		await page.waitForTimeout(300);
		const close = (await cameraNow(page)).far;
		await page.getByRole("radio", { name: "Behind", exact: true }).click();
		await page.waitForTimeout(300);
		const whole = (await cameraNow(page)).far;
		assert.ok(close < 2 && whole > 2.5, `${close} m, then ${whole} m`);

		// The gait in words.
		const says = (words) => page.locator(".status .outcome", { hasText: words }).waitFor({ timeout: 20_000 });
		await page.getByRole("radio", { name: "Flat", exact: true }).click();
		await says("Standing");
		await page.keyboard.down("w");
		await says("Walking; planted feet are");
		await page.keyboard.up("w");
		await studio.chooseRig("quadruped");
		if ((await studio.state()).workspace !== "walk") await studio.showWorkspace("Walk");
		await page.keyboard.down("w");
		await says("Trotting");
		await page.keyboard.up("w");
	},
};
