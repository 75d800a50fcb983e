// Asked for a workspace that the open rig cannot be used in: says why, and offers rigs that can.

import { useEffect, useRef } from "react";
import { openRigFor, reasonAgainst } from "../state/session";
import { setStudio, useStudio } from "../state/store";
import { Button } from "../ui/controls";
import { icons } from "../ui/icons";
import { workspaces } from "../workspaces";
import "./dialog.css";

const close = () => setStudio({ offer: null });

/** A reason as a sentence of its own. */
function sentence(words: string): string {
	const first = words.charAt(0).toUpperCase() + words.slice(1);
	return /[.!?]$/.test(first) ? first : `${first}.`;
}

export function Offer() {
	const name = useStudio((state) => state.offer);
	const rig = useStudio((state) => state.rig);
	const known = useStudio((state) => state.welcome?.rigs);
	const dialog = useRef<HTMLDialogElement>(null);
	const workspace = workspaces.find((other) => other.name === name);
	useEffect(() => {
		if (name) dialog.current?.showModal();
		else dialog.current?.close();
	}, [name]);
	const offered = known?.filter((choice) => workspace?.rigs.includes(choice.name)) ?? [];
	const reason = rig && name ? reasonAgainst(rig, name) : null;
	return (
		<dialog ref={dialog} className="help offer" onClose={close} aria-label="Another rig">
			<div className="help-head">
				<h2>
					{workspace?.title} needs another rig than {rig?.name}
				</h2>
				<Button look="plain" label="Close" icon={icons.close} onClick={close} />
			</div>
			<div className="offer-body">
				{reason && <p className="hint">{sentence(reason)}</p>}
				{rig && rig.joints.length > 5 && name !== "look" && (
					<button
						type="button"
						className="item"
						onClick={() => setStudio({ offer: null, fittingOpen: true })}
					>
						<span className="words">
							Say which joint is what
							<small>If {rig.name} is a person whose joints were not recognised</small>
						</span>
					</button>
				)}
				{offered.map((choice) => (
					<button
						key={choice.name}
						type="button"
						className="item"
						onClick={() => {
							close();
							if (name) void openRigFor(name, choice.name);
						}}
					>
						<span className="words">
							{choice.name}
							<small>{choice.summary}</small>
						</span>
						<span className="aside">{choice.joints} joints</span>
					</button>
				))}
			</div>
		</dialog>
	);
}
