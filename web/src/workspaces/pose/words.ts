// How lengths, angles and times are written.

import { degrees } from "../../maths";

/** Lengths as they read well: millimetres below ten centimetres. */
export function lengthInWords(metres: number): string {
	const [number, unit] = lengthParts(metres);
	return `${number} ${unit}`;
}

export function lengthParts(metres: number): [string, string] {
	const size = Math.abs(metres);
	if (size >= 0.9995) return [metres.toFixed(2), "m"];
	if (size >= 0.0995) return [(100 * metres).toFixed(1), "cm"];
	return [(1000 * metres).toFixed(size < 0.00995 ? 2 : 1), "mm"];
}

export function angleParts(radians: number): [string, string] {
	const size = degrees(radians);
	return [size.toFixed(size < 9.995 ? 2 : 1), "°"];
}

export function microsParts(micros: number): [string, string] {
	if (micros < 999.5) return [micros.toFixed(micros < 9.95 ? 1 : 0), "µs"];
	return [(micros / 1000).toFixed(micros < 9995 ? 2 : micros < 99950 ? 1 : 0), "ms"];
}
