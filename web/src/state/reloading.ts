// The scene of a page that is reloaded. The address is written a moment after a change; a reload that comes sooner
// finds the scene here, in this tab's own storage, beside the address it was left with.

import { readSnapshot, type Snapshot } from "./link";

const KEY = "sinew-reloading";

/** Keeps the scene of a page that is being left. */
export function keepForReload(snapshot: Snapshot): void {
	try {
		sessionStorage.setItem(KEY, JSON.stringify({ address: location.href, snapshot }));
	} catch {
		// Too large, or no storage allowed: the address has what was written last.
	}
}

/** The scene that was left at this very address; `null` if the page is not a reloaded one. It is given once. */
export function recallReloaded(): Snapshot | null {
	try {
		const text = sessionStorage.getItem(KEY);
		sessionStorage.removeItem(KEY);
		const kept = text ? (JSON.parse(text) as { address?: string; snapshot?: Partial<Snapshot> }) : null;
		return kept?.address === location.href ? readSnapshot(kept.snapshot) : null;
	} catch {
		return null;
	}
}
