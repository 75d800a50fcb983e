import { detailsOf, useSampled } from "../../state/frames";
import { setStudio, useRig, useScene, useStudio } from "../../state/store";
import { Button, Toggle } from "../../ui/controls";
import { icons } from "../../ui/icons";
import { addGoal, changeGoal, removeGoal, togglePin } from "./goals";
import { angleParts, lengthParts } from "./words";
import "../../ui/list.css";

export function GoalList() {
	const rig = useRig();
	const scene = useScene("pose");
	const selected = useStudio((state) => state.selectedTarget);
	const joint = useStudio((state) => state.selectedJoint);
	const errors = useSampled((frame) => detailsOf(frame, "pose")?.goals ?? [], 6);
	const errorOf = (id: string, turns: boolean) => {
		const error = errors.find((other) => other.id === id);
		if (!error) return "";
		return (turns ? angleParts(error.orientation) : lengthParts(error.position)).join(" ");
	};
	const free = joint !== null && !scene.goals.some((goal) => goal.joint === joint) ? joint : null;
	return (
		<>
			<ul className="goals">
				{scene.goals.map((goal) => {
					const name = rig.joints[goal.joint]?.name ?? goal.id;
					return (
						<li key={goal.id} data-selected={goal.id === selected}>
							<Toggle
								hideLabel
								label={`${name} counts`}
								value={goal.enabled}
								onChange={(enabled) => changeGoal(goal.id, "Switch goal", { enabled })}
							/>
							<button
								type="button"
								className="goal-name"
								aria-pressed={goal.id === selected}
								onClick={() =>
									setStudio(
										goal.id === selected
											? { selectedTarget: null }
											: { selectedTarget: goal.id, selectedJoint: goal.joint },
									)
								}
							>
								{name}
							</button>
							<span className="goal-error">
								{goal.enabled ? errorOf(goal.id, goal.kind === "orientation" || goal.kind === "aim") : "off"}
							</span>
							<Button
								look="plain"
								label={`Remove the goal on ${name}`}
								icon={icons.trash}
								onClick={() => removeGoal(goal.id)}
							/>
						</li>
					);
				})}
				{scene.pins.map((pin) => (
					<li key={`pin ${pin}`}>
						<span className="pin-mark" title="Pinned">
							{icons.pin}
						</span>
						<button
							type="button"
							className="goal-name"
							onClick={() => setStudio({ selectedJoint: pin, selectedTarget: null })}
						>
							{rig.joints[pin]?.name}
						</button>
						<span className="goal-error">pinned</span>
						<Button
							look="plain"
							label={`Let go of ${rig.joints[pin]?.name}`}
							icon={icons.trash}
							onClick={() => togglePin(pin)}
						/>
					</li>
				))}
			</ul>
			{free !== null ? (
				<Button icon={icons.plus} title="Goal on the selected joint (G)" onClick={() => addGoal(free)}>
					Goal on {rig.joints[free]?.name}
				</Button>
			) : (
				<p className="hint">Drag any joint in the picture to give it a goal.</p>
			)}
		</>
	);
}
