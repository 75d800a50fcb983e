// The outcome in words, and the swing plane.

import { useEffect } from "react";
import { detailsOf, useSampled } from "../../state/frames";
import { useScene, useStudio } from "../../state/store";
import { Button } from "../../ui/controls";
import { showKey } from "./editing";
import { SwingPlaneEditor } from "./SwingPlaneEditor";
import { sentence } from "./words";
import "./reach.css";

function Outcome() {
	const scene = useScene("reach");
	const { reached, outcome, ghost } = useSampled((frame) => {
		const details = detailsOf(frame, "reach");
		return {
			reached: details?.reached ?? true,
			outcome: details?.outcome ?? "",
			ghost: details?.ghost_outcome ?? null,
		};
	}, 8);
	if (scene.edit_key !== null) {
		return (
			<div className="outcome-card" data-state="editing" role="status">
				<strong>Key {scene.edit_key}: its posture</strong>
				<span className="hint">Drag joints to pull them, or choose one and turn it with the gizmo (E).</span>
				<Button look="primary" onClick={() => showKey(null)}>
					Back to reaching
				</Button>
			</div>
		);
	}
	if (outcome === "") return null;
	return (
		<div className="outcome-card" data-state={reached ? "good" : "bad"} role="status">
			<strong>{sentence(outcome)}</strong>
			{scene.compare !== null && ghost !== null && (
				<span className="ghost-words">
					{scene.compare}: {ghost}
				</span>
			)}
		</div>
	);
}

export function ReachOverlay() {
	const { side, edit_key } = useScene("reach");
	const keys = useStudio((state) => state.behaviours[side]?.keys.length ?? null);
	// The key that is shown may be undone away.
	useEffect(() => {
		if (keys !== null && edit_key !== null && edit_key >= keys) showKey(null);
	}, [keys, edit_key]);
	return (
		<>
			<SwingPlaneEditor />
			<Outcome />
		</>
	);
}
