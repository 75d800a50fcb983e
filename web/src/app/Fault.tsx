import { Component, type ReactNode } from "react";
import { wordsOf } from "../state/store";
import "./fault.css";

/** Shown instead of an empty page when the page itself is at fault. */
export class Fault extends Component<{ children: ReactNode }, { words: string | null }> {
	override state = { words: null };

	static getDerivedStateFromError(error: unknown) {
		return { words: wordsOf(error) };
	}

	override render() {
		if (this.state.words === null) return this.props.children;
		return (
			<main className="fault" role="alert">
				<h1>The studio's page has a fault</h1>
				<p>Your scene is in the address: reloading brings it back. Please report what happened:</p>
				<pre>{this.state.words}</pre>
				<button type="button" className="button" data-look="primary" onClick={() => location.reload()}>
					Reload
				</button>
			</main>
		);
	}
}
