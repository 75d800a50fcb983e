// The five workspaces, in the order of their tabs.

import { useStudio } from "../state/store";
import { body } from "./body";
import { look } from "./look";
import { pose } from "./pose";
import { reach } from "./reach";
import { walk } from "./walk";
import type { Workspace } from "./workspace";

// Each is typed by its own scene; the shell hands back to each only its own.
export const workspaces = [pose, reach, body, look, walk] as unknown as readonly Workspace[];

/** The workspace shown. */
export function useWorkspace(): Workspace {
	const name = useStudio((state) => state.workspace);
	return workspaces.find((workspace) => workspace.name === name) ?? (workspaces[0] as Workspace);
}
