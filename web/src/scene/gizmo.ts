// Whether the pointer is on a gizmo, so that nothing else is taken there.

interface Controls {
	axis: string | null;
	dragging: boolean;
	/** Finds the axis under the pointer; a finger comes down without having hovered. */
	getPointer?(event: PointerEvent): unknown;
	pointerHover?(pointer: unknown): void;
}

class Gizmo {
	private controls: Controls | null = null;

	/** For `ref`. */
	readonly hold = (controls: unknown): void => {
		this.controls = controls as Controls | null;
	};

	taken(event: PointerEvent): boolean {
		const { controls } = this;
		if (!controls) return false;
		if (event.type === "pointerdown" && event.pointerType === "touch" && controls.getPointer) {
			controls.pointerHover?.(controls.getPointer(event));
		}
		return controls.dragging || controls.axis !== null;
	}
}

export const gizmo = new Gizmo();
