import { useScene } from "../../state/store";
import { Section } from "../../ui/controls";
import { GoalList } from "./GoalList";

export function PosePanel() {
	const scene = useScene("pose");
	return (
		<Section title="Goals" aside={scene.goals.length}>
			<GoalList />
		</Section>
	);
}
