// Whether the pointer is on a gizmo, so that nothing else is taken there.

interface Controls {
	axis: string | null;
	dragging: boolean;
}

class Gizmo {
	private controls: Controls | null = null;

	/** For `ref`. */
	readonly hold = (controls: unknown): void => {
		this.controls = controls as Controls | null;
	};

	taken(): boolean {
		return this.controls !== null && (this.controls.dragging || this.controls.axis !== null);
	}
}

export const gizmo = new Gizmo();
