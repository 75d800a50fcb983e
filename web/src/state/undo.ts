// Undo and redo: scenes, documents, and the pose that was shown with them.

import { editBehaviour, putPosture, setLimit } from "./documents";
import { takeFitted } from "./fitting";
import { type Change, record, stepBack, stepForward } from "./history";
import { momentNow, showMoment } from "./moment";
import { leaveMotion } from "./playing";
import { resetNow, sendScene } from "./session";
import { setStudio, studio } from "./store";
import { hasFiles, withFiles } from "./things";

async function putInPlace(change: Change, way: "before" | "after"): Promise<void> {
	switch (change.subject) {
		case "scene": {
			const { workspace } = change;
			// A file may have been brought before the connection was lost.
			const wanted = change[way];
			const scene = hasFiles(workspace, wanted) ? wanted : await withFiles(workspace, wanted);
			setStudio((state) => ({ scenes: { ...state.scenes, [workspace]: scene }, workspace }));
			sendScene();
			break;
		}
		case "limit":
			await setLimit(change.joint, change[way], null);
			break;
		case "behaviour":
			await editBehaviour(change.side, { kind: "replace", behaviour: change[way] }, null);
			break;
		case "posture":
			await putPosture(change.name, change[way]);
			break;
		case "fitting":
			await takeFitted(change[way]);
			break;
		case "pose":
			sendScene();
			break;
	}
	showMoment(way === "before" ? change.from : change.to);
}

export function undo(): void {
	const [history, change] = stepBack(studio().history, momentNow());
	if (!change) return;
	leaveMotion();
	setStudio({ history });
	void putInPlace(change, "before");
}

export function redo(): void {
	const [history, change] = stepForward(studio().history);
	if (!change) return;
	leaveMotion();
	setStudio({ history });
	void putInPlace(change, "after");
}

/** Back to the rest pose, as a step of undo. */
export function resetPose(): void {
	const change: Change = { subject: "pose", label: "Back to rest", from: momentNow(), to: null };
	leaveMotion();
	setStudio((state) => ({ history: record(state.history, change, null, Date.now()) }));
	resetNow();
}
