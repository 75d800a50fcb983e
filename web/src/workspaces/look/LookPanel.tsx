import { type FormEvent, useState } from "react";
import { clamp, degrees, radians, type V3 } from "../../maths";
import { savePosture } from "../../state/documents";
import { detailsOf, frames, useSampled } from "../../state/frames";
import { editScene } from "../../state/session";
import { useRig, useScene } from "../../state/store";
import { NumberField, Row, Section, Segments, Select, Slider, Toggle } from "../../ui/controls";
import { icons } from "../../ui/icons";
import type { FilterSettings, LookScene, LookTarget } from "../../wire";
import { PRESETS, presetOf } from "./filters";
import {
	directionOf,
	GIVEN,
	isIn,
	isSlide,
	relativeRotations,
	slidJoints,
	turnOf,
	withPosture,
	withValue,
} from "./postures";
import { useLookView } from "./view";

const change = (label: string, part: Partial<LookScene>, merge?: string) =>
	editScene("look", label, (scene) => ({ ...scene, ...part }), merge);

/** What takes part when a character looks. */
const LOOKING = /^(spine|chest|upperChest|neck|head|leftEye|rightEye)$/;

type TargetMode = "point" | "pointer" | "path" | "direction";

function modeOf(target: LookTarget, follow: boolean): TargetMode {
	if (target.kind === "path") return "path";
	if (target.kind === "toward") return "direction";
	return follow ? "pointer" : "point";
}

function TargetSection() {
	const rig = useRig();
	const { target } = useScene("look");
	const follow = useLookView((state) => state.followPointer);
	const mode = modeOf(target, follow);
	const choose = (next: TargetMode) => {
		useLookView.setState({ followPointer: next === "pointer" });
		if (next === "path") {
			if (target.kind !== "path") {
				change("Look along a path", { target: { kind: "path", path: "circle", speed: 0.2 } });
			}
		} else if (next === "direction") {
			if (target.kind !== "toward") {
				change("Look in a direction", { target: { kind: "toward", rotation: [0, 0, 0, 1] } });
			}
		} else if (target.kind !== "at") {
			// From where it looks now, so that nothing jumps.
			const now = detailsOf(frames.latest, "look")?.target;
			const ahead: V3 = [0, rig.floor + 0.6 * rig.size, rig.size];
			change("Look at a point", { target: { kind: "at", position: now ?? ahead } });
		}
	};
	return (
		<Section title="Target">
			<Segments
				label="What is looked at"
				value={mode}
				onChange={choose}
				options={[
					{ value: "point", label: "Point", title: "A point to drag" },
					{ value: "pointer", label: "Pointer", title: "Follows the pointer over the picture" },
					{ value: "path", label: "Path", title: "Moves by itself" },
					{ value: "direction", label: "Direction", title: "Turned from straight ahead" },
				]}
			/>
			{mode === "pointer" && <p className="hint">Move the pointer over the picture.</p>}
			{mode === "point" && target.kind === "at" && (
				<Row label="At">
					{(["x", "y", "z"] as const).map((axis, i) => (
						<NumberField
							key={axis}
							label={`Target ${axis}`}
							digits={2}
							value={target.position[i] as number}
							onChange={(value) => {
								const position = [...target.position] as V3;
								position[i] = value;
								change("Move target", { target: { kind: "at", position } }, `at ${axis}`);
							}}
						/>
					))}
					<span className="unit">m</span>
				</Row>
			)}
			{target.kind === "path" && (
				<>
					<Segments
						label="Path"
						value={target.path}
						onChange={(path) => change("Change path", { target: { ...target, path } })}
						options={[
							{ value: "circle", label: "Circle" },
							{ value: "eight", label: "Eight" },
							{ value: "jumps", label: "Jumps", title: "From corner to corner: what a filter is for" },
						]}
					/>
					<Row label="Speed" title="Rounds a second">
						<Slider
							label="Rounds a second"
							unit="1/s"
							min={0}
							max={1.5}
							step={0.01}
							value={target.speed}
							onChange={(speed) => change("Change speed", { target: { ...target, speed } }, "speed")}
						/>
					</Row>
				</>
			)}
			{target.kind === "toward" &&
				(["yaw", "pitch", "roll"] as const).map((part) => {
					const direction = directionOf(target.rotation);
					const most = part === "pitch" ? 89 : 180;
					return (
						<Row key={part} label={{ yaw: "To the left", pitch: "Up", roll: "Tilted" }[part]}>
							<Slider
								label={`Direction: ${part}`}
								unit="°"
								digits={0}
								min={-most}
								max={most}
								step={1}
								value={degrees(direction[part])}
								onChange={(angle) =>
									change(
										"Turn direction",
										{
											target: {
												kind: "toward",
												rotation: turnOf({ ...direction, [part]: radians(angle) }),
											},
										},
										part,
									)
								}
							/>
						</Row>
					);
				})}
		</Section>
	);
}

