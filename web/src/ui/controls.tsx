// The controls that all panels are made of.

import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { clamp } from "../maths";
import "./controls.css";
import "./menu.css";

export function Section(props: { title: string; aside?: ReactNode; open?: boolean; children: ReactNode }) {
	return (
		<details className="section" open={props.open ?? true}>
			<summary>
				{props.title}
				{props.aside !== undefined && <span className="aside">{props.aside}</span>}
			</summary>
			<div className="section-body">{props.children}</div>
		</details>
	);
}

export function Row(props: { label: string; title?: string; children: ReactNode }) {
	return (
		<div className="row" title={props.title}>
			<span className="row-label">{props.label}</span>
			<span className="row-control">{props.children}</span>
		</div>
	);
}

/** A number that is typed; takes it on Enter or when left, and refuses what is no number. */
export function NumberField(props: {
	label: string;
	value: number;
	onChange(value: number): void;
	min?: number;
	max?: number;
	step?: number;
	digits?: number;
	unit?: string;
	disabled?: boolean;
}) {
	const { value, digits = 3, min = -Infinity, max = Infinity, step = 0.01 } = props;
	const shown = Number.isFinite(value) ? String(Number(value.toFixed(digits))) : "";
	const [text, setText] = useState<string | null>(null);
	const take = () => {
		const number = Number(text?.replace(",", "."));
		if (text !== null && text.trim() !== "" && Number.isFinite(number))
			props.onChange(clamp(number, min, max));
		setText(null);
	};
	return (
		<>
			<input
				className="field number"
				inputMode="decimal"
				aria-label={props.label}
				disabled={props.disabled}
				value={text ?? shown}
				onChange={(event) => setText(event.target.value)}
				onBlur={take}
				onKeyDown={(event) => {
					// Leaving takes the value; and the next Ctrl+Z is the page's, not the field's.
					if (event.key === "Enter") event.currentTarget.blur();
					else if (event.key === "Escape") setText(null);
					else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
						event.preventDefault();
						const size = step * (event.shiftKey ? 10 : 1);
						setText(null);
						props.onChange(clamp(value + (event.key === "ArrowUp" ? size : -size), min, max));
					}
				}}
			/>
			{props.unit !== undefined && <span className="unit">{props.unit}</span>}
		</>
	);
}

export function Slider(props: {
	label: string;
	value: number;
	onChange(value: number): void;
	min: number;
	max: number;
	step?: number;
	digits?: number;
	unit?: string;
	disabled?: boolean;
	/** The value goes with this power of the way from min to max: small values get room beside large ones. */
	power?: number;
}) {
	const { min, max, power = 1 } = props;
	const step = props.step ?? (max - min) / 200;
	const place =
		power === 1
			? props.value
			: min + (max - min) * (Math.max(0, props.value - min) / (max - min)) ** (1 / power);
	const valueAt = (at: number) =>
		power === 1 ? at : Math.round((min + (max - min) * ((at - min) / (max - min)) ** power) / step) * step;
	return (
		<>
			<input
				className="slider"
				type="range"
				aria-label={props.label}
				aria-valuetext={power === 1 ? undefined : props.value.toFixed(props.digits ?? 2)}
				disabled={props.disabled}
				min={min}
				max={max}
				step={power === 1 ? step : (max - min) / 200}
				value={place}
				onChange={(event) => props.onChange(valueAt(Number(event.target.value)))}
			/>
			<span style={{ width: 58, flex: "none" }}>
				<NumberField {...props} step={step} unit={undefined} digits={props.digits ?? 2} />
			</span>
			{props.unit !== undefined && <span className="unit">{props.unit}</span>}
		</>
	);
}

export function Select<T extends string>(props: {
	label: string;
	value: T;
	options: readonly (T | { value: T; label: string; disabled?: boolean })[];
	onChange(value: T): void;
	disabled?: boolean;
}) {
	return (
		<select
			className="select"
			aria-label={props.label}
			disabled={props.disabled}
			value={props.value}
			onChange={(event) => props.onChange(event.target.value as T)}
		>
			{props.options.map((option) => {
				const full = typeof option === "string" ? { value: option, label: option, disabled: false } : option;
				return (
					<option key={full.value} value={full.value} disabled={full.disabled}>
						{full.label}
					</option>
				);
			})}
		</select>
	);
}

