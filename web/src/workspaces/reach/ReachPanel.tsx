import { Section } from "../../ui/controls";

export function ReachPanel() {
	return (
		<Section title="Reach">
			<p className="hint">Reach with one or both hands, around what stands in the way.</p>
		</Section>
	);
}
