// A file was dropped that may be for this or for that: asked what.

import { useEffect, useRef } from "react";
import { useStudio } from "../state/store";
import { Button } from "../ui/controls";
import { icons } from "../ui/icons";
import "./dialog.css";

export function Question() {
	const question = useStudio((state) => state.question);
	const dialog = useRef<HTMLDialogElement>(null);
	useEffect(() => {
		if (question) dialog.current?.showModal();
		else dialog.current?.close();
	}, [question]);
	return (
		<dialog
			ref={dialog}
			className="help offer"
			aria-label="What the file is for"
			onClose={() => question?.dismiss()}
		>
			<div className="help-head">
				<h2>{question?.file}</h2>
				<Button look="plain" label="Close" icon={icons.close} onClick={() => question?.dismiss()} />
			</div>
			<div className="offer-body">
				{question?.choices.map(({ words, small, choose }) => (
					<button key={words} type="button" className="item" onClick={choose}>
						<span className="words">
							{words}
							<small>{small}</small>
						</span>
					</button>
				))}
				{question?.hint && <p className="hint">{question.hint}</p>}
			</div>
		</dialog>
	);
}
