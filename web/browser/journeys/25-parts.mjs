import { squats } from "../made.mjs";
import { assert, poseDifference } from "../studio.mjs";

/** A person whose joints have numbers for names, with one shoulder far from where it should be: neither names nor
 * shape tell what is what. */
function nobody() {
	const numbers = new Map();
	const crooked = squats({ frames: 20, high: 0 }).replace("OFFSET -17 12 0", "OFFSET -6 3 5");
	const text = crooked.replace(/(ROOT|JOINT) (\w+)/g, (_, kind, name) => {
		numbers.set(name, `b${numbers.size}`);
		return `${kind} ${numbers.get(name)}`;
	});
	return { numbers, text };
}

const PARTS = {
	Hips: "Hips",
	Spine: "Spine",
	Head: "Head",
	"Left upper arm": "LeftArm",
	"Left lower arm": "LeftForeArm",
	"Left hand": "LeftHand",
	"Right upper arm": "RightArm",
	"Right lower arm": "RightForeArm",
	"Right hand": "RightHand",
	"Left upper leg": "LeftUpLeg",
	"Left lower leg": "LeftLeg",
	"Left foot": "LeftFoot",
	"Right upper leg": "RightUpLeg",
	"Right lower leg": "RightLeg",
	"Right foot": "RightFoot",
};

export default {
	name: "say which joint is what, how large a file is, and keep it",
	async run(studio, page) {
		const { numbers, text } = nobody();
		await studio.open();
		await studio.drop("nobody.bvh", text);
		await page.waitForFunction(() => window.sinew.state().rig?.source.kind === "upload");
		await studio.ready();
		const dialog = page.getByRole("dialog", { name: "Parts, size and axes" });
		// It is asked where names and shape say nothing.
		await dialog.waitFor();
		const before = (await studio.state()).rig;
		assert.notEqual(before.workspaces.body, null, "nobody can tell that it is a person");

		const joints = before.joints.map(({ name }) => name);
		for (const [part, joint] of Object.entries(PARTS)) {
			await dialog
				.getByRole("combobox", { name: part, exact: true })
				.selectOption({ label: numbers.get(joint) });
			const { selectedJoint } = await studio.state();
			assert.equal(joints[selectedJoint], numbers.get(joint), `${part} is shown in the picture`);
		}
		// Half as large, too.
		const scale = dialog.getByRole("textbox", { name: "Scale" });
		await scale.fill("0.5");
		await scale.press("Enter");
		await dialog.getByRole("button", { name: "Apply" }).click();
		await page.waitForFunction(() => window.sinew.state().rig.fitting.scale === 0.5);
		await studio.ready();
		const { rig, history } = await studio.state();
		assert.equal(rig.workspaces.body, null, "it is a person now");
		assert.ok(Math.abs(rig.size / before.size - 0.5) < 1e-6, `${rig.size} of ${before.size}`);
		assert.equal(history.done.at(-1).subject, "fitting");
		assert.ok(rig.goals.some(({ id }) => id === "left hand"));
		assert.ok(rig.anatomical >= 10, `${rig.anatomical} joints have the limits of anatomy`);

		// The switch of the limits is a step of its own.
		await dialog.getByRole("switch", { name: "Anatomical limits" }).click();
		await dialog.getByRole("button", { name: "Apply" }).click();
		await page.waitForFunction(() => window.sinew.state().rig.anatomical === 0);
		assert.ok((await studio.state()).rig.joints.every(({ limit }) => limit === null));
		await dialog.getByRole("button", { name: "Close" }).click();
		await page.keyboard.press("Control+z");
		await page.waitForFunction(() => window.sinew.state().rig.anatomical > 0);

		// All of it belongs to the address.
		await studio.ready();
		const hand = await studio.jointOf("leftHand");
		await studio.drag(await studio.jointOnScreen(hand), [50, -60], 20);
		const posed = await studio.rest();
		await page.waitForTimeout(900);
		await page.reload();
		await studio.ready();
		const again = await studio.state();
		assert.deepEqual(again.rig.fitting, rig.fitting);
		const { metres } = poseDifference(posed, await studio.rest());
		assert.ok(metres < 0.001, `a reload is ${1000 * metres} mm away`);

		// The rig file has the parts, the size and the limits.
		const file = await studio.export("Rig with limits", "TOML");
		const words = file.bytes.toString("utf8");
		assert.match(words, /\[roles\]/);
		assert.ok(words.includes(`leftLowerLeg = "${numbers.get("LeftLeg")}"`), words.slice(-900));
		await studio.drop(file.name, file.bytes);
		await page.waitForFunction(
			() => window.sinew.state().rig.notes && window.sinew.state().rig.motions.length === 0,
		);
		await studio.ready();
		const saved = (await studio.state()).rig;
		assert.equal(saved.workspaces.body, null);
		assert.ok(Math.abs(saved.size / rig.size - 1) < 1e-6);
		assert.equal(saved.fitting.scale, 1);
	},
};
