import { assert, distance, jointIn } from "../studio.mjs";

export default {
	name: "drag a hand and see the error fall",
	async run(studio, page) {
		await studio.open();
		const hand = await studio.jointOf("leftHand");
		const before = jointIn(await studio.frame(), hand);
		const at = await studio.jointOnScreen(hand);

		// Far out of reach: the error grows and is explained.
		await page.mouse.move(...at);
		await page.mouse.down();
		for (let i = 1; i <= 10; i += 1) await page.mouse.move(at[0] + 22 * i, at[1] - 6 * i);
		const far = await studio.frameWhere((frame) => frame.details.position_error > 0.05);
		assert.equal(far.details.reached, false);
		await studio.frameWhere((frame) => typeof frame.details.cause === "string");
		await page.locator(".status .outcome[data-good=false]").waitFor();

		// Back to where an arm can get to: it falls.
		for (let i = 1; i <= 12; i += 1) {
			await page.mouse.move(at[0] + 220 - (160 * i) / 12, at[1] - 60 - (20 * i) / 12);
		}
		const near = await studio.frameWhere((frame) => frame.details.position_error < 0.005);
		await page.mouse.up();

		// The hand went along, to where the target is, and the scene remembers it.
		assert.ok(distance(jointIn(near, hand), before) > 0.05, "the hand has moved");
		const { scenes, history } = await studio.state();
		const goal = scenes.pose.goals.find((other) => other.joint === hand);
		// A frame of the drag may be shown after the pointer went up: what counts is where it comes to rest.
		const rest = await studio.rest();
		const after = jointIn(rest, hand);
		assert.ok(rest.details.position_error < 0.005, `all goals are met (${rest.details.position_error} m)`);
		assert.ok(distance(after, goal.position) < 0.005, "the hand is at its target");
		assert.equal(history.done.length, 1, "the drag is one step of undo");

		const handIsAt = (place) => studio.frameWhere((frame) => distance(jointIn(frame, hand), place) < 0.005);

		// Undo brings it back, redo again.
		await page.keyboard.press("Control+z");
		await handIsAt(before);
		await page.keyboard.press("Control+Shift+z");
		await handIsAt(after);
	},
};
