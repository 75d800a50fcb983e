import { useRef } from "react";
import { timeInWords } from "../../app/StatusLine";
import { degrees } from "../../maths";
import { openFile } from "../../state/files";
import { detailsOf, useSampled } from "../../state/frames";
import { editScene } from "../../state/session";
import { setStudio, useRig, useScene, useStudio } from "../../state/store";
import { Button, Row, Section, Segments, Select, Slider, Toggle } from "../../ui/controls";
import { icons } from "../../ui/icons";
import type { BodyScene, BodySource } from "../../wire";
import { frameNow } from "./play";
import {
	POINTS,
	PRESETS,
	pointInWords,
	presetOf,
	standing,
	takesAnyPoints,
	withMethod,
	withPoint,
} from "./points";
import { useBodyView } from "./view";

const MADE = ["walking", "reaching", "boxing"];

/** A change while a motion plays goes on from where it is. */
const change = (label: string, make: (scene: BodyScene) => BodyScene, merge?: string) =>
	editScene("body", label, (scene) => ({ ...make(scene), frame: frameNow() }), merge);

function setSource(source: BodySource): void {
	setStudio({ track: null });
	editScene("body", "Change source", (scene) => ({
		...scene,
		source,
		frame: 0,
		playing: source.kind !== "markers",
	}));
}

const nameOf = (source: BodySource) =>
	source.kind === "motion" ? `motion ${source.motion}` : source.kind === "made" ? source.name : "";

function SourceSection() {
	const rig = useRig();
	const scene = useScene("body");
	const file = useRef<HTMLInputElement>(null);
	const showOriginal = useBodyView((state) => state.showOriginal);
	const moves = scene.source.kind !== "markers";
	const first: BodySource =
		rig.motions.length > 0 ? { kind: "motion", motion: 0 } : { kind: "made", name: "walking" };
	return (
		<Section title="Points from">
			<Segments
				label="Where the points come from"
				value={moves ? "motion" : "markers"}
				onChange={(value) => {
					if (value === "markers" && moves) setSource({ kind: "markers", markers: [] });
					else if (value === "motion" && !moves) setSource(first);
				}}
				options={[
					{ value: "markers", label: "Markers", title: "Points to drag" },
					{ value: "motion", label: "Motion", title: "The points of a recorded motion" },
				]}
			/>
			{moves ? (
				<>
					<Row label="Motion">
						<Select
							label="Motion"
							value={nameOf(scene.source)}
							onChange={(value) => {
								const own = /^motion (\d+)$/.exec(value);
								setSource(own ? { kind: "motion", motion: Number(own[1]) } : { kind: "made", name: value });
							}}
							options={[
								...rig.motions.map((motion, i) => ({
									value: `motion ${i}`,
									label: motion.name || `motion ${i + 1}`,
								})),
								...MADE.map((name) => ({ value: name, label: `${name} (made)` })),
							]}
						/>
					</Row>
					<Row label="Noise" title="Added to every point of the motion">
						<Slider
							label="Noise"
							unit="mm"
							digits={0}
							min={0}
							max={50}
							step={1}
							value={1000 * scene.noise}
							onChange={(mm) => change("Change noise", (old) => ({ ...old, noise: mm / 1000 }), "noise")}
						/>
					</Row>
					<Toggle
						label="Original as a ghost"
						value={showOriginal}
						onChange={(show) => useBodyView.setState({ showOriginal: show })}
					/>
				</>
			) : (
				<>
					<p className="hint">Drag the markers; the body follows.</p>
					<Button
						icon={icons.reset}
						disabled={scene.source.kind === "markers" && scene.source.markers.length === 0}
						onClick={() =>
							editScene("body", "Markers to rest", (old) => ({
								...old,
								source: { kind: "markers", markers: [] },
							}))
						}
					>
						Markers to rest
					</Button>
				</>
			)}
			<input
				ref={file}
				type="file"
				hidden
				accept=".bvh,.glb,.gltf,.vrm,.amc,.asf"
				onChange={(event) => {
					const chosen = event.target.files?.[0];
					if (chosen) void openFile(chosen);
					event.target.value = "";
				}}
			/>
			<Button icon={icons.upload} onClick={() => file.current?.click()}>
				Open a motion file…
			</Button>
		</Section>
	);
}

