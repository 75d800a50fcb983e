// Options of solvers: only what differs from the defaults is sent.

import type { SolverChoice, SolverInfo, SolverOption } from "../../wire";

/** `tolerance.position` as "Tolerance, position". */
export function optionLabel(path: string): string {
	const words = path.split(".").map((part) => part.replaceAll("_", " "));
	const text = words.join(", ");
	return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The choice with an option set, or forgotten if it is the default again. */
export function withOption(
	choice: SolverChoice,
	option: SolverOption,
	value: number | boolean | string,
): SolverChoice {
	const options = { ...choice.options };
	if (value === option.value) delete options[option.path];
	else options[option.path] = value;
	return { ...choice, options };
}

/**
 * A solver as it is chosen here. Searching from many other starts is for a pose
 * out of nothing; while something is dragged the last frame is the start, and a
 * search for what is out of reach would cost a hundred times the solve.
 */
export function choiceOf(solver: SolverInfo | undefined): SolverChoice {
	const searches = solver?.options.some((option) => option.path === "restarts") ?? false;
	return { name: solver?.name ?? "", options: searches ? { restarts: 0 } : {} };
}
