import { assert, median } from "../studio.mjs";

const SECONDS = 4;
const ROUNDS = 6;
/** Solves a second: sixty, but for what is lost between the measuring and the timer. */
const LEAST_RATE = 55;
/** Milliseconds. */
const MOST_DELAY = 50;

export default {
	name: "sixty solves a second and under 50 ms to the picture, six goals, while dragging",
	async run(studio, page) {
		await studio.open();
		const { scenes, rig } = await studio.state();
		const enabled = scenes.pose.goals.filter((goal) => goal.enabled);
		assert.ok(enabled.length >= 6, `${enabled.length} goals are on`);
		const hand = rig.joints.findIndex((joint) => joint.role === "leftHand");
		const [x, y] = await studio.jointOnScreen(hand);

		// Pointer moves at the rate of a common mouse, without waiting for each to be answered.
		const input = await page.context().newCDPSession(page);
		const mouse = (type, dx, dy) =>
			input.send("Input.dispatchMouseEvent", {
				type,
				x: x + dx,
				y: y + dy,
				button: "left",
				buttons: type === "mouseReleased" ? 0 : 1,
				clickCount: 1,
			});
		await page.mouse.move(x, y);
		await mouse("mousePressed", 0, 0);
		const moves = (seconds) =>
			new Promise((resolve) => {
				const began = performance.now();
				const pending = [];
				const timer = setInterval(() => {
					const t = (performance.now() - began) / 1000;
					if (t > seconds) {
						clearInterval(timer);
						resolve(Promise.all(pending));
						return;
					}
					pending.push(mouse("mouseMoved", 35 + 25 * Math.sin(3 * t), 25 * Math.cos(3 * t) - 55));
				}, 10);
			});
		// The first seconds compile shaders. Whatever else runs on the machine only adds to the
		// delay and takes from the rate, so the best of a few rounds is what the studio itself does.
		await moves(2);
		let [bestRate, bestDelay] = [0, Infinity];
		for (let round = 0; round < ROUNDS; round += 1) {
			const before = await page.evaluate(() => ({
				number: window.sinew.frame().number,
				time: window.sinew.frame().time,
				samples: window.sinew.latency().length,
			}));
			await moves(SECONDS);
			const after = await page.evaluate(() => ({
				number: window.sinew.frame().number,
				time: window.sinew.frame().time,
				micros: window.sinew.frame().micros,
				latency: window.sinew.latency(),
				fps: window.sinew.fps(),
			}));
			const rate = (after.number - before.number) / (after.time - before.time);
			// The page keeps the newest samples only.
			const sorted = after.latency.slice(-120).sort((a, b) => a - b);
			const tail = sorted[Math.floor(0.95 * sorted.length)];
			process.stdout.write(
				`        ${rate.toFixed(1)} solves/s of ${after.micros.toFixed(0)} µs; from pointer to picture ` +
					`${median(sorted).toFixed(1)} ms (95 %: ${tail.toFixed(1)} ms, ${sorted.length} samples); ` +
					`${after.fps} pictures/s in software\n`,
			);
			assert.ok(sorted.length > 20, "there are samples of the delay");
			bestRate = Math.max(bestRate, rate);
			bestDelay = Math.min(bestDelay, median(sorted));
			if (bestRate > LEAST_RATE && bestDelay < MOST_DELAY) break;
		}
		await mouse("mouseReleased", 0, 0);
		assert.ok(bestRate > LEAST_RATE, `${bestRate} solves a second`);
		assert.ok(bestDelay < MOST_DELAY, `${bestDelay} ms from pointer to picture`);
	},
};
