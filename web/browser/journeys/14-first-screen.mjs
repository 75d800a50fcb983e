import { assert, distance, jointIn } from "../studio.mjs";

export default {
	name: "the first screen moves, looks at the pointer and leads everywhere; a tour of five steps",
	async run(studio, page) {
		await page.goto(studio.address);
		await studio.ready();
		await page.getByRole("region", { name: "Welcome" }).waitFor();
		const hands = [await studio.jointOf("leftHand"), await studio.jointOf("rightHand")];
		const way = (a, b) => Math.max(...hands.map((hand) => distance(jointIn(a, hand), jointIn(b, hand))));

		// By itself, without a pointer.
		const first = await studio.frame();
		await studio.frameWhere((frame) => way(first, frame) > 0.05);

		// A hand comes near to the pointer, on either side.
		for (const [hand, dx] of [
			[hands[0], 130],
			[hands[1], -130],
		]) {
			const [x, y] = await studio.jointOnScreen(await studio.jointOf("head"));
			await page.mouse.move(x + dx, y + 60, { steps: 4 });
			await page.waitForFunction(
				([joint, px, py]) => {
					const p = window.sinew.frame().pose.positions;
					const [sx, sy] = window.sinew.project(p[3 * joint], p[3 * joint + 1], p[3 * joint + 2]);
					return Math.hypot(sx - px, sy - py) < 60;
				},
				[hand, x + dx, y + 60],
				{ timeout: 15_000 },
			);
		}

		// Whoever starts from there has the body at rest, whatever it did before.
		const head = await studio.jointOf("head");
		for (const [dx, dy] of [
			[120, 140],
			[-60, 20],
		]) {
			const [x, y] = await studio.jointOnScreen(head);
			await page.mouse.move(x + dx, y + dy, { steps: 4 });
			await page.waitForTimeout(1500);
			const { rig } = await studio.state();
			const stand = rig.joints[head].model_position;
			assert.ok(
				distance(jointIn(await studio.frame(), head), stand) < 0.12,
				"it reaches without leaning back",
			);
			await page.getByRole("button", { name: "Start", exact: true }).click();
			const begun = await studio.rest();
			assert.ok(begun.details.position_error < 0.001, `${begun.details.position_error} m off its goals`);
			assert.ok(distance(jointIn(begun, head), stand) < 0.002, "it stands as it rests");
			await page.goto(studio.address);
			await page.reload();
			await studio.ready();
			await page.getByRole("region", { name: "Welcome" }).waitFor();
		}

		// One click, and something happens there.
		await page.getByRole("button", { name: /^Walk/ }).click();
		const place = (await studio.frameWhere((frame) => frame.details.workspace === "walk")).details.place;
		await studio.frameWhere((frame) => distance(frame.details.place, place) > 0.5);

		// The tour: five steps, each alive.
		await page.goto(studio.address);
		await page.reload();
		await studio.ready();
		await page.getByRole("button", { name: "A tour in five steps" }).click();
		for (const [i, name] of ["pose", "reach", "body", "look", "walk"].entries()) {
			await page.locator(".tour", { hasText: `${i + 1} of 5` }).waitFor();
			const frame = await studio.frameWhere((other) => other.details.workspace === name);
			await studio.frameWhere((other) => other.number > frame.number + 5);
			await page.getByRole("button", { name: i < 4 ? "Next" : "Done", exact: true }).click();
		}
		await page.locator(".tour").waitFor({ state: "detached" });
		assert.equal((await studio.state()).tour, null);
	},
};
