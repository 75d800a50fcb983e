// The character as every workspace shows it: bones, and the mesh where there is one.

import type { ReactNode } from "react";
import { useRig, useStudio } from "../state/store";
import type { Frame } from "../wire";
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
	return (
		<>
			<Skeleton
				rig={rig}
				read={(frame) => frame.pose}
				boneColour={palette.bone}
				jointColour={palette.joint}
				marked={marked}
				markedKey={markedKey}
				visible={showBones || rig.mesh === null}
			/>
			{children}
		</>
	);
}
