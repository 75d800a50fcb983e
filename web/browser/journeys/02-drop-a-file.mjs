import { assert } from "../studio.mjs";

const BVH = `HIERARCHY
ROOT Base
{
	OFFSET 0 0 0
	CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
	JOINT Middle
	{
		OFFSET 0 40 0
		CHANNELS 3 Zrotation Xrotation Yrotation
		JOINT End
		{
			OFFSET 0 35 0
			CHANNELS 3 Zrotation Xrotation Yrotation
			End Site
			{
				OFFSET 0 20 0
			}
		}
	}
}
MOTION
Frames: 2
Frame Time: 0.033333
0 0 0 0 0 0 0 0 0 0 0 0
0 0 0 10 0 0 20 0 0 0 0 0
`;

export default {
	name: "drop a file, then one that cannot be read",
	async run(studio, page) {
		await studio.open();
		await studio.drop("small.bvh", BVH);
		await page.waitForFunction(() =>
			window.sinew.state().rig?.joints.some((joint) => joint.name === "Middle"),
		);
		await studio.ready();
		const { rig } = await studio.state();
		assert.equal(rig.source.kind, "upload");
		assert.equal(rig.motions.length, 1);
		await studio.frameWhere((frame) => frame.pose.positions.length === 3 * rig.joints.length);

		// It can be pulled at: a joint without a goal gets one.
		const middle = rig.joints.findIndex((joint) => joint.name === "Middle");
		const goals = (await studio.state()).scenes.pose.goals.length;
		await studio.drag(await studio.jointOnScreen(middle), [40, 10]);
		const after = (await studio.state()).scenes.pose.goals;
		assert.equal(after.length, goals + 1);
		assert.ok(after.some((goal) => goal.joint === middle));

		// A broken file is refused in words, and what was there lives on.
		await studio.drop("broken.bvh", BVH.replace("CHANNELS 3 Zrotation", "CHANNELS three"));
		await studio.toast(/line \d+/i);
		assert.equal((await studio.state()).rig.joints.length, rig.joints.length);
		const number = (await studio.frame()).number;
		await studio.drag(await studio.jointOnScreen(middle), [-20, 5]);
		await studio.frameWhere((frame) => frame.number > number);

		// A reload finds the file again by the address.
		await page.reload();
		await studio.ready();
		const again = (await studio.state()).rig;
		assert.equal(again.joints.length, rig.joints.length);
		assert.deepEqual(again.source, rig.source);
	},
};
