import { useEffect, useMemo } from "react";
import { timeInWords } from "../../app/StatusLine";
import { bringIntoScene } from "../../state/files";
import { detailsOf, frames, useSampled } from "../../state/frames";
import { editScene } from "../../state/session";
import { useRig, useScene, useStudio } from "../../state/store";
import { resetPose } from "../../state/undo";
import { Button, FileButton, Row, Section, Segments, Slider, Toggle } from "../../ui/controls";
import { icons } from "../../ui/icons";
import { extentIn, Samples } from "../../ui/plotting";
import type { TerrainChoice, WalkScene } from "../../wire";
import { sizeInWords, UnitRow } from "../UnitRow";
import { isOfFile, oddOf } from "./groundFile";
import { plantedFeet } from "./plants";
import { useWalkView } from "./view";

type Made = Exclude<TerrainChoice, { file: string }>;

const USUAL: { [K in Made["kind"]]: Extract<Made, { kind: K }> } = {
	flat: { kind: "flat" },
	slope: { kind: "slope", grade: 0.15 },
	stairs: { kind: "stairs", rise: 0.16, tread: 0.32 },
	hills: { kind: "hills", seed: 1, height: 0.5 },
};
/** What each terrain was set to last, for when it is chosen again. */
const last: Partial<Record<Made["kind"], Made>> = {};

const SOLVERS: Record<string, { label: string; title: string }> = {
	half: { label: "Half", title: "The half Jacobian: three rows" },
	full: { label: "Full", title: "The full Jacobian: six rows" },
	hybrid: { label: "Hybrid", title: "The full Jacobian for the foot in front, the half one behind" },
	limb: { label: "Limb", title: "The analytic limb: exact and fastest" },
	ewbik: { label: "EWBIK", title: "Entirely wahba's-problem based inverse kinematics" },
};

const change = (label: string, part: Partial<WalkScene>, merge?: string) =>
	editScene("walk", label, (scene) => ({ ...scene, ...part }), merge);

function setTerrain(terrain: TerrainChoice, merge?: string): void {
	if (!isOfFile(terrain)) last[terrain.kind] = terrain;
	change("Change terrain", { terrain }, merge);
}

function TerrainSettings({ terrain }: { terrain: TerrainChoice }) {
	switch (terrain.kind) {
		case "flat":
			return null;
		case "slope":
			return (
				<Row label="Grade" title="The rise over the run; below zero it goes down">
					<Slider
						label="Grade"
						unit="%"
						digits={0}
						min={-40}
						max={40}
						step={1}
						value={100 * terrain.grade}
						onChange={(percent) => setTerrain({ kind: "slope", grade: percent / 100 }, "grade")}
					/>
				</Row>
			);
		case "stairs":
			return (
				<>
					<Row label="Rise" title="The height of a step">
						<Slider
							label="Rise"
							unit="cm"
							digits={0}
							min={4}
							max={30}
							step={1}
							value={100 * terrain.rise}
							onChange={(cm) => setTerrain({ ...terrain, rise: cm / 100 }, "rise")}
						/>
					</Row>
					<Row label="Tread" title="The depth of a step">
						<Slider
							label="Tread"
							unit="cm"
							digits={0}
							min={20}
							max={80}
							step={1}
							value={100 * terrain.tread}
							onChange={(cm) => setTerrain({ ...terrain, tread: cm / 100 }, "tread")}
						/>
					</Row>
				</>
			);
		case "hills":
			return (
				<>
					<Row label="Height">
						<Slider
							label="Height of the hills"
							unit="m"
							min={0.05}
							max={1.5}
							step={0.05}
							value={terrain.height}
							onChange={(height) => setTerrain({ ...terrain, height }, "height")}
						/>
					</Row>
					<Row label="Number" title="The same number always gives the same hills">
						<Slider
							label="Number of the hills"
							digits={0}
							min={1}
							max={50}
							step={1}
							value={terrain.seed}
							onChange={(seed) => setTerrain({ ...terrain, seed: Math.round(seed) }, "seed")}
						/>
					</Row>
				</>
			);
		case "mesh":
			return <MeshSettings terrain={terrain} />;
		case "map":
			return (
				<>
					<FileWords file={terrain.file} scale={1} />
					<Row label="Height" title="How high white is; black is at zero">
						<Slider
							label="Height of white"
							unit="m"
							min={-2}
							max={10}
							step={0.05}
							value={terrain.height}
							onChange={(height) => setTerrain({ ...terrain, height }, "height")}
						/>
					</Row>
					<Row label="Pixel" title="The side of a pixel">
						<Slider
							label="Side of a pixel"
							unit="m"
							min={0.01}
							max={1}
							step={0.01}
							value={terrain.cell}
							onChange={(cell) => setTerrain({ ...terrain, cell }, "cell")}
						/>
					</Row>
				</>
			);
	}
}

