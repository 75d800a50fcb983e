import { Character } from "../../scene/Character";

export function LookStage() {
	return <Character />;
}
