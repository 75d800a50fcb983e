// The unit of a file that does not say it: metres of one of its units.

import { NumberField, Row, Select } from "../ui/controls";
import type { ThingDescription } from "../wire";

const UNITS = [
	{ value: "1", label: "metre" },
	{ value: "0.01", label: "centimetre" },
	{ value: "0.001", label: "millimetre" },
	{ value: "0.0254", label: "inch" },
	{ value: "0.3048", label: "foot" },
];

export function UnitRow(props: { of: string; scale: number; onChange(scale: number): void }) {
	const { of, scale, onChange } = props;
	const known = UNITS.some(({ value }) => Number(value) === scale);
	return (
		<Row label="Its unit" title="Files of this kind do not say it">
			<Select
				label={`Unit of ${of}`}
				value={known ? String(scale) : "other"}
				onChange={(value) => value !== "other" && onChange(Number(value))}
				options={known ? UNITS : [...UNITS, { value: "other", label: "other", disabled: true }]}
			/>
			<NumberField
				label={`Metres of a unit of ${of}`}
				digits={4}
				min={1e-4}
				max={1000}
				step={0.01}
				value={scale}
				onChange={onChange}
			/>
			<span className="unit">m</span>
		</Row>
	);
}

/** How large a mesh is, in words: "12.0 × 3.1 × 20.4 m". */
export function sizeInWords({ form }: ThingDescription, scale: number): string {
	if (form.kind !== "mesh") return `${form.columns} × ${form.rows} pixels`;
	const sides = form.high.map((high, axis) => scale * (high - (form.low[axis] ?? 0)));
	return `${sides.map((side) => side.toFixed(side < 1 ? 2 : 1)).join(" × ")} m`;
}
