/** Whether the system asks for pages that stand still. */
export function still(): boolean {
	return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}
