import { assert } from "../studio.mjs";

export default {
	name: "a link reopens the scene; keys, help and theme",
	context: { permissions: ["clipboard-read", "clipboard-write"] },
	async run(studio, page) {
		await studio.open();
		const hand = await studio.jointOf("leftHand");
		await studio.drag(await studio.jointOnScreen(hand), [50, -70]);
		// Turn the view, so that the camera is part of it.
		await studio.drag([200, 300], [80, 20]);
		const { scenes } = await studio.state();
		await page.keyboard.press("l");
		await studio.toast("clipboard");
		const link = await page.evaluate(() => navigator.clipboard.readText());
		assert.match(link, /#v2=/);
		const camera = await page.evaluate(() => window.sinew.camera());

		const other = await page.context().newPage();
		await other.goto(link);
		await other.waitForFunction(() => window.sinew?.frame()?.details.position_error < 0.005, null, {
			timeout: 30_000,
		});
		const opened = await other.evaluate(() => JSON.parse(JSON.stringify(window.sinew.state().scenes.pose)));
		const place = (scene) => scene.goals.find((goal) => goal.joint === hand).position;
		place(opened).forEach((value, i) => {
			assert.ok(Math.abs(value - place(scenes.pose)[i]) < 1e-4);
		});
		const seen = await other.evaluate(() => window.sinew.camera());
		seen.position.forEach((value, i) => {
			assert.ok(Math.abs(value - camera.position[i]) < 1e-3, "the camera is where it was");
		});
		await other.close();

		await page.keyboard.press("?");
		await page.getByRole("dialog", { name: "Help" }).waitFor();
		await page.keyboard.press("Escape");
		await page.keyboard.press("t");
		await page.keyboard.press("t");
		await page.waitForFunction(() => document.documentElement.dataset.theme === "light");
		await page.keyboard.press("p");
		await page.locator("#panel").waitFor({ state: "detached" });
		await page.keyboard.press("p");
		await page.locator("#panel").waitFor();
	},
};
