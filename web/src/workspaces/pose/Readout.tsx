// Live figures of the solver, and of the ghost beside it.

import { detailsOf, useSampled } from "../../state/frames";
import { useRig, useScene } from "../../state/store";
import { angleParts, lengthParts, microsParts } from "./words";

function Figure({ name, value }: { name: string; value: [string, string] | null }) {
	return (
		<div>
			<dt>{name}</dt>
			<dd>
				{value ? value[0] : "–"}
				<small>{value?.[1]}</small>
			</dd>
		</div>
	);
}

export function Readout() {
	const rig = useRig();
	const scene = useScene("pose");
	const shown = useSampled((frame) => {
		const details = detailsOf(frame, "pose");
		if (!details || !frame) return null;
		const { ghost } = details;
		return {
			reached: details.reached,
			goals: details.goals.length,
			cause: details.cause,
			blocking: details.blocking,
			position: details.position_error,
			orientation: details.orientation_error,
			iterations: details.iterations,
			micros: frame.micros,
			ghost: ghost && {
				position: ghost.position_error,
				orientation: ghost.orientation_error,
				iterations: ghost.iterations,
				micros: ghost.micros,
				cause: ghost.cause,
			},
		};
	}, 8);
	const rounds = (count: number | undefined): [string, string] | null =>
		count === undefined ? null : [String(count), ""];
	const blocking = shown?.blocking == null ? null : rig.joints[shown.blocking]?.name;
	return (
		<>
			<dl className="figures four">
				<Figure name="Position" value={shown && lengthParts(shown.position)} />
				<Figure name="Turn" value={shown && angleParts(shown.orientation)} />
				<Figure name="Iterations" value={rounds(shown?.iterations)} />
				<Figure name="Time" value={shown && microsParts(shown.micros)} />
			</dl>
			<p className="cause" data-good={shown?.reached ?? true}>
				{!shown
					? "Waiting for the first solve."
					: shown.goals === 0
						? "No goals yet."
						: shown.reached
							? "Every goal is met."
							: (shown.cause ?? "Not there yet.")}
				{blocking && <span className="blocking">{blocking}</span>}
			</p>
			{scene.ghost && (
				<>
					<p className="ghost-title">Ghost: {scene.ghost.name}</p>
					<dl className="figures four ghost">
						<Figure name="Position" value={shown?.ghost ? lengthParts(shown.ghost.position) : null} />
						<Figure name="Turn" value={shown?.ghost ? angleParts(shown.ghost.orientation) : null} />
						<Figure name="Iterations" value={rounds(shown?.ghost?.iterations)} />
						<Figure name="Time" value={shown?.ghost ? microsParts(shown.ghost.micros) : null} />
					</dl>
					{shown?.ghost?.cause && <p className="hint">{shown.ghost.cause}</p>}
				</>
			)}
		</>
	);
}
