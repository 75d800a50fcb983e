import { Fragment, useEffect, useRef } from "react";
import type { Shortcut } from "../state/shortcuts";
import { setStudio, useStudio } from "../state/store";
import { Button } from "../ui/controls";
import { icons } from "../ui/icons";
import { useWorkspace } from "../workspaces";
import { shellShortcuts } from "./shellShortcuts";
import "./dialog.css";
import "./help.css";

function Keys({ keys }: { keys: string }) {
	return keys.split(" or ").map((combination, i) => (
		<Fragment key={combination}>
			{i > 0 && " or "}
			{combination.split("+").map((key) => (
				<Fragment key={key}>
					<kbd>{key}</kbd>{" "}
				</Fragment>
			))}
		</Fragment>
	));
}

function List({ title, shortcuts }: { title: string; shortcuts: readonly Shortcut[] }) {
	if (shortcuts.length === 0) return null;
	return (
		<section>
			<h3>{title}</h3>
			<dl>
				{shortcuts.map(({ keys, label }) => (
					<div key={keys}>
						<dt>{label}</dt>
						<dd>
							<Keys keys={keys} />
						</dd>
					</div>
				))}
			</dl>
		</section>
	);
}

const POINTER: readonly [string, string][] = [
	["Turn the view", "drag"],
	["Move the view", "right drag, or two fingers"],
	["Nearer, further", "wheel, or pinch"],
	["Select", "click a joint or a target"],
	["Move a target", "drag it, or the joint it belongs to"],
	["Give up a drag", "Escape"],
];

export function HelpPanel() {
	const open = useStudio((state) => state.helpOpen);
	const workspace = useWorkspace();
	const dialog = useRef<HTMLDialogElement>(null);
	useEffect(() => {
		if (open) dialog.current?.showModal();
		else dialog.current?.close();
	}, [open]);
	return (
		<dialog ref={dialog} className="help" onClose={() => setStudio({ helpOpen: false })} aria-label="Help">
			<div className="help-head">
				<h2>Help</h2>
				<Button
					look="plain"
					label="Close"
					icon={icons.close}
					onClick={() => setStudio({ helpOpen: false })}
				/>
			</div>
			<div className="help-columns">
				<div>
					<section>
						<h3>{workspace.title}</h3>
						<p className="hint">{workspace.summary}</p>
					</section>
					<List title={`Keys in ${workspace.title}`} shortcuts={workspace.shortcuts} />
					<section>
						<h3>Pointer</h3>
						<dl>
							{POINTER.map(([what, how]) => (
								<div key={what}>
									<dt>{what}</dt>
									<dd className="hint">{how}</dd>
								</div>
							))}
						</dl>
					</section>
				</div>
				<List title="Keys everywhere" shortcuts={shellShortcuts} />
			</div>
			<p className="hint">
				<a href="/third-party-notices.txt" target="_blank" rel="noreferrer">
					Libraries in this page and their licences
				</a>
			</p>
		</dialog>
	);
}
