// The picture as an image or a film, and where things are in it. Filled in by the canvas when it is there.

import type { V3 } from "../maths";
import { saveAs } from "../state/files";
import { setStudio, studio, toast } from "../state/store";

interface Taken {
	/** So many times as fine as on the screen. */
	scale: number;
	/** With targets, gizmos and lines, or only the character on its ground. */
	marks: boolean;
}

export const picture: {
	/** Draws once more and hands the canvas on before it is drawn again. */
	take: ((how: Taken, use: (canvas: HTMLCanvasElement) => void) => void) | null;
	canvas: (() => HTMLCanvasElement) | null;
	/** Draws once more, soon. */
	draw: (() => void) | null;
	/** How much the graphics hold, for the tests. */
	held: (() => { geometries: number; textures: number }) | null;
	project: ((place: V3) => [number, number]) | null;
	/** Where something of the picture is by its name, such as a node of a file's mesh; for the tests. */
	place: ((name: string) => V3 | null) | null;
} = { take: null, canvas: null, draw: null, held: null, project: null, place: null };

/** Downloads the picture as a PNG. */
export function savePicture(name: string, how: Taken): void {
	picture.take?.(how, (canvas) => canvas.toBlob((blob) => blob && saveBlob(blob, name), "image/png"));
}

function saveBlob(blob: Blob, name: string): void {
	const address = URL.createObjectURL(blob);
	saveAs(address, name);
	setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Seconds of a film, where no motion says how long it is. */
const USUAL = 6;
const LONGEST = 60;
/** Pictures a second. */
const RATE = 30;
const KINDS = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"];

let stop: (() => void) | null = null;

/** How long a motion that plays takes from one end to the other. */
function lengthShown(): number {
	const { player, rig } = studio();
	const motion = player?.shown ? rig?.motions[player.motion] : undefined;
	if (!player || !motion) return USUAL;
	const [from, to] = player.trim ?? [0, motion.frames - 1];
	return Math.min(LONGEST, ((to - from) * motion.frame_time) / Math.max(0.1, Math.abs(player.speed)));
}

/** Films what is shown, for as long as the motion is or until it is asked again, and saves it as WebM. */
export function filmView(name: string): void {
	if (stop) {
		stop();
		return;
	}
	const canvas = picture.canvas?.();
	const kind =
		typeof MediaRecorder === "undefined"
			? undefined
			: KINDS.find((other) => MediaRecorder.isTypeSupported(other));
	if (!canvas || !kind) {
		toast("error", "This browser cannot film; Firefox and Chromium can.");
		return;
	}
	const recorder = new MediaRecorder(canvas.captureStream(RATE), {
		mimeType: kind,
		videoBitsPerSecond: 8_000_000,
	});
	const parts: Blob[] = [];
	recorder.ondataavailable = (event) => parts.push(event.data);
	recorder.onstop = () => {
		stop = null;
		setStudio({ filming: false });
		for (const track of recorder.stream.getTracks()) track.stop();
		saveBlob(new Blob(parts, { type: "video/webm" }), name);
	};
	// What stands still is drawn too, or the film would have no pictures.
	const drawing = setInterval(() => picture.draw?.(), 1000 / RATE);
	const timer = setTimeout(() => stop?.(), 1000 * lengthShown());
	stop = () => {
		clearTimeout(timer);
		clearInterval(drawing);
		if (recorder.state !== "inactive") recorder.stop();
	};
	setStudio({ filming: true });
	recorder.start();
}

/** Where a place is on the screen, in CSS pixels. */
export function projected(place: V3): [number, number] | null {
	return picture.project?.(place) ?? null;
}