function FileWords({ file, scale }: { file: string; scale: number }) {
	const thing = useStudio((state) => state.things[file]);
	if (!thing) return null;
	const odd = oddOf(thing, scale);
	return (
		<p className="hint">
			{thing.name}: {sizeInWords(thing, scale)}
			{thing.form.kind === "mesh" && `, ${thing.form.triangles} triangles`}.{odd && ` ${odd}`}
		</p>
	);
}

function MeshSettings({ terrain }: { terrain: Extract<TerrainChoice, { kind: "mesh" }> }) {
	const name = useStudio((state) => state.things[terrain.file]?.name ?? "the ground");
	return (
		<>
			<FileWords file={terrain.file} scale={terrain.scale} />
			<UnitRow
				of={name}
				scale={terrain.scale}
				onChange={(scale) => setTerrain({ ...terrain, scale }, "scale")}
			/>
		</>
	);
}

/** The last seconds, for figures that would flicker otherwise. */
function useLately(): Samples {
	const samples = useMemo(() => new Samples(3, 2), []);
	useEffect(
		() =>
			frames.subscribe((frame) => {
				const walk = detailsOf(frame, "walk");
				if (walk) samples.push(frame.time, 1000 * walk.slip, walk.place[0], walk.place[2]);
			}),
		[samples],
	);
	return samples;
}

function speedIn(samples: Samples): number {
	const { times, values } = samples;
	const end = times.length - 1;
	let start = end;
	while (start > 0 && (times[end] ?? 0) - (times[start] ?? 0) < 0.8) start -= 1;
	const seconds = (times[end] ?? 0) - (times[start] ?? 0);
	if (!(seconds > 0.2)) return 0;
	const [xs, zs] = [values[1] ?? [], values[2] ?? []];
	const gone = Math.hypot((xs[end] ?? 0) - (xs[start] ?? 0), (zs[end] ?? 0) - (zs[start] ?? 0));
	return Number.isFinite(gone) ? gone / seconds : 0;
}

function Figures() {
	const lately = useLately();
	const { micros, iterations, planted, feet, slip, speed } = useSampled((frame) => {
		const walk = detailsOf(frame, "walk");
		const now = lately.now();
		return {
			micros: frame && walk ? timeInWords(frame.micros) : "–",
			iterations: walk?.iterations ?? 0,
			planted: walk ? plantedFeet(walk.feet) : 0,
			feet: walk?.feet.length ?? 0,
			slip: (extentIn(lately.times, lately.values[0] ?? [], [now - 2, now])?.[1] ?? 0).toFixed(2),
			speed: (walk?.standing ? 0 : speedIn(lately)).toFixed(2),
		};
	}, 5);
	return (
		<dl className="figures">
			<div title="The furthest that a planted foot was off its plant in the last two seconds">
				<dt>Slip</dt>
				<dd>
					{slip}
					<small>mm</small>
				</dd>
			</div>
			<div title="The median time of the last steps">
				<dt>Time a step</dt>
				<dd>{micros}</dd>
			</div>
			<div title="Rounds of the leg solver in the last step">
				<dt>Rounds</dt>
				<dd>{iterations}</dd>
			</div>
			<div>
				<dt>Speed</dt>
				<dd>
					{speed}
					<small>m/s</small>
				</dd>
			</div>
			<div>
				<dt>On the ground</dt>
				<dd>
					{planted}
					<small>of {feet} feet</small>
				</dd>
			</div>
		</dl>
	);
}