function PostureSection() {
	const rig = useRig();
	const scene = useScene("look");
	const [name, setName] = useState("");
	const slid = slidJoints(rig);
	const save = async (event: FormEvent) => {
		event.preventDefault();
		const posture = detailsOf(frames.latest, "look")?.posture;
		if (!posture || name.trim() === "") return;
		const values = Array.from({ length: rig.joints.length }, (_, i) => scene.values[i] ?? 0);
		const rotations = relativeRotations(rig, posture);
		const kept = { name: name.trim(), rotations, values };
		if (await savePosture(kept, false, `Keep ${kept.name}`)) setName("");
	};
	return (
		<Section title="Posture" aside={rig.postures.find((posture) => isIn(scene, posture))?.name}>
			<p className="hint">The shape it keeps while it looks.</p>
			<ul className="postures" aria-label="Kept postures">
				<li data-current={scene.values.every((value) => value === 0) && scene.rotations.length === 0}>
					<button type="button" onClick={() => change("Rest", { values: [], rotations: [] })}>
						rest
					</button>
				</li>
				{rig.postures.map((posture) => (
					<li key={posture.name} data-current={isIn(scene, posture)}>
						<button
							type="button"
							onClick={() => editScene("look", posture.name, (old) => withPosture(old, posture))}
						>
							{posture.name}
						</button>
						{!GIVEN.includes(posture.name) && (
							<button
								type="button"
								className="forget"
								aria-label={`Forget ${posture.name}`}
								title={`Forget ${posture.name}`}
								onClick={() => void savePosture(posture, true, `Forget ${posture.name}`)}
							>
								{icons.close}
							</button>
						)}
					</li>
				))}
			</ul>
			<form className="save-posture" onSubmit={(event) => void save(event)}>
				<input
					className="field"
					type="text"
					aria-label="Name for this posture"
					placeholder="Name to keep this one by"
					maxLength={80}
					value={name}
					onChange={(event) => setName(event.target.value)}
				/>
				<button type="submit" className="button" disabled={name.trim() === ""}>
					Keep
				</button>
			</form>
			{slid.map(({ place, joint, range }) => {
				const slide = isSlide(joint);
				const shown = (x: number) => (slide ? x : degrees(x));
				const [low, high] = [Math.max(range[0], -2 * Math.PI), Math.min(range[1], 2 * Math.PI)];
				return (
					<Row key={joint.name} label={joint.name} title={`${joint.name}, ${joint.kind}`}>
						<Slider
							label={`${joint.name} in the posture`}
							unit={slide ? "m" : "°"}
							digits={slide ? 3 : 0}
							min={shown(low)}
							max={shown(high)}
							step={slide ? (high - low) / 200 : 1}
							value={shown(scene.values[place] ?? 0)}
							onChange={(value) => {
								const angle = clamp(slide ? value : radians(value), range[0], range[1]);
								editScene(
									"look",
									`Turn ${joint.name}`,
									(old) => withValue(old, rig.joints.length, place, angle),
									`posture ${place}`,
								);
							}}
						/>
					</Row>
				);
			})}
			<Toggle
				label="Bends keep their sides"
				title="A bend to the left in the posture is never a bend to the right"
				value={scene.keep_sides}
				onChange={(keep_sides) => change("Keep sides", { keep_sides })}
			/>
			<Toggle
				label="Upside down is as good"
				title="For an end point without a face (SymmetricEndpoint)"
				value={scene.symmetric}
				onChange={(symmetric) => change("Symmetric end point", { symmetric })}
			/>
		</Section>
	);
}

/** A slider whose middle is the geometric one: for what ranges over several powers of ten. */
function BoundRow(props: {
	label: string;
	title: string;
	unit: string;
	min: number;
	max: number;
	value: number;
	disabled: boolean;
	onChange(value: number): void;
}) {
	const { min, max, value } = props;
	const rounded = (x: number) => Number(x.toPrecision(2));
	return (
		<Row label={props.label} title={props.title}>
			<input
				className="slider"
				type="range"
				aria-label={props.label}
				disabled={props.disabled}
				min={Math.log10(min)}
				max={Math.log10(max)}
				step={0.01}
				value={Math.log10(clamp(value, min, max))}
				onChange={(event) => props.onChange(rounded(10 ** Number(event.target.value)))}
			/>
			<span style={{ width: 58, flex: "none" }}>
				<NumberField
					label={`${props.label}, exactly`}
					disabled={props.disabled}
					min={min}
					max={max}
					step={value / 20}
					digits={2}
					value={value}
					onChange={props.onChange}
				/>
			</span>
			<span className="unit" style={{ minWidth: 34 }}>
				{props.unit}
			</span>
		</Row>
	);
}

