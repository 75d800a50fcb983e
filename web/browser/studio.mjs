// What the journeys do with the page, in the words of a person who does it.

import assert from "node:assert/strict";

export { assert };

export class Studio {
	constructor(page, address) {
		this.page = page;
		this.address = address;
	}

	/** Opens the page, waits for the first frame and leaves the first screen. */
	async open(hash = "") {
		await this.page.goto(this.address + hash);
		await this.ready();
		const start = this.page.getByRole("button", { name: "Start", exact: true });
		if ((await this.state()).greeting) {
			await start.click();
			await start.waitFor({ state: "detached" });
			await this.rest();
		}
	}

	/** Waits until nothing moves; gives the frame. */
	async rest(timeout = 15_000) {
		const deadline = Date.now() + timeout;
		let last = await this.frame();
		for (;;) {
			await this.page.waitForTimeout(250);
			const frame = await this.frame();
			if (frame !== null && frame.number === last?.number) return frame;
			last = frame;
			if (Date.now() > deadline) throw new Error("it does not come to rest");
		}
	}

	async ready() {
		await this.page.waitForFunction(
			() => window.sinew?.state().rig && window.sinew.state().loading === null && window.sinew.frame(),
			null,
			{ timeout: 30_000 },
		);
	}

	/** Chooses a rig from the menu. */
	async chooseRig(name) {
		await this.page.getByRole("button", { name: "Choose a rig" }).click();
		const item = this.page.locator(".menu .item", {
			has: this.page.locator(".words", { hasText: new RegExp(`^${name}`) }),
		});
		await item.first().click();
		await this.page.waitForFunction((wanted) => window.sinew.state().rig?.name === wanted, name);
		await this.ready();
	}

	async showWorkspace(title) {
		await this.page.getByRole("tab", { name: title, exact: true }).click();
		const name = title.toLowerCase();
		await this.page.waitForFunction((wanted) => window.sinew.frame()?.details.workspace === wanted, name, {
			timeout: 30_000,
		});
	}

	state() {
		return this.page.evaluate(() => JSON.parse(JSON.stringify(window.sinew.state())));
	}

	frame() {
		return this.page.evaluate(() => window.sinew.frame());
	}

	/** Waits until the newest frame satisfies a test; gives that frame. */
	async frameWhere(test, timeout = 20_000) {
		const deadline = Date.now() + timeout;
		for (;;) {
			const frame = await this.frame();
			if (frame !== null && test(frame)) return frame;
			if (Date.now() > deadline) {
				const { pose, ...rest } = frame ?? {};
				throw new Error(`no frame came with ${test}; the last was ${JSON.stringify(rest)}`);
			}
			await this.page.waitForTimeout(30);
		}
	}

	/** The place of a joint by its part in a humanoid. */
	async jointOf(role) {
		const joint = (await this.state()).rig.joints.findIndex((other) => other.role === role);
		assert.notEqual(joint, -1, `the rig has a ${role}`);
		return joint;
	}

	/** Where a joint is on the screen. */
	/** Where a joint is on the screen, as soon as there is a picture: after a reload frames come before it. */
	async jointOnScreen(joint) {
		const place = await this.page.waitForFunction((joint) => {
			const p = window.sinew.frame()?.pose.positions;
			return p && window.sinew.project(p[3 * joint], p[3 * joint + 1], p[3 * joint + 2]);
		}, joint);
		return place.jsonValue();
	}

	async onScreen(place) {
		return this.page.evaluate((p) => window.sinew.project(...p), place);
	}

	/** Presses at a place on the screen, moves in steps, and lets go. */
	async drag([x, y], [dx, dy], steps = 12) {
		await this.page.mouse.move(x, y);
		await this.page.mouse.down();
		for (let i = 1; i <= steps; i += 1) {
			await this.page.mouse.move(x + (dx * i) / steps, y + (dy * i) / steps);
		}
		await this.page.mouse.up();
	}

