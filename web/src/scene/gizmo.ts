// The one gizmo of the picture: what it is on, and whether the pointer is on it, so that nothing else is taken there.
// Made anew for every selection it would leave its shapes behind on the graphics card.

import type { Object3D } from "three";
import { create } from "zustand";

interface Controls {
	axis: string | null;
	dragging: boolean;
	/** Finds the axis under the pointer; a finger comes down without having hovered. */
	getPointer?(event: PointerEvent): unknown;
	pointerHover?(pointer: unknown): void;
}

/** What the gizmo moves. */
export interface GizmoTarget {
	object: Object3D;
	mode: "translate" | "rotate";
	/** Rings and arrows along the object's own axes instead of the world's. */
	local?: boolean;
	onStart?(): void;
	onMove(): void;
	onEnd(): void;
}

export const useGizmo = create<{ target: GizmoTarget | null }>()(() => ({ target: null }));

/** Puts the gizmo on something; gives back how to take it away again. */
export function takeGizmo(target: GizmoTarget): () => void {
	useGizmo.setState({ target });
	return () => {
		if (useGizmo.getState().target === target) useGizmo.setState({ target: null });
	};
}

class Gizmo {
	private controls: Controls | null = null;

	/** For `ref`. */
	readonly hold = (controls: unknown): void => {
		this.controls = controls as Controls | null;
	};

	taken(event: PointerEvent): boolean {
		const { controls } = this;
		if (!controls || !useGizmo.getState().target) return false;
		if (event.type === "pointerdown" && event.pointerType === "touch" && controls.getPointer) {
			controls.pointerHover?.(controls.getPointer(event));
		}
		return controls.dragging || controls.axis !== null;
	}
}

export const gizmo = new Gizmo();