function FilterSection() {
	const { filter } = useScene("look");
	const set = (part: Partial<FilterSettings>, merge?: string) =>
		filter && change("Change filter", { filter: { ...filter, ...part } }, merge);
	return (
		<Section title="Filter" aside={filter ? presetOf(filter) : "off"}>
			<Toggle
				label="Move as a servo can"
				title="Bounds the velocity, acceleration and jerk of every joint"
				value={filter !== null}
				onChange={(on) => change("Switch filter", { filter: on ? PRESETS.usual : null })}
			/>
			{filter && (
				<>
					<Row label="Character">
						<Segments
							label="Character"
							value={presetOf(filter)}
							onChange={(preset) => preset !== "own" && set(PRESETS[preset])}
							options={[
								{ value: "light", label: "Light" },
								{ value: "usual", label: "Usual" },
								{ value: "heavy", label: "Heavy" },
							]}
						/>
					</Row>
					<Row label="Bounded" title="How many derivatives are bounded">
						<Segments
							label="Order"
							value={String(filter.order)}
							onChange={(order) => set({ order: Number(order) })}
							options={[
								{ value: "1", label: "v", title: "Velocity" },
								{ value: "2", label: "v, a", title: "Velocity and acceleration" },
								{ value: "3", label: "v, a, j", title: "Velocity, acceleration and jerk" },
							]}
						/>
					</Row>
					<BoundRow
						label="Velocity"
						title="The most velocity"
						unit="rad/s"
						min={0.1}
						max={20}
						disabled={false}
						value={filter.velocity}
						onChange={(velocity) => set({ velocity }, "velocity")}
					/>
					<BoundRow
						label="Acceleration"
						title="The most acceleration"
						unit="rad/s²"
						min={0.5}
						max={300}
						disabled={filter.order < 2}
						value={filter.acceleration}
						onChange={(acceleration) => set({ acceleration }, "acceleration")}
					/>
					<BoundRow
						label="Jerk"
						title="The most jerk"
						unit="rad/s³"
						min={2}
						max={20000}
						disabled={filter.order < 3}
						value={filter.jerk}
						onChange={(jerk) => set({ jerk }, "jerk")}
					/>
					<Row label="Smoothness" title="How gently a target is approached">
						<Slider
							label="Smoothness"
							min={0}
							max={1}
							step={0.01}
							value={filter.smoothness}
							onChange={(smoothness) => set({ smoothness }, "smoothness")}
						/>
					</Row>
					<Row label="Responsive" title="How much of that is taken back near the end">
						<Slider
							label="Responsiveness"
							min={0}
							max={0.99}
							step={0.01}
							value={filter.responsiveness}
							onChange={(responsiveness) => set({ responsiveness }, "responsiveness")}
						/>
					</Row>
				</>
			)}
		</Section>
	);
}

function Figures() {
	const figures = useSampled((frame) => {
		const look = detailsOf(frame, "look");
		const percent = (x: number | undefined) => (x === undefined ? "–" : (100 * x).toFixed(x < 0.1 ? 2 : 1));
		return {
			orientation: percent(look?.orientation_error),
			posture: percent(look?.posture_error),
			combined: percent(look?.combined_error),
		};
	}, 5);
	return (
		<dl className="figures">
			<div title="How far it looks past the target, as a part of a half turn (eq. 20)">
				<dt>Direction off</dt>
				<dd>
					{figures.orientation}
					<small>%</small>
				</dd>
			</div>
			<div title="How far it is from its posture (eq. 21)">
				<dt>Posture off</dt>
				<dd>
					{figures.posture}
					<small>%</small>
				</dd>
			</div>
			<div title="Both, weighted (eq. 19)">
				<dt>Combined</dt>
				<dd>
					{figures.combined}
					<small>%</small>
				</dd>
			</div>
		</dl>
	);
}

function ViewSection() {
	const rig = useRig();
	const scene = useScene("look");
	const view = useLookView();
	// Joints of a character have no slider, and move all the same.
	const plotted = rig.joints.flatMap(({ name, range, role, freedoms }, place) =>
		range || place === scene.plotted || (freedoms > 0 && LOOKING.test(role ?? ""))
			? [{ value: String(place), label: name }]
			: [],
	);
	return (
		<Section title="Shown">
			<Figures />
			<Row label="Looks with">
				<Select
					label="The joint that looks"
					value={String(scene.endpoint ?? "")}
					onChange={(value) =>
						change("Look with another joint", { endpoint: value === "" ? null : Number(value) })
					}
					options={[
						{ value: "", label: "its head, camera or end" },
						...rig.joints.map((joint, place) => ({ value: String(place), label: joint.name })),
					]}
				/>
			</Row>
			<Row label="Plots of">
				<Select
					label="The joint that is plotted"
					value={String(scene.plotted)}
					onChange={(value) => change("Plot another joint", { plotted: Number(value) })}
					options={plotted}
				/>
			</Row>
			<Toggle
				label="Line of sight"
				value={view.showSight}
				onChange={(showSight) => useLookView.setState({ showSight })}
			/>
			<Toggle
				label="Ghost of the posture"
				value={view.showPosture}
				onChange={(showPosture) => useLookView.setState({ showPosture })}
			/>
			<Toggle
				label="Ghost without the filter"
				disabled={scene.filter === null}
				value={view.showWanted && scene.filter !== null}
				onChange={(showWanted) => useLookView.setState({ showWanted })}
			/>
			<Toggle
				label="Plots"
				value={view.showPlots}
				onChange={(showPlots) => useLookView.setState({ showPlots })}
			/>
		</Section>
	);
}

export function LookPanel() {
	return (
		<>
			<TargetSection />
			<PostureSection />
			<FilterSection />
			<ViewSection />
		</>
	);
}
