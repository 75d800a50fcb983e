// Play, scrub, and the error over the whole motion.

import { useEffect, useMemo, useRef } from "react";
import { degrees } from "../../maths";
import { usePalette } from "../../scene/palette";
import { detailsOf, frames } from "../../state/frames";
import { editScene } from "../../state/session";
import { useRig, useScene, useStudio } from "../../state/store";
import { Button, Segments } from "../../ui/controls";
import { icons } from "../../ui/icons";
import { Plot } from "../../ui/Plot";
import type { BodyTrack, Frame } from "../../wire";
import { frameNow, scrubTo, setPlaying, stepBy, togglePlaying } from "./play";
import { clock, frameAt, lengthOf, timesOf } from "./timeline";
import "./body.css";

const SPEEDS: [number, string][] = [
	[0.25, "¼×"],
	[0.5, "½×"],
	[1, "1×"],
	[2, "2×"],
];

function Transport({ count, frameTime }: { count: number; frameTime: number }) {
	const scene = useScene("body");
	const slider = useRef<HTMLInputElement>(null);
	const words = useRef<HTMLOutputElement>(null);
	const place = useRef<HTMLOutputElement>(null);
	useEffect(() => {
		const show = (frame: Frame | null) => {
			const now = detailsOf(frame, "body")?.frame;
			if (now === undefined) return;
			// While it is held the slider shows where the hand is, not where the server is.
			if (slider.current && !slider.current.matches(":active")) slider.current.value = String(now);
			if (words.current) {
				words.current.value = `${clock(now * frameTime)} / ${clock((count - 1) * frameTime)}`;
			}
			if (place.current) place.current.value = `frame ${now + 1} of ${count}`;
		};
		show(frames.latest);
		return frames.subscribe(show);
	}, [count, frameTime]);
	return (
		<div className="transport">
			<Button
				label={scene.playing ? "Pause" : "Play"}
				title={scene.playing ? "Pause (Space)" : "Play (Space)"}
				icon={scene.playing ? icons.pause : icons.play}
				look="primary"
				onClick={togglePlaying}
			/>
			<Button label="A frame back" title="A frame back (←)" icon={stepIcon(-1)} onClick={() => stepBy(-1)} />
			<Button label="A frame on" title="A frame on (→)" icon={stepIcon(1)} onClick={() => stepBy(1)} />
			<input
				ref={slider}
				className="slider"
				type="range"
				aria-label="Frame"
				min={0}
				max={Math.max(0, count - 1)}
				step={1}
				defaultValue={frameNow()}
				onPointerDown={() => scene.playing && setPlaying(false)}
				onInput={(event) => scrubTo(Number(event.currentTarget.value))}
			/>
			<output ref={words} className="clock" />
			<output ref={place} className="clock place" />
			<div className="speeds">
				<Segments
					label="Speed"
					value={String(scene.speed)}
					onChange={(speed) =>
						editScene("body", "Change speed", (old) => ({ ...old, speed: Number(speed), frame: frameNow() }))
					}
					options={SPEEDS.map(([speed, label]) => ({ value: String(speed), label }))}
				/>
			</div>
		</div>
	);
}

function stepIcon(direction: 1 | -1) {
	return (
		<svg viewBox="0 0 20 20" fill="currentColor" aria-hidden="true">
			<path d={direction > 0 ? "M6 4.5v11l7-5.5zM14 4.5h2v11h-2z" : "M14 4.5v11l-7-5.5zM4 4.5h2v11H4z"} />
		</svg>
	);
}

function ErrorCurves({ track }: { track: BodyTrack }) {
	const palette = usePalette();
	const { xs, position, orientation } = useMemo(
		() => ({
			xs: timesOf(track),
			position: track.position.map((error) => 100 * error),
			orientation: track.orientation.map(degrees),
		}),
		[track],
	);
	const [rmsPosition, rmsOrientation] = track.rms;
	const common = {
		xUnit: "s",
		window: (): [number, number] => [0, Math.max(1e-3, (track.frames - 1) * track.frame_time)],
		mark: () => {
			const frame = detailsOf(frames.latest, "body")?.frame;
			return frame === undefined ? null : frame * track.frame_time;
		},
		markColour: palette.selected,
		boundColour: palette.targetOff,
		floor: 0,
		onPick: (seconds: number) => scrubTo(frameAt(seconds, track.frames, track.frame_time)),
		version: track,
	};
	return (
		<div className="error-curves">
			<Plot
				{...common}
				title="Position error"
				unit={`% of the height · RMS ${(100 * rmsPosition).toFixed(2)}`}
				lines={[{ label: "position", colour: palette.target, read: () => ({ xs, ys: position }) }]}
				bounds={[100 * rmsPosition]}
				least={1}
			/>
			<Plot
				{...common}
				title="Orientation error"
				unit={`° · RMS ${degrees(rmsOrientation).toFixed(1)}`}
				lines={[{ label: "orientation", colour: palette.ghost, read: () => ({ xs, ys: orientation }) }]}
				bounds={[degrees(rmsOrientation)]}
				least={4}
			/>
		</div>
	);
}

export function BodyOverlay() {
	const rig = useRig();
	const scene = useScene("body");
	const track = useStudio((state) => state.track);
	const length = lengthOf(scene, rig, track);
	if (scene.source.kind === "markers") return null;
	return (
		<section className="film" aria-label="Motion">
			{track && <ErrorCurves track={track} />}
			{length && <Transport key={length.frames} count={length.frames} frameTime={length.frameTime} />}
		</section>
	);
}
