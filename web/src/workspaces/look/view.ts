// What belongs to looking at it and not to the scene.

import { create } from "zustand";

export interface LookView {
	/** The target goes where the pointer is. */
	followPointer: boolean;
	showPosture: boolean;
	showWanted: boolean;
	showSight: boolean;
	showPlots: boolean;
}

export const useLookView = create<LookView>()(() => ({
	followPointer: false,
	showPosture: false,
	showWanted: true,
	showSight: true,
	showPlots: true,
}));
