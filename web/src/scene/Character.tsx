// The character as every workspace shows it: its own mesh or a body made from the skeleton, and bones.

import type { ReactNode } from "react";
import { useRig, useStudio } from "../state/store";
import type { Frame } from "../wire";
import { FileMesh } from "./FileMesh";
import { Mannequin } from "./Mannequin";
import { usePalette } from "./palette";
import { Skeleton } from "./Skeleton";

export interface CharacterProps {
	/** Joints that are drawn in colours of their own. */
	marked?(frame: Frame | null, joint: number): string | null;
	markedKey?: unknown;
	children?: ReactNode;
}

export function Character({ marked, markedKey, children }: CharacterProps) {
	const rig = useRig();
	const palette = usePalette();
	const showBones = useStudio((state) => state.showBones);
	// While it is said which joint is which part, the one that is meant is shown in every workspace.
	const meant = useStudio((state) => (state.fittingOpen ? state.selectedJoint : null));
	const showMesh = useStudio((state) => (rig.mesh ? state.showMesh : state.showBody));
	return (
		<>
			{rig.mesh ? (
				<FileMesh rig={rig} mesh={rig.mesh} visible={showMesh} />
			) : (
				showMesh && <Mannequin rig={rig} palette={palette} />
			)}
			<Skeleton
				rig={rig}
				read={(frame) => frame.pose}
				boneColour={palette.bone}
				jointColour={palette.joint}
				marked={(frame, joint) => (joint === meant ? palette.selected : (marked?.(frame, joint) ?? null))}
				markedKey={`${meant} ${markedKey}`}
				onlyMarked={showMesh && !showBones}
				through={showMesh}
				thickness={meant !== null ? 1.5 : showMesh ? 0.55 : 1}
			/>
			{children}
		</>
	);
}
