// Taking hold of things in the picture. Small points are hard to hit exactly,
// so whatever is nearest to the pointer on the screen is taken, within a reach
// that is larger for fingers.

import { type Camera, Plane, Raycaster, Vector2, Vector3 } from "three";

export interface DragMoves {
	/** The pointer moved: its ray into the scene. */
	move(ray: Raycaster, event: PointerEvent): void;
	/** It was let go; `cancelled` if by Escape or by the system. */
	end(cancelled: boolean): void;
}

export interface Pickable {
	/** What the browser tests call it. */
	name?: string;
	/** Where it is in the scene; `false` if it cannot be taken now. */
	place(out: Vector3): boolean;
	/** For a thing with a body, rather than a point: whether the ray meets it. Points are preferred. */
	hits?(ray: Raycaster): boolean;
	/** Extra pixels around the pointer. */
	reach?: number;
	/** Among things in reach, a higher one wins over a nearer one. */
	rank?: number;
	/** What the pointer looks like over it. */
	cursor?: string;
	onHover?(over: boolean): void;
	onClick?(event: PointerEvent): void;
	onDoubleClick?(ray: Raycaster, event: PointerEvent): void;
	/** A drag begins, after a few pixels of movement. `null` leaves it to the camera. */
	onDrag?(ray: Raycaster, event: PointerEvent): DragMoves | null;
}

const REACH_OF_MOUSE = 11;
const REACH_OF_FINGER = 24;
const DRAG_BEGINS = 3;
/** Two clicks within this many milliseconds are a double one. */
const DOUBLE = 400;

const pickables = new Set<Pickable>();

export function addPickable(pickable: Pickable): () => void {
	pickables.add(pickable);
	return () => {
		pickables.delete(pickable);
	};
}

const scratch = new Vector3();

/** Where the thing of that name is in the scene, if it can be taken now. */
export function placeOfPickable(name: string): [number, number, number] | null {
	for (const pickable of pickables) {
		if (pickable.name === name && pickable.place(scratch)) return scratch.toArray();
	}
	return null;
}

export function namesOfPickables(): string[] {
	return [...pickables].flatMap(({ name, place }) => (name && place(scratch) ? [name] : []));
}

export function raycasterAt(event: PointerEvent, element: HTMLElement, camera: Camera): Raycaster {
	const box = element.getBoundingClientRect();
	const raycaster = new Raycaster();
	raycaster.setFromCamera(
		new Vector2(
			((event.clientX - box.left) / box.width) * 2 - 1,
			1 - ((event.clientY - box.top) / box.height) * 2,
		),
		camera,
	);
	return raycaster;
}

/** What the pointer is over. */
export function pickAt(event: PointerEvent, element: HTMLElement, camera: Camera): Pickable | null {
	const box = element.getBoundingClientRect();
	const reach = event.pointerType === "touch" ? REACH_OF_FINGER : REACH_OF_MOUSE;
	let best: Pickable | null = null;
	let bestScore = Infinity;
	let ray: Raycaster | null = null;
	for (const pickable of pickables) {
		if (!pickable.place(scratch)) continue;
		if (pickable.hits) {
			ray ??= raycasterAt(event, element, camera);
			const score = 500 - 1000 * (pickable.rank ?? 0);
			if (score < bestScore && pickable.hits(ray)) {
				best = pickable;
				bestScore = score;
			}
			continue;
		}
		scratch.project(camera);
		if (scratch.z < -1 || scratch.z > 1) continue;
		const x = box.left + ((scratch.x + 1) / 2) * box.width;
		const y = box.top + ((1 - scratch.y) / 2) * box.height;
		const far = Math.hypot(event.clientX - x, event.clientY - y);
		if (far > reach + (pickable.reach ?? 0)) continue;
		// Depth settles between points that cover each other.
		const score = far + scratch.z - 1000 * (pickable.rank ?? 0);
		if (score < bestScore) {
			best = pickable;
			bestScore = score;
		}
	}
	return best;
}

/**
 * Moves over the plane that faces the camera through a point: gives the moved
 * place, keeping the distance between the pointer and the point it took.
 */
export function facingPlane(
	camera: Camera,
	through: Vector3,
	ray: Raycaster,
): (ray: Raycaster) => Vector3 | null {
	const normal = camera.getWorldDirection(new Vector3()).negate();
	const plane = new Plane().setFromNormalAndCoplanarPoint(normal, through);
	const taken = ray.ray.intersectPlane(plane, new Vector3()) ?? through.clone();
	const offset = through.clone().sub(taken);
	return (next) => next.ray.intersectPlane(plane, new Vector3())?.add(offset) ?? null;
}

