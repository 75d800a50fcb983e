// Listens to keys and gamepads while the Walk workspace is shown.

import { useEffect } from "react";
import { steer } from "../../state/session";
import { controlTakes, takesText } from "../../state/shortcuts";
import { type Controls, fromGamepad, fromKeys, STILL, SteerClock, steers, strongest } from "./steering";
import { useWalkView } from "./view";

/** The stick on the screen; it is moved by `Stick`. */
export const screenStick: { controls: Controls } = { controls: STILL };

export function useSteering(): void {
	useEffect(() => {
		const held = new Set<string>();
		let slow = false;
		const clock = new SteerClock();
		const down = (event: KeyboardEvent) => {
			slow = event.shiftKey;
			if (!steers(event.code) || event.ctrlKey || event.metaKey || event.altKey) return;
			if (takesText(event.target) || controlTakes(event)) return;
			event.preventDefault();
			held.add(event.code);
		};
		const up = (event: KeyboardEvent) => {
			slow = event.shiftKey;
			held.delete(event.code);
		};
		// Keys let go while another window has the keyboard are never heard of.
		const letGo = () => held.clear();
		let waiting = 0;
		const look = (now: number) => {
			waiting = requestAnimationFrame(look);
			const pads = navigator.getGamepads?.().filter((pad) => pad?.connected) ?? [];
			const name = pads.find((pad) => pad)?.id ?? null;
			if (name !== useWalkView.getState().gamepad) useWalkView.setState({ gamepad: name });
			const next = strongest([
				fromKeys(held, slow),
				screenStick.controls,
				...pads.map((pad) => (pad ? fromGamepad(pad) : STILL)),
			]);
			if (clock.due(next, now)) steer(next.speed, next.turn);
		};
		waiting = requestAnimationFrame(look);
		window.addEventListener("keydown", down);
		window.addEventListener("keyup", up);
		window.addEventListener("blur", letGo);
		document.addEventListener("visibilitychange", letGo);
		return () => {
			cancelAnimationFrame(waiting);
			window.removeEventListener("keydown", down);
			window.removeEventListener("keyup", up);
			window.removeEventListener("blur", letGo);
			document.removeEventListener("visibilitychange", letGo);
			screenStick.controls = STILL;
		};
	}, []);
}
