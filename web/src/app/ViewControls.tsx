import { camera } from "../state/camera";
import { setStudio, useStudio } from "../state/store";
import { resetPose } from "../state/undo";
import { Button, Segments } from "../ui/controls";
import { icons } from "../ui/icons";
import { useWorkspace } from "../workspaces";

/** Over the upper edge of the picture. */
export function ViewControls() {
	const gizmo = useStudio((state) => state.gizmo);
	const body = useStudio((state) => (state.rig?.mesh ? "showMesh" : "showBody"));
	const showMesh = useStudio((state) => state[body]);
	const showBones = useStudio((state) => state.showBones);
	const { onlyMoves } = useWorkspace();
	return (
		<div className="corner">
			{!onlyMoves && (
				<Segments
					floating
					label="What the gizmo does"
					value={gizmo}
					onChange={(next) => setStudio({ gizmo: next })}
					options={[
						{ value: "translate", label: "Move", title: "Move (W)" },
						{ value: "rotate", label: "Turn", title: "Turn (E)" },
					]}
				/>
			)}
			<Button
				label="See the whole character"
				title="See the whole character (F)"
				icon={icons.frame}
				onClick={() => camera.holder?.frame()}
			/>
			<Button
				label="Back to the rest pose"
				title="Back to the rest pose (Home)"
				icon={icons.reset}
				onClick={resetPose}
			/>
			<Button pressed={showMesh} title="Show the body (M)" onClick={() => setStudio({ [body]: !showMesh })}>
				Body
			</Button>
			<Button
				pressed={showBones || !showMesh}
				title="Show the bones (B)"
				onClick={() => setStudio(showMesh ? { showBones: !showBones } : { [body]: true, showBones: false })}
			>
				Bones
			</Button>
		</div>
	);
}
