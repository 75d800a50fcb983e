// Obstacles from files.

import { editScene } from "../../state/session";
import { setStudio, studio, toast } from "../../state/store";
import type { ReachScene } from "../../wire";
import { sizeInWords } from "../UnitRow";
import type { SceneFiles } from "../workspace";
import { withMesh } from "./obstacles";

const fileOf = ({ form }: ReachScene["obstacles"][number]) => (form.kind === "mesh" ? form.file : null);

export const obstacleFiles: SceneFiles<ReachScene> = {
	takes: /\.obj$/i,
	mayTake: /\.glb$/i,
	what: "Put it in the way",
	words: "or something in the way: OBJ or GLB",
	of: ({ obstacles }) => obstacles.flatMap((obstacle) => fileOf(obstacle) ?? []),
	without: (scene, id) => ({
		...scene,
		obstacles: scene.obstacles.filter((obstacle) => fileOf(obstacle) !== id),
	}),
	add: (thing) => {
		const { rig, scenes } = studio();
		if (!rig || !scenes.reach) return;
		const added = withMesh(scenes.reach, rig, thing);
		if (!added) {
			toast("error", `${thing.name} has no triangles; a picture of heights is ground to walk on.`);
			return;
		}
		editScene("reach", `Add ${added.id}`, () => added.scene);
		setStudio({ selectedTarget: added.id });
		toast("done", `${thing.name} is in the way: ${sizeInWords(thing, 1)}. Its surface is solid.`);
	},
};
