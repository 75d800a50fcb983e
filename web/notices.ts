// The licences of the libraries in the page, as a file that travels with it.
//
// Vite can write such a file (build.license), but only from what a package brings: one of ours brings no
// text, and a decoder is copied into three.js from a library of its own. Their texts are in `notices/`,
// and a package without any text fails the build.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

const FILE = "third-party-notices.txt";
const GIVEN = join(dirname(fileURLToPath(import.meta.url)), "notices");

/** The folder of the package that a module belongs to, if it is somebody else's. */
function packageOf(module: string): string | undefined {
	return /^\0?(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/?]+)/.exec(module)?.[1];
}

/** What a package says of its licence: a heading and the text. */
function notice(folder: string): [string, string] {
	const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
	const file = readdirSync(folder).find((other) => /^licen[cs]e(\.(md|txt))?$/i.test(other));
	const given = join(GIVEN, `${name.replace("/", "-")}.txt`);
	const path = file ? join(folder, file) : given;
	if (!existsSync(path)) throw new Error(`${name} has no licence text; put it into ${given}`);
	return [`${name} ${version} (${license})`, readFileSync(path, "utf8")];
}

/** A part of a package that is somebody else's again: its heading is its first line. */
function part(file: string): [string, string] {
	const [heading, ...rest] = readFileSync(join(GIVEN, file), "utf8").split("\n");
	return [heading ?? "", rest.join("\n")];
}

export function notices(): Plugin {
	return {
		name: "third-party-notices",
		generateBundle(_options, bundle) {
			const modules = Object.values(bundle).flatMap((output) =>
				output.type === "chunk" ? output.moduleIds : [],
			);
			const folders = new Set(modules.map(packageOf).filter((folder) => folder !== undefined));
			const found = [...folders].map(notice);
			if (modules.some((module) => module.includes("meshopt_decoder"))) found.push(part("meshoptimizer.txt"));
			found.sort(([a], [b]) => (a < b ? -1 : 1));
			const sections = found.map(
				([heading, text]) => `## ${heading}\n\n${text.replaceAll("\r\n", "\n").trim()}\n`,
			);
			const source = `# Libraries in the studio's page, and their licences\n\n${sections.join("\n")}`;
			this.emitFile({ type: "asset", fileName: FILE, source });
		},
	};
}
