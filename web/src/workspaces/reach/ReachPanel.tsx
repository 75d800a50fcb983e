import { type FormEvent, useState } from "react";
import { degrees, radians, type V3 } from "../../maths";
import { bringIntoScene } from "../../state/files";
import { detailsOf, useSampled } from "../../state/frames";
import { editScene } from "../../state/session";
import { setStudio, useRig, useScene, useStudio } from "../../state/store";
import { Button, FileButton, NumberField, Row, Section, Select, Slider, Toggle } from "../../ui/controls";
import { icons } from "../../ui/icons";
import type { Obstacle, ReachScene, SideName } from "../../wire";
import { lengthInWords } from "../pose/words";
import { sizeInWords, UnitRow } from "../UnitRow";
import { removeKey, saveAs, setSwivel, showKey } from "./editing";
import { firstTarget, SIDES, turnNow, withHand } from "./hands";
import { KINDS, lengthsOf, withAdded, withChanged, withRemoved } from "./obstacles";
import "../../ui/list.css";

const change = (label: string, part: Partial<ReachScene>) =>
	editScene("reach", label, (scene) => ({ ...scene, ...part }));

function PlaceFields({
	label,
	at,
	onChange,
}: {
	label: string;
	at: V3;
	onChange(to: V3, axis: string): void;
}) {
	return (
		<>
			{(["x", "y", "z"] as const).map((axis, i) => (
				<NumberField
					key={axis}
					label={`${label} ${axis}`}
					digits={2}
					value={at[i] as number}
					onChange={(value) => {
						const to: V3 = [...at];
						to[i] = value;
						onChange(to, axis);
					}}
				/>
			))}
			<span className="unit">m</span>
		</>
	);
}

function HandSettings({ side }: { side: SideName }) {
	const rig = useRig();
	const target = useScene("reach")[side];
	const name = side === "left" ? "Left hand" : "Right hand";
	const set = (label: string, next: typeof target, merge?: string) =>
		editScene("reach", label, (scene) => withHand(scene, side, next), merge);
	return (
		<>
			<div className="hand-row">
				<Toggle
					label={name}
					value={target !== null}
					onChange={(on) => {
						set(
							on ? `Reach with the ${side} hand` : `Let the ${side} hand be`,
							on ? firstTarget(rig, side) : null,
						);
						if (on) setStudio({ selectedTarget: side });
					}}
				/>
				{target && (
					<Toggle
						label="With orientation"
						title="The hand is to be turned like its target, not only to be there"
						value={target.rotation !== null}
						onChange={(on) =>
							set("Orientation of the hand", { ...target, rotation: on ? turnNow(rig, side) : null })
						}
					/>
				)}
			</div>
			{target && (
				<Row label="At">
					<PlaceFields
						label={name}
						at={target.position}
						onChange={(position, axis) =>
							set(`Move ${side} hand`, { ...target, position }, `${side} ${axis}`)
						}
					/>
				</Row>
			)}
		</>
	);
}

function KeySection({ editKey }: { editKey: number }) {
	const scene = useScene("reach");
	const key = useStudio((state) => state.behaviours[scene.side]?.keys[editKey]);
	if (!key) return null;
	return (
		<Section title={`Key ${editKey}`} aside={key.outer ? "outer" : scene.side}>
			<p className="hint">
				{key.outer
					? "An outer key: it stays where it is, but has a posture like any other."
					: "Drag it on the swing plane to move it; Delete removes it."}
			</p>
			<Row label="Elbow" title="Where the elbow starts: the swivel angle">
				<Slider
					label="Swivel of the elbow"
					unit="°"
					digits={0}
					min={-180}
					max={180}
					step={1}
					value={degrees(key.swivel)}
					onChange={(angle) => setSwivel(editKey, radians(angle))}
				/>
			</Row>
			<Row label="">
				<Button onClick={() => showKey(null)}>Done</Button>
				<Button look="danger" icon={icons.trash} disabled={key.outer} onClick={() => void removeKey(editKey)}>
					Remove key
				</Button>
			</Row>
		</Section>
	);
}

