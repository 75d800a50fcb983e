import { useSampled } from "../state/frames";
import { useStudio } from "../state/store";
import { reconnectNow } from "../state/talk";
import { useWorkspace } from "../workspaces";
import "./status.css";

const WORDS = { connecting: "Connecting", open: "Connected", lost: "No connection" };

/** Microseconds, in a unit that reads well. */
export function timeInWords(micros: number): string {
	if (micros < 1000) return `${micros.toFixed(micros < 10 ? 1 : 0)} µs`;
	return `${(micros / 1000).toFixed(2)} ms`;
}

export function StatusLine() {
	const workspace = useWorkspace();
	const connection = useStudio((state) => state.connection);
	// The first screen plays by itself: what its goals come to is nobody's mistake.
	const greeting = useStudio((state) => state.greeting);
	const { outcome, micros, rate } = useSampled((frame) => ({
		outcome: frame?.details.workspace === workspace.name ? workspace.outcome(frame) : null,
		micros: frame?.micros ?? null,
		rate: frame?.rate ?? null,
	}));
	return (
		<footer className="status">
			<span
				className="outcome"
				data-good={outcome?.good ?? true}
				role="status"
				title={greeting ? undefined : outcome?.text}
			>
				{greeting ? "" : (outcome?.text ?? "")}
			</span>
			<span className="figure" title="The median time of the last solves">
				{micros === null ? "" : `${timeInWords(micros)} a solve`}
			</span>
			<span className="figure narrow-hide" title="Solves over the last second">
				{rate === null ? "" : `${rate.toFixed(0)} solves/s`}
			</span>
			<span>
				<span className="dot" data-state={connection} />
				{WORDS[connection]}
				{connection === "lost" && (
					<>
						{" · "}
						<button type="button" className="text-button" onClick={reconnectNow}>
							try again
						</button>
					</>
				)}
			</span>
		</footer>
	);
}
