import { assert, distance } from "../studio.mjs";

export default {
	name: "drag a marker, play a motion, see its error curve, scrub",
	async run(studio, page) {
		await studio.open();
		await studio.showWorkspace("Body");

		// A marker is dragged; the body's point goes with it.
		await studio.frameWhere((frame) => frame.details.points.length === 6);
		await page.waitForFunction(() => window.sinew.find("target left-wrist") !== null);
		await studio.drag(await page.evaluate(() => window.sinew.find("target left-wrist")), [30, -70]);
		const { markers } = (await studio.state()).scenes.body.source;
		assert.deepEqual(
			markers.map(({ point }) => point),
			["left-wrist"],
		);
		await studio.frameWhere((frame) => {
			const wrist = frame.details.points.find(({ point }) => point === "left-wrist");
			return distance(wrist.reached, markers[0].position) < 0.02;
		});

		// A motion that the project makes: it plays beside its original, and the curve appears.
		await page.getByRole("radio", { name: "Motion", exact: true }).click();
		await page.locator("select[aria-label=Motion]").selectOption("walking");
		const playing = await studio.frameWhere(
			(frame) => frame.details.original !== null && frame.details.frame > 3,
		);
		assert.ok(playing.details.position_error >= 0);
		await page.waitForFunction(
			() => {
				const { track } = window.sinew.state();
				return track && track.done === track.frames;
			},
			null,
			{ timeout: 45_000 },
		);
		const { track } = await studio.state();
		assert.equal(track.position.length, Math.ceil(track.frames / track.stride));
		const mean = track.position.reduce((sum, x) => sum + x, 0) / track.position.length;
		assert.ok(mean > 0 && mean < 0.1, `the error is ${100 * mean} % of the height`);
		await page.getByRole("figure", { name: /Position error/ }).waitFor();
		await page.getByRole("figure", { name: /Orientation error/ }).waitFor();

		// Space stops it, arrows step.
		await page.mouse.click(470, 90);
		await page.keyboard.press("Space");
		await page.waitForFunction(() => window.sinew.state().scenes.body.playing === false);
		const { frame: stopped } = (await studio.state()).scenes.body;
		await studio.frameWhere((frame) => frame.details.frame === stopped);
		await page.keyboard.press("ArrowRight");
		await studio.frameWhere((frame) => frame.details.frame === (stopped + 1) % track.frames);

		// The slider scrubs, and so does the curve.
		await page.getByLabel("Frame", { exact: true }).fill("40");
		const forty = await studio.frameWhere((frame) => frame.details.frame === 40);
		assert.ok(Math.abs(forty.details.position_error - track.position[Math.floor(40 / track.stride)]) < 0.02);
		const curve = await page
			.getByRole("figure", { name: /Position error/ })
			.locator("canvas")
			.boundingBox();
		await page.mouse.click(curve.x + 0.6 * curve.width, curve.y + 0.5 * curve.height);
		await studio.frameWhere(
			(frame) => frame.details.frame > 0.45 * track.frames && frame.details.frame < 0.7 * track.frames,
		);

		// Another method, on the same motion.
		const methods = (await studio.state()).welcome.methods.map(({ name }) => name);
		const other = methods.find((name) => name !== (track.method ?? ""));
		await page.getByLabel("Method", { exact: true }).selectOption(other);
		await page.waitForFunction((name) => window.sinew.state().track?.method === name, other, {
			timeout: 30_000,
		});
	},
};
