//! The page's types, generated from the messages: a file for each module here.

use std::collections::{BTreeMap, BTreeSet};

use ts_rs::{Config, TS};

use super::limit::page::{LimitCone, LimitKnot, LimitShape, Range, Swing};
use super::*;

const HEAD: &str = "// Generated from crates/sinew-studio/src/wire: do not edit.\n\
                    // `cargo xtask wire` writes it, and the tests fail when it differs.\n";

/// What belongs into one file.
#[derive(Default)]
struct Part {
    names: Vec<String>,
    text: String,
    /// The types that it speaks of.
    uses: BTreeSet<String>,
}

impl Part {
    fn declare<T: TS + 'static + ?Sized>(&mut self, config: &Config) {
        self.text.push('\n');
        if let Some(docs) = T::docs() {
            self.text.push_str(docs.trim_end());
            self.text.push('\n');
        }
        self.text.push_str("export ");
        self.text.push_str(&T::decl(config));
        self.text.push('\n');
        self.names.push(T::ident(config));
        self.uses.extend(T::dependencies(config).into_iter().map(|d| d.ts_name));
    }
}

/// The files of the page's types: where each is below `web/src`, and its text.
/// `wire.ts` hands on all the others.
fn declarations() -> Vec<(String, String)> {
    let config = Config::default();
    let mut parts: Vec<(&str, Part)> = Vec::new();
    macro_rules! part {
        ($file:literal: $($name:ident),* $(,)?) => {
            let mut part = Part::default();
            $(part.declare::<$name>(&config);)*
            parts.push(($file, part));
        };
    }
    part!("messages": ClientMessage, ServerMessage, Frame, Placed, FrameDetails, ExportWhat, ExportFormat, Uploaded);
    part!("rig": Welcome, RigChoice, RigSource, Fitting, UpAxis, PartDescription, SolverInfo, SolverOption, RigDescription, Workspaces,
        JointDescription, MeshDescription, MotionDescription, PostureDocument);
    part!("limit": LimitDocument, LimitShape, Swing, Range, LimitKnot, LimitCone, LimitOutline, Handle, HandleKind);
    part!("play": Playing, PlayFrame, Clip);
    part!("cause": WireCause, WireComponent);
    part!("pose": PoseScene, SolverChoice, PoseGoal, TargetKind, PoseFrame, GoalError, GhostFrame);
    part!("reach": ReachScene, SideName, ReachTarget, Obstacle, ObstacleForm, ReachFrame, HandOutcome,
        BehaviourDocument, KeyDocument, KeySettings, BehaviourEdit);
    part!("body": BodyScene, BodySource, BodyMarker, MethodInfo, BodyFrame, PointState, BodyTrack);
    part!("look": LookScene, LookTarget, LookPath, FilterSettings, LookFrame, MotionSample);
    part!("thing": ThingDescription, ThingForm);
    part!("walk": WalkScene, TerrainChoice, WalkFrame, Gait, BlockedFrame, BlockedBy, FootFrame, GroundPatch);

    let home: BTreeMap<&str, &str> =
        parts.iter().flat_map(|(file, part)| part.names.iter().map(|n| (n.as_str(), *file))).collect();
    let mut files = vec![("wire.ts".to_string(), HEAD.to_string() + "\n")];
    for (file, part) in &parts {
        files[0].1 += &format!("export * from \"./wire/{file}\";\n");
        let mut imports: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for name in &part.uses {
            if let Some(other) = home.get(name.as_str()).filter(|other| *other != file) {
                imports.entry(other).or_default().push(name);
            }
        }
        let mut text = HEAD.to_string();
        if !imports.is_empty() {
            text.push('\n');
        }
        for (other, names) in imports {
            text += &format!("import type {{ {} }} from \"./{other}\";\n", names.join(", "));
        }
        text += &on_one_line(&part.text);
        files.push((format!("wire/{file}.ts"), text));
    }
    files
}

/// Comments of one line take one line.
fn on_one_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if line.trim() == "/**" {
            let first = lines.next().unwrap_or_default();
            if lines.peek().is_some_and(|next| next.trim() == "*/") {
                lines.next();
                out += &format!("/** {} */\n", first.trim().trim_start_matches('*').trim());
                continue;
            }
            out += &format!("{line}\n{first}\n");
            continue;
        }
        out += line.trim_end();
        out.push('\n');
    }
    out
}

#[test]
fn the_page_has_the_types_of_the_server() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src");
    let files = declarations();
    if std::env::var_os("SINEW_WRITE_WIRE").is_some() {
        std::fs::create_dir_all(folder.join("wire")).unwrap();
        for (name, wanted) in &files {
            std::fs::write(folder.join(name), wanted).unwrap();
        }
    }
    for (name, wanted) in &files {
        let found = std::fs::read_to_string(folder.join(name)).unwrap_or_default();
        assert!(found == *wanted, "web/src/{name} is not what the messages say; run `cargo xtask wire`");
    }
    let kept = std::fs::read_dir(folder.join("wire")).unwrap();
    let strangers: Vec<_> = kept
        .map(|entry| format!("wire/{}", entry.unwrap().file_name().to_string_lossy()))
        .filter(|name| !files.iter().any(|(known, _)| known == name))
        .collect();
    assert!(strangers.is_empty(), "no message makes these files: {strangers:?}");
}
