import { useEffect, useState } from "react";
import { openFile } from "../state/files";
import { toast } from "../state/store";

/** Takes a file that is dropped anywhere. */
export function DropZone() {
	const [over, setOver] = useState(false);
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
			const files = [...(event.dataTransfer?.files ?? [])];
			if (files.length > 1) toast("note", `Only the first of ${files.length} files is opened.`);
			if (files[0]) void openFile(files[0]);
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
				<small>BVH, GLB, VRM, URDF or a sinew rig file</small>
			</div>
		</div>
	);
}
