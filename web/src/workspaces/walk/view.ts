// What belongs to looking at the walker and not to the walk: not part of the scene.

import { create } from "zustand";

export interface WalkView {
	/** Stays behind the walker, goes along with it, close to its feet, or stays where it is. */
	camera: "behind" | "along" | "feet" | "still";
	showPlants: boolean;
	/** The name of the gamepad that is connected. */
	gamepad: string | null;
}

export const useWalkView = create<WalkView>()(() => ({ camera: "behind", showPlants: true, gamepad: null }));
