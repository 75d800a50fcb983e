// `window.sinew`: what the browser tests read. It changes nothing.

import { namesOfPickables, placeOfPickable } from "../scene/pick";
import { picture, projected } from "../scene/picture";
import { camera } from "../state/camera";
import { frames } from "../state/frames";
import { latency } from "../state/latency";
import { studio } from "../state/store";

export function installTestHook(): void {
	Object.defineProperty(window, "sinew", {
		value: Object.freeze({
			/** The last frame. */
			frame: () => frames.latest,
			/** Frames that came, ever. */
			frameCount: () => frames.count,
			/** Pictures over the last second. */
			fps: () => latency.rate(),
			/** Milliseconds from pointer event to picture, oldest first. */
			latency: () => [...latency.samples],
			state: () => studio(),
			camera: () => camera.read(),
			/** Where a place in the scene is on the screen, in CSS pixels. */
			project: (x: number, y: number, z: number) => projected([x, y, z]),
			/** Where something to take hold of is on the screen: `target ID`, `joint NAME`, `handle N`. */
			find: (name: string) => {
				const place = placeOfPickable(name);
				return place && projected(place);
			},
			/** The names of what can be taken hold of now. */
			targets: () => namesOfPickables(),
			/** Where a node of the rig's file is drawn; joints are nodes too. */
			drawn: (name: string) => picture.place?.(name) ?? null,
			/** What the graphics hold. */
			gpu: () => picture.held?.() ?? { geometries: 0, textures: 0 },
		}),
	});
}
