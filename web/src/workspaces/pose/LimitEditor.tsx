// The numbers of a joint's limit. The same limit is drawn and dragged in the picture.

import { degrees, radians, turn } from "../../maths";
import { addToLimit, setLimit } from "../../state/documents";
import { useRig } from "../../state/store";
import { Button, NumberField, Row, Select, Slider, Toggle } from "../../ui/controls";
import { icons } from "../../ui/icons";
import type { JointDescription, LimitDocument, LimitShape, Range, Swing } from "../../wire";
import { changeKind } from "./kindMemory";
import { KIND_WORDS, kindOf, kindsFor } from "./limits";

const DEGREE = "°";

function RangeRow(props: { label: string; range: Range; unit?: "m"; onChange(range: Range): void }) {
	const { range } = props;
	const out = (value: number) => (props.unit ? value : degrees(value));
	const back = (value: number) => (props.unit ? value : radians(value));
	const digits = props.unit ? 3 : 1;
	return (
		<Row label={props.label}>
			<NumberField
				label={`${props.label}, least`}
				value={out(range.min)}
				digits={digits}
				step={props.unit ? 0.01 : 1}
				max={out(range.max)}
				onChange={(value) => props.onChange({ ...range, min: back(value) })}
			/>
			<span className="unit">to</span>
			<NumberField
				label={`${props.label}, most`}
				value={out(range.max)}
				digits={digits}
				step={props.unit ? 0.01 : 1}
				min={out(range.min)}
				unit={props.unit ?? DEGREE}
				onChange={(value) => props.onChange({ ...range, max: back(value) })}
			/>
		</Row>
	);
}

function AngleRow(props: { label: string; value: number; max?: number; onChange(value: number): void }) {
	return (
		<Row label={props.label}>
			<Slider
				label={props.label}
				value={degrees(props.value)}
				min={0}
				max={props.max ?? 180}
				step={1}
				digits={1}
				unit={DEGREE}
				onChange={(value) => props.onChange(radians(value))}
			/>
		</Row>
	);
}

function SwingFields({ swing, onChange }: { swing: Swing; onChange(swing: Swing, merge: string): void }) {
	switch (swing.kind) {
		case "cone":
			return (
				<AngleRow
					label="Opening"
					value={swing.radius}
					onChange={(radius) => onChange({ ...swing, radius }, "cone")}
				/>
			);
		case "ellipse":
			return (
				<>
					<AngleRow label="About x" value={swing.x} onChange={(x) => onChange({ ...swing, x }, "x")} />
					<AngleRow label="About y" value={swing.y} onChange={(y) => onChange({ ...swing, y }, "y")} />
				</>
			);
		case "kusudama":
			return swing.cones.map((cone, i) => (
				<AngleRow
					key={`cone ${i}`}
					label={`Cone ${i + 1}`}
					value={cone.radius}
					onChange={(radius) =>
						onChange(
							{ ...swing, cones: swing.cones.map((old, k) => (k === i ? { ...old, radius } : old)) },
							`cone ${i}`,
						)
					}
				/>
			));
		case "spline":
			return swing.knots.map((knot, i) => (
				<AngleRow
					key={`knot ${i}`}
					label={`Knot at ${degrees(knot.circumduction).toFixed(0)}${DEGREE}`}
					value={knot.amplitude}
					onChange={(amplitude) =>
						onChange(
							{ ...swing, knots: swing.knots.map((old, k) => (k === i ? { ...old, amplitude } : old)) },
							`knot ${i}`,
						)
					}
				/>
			));
		case "polygon":
			return <p className="hint">{swing.vertices.length} corners: drag them in the picture.</p>;
		default:
			return null;
	}
}

const ADDED: Partial<Record<Swing["kind"], string>> = { polygon: "corner", spline: "knot", kusudama: "cone" };

