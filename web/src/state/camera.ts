// Where the camera is, for links; and where it should go when the next rig is shown.

import type { V3 } from "../maths";
import type { CameraPlace } from "./link";

interface CameraHolder {
	read(): CameraPlace;
	go(place: CameraPlace): void;
	/** Looks at the whole character again. */
	frame(): void;
	/** The same, but only if nobody has looked elsewhere meanwhile. */
	frameAgain(): void;
	/** Goes along with something that moves; the usual view stays the usual one. */
	carry(way: V3): void;
}

class Camera {
	holder: CameraHolder | null = null;
	/** Used instead of the usual view when the next rig is shown. */
	next: CameraPlace | null = null;
	/** What the character covers besides its joints: the corners of its mesh. */
	extent: V3[] = [];
	/** Called when the camera has come to rest somewhere else. */
	onRest: (() => void) | null = null;

	/** The mesh is there; the usual view shows it whole. */
	widen(extent: V3[]): void {
		this.extent = extent;
		this.holder?.frameAgain();
	}

	read(): CameraPlace | null {
		return this.holder?.read() ?? null;
	}
}

export const camera = new Camera();
