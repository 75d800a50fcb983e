import { Section } from "../../ui/controls";

export function WalkPanel() {
	return (
		<Section title="Walk">
			<p className="hint">Walk over slopes, stairs and hills.</p>
		</Section>
	);
}
