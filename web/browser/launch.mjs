// A real server and a real browser, for the journeys and the pictures.
//
// SINEW_BIN names the `sinew` program, which holds the page, and CHROMIUM the browser. SINEW_PAGE may name a
// folder with another page, such as Vite's dist/: then a change of the page needs no build of the program.

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { chromium } from "playwright-core";

const GL = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];

export function fail(words) {
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

const TOKEN = "journeys";

/** Starts the server and waits until it answers. */
export async function startServer() {
	const program = process.env.SINEW_BIN;
	if (!program || !existsSync(program)) fail("SINEW_BIN must name the sinew program.");
	const port = await freePort();
	const server = spawn(program, ["studio", "--no-open", "--port", String(port), "--token", TOKEN], {
		stdio: ["ignore", "pipe", "pipe"],
	});
	let said = "";
	server.stdout.on("data", (part) => {
		said += part;
	});
	server.stderr.on("data", (part) => {
		said += part;
	});
	const address = `http://127.0.0.1:${port}/?token=${TOKEN}`;
	const deadline = Date.now() + 15_000;
	for (;;) {
		if (server.exitCode !== null) fail(`The server ended at once:\n${said}`);
		const headers = { authorization: `Bearer ${TOKEN}` };
		const answer = await fetch(`http://127.0.0.1:${port}/`, { headers }).catch(() => null);
		if (answer?.ok) {
			const page = await answer.text();
			if (!page.includes('id="root"')) {
				server.kill("SIGTERM");
				fail("The server has no page.");
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

export function stopServer(server) {
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

/** A page that comes from nowhere may talk to this machine all the same. */
const FROM_FOLDER = process.env.SINEW_PAGE ? ["--disable-features=LocalNetworkAccessChecks"] : [];
const KINDS = { js: "text/javascript", css: "text/css", html: "text/html", svg: "image/svg+xml" };

/** Has pages come from a folder instead of from the program. */
async function servePage(context, folder) {
	await context.route(
		(address) => !/^\/(api|ws)/.test(address.pathname),
		async (route) => {
			const { pathname } = new URL(route.request().url());
			const path = join(folder, pathname === "/" ? "index.html" : pathname);
			if (pathname === "/") await route.fetch();
			const body = await readFile(path).catch(() => null);
			const contentType = KINDS[path.split(".").at(-1)] ?? "application/octet-stream";
			await (body === null ? route.continue() : route.fulfill({ body, contentType }));
		},
	);
	return context;
}

export async function startBrowser() {
	const browser = await launchBrowser();
	const folder = process.env.SINEW_PAGE;
	if (folder) {
		const newContext = browser.newContext.bind(browser);
		browser.newContext = async (options) => servePage(await newContext(options), folder);
	}
	return browser;
}

function launchBrowser() {
	const program =
		process.env.CHROMIUM ??
		["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
	if (!program || !existsSync(program)) fail("CHROMIUM must name a Chromium.");
	return chromium.launch({
		executablePath: program,
		args: [...GL, ...FROM_FOLDER, ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])],
	});
}