export function Segments<T extends string>(props: {
	label: string;
	/** `null` when it is none of them. */
	value: T | null;
	options: readonly { value: T; label: string; title?: string }[];
	onChange(value: T): void;
	floating?: boolean;
}) {
	const name = useId();
	return (
		<div
			className={props.floating ? "segments floating" : "segments"}
			role="radiogroup"
			aria-label={props.label}
		>
			{props.options.map((option) => (
				<label key={option.value} title={option.title}>
					<input
						type="radio"
						name={name}
						value={option.value}
						checked={option.value === props.value}
						onChange={() => props.onChange(option.value)}
					/>
					{option.label}
				</label>
			))}
		</div>
	);
}

export function Toggle(props: {
	label: string;
	value: boolean;
	onChange(value: boolean): void;
	title?: string;
	hideLabel?: boolean;
	disabled?: boolean;
}) {
	return (
		<label className="toggle" title={props.title}>
			<input
				type="checkbox"
				role="switch"
				aria-checked={props.value}
				aria-label={props.hideLabel ? props.label : undefined}
				disabled={props.disabled}
				checked={props.value}
				onChange={(event) => props.onChange(event.target.checked)}
			/>
			{!props.hideLabel && props.label}
		</label>
	);
}

export function Button(props: {
	children?: ReactNode;
	onClick?(): void;
	look?: "primary" | "plain" | "danger";
	/** For a button with only an icon. */
	label?: string;
	icon?: ReactNode;
	title?: string;
	pressed?: boolean;
	disabled?: boolean;
	className?: string;
}) {
	const onlyIcon = props.children === undefined;
	return (
		<button
			type="button"
			className={`button ${onlyIcon ? "icon" : ""} ${props.className ?? ""}`}
			data-look={props.look}
			aria-label={props.label}
			aria-pressed={props.pressed}
			title={props.title ?? (onlyIcon ? props.label : undefined)}
			disabled={props.disabled}
			onClick={props.onClick}
		>
			{props.icon}
			{props.children}
		</button>
	);
}

/** A button that asks for a file. */
export function FileButton(props: {
	children: ReactNode;
	accept: string;
	title?: string;
	onFile(file: File): void;
}) {
	const input = useRef<HTMLInputElement>(null);
	return (
		<>
			<input
				ref={input}
				type="file"
				hidden
				accept={props.accept}
				onChange={(event) => {
					const chosen = event.target.files?.[0];
					if (chosen) props.onFile(chosen);
					event.target.value = "";
				}}
			/>
			<Button title={props.title} onClick={() => input.current?.click()}>
				{props.children}
			</Button>
		</>
	);
}

/** A button that opens a list below it. Closed by choosing, by Escape or by clicking elsewhere. */
export function Menu(props: {
	label: string;
	button: ReactNode;
	icon?: ReactNode;
	className?: string;
	disabled?: boolean;
	children: ReactNode | ((close: () => void) => ReactNode);
}) {
	const [open, setOpen] = useState(false);
	const holder = useRef<HTMLDivElement>(null);
	const id = useId();
	useEffect(() => {
		if (!open) return;
		const outside = (event: Event) => {
			if (!holder.current?.contains(event.target as Node)) setOpen(false);
		};
		const key = (event: KeyboardEvent) => {
			if (event.key === "Escape") setOpen(false);
		};
		window.addEventListener("pointerdown", outside, true);
		window.addEventListener("keydown", key);
		holder.current?.querySelector<HTMLElement>(".menu .item")?.focus({ preventScroll: true });
		return () => {
			window.removeEventListener("pointerdown", outside, true);
			window.removeEventListener("keydown", key);
		};
	}, [open]);
	const close = () => setOpen(false);
	return (
		<div className="menu-holder" ref={holder}>
			<button
				type="button"
				className={`button ${props.button === null ? "icon" : ""}`}
				aria-haspopup="true"
				aria-expanded={open}
				aria-controls={id}
				aria-label={props.label}
				title={props.label}
				disabled={props.disabled}
				onClick={() => setOpen(!open)}
			>
				{props.icon}
				{props.button}
			</button>
			{open && (
				<div className={`menu ${props.className ?? ""}`} id={id}>
					{typeof props.children === "function" ? props.children(close) : props.children}
				</div>
			)}
		</div>
	);
}
