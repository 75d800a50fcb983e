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
 * A solver as it is chosen here, with its own options: the server follows what is dragged from frame to
 * frame, and lets the solver search from other starts when nothing moves and a goal is still unmet.
 */
export function choiceOf(solver: SolverInfo | undefined): SolverChoice {
	return { name: solver?.name ?? "", options: {} };
}
