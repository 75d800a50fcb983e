// Runs the journeys in Chromium against a real server: `npm run test:browser [NAME…]`.
//
// SINEW_BIN names the `sinew` program (its page must have been built), CHROMIUM the
// browser. Every file in `journeys/` is one; each gets a page of its own.

import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { Studio } from "./studio.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const LONGEST_JOURNEY = 90_000;
const GL = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];

function fail(words) {
	process.stderr.write(`${words}\n`);
	process.exit(1);
}

function freePort() {
	return new Promise((resolve, reject) => {
		const probe = createServer();
		probe.once("error", reject);
		probe.listen(0, "127.0.0.1", () => {
			const { port } = probe.address();
			probe.close(() => resolve(port));
		});
	});
}

/** Starts the server and waits until it answers. */
async function startServer(program) {
	const port = await freePort();
	const server = spawn(program, ["studio", "--no-open", "--port", String(port)], {
		stdio: ["ignore", "pipe", "pipe"],
	});
	let said = "";
	server.stdout.on("data", (part) => {
		said += part;
	});
	server.stderr.on("data", (part) => {
		said += part;
	});
	const address = `http://127.0.0.1:${port}/`;
	const deadline = Date.now() + 15_000;
	for (;;) {
		if (server.exitCode !== null) fail(`The server ended at once:\n${said}`);
		const answer = await fetch(address).catch(() => null);
		if (answer?.ok) {
			const page = await answer.text();
			if (!page.includes('id="root"')) {
				server.kill("SIGTERM");
				fail("The server has no page: run `npm run build` first.");
			}
			return { server, address, said: () => said };
		}
		if (Date.now() > deadline) {
			server.kill("SIGKILL");
			fail(`The server does not answer:\n${said}`);
		}
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
}

function stopServer(server) {
	return new Promise((resolve) => {
		if (server.exitCode !== null) return resolve(server.exitCode);
		const timer = setTimeout(() => server.kill("SIGKILL"), 5000);
		server.once("exit", (code, signal) => {
			clearTimeout(timer);
			resolve(signal ?? code);
		});
		server.kill("SIGINT");
	});
}

async function runJourney(browser, address, journey) {
	const context = await browser.newContext({
		viewport: { width: 1280, height: 720 },
		colorScheme: "dark",
		acceptDownloads: true,
		...journey.context,
	});
	const page = await context.newPage();
	const faults = [];
	page.on("pageerror", (error) => faults.push(`the page failed: ${error.stack ?? error.message}`));
	page.on("console", (message) => {
		if (message.type() === "error") faults.push(`the console says: ${message.text()}`);
	});
	let timer;
	try {
		await Promise.race([
			journey.run(new Studio(page, address), page),
			new Promise((_, reject) => {
				timer = setTimeout(() => reject(new Error("it took too long")), LONGEST_JOURNEY);
			}),
		]);
		if (faults.length > 0) throw new Error(faults.join("\n"));
	} catch (error) {
		mkdirSync(join(here, "failures"), { recursive: true });
		const picture = join(here, "failures", `${journey.name.replace(/\W+/g, "-")}.png`);
		await page.screenshot({ path: picture, timeout: 10_000 }).catch(() => {});
		throw new Error([error.stack ?? error, ...faults, `picture: ${picture}`].join("\n"));
	} finally {
		clearTimeout(timer);
		await context.close().catch(() => {});
	}
}

const program = process.env.SINEW_BIN;
if (!program || !existsSync(program)) fail("SINEW_BIN must name the sinew program.");
const browserPath =
	process.env.CHROMIUM ??
	["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
if (!browserPath || !existsSync(browserPath)) fail("CHROMIUM must name a Chromium.");

const wanted = process.argv.slice(2);
const files = readdirSync(join(here, "journeys"))
	.filter(
		(file) => file.endsWith(".mjs") && (wanted.length === 0 || wanted.some((name) => file.includes(name))),
	)
	.sort();
if (files.length === 0) fail("There is no journey of that name.");

const { server, address, said } = await startServer(program);
const browser = await chromium.launch({
	executablePath: browserPath,
	args: [...GL, ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])],
});
let failures = 0;
try {
	for (const file of files) {
		const { default: journey } = await import(pathToFileURL(join(here, "journeys", file)).href);
		const began = Date.now();
		try {
			await runJourney(browser, address, journey);
			process.stdout.write(`ok      ${journey.name} (${((Date.now() - began) / 1000).toFixed(1)} s)\n`);
		} catch (error) {
			failures += 1;
			process.stdout.write(`FAILED  ${journey.name}\n${error.message}\n`);
		}
	}
} finally {
	await browser.close().catch(() => {});
	const ended = await stopServer(server);
	if (ended !== 0) {
		failures += 1;
		process.stdout.write(`FAILED  the server did not stop cleanly: ${ended}\n${said()}\n`);
	}
}
process.stdout.write(
	`${files.length - Math.min(failures, files.length)} of ${files.length} journeys passed\n`,
);
process.exit(failures === 0 ? 0 : 1);
