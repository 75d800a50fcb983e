import { type KeyboardEvent, useRef } from "react";
import { filmView, savePicture } from "../scene/picture";
import { exportFile, openFile, setRecording } from "../state/files";
import { useSampled } from "../state/frames";
import { openRig, reasonAgainst, showWorkspace } from "../state/session";
import { setStudio, useStudio } from "../state/store";
import { redo, undo } from "../state/undo";
import { Button, Menu } from "../ui/controls";
import { icons } from "../ui/icons";
import { workspaces } from "../workspaces";
import { PanelToggle } from "./App";
import { copyLink } from "./address";
import { nextTheme } from "./theme";
import "./header.css";

/** Tabs are one stop of the Tab key; arrows go from one to the next and show it. */
function stepThroughTabs(event: KeyboardEvent<HTMLElement>): void {
	const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>("[role=tab]")];
	const at = tabs.indexOf(event.target as HTMLElement);
	const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: tabs.length - 1 }[event.key];
	if (at < 0 || to === undefined) return;
	event.preventDefault();
	event.stopPropagation();
	const tab = tabs[(to + tabs.length) % tabs.length];
	tab?.focus();
	tab?.click();
}

function Tabs() {
	const shown = useStudio((state) => state.workspace);
	const rig = useStudio((state) => state.rig);
	return (
		<div className="tabs" role="tablist" aria-label="Workspaces" onKeyDown={stepThroughTabs}>
			{workspaces.map(({ name, title, summary }) => {
				const reason = rig ? reasonAgainst(rig, name) : null;
				return (
					<button
						key={name}
						type="button"
						role="tab"
						className="tab"
						aria-selected={name === shown}
						tabIndex={name === shown ? 0 : -1}
						data-needs-other-rig={reason !== null}
						title={reason ?? summary}
						onClick={() => showWorkspace(name)}
					>
						{title}
					</button>
				);
			})}
		</div>
	);
}

function RigMenu() {
	const rig = useStudio((state) => state.rig);
	const rigs = useStudio((state) => state.welcome?.rigs);
	const file = useRef<HTMLInputElement>(null);
	return (
		<>
			<input
				ref={file}
				type="file"
				hidden
				data-testid="file"
				accept=".bvh,.glb,.gltf,.vrm,.urdf,.toml,.rig,.zip"
				onChange={(event) => {
					const chosen = event.target.files?.[0];
					if (chosen) void openFile(chosen);
					event.target.value = "";
				}}
			/>
			<Menu
				label={`Choose a rig: ${rig?.name ?? "No rig"}`}
				className="wide"
				button={
					<>
						<span className="rig-name">{rig?.name ?? "No rig"}</span>
						{icons.chevron}
					</>
				}
				disabled={!rigs}
			>
				{(close) => (
					<>
						<button
							type="button"
							className="item"
							onClick={() => {
								close();
								file.current?.click();
							}}
						>
							{icons.upload}
							<span className="words">
								Open a file…
								<small>BVH, GLB, VRM, URDF, a rig file or a zip; or drop one anywhere</small>
							</span>
						</button>
						<button
							type="button"
							className="item"
							disabled={!rig}
							onClick={() => {
								close();
								setStudio({ fittingOpen: true, greeting: false });
							}}
						>
							{icons.parts}
							<span className="words">
								Parts, size and axes…
								<small>Which joint is what, where the file does not say</small>
							</span>
						</button>
						<hr />
						{rigs?.map((choice) => (
							<button
								key={choice.name}
								type="button"
								className="item"
								aria-current={rig?.source.kind === "rig" && rig.source.name === choice.name}
								onClick={() => {
									close();
									void openRig({ kind: "rig", name: choice.name });
								}}
							>
								<span className="words">
									{choice.name}
									<small>{choice.summary}</small>
								</span>
								<span className="aside">{choice.joints} joints</span>
							</button>
						))}
					</>
				)}
			</Menu>
		</>
	);
}

