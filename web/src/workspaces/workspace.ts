// What a workspace is to the shell: one entry each, listed in `index.ts`.

import type { ComponentType } from "react";
import type { Q, V3 } from "../maths";
import type { Shortcut } from "../state/shortcuts";
import type { Scenes, WorkspaceName } from "../state/store";
import type { Frame, Placed, RigDescription, ThingDescription, Welcome } from "../wire";

/** Files that a scene brings in besides the rig. */
export interface SceneFiles<Scene> {
	/** By its name such a file is one for the scene … */
	takes: RegExp;
	/** … and such a one may be one for the scene or a rig. */
	mayTake?: RegExp;
	/** What it becomes: "An obstacle". */
	what: string;
	/** For the veil while one is dragged over the page. */
	words: string;
	/** The files that a scene names. */
	of(scene: Scene): string[];
	/** The scene without one that cannot be had any more. */
	without(scene: Scene, id: string): Scene;
	/** Puts one that was read into the scene. */
	add(thing: ThingDescription): void;
}

export interface Workspace<W extends WorkspaceName = WorkspaceName> {
	name: W;
	title: string;
	/** What one does here, in a sentence. */
	summary: string;
	/** The side panel. Shown only when there are a rig and a scene. */
	Panel: ComponentType;
	/** What is drawn besides the ground and the lights, inside the canvas. */
	Stage: ComponentType;
	/** Over the lower edge of the picture: plots, a scrubber. */
	Overlay?: ComponentType;
	/** The scene to begin with. */
	initial(rig: RigDescription, welcome: Welcome): Scenes[W];
	/** Makes a scene from a link fit the rig: joints that are not there, names that are not known. */
	fit?(scene: Scenes[W], rig: RigDescription, welcome: Welcome): Scenes[W];
	/** The scene after a target was dragged there. */
	move(scene: Scenes[W], target: string, position: V3, rotation: Q | null): Scenes[W];
	/** The scene for a pose that was shown before: goals where the joints are. */
	posed?(scene: Scenes[W], pose: Placed): Scenes[W];
	/** Places of the scene that the usual view shows besides the character. */
	framed?(scene: Scenes[W], rig: RigDescription): V3[];
	/** Files that become a part of the scene when they are dropped here. */
	files?: SceneFiles<Scenes[W]>;
	/** The outcome in words, for the status line. */
	outcome(frame: Frame): { good: boolean; text: string } | null;
	shortcuts: Shortcut[];
	/** Built-in rigs to offer when the one that is open cannot be used here. */
	rigs: readonly string[];
	/** What can be dragged has no orientation: no choice between moving and turning. */
	onlyMoves?: boolean;
	/** The stage draws the ground itself. */
	ownGround?: boolean;
}
