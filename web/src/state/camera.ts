// Where the camera is, for links; and where it should go when the next rig is shown.

import type { CameraPlace } from "./link";

interface CameraHolder {
	read(): CameraPlace;
	go(place: CameraPlace): void;
	/** Looks at the whole character again. */
	frame(): void;
}

class Camera {
	holder: CameraHolder | null = null;
	/** Used instead of the usual view when the next rig is shown. */
	next: CameraPlace | null = null;
	/** Called when the camera has come to rest somewhere else. */
	onRest: (() => void) | null = null;

	read(): CameraPlace | null {
		return this.holder?.read() ?? null;
	}
}

export const camera = new Camera();
