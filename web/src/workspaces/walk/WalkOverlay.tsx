// The stride curve and the stick.

import { useEffect, useMemo, useState } from "react";
import { usePalette } from "../../scene/palette";
import { detailsOf, frames, useSampled } from "../../state/frames";
import { useRig } from "../../state/store";
import { Plot } from "../../ui/Plot";
import { Samples } from "../../ui/plotting";
import { footColours, footName } from "./feet";
import { Stick } from "./Stick";
import { useSteering } from "./useSteering";
import "./walk.css";

const WINDOW = 6;

function StrideCurve() {
	const rig = useRig();
	const palette = usePalette();
	const joints = useSampled((frame) => detailsOf(frame, "walk")?.feet.map((foot) => foot.joint) ?? [], 2);
	const [samples, setSamples] = useState(() => new Samples(0, WINDOW));
	const count = joints.length;
	useEffect(() => {
		const fresh = new Samples(count, WINDOW);
		setSamples(fresh);
		return frames.subscribe((frame) => {
			const feet = detailsOf(frame, "walk")?.feet;
			if (feet) fresh.push(frame.time, ...feet.map((foot) => 100 * foot.height));
		});
	}, [count]);
	const lines = useMemo(
		() =>
			joints.map((joint, i) => ({
				label: footName(rig, { joint }, joints.length),
				colour: footColours(palette)[i % 8] as string,
				read: () => ({ xs: samples.times, ys: samples.values[i] ?? [] }),
			})),
		[joints, rig, palette, samples],
	);
	return (
		<Plot
			className="stride"
			title="Height of the heels"
			unit="cm"
			xUnit="s"
			window={() => [samples.now() - WINDOW, samples.now()]}
			xOrigin={() => samples.now()}
			lines={lines}
			least={6}
			floor={0}
			version={samples}
		/>
	);
}

export function WalkOverlay() {
	useSteering();
	return (
		<>
			<StrideCurve />
			<Stick />
		</>
	);
}
