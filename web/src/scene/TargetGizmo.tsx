// Arrows or rings on what is selected.

import { TransformControls } from "@react-three/drei";
import { useMemo } from "react";
import { Object3D } from "three";
import { gizmo, useGizmo } from "./gizmo";

export function TargetGizmo() {
	const target = useGizmo((state) => state.target);
	const nothing = useMemo(() => new Object3D(), []);
	const shown = target !== null;
	return (
		<>
			<primitive object={nothing} />
			<TransformControls
				ref={gizmo.hold}
				object={target?.object ?? nothing}
				mode={target?.mode ?? "translate"}
				space={target?.local ? "local" : "world"}
				enabled={shown}
				showX={shown}
				showY={shown}
				showZ={shown}
				size={0.7}
				onMouseDown={() => useGizmo.getState().target?.onStart?.()}
				onObjectChange={() => useGizmo.getState().target?.onMove()}
				onMouseUp={() => useGizmo.getState().target?.onEnd()}
			/>
		</>
	);
}
