import { useEffect, useState } from "react";
import { openFiles } from "../state/files";
import { useWorkspace } from "../workspaces";
import "./dropzone.css";

/** Takes a file that is dropped anywhere. */
export function DropZone() {
	const [over, setOver] = useState(false);
	const { files } = useWorkspace();
	useEffect(() => {
		const withFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
		const enter = (event: DragEvent) => {
			if (!withFiles(event)) return;
			event.preventDefault();
			setOver(true);
		};
		const leave = (event: DragEvent) => {
			if (event.relatedTarget === null) setOver(false);
		};
		const drop = (event: DragEvent) => {
			if (!withFiles(event)) return;
			event.preventDefault();
			setOver(false);
			// What was dropped is gone when this returns; entries stay.
			const items = [...(event.dataTransfer?.items ?? [])].map((item) => item.webkitGetAsEntry());
			const entries = items.filter((entry) => entry !== null);
			void openFiles(entries, [...(event.dataTransfer?.files ?? [])]);
		};
		window.addEventListener("dragenter", enter);
		window.addEventListener("dragover", enter);
		window.addEventListener("dragleave", leave);
		window.addEventListener("drop", drop);
		return () => {
			window.removeEventListener("dragenter", enter);
			window.removeEventListener("dragover", enter);
			window.removeEventListener("dragleave", leave);
			window.removeEventListener("drop", drop);
		};
	}, []);
	if (!over) return null;
	return (
		<div className="drop-veil">
			<div>
				Drop to open
				<small>BVH, GLB, VRM, URDF or a sinew rig file; a robot with its meshes as a folder or zip</small>
				{files && <small>{files.words}</small>}
			</div>
		</div>
	);
}
