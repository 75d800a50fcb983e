import { dismissToast, useStudio } from "../state/store";
import { Button } from "../ui/controls";
import { icons } from "../ui/icons";
import "./toasts.css";

export function Toasts() {
	const toasts = useStudio((state) => state.toasts);
	return (
		<div className="toasts" aria-live="polite">
			{toasts.map((toast) => (
				<div
					key={toast.id}
					className="toast"
					data-kind={toast.kind}
					role={toast.kind === "error" ? "alert" : undefined}
				>
					<p title={toast.text}>{toast.text}</p>
					<Button look="plain" label="Close" icon={icons.close} onClick={() => dismissToast(toast.id)} />
				</div>
			))}
		</div>
	);
}
