import { Section } from "../../ui/controls";

export function BodyPanel() {
	return (
		<Section title="Body">
			<p className="hint">Drive a whole body from a few points, or rebuild a motion from them.</p>
		</Section>
	);
}
