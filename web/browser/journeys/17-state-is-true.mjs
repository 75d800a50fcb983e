import { assert, jointIn, poseDifference } from "../studio.mjs";

export default {
	name: "reload, a link in a new tab, undo and a lost connection bring back every joint",
	async run(studio, page) {
		const sockets = [];
		await page.routeWebSocket(/\/ws/, (socket) => {
			socket.connectToServer();
			sockets.push(socket);
		});
		await studio.open();
		const at = async (role) => studio.jointOnScreen(await studio.jointOf(role));
		const alike = (a, b, what) => {
			const { metres, degrees } = poseDifference(a, b);
			assert.ok(metres < 0.001 && degrees < 0.1, `${what}: ${1000 * metres} mm and ${degrees}°`);
		};
		// A pose that depends on the way there.
		await studio.drag(await at("leftHand"), [60, -120], 20);
		await studio.drag(await at("hips"), [10, 60], 20);
		const one = await studio.rest();
		await studio.drag(await at("rightHand"), [-80, -60], 20);
		const two = await studio.rest();
		assert.ok(poseDifference(one, two).metres > 0.05, "the second pose is another");

		await page.keyboard.press("Control+z");
		await studio.frameWhere((frame) => poseDifference(frame, one).metres < 0.001);
		alike(await studio.rest(), one, "undo");
		await page.keyboard.press("Control+Shift+z");
		await studio.frameWhere((frame) => poseDifference(frame, two).metres < 0.001);
		alike(await studio.rest(), two, "redo");

		await page.waitForTimeout(900);
		const address = page.url();
		await page.reload();
		await studio.ready();
		alike(await studio.rest(), two, "reload");
		const other = await page.context().newPage();
		await other.goto(address);
		const elsewhere = new studio.constructor(other, address);
		await elsewhere.ready();
		alike(await elsewhere.rest(), two, "link");
		await other.close();

		// The connection is lost; what is done meanwhile is kept.
		const goals = (await studio.state()).scenes.pose.goals;
		await studio.drag(await at("leftHand"), [-30, 40], 12);
		const three = await studio.rest();
		await sockets.at(-1).close();
		await page.waitForFunction(() => window.sinew.state().connection === "lost");
		await page.waitForFunction(() => window.sinew.state().connection === "open", null, { timeout: 15_000 });
		await studio.ready();
		alike(await studio.rest(), three, "a new connection");
		assert.ok((await studio.state()).history.done.length >= 1, "what was done can still be undone");
		await page.keyboard.press("Control+z");
		await studio.frameWhere((frame) => poseDifference(frame, two).metres < 0.001);
		assert.equal((await studio.state()).scenes.pose.goals.length, goals.length);

		// A moment of a motion in Body, and its time.
		await studio.showWorkspace("Body");
		await page.getByRole("radio", { name: "Motion", exact: true }).click();
		await page.waitForFunction(() => window.sinew.state().track?.done > 60, null, { timeout: 30_000 });
		await page.getByRole("button", { name: "Pause" }).click();
		const stopped = await studio.rest();
		await page.waitForTimeout(900);
		await page.reload();
		await studio.ready();
		const again = await studio.frameWhere((frame) => frame.details.frame === stopped.details.frame, 30_000);
		assert.ok(jointIn(again, 0).every((x, i) => Math.abs(x - jointIn(stopped, 0)[i]) < 0.001));
	},
};
