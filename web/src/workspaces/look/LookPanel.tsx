import { Section } from "../../ui/controls";

export function LookPanel() {
	return (
		<Section title="Look">
			<p className="hint">Have a robot or a neck look at things, in a posture that speaks.</p>
		</Section>
	);
}