function BehaviourSection() {
	const rig = useRig();
	const scene = useScene("reach");
	const behaviour = useStudio((state) => state.behaviours[scene.side]);
	const [name, setName] = useState("");
	const save = async (event: FormEvent) => {
		event.preventDefault();
		if (name.trim() !== "" && (await saveAs(name.trim()))) setName("");
	};
	return (
		<Section title="Behaviour" aside={behaviour && `${behaviour.keys.length} keys`}>
			<Row label="Reaches as">
				<Select
					label="Behaviour"
					value={scene.behaviour}
					onChange={(next) => change("Change behaviour", { behaviour: next, edit_key: null })}
					options={rig.behaviours}
				/>
			</Row>
			<Row label="Compared with" title="Shown as a ghost">
				<Select
					label="Behaviour to compare with"
					value={scene.compare ?? ""}
					onChange={(next) => change("Compare behaviours", { compare: next === "" ? null : next })}
					options={[
						{ value: "", label: "nothing" },
						...rig.behaviours.map((other) => ({ value: other, label: other })),
					]}
				/>
			</Row>
			{behaviour && (
				<Row label="Key posture" title="Shown and edited instead of reaching; or click it on the swing plane">
					<Select
						label="Key posture to edit"
						value={String(scene.edit_key ?? "")}
						onChange={(next) => showKey(next === "" ? null : Number(next))}
						options={[
							{ value: "", label: "none: reach" },
							...behaviour.keys.map((key, i) => ({
								value: String(i),
								label: key.outer ? `key ${i} (outer)` : `key ${i}`,
							})),
						]}
					/>
				</Row>
			)}
			<form className="save-posture" onSubmit={(event) => void save(event)}>
				<input
					className="field"
					type="text"
					aria-label="Name for the behaviour"
					placeholder="A name for what you changed"
					maxLength={60}
					value={name}
					onChange={(event) => setName(event.target.value)}
				/>
				<button type="submit" className="button" disabled={name.trim() === ""}>
					Save as
				</button>
			</form>
		</Section>
	);
}

/** The unit of an obstacle that is a file. */
function MeshUnit({ obstacle: { id, form } }: { obstacle: Obstacle }) {
	const thing = useStudio((state) => (form.kind === "mesh" ? state.things[form.file] : undefined));
	if (form.kind !== "mesh" || !thing) return null;
	return (
		<>
			<UnitRow
				of={id}
				scale={form.scale}
				onChange={(scale) =>
					editScene(
						"reach",
						`Size of ${id}`,
						(old) => withChanged(old, id, { form: { ...form, scale } }),
						`${id} scale`,
					)
				}
			/>
			<p className="hint">{sizeInWords(thing, form.scale)}. Only its surface is solid.</p>
		</>
	);
}

