import { Character } from "../../scene/Character";

export function BodyStage() {
	return <Character />;
}
