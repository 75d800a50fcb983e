import { Character } from "../../scene/Character";

export function ReachStage() {
	return <Character />;
}