function ObstacleSection() {
	const rig = useRig();
	const scene = useScene("reach");
	const selected = useStudio((state) => state.selectedTarget);
	const chosen = scene.obstacles.find((obstacle) => obstacle.id === selected);
	const most = 0.6 * rig.size;
	return (
		<Section title="Obstacles" aside={scene.obstacles.length || undefined}>
			<Toggle
				label="Keep out of them, and of oneself"
				value={scene.collisions}
				onChange={(collisions) => change("Switch collisions", { collisions })}
			/>
			<div className="add-obstacles">
				{KINDS.map((kind) => (
					<Button
						key={kind}
						title={`Add a ${kind}`}
						onClick={() => {
							const added = withAdded(scene, rig, kind);
							editScene("reach", `Add ${added.id}`, () => added.scene);
							setStudio({ selectedTarget: added.id });
						}}
					>
						+ {kind}
					</Button>
				))}
				<FileButton
					accept=".obj,.glb"
					title="Add an OBJ or a GLB; or drop it on the picture"
					onFile={(file) => void bringIntoScene(file)}
				>
					+ file…
				</FileButton>
			</div>
			{scene.obstacles.length > 0 && (
				<ul className="goals">
					{scene.obstacles.map((obstacle) => (
						<li key={obstacle.id} data-selected={obstacle.id === selected}>
							<button
								type="button"
								className="goal-name"
								onClick={() => setStudio({ selectedTarget: obstacle.id })}
							>
								{obstacle.id}
							</button>
							<Button
								look="plain"
								label={`Remove ${obstacle.id}`}
								icon={icons.trash}
								onClick={() =>
									editScene("reach", `Remove ${obstacle.id}`, (old) => withRemoved(old, obstacle.id))
								}
							/>
						</li>
					))}
				</ul>
			)}
			{chosen && (
				<>
					<Row label="At">
						<PlaceFields
							label={chosen.id}
							at={chosen.position}
							onChange={(position, axis) =>
								editScene(
									"reach",
									`Move ${chosen.id}`,
									(old) => withChanged(old, chosen.id, { position }),
									`${chosen.id} ${axis}`,
								)
							}
						/>
					</Row>
					{lengthsOf(chosen.form).map(({ name, value, set }) => (
						<Row key={name} label={name}>
							<Slider
								label={`${name} of ${chosen.id}`}
								unit="m"
								min={0.02}
								max={name === "Radius" ? most / 2 : most}
								step={0.01}
								value={value}
								onChange={(to) =>
									editScene(
										"reach",
										`Size of ${chosen.id}`,
										(old) => withChanged(old, chosen.id, { form: set(to) }),
										`${chosen.id} ${name}`,
									)
								}
							/>
						</Row>
					))}
					<MeshUnit obstacle={chosen} />
					<p className="hint">Turn it with the gizmo: press E, or choose Turn above the picture.</p>
				</>
			)}
		</Section>
	);
}

function Figures() {
	const figures = useSampled((frame) => {
		const reach = detailsOf(frame, "reach");
		const hands = SIDES.flatMap((side) => {
			const hand = reach?.[side];
			return hand ? [{ side, off: lengthInWords(hand.position_error), ...hand }] : [];
		});
		return {
			hands: hands.map(({ side, off, weight, swivel }) => ({
				side,
				off,
				weight: Math.round(100 * weight),
				swivel: Math.round(degrees(swivel)),
			})),
			kept: reach ? Math.round(100 * reach.kept) : null,
			feet: reach ? lengthInWords(reach.feet) : null,
			tests: reach?.tests ?? 0,
		};
	}, 5);
	return (
		<Section title="Figures">
			<dl className="figures">
				{figures.hands.map((hand) => (
					<div key={hand.side} title={`How far the ${hand.side} wrist is from its target`}>
						<dt>{hand.side === "left" ? "Left" : "Right"} wrist off</dt>
						<dd>{hand.off}</dd>
					</div>
				))}
				{figures.hands.slice(0, 1).map((hand) => (
					<div key="body" title="How much the body takes part in reaching">
						<dt>Body takes part</dt>
						<dd>
							{hand.weight}
							<small>%</small>
						</dd>
					</div>
				))}
				{figures.hands.slice(0, 1).map((hand) => (
					<div key="swivel">
						<dt>Elbow swivel</dt>
						<dd>
							{hand.swivel}
							<small>°</small>
						</dd>
					</div>
				))}
				{figures.kept !== null && (
					<div title="How much of the posture was kept for the feet and against contacts">
						<dt>Posture kept</dt>
						<dd>
							{figures.kept}
							<small>%</small>
						</dd>
					</div>
				)}
				{figures.feet !== null && (
					<div title="How far the worse foot is off its place">
						<dt>Feet off</dt>
						<dd>{figures.feet}</dd>
					</div>
				)}
				<div title="Postures that were tested for contact">
					<dt>Contact tests</dt>
					<dd>{figures.tests}</dd>
				</div>
			</dl>
		</Section>
	);
}

export function ReachPanel() {
	const { edit_key } = useScene("reach");
	return (
		<>
			{edit_key !== null && <KeySection editKey={edit_key} />}
			<Section title="Hands">
				{SIDES.map((side) => (
					<HandSettings key={side} side={side} />
				))}
			</Section>
			<BehaviourSection />
			<ObstacleSection />
			<Figures />
		</>
	);
}
