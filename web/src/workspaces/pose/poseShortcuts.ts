import type { Shortcut } from "../../state/shortcuts";
import { setStudio, studio } from "../../state/store";
import { addGoal, changeGoal, removeGoal, togglePin } from "./goals";

const withTarget = (run: (id: string) => void) => () => {
	const id = studio().selectedTarget;
	if (id !== null) run(id);
};

const withJoint = (run: (joint: number) => void) => () => {
	const joint = studio().selectedJoint;
	if (joint !== null) run(joint);
};

export const poseShortcuts: Shortcut[] = [
	{ keys: "W", label: "Move with the gizmo", run: () => setStudio({ gizmo: "translate" }) },
	{ keys: "E", label: "Turn with the gizmo", run: () => setStudio({ gizmo: "rotate" }) },
	{ keys: "G", label: "Goal on the selected joint", run: withJoint(addGoal) },
	{ keys: "N", label: "Pin the selected joint, or let go", run: withJoint(togglePin) },
	{ keys: "Delete or Backspace", label: "Remove the selected goal", run: withTarget(removeGoal) },
	{
		keys: "X",
		label: "Switch the selected goal on or off",
		run: withTarget((id) => {
			const goal = studio().scenes.pose?.goals.find((other) => other.id === id);
			if (goal) changeGoal(id, "Switch goal", { enabled: !goal.enabled });
		}),
	},
];
