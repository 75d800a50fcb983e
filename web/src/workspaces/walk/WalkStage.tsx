import { Character } from "../../scene/Character";

export function WalkStage() {
	return <Character />;
}
