// Takes the README's pictures of the studio anew: `npm run pictures`; see `launch.mjs` for what
// it needs.

import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { startBrowser, startServer, stopServer } from "./launch.mjs";
import { Studio } from "./studio.mjs";

const folder = join(dirname(fileURLToPath(import.meta.url)), "../../docs/pictures");

const scenes = {
	async pose(studio, page) {
		await studio.drag(await studio.jointOnScreen(await studio.jointOf("leftHand")), [75, -150], 30);
		await studio.drag(await studio.jointOnScreen(await studio.jointOf("rightHand")), [-10, -60], 30);
		await studio.drag(await studio.jointOnScreen(await studio.jointOf("rightFoot")), [-6, -24], 30);
		await page.keyboard.press("Escape");
		await page.getByLabel("Joint", { exact: true }).selectOption({ label: "l_shoulder" });
	},
	async reach(studio, page) {
		await studio.showWorkspace("Reach");
		await page.getByRole("button", { name: "+ box" }).click();
		await page.getByLabel("Behaviour to compare with").selectOption("tired");
		await page.keyboard.press("Escape");
	},
	async body(studio, page) {
		await studio.showWorkspace("Body");
		await page.getByRole("radio", { name: "Motion" }).click();
		await page.waitForFunction(() => {
			const { track } = window.sinew.state();
			return track !== null && track.done === track.frames;
		});
		await page.keyboard.press("Space");
	},
	async look(studio, page) {
		await studio.chooseRig("erik-g");
		await studio.showWorkspace("Look");
		await page.getByRole("button", { name: "wave", exact: true }).click();
		await page.getByRole("radio", { name: "Jumps" }).click();
		// After a jump, when it looks there.
		await page.waitForTimeout(5000);
		await studio.frameWhere((frame) => frame.details.target[0] < 0 && frame.details.target[1] > 0.5);
	},
	async walk(studio, page) {
		await studio.showWorkspace("Walk");
		await page.getByRole("radio", { name: "Stairs", exact: true }).click();
		await page.getByRole("radio", { name: "Along", exact: true }).click();
		// From the side.
		await studio.drag([150, 300], [-70, 10]);
		await page.keyboard.down("w");
		await studio.frameWhere((frame) => frame.details.place[1] > 0.3, 60_000);
	},
};

const { server, address } = await startServer();
const browser = await startBrowser();
try {
	const wanted = process.argv.slice(2);
	for (const [name, set] of Object.entries(scenes)) {
		if (wanted.length > 0 && !wanted.includes(name)) continue;
		const page = await browser.newPage({ viewport: { width: 1280, height: 720 }, colorScheme: "dark" });
		const studio = new Studio(page, address);
		await studio.open();
		await set(studio, page);
		await page.evaluate(() => document.activeElement?.blur());
		await page.waitForTimeout(name === "walk" ? 300 : 1500);
		await page.screenshot({ path: join(folder, `studio-${name}.png`) });
		process.stdout.write(`docs/pictures/studio-${name}.png\n`);
		await page.close();
	}
} finally {
	await browser.close();
	await stopServer(server);
}
