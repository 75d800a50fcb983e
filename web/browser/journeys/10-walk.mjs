import { assert, distance } from "../studio.mjs";

/** Keeps what feet did for a while: how far planted heels slid, and how high each foot went. */
function watchFeet(page, seconds) {
	return page.evaluate(async (length) => {
		const seen = { slid: 0, heights: [], planted: true, slip: 0, frames: 0 };
		let last = null;
		const until = performance.now() + 1000 * length;
		while (performance.now() < until) {
			const frame = window.sinew.frame();
			if (frame !== last && frame.details.workspace === "walk") {
				const before = last;
				last = frame;
				seen.frames += 1;
				const { feet, slip } = frame.details;
				seen.slip = Math.max(seen.slip, slip);
				seen.planted &&= feet.some((foot) => foot.heel_planted || foot.toe_planted);
				feet.forEach((foot, i) => {
					seen.heights[i] = Math.max(seen.heights[i] ?? 0, foot.height);
					const old = before?.details.feet[i];
					// Only from one frame to the very next: in between a foot may have gone.
					if (!old || frame.number !== before.number + 1) return;
					if (foot.heel_planted && old.heel_planted) {
						seen.slid = Math.max(seen.slid, Math.hypot(...foot.heel.map((x, k) => x - old.heel[k])));
					}
				});
			}
			await new Promise((resolve) => setTimeout(resolve, 4));
		}
		return seen;
	}, seconds);
}

export default {
	name: "walk with the keys, over stairs, and change the solver in mid-stride",
	async run(studio, page) {
		await studio.open();
		await studio.showWorkspace("Walk");
		const start = (await studio.frame()).details.place;
		await page.waitForFunction(() => window.sinew.state().ground !== null);

		// W walks forward on feet that stay where they are put.
		await page.keyboard.down("w");
		await studio.frameWhere((frame) => frame.details.place[2] > start[2] + 0.6);
		const feet = await watchFeet(page, 2.5);
		assert.ok(feet.frames > 10, `frames came: ${feet.frames}`);
		assert.ok(feet.planted, "a foot is on the ground at any time");
		assert.ok(feet.slid < 0.002, `planted heels slid ${1000 * feet.slid} mm from one frame to the next`);
		assert.ok(feet.slip < 0.005, `planted feet were ${1000 * feet.slip} mm off`);
		for (const height of feet.heights) assert.ok(height > 0.02, `each foot is lifted: ${feet.heights}`);

		// Another solver takes over while it walks; it does not even slow down.
		await page.getByRole("radio", { name: "Half", exact: true }).click();
		const changed = await studio.frame();
		assert.equal(changed.details.standing, false);
		await studio.frameWhere((frame) => frame.details.iterations > 0 && !frame.details.standing);
		const half = await watchFeet(page, 1.5);
		assert.ok(half.slip < 0.02, `with the half Jacobian planted feet were ${1000 * half.slip} mm off`);

		// A turns to the left: the heading grows.
		const { heading } = (await studio.frame()).details;
		await page.keyboard.down("a");
		await studio.frameWhere((frame) => frame.details.heading > heading + 0.3);
		await page.keyboard.up("a");
		await page.keyboard.up("w");
		await studio.frameWhere((frame) => frame.details.standing);

		// Letters typed into a field steer nothing.
		const field = page.getByLabel("Lift of the feet", { exact: true }).last();
		await field.click();
		await page.keyboard.down("w");
		await page.waitForTimeout(400);
		await page.keyboard.up("w");
		assert.equal((await studio.frame()).details.standing, true, "a field takes its keys itself");
		await field.press("Escape");

		// Stairs put it back to the start; it climbs them.
		await page.getByRole("radio", { name: "Stairs", exact: true }).click();
		await studio.frameWhere((frame) => Math.abs(frame.details.place[2]) < 0.5);
		await page.waitForFunction(() => window.sinew.state().ground.zs.length > 10);
		await page.getByRole("radio", { name: "Limb", exact: true }).click();
		await page.keyboard.down("w");
		const up = await studio.frameWhere((frame) => frame.details.place[1] > 0.3, 30_000);
		assert.ok(up.details.place[2] > 1.5, "the stairs are ahead");
		await page.keyboard.up("w");
		await studio.frameWhere((frame) => frame.details.standing);

		// Undo goes back over the changes of the scene.
		await page.keyboard.press("Control+z");
		await page.keyboard.press("Control+z");
		const { scenes } = await studio.state();
		assert.equal(scenes.walk.terrain.kind, "flat");

		// The stick on the screen walks too, from where the walker was before the stairs.
		const back = await studio.frameWhere((frame) => frame.details.standing && frame.details.place[1] === 0);
		const box = await page.locator(".stick").boundingBox();
		const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
		await page.mouse.move(x, y);
		await page.mouse.down();
		await page.mouse.move(x, y - 40, { steps: 4 });
		await studio.frameWhere((frame) => distance(frame.details.place, back.details.place) > 0.5);
		await page.mouse.up();
		await studio.frameWhere((frame) => frame.details.standing);

		// And a gamepad: its left stick, half way up.
		const from = (await studio.frame()).details.place;
		await page.evaluate(() => {
			const pad = { id: "pad", connected: true, axes: [0, -0.6], buttons: [] };
			navigator.getGamepads = () => [null, pad];
		});
		await page.getByText("Gamepad: pad.").waitFor();
		await studio.frameWhere((frame) => distance(frame.details.place, from) > 0.4);
		await page.evaluate(() => {
			navigator.getGamepads = () => [null];
		});
		await studio.frameWhere((frame) => frame.details.standing);
	},
};
