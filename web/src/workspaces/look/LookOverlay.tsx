// The motion of one joint: position, velocity, acceleration and jerk.

import { useEffect, useMemo } from "react";
import { usePalette } from "../../scene/palette";
import { detailsOf, frames } from "../../state/frames";
import { useRig, useScene } from "../../state/store";
import { Plot } from "../../ui/Plot";
import { Samples } from "../../ui/plotting";
import { boundsOf, DERIVATIVES } from "./filters";
import { isSlide } from "./postures";
import { useLookView } from "./view";
import "./look.css";

const WINDOW = 6;
/** The least span of each axis. */
const LEAST = { position: 0.2, velocity: 0.5, acceleration: 2, jerk: 10 };

export function LookOverlay() {
	const rig = useRig();
	const scene = useScene("look");
	const palette = usePalette();
	const show = useLookView((state) => state.showPlots);
	const { plotted, filter } = scene;
	// Another joint begins anew.
	// biome-ignore lint/correctness/useExhaustiveDependencies: made anew for another joint
	const samples = useMemo(() => new Samples(5, WINDOW), [plotted, rig]);
	useEffect(
		() =>
			frames.subscribe((frame) => {
				for (const sample of detailsOf(frame, "look")?.samples ?? []) {
					const { time, position, velocity, acceleration, jerk, wanted } = sample;
					samples.push(time, position, velocity, acceleration, jerk, wanted);
				}
			}),
		[samples],
	);
	const joint = rig.joints[plotted];
	if (!show || !joint) return null;
	const unit = isSlide(joint) ? "m" : "rad";
	const bounds = palette.blocking;
	return (
		<section className="look-plots" aria-label={`Motion of ${joint.name}`}>
			{DERIVATIVES.map(({ key, title, power }, i) => (
				<Plot
					key={key}
					title={title}
					unit={`${unit}${power}`}
					xUnit="s"
					window={() => [samples.now() - WINDOW, samples.now()]}
					xOrigin={() => samples.now()}
					lines={[
						...(key === "position" && filter
							? [
									{
										label: "wanted",
										colour: palette.ghost,
										read: () => ({ xs: samples.times, ys: samples.values[4] ?? [] }),
									},
								]
							: []),
						{
							label: joint.name,
							colour: palette.target,
							read: () => ({ xs: samples.times, ys: samples.values[i] ?? [] }),
						},
					]}
					bounds={boundsOf(key, filter, joint.range)}
					boundColour={bounds}
					least={LEAST[key]}
					version={samples}
				/>
			))}
		</section>
	);
}
