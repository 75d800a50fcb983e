import { setStudio, useRig, useScene, useStudio } from "../../state/store";
import { Button, Toggle } from "../../ui/controls";
import { icons } from "../../ui/icons";
import { changeGoal, removeGoal } from "./goals";

export function GoalList() {
	const rig = useRig();
	const scene = useScene("pose");
	const selected = useStudio((state) => state.selectedTarget);
	return (
		<ul className="goals">
			{scene.goals.map((goal) => (
				<li key={goal.id} data-selected={goal.id === selected}>
					<Toggle
						hideLabel
						label={`${rig.joints[goal.joint]?.name} counts`}
						value={goal.enabled}
						onChange={(enabled) => changeGoal(goal.id, "Switch goal", { enabled })}
					/>
					<button
						type="button"
						className="goal-name"
						onClick={() => setStudio({ selectedTarget: goal.id, selectedJoint: goal.joint })}
					>
						{rig.joints[goal.joint]?.name}
					</button>
					<Button look="plain" label="Remove goal" icon={icons.trash} onClick={() => removeGoal(goal.id)} />
				</li>
			))}
		</ul>
	);
}
