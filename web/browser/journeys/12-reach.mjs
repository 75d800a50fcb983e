import { assert, distance, jointIn } from "../studio.mjs";

const outcome = (page) => page.locator(".outcome-card");

export default {
	name: "reach for a target, too far, around a box, and edit the swing plane",
	async run(studio, page) {
		await studio.open();
		await studio.showWorkspace("Reach");
		const wrist = await studio.jointOf("rightHand");
		await studio.frameWhere((frame) => frame.details.reached);

		// The target is dragged and the wrist goes along.
		const before = (await studio.state()).scenes.reach.right.position;
		let position = before;
		// The view may still be on its way to where it rests: then the target was not where it was grasped.
		for (let tries = 0; tries < 3 && distance(position, before) <= 0.05; tries++) {
			await studio.drag(await studio.onScreen(before), [40, -50]);
			({ position } = (await studio.state()).scenes.reach.right);
		}
		assert.ok(distance(position, before) > 0.05, "the target was dragged");
		const there = await studio.frameWhere(
			(frame) => frame.details.reached && distance(jointIn(frame, wrist), position) < 0.005,
		);
		assert.ok(distance(jointIn(there, wrist), position) < 0.005);
		await outcome(page).and(page.locator("[data-state=good]")).waitFor();

		// Too far: it says so in words, and does not pretend.
		const far = page.getByLabel("Right hand z", { exact: true });
		await far.fill("4");
		await far.press("Enter");
		const short = await studio.frameWhere((frame) => !frame.details.reached);
		assert.match(short.details.outcome, /reach/i);
		await outcome(page).and(page.locator("[data-state=bad]")).waitFor();
		assert.ok(short.details.right.position_error > 1, "and by how much");
		await page.keyboard.press("Escape");
		await page.mouse.click(700, 90);
		await page.keyboard.press("Control+z");
		await studio.frameWhere((frame) => frame.details.reached);

		// An obstacle is put in the way, and taken away by a key.
		await page.getByRole("button", { name: "+ box" }).click();
		assert.equal((await studio.state()).scenes.reach.obstacles.length, 1);
		await page.mouse.click(700, 90);
		await page.getByRole("button", { name: "box 1", exact: true }).click();
		await page.mouse.move(700, 90);
		await page.evaluate(() => document.activeElement?.blur());
		await page.keyboard.press("Delete");
		assert.equal((await studio.state()).scenes.reach.obstacles.length, 0);

		// A click on the swing plane adds a key and shows its posture; a drag moves it; undo takes it back.
		await page.waitForFunction(() => window.sinew.state().behaviours.right);
		const keysNow = async () => (await studio.state()).behaviours.right.keys;
		const keys = (await keysNow()).length;
		const stepsBefore = (await studio.state()).history.done.length;
		const plane = await page.locator(".swing-card svg").boundingBox();
		const spot = [plane.x + 0.62 * plane.width, plane.y + 0.71 * plane.height];
		await page.mouse.click(...spot);
		await page.waitForFunction(
			(count) => window.sinew.state().behaviours.right.keys.length === count,
			keys + 1,
		);
		await page.waitForFunction((key) => window.sinew.state().scenes.reach.edit_key === key, keys);
		const [a, b] = (await keysNow())[keys].swing;
		assert.ok(
			Math.abs(a - 0.21 * 2 * Math.PI) < 0.05 && Math.abs(b + 0.12 * 2 * Math.PI) < 0.05,
			`${a}, ${b}`,
		);
		await studio.drag(spot, [-20, 14], 6);
		await page.waitForFunction(
			([key, old]) => Math.abs(window.sinew.state().behaviours.right.keys[key].swing[0] - old) > 0.2,
			[keys, a],
		);
		await page.getByRole("button", { name: "Back to reaching" }).click();
		// A link holds the key as well.
		await page.keyboard.press("l");
		await studio.toast("link");
		const other = await page.context().newPage();
		await other.goto(page.url());
		await other.waitForFunction(
			(count) => window.sinew?.state().behaviours.right?.keys.length === count && window.sinew.frame(),
			keys + 1,
			{ timeout: 30_000 },
		);
		await other.close();
		// A slow drag may be more than one step. It is undone from wherever one is.
		await studio.showWorkspace("Pose");
		const steps = (await studio.state()).history.done.length - stepsBefore;
		for (let i = 0; i < steps; i += 1) await page.keyboard.press("Control+z");
		await studio.showWorkspace("Reach");
		await page.waitForFunction((count) => window.sinew.state().behaviours.right.keys.length === count, keys);
	},
};
