// The error and the time of the last seconds, with the ghost's beside them.

import { useEffect, useMemo } from "react";
import { usePalette } from "../../scene/palette";
import { detailsOf, frames } from "../../state/frames";
import { useRig, useScene } from "../../state/store";
import { Plot, type PlotLine } from "../../ui/Plot";
import { Samples } from "../../ui/plotting";

const SECONDS = 8;

export function PoseOverlay() {
	const scene = useScene("pose");
	const palette = usePalette();
	const withGhost = scene.ghost !== null;
	const { source } = useRig();
	// Another rig begins anew.
	// biome-ignore lint/correctness/useExhaustiveDependencies: made anew for another rig
	const samples = useMemo(() => new Samples(4, SECONDS), [source]);

	useEffect(
		() =>
			frames.subscribe((frame) => {
				const details = detailsOf(frame, "pose");
				if (!details) return;
				const { ghost } = details;
				samples.push(
					frame.time,
					1000 * details.position_error,
					frame.micros / 1000,
					ghost ? 1000 * ghost.position_error : Number.NaN,
					ghost ? ghost.micros / 1000 : Number.NaN,
				);
			}),
		[samples],
	);

	const lines = (mine: number, ghosts: number): PlotLine[] => {
		const line = (label: string, colour: string, channel: number): PlotLine => ({
			label,
			colour,
			read: () => ({ xs: samples.times, ys: samples.values[channel] ?? [] }),
		});
		const own = line(scene.solver.name, palette.target, mine);
		return scene.ghost ? [line(scene.ghost.name, palette.ghost, ghosts), own] : [own];
	};
	const common = {
		window: (): [number, number] => [samples.now() - SECONDS, samples.now()],
		xOrigin: () => samples.now(),
		xUnit: "s",
		floor: 0,
		version: `${withGhost} ${scene.solver.name} ${scene.ghost?.name} ${JSON.stringify(source)}`,
	};
	return (
		<div className="pose-plots">
			<Plot {...common} title="Position error" unit="mm" least={0.5} lines={lines(0, 2)} />
			<Plot {...common} title="Time of a solve" unit="ms" least={0.05} lines={lines(1, 3)} />
		</div>
	);
}
