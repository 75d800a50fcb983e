// What a person says of a rig whose file says nothing, or is wrong: its parts, its size, what is up. The server
// takes the rig anew; what was done to it is done again.

import type { Fitting } from "../wire";
import { type Change, record } from "./history";
import type { Edited } from "./link";
import { momentNow } from "./moment";
import { sameFitting } from "./parts";
import { currentSnapshot, loadRig, takeRig } from "./session";
import { type Scenes, setStudio, studio, toast, wordsOf } from "./store";

/** A rig as it was fitted, with what was done to it. */
export interface Fitted {
	fitting: Fitting;
	scenes: Partial<Scenes>;
	edited: Edited;
}

/** Takes the open rig as it is said to be. */
export async function takeFitted(fitted: Fitted): Promise<void> {
	const { rig, history, adopted } = studio();
	const now = currentSnapshot();
	if (!rig || !now) return;
	const placed = fitted.fitting.scale !== rig.fitting.scale || fitted.fitting.up !== rig.fitting.up;
	const answer = await loadRig(rig.source, rig.name, fitted.fitting);
	const camera = placed ? null : now.camera;
	await takeRig(answer, { ...now, ...fitted, camera, moment: null }, { history, adopted });
}

/** Fits the open rig anew, as one step of undo. Says whether it could be. */
export async function fitRig(fitting: Fitting, label: string): Promise<boolean> {
	const { rig, scenes, edited } = studio();
	if (!rig) return false;
	const before: Fitted = { fitting: rig.fitting, scenes, edited };
	// Goals of other parts, or of another size, are none of these.
	const onlyLimits = sameFitting({ ...rig.fitting, anatomy: fitting.anatomy }, fitting);
	const after: Fitted = { fitting, scenes: onlyLimits ? scenes : {}, edited };
	const change: Change = { subject: "fitting", label, before, after, from: momentNow(), to: null };
	setStudio({ loading: "Taking the rig anew" });
	try {
		await takeFitted(after);
		setStudio((state) => ({ history: record(state.history, change, null, Date.now()) }));
		return true;
	} catch (error) {
		toast("error", wordsOf(error));
		return false;
	} finally {
		setStudio({ loading: null });
	}
}
