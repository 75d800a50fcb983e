// What belongs to looking at it and not to the scene.

import { create } from "zustand";

export const useBodyView = create<{ showOriginal: boolean }>()(() => ({ showOriginal: true }));
