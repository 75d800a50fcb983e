import { Character } from "../../scene/Character";
import { CameraFollow } from "./CameraFollow";
import { PlantMarks } from "./PlantMarks";
import { TerrainMesh } from "./TerrainMesh";
import { useWalkView } from "./view";

export function WalkStage() {
	const showPlants = useWalkView((state) => state.showPlants);
	return (
		<>
			<CameraFollow />
			<TerrainMesh />
			<Character />
			{showPlants && <PlantMarks />}
		</>
	);
}
