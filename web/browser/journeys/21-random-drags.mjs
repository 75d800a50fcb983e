import { assert } from "../studio.mjs";

/** Seconds in each workspace: a few here, ten minutes in all with --soak. */
const soak = process.argv.includes("--soak");
const SECONDS = soak ? 120 : 4;
const MOST_MEGABYTES = 20;

/** Steady random numbers, so that a failure comes again. */
function random(seed) {
	let state = seed;
	return () => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return state / 2 ** 32;
	};
}

export default {
	name: "random dragging in every workspace leaves no memory behind",
	longest: soak ? 900_000 : undefined,
	async run(studio, page) {
		await studio.open();
		const session = await page.context().newCDPSession(page);
		await session.send("Performance.enable");
		const megabytes = async () => {
			for (let i = 0; i < 3; i += 1) await session.send("HeapProfiler.collectGarbage");
			const { metrics } = await session.send("Performance.getMetrics");
			const read = (name) => metrics.find((metric) => metric.name === name)?.value ?? 0;
			return { heap: read("JSHeapUsedSize") / 2 ** 20, listeners: read("JSEventListeners") };
		};
		const next = random(21);
		const workspaces = ["Pose", "Reach", "Body", "Look", "Walk"];
		const play = async (title, seconds) => {
			if (title === "Look") await studio.chooseRig("erik-c");
			else if ((await studio.state()).rig.name !== "humanoid") await studio.chooseRig("humanoid");
			if ((await studio.state()).workspace !== title.toLowerCase()) await studio.showWorkspace(title);
			const box = await page.locator(".picture canvas").boundingBox();
			const until = Date.now() + 1000 * seconds;
			while (Date.now() < until) {
				const names = await page.evaluate(() => window.sinew.targets());
				const name = names[Math.floor(next() * names.length)];
				const at = (name && (await page.evaluate((wanted) => window.sinew.find(wanted), name))) ?? [
					box.x + box.width * (0.2 + 0.6 * next()),
					box.y + box.height * (0.2 + 0.6 * next()),
				];
				await studio.drag(at, [160 * (next() - 0.5), 160 * (next() - 0.5)], 6);
				if (next() < 0.2) await page.keyboard.press("Escape");
				if (next() < 0.2) await page.keyboard.press("Control+z");
			}
		};
		// Once through everything: shaders, plots and the like are there then.
		for (const title of workspaces) await play(title, 1);
		await play("Pose", 0.5);
		const before = { ...(await megabytes()), ...(await page.evaluate(() => window.sinew.gpu())) };
		for (const title of workspaces) await play(title, SECONDS);
		await play("Pose", 0.5);
		const after = { ...(await megabytes()), ...(await page.evaluate(() => window.sinew.gpu())) };
		process.stdout.write(
			`        heap ${before.heap.toFixed(1)} to ${after.heap.toFixed(1)} MB, listeners ${before.listeners} to ` +
				`${after.listeners}, geometries ${before.geometries} to ${after.geometries}, textures ` +
				`${before.textures} to ${after.textures}\n`,
		);
		assert.ok(after.heap - before.heap < MOST_MEGABYTES, `${after.heap - before.heap} MB more`);
		assert.ok(after.geometries - before.geometries < 40, "geometries are let go");
		assert.ok(after.textures - before.textures < 10, "textures are let go");
	},
};