function MethodSection() {
	const scene = useScene("body");
	const methods = useStudio((state) => state.welcome?.methods ?? []);
	const track = useStudio((state) => state.track);
	const now = useSampled((frame) => {
		const body = detailsOf(frame, "body");
		return {
			position: body?.position_error ?? null,
			orientation: body?.orientation_error ?? null,
			micros: frame?.micros ?? 0,
			frame: body?.frame ?? 0,
		};
	}, 5);
	return (
		<Section title="Method">
			<Select
				label="Method"
				value={scene.method}
				onChange={(method) => change("Change method", (old) => withMethod(old, method))}
				options={methods.map(({ name }) => name)}
			/>
			<p className="hint">{methods.find(({ name }) => name === scene.method)?.summary}</p>
			<dl className="figures">
				{now.position !== null && (
					<div title="The mean distance of the joints from the original, now, against the height">
						<dt>Position off</dt>
						<dd>
							{(100 * now.position).toFixed(2)}
							<small>%</small>
						</dd>
					</div>
				)}
				{now.orientation !== null && (
					<div title="The mean turn of the joints from the original, now">
						<dt>Turned off</dt>
						<dd>
							{degrees(now.orientation).toFixed(1)}
							<small>°</small>
						</dd>
					</div>
				)}
				<div title="The median time of a frame">
					<dt>Time a frame</dt>
					<dd>{timeInWords(track && scene.source.kind !== "markers" ? track.micros : now.micros)}</dd>
				</div>
				{track && scene.source.kind !== "markers" && track.done < track.frames && (
					<div>
						<dt>Reconstructed</dt>
						<dd>
							{Math.floor((100 * track.done) / track.frames)}
							<small>%</small>
						</dd>
					</div>
				)}
			</dl>
		</Section>
	);
}

function PointsSection() {
	const scene = useScene("body");
	const free = takesAnyPoints(scene.method);
	const states = useSampled(
		(frame) =>
			Object.fromEntries(detailsOf(frame, "body")?.points.map(({ point, source }) => [point, source]) ?? []),
		5,
	);
	return (
		<Section title="Points" aside={scene.points.length}>
			<Segments
				label="How many points"
				value={presetOf(scene.points)}
				onChange={(label) => {
					const preset = PRESETS.find((other) => other.label === label);
					if (preset && (free || label === "6")) {
						change("Change points", (old) => ({ ...old, points: [...preset.points] }));
					}
				}}
				options={PRESETS.map(({ label, title }) => ({ value: label, label, title }))}
			/>
			{!free && <p className="hint">{scene.method} takes the six points and nothing else.</p>}
			<ul className="points">
				{POINTS.map((point) => {
					const source = scene.points.includes(point) ? (states as Record<string, string>)[point] : undefined;
					return (
						<li key={point}>
							<label title={source ? `${pointInWords(point)}: ${source}` : undefined}>
								<input
									type="checkbox"
									disabled={!free}
									checked={scene.points.includes(point)}
									onChange={(event) =>
										change(`Use ${pointInWords(point).toLowerCase()}`, (old) =>
											withPoint(old, point, event.target.checked),
										)
									}
								/>
								<span>{pointInWords(point)}</span>
								{source && (
									<i className="state" data-state={standing(source)} role="img" aria-label={source} />
								)}
							</label>
						</li>
					);
				})}
			</ul>
			<p className="hint">
				<i className="key good" /> measured <i className="key filled" /> filled in{" "}
				<i className="key doubted" /> not believed
			</p>
			<Toggle
				label="Use their orientations too"
				disabled={!free}
				value={scene.orientations}
				onChange={(orientations) => change("Use orientations", (old) => ({ ...old, orientations }))}
			/>
		</Section>
	);
}

export function BodyPanel() {
	return (
		<>
			<SourceSection />
			<MethodSection />
			<PointsSection />
		</>
	);
}