export function WalkPanel() {
	const rig = useRig();
	const scene = useScene("walk");
	const solvers = useStudio((state) => state.welcome?.leg_solvers ?? []);
	const camera = useWalkView((state) => state.camera);
	const showPlants = useWalkView((state) => state.showPlants);
	const gamepad = useWalkView((state) => state.gamepad);
	const fastest = 1.5 * rig.size;
	return (
		<>
			<Section title="Steering" aside={gamepad ? "gamepad" : undefined}>
				<p className="hint">
					<kbd>W</kbd> walks, <kbd>A</kbd> <kbd>D</kbd> turn, or the arrow keys; with <kbd>Shift</kbd> slowly.
					{gamepad ? ` Gamepad: ${gamepad}.` : " A gamepad or the stick in the picture works too."}
				</p>
				<Row label="Speed" title="At full speed on even ground">
					<Toggle
						label="Its own"
						value={scene.speed === null}
						onChange={(own) => change("Change speed", { speed: own ? null : 0.7 * rig.size })}
					/>
				</Row>
				{scene.speed !== null && (
					<Row label="At most">
						<Slider
							label="Speed"
							unit="m/s"
							min={0.1}
							max={fastest}
							step={0.05}
							value={scene.speed}
							onChange={(speed) => change("Change speed", { speed }, "speed")}
						/>
					</Row>
				)}
				<Row label="Lift" title="How high the feet are lifted; 1 is usual">
					<Slider
						label="Lift of the feet"
						unit="×"
						min={0.2}
						max={3}
						step={0.05}
						value={scene.lift}
						onChange={(lift) => change("Change lift", { lift }, "lift")}
					/>
				</Row>
				<Row label="Arms" title="How much the arms swing; 1 is usual">
					<Slider
						label="Swing of the arms"
						unit="×"
						min={0}
						max={2.5}
						step={0.05}
						value={scene.arms}
						onChange={(arms) => change("Change arms", { arms }, "arms")}
					/>
				</Row>
			</Section>
			<Section title="Terrain">
				<Segments
					label="Terrain"
					value={isOfFile(scene.terrain) ? null : scene.terrain.kind}
					onChange={(kind) => setTerrain(last[kind] ?? USUAL[kind])}
					options={[
						{ value: "flat", label: "Flat" },
						{ value: "slope", label: "Slope" },
						{ value: "stairs", label: "Stairs" },
						{ value: "hills", label: "Hills" },
					]}
				/>
				<TerrainSettings terrain={scene.terrain} />
				<FileButton
					accept=".obj,.png"
					title="Or drop it on the picture: an OBJ (y up), or a PNG whose brightness is the height"
					onFile={(file) => void bringIntoScene(file)}
				>
					{isOfFile(scene.terrain) ? "Another file…" : "From a file…"}
				</FileButton>
				<Button icon={icons.reset} onClick={resetPose}>
					Back to the start
				</Button>
			</Section>
			<Section title="Solver of the legs">
				<Segments
					label="Solver of the legs"
					value={scene.solver}
					onChange={(solver) => change("Change solver", { solver })}
					options={solvers.map((name) => ({ value: name, label: name, ...SOLVERS[name] }))}
				/>
				<p className="hint">{SOLVERS[scene.solver]?.title}. It may be changed in mid-stride.</p>
				<Figures />
			</Section>
			<Section title="View">
				<Segments
					label="Camera"
					value={camera}
					onChange={(next) => useWalkView.setState({ camera: next })}
					options={[
						{ value: "behind", label: "Behind", title: "Goes along and turns with the walker" },
						{ value: "along", label: "Along", title: "Goes along, keeps its direction" },
						{ value: "feet", label: "Feet", title: "Close to the feet, from their side" },
						{ value: "still", label: "Still", title: "Stays where it is" },
					]}
				/>
				<Toggle
					label="Where the feet were put down"
					value={showPlants}
					onChange={(show) => useWalkView.setState({ showPlants: show })}
				/>
			</Section>
		</>
	);
}
