// Takes the README's pictures of the studio anew: `npm run pictures [NAME…]`; see `launch.mjs` for what
// it needs. The film, studio.gif, needs ffmpeg too.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
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
		await studio.rest();
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

/** Seconds between two pictures of the film, and how wide it is. */
const EVERY = 0.12;
const WIDE = 480;

/** A film of the first screen and of a walk over hills. */
async function film(studio, page, path) {
	const still = mkdtempSync(join(tmpdir(), "studio-film-"));
	let count = 0;
	const clip = { x: 0, y: 52, width: 960, height: 518 };
	const shoot = async (seconds, each) => {
		const frames = Math.round(seconds / EVERY);
		for (let i = 0; i < frames; i += 1) {
			const due = Date.now() + 1000 * EVERY;
			await each?.(i / frames);
			await page.screenshot({ path: join(still, `${String(count).padStart(4, "0")}.png`), clip });
			count += 1;
			await page.waitForTimeout(Math.max(0, due - Date.now()));
		}
	};
	await page.goto(studio.address);
	await studio.ready();
	await page.locator(".welcome").waitFor();
	await page.addStyleTag({ content: ".welcome { display: none }" });
	await page.keyboard.press("f");
	await shoot(3.6, (part) => {
		const turn = 2 * Math.PI * part;
		return page.mouse.move(480 + 150 * Math.sin(turn), 240 - 70 * Math.sin(2 * turn));
	});
	await page.evaluate(() => [...document.querySelectorAll(".door")].at(-1)?.click());
	await page.addStyleTag({ content: ".bottom, .corner, .stick, .panel { display: none !important }" });
	await studio.frameWhere((frame) => frame.details.workspace === "walk" && frame.details.place[2] > 0.4);
	await page.mouse.move(480, 250);
	for (let i = 0; i < 3; i += 1) await page.mouse.wheel(0, -240);
	await shoot(3.6);
	const palette = "split[a][b];[a]palettegen=max_colors=40:stats_mode=diff[p];[b][p]paletteuse=dither=none";
	const made = spawnSync(
		"ffmpeg",
		[
			"-y",
			"-loglevel",
			"error",
			"-framerate",
			String(1 / EVERY),
			"-i",
			join(still, "%04d.png"),
			"-vf",
		].concat([`scale=${WIDE}:-1:flags=area,${palette}`, path]),
		{ stdio: "inherit" },
	);
	rmSync(still, { recursive: true });
	if (made.status !== 0) throw new Error("ffmpeg made no film; is it installed?");
}

const { server, address } = await startServer();
const browser = await startBrowser();
try {
	const wanted = process.argv.slice(2);
	for (const [name, set] of Object.entries(scenes)) {
		if (wanted.length > 0 && !wanted.includes(name)) continue;
		const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, colorScheme: "dark" });
		const page = await context.newPage();
		const studio = new Studio(page, address);
		await studio.open();
		await set(studio, page);
		await page.evaluate(() => document.activeElement?.blur());
		await page.waitForTimeout(name === "walk" ? 300 : 1500);
		await page.screenshot({ path: join(folder, `studio-${name}.png`) });
		process.stdout.write(`docs/pictures/studio-${name}.png\n`);
		await context.close();
	}
	if (wanted.length === 0 || wanted.includes("film")) {
		const context = await browser.newContext({ viewport: { width: 960, height: 600 }, colorScheme: "dark" });
		const page = await context.newPage();
		await film(new Studio(page, address), page, join(folder, "studio.gif"));
		process.stdout.write("docs/pictures/studio.gif\n");
		await context.close();
	}
} finally {
	await browser.close();
	await stopServer(server);
}
