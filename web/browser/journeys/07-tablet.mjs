import { assert, distance, jointIn } from "../studio.mjs";

export default {
	name: "on a tablet: drag by touch, turn the view with one finger, walk with the stick",
	context: { viewport: { width: 1024, height: 768 }, hasTouch: true },
	async run(studio, page) {
		await studio.open();
		const input = await page.context().newCDPSession(page);
		const touch = (type, x, y) =>
			input.send("Input.dispatchTouchEvent", { type, touchPoints: type === "touchEnd" ? [] : [{ x, y }] });
		const slide = async ([x, y], [dx, dy], letGo = true) => {
			await touch("touchStart", x, y);
			for (let i = 1; i <= 10; i += 1) await touch("touchMove", x + (dx * i) / 10, y + (dy * i) / 10);
			if (letGo) await touch("touchEnd");
		};

		// Nothing is cut off, also when it is held upright.
		for (const width of [768, 1024]) {
			await page.setViewportSize({ width, height: 1792 - width });
			for (const box of await page.locator(".header button, .status span").all()) {
				const { x, width: wide } = (await box.boundingBox()) ?? { x: 0, width: 0 };
				assert.ok(x >= 0 && x + wide <= width, `${await box.innerHTML()} is cut off`);
			}
		}

		const hand = await studio.jointOf("leftHand");
		const before = jointIn(await studio.frame(), hand);
		const camera = await page.evaluate(() => window.sinew.camera());
		await slide(await studio.jointOnScreen(hand), [40, -60]);
		await studio.frameWhere((frame) => distance(jointIn(frame, hand), before) > 0.05);
		assert.equal((await studio.state()).history.done.length, 1, "the drag is one step of undo");
		assert.deepEqual(await page.evaluate(() => window.sinew.camera()), camera, "the view stayed");

		// A finger beside the character turns the view.
		await slide([120, 300], [90, 10]);
		const turned = await page.evaluate(() => window.sinew.camera());
		assert.ok(distance(turned.position, camera.position) > 0.1, "the view has turned");

		await studio.showWorkspace("Walk");
		const { details } = await studio.frame();
		const stick = await page.locator(".stick").boundingBox();
		const middle = [stick.x + stick.width / 2, stick.y + stick.height / 2];
		await slide(middle, [0, -0.4 * stick.height], false);
		await studio.frameWhere((frame) => frame.details.place[2] > details.place[2] + 0.5);
		await touch("touchEnd");
		await studio.frameWhere((frame) => frame.details.standing);
	},
};
