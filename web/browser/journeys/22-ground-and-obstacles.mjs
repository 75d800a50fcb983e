import { boxes, boxGlb, heights } from "../made.mjs";
import { assert, distance, jointIn } from "../studio.mjs";

const terrainOf = async (studio) => (await studio.state()).scenes.walk.terrain;

/** A floor, three steps up to a landing, and a wall at its end. */
const STEPS = boxes([
	[
		[-2, -0.2, -2],
		[2, 0, 6],
	],
	[
		[-2, 0, 1.2],
		[2, 0.15, 6],
	],
	[
		[-2, 0, 1.6],
		[2, 0.3, 6],
	],
	[
		[-2, 0, 2],
		[2, 0.45, 6],
	],
	[
		[-2, 0, 4],
		[2, 3, 6],
	],
]);

async function walkOnFiles(studio, page) {
	await studio.showWorkspace("Walk");
	await studio.drop("steps.obj", STEPS);
	await studio.toast("Walking on steps.obj");
	const terrain = await terrainOf(studio);
	assert.equal(terrain.kind, "mesh");
	await page.getByText(/steps\.obj: 4\.0 × 3\.2 × 8\.0 m, 60 triangles\./).waitFor();
	// It climbs the steps, and stops before the wall, which is said in words.
	await page.keyboard.down("w");
	await studio.frameWhere((frame) => frame.details.place[1] > 0.35, 40_000);
	await studio.frameWhere((frame) => frame.details.blocked?.by === "wall" && frame.details.standing, 40_000);
	await page.locator(".status .outcome", { hasText: "Stopped by a wall" }).waitFor();
	await page.keyboard.up("w");
	const { feet } = (await studio.frame()).details;
	for (const foot of feet)
		assert.ok(Math.abs(foot.heel[1] - 0.45) < 0.08, `feet are on the landing: ${foot.heel}`);
	const drawn = await page.evaluate(() => {
		const { xs, heights: all } = window.sinew.state().ground;
		return { columns: xs.length, highest: Math.max(...all) };
	});
	assert.ok(drawn.highest > 2.9 && drawn.columns > 2, "what is drawn is what is walked on");

	// Undo and redo.
	await page.keyboard.press("Control+z");
	await page.waitForFunction(() => window.sinew.state().scenes.walk.terrain.kind === "flat");
	await page.keyboard.press("Control+Shift+z");
	await page.waitForFunction(() => window.sinew.state().scenes.walk.terrain.kind === "mesh");
	// A reload brings the file back.
	await page.waitForTimeout(600);
	await page.reload();
	await studio.ready();
	await page.waitForFunction(
		() => window.sinew.state().things && Object.keys(window.sinew.state().things).length === 1,
	);
	assert.deepEqual(await terrainOf(studio), terrain);
	await page.waitForFunction(() => window.sinew.state().ground?.heights.some((height) => height > 0.4));

	// A link says what it does not hold; in this browser it works.
	await page.keyboard.press("l");
	await studio.toast("does not hold them");
	const other = await page.context().newPage();
	await other.goto(page.url());
	await other.waitForFunction(
		() => window.sinew?.state().ground?.heights.some((height) => height > 0.4),
		null,
		{ timeout: 30_000 },
	);
	await other.close();

	// A picture is a map of heights, of the height that is chosen.
	await studio.drop(
		"ramp.png",
		heights(60, (_, y) => Math.min(1, Math.max(0, (y - 34) / 20))),
	);
	await page.getByText("ramp.png: 60 × 60 pixels.").waitFor();
	const white = page.getByLabel("Height of white", { exact: true }).last();
	await white.fill("0.4");
	await white.press("Enter");
	await page.waitForFunction(() => {
		const all = window.sinew.state().ground?.heights ?? [];
		return Math.abs(Math.max(...all) - 0.4) < 1e-3;
	});

	// What is wrong is said, and nothing else happens.
	const before = await terrainOf(studio);
	await studio.drop("bad.obj", "v 0 nan 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n");
	await studio.toast("bad.obj: line 1: found 'nan'");
	await studio.drop("text.png", "no picture");
	await studio.toast("text.png:");
	assert.deepEqual(await terrainOf(studio), before);
}

async function reachAround(studio, page) {
	await studio.showWorkspace("Reach");
	await studio.frameWhere((frame) => frame.details.reached);
	const wrist = await studio.jointOf("rightHand");
	const hand = jointIn(await studio.frame(), wrist);
	// A board around the hand, where its file puts it.
	const low = [hand[0] - 0.15, hand[1] - 0.02, hand[2] - 0.15];
	const high = [hand[0] + 0.15, hand[1] + 0.02, hand[2] + 0.15];
	await studio.drop("board.obj", boxes([[low, high]]));
	await studio.toast("board.obj is in the way");
	const [board] = (await studio.state()).scenes.reach.obstacles;
	assert.equal(board.form.kind, "mesh");
	assert.ok(distance(board.position, hand) < 0.01, `${board.position} is where the file says: ${hand}`);
	const stopped = await studio.frameWhere((frame) => !frame.details.reached && frame.details.outcome);
	assert.match(stopped.details.outcome, /board\.obj/);
	// Out of the way: the thing itself is moved, and undo brings it back.
	await page.mouse.move(700, 90);
	const y = page.getByLabel("board.obj 1 y", { exact: true });
	await y.fill("0.3");
	await y.press("Enter");
	await studio.frameWhere((frame) => frame.details.reached);
	await page.keyboard.press("Control+z");
	await studio.frameWhere((frame) => !frame.details.reached);
	// Its unit is chosen: a board of 30 cm is one of 9 cm in feet.
	await page.getByLabel("Unit of board.obj 1", { exact: true }).selectOption("0.3048");
	await page.getByText("0.09 × 0.01 × 0.09 m. Only its surface is solid.").waitFor();
	assert.equal((await studio.state()).scenes.reach.obstacles[0].form.scale, 0.3048);
	await page.keyboard.press("Control+z");
	await page.keyboard.press("Control+z");
	assert.equal((await studio.state()).scenes.reach.obstacles.length, 0);

	// A GLB may be a character or a thing: asked.
	await studio.drop("crate.glb", boxGlb([-0.2, 0, -0.2], [0.2, 0.4, 0.2]));
	await page.getByRole("button", { name: "Put it in the way" }).click();
	await studio.toast("crate.glb is in the way");
	const [crate] = (await studio.state()).scenes.reach.obstacles;
	assert.ok(crate.position[2] > 0.5, "a small thing does not stand in the character");
	assert.equal((await studio.state()).rig.name, "humanoid");
	await page.keyboard.press("Control+z");
}

export default {
	name: "ground and obstacles from files",
	longest: 150_000,
	async run(studio, page) {
		await studio.open();
		// An OBJ is no rig; where it belongs is said.
		await studio.drop("steps.obj", STEPS);
		await studio.toast("obstacle in Reach");
		await walkOnFiles(studio, page);
		await reachAround(studio, page);
	},
};
