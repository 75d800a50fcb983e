// The session knows the workspaces only through this, so that they may use the session.

import type { Workspace } from "../workspaces/workspace";
import type { WorkspaceName } from "./store";

const known = new Map<WorkspaceName, Workspace>();

export function registerWorkspaces(list: readonly Workspace[]): void {
	for (const workspace of list) known.set(workspace.name, workspace);
}

export function workspaceOf(name: WorkspaceName): Workspace {
	const found = known.get(name);
	if (!found) throw new Error(`There is no workspace called ${name}.`);
	return found;
}
