import { character, squats } from "../made.mjs";
import { assert, distance, jointIn } from "../studio.mjs";

/** The lowest joint of a foot, in every frame shown over some seconds. */
async function watched(studio, page, seconds) {
	const frames = [];
	const until = Date.now() + 1000 * seconds;
	while (Date.now() < until) {
		frames.push(await studio.frame());
		await page.waitForTimeout(40);
	}
	return frames;
}

export default {
	name: "drop a motion: it plays on the floor, whole, in every workspace; on a character it moves her",
	async run(studio, page) {
		await studio.open();
		await studio.drop("squats.bvh", squats());
		await studio.frameWhere((frame) => frame.playing?.running && frame.playing.frame > 2);
		const { rig } = await studio.state();
		const bar = page.getByRole("region", { name: "Motion" });
		await bar.waitFor();
		assert.match(await bar.getByLabel("Clip").innerText(), /squats/);

		// On the floor, and the head in the picture.
		const head = await studio.jointOf("head");
		const ends = [];
		rig.joints.forEach(({ role }, joint) => {
			if (/^(left|right)(Foot|Toes)$/.test(role ?? "")) ends.push(joint);
		});
		const box = await page.locator(".picture canvas").boundingBox();
		const shown = await watched(studio, page, 2.2);
		for (const frame of shown) {
			for (const foot of ends) {
				// The joint of a foot is the ankle; its sole is 8 cm lower in this file.
				const sole = jointIn(frame, foot)[1] - 0.08 - rig.floor;
				assert.ok(sole > -0.02 && sole < 0.03, `a sole is ${sole} m above the floor`);
			}
			const [x, y] = await studio.onScreen(jointIn(frame, head));
			assert.ok(x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height, "head in view");
		}
		const heights = shown.map((frame) => jointIn(frame, head)[1]);
		assert.ok(Math.max(...heights) - Math.min(...heights) > 0.05, "it moves");

		// It plays on in another workspace; pausing leaves a pose to work from.
		await page.keyboard.press("2");
		await studio.frameWhere((frame) => frame.details.workspace === "reach" && frame.playing?.running);
		await page.keyboard.press("1");
		await bar.getByLabel("Frame").fill("30");
		await studio.frameWhere((frame) => Math.abs((frame.playing?.frame ?? 0) - 30) < 0.01);
		await bar.getByLabel("Frame").press("ArrowRight");
		await studio.frameWhere((frame) => frame.playing === null);
		const paused = await studio.frame();
		const hand = await studio.jointOf("leftHand");
		await studio.drag(await studio.jointOnScreen(hand), [30, -30]);
		const pulled = await studio.frameWhere(
			(frame) => distance(jointIn(frame, hand), jointIn(paused, hand)) > 0.02,
		);
		const hips = await studio.jointOf("hips");
		assert.ok(distance(jointIn(pulled, hips), jointIn(paused, hips)) < 0.1, "it goes on from the frame");

		// On a character: asked once, then she squats with her feet where they are.
		await studio.drop("made.vrm", character());
		await page.waitForFunction(() => window.sinew.state().rig?.mesh !== null);
		await studio.ready();
		await studio.drop("squats.bvh", squats({ frames: 50 }));
		await page.getByRole("button", { name: /^Move / }).click();
		await studio.frameWhere((frame) => frame.playing?.running && frame.playing.frame > 2);
		assert.equal(
			(await studio.state()).rig.joints.some(({ name }) => name === "leftUpperLeg"),
			true,
		);
		const feet = [await studio.jointOf("leftFoot"), await studio.jointOf("rightFoot")];
		const hip = await studio.jointOf("hips");
		const danced = await watched(studio, page, 2);
		const start = danced[0];
		for (const frame of danced) {
			for (const foot of feet) {
				const off = distance(jointIn(frame, foot), jointIn(start, foot));
				assert.ok(off < 0.01, `a planted foot has moved by ${off} m`);
			}
		}
		const bob = danced.map((frame) => jointIn(frame, hip)[1]);
		assert.ok(Math.max(...bob) - Math.min(...bob) > 0.08, "she bends her knees");
		// Not asked again; and what is no part of the motion is left out.
		await studio.drop("again.bvh", squats({ frames: 40, apart: true }));
		await page.waitForFunction(() => window.sinew.state().rig.motions.length === 2);
		assert.equal((await studio.state()).rig.motions[1].frames, 40);
	},
};
