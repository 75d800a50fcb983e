import { camera } from "../state/camera";
import { resetPose } from "../state/session";
import { setStudio, useStudio } from "../state/store";
import { Button, Segments } from "../ui/controls";
import { icons } from "../ui/icons";
import { useWorkspace } from "../workspaces";

/** Over the upper edge of the picture. */
export function ViewControls() {
	const gizmo = useStudio((state) => state.gizmo);
	const hasMesh = useStudio((state) => state.rig?.mesh != null);
	const showMesh = useStudio((state) => state.showMesh);
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
			{hasMesh && (
				<>
					<Button
						pressed={showMesh}
						title="Show the mesh (M)"
						onClick={() => setStudio({ showMesh: !showMesh })}
					>
						Mesh
					</Button>
					<Button
						pressed={showBones}
						title="Show the bones (B)"
						onClick={() => setStudio({ showBones: !showBones })}
					>
						Bones
					</Button>
				</>
			)}
		</div>
	);
}
