// The swing plane to look at and to edit: click to add a key, drag to move it, Delete to remove it.

import { type PointerEvent, useEffect, useRef } from "react";
import { detailsOf, frames } from "../../state/frames";
import { editScene } from "../../state/session";
import { useScene, useStudio } from "../../state/store";
import { Segments } from "../../ui/controls";
import type { BehaviourDocument, Frame, SideName } from "../../wire";
import { addKey, moveKey, showKey } from "./editing";
import { fromPicture, goalOf, keyNear, toPicture, triangleAt } from "./swingPlane";

const SIZE = 260;
const REACH_OF_MOUSE = 9;
const REACH_OF_FINGER = 20;
const DRAG_BEGINS = 3;

/** The goal and the triangle that it lies in: moved from the frames, without React. */
function Goal({ behaviour, side }: { behaviour: BehaviourDocument; side: SideName }) {
	const mark = useRef<SVGGElement>(null);
	const triangle = useRef<SVGPolygonElement>(null);
	useEffect(() => {
		const draw = (frame: Frame | null) => {
			const goal = goalOf(detailsOf(frame, "reach"), side);
			mark.current?.setAttribute("visibility", goal ? "visible" : "hidden");
			triangle.current?.setAttribute("visibility", goal ? "visible" : "hidden");
			if (!goal) return;
			const { x, y } = toPicture(goal, SIZE);
			mark.current?.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
			const found = behaviour.triangles[triangleAt(behaviour, goal)];
			triangle.current?.setAttribute("points", found ? corners(behaviour, found) : "");
		};
		draw(frames.latest);
		return frames.subscribe(draw);
	}, [behaviour, side]);
	return (
		<>
			<polygon ref={triangle} className="blended" visibility="hidden" />
			<g ref={mark} className="goal-mark" visibility="hidden">
				<circle r="6" />
				<path d="M-10 0h6M4 0h6M0-10v6M0 4v6" />
			</g>
		</>
	);
}

function corners({ keys }: BehaviourDocument, triangle: readonly number[]): string {
	return triangle
		.map((key) => {
			const { x, y } = toPicture(keys[key]?.swing ?? [0, 0], SIZE);
			return `${x.toFixed(1)},${y.toFixed(1)}`;
		})
		.join(" ");
}

export function SwingPlaneEditor() {
	const scene = useScene("reach");
	const behaviour = useStudio((state) => state.behaviours[scene.side]);
	const svg = useRef<SVGSVGElement>(null);
	const press = useRef<{ key: number; x: number; y: number; moved: boolean } | null>(null);
	const at = (event: PointerEvent) => {
		const box = svg.current?.getBoundingClientRect();
		if (!box) return { x: 0, y: 0 };
		return {
			x: ((event.clientX - box.left) / box.width) * SIZE,
			y: ((event.clientY - box.top) / box.height) * SIZE,
		};
	};
	const down = (event: PointerEvent<SVGSVGElement>) => {
		if (!behaviour || event.button !== 0) return;
		const point = at(event);
		const reach = event.pointerType === "touch" ? REACH_OF_FINGER : REACH_OF_MOUSE;
		press.current = { key: keyNear(behaviour, point, SIZE, reach), ...point, moved: false };
		event.currentTarget.setPointerCapture(event.pointerId);
	};
	const move = (event: PointerEvent<SVGSVGElement>) => {
		const held = press.current;
		if (!held || !behaviour || held.key < 0 || behaviour.keys[held.key]?.outer) return;
		const point = at(event);
		held.moved ||= Math.hypot(point.x - held.x, point.y - held.y) > DRAG_BEGINS;
		if (held.moved) moveKey(held.key, fromPicture(point, SIZE));
	};
	const up = (event: PointerEvent<SVGSVGElement>) => {
		const held = press.current;
		press.current = null;
		if (!held || held.moved || !behaviour) return;
		const point = at(event);
		if (Math.hypot(point.x - held.x, point.y - held.y) > 2 * DRAG_BEGINS) return;
		if (held.key >= 0) showKey(scene.edit_key === held.key ? null : held.key);
		else void addKey(fromPicture(point, SIZE));
	};
	return (
		<section className="swing-card" aria-label="Swing plane">
			<header>
				<span>Swing plane</span>
				<Segments
					label="Side of the swing plane"
					value={scene.side}
					onChange={(side) =>
						editScene("reach", "Show the other side", (old) => ({ ...old, side, edit_key: null }))
					}
					options={[
						{ value: "left", label: "Left" },
						{ value: "right", label: "Right" },
					]}
				/>
			</header>
			{behaviour ? (
				<svg
					ref={svg}
					viewBox={`0 0 ${SIZE} ${SIZE}`}
					role="application"
					aria-label={`Swing plane of ${behaviour.name}: ${behaviour.keys.length} key postures, ${behaviour.triangles.length} triangles. Click to add a key, drag to move one, Delete removes the one that is chosen.`}
					onPointerDown={down}
					onPointerMove={move}
					onPointerUp={up}
					onPointerCancel={() => {
						press.current = null;
					}}
				>
					<title>As the character sees it. Click to add a key; drag to move one; click one to edit it.</title>
					<circle className="disk" cx={SIZE / 2} cy={SIZE / 2} r={SIZE / 2 - 1} />
					<circle className="ring" cx={SIZE / 2} cy={SIZE / 2} r={SIZE / 4} />
					<path className="ring" d={`M${SIZE / 2} 0v${SIZE}M0 ${SIZE / 2}h${SIZE}`} />
					{behaviour.triangles.map((triangle) => (
						<polygon key={triangle.join()} className="triangle" points={corners(behaviour, triangle)} />
					))}
					<Goal behaviour={behaviour} side={scene.side} />
					{behaviour.keys.map((key, i) => {
						const { x, y } = toPicture(key.swing, SIZE);
						const chosen = scene.edit_key === i;
						return key.outer ? (
							<rect
								key={i}
								className="key outer"
								data-chosen={chosen}
								x={Math.min(SIZE - 9, Math.max(1, x - 4))}
								y={Math.min(SIZE - 9, Math.max(1, y - 4))}
								width="8"
								height="8"
							/>
						) : (
							<circle
								key={i}
								className="key"
								data-chosen={chosen}
								data-key={i}
								cx={x}
								cy={y}
								r={chosen ? 6.5 : 5}
							/>
						);
					})}
					<text x={SIZE / 2 + 4} y="11">
						up
					</text>
					<text x={SIZE - 4} y={SIZE / 2 - 5} textAnchor="end">
						right
					</text>
					<text x="4" y={SIZE / 2 - 5}>
						left
					</text>
				</svg>
			) : (
				<p className="hint">No behaviour for this side.</p>
			)}
		</section>
	);
}
