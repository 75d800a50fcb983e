// Which joint is which part of a body, how large the rig is and what is up, where its file does not say.

import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { fitRig } from "../state/fitting";
import { groupOf, partInWords, sameFitting } from "../state/parts";
import { setStudio, useStudio } from "../state/store";
import { Button, NumberField, Row, Section, Select, Toggle } from "../ui/controls";
import { icons } from "../ui/icons";
import type { Fitting, PartDescription, RigDescription, UpAxis } from "../wire";
import "./fitting.css";

const AXES: readonly { value: UpAxis; label: string }[] = [
	{ value: "y", label: "As shown" },
	{ value: "z", label: "Z: it lies on its back" },
	{ value: "minus_z", label: "−Z: it lies on its face" },
	{ value: "x", label: "X: it lies on its side" },
	{ value: "minus_x", label: "−X: on the other side" },
	{ value: "minus_y", label: "−Y: it stands on its head" },
];

/** The step of undo in words. */
function whatChanges(now: Fitting, before: Fitting): string {
	const { anatomy } = now;
	if (sameFitting({ ...before, anatomy }, now)) return anatomy ? "Limits of anatomy" : "No limits of anatomy";
	return "Parts, size and axes";
}

const close = () => setStudio({ fittingOpen: false, selectedJoint: null });

/** What stands for a part that nobody has given. */
function asFound(part: PartDescription, rig: RigDescription): string {
	const name = part.joint === null ? null : rig.joints[part.joint]?.name;
	if (name === null || name === undefined) return part.needed ? "Not found" : "None";
	return part.found === "topology" ? `${name} (by its place)` : name;
}

function Parts(props: {
	rig: RigDescription;
	parts: readonly PartDescription[];
	roles: Fitting["roles"];
	active: string | null;
	onActive(role: string): void;
	onPoint(joint: number | null): void;
	onChoose(role: string, joint: number | null): void;
}) {
	const { rig, roles } = props;
	const given = rig.fitting.roles;
	return (
		<ul className="parts">
			{props.parts.map((part) => {
				const { role } = part;
				const own = roles[role];
				// A choice that was taken before is what the server found by it.
				const found = role in given && own === undefined ? "As found" : asFound(part, rig);
				const shown = own ?? part.joint;
				return (
					<li
						key={role}
						data-active={props.active === role}
						data-missing={part.needed && shown === null}
						onFocus={() => props.onActive(role)}
						onPointerEnter={() => props.onPoint(shown)}
					>
						<Row label={partInWords(role)}>
							<Select
								label={partInWords(role)}
								value={own === undefined ? "" : String(own)}
								options={[
									{ value: "", label: own === undefined ? found : "As found" },
									...rig.joints.map(({ name }, joint) => ({ value: String(joint), label: name })),
								]}
								onChange={(value) => props.onChoose(role, value === "" ? null : Number(value))}
							/>
						</Row>
					</li>
				);
			})}
		</ul>
	);
}

export function FittingPanel() {
	const open = useStudio((state) => state.fittingOpen);
	const rig = useStudio((state) => state.rig);
	return open && rig ? <Open key={JSON.stringify(rig.fitting)} rig={rig} /> : null;
}

function Open({ rig }: { rig: RigDescription }) {
	const [draft, setDraft] = useState(rig.fitting);
	const [active, setActive] = useState<string | null>(null);
	const panel = useRef<HTMLElement>(null);
	const selected = useStudio((state) => state.selectedJoint);
	const meant = useRef<number | null>(selected);
	useEffect(() => panel.current?.focus(), []);

	const show = (joint: number | null) => {
		meant.current = joint;
		setStudio({ selectedJoint: joint, selectedTarget: null });
	};
	const choose = (role: string, joint: number | null) => {
		const { [role]: _, ...others } = draft.roles;
		// A joint is one part: the part that it was before is free again.
		const roles = Object.fromEntries(Object.entries(others).filter(([, other]) => other !== joint));
		setDraft({ ...draft, roles: joint === null ? roles : { ...roles, [role]: joint } });
		show(joint ?? rig.parts.find((part) => part.role === role)?.joint ?? null);
	};
	// A joint that is clicked in the picture is the part whose row has the focus.
	// biome-ignore lint/correctness/useExhaustiveDependencies: only another joint is a choice
	useEffect(() => {
		if (selected === null || selected === meant.current || active === null) return;
		if (document.activeElement?.closest(".fitting")) return;
		choose(active, selected);
	}, [selected]);

	const missing = rig.parts.filter(
		({ role, needed, joint }) => needed && joint === null && !(role in draft.roles),
	);
	const groups = { body: [], more: [], fingers: [] } as Record<string, PartDescription[]>;
	for (const part of rig.parts) groups[groupOf(part.role)]?.push(part);
	const rows = (parts: readonly PartDescription[] = []) => (
		<Parts
			rig={rig}
			parts={parts}
			roles={draft.roles}
			active={active}
			onActive={(role) => {
				setActive(role);
				show(draft.roles[role] ?? rig.parts.find((part) => part.role === role)?.joint ?? null);
			}}
			onPoint={show}
			onChoose={choose}
		/>
	);
	const height = (rig.size * draft.scale) / rig.fitting.scale;
	const key = (event: KeyboardEvent) => {
		if (event.key !== "Escape") return;
		event.stopPropagation();
		close();
	};
	return (
		<section
			ref={panel}
			className="fitting"
			role="dialog"
			aria-label="Parts, size and axes"
			tabIndex={-1}
			onKeyDown={key}
		>
			<div className="help-head">
				<h2>Which joint is what?</h2>
				<Button look="plain" label="Close" icon={icons.close} onClick={close} />
			</div>
			<div className="fitting-body">
				<p className="hint">
					{missing.length > 0
						? `${missing.length === 1 ? "One part of a person was" : `${missing.length} parts of a person were`} not found in ${rig.name}. Choose joints here, or click a row and then a joint in the picture.`
						: "All that a person needs was found. What is wrong can be given another joint."}
				</p>
				{rows(groups.body)}
				<Section title="Chest, neck, shoulders, toes, face" open={false}>
					{rows(groups.more)}
				</Section>
				<Section title="Fingers" open={false}>
					{rows(groups.fingers)}
				</Section>
				{rig.source.kind === "upload" && (
					<>
						<Toggle
							label="Anatomical limits"
							title="Joints that have no limits in the file get those of a human body"
							value={draft.anatomy}
							onChange={(anatomy) => setDraft({ ...draft, anatomy })}
						/>
						{rig.anatomical > 0 && (
							<p className="hint">On {rig.anatomical} joints that have none in the file.</p>
						)}
					</>
				)}
				<Section title="Size and axes">
					<Row label="Scale" title="Every length is multiplied by this">
						<NumberField
							label="Scale"
							value={draft.scale}
							min={1e-5}
							max={1e5}
							step={0.01}
							digits={6}
							onChange={(scale) => setDraft({ ...draft, scale })}
						/>
						<span className="unit">{Number(height.toPrecision(3))} m across</span>
					</Row>
					<Row label="Up" title="The axis of the file that points up">
						<Select
							label="Up axis"
							value={draft.up}
							options={AXES}
							onChange={(up) => setDraft({ ...draft, up })}
						/>
					</Row>
				</Section>
			</div>
			<div className="fitting-foot">
				<p className="hint">A rig file keeps it: Export, Rig with limits and postures.</p>
				<Button
					look="primary"
					disabled={sameFitting(draft, rig.fitting)}
					onClick={() => void fitRig(draft, whatChanges(draft, rig.fitting))}
				>
					Apply
				</Button>
			</div>
		</section>
	);
}
