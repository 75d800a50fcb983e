import { assert } from "../studio.mjs";

/** The mean colour of a small square around a place on the screen. */
async function colourAt(page, [x, y]) {
	const png = await page.screenshot({ clip: { x: x - 3, y: y - 3, width: 7, height: 7 } });
	return page.evaluate(async (base64) => {
		const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
		const picture = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
		const canvas = new OffscreenCanvas(picture.width, picture.height);
		const context = canvas.getContext("2d");
		context.drawImage(picture, 0, 0);
		const { data } = context.getImageData(0, 0, picture.width, picture.height);
		const sum = [0, 0, 0];
		for (let i = 0; i < data.length; i += 4) for (let k = 0; k < 3; k += 1) sum[k] += data[i + k];
		return sum.map((value) => (4 * value) / data.length);
	}, png.toString("base64"));
}

const apart = (a, b) => Math.hypot(...a.map((x, i) => x - b[i]));

export default {
	name: "what a limit allows is shaded, and its kind is changed without loss",
	async run(studio, page) {
		await studio.open();
		const select = (label, value) => page.getByLabel(label, { exact: true }).selectOption(value);
		const arm = await studio.jointOf("leftUpperArm");
		const shapeNow = async () => (await studio.state()).rig.joints[arm].limit.shape;
		const toKind = async (kind) => {
			await select("Kind of limit", kind);
			await page.waitForFunction(
				([joint, wanted]) => {
					const shape = window.sinew.state().rig.joints[joint].limit?.shape ?? { kind: "none" };
					return (shape.swing?.kind ?? shape.kind) === wanted;
				},
				[arm, kind],
			);
			return (await studio.state()).rig.joints[arm].limit?.shape;
		};
		await select("Joint", String(arm));
		const first = await shapeNow();
		const kind = first.swing.kind;

		// Through every kind and back: what it was, to the bit.
		for (const other of ["cone", "polygon", "kusudama", "spline", "ellipse", "euler", "none"])
			if (other !== kind) await toKind(other);
		assert.deepEqual(await toKind(kind), first, "nothing is lost");

		// Another kind begins with the nearest region: about as wide.
		const cone = await toKind("cone");
		assert.ok(cone.swing.radius > 0.3, `${cone.swing.radius}`);
		const spline = await toKind("spline");
		for (const { amplitude } of spline.swing.knots)
			assert.ok(Math.abs(amplitude - cone.swing.radius) < 0.01, `${amplitude} for ${cone.swing.radius}`);
		assert.deepEqual(await toKind("cone"), cone);

		// The allowed side is shaded, the other is not. Seen from the side where both are in front.
		const field = page.getByLabel("Opening", { exact: true }).last();
		await field.fill("50");
		await field.press("Enter");
		await page.waitForFunction(
			(joint) => Math.abs(window.sinew.state().rig.joints[joint].limit.shape.swing.radius - 0.8727) < 1e-3,
			arm,
		);
		await page.mouse.move(700, 90);
		await studio.rest();
		const { limit } = (await studio.state()).rig.joints[arm];
		assert.equal(limit.region.length, 2 * 33 * 64);
		// The rim's handles are on its edge; a little inside and outside of one that is in front.
		const places = await page.evaluate(() =>
			[0, 1, 2, 3].map((i) => ({ handle: window.sinew.find(`handle ${i}`) })),
		);
		const rims = places.map(({ handle }) => handle);
		const middle = [0, 1].map((axis) => rims.reduce((sum, rim) => sum + rim[axis], 0) / rims.length);
		const inside = await colourAt(page, middle);
		const far = rims.map((rim) => [0, 1].map((axis) => middle[axis] + 1.16 * (rim[axis] - middle[axis])));
		const outside = await Promise.all(far.map((place) => colourAt(page, place)));
		assert.ok(
			outside.some((colour) => apart(colour, inside) > 12),
			`inside ${inside.map(Math.round)}, outside ${JSON.stringify(outside.map((c) => c.map(Math.round)))}`,
		);

		// The twist has a dial of its own: its handles are away from the sphere's, and turn it.
		const ends = limit.handles.flatMap((handle, i) => (handle.kind === "end" ? [i] : []));
		assert.equal(ends.length, 2);
		const before = (await shapeNow()).twist;
		const [end] = await page.evaluate((list) => list.map((i) => window.sinew.find(`handle ${i}`)), ends);
		for (const rim of rims)
			assert.ok(Math.hypot(rim[0] - end[0], rim[1] - end[1]) > 8, "the handles are apart");
		await studio.drag(end, [14, 22], 10);
		await page.waitForFunction(
			([joint, { min, max }]) => {
				const { twist } = window.sinew.state().rig.joints[joint].limit.shape;
				return Math.abs(twist.min - min) + Math.abs(twist.max - max) > 0.05;
			},
			[arm, before],
		);
		assert.ok(Math.abs((await shapeNow()).swing.radius - 0.8727) < 1e-3, "the swing stays");
	},
};
