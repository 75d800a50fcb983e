// The colours of the picture, by theme. The page's own are in `app/base.css`.

import { useSyncExternalStore } from "react";
import { useStudio } from "../state/store";

export interface Palette {
	background: string;
	grid: string;
	gridStrong: string;
	shadow: string;
	bone: string;
	joint: string;
	jointHover: string;
	selected: string;
	blocking: string;
	ghost: string;
	target: string;
	targetOff: string;
	pin: string;
	limit: string;
	obstacle: string;
	skin: string;
	eye: string;
	ground: string;
	/** The light on the floor around the character. */
	pool: string;
}

export const dark: Palette = {
	background: "#12151a",
	grid: "#232932",
	gridStrong: "#323b47",
	shadow: "#000000",
	bone: "#cfc9bb",
	joint: "#9aa4b2",
	jointHover: "#ffffff",
	selected: "#ffb054",
	blocking: "#ff5d5d",
	ghost: "#7c8cff",
	target: "#ff8a4c",
	targetOff: "#6d7683",
	pin: "#58c4a6",
	limit: "#58c4a6",
	obstacle: "#6d7f99",
	skin: "#d6cfc2",
	eye: "#14181e",
	ground: "#20262e",
	pool: "#3a4452",
};

export const light: Palette = {
	background: "#eef0f3",
	grid: "#dde1e7",
	gridStrong: "#c5ccd6",
	shadow: "#4a5260",
	bone: "#a49c8a",
	joint: "#6a7482",
	jointHover: "#101418",
	selected: "#d97706",
	blocking: "#d92c2c",
	ghost: "#5363e8",
	target: "#e2601c",
	targetOff: "#9aa3af",
	pin: "#12866a",
	limit: "#12866a",
	obstacle: "#8b9ab0",
	skin: "#c9c3b6",
	eye: "#2a3038",
	ground: "#d9dde3",
	pool: "#ffffff",
};

const query = typeof matchMedia === "function" ? matchMedia("(prefers-color-scheme: light)") : null;

/** Dark or light: what was chosen, or what the system prefers. */
export function useTheme(): "dark" | "light" {
	const chosen = useStudio((state) => state.theme);
	const prefersLight = useSyncExternalStore(
		(listener) => {
			query?.addEventListener("change", listener);
			return () => query?.removeEventListener("change", listener);
		},
		() => query?.matches ?? false,
	);
	if (chosen !== "auto") return chosen;
	return prefersLight ? "light" : "dark";
}

export function usePalette(): Palette {
	return useTheme() === "light" ? light : dark;
}
