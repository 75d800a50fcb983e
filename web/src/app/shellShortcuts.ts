// The shortcuts that work everywhere.

import { camera } from "../state/camera";
import { setRecording } from "../state/files";
import { showWorkspace } from "../state/session";
import type { Shortcut } from "../state/shortcuts";
import { setStudio, studio } from "../state/store";
import { redo, resetPose, undo } from "../state/undo";
import { copyLink } from "./address";
import { nextTheme } from "./theme";

const open = (name: "pose" | "reach" | "body" | "look" | "walk") => () => showWorkspace(name);

export const shellShortcuts: Shortcut[] = [
	{ keys: "1", label: "Pose", run: open("pose") },
	{ keys: "2", label: "Reach", run: open("reach") },
	{ keys: "3", label: "Body", run: open("body") },
	{ keys: "4", label: "Look", run: open("look") },
	{ keys: "5", label: "Walk", run: open("walk") },
	{ keys: "Ctrl+Z", label: "Undo", run: undo },
	{ keys: "Ctrl+Shift+Z or Ctrl+Y", label: "Redo", run: redo },
	{ keys: "F", label: "See the whole character", run: () => camera.holder?.frame() },
	{ keys: "B", label: "Show or hide bones", run: () => setStudio((s) => ({ showBones: !s.showBones })) },
	{
		keys: "M",
		label: "Show or hide the body",
		run: () => setStudio((s) => (s.rig?.mesh ? { showMesh: !s.showMesh } : { showBody: !s.showBody })),
	},
	{ keys: "Home", label: "Back to the rest pose", run: resetPose },
	{ keys: "R", label: "Start or stop recording", run: () => setRecording(!studio().recording) },
	{ keys: "L", label: "Copy a link to this scene", run: () => void copyLink() },
	{ keys: "P", label: "Show or hide the panel", run: () => setStudio((s) => ({ panelOpen: !s.panelOpen })) },
	{ keys: "T", label: "Dark, light or as the system", run: nextTheme },
	{ keys: "?", label: "This help", run: () => setStudio((s) => ({ helpOpen: !s.helpOpen })) },
	{
		keys: "Escape",
		label: "Select nothing",
		run: () => setStudio({ selectedJoint: null, selectedTarget: null }),
	},
];