interface PointerOptions {
	element: HTMLElement;
	camera(): Camera;
	/** Whether something else, such as a gizmo, has the pointer. */
	taken(event: PointerEvent): boolean;
	/** The camera must not turn while something is dragged. */
	holdCamera(hold: boolean): void;
	/** Clicked where nothing is. */
	onMiss(event: PointerEvent): void;
}

/** Listens on the canvas; gives back how to stop. */
export function watchPointer(options: PointerOptions): () => void {
	const { element } = options;
	let hovered: Pickable | null = null;
	let pressed: { pickable: Pickable | null; event: PointerEvent } | null = null;
	let dragging: DragMoves | null = null;
	let lastClick: { pickable: Pickable | null; time: number } = { pickable: null, time: 0 };

	const hover = (next: Pickable | null) => {
		if (next === hovered) return;
		hovered?.onHover?.(false);
		hovered = next;
		hovered?.onHover?.(true);
		element.style.cursor = hovered ? (hovered.cursor ?? "pointer") : "";
	};
	const release = (cancelled: boolean) => {
		dragging?.end(cancelled);
		dragging = null;
		pressed = null;
		options.holdCamera(false);
	};
	const down = (event: PointerEvent) => {
		if (!event.isPrimary || event.button !== 0 || options.taken(event)) return;
		const pickable = pickAt(event, element, options.camera());
		pressed = { pickable, event };
		if (pickable?.onDrag) options.holdCamera(true);
	};
	const move = (event: PointerEvent) => {
		if (!event.isPrimary) return;
		if (dragging) return;
		if (!pressed) {
			if (event.buttons === 0 && event.pointerType !== "touch") {
				hover(options.taken(event) ? null : pickAt(event, element, options.camera()));
			}
			return;
		}
		const far = Math.hypot(event.clientX - pressed.event.clientX, event.clientY - pressed.event.clientY);
		if (far < DRAG_BEGINS || !pressed.pickable?.onDrag) return;
		const begun = pressed.pickable.onDrag(
			raycasterAt(pressed.event, element, options.camera()),
			pressed.event,
		);
		if (!begun) {
			release(true);
			return;
		}
		dragging = begun;
		element.setPointerCapture(event.pointerId);
		dragging.move(raycasterAt(event, element, options.camera()), event);
	};
	const up = (event: PointerEvent) => {
		if (!event.isPrimary || !pressed) return;
		const wasPressed = pressed;
		const wasDragging = dragging !== null;
		release(false);
		if (wasDragging) return;
		const far = Math.hypot(
			event.clientX - wasPressed.event.clientX,
			event.clientY - wasPressed.event.clientY,
		);
		if (far > 2 * DRAG_BEGINS) return;
		const { pickable } = wasPressed;
		const again = lastClick.pickable === pickable && event.timeStamp - lastClick.time < DOUBLE;
		lastClick = { pickable: again ? null : pickable, time: event.timeStamp };
		if (!pickable) options.onMiss(event);
		else if (again && pickable.onDoubleClick) {
			pickable.onDoubleClick(raycasterAt(event, element, options.camera()), event);
		} else pickable.onClick?.(event);
	};
	const cancel = () => release(true);
	const key = (event: KeyboardEvent) => {
		if (event.key === "Escape" && dragging) release(true);
	};
	element.addEventListener("pointerdown", down, { capture: true });
	// Raw updates come at once, where moves wait for the next picture.
	const moved = "onpointerrawupdate" in element ? "pointerrawupdate" : "pointermove";
	const drag = (event: Event) => {
		if (dragging && (event as PointerEvent).isPrimary) {
			dragging.move(raycasterAt(event as PointerEvent, element, options.camera()), event as PointerEvent);
		}
	};
	element.addEventListener("pointermove", move);
	element.addEventListener(moved, drag);
	element.addEventListener("pointerup", up);
	element.addEventListener("pointercancel", cancel);
	window.addEventListener("keydown", key);
	return () => {
		element.removeEventListener("pointerdown", down, { capture: true });
		element.removeEventListener("pointermove", move);
		element.removeEventListener(moved, drag);
		element.removeEventListener("pointerup", up);
		element.removeEventListener("pointercancel", cancel);
		window.removeEventListener("keydown", key);
		element.style.cursor = "";
	};
}
