import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { assert } from "../studio.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const SEEN = [
	["humanoid", "Pose"],
	["humanoid", "Reach"],
	["humanoid", "Body"],
	["humanoid", "Walk"],
	["erik-c", "Look"],
];

/** What axe-core objects to, one line each. */
async function violations(page) {
	await page.evaluate(axe);
	const found = await page.evaluate(async () => (await window.axe.run()).violations);
	return found.flatMap(({ id, help, nodes }) =>
		nodes.map((node) => `${id}: ${help}: ${node.target.join(" ")}\n  ${node.html}`),
	);
}

export default {
	name: "axe-core finds nothing in any workspace, light and dark; arrows go through the tabs, Escape closes help",
	async run(studio, page) {
		await studio.open();
		await page.getByRole("tab", { name: "Pose", exact: true }).focus();
		await page.keyboard.press("ArrowRight");
		await page.waitForFunction(() => window.sinew.frame()?.details.workspace === "reach");
		assert.equal(await page.locator(":focus").innerText(), "Reach");
		await page.keyboard.press("ArrowLeft");
		const found = new Set();
		const look = async (where) => {
			for (const words of await violations(page)) found.add(`${where}: ${words}`);
		};
		for (const scheme of ["dark", "light"]) {
			await page.emulateMedia({ colorScheme: scheme });
			for (const [rig, workspace] of SEEN) {
				const { source } = (await studio.state()).rig;
				if (source.name !== rig) await studio.chooseRig(rig);
				await studio.showWorkspace(workspace);
				await look(`${workspace}, ${scheme}`);
			}
			await page.getByRole("button", { name: "Choose a rig" }).click();
			await look(`rigs, ${scheme}`);
			await page.keyboard.press("Escape");
			await page.keyboard.press("?");
			await look(`help, ${scheme}`);
			await page.keyboard.press("Escape");
			assert.equal(await page.locator("dialog:modal").count(), 0, "help is closed");
		}
		assert.deepEqual([...found], []);
	},
};
