// The picture as an image, and where things are in it. Filled in by the canvas when it is there.

import type { V3 } from "../maths";

export const picture: {
	take: (() => HTMLCanvasElement) | null;
	project: ((place: V3) => [number, number]) | null;
} = { take: null, project: null };

/** Downloads the picture as a PNG. */
export function savePicture(name: string): void {
	picture.take?.().toBlob((blob) => {
		if (!blob) return;
		const anchor = document.createElement("a");
		anchor.href = URL.createObjectURL(blob);
		anchor.download = name;
		anchor.click();
		setTimeout(() => URL.revokeObjectURL(anchor.href), 10_000);
	}, "image/png");
}

/** Where a place is on the screen, in CSS pixels. */
export function projected(place: V3): [number, number] | null {
	return picture.project?.(place) ?? null;
}
