// The solver, its options, and a second one as a ghost.

import { editScene } from "../../state/session";
import { useScene, useStudio } from "../../state/store";
import { Button, NumberField, Row, Select, Toggle } from "../../ui/controls";
import { icons } from "../../ui/icons";
import type { PoseScene, SolverChoice, SolverInfo, SolverOption } from "../../wire";
import { choiceOf, optionLabel, withOption } from "./solverOptions";

function OptionField(props: {
	option: SolverOption;
	choice: SolverChoice;
	onChange(choice: SolverChoice): void;
}) {
	const { option, choice, onChange } = props;
	const value = choice.options[option.path] ?? option.value;
	const label = optionLabel(option.path);
	const set = (next: number | boolean | string) => onChange(withOption(choice, option, next));
	return (
		<Row label={label} title={option.path}>
			{typeof value === "boolean" ? (
				<Toggle hideLabel label={label} value={value} onChange={set} />
			) : typeof value === "number" ? (
				<NumberField
					label={label}
					value={value}
					digits={8}
					step={Number.isInteger(value) && Math.abs(value) >= 1 ? 1 : Math.abs(value || 0.1) / 10}
					onChange={set}
				/>
			) : (
				<input
					key={value}
					className="field"
					type="text"
					aria-label={label}
					defaultValue={value}
					onBlur={(event) => set(event.target.value)}
				/>
			)}
		</Row>
	);
}

function Choice(props: {
	title: string;
	choice: SolverChoice;
	solvers: readonly SolverInfo[];
	onChange(choice: SolverChoice, merge?: string): void;
}) {
	const { choice, solvers } = props;
	const info = solvers.find((solver) => solver.name === choice.name) ?? solvers[0];
	const changed = Object.keys(choice.options).length;
	return (
		<>
			<Row label={props.title}>
				<Select
					label={props.title}
					value={info?.name ?? ""}
					options={solvers.map((solver) => solver.name)}
					onChange={(name) => props.onChange(choiceOf(solvers.find((solver) => solver.name === name)))}
				/>
			</Row>
			{info && <p className="hint">{info.summary}</p>}
			{info && info.options.length > 0 && (
				<details className="options">
					<summary>
						Options of {info.name}
						{changed > 0 && <span className="aside">{changed} changed</span>}
					</summary>
					<div className="options-body">
						{info.options.map((option) => (
							<OptionField
								key={option.path}
								option={option}
								choice={choice}
								onChange={(next) => props.onChange(next, option.path)}
							/>
						))}
						{changed > 0 && (
							<Button icon={icons.reset} onClick={() => props.onChange({ name: choice.name, options: {} })}>
								Back to the defaults
							</Button>
						)}
					</div>
				</details>
			)}
		</>
	);
}

export function SolverEditor() {
	const scene = useScene("pose");
	const solvers = useStudio((state) => state.welcome?.solvers) ?? [];
	const change = (label: string, part: Partial<PoseScene>, merge?: string) =>
		editScene("pose", label, (old) => ({ ...old, ...part }), merge);
	const other = solvers.find((solver) => solver.name !== scene.solver.name);
	return (
		<>
			<Choice
				title="Solver"
				choice={scene.solver}
				solvers={solvers}
				onChange={(solver, merge) => change("Change solver", { solver }, merge)}
			/>
			<Toggle
				label="Root may travel"
				title="Otherwise the root is held, unless a goal is on it"
				value={scene.travel}
				onChange={(travel) => change("Let the root travel", { travel })}
			/>
			<Toggle
				label="Start from rest"
				title="Every solve starts from the rest pose rather than from the last frame"
				value={scene.from_rest}
				onChange={(from_rest) => change("Start from rest", { from_rest })}
			/>
			<Toggle
				label="Compare with a ghost"
				title="A second solver, drawn translucent"
				value={scene.ghost !== null}
				onChange={(on) => change("Ghost", { ghost: on ? choiceOf(other) : null })}
			/>
			{scene.ghost && (
				<Choice
					title="Ghost"
					choice={scene.ghost}
					solvers={solvers}
					onChange={(ghost, merge) => change("Change ghost", { ghost }, merge && `ghost ${merge}`)}
				/>
			)}
		</>
	);
}
