import { documentOf } from "../made.mjs";
import { assert } from "../studio.mjs";

export default {
	name: "a file of a rig without a mesh has the body that the page shows",
	async run(studio, page) {
		await studio.open();
		const shown = await studio.export("Pose", "GLB");
		const { meshes, accessors } = documentOf(shown.bytes);
		assert.equal(meshes[0].name, "body");
		const corners = accessors[meshes[0].primitives[0].attributes.POSITION];
		assert.ok(corners.count > 3000, `${corners.count} corners`);
		const tall = corners.max[1] - corners.min[1];
		assert.ok(tall > 1.6 && tall < 1.9, `${tall} m tall`);

		// It is opened as a character with a mesh, and what the page does not show is not written.
		await page.keyboard.press("m");
		const bare = await studio.export("Pose", "GLB");
		assert.equal(documentOf(bare.bytes).meshes[0].name, "bones");
		await studio.drop("body.glb", shown.bytes);
		await page.waitForFunction(() => window.sinew.state().rig?.source.kind === "upload");
		await studio.ready();
		assert.ok((await studio.state()).rig.mesh);
	},
};
