// Style sheets lie beside the components that they are for. None is left behind when a component changes.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const here = fileURLToPath(new URL(".", import.meta.url));
const files = readdirSync(here, { recursive: true, encoding: "utf8" });
const read = (name: string) => readFileSync(join(here, name), "utf8");
const code = files
	.filter((name) => /(?<!\.test)\.tsx?$/.test(name))
	.map(read)
	.join("\n");
const sheets = files.filter((name) => name.endsWith(".css"));

describe("style sheets", () => {
	it("have no rule for a class that nothing has", () => {
		const dead = sheets.flatMap((name) => {
			const rules = read(name).replace(/\/\*[\s\S]*?\*\//g, "");
			const classes = new Set([...rules.matchAll(/\.([a-zA-Z][\w-]*)(?=[^{}]*\{)/g)].map(([, word]) => word));
			return [...classes]
				.filter((word) => !new RegExp(`(?<![\\w-])${word}(?![\\w-])`).test(code))
				.map((word) => `${name}: .${word}`);
		});
		expect(dead).toEqual([]);
	});

	it("are each asked for by a component, and short", () => {
		for (const name of sheets) {
			expect(code, name).toContain(`${name.split("/").at(-1)}"`);
			expect(read(name).split("\n").length, name).toBeLessThan(400);
		}
	});
});
