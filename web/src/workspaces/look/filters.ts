// The filter's characters, and which bounds hold.

import type { FilterSettings, MotionSample } from "../../wire";

export const PRESETS: Record<"light" | "usual" | "heavy", FilterSettings> = {
	light: { order: 3, velocity: 8, acceleration: 80, jerk: 3000, smoothness: 0, responsiveness: 0.95 },
	usual: { order: 3, velocity: 4, acceleration: 25, jerk: 400, smoothness: 0.3, responsiveness: 0.8 },
	heavy: { order: 3, velocity: 1.5, acceleration: 3, jerk: 12, smoothness: 0.6, responsiveness: 0.2 },
};

export type Preset = keyof typeof PRESETS | "own";

/** Which character the settings are. */
export function presetOf(settings: FilterSettings): Preset {
	const found = Object.entries(PRESETS).find(([, preset]) =>
		Object.entries(preset).every(([key, value]) => settings[key as keyof FilterSettings] === value),
	);
	return (found?.[0] as Preset | undefined) ?? "own";
}

/** The derivatives that are plotted, and the order from which a filter bounds each. */
export const DERIVATIVES = [
	{ key: "position", title: "Position", power: "", from: 0 },
	{ key: "velocity", title: "Velocity", power: "/s", from: 1 },
	{ key: "acceleration", title: "Acceleration", power: "/s²", from: 2 },
	{ key: "jerk", title: "Jerk", power: "/s³", from: 3 },
] as const satisfies readonly { key: keyof MotionSample; title: string; power: string; from: number }[];

/** The lines that a curve must not cross. */
export function boundsOf(
	key: (typeof DERIVATIVES)[number]["key"],
	filter: FilterSettings | null,
	range: [number, number] | null,
): number[] {
	if (key === "position") return range && range[1] - range[0] < 6.2 ? [...range] : [];
	const from = DERIVATIVES.find((derivative) => derivative.key === key)?.from ?? 0;
	if (!filter || filter.order < from) return [];
	return [-filter[key], filter[key]];
}
