// From keys, a gamepad or the stick on the screen to the walker's controls. No listening here.

import { clamp } from "../../maths";

/** Each from -1 to 1: forward, and to the left. */
export interface Controls {
	speed: number;
	turn: number;
}

export const STILL: Controls = { speed: 0, turn: 0 };

/** By `KeyboardEvent.code`, so that the keys lie where they should on any layout. */
const KEYS: Record<string, Controls> = {
	KeyW: { speed: 1, turn: 0 },
	ArrowUp: { speed: 1, turn: 0 },
	KeyS: { speed: -1, turn: 0 },
	ArrowDown: { speed: -1, turn: 0 },
	KeyA: { speed: 0, turn: 1 },
	ArrowLeft: { speed: 0, turn: 1 },
	KeyD: { speed: 0, turn: -1 },
	ArrowRight: { speed: 0, turn: -1 },
};

export function steers(code: string): boolean {
	return Object.hasOwn(KEYS, code);
}

/** What the held keys ask for. Shift walks slowly. */
export function fromKeys(held: ReadonlySet<string>, slow: boolean): Controls {
	let speed = 0;
	let turn = 0;
	for (const code of held) {
		speed += KEYS[code]?.speed ?? 0;
		turn += KEYS[code]?.turn ?? 0;
	}
	return { speed: clamp(speed, -1, 1) * (slow ? 0.5 : 1), turn: clamp(turn, -1, 1) };
}

const DEAD = 0.15;

/**
 * A stick's x (right) and y (down, as browsers have it), each from -1 to 1. Near the middle it is
 * still; from there on it grows from nothing, so that slow walking is possible.
 */
export function fromStick(x: number, y: number): Controls {
	const length = Math.hypot(x, y);
	if (!(length > DEAD)) return STILL;
	const share = Math.min(1, (length - DEAD) / (1 - DEAD)) / length;
	return { speed: clamp(-y * share, -1, 1), turn: clamp(-x * share, -1, 1) };
}

/** A gamepad in the standard layout: the left stick, the cross, or the right trigger for speed. */
export function fromGamepad(pad: Pick<Gamepad, "axes" | "buttons">): Controls {
	const pressed = (button: number) => pad.buttons[button]?.value ?? 0;
	const cross = {
		speed: pressed(12) - pressed(13),
		turn: pressed(14) - pressed(15),
	};
	const trigger = { speed: pressed(7) > DEAD ? pressed(7) : 0, turn: 0 };
	return strongest([fromStick(pad.axes[0] ?? 0, pad.axes[1] ?? 0), cross, trigger]);
}

/** Of each control, the one that is pushed furthest. */
export function strongest(all: readonly Controls[]): Controls {
	const pick = (read: (controls: Controls) => number) =>
		all.map(read).reduce((best, next) => (Math.abs(next) > Math.abs(best) ? next : best), 0);
	return { speed: pick((c) => c.speed), turn: pick((c) => c.turn) };
}

/** How long the server is not reminded, in milliseconds: it forgets the controls when it starts anew. */
const REMIND = 250;

/** Says when the controls are to be sent: when they change, and now and then while they are held. */
export class SteerClock {
	private last: Controls = STILL;
	private sent = 0;

	due(next: Controls, now: number): boolean {
		const changed =
			Math.abs(next.speed - this.last.speed) > 0.01 ||
			Math.abs(next.turn - this.last.turn) > 0.01 ||
			(isStill(next) && !isStill(this.last));
		if (!changed && (isStill(next) || now - this.sent < REMIND)) return false;
		this.last = next;
		this.sent = now;
		return true;
	}
}

function isStill({ speed, turn }: Controls): boolean {
	return speed === 0 && turn === 0;
}
