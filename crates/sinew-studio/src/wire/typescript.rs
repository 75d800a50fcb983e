//! The page's types, generated from the messages.

use ts_rs::{Config, TS};

use super::*;

/// The text of `web/src/wire.ts`.
pub fn declarations() -> String {
    let config = Config::default();
    let mut text = String::from(
        "// Generated from crates/sinew-studio/src/wire: do not edit.\n\
         // `cargo xtask wire` writes it, and the tests fail when it differs.\n",
    );
    macro_rules! declare {
        ($($name:ident),* $(,)?) => {
            $(
                text.push('\n');
                if let Some(docs) = <$name as TS>::docs() {
                    text.push_str(docs.trim_end());
                    text.push('\n');
                }
                text.push_str("export ");
                text.push_str(&<$name as TS>::decl(&config));
                text.push('\n');
            )*
        };
    }
    declare!(
        ClientMessage,
        ServerMessage,
        Frame,
        Placed,
        FrameDetails,
        ExportWhat,
        ExportFormat,
        Uploaded,
        Welcome,
        RigChoice,
        RigSource,
        SolverInfo,
        SolverOption,
        RigDescription,
        Workspaces,
        JointDescription,
        MeshDescription,
        MotionDescription,
        PostureDocument,
        LimitDocument,
        LimitShape,
        Swing,
        Range,
        LimitKnot,
        LimitCone,
        LimitOutline,
        Handle,
        HandleKind,
        PoseScene,
        SolverChoice,
        PoseGoal,
        TargetKind,
        PoseFrame,
        GoalError,
        GhostFrame,
        ReachScene,
        SideName,
        ReachTarget,
        Obstacle,
        ObstacleForm,
        ReachFrame,
        HandOutcome,
        BehaviourDocument,
        KeyDocument,
        KeySettings,
        BehaviourEdit,
        BodyScene,
        BodySource,
        BodyMarker,
        MethodInfo,
        BodyFrame,
        PointState,
        BodyTrack,
        LookScene,
        LookTarget,
        LookPath,
        FilterSettings,
        LookFrame,
        MotionSample,
        WalkScene,
        TerrainChoice,
        WalkFrame,
        FootFrame,
        GroundPatch,
    );
    text
}
