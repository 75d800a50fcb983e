import { character, documentOf } from "../made.mjs";
import { assert, distance, jointIn, poseDifference } from "../studio.mjs";

export default {
	name: "a VRM out and in again: same meshes, the pose in its nodes; pictures and a film",
	async run(studio, page) {
		await studio.open();
		const made = character();
		await studio.drop("made.vrm", made);
		await page.waitForFunction(() => window.sinew.state().rig?.mesh != null);
		await studio.ready();
		// The view still turns to the new character, and the hand would be taken where it no longer is.
		await studio.rest();
		await page.waitForTimeout(1000);
		await studio.drag(await studio.jointOnScreen(await studio.jointOf("leftHand")), [20, -90], 20);
		const before = await studio.rest();
		const first = (await studio.state()).rig;
		const out = await studio.export("Pose", "VRM");
		assert.match(out.name, /\.vrm$/);
		const [old, now] = [documentOf(made), documentOf(out.bytes)];
		assert.deepEqual(now.meshes, old.meshes);
		assert.deepEqual(now.skins.length, old.skins.length);
		assert.ok(now.extensions.VRMC_vrm.humanoid.humanBones.leftHand, "it is a VRM");
		const turned = now.nodes.filter(({ rotation }) => rotation && Math.abs(rotation[3]) < 0.9999);
		assert.ok(turned.length > 0, "the pose is in its nodes");

		await studio.drop(out.name, out.bytes);
		await page.waitForFunction((id) => window.sinew.state().rig?.source.id !== id, first.source.id);
		await studio.ready();
		const after = await studio.rest();
		assert.notEqual((await studio.state()).rig.mesh, null, "with its mesh");
		const { metres, degrees } = poseDifference(before, after);
		assert.ok(metres < 0.001 && degrees < 0.1, `the pose is off by ${1000 * metres} mm and ${degrees}°`);
		// Her mesh is where her joints are, though its nodes do not rest.
		for (const name of ["hips", "head", "leftHand", "leftFoot"]) {
			const joint = await studio.jointOf(name);
			const off = distance(
				await page.evaluate((node) => window.sinew.drawn(node), name),
				jointIn(after, joint),
			);
			assert.ok(off < 0.001, `${name} is drawn ${1000 * off} mm off`);
		}

		const size = (png) => [png.readUInt32BE(16), png.readUInt32BE(20)];
		const box = await page.locator(".picture canvas").boundingBox();
		const picture = await studio.export("Picture of the character alone", "PNG");
		assert.deepEqual(size(picture.bytes), [2 * Math.round(box.width), 2 * Math.round(box.height)]);

		// A take: recorded, cut, named, exported.
		await page.keyboard.press("r");
		await studio.drag(await studio.jointOnScreen(await studio.jointOf("rightHand")), [-20, -60], 20);
		await studio.frameWhere((frame) => frame.recorded > 25);
		await page.keyboard.press("r");
		const bar = page.getByRole("region", { name: "Motion" });
		await bar.waitFor();
		await bar.getByLabel("Frame").fill("10");
		await bar.getByLabel("Begin here").click();
		await bar.getByLabel("Name to export it by").fill("wave");
		const take = await studio.export("Motion wave", "BVH");
		assert.match(take.name, /wave\.bvh$/);
		const count = Number(/Frames:\s*(\d+)/.exec(take.bytes.toString("utf8"))[1]);
		const { frames } = (await studio.state()).rig.motions.at(-1);
		assert.equal(count, frames - 10);

		// One click; it is saved when it is done.
		const film = await studio.export("Film of the view", "WebM");
		assert.equal(film.bytes.readUInt32BE(0), 0x1a45dfa3, "it is a WebM");
		assert.ok(film.bytes.length > 2000);
	},
};
