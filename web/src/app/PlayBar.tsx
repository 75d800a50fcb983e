// The motion that was dropped or recorded: its name, play, scrub, loop, cut.

import { useEffect, useRef } from "react";
import { frames } from "../state/frames";
import {
	changePlayer,
	closePlayer,
	frameNow,
	type Player,
	pause,
	playMotion,
	scrubTo,
	togglePlaying,
} from "../state/playing";
import { useStudio } from "../state/store";
import { Button, Select } from "../ui/controls";
import { icons } from "../ui/icons";
import type { MotionDescription } from "../wire";
import { clock } from "../workspaces/body/timeline";
import "./playbar.css";

/** Where it is, written past React sixty times a second. */
function usePlace(motion: MotionDescription) {
	const slider = useRef<HTMLInputElement>(null);
	const words = useRef<HTMLOutputElement>(null);
	useEffect(() => {
		const show = () => {
			const now = frameNow();
			// While it is held the slider shows where the hand is.
			if (slider.current && !slider.current.matches(":active")) slider.current.value = String(now);
			if (words.current) {
				const end = (motion.frames - 1) * motion.frame_time;
				words.current.value = `${clock(now * motion.frame_time)} / ${clock(end)}`;
			}
		};
		show();
		return frames.subscribe(show);
	}, [motion]);
	return { slider, words };
}

function Cut({ player, motion }: { player: Player; motion: MotionDescription }) {
	const last = motion.frames - 1;
	const [from, to] = player.trim ?? [0, last];
	const at = () => Math.round(frameNow());
	return (
		<span className="cut">
			<Button
				title="Cut off what is before this frame"
				label="Begin here"
				icon={icons.cutStart}
				pressed={from > 0}
				onClick={() => changePlayer({ trim: [Math.min(at(), to), to] })}
			/>
			<Button
				title="Cut off what is after this frame"
				label="End here"
				icon={icons.cutEnd}
				pressed={to < last}
				onClick={() => changePlayer({ trim: [from, Math.max(at(), from)] })}
			/>
			{player.trim && (
				<Button look="plain" title="The whole motion again" onClick={() => changePlayer({ trim: null })}>
					whole
				</Button>
			)}
		</span>
	);
}

function Bar({ player, motion }: { player: Player; motion: MotionDescription }) {
	const motions = useStudio((state) => state.rig?.motions) ?? [];
	const { slider, words } = usePlace(motion);
	const running = player.shown && player.running;
	const last = motion.frames - 1;
	const part = (frame: number) => `${(100 * frame) / Math.max(1, last)}%`;
	const [from, to] = player.trim ?? [0, last];
	return (
		<section className="playbar" aria-label="Motion">
			<Button
				label={running ? "Pause" : "Play"}
				title={running ? "Pause (Space)" : "Play (Space)"}
				icon={running ? icons.pause : icons.play}
				look="primary"
				onClick={togglePlaying}
			/>
			<span className="clip">
				<Select
					label="Clip"
					value={String(player.motion)}
					onChange={(value) => playMotion(Number(value))}
					options={motions.map((other, i) => ({
						value: String(i),
						label: other.name || `motion ${i + 1}`,
					}))}
				/>
			</span>
			<span className="track" style={{ ["--from" as string]: part(from), ["--to" as string]: part(to) }}>
				<input
					ref={slider}
					className="slider"
					type="range"
					aria-label="Frame"
					min={0}
					max={Math.max(0, last)}
					step={1}
					defaultValue={Math.round(frameNow())}
					onInput={(event) => scrubTo(Number(event.currentTarget.value))}
					onPointerUp={pause}
					onKeyUp={pause}
				/>
			</span>
			<output ref={words} className="clock" />
			<Button
				label="Loop"
				title="Begin again at the end"
				icon={icons.loop}
				pressed={player.looped}
				onClick={() => changePlayer({ looped: !player.looped })}
			/>
			<Cut player={player} motion={motion} />
			<input
				className="field take-name"
				aria-label="Name to export it by"
				placeholder={motion.name || "name"}
				value={player.name}
				onChange={(event) => changePlayer({ name: event.target.value.slice(0, 80) })}
			/>
			<Button look="plain" label="Put the motion away" icon={icons.close} onClick={closePlayer} />
		</section>
	);
}

export function PlayBar() {
	const player = useStudio((state) => state.player);
	const motion = useStudio((state) => state.rig?.motions[state.player?.motion ?? -1]);
	const workspace = useStudio((state) => state.workspace);
	// Body has a film of its own.
	if (!player || !motion || workspace === "body") return null;
	return <Bar key={player.motion} player={player} motion={motion} />;
}
