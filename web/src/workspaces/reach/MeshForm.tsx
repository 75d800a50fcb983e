// An obstacle that is a file: its triangles as the server has them.

import { useThree } from "@react-three/fiber";
import { type Ref, useEffect, useState } from "react";
import { BufferAttribute, BufferGeometry, DoubleSide, EdgesGeometry, type Mesh } from "three";
import { toast, useStudio, wordsOf } from "../../state/store";
import { type Triangles, trianglesOfThing } from "../../state/things";
import type { ObstacleForm, ThingForm } from "../../wire";

type MeshForm = Extract<ObstacleForm, { kind: "mesh" }>;
type Box = Extract<ThingForm, { kind: "mesh" }>;

/** Edges of more triangles would be a net over the whole. */
const MOST_WITH_EDGES = 20_000;
/** Where triangles meet at a larger angle than this, in degrees, there is an edge. */
const EDGE = 30;

/** About the middle of its box, in metres. */
function geometryOf({ positions, indices }: Triangles, { low, high }: Box, scale: number): BufferGeometry {
	const geometry = new BufferGeometry();
	geometry.setAttribute("position", new BufferAttribute(positions.slice(), 3));
	geometry.setIndex(new BufferAttribute(indices, 1));
	const [x, y, z] = low.map((a, axis) => -0.5 * (a + (high[axis] ?? a))) as [number, number, number];
	return geometry.translate(x, y, z).scale(scale, scale, scale);
}

interface Made {
	surface: BufferGeometry;
	edges: BufferGeometry | null;
}

function useMade({ file, scale }: MeshForm): Made | null {
	const box = useStudio((state) => state.things[file]?.form);
	const invalidate = useThree((state) => state.invalidate);
	const [made, setMade] = useState<Made | null>(null);
	useEffect(() => {
		if (box?.kind !== "mesh") return;
		let gone = false;
		let own: Made | null = null;
		trianglesOfThing(file)
			.then((triangles) => {
				if (gone) return;
				const surface = geometryOf(triangles, box, scale);
				const few = box.triangles <= MOST_WITH_EDGES;
				own = { surface, edges: few ? new EdgesGeometry(surface, EDGE) : null };
				setMade(own);
				invalidate();
			})
			.catch((error: unknown) => toast("error", wordsOf(error)));
		return () => {
			gone = true;
			own?.surface.dispose();
			own?.edges?.dispose();
		};
	}, [file, scale, box, invalidate]);
	return made;
}

export function MeshForm(props: { form: MeshForm; mesh: Ref<Mesh>; colour: string; edgeColour: string }) {
	const made = useMade(props.form);
	if (!made) return null;
	return (
		<>
			<mesh ref={props.mesh} geometry={made.surface}>
				<meshLambertMaterial color={props.colour} flatShading side={DoubleSide} transparent opacity={0.82} />
			</mesh>
			{made.edges && (
				<lineSegments geometry={made.edges}>
					<lineBasicMaterial color={props.edgeColour} />
				</lineSegments>
			)}
		</>
	);
}