export function LimitEditor({ place, joint }: { place: number; joint: JointDescription }) {
	const rig = useRig();
	const { limit } = joint;
	const shape: LimitShape = limit?.shape ?? { kind: "none" };
	const document: LimitDocument = limit ?? { shape, soft_zone: 0, outlines: [], handles: [] };
	const set = (next: LimitShape, merge: string) =>
		void setLimit(place, { ...document, shape: next }, "Change limit", merge);
	const kinds = kindsFor(joint);
	if (kinds.length === 1) return <p className="hint">A fixed joint needs no limit.</p>;
	const swings = shape.kind === "swing_twist" ? shape : null;
	const added = swings && ADDED[swings.swing.kind];
	return (
		<div className="card">
			<Row label="Limit">
				<Select
					label="Kind of limit"
					value={kindOf(shape)}
					options={kinds.map((kind) => ({ value: kind, label: KIND_WORDS[kind] }))}
					onChange={(kind) => void changeKind(rig, place, kind)}
				/>
			</Row>
			{shape.kind === "hinge" && (
				<RangeRow label="Angle" range={shape.range} onChange={(range) => set({ ...shape, range }, "angle")} />
			)}
			{shape.kind === "prismatic" && (
				<RangeRow
					label="Way"
					unit="m"
					range={shape}
					onChange={(range) => set({ ...shape, ...range }, "way")}
				/>
			)}
			{shape.kind === "universal" &&
				([0, 1] as const).map((i) => (
					<RangeRow
						key={i}
						label={i === 0 ? "First axis" : "Second axis"}
						range={shape.ranges[i]}
						onChange={(range) =>
							set(
								{ ...shape, ranges: i === 0 ? [range, shape.ranges[1]] : [shape.ranges[0], range] },
								`axis ${i}`,
							)
						}
					/>
				))}
			{shape.kind === "euler" && (
				<>
					<Row label="Order">
						<Select
							label="Order of the angles"
							value={shape.order}
							options={["xyz", "xzy", "yxz", "yzx", "zxy", "zyx"]}
							onChange={(order) => set({ ...shape, order }, "order")}
						/>
					</Row>
					{([0, 1, 2] as const).map((i) => (
						<RangeRow
							key={i}
							label={`About ${shape.order[i] ?? i}`}
							range={shape.ranges[i]}
							onChange={(range) => {
								const ranges: [Range, Range, Range] = [...shape.ranges];
								ranges[i] = range;
								set({ ...shape, ranges }, `angle ${i}`);
							}}
						/>
					))}
				</>
			)}
			{swings && (
				<>
					<SwingFields swing={swings.swing} onChange={(swing, merge) => set({ ...swings, swing }, merge)} />
					<Toggle
						label="Limit the twist"
						value={swings.twist !== null}
						onChange={(on) =>
							set({ ...swings, twist: on ? { min: -radians(45), max: radians(45) } : null }, "twist on")
						}
					/>
					{swings.twist && (
						<RangeRow
							label="Twist"
							range={swings.twist}
							onChange={(twist) => set({ ...swings, twist }, "twist")}
						/>
					)}
				</>
			)}
			{shape.kind !== "none" && (
				<Row label="Soft zone" title="The band inside the edge that pushes back">
					<Slider
						label="Soft zone"
						value={degrees(document.soft_zone)}
						min={0}
						max={45}
						step={0.5}
						digits={1}
						unit={DEGREE}
						onChange={(value) =>
							void setLimit(place, { ...document, soft_zone: radians(value) }, "Soft zone", "soft")
						}
					/>
				</Row>
			)}
			{swings && added && (
				<Button
					icon={icons.plus}
					onClick={() => void addToLimit(place, turn(swings.frame, [0, 0, 1]))}
					title="Or double-click on the sphere"
				>
					Add a {added}
				</Button>
			)}
			{document.handles.length > 0 && (
				<p className="hint">
					{swings
						? "Shaded is where the bone may point; the dial in front is its twist. Drag the round handles on them."
						: "Shaded is how far it may turn. Drag the round handles on the sphere."}
					{document.handles.some((handle) => handle.removable) && " Alt-click a handle to take it away."}
				</p>
			)}
		</div>
	);
}
