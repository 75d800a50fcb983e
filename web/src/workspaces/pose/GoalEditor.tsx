// What can be set of the selected goal.

import { useEffect, useState } from "react";
import type { V3 } from "../../maths";
import { live } from "../../state/live";
import { NumberField, Row, Segments, Slider } from "../../ui/controls";
import type { PoseGoal, TargetKind } from "../../wire";
import { changeGoal, jointNow } from "./goals";

const KINDS: readonly { value: TargetKind; label: string; title: string }[] = [
	{ value: "position", label: "Place", title: "The joint should be there" },
	{ value: "orientation", label: "Turn", title: "The joint should be turned so" },
	{ value: "pose", label: "Both", title: "The joint should be there, turned so" },
	{ value: "aim", label: "Aim", title: "The joint should point at it" },
];

/** As heavy as the feet: what is not dragged weighs 0.05, what is 1. */
const HEAVY = 30;

/** Milliseconds between two numbers of a goal that is dragged. */
const FOLLOWS = 80;

const AXES = ["x", "y", "z"] as const;

/** Where the goal is, also while it is dragged. */
function usePlace(goal: PoseGoal): V3 {
	const [place, setPlace] = useState<V3 | null>(null);
	useEffect(() => {
		let timer: ReturnType<typeof setTimeout> | null = null;
		const stop = live.subscribe(goal.id, () => {
			timer ??= setTimeout(() => {
				timer = null;
				setPlace(live.targets.get(goal.id)?.position ?? null);
			}, FOLLOWS);
		});
		return () => {
			stop();
			if (timer !== null) clearTimeout(timer);
		};
	}, [goal.id]);
	// Let go, it is where the scene has it.
	// biome-ignore lint/correctness/useExhaustiveDependencies: for every place of the scene
	useEffect(() => setPlace(null), [goal.position]);
	return place ?? goal.position;
}

export function GoalEditor({ goal }: { goal: PoseGoal }) {
	const place = usePlace(goal);
	const change = (label: string, part: Partial<PoseGoal>, merge?: string) =>
		changeGoal(goal.id, label, part, merge && `${goal.id} ${merge}`);
	const setKind = (kind: TargetKind) => {
		// A goal that begins to count its turn starts from how the joint is turned now.
		const turnsNow = kind === "orientation" || kind === "pose";
		const turnedBefore = goal.kind === "orientation" || goal.kind === "pose";
		const now = jointNow(goal.joint);
		change("Change goal", { kind, ...(turnsNow && !turnedBefore && now ? { rotation: now.rotation } : {}) });
	};
	return (
		<div className="card">
			<Segments label="What is wanted" value={goal.kind} options={KINDS} onChange={setKind} />
			{goal.kind !== "orientation" && (
				<Row label={goal.kind === "aim" ? "Aim at" : "Place"}>
					{AXES.map((axis, i) => (
						<NumberField
							key={axis}
							label={`${axis} in metres`}
							value={place[i] ?? 0}
							step={0.01}
							onChange={(value) => {
								const position: V3 = [...goal.position];
								position[i] = value;
								change("Move goal", { position }, "place");
							}}
						/>
					))}
					<span className="unit">m</span>
				</Row>
			)}
			{(goal.kind === "position" || goal.kind === "pose" || goal.kind === "aim") && (
				<Row label={goal.kind === "aim" ? "Weight" : "Place weight"}>
					<Slider
						label="Weight of the place"
						value={goal.position_weight}
						min={0}
						max={HEAVY}
						step={0.01}
						power={3}
						onChange={(value) => change("Weigh goal", { position_weight: value }, "place weight")}
					/>
				</Row>
			)}
			{goal.kind !== "position" && (
				<Row label="Turn weight">
					<Slider
						label="Weight of the turn"
						value={goal.orientation_weight}
						min={0}
						max={HEAVY}
						step={0.01}
						power={3}
						onChange={(value) => change("Weigh goal", { orientation_weight: value }, "turn weight")}
					/>
				</Row>
			)}
			<Row label="Priority" title="Goals of priority 0 come first; later ones use what freedom is left">
				<Segments
					label="Priority"
					value={String(goal.priority)}
					options={["0", "1", "2", "3"].map((value) => ({ value, label: value }))}
					onChange={(value) => change("Change priority", { priority: Number(value) })}
				/>
			</Row>
		</div>
	);
}
