// A tour of five short steps, one for each workspace. It can be left at any time.

import { useEffect, useRef } from "react";
import { openRigFor, reasonAgainst } from "../state/session";
import { setStudio, studio, useStudio, type WorkspaceName } from "../state/store";
import { Button } from "../ui/controls";
import { icons } from "../ui/icons";
import { workspaces } from "../workspaces";
import { demonstrate, endDemo } from "./demos";
import "./welcome.css";

const STEPS: readonly { workspace: WorkspaceName; words: string }[] = [
	{
		workspace: "pose",
		words: "Drag a hand, the hips, any joint. Feet stay where they are; the rest gives way.",
	},
	{ workspace: "reach", words: "Drag the target. Put a box in the way: the arm goes around it." },
	{
		workspace: "body",
		words: "The body is made from a few points, as from trackers. Drag them, or play a motion.",
	},
	{
		workspace: "look",
		words: "It looks where the target goes and keeps its posture; the plots show what servos feel.",
	},
	{
		workspace: "walk",
		words: "Hold W to walk, A and D to turn. Choose stairs. Undo, links and export work everywhere.",
	},
];

async function show(step: number): Promise<void> {
	const at = STEPS[step];
	const { rig } = studio();
	if (!at || !rig) return;
	setStudio({ tour: step, greeting: false });
	if (reasonAgainst(rig, at.workspace) !== null) {
		endDemo();
		const fitting = workspaces.find(({ name }) => name === at.workspace)?.rigs[0];
		if (fitting) await openRigFor(at.workspace, fitting);
	}
	demonstrate(at.workspace);
}

export function startTour(): void {
	void show(0);
}

function leave(): void {
	endDemo();
	setStudio({ tour: null });
}

export function Tour() {
	const step = useStudio((state) => state.tour);
	const next = useRef<HTMLDivElement>(null);
	// The keyboard goes along.
	useEffect(() => {
		if (step !== null) next.current?.querySelector<HTMLElement>("[data-look=primary]")?.focus();
	}, [step]);
	const at = step === null ? undefined : STEPS[step];
	if (step === null || !at) return null;
	const title = workspaces.find(({ name }) => name === at.workspace)?.title;
	const isLast = step === STEPS.length - 1;
	return (
		<section className="tour" aria-label="Tour" ref={next}>
			<h2>
				{title}
				<small>
					{step + 1} of {STEPS.length}
				</small>
			</h2>
			<p>{at.words}</p>
			<div className="choices">
				<Button look="primary" onClick={() => (isLast ? leave() : void show(step + 1))}>
					{isLast ? "Done" : "Next"}
				</Button>
				{step > 0 && <Button onClick={() => void show(step - 1)}>Back</Button>}
				<span className="spacer" />
				<Button look="plain" label="Leave the tour" icon={icons.close} onClick={leave} />
			</div>
		</section>
	);
}
