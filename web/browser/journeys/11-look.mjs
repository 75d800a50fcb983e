import { assert, distance } from "../studio.mjs";

/** The angle between where it looks and where the target is, in degrees. */
function angleOff({ eye, sight, target }) {
	const way = target.map((x, i) => x - eye[i]);
	const length = Math.hypot(...way);
	const cosine = way.reduce((sum, x, i) => sum + (x / length) * sight[i], 0);
	return (180 / Math.PI) * Math.acos(Math.min(1, Math.max(-1, cosine)));
}

/** The largest derivatives of the plotted joint for a while. */
function watchMotion(page, seconds) {
	return page.evaluate(async (length) => {
		const most = { velocity: 0, acceleration: 0, jerk: 0, samples: 0, travel: 0 };
		let last = null;
		let low = Infinity;
		let high = -Infinity;
		const until = performance.now() + 1000 * length;
		while (performance.now() < until) {
			const frame = window.sinew.frame();
			if (frame !== last && frame.details.workspace === "look") {
				last = frame;
				for (const sample of frame.details.samples) {
					most.samples += 1;
					low = Math.min(low, sample.position);
					high = Math.max(high, sample.position);
					for (const key of ["velocity", "acceleration", "jerk"]) {
						most[key] = Math.max(most[key], Math.abs(sample[key]));
					}
				}
			}
			await new Promise((resolve) => setTimeout(resolve, 3));
		}
		most.travel = high - low;
		return most;
	}, seconds);
}

/** How far the sight misses the target, in radians. */
function aim({ eye, sight, target }) {
	const to = target.map((x, i) => x - eye[i]);
	const dot = to.reduce((sum, x, i) => sum + x * sight[i], 0);
	return Math.acos(Math.min(1, dot / (Math.hypot(...to) * Math.hypot(...sight))));
}

export default {
	name: "look at a target that is dragged, and along a path within the filter's bounds",
	async run(studio, page) {
		await studio.open();

		// A character looks with eyes, head, neck and spine.
		await studio.showWorkspace("Look");
		await studio.frameWhere((frame) => frame.details.reached && aim(frame.details) < 0.2);

		// What a robot cannot do is said, with rigs that can.
		await studio.chooseRig("erik-c");
		await page.getByRole("tab", { name: "Walk", exact: true }).click();
		await page.getByRole("dialog", { name: "Another rig" }).waitFor();
		await page.keyboard.press("Escape");
		assert.equal((await studio.state()).rig.name, "erik-c");

		// Along a path the target moves by itself, and the bounds hold in every sample.
		const first = (await studio.frame()).details.target;
		await studio.frameWhere((frame) => distance(frame.details.target, first) > 0.1);
		await page.getByRole("radio", { name: "Jumps", exact: true }).click();
		for (const preset of ["Usual", "Heavy"]) {
			await page.getByRole("radio", { name: preset, exact: true }).click();
			const { filter } = (await studio.state()).scenes.look;
			const number = (await studio.frame()).number;
			await studio.frameWhere((frame) => frame.number > number + 3);
			const most = await watchMotion(page, 4);
			assert.ok(most.samples > 50, `samples came: ${most.samples}`);
			assert.ok(most.travel > 0.05, `the plotted joint moves: ${most.travel} rad`);
			for (const key of ["velocity", "acceleration", "jerk"]) {
				assert.ok(
					most[key] <= filter[key] * 1.001 + 1e-6,
					`${preset}: the ${key} is ${most[key]}, its bound ${filter[key]}`,
				);
			}
		}

		// A point is dragged; it looks there.
		await page.getByRole("radio", { name: "Usual", exact: true }).click();
		await page.getByRole("radio", { name: "Point", exact: true }).click();
		await page.waitForFunction(() => window.sinew.state().scenes.look.target.kind === "at");
		const before = (await studio.state()).scenes.look.target.position;
		await page.waitForFunction(() => window.sinew.find("target target") !== null);
		const at = await page.evaluate(() => window.sinew.find("target target"));
		await studio.drag(at, [-70, 40]);
		const after = (await studio.state()).scenes.look.target.position;
		assert.ok(distance(after, before) > 0.05, "the target was dragged");
		const settled = await studio.frameWhere(
			(frame) => frame.details.reached && !frame.details.outcome.includes("on its way"),
		);
		assert.match(settled.details.outcome, /looks there/);
		const off = angleOff(settled.details);
		assert.ok(off < 2, `it looks ${off.toFixed(2)}° past the target`);
		await page.keyboard.press("Control+z");
		assert.deepEqual((await studio.state()).scenes.look.target.position, before);

		// A posture is set by a slider, kept by a name, left and taken again.
		const slider = page.getByLabel("joint2 in the posture", { exact: true }).last();
		await slider.fill("40");
		await slider.press("Enter");
		await page.getByLabel("Name for this posture").fill("curious");
		await page.getByRole("button", { name: "Keep", exact: true }).click();
		const kept = page.locator(".postures").getByRole("button", { name: "curious", exact: true });
		await kept.waitFor();
		await page.locator(".postures").getByRole("button", { name: "rest", exact: true }).click();
		assert.deepEqual((await studio.state()).scenes.look.values, []);
		await kept.click();
		const { values } = (await studio.state()).scenes.look;
		assert.ok(
			values.some((value) => Math.abs(value - (40 * Math.PI) / 180) < 1e-3),
			`joint2 is at 40° again: ${values}`,
		);
		await page.getByRole("button", { name: "Forget curious" }).click();
		await kept.waitFor({ state: "detached" });
	},
};
