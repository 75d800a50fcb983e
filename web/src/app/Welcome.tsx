// The first screen: what there is, one click away, and a tour.

import { setStudio, studio, useStudio, type WorkspaceName } from "../state/store";
import { Button } from "../ui/controls";
import { workspaces } from "../workspaces";
import { demonstrate } from "./demos";
import { startTour } from "./Tour";
import "./welcome.css";

const WORDS: Record<WorkspaceName, string> = {
	pose: "Pull at any joint; the body follows.",
	reach: "Hands that go around what is in the way.",
	body: "A whole body from six points, or three.",
	look: "Eyes, head and spine that follow.",
	walk: "Over hills and stairs, feet on the ground.",
};

/** The greeting is over: the page is the tool that it is. */
export function endGreeting(): void {
	if (studio().greeting) setStudio({ greeting: false });
}

export function Welcome() {
	const greeting = useStudio((state) => state.greeting);
	if (!greeting) return null;
	return (
		<section className="welcome" aria-label="Welcome">
			<h2>Move the pointer. Then pull at something.</h2>
			<div className="doors">
				{workspaces.map(({ name, title }) => (
					<button key={name} type="button" className="door" onClick={() => demonstrate(name)}>
						<b>{title}</b>
						<span>{WORDS[name]}</span>
					</button>
				))}
			</div>
			<div className="choices">
				<Button look="primary" onClick={startTour}>
					A tour in five steps
				</Button>
				<Button onClick={endGreeting}>Start</Button>
				<span className="hint">or drop a BVH, GLB, VRM or URDF anywhere</span>
			</div>
		</section>
	);
}
