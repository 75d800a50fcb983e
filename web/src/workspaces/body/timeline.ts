// Frames, seconds and scrubbing. No drawing here.

import { clamp } from "../../maths";
import type { BodyScene, BodyTrack, RigDescription } from "../../wire";

/** How long the motion is: as the track says, or what is known before there is one. */
export function lengthOf(
	scene: BodyScene,
	rig: RigDescription,
	track: BodyTrack | null,
): { frames: number; frameTime: number } | null {
	if (scene.source.kind === "markers") return null;
	if (track) return { frames: track.frames, frameTime: track.frame_time };
	const motion = scene.source.kind === "motion" ? rig.motions[scene.source.motion] : undefined;
	return motion ? { frames: motion.frames, frameTime: motion.frame_time } : null;
}

/** The frame that is shown at a time, within the motion. */
export function frameAt(seconds: number, frames: number, frameTime: number): number {
	if (!(frameTime > 0) || !Number.isFinite(seconds)) return 0;
	return clamp(Math.round(seconds / frameTime), 0, Math.max(0, frames - 1));
}

/** So many frames on, round the ends. */
export function stepped(frame: number, by: number, frames: number): number {
	if (frames <= 0) return 0;
	return (((frame + by) % frames) + frames) % frames;
}

/** `1:02.35` */
export function clock(seconds: number): string {
	const hundredths = Math.max(0, Math.round(100 * seconds));
	const minutes = Math.floor(hundredths / 6000);
	const rest = ((hundredths % 6000) / 100).toFixed(2).padStart(5, "0");
	return `${minutes}:${rest}`;
}

/** The times of a track's values. */
export function timesOf(track: BodyTrack): number[] {
	return track.position.map((_, i) => i * track.stride * track.frame_time);
}
