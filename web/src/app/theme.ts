// Dark or light, as chosen; remembered in this browser.

import { type Studio, setStudio, studio } from "../state/store";

const KEY = "sinew.theme";
const NEXT = { auto: "dark", dark: "light", light: "auto" } as const;

export function recallTheme(): void {
	const kept = localStorage.getItem(KEY);
	if (kept === "dark" || kept === "light") setStudio({ theme: kept });
}

export function nextTheme(): void {
	const theme: Studio["theme"] = NEXT[studio().theme];
	localStorage.setItem(KEY, theme);
	setStudio({ theme });
}
