import type { V3 } from "../../maths";
import { camera } from "../../state/camera";
import { editScene } from "../../state/session";
import type { Shortcut } from "../../state/shortcuts";
import { setStudio, studio } from "../../state/store";
import type { PoseScene } from "../../wire";
import { addGoal, changeGoal, removeGoal, togglePin } from "./goals";
import { poseScene } from "./scene";

const withTarget = (run: (id: string) => void) => () => {
	const id = studio().selectedTarget;
	if (id !== null) run(id);
};

const withJoint = (run: (joint: number) => void) => () => {
	const joint = studio().selectedJoint;
	if (joint !== null) run(joint);
};

/** Metres that a key moves a goal by. */
const NUDGE = 0.01;

/** Moves the selected goal over the plane that faces the camera; further with Shift. */
function nudge(right: number, up: number): () => void {
	return withTarget((id) => {
		const goal = studio().scenes.pose?.goals.find((other) => other.id === id);
		const view = camera.read();
		if (!goal || !view) return;
		const [x, z] = [view.position[0] - view.target[0], view.position[2] - view.target[2]];
		const far = Math.hypot(x, z) || 1;
		const [px, py, pz] = goal.position;
		const position: V3 = [px + (right * NUDGE * z) / far, py + up * NUDGE, pz - (right * NUDGE * x) / far];
		editScene("pose", "Nudge goal", (scene) => moved(scene, id, position), `nudge ${id}`);
	});
}

const moved = (scene: PoseScene, id: string, position: V3) => poseScene.move(scene, id, position, null);

const NUDGES: Shortcut[] = (
	[
		["ArrowLeft", "left", -1, 0],
		["ArrowRight", "right", 1, 0],
		["ArrowUp", "up", 0, 1],
		["ArrowDown", "down", 0, -1],
	] as const
).flatMap(([key, where, right, up]) => [
	{ keys: key, label: `Selected goal 1 cm ${where}`, run: nudge(right, up) },
	{ keys: `Shift+${key}`, label: `Selected goal 10 cm ${where}`, run: nudge(10 * right, 10 * up) },
]);

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
	...NUDGES,
];
