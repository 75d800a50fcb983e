// A stick on the screen, for fingers; a mouse may use it too.

import { type PointerEvent, useRef } from "react";
import { fromStick, STILL } from "./steering";
import { screenStick } from "./useSteering";

const REACH = 34;

export function Stick() {
	const knob = useRef<HTMLSpanElement>(null);
	const show = (x: number, y: number) => {
		if (knob.current) knob.current.style.transform = `translate(${REACH * x}px, ${REACH * y}px)`;
	};
	const move = (event: PointerEvent<HTMLDivElement>) => {
		const box = event.currentTarget.getBoundingClientRect();
		const x = (event.clientX - box.left - box.width / 2) / REACH;
		const y = (event.clientY - box.top - box.height / 2) / REACH;
		const length = Math.max(1, Math.hypot(x, y));
		show(x / length, y / length);
		screenStick.controls = fromStick(x / length, y / length);
	};
	const letGo = () => {
		show(0, 0);
		screenStick.controls = STILL;
	};
	return (
		<div
			className="stick"
			role="application"
			aria-label="Stick to steer with; or use W, A, S, D or the arrow keys"
			title="Drag to walk; or W, A, S, D, the arrow keys, or a gamepad"
			onPointerDown={(event) => {
				event.currentTarget.setPointerCapture(event.pointerId);
				move(event);
			}}
			onPointerMove={(event) => event.buttons !== 0 && move(event)}
			onPointerUp={letGo}
			onPointerCancel={letGo}
			onLostPointerCapture={letGo}
		>
			<svg viewBox="0 0 100 100" aria-hidden="true">
				<path d="M50 9l6 8H44zM50 91l6-8H44zM9 50l8-6v12zM91 50l-8-6v12z" fill="currentColor" />
			</svg>
			<span ref={knob} />
		</div>
	);
}
