// Keyboard shortcuts: the shell's and those of the workspace shown.

export interface Shortcut {
	/** Such as `Ctrl+Shift+Z`, `W`, `?`, `Delete`. */
	keys: string;
	label: string;
	run(): void;
}

/** A key event in the same notation. */
export function keysOf(
	event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">,
): string {
	const key = event.key.length === 1 ? event.key.toUpperCase() : event.key;
	const named = key === " " ? "Space" : key;
	// Shift is already in signs such as `?`.
	const shift = event.shiftKey && (named.length > 1 || /[A-Z0-9]/.test(named));
	return [
		event.ctrlKey || event.metaKey ? "Ctrl" : null,
		event.altKey ? "Alt" : null,
		shift ? "Shift" : null,
		named,
	]
		.filter((part) => part !== null)
		.join("+");
}

/** Whether keys typed there are text. */
export function takesText(target: EventTarget | null): boolean {
	if (!target || !("tagName" in target)) return false;
	const element = target as HTMLElement;
	if (element.tagName === "TEXTAREA" || element.isContentEditable) return true;
	if (element.tagName !== "INPUT") return false;
	return !["checkbox", "radio", "range", "button", "file", "color"].includes(
		(element as HTMLInputElement).type,
	);
}

/** Whether the control that has the focus needs the key itself: arrows on a slider, Space on a button. */
export function controlTakes(event: Pick<KeyboardEvent, "key" | "target" | "ctrlKey" | "metaKey">): boolean {
	const { key, target } = event;
	if (!target || !("tagName" in target) || event.ctrlKey || event.metaKey) return false;
	const { tagName, type } = target as HTMLInputElement;
	// A list jumps to what is typed.
	if (tagName === "SELECT") return key.length === 1 || /^(Arrow|Home|End|Page|Enter)/.test(key);
	if (tagName === "INPUT" && type === "range") return /^(Arrow|Home|End|Page)/.test(key);
	if (tagName === "BUTTON" || tagName === "SUMMARY" || tagName === "INPUT" || tagName === "A")
		return key === " " || key === "Enter" || (type === "radio" && key.startsWith("Arrow"));
	return false;
}

/** The first shortcut that fits the event. */
export function shortcutFor(event: KeyboardEvent, shortcuts: readonly Shortcut[]): Shortcut | null {
	if (takesText(event.target) || controlTakes(event)) return null;
	const keys = keysOf(event);
	return shortcuts.find((shortcut) => shortcut.keys.split(" or ").includes(keys)) ?? null;
}