	/** Drops a file on the page, as from the desktop. */
	drop(name, content) {
		return this.dropAll([[name, content]]);
	}

	/** Drops several files at once, each by its name and content. */
	async dropAll(files) {
		await this.page.evaluate(
			(all) => {
				const transfer = new DataTransfer();
				for (const [fileName, base64] of all) {
					const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
					transfer.items.add(new File([bytes], fileName));
				}
				for (const type of ["dragenter", "dragover", "drop"]) {
					document.body.dispatchEvent(
						new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }),
					);
				}
			},
			files.map(([name, content]) => [name, Buffer.from(content).toString("base64")]),
		);
	}

	/** Waits for words in a toast. */
	async toast(words) {
		await this.page.locator(".toast", { hasText: words }).first().waitFor({ timeout: 15_000 });
	}

	/** Chooses from the export menu; gives the name and the bytes of the download. */
	async export(item, format) {
		await this.page.getByRole("button", { name: "Export" }).click();
		const [download] = await Promise.all([
			this.page.waitForEvent("download"),
			this.page.locator(".menu .item", { hasText: item }).filter({ hasText: format }).first().click(),
		]);
		const stream = await download.createReadStream();
		const parts = [];
		for await (const part of stream) parts.push(part);
		return { name: download.suggestedFilename(), bytes: Buffer.concat(parts) };
	}
}

export function distance(a, b) {
	return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

export function jointIn(frame, joint) {
	return frame.pose.positions.slice(3 * joint, 3 * joint + 3);
}

/** Begins to keep every frame that the page gets; called with `false`, ends it and gives them. */
export function record(page, on = true) {
	return page.evaluate((begin) => {
		if (!begin) {
			window.recorded.stop = true;
			return window.recorded.frames;
		}
		const kept = { frames: [], stop: false };
		window.recorded = kept;
		const look = () => {
			const frame = window.sinew.frame();
			if (frame && kept.frames.at(-1)?.number !== frame.number) kept.frames.push(frame);
			if (!kept.stop) setTimeout(look, 2);
		};
		look();
		return null;
	}, on);
}

function turn([ax, ay, az, aw], [bx, by, bz, bw]) {
	const dot = Math.min(1, Math.abs(ax * bx + ay * by + az * bz + aw * bw));
	return (2 * Math.acos(dot) * 180) / Math.PI;
}

const quaternion = (frame, joint) => frame.pose.rotations.slice(4 * joint, 4 * joint + 4);

/** How a joint is turned from its parent. */
function local(frame, joints, joint) {
	const { parent } = joints[joint];
	const q = quaternion(frame, joint);
	if (parent === null) return q;
	const [x, y, z, w] = quaternion(frame, parent);
	const [a, b, c, d] = q;
	return [
		w * a - x * d - y * c + z * b,
		w * b + x * c - y * d - z * a,
		w * c - x * b + y * a - z * d,
		w * d + x * a + y * b + z * c,
	];
}

/** The largest turn of any joint from one frame to the next, in degrees for one step of the server. */
export function steepest(frames, joints) {
	let worst = { degrees: 0, joint: "" };
	for (let i = 1; i < frames.length; i += 1) {
		const steps = frames[i].number - frames[i - 1].number;
		joints.forEach(({ name }, joint) => {
			const degrees = turn(local(frames[i - 1], joints, joint), local(frames[i], joints, joint)) / steps;
			if (degrees > worst.degrees) worst = { degrees, joint: name };
		});
	}
	return worst;
}

/** The largest distance and the largest turn between the joints of two frames. */
export function poseDifference(a, b) {
	let [metres, degrees] = [0, 0];
	for (let joint = 0; joint < a.pose.positions.length / 3; joint += 1) {
		metres = Math.max(metres, distance(jointIn(a, joint), jointIn(b, joint)));
		degrees = Math.max(degrees, turn(quaternion(a, joint), quaternion(b, joint)));
	}
	return { metres, degrees };
}

export function median(values) {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[sorted.length >> 1] ?? Number.NaN;
}
