// The selected joint: goal, pin, limit.

import { setStudio, useRig, useScene, useStudio } from "../../state/store";
import { Button, Row, Select } from "../../ui/controls";
import { icons } from "../../ui/icons";
import { addGoal, togglePin } from "./goals";
import { LimitEditor } from "./LimitEditor";

export function JointEditor() {
	const rig = useRig();
	const scene = useScene("pose");
	const selected = useStudio((state) => state.selectedJoint);
	const joint = selected === null ? null : rig.joints[selected];
	return (
		<>
			<Row label="Joint">
				<Select
					label="Joint"
					value={selected === null ? "" : String(selected)}
					options={[
						{ value: "", label: "None" },
						...rig.joints.map(({ name }, i) => ({ value: String(i), label: name })),
					]}
					onChange={(value) =>
						setStudio({ selectedJoint: value === "" ? null : Number(value), selectedTarget: null })
					}
				/>
			</Row>
			{joint && selected !== null ? (
				<>
					<p className="hint">
						{joint.kind}, {joint.freedoms === 1 ? "one way" : `${joint.freedoms} ways`} to move
						{joint.role ? `; ${joint.role} of a humanoid` : ""}
					</p>
					<div className="buttons">
						<Button
							icon={icons.plus}
							disabled={scene.goals.some((goal) => goal.joint === selected)}
							title="Goal on this joint (G)"
							onClick={() => addGoal(selected)}
						>
							Goal
						</Button>
						<Button
							icon={icons.pin}
							pressed={scene.pins.includes(selected)}
							title="The joint stays where it is now (N)"
							onClick={() => togglePin(selected)}
						>
							{scene.pins.includes(selected) ? "Pinned" : "Pin"}
						</Button>
					</div>
					<LimitEditor key={selected} place={selected} joint={joint} />
				</>
			) : (
				<p className="hint">Click a joint in the picture to see and edit its limit.</p>
			)}
		</>
	);
}
