// A motion was dropped on a character: asked once what it is for.

import { useEffect, useRef } from "react";
import { useStudio } from "../state/store";
import { Button } from "../ui/controls";
import { icons } from "../ui/icons";

export function Question() {
	const question = useStudio((state) => state.question);
	const name = useStudio((state) => state.rig?.name);
	const dialog = useRef<HTMLDialogElement>(null);
	useEffect(() => {
		if (question) dialog.current?.showModal();
		else dialog.current?.close();
	}, [question]);
	const item = (use: "drive" | "open", words: string, small: string) => (
		<button type="button" className="item" onClick={() => question?.answer(use)}>
			<span className="words">
				{words}
				<small>{small}</small>
			</span>
		</button>
	);
	return (
		<dialog
			ref={dialog}
			className="help offer"
			aria-label="What the motion is for"
			onClose={() => question?.answer(null)}
		>
			<div className="help-head">
				<h2>{question?.file}</h2>
				<Button look="plain" label="Close" icon={icons.close} onClick={() => question?.answer(null)} />
			</div>
			<div className="offer-body">
				{item("drive", `Move ${name}`, "The character moves as recorded, with its feet on the floor")}
				{item("open", "Open by itself", "The recorded skeleton takes the place of the character")}
				<p className="hint">Later motions go the same way until the page is loaded again.</p>
			</div>
		</dialog>
	);
}
