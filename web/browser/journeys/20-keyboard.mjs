import { assert, distance, jointIn, poseDifference } from "../studio.mjs";

export default {
	name: "the keyboard alone: from the first screen through a workspace and back",
	async run(studio, page) {
		await page.goto(studio.address);
		await studio.ready();
		const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim() ?? "");
		const tabTo = async (words) => {
			for (let i = 0; i < 90; i += 1) {
				await page.keyboard.press("Tab");
				if (words.test(await focused())) return;
			}
			assert.fail(`Tab does not come to ${words}`);
		};
		await tabTo(/^Start$/);
		await page.keyboard.press("Enter");
		await page.locator(".welcome").waitFor({ state: "detached" });
		const before = await studio.rest();

		// A goal is chosen in the list and nudged in the picture.
		const hand = await studio.jointOf("leftHand");
		const name = (await studio.state()).rig.joints[hand].name;
		await tabTo(new RegExp(`^${name}$`));
		await page.keyboard.press("Enter");
		for (let i = 0; i < 3; i += 1) await page.keyboard.press("Shift+ArrowUp");
		await studio.frameWhere((frame) => jointIn(frame, hand)[1] > jointIn(before, hand)[1] + 0.15);
		await page.keyboard.press("Control+z");
		await studio.frameWhere((frame) => poseDifference(frame, before).metres < 0.001);

		// On to another workspace by its key, a switch by Space, and help.
		await page.keyboard.press("5");
		const { place } = (await studio.frameWhere((frame) => frame.details.workspace === "walk")).details;
		await page.keyboard.down("w");
		await studio.frameWhere((frame) => distance(frame.details.place, place) > 0.3);
		await page.keyboard.up("w");
		await page.keyboard.press("?");
		await page.getByRole("dialog", { name: "Help" }).waitFor();
		await page.keyboard.press("Escape");
		await page.getByRole("dialog", { name: "Help" }).waitFor({ state: "hidden" });

		// Choices are radios: arrows go from one to the next.
		await page.getByRole("radio", { name: "Flat", exact: true }).focus();
		await page.keyboard.press("ArrowRight");
		await page.waitForFunction(() => window.sinew.state().scenes.walk.terrain.kind === "slope");
	},
};
