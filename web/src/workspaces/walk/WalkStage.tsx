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
			{/* One mostly sees the walker's back, which the light in front leaves dark. */}
			<directionalLight position={[-2, 3, -4]} intensity={1.1} />
			<Character />
			{showPlants && <PlantMarks />}
		</>
	);
}
