import { useEffect } from "react";
import { Picture } from "../scene/Picture";
import { useTheme } from "../scene/palette";
import { shortcutFor } from "../state/shortcuts";
import { setStudio, useStudio } from "../state/store";
import { icons } from "../ui/icons";
import { useWorkspace } from "../workspaces";
import { DropZone } from "./DropZone";
import { FittingPanel } from "./FittingPanel";
import { Header } from "./Header";
import { HelpPanel } from "./HelpPanel";
import { Offer } from "./Offer";
import { PlayBar } from "./PlayBar";
import { Question } from "./Question";
import { StatusLine } from "./StatusLine";
import { shellShortcuts } from "./shellShortcuts";
import { Toasts } from "./Toasts";
import { Tour } from "./Tour";
import { ViewControls } from "./ViewControls";
import { Welcome } from "./Welcome";
import "./shell.css";

function useShortcuts(): void {
	const workspace = useWorkspace();
	useEffect(() => {
		const key = (event: KeyboardEvent) => {
			const shortcut = shortcutFor(event, [...workspace.shortcuts, ...shellShortcuts]);
			if (!shortcut) return;
			// A dialog has the keys to itself: Escape closes it.
			if (document.querySelector("dialog:modal") && shortcut.keys !== "?") return;
			event.preventDefault();
			shortcut.run();
		};
		window.addEventListener("keydown", key);
		return () => window.removeEventListener("keydown", key);
	}, [workspace]);
}

function Veil() {
	const loading = useStudio((state) => state.loading);
	const connection = useStudio((state) => state.connection);
	const hasRig = useStudio((state) => state.rig !== null);
	const words = loading ?? (hasRig ? null : connection === "lost" ? "Waiting for the studio" : "Connecting");
	if (words === null) return null;
	return (
		<div className="veil" role="status">
			<div>
				<span className="spinner" />
				{words}…
			</div>
		</div>
	);
}

export function App() {
	const theme = useTheme();
	const { Panel, Overlay, name, title } = useWorkspace();
	const ready = useStudio((state) => state.rig !== null && state.scenes[state.workspace] !== undefined);
	const panelOpen = useStudio((state) => state.panelOpen);
	const greeting = useStudio((state) => state.greeting);
	useShortcuts();
	useEffect(() => {
		document.documentElement.dataset.theme = theme;
	}, [theme]);
	return (
		<div className="shell">
			<Header />
			<main className="picture-area">
				<Picture />
				{ready && !greeting && <ViewControls />}
				{ready && !greeting && (
					<div className="bottom">
						{Overlay && (
							<div className="overlay">
								<Overlay key={name} />
							</div>
						)}
						<PlayBar />
					</div>
				)}
				{ready && <FittingPanel />}
				{ready && <Welcome />}
				{ready && <Tour />}
				<Veil />
			</main>
			{panelOpen && !greeting && (
				<aside className="panel" aria-label={`${title} settings`} id="panel">
					{ready && <Panel key={name} />}
				</aside>
			)}
			<StatusLine />
			<Toasts />
			<DropZone />
			<HelpPanel />
			<Offer />
			<Question />
		</div>
	);
}

export function PanelToggle() {
	const open = useStudio((state) => state.panelOpen);
	return (
		<button
			type="button"
			className="button icon"
			aria-label={open ? "Hide the panel" : "Show the panel"}
			aria-expanded={open}
			aria-controls="panel"
			title={open ? "Hide the panel (P)" : "Show the panel (P)"}
			onClick={() => setStudio({ panelOpen: !open })}
		>
			{icons.panel}
		</button>
	);
}
