import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "./app/base.css";
import { App } from "./app/App";
import { watchAddress } from "./app/address";
import { Fault } from "./app/Fault";
import { installTestHook } from "./app/testHook";
import { recallTheme } from "./app/theme";
import { registerWorkspaces } from "./state/registry";
import { begin } from "./state/session";
import { workspaces } from "./workspaces";

registerWorkspaces(workspaces);
recallTheme();
installTestHook();
const root = document.getElementById("root");
if (root) {
	createRoot(root).render(
		<StrictMode>
			<Fault>
				<App />
			</Fault>
		</StrictMode>,
	);
}
watchAddress();
void begin();
