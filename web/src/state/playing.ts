// Motions that play in whatever workspace is shown (Body has a film of its own), and takes of them.

import type { Playing } from "../wire";
import { frames } from "./frames";
import { showMoment } from "./moment";
import { workspaceOf } from "./registry";
import { setSceneQuietly } from "./session";
import { setStudio, studio } from "./store";
import { nextInput, send } from "./talk";
import { Throttle } from "./throttle";

export interface Player {
	/** Its place among the rig's motions. */
	motion: number;
	running: boolean;
	/** The frame to go on from. */
	frame: number;
	speed: number;
	looped: boolean;
	/** The first and the last frame that are played and exported. */
	trim: [number, number] | null;
	/** What it is called when it is exported; empty for its own name. */
	name: string;
	/** Whether it is shown now, instead of what the workspace makes. */
	shown: boolean;
}

const fresh = { running: true, frame: 0, speed: 1, looped: true, trim: null, name: "", shown: true };

function tell(player: Player): void {
	const { motion, running, frame, speed, looped, trim } = player;
	const play: Playing = { motion, running, frame, speed, looped, trim };
	send({ type: "play", input: nextInput(), play });
}

const scrubs = new Throttle<Player>((_, player) => tell(player));

function show(change: Partial<Player>): void {
	const before = studio().player;
	if (!before) return;
	const player = { ...before, ...change, shown: true };
	setStudio({ player, selectedTarget: null, selectedJoint: null });
	if (player.running) tell(player);
	else scrubs.push("frame", player);
}

/** The frame shown, or the one to go on from. */
export function frameNow(): number {
	const { player } = studio();
	const playing = frames.latest?.playing;
	return player?.shown && playing && playing.motion === player.motion ? playing.frame : (player?.frame ?? 0);
}

/** Plays a motion of the rig from its beginning. */
export function playMotion(motion: number): void {
	const player: Player = { ...fresh, motion };
	setStudio({ player, greeting: false, selectedTarget: null, selectedJoint: null });
	tell(player);
}

/** Puts a motion into the bar, to be played when it is asked for. */
export function offerMotion(motion: number): void {
	leaveMotion();
	setStudio({ player: { ...fresh, motion, running: false, shown: false } });
}

/** Goes on with a motion as a link or the last connection had it. */
export function resumeMotion(player: Player | null): void {
	const { rig } = studio();
	if (!player || !rig?.motions[player.motion]) return;
	setStudio({ player });
	if (player.shown) tell(player);
}

export function togglePlaying(): void {
	const { player } = studio();
	if (!player) return;
	if (player.shown && player.running) pause();
	else {
		const end = player.trim?.[1] ?? (studio().rig?.motions[player.motion]?.frames ?? 1) - 1;
		show({ running: true, frame: player.frame >= end ? (player.trim?.[0] ?? 0) : player.frame });
	}
}

/** Shows a frame while it is looked for; `pause` when it is found. */
export function scrubTo(frame: number): void {
	show({ running: false, frame });
}

/** Changes how it plays, without a jump. */
export function changePlayer(change: Partial<Pick<Player, "looped" | "speed" | "trim" | "name">>): void {
	const { player } = studio();
	if (!player) return;
	const next = { ...player, ...change, frame: frameNow() };
	setStudio({ player: next });
	if (next.shown) tell(next);
}

/** Stops at the frame shown, and the workspace goes on from there. */
export function pause(): void {
	const { player, workspace, rig } = studio();
	const frame = frames.latest;
	if (!player?.shown || !rig) return;
	scrubs.flush();
	const at = frameNow();
	setStudio({ player: { ...player, running: false, shown: false, frame: at } });
	send({ type: "play", input: nextInput(), play: null });
	const { posed } = workspaceOf(workspace);
	if (frame && posed) setSceneQuietly(workspace, (scene) => posed(scene, frame.pose));
	if (frame) showMoment({ pose: frame.pose, time: null });
}

/** Back to what the workspace makes; the motion is kept for later. */
export function leaveMotion(): void {
	const { player } = studio();
	if (!player?.shown) return;
	scrubs.flush();
	setStudio({ player: { ...player, running: false, shown: false, frame: frameNow() } });
	send({ type: "play", input: nextInput(), play: null });
}

export function closePlayer(): void {
	pause();
	setStudio({ player: null });
}

/** A motion that does not begin again has come to its end. */
frames.subscribe((frame) => {
	const { player } = studio();
	if (player?.shown && player.running && frame.playing && !frame.playing.running) pause();
});
