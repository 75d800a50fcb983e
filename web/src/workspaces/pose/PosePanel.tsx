import { useScene, useStudio } from "../../state/store";
import { Section } from "../../ui/controls";
import { GoalEditor } from "./GoalEditor";
import { GoalList } from "./GoalList";
import { JointEditor } from "./JointEditor";
import "./pose.css";
import { Readout } from "./Readout";
import { SolverEditor } from "./SolverEditor";

export function PosePanel() {
	const scene = useScene("pose");
	const selectedGoal = useStudio((state) =>
		state.scenes.pose?.goals.find((goal) => goal.id === state.selectedTarget),
	);
	const joint = useStudio((state) => state.selectedJoint);
	return (
		<>
			<Section title="Result">
				<Readout />
			</Section>
			<Section title="Goals" aside={scene.goals.filter((goal) => goal.enabled).length}>
				<GoalList />
				{selectedGoal && <GoalEditor goal={selectedGoal} />}
			</Section>
			<Section title="Joint" aside={joint === null ? "none selected" : undefined}>
				<JointEditor />
			</Section>
			<Section title="Solver" aside={scene.solver.name}>
				<SolverEditor />
			</Section>
		</>
	);
}
