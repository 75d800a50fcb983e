// Runs the journeys in Chromium against a real server: `npm run test:browser [NAME…] [-- --soak]`; see
// `launch.mjs` for what it needs. Every file in `journeys/` is one; each gets a page of its own.

import { mkdirSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { fail, startBrowser, startServer, stopServer } from "./launch.mjs";
import { Studio } from "./studio.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const LONGEST_JOURNEY = 90_000;

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
				timer = setTimeout(() => reject(new Error("it took too long")), journey.longest ?? LONGEST_JOURNEY);
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

const wanted = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const files = readdirSync(join(here, "journeys"))
	.filter(
		(file) => file.endsWith(".mjs") && (wanted.length === 0 || wanted.some((name) => file.includes(name))),
	)
	.sort();
if (files.length === 0) fail("There is no journey of that name.");

const { server, address, said } = await startServer();
const browser = await startBrowser();
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