function ExportMenu() {
	const rig = useStudio((state) => state.rig);
	const recorded = useSampled((frame) => frame?.recorded ?? 0, 2);
	const workspace = useStudio((state) => state.workspace);
	const player = useStudio((state) => state.player);
	const filming = useStudio((state) => state.filming);
	const noTake = recorded === 0 && workspace !== "body" && !player;
	const clip = player && workspace !== "body" ? rig?.motions[player.motion] : undefined;
	const take = workspace === "body" ? "Whole motion" : clip ? `Motion ${player?.name || clip.name}` : "Take";
	// Whatever has the parts of a person can be a VRM.
	const isPerson = rig?.workspaces.body === null;
	const name = rig?.name ?? "sinew";
	return (
		<Menu
			label="Export"
			button={<span className="wide-only">Export</span>}
			icon={icons.download}
			disabled={!rig}
		>
			{(close) => {
				const item = (words: string, aside: string, run: () => void, disabled = false) => (
					<button
						type="button"
						className="item"
						disabled={disabled}
						title={disabled ? "Record a take first (R)" : undefined}
						onClick={() => {
							close();
							run();
						}}
					>
						{words}
						<span className="aside">{aside}</span>
					</button>
				);
				return (
					<>
						{item("Pose", "GLB", () => void exportFile("pose", "glb"))}
						{isPerson && item("Pose", "VRM", () => void exportFile("pose", "vrm"))}
						{item("Pose", "BVH", () => void exportFile("pose", "bvh"))}
						<hr />
						{item(take, "GLB", () => void exportFile("take", "glb"), noTake)}
						{isPerson && item(take, "VRM", () => void exportFile("take", "vrm"), noTake)}
						{item(take, "BVH", () => void exportFile("take", "bvh"), noTake)}
						<hr />
						{item("Rig with limits and postures", "TOML", () => void exportFile("rig", "rig"))}
						<hr />
						{item("Picture", "PNG 2×", () => savePicture(`${name}.png`, { scale: 2, marks: true }))}
						{item("Picture of the character alone", "PNG 2×", () =>
							savePicture(`${name}.png`, { scale: 2, marks: false }),
						)}
						{item(filming ? "Stop filming" : "Film of the view", "WebM", () => filmView(`${name}.webm`))}
					</>
				);
			}}
		</Menu>
	);
}

function RecordButton() {
	const recording = useStudio((state) => state.recording);
	const hasRig = useStudio((state) => state.rig !== null);
	const seconds = useSampled((frame) => Math.floor((frame?.recorded ?? 0) / 6) / 10, 5);
	return (
		<button
			type="button"
			className="button record"
			aria-pressed={recording}
			disabled={!hasRig}
			title={recording ? "Stop recording (R)" : "Record a take (R)"}
			onClick={() => setRecording(!recording)}
		>
			{recording ? <span className="recording" /> : icons.record}
			<span className="wide-only">{recording ? `${seconds.toFixed(1)} s` : "Record"}</span>
		</button>
	);
}

export function Header() {
	const canUndo = useStudio((state) => state.history.done.at(-1)?.label ?? null);
	const canRedo = useStudio((state) => state.history.undone.at(-1)?.label ?? null);
	const theme = useStudio((state) => state.theme);
	return (
		<header className="header">
			<div className="brand">
				<svg viewBox="0 0 32 32" aria-hidden="true">
					<path
						d="M5 26 12 12l9 3 4-10"
						fill="none"
						stroke="currentColor"
						strokeWidth="3"
						strokeLinecap="round"
						strokeLinejoin="round"
					/>
					<circle cx="25" cy="5" r="4" fill="var(--accent)" />
				</svg>
				<h1>sinew</h1>
			</div>
			<Tabs />
			<RigMenu />
			<span className="spacer" />
			<Button
				label="Undo"
				icon={icons.undo}
				disabled={canUndo === null}
				title={`Undo${canUndo ? `: ${canUndo}` : ""} (Ctrl+Z)`}
				onClick={undo}
			/>
			<Button
				label="Redo"
				icon={icons.redo}
				disabled={canRedo === null}
				title={`Redo${canRedo ? `: ${canRedo}` : ""} (Ctrl+Shift+Z)`}
				onClick={redo}
			/>
			<RecordButton />
			<ExportMenu />
			<Button
				label="Copy a link to this scene"
				icon={icons.link}
				title="Copy a link to this scene (L)"
				onClick={() => void copyLink()}
			/>
			<Button
				label={`Theme: ${theme}`}
				icon={theme === "auto" ? icons.auto : theme === "dark" ? icons.moon : icons.sun}
				title={`Theme: ${theme === "auto" ? "as the system" : theme} (T)`}
				onClick={nextTheme}
			/>
			<Button
				label="Help and shortcuts"
				icon={icons.help}
				title="Help and shortcuts (?)"
				onClick={() => setStudio({ helpOpen: true })}
			/>
			<PanelToggle />
		</header>
	);
}
