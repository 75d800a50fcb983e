//! What came of a reach, in words.

use sinew_f64::body::reach::{ReachReport, Surroundings};
use sinew_f64::collision::Touched;
use sinew_f64::skeleton::humanoid::Side;
use sinew_f64::{Skeleton, Target};

/// The names of the hands, as goals of a reach.
pub const HANDS: [&str; 2] = ["left hand", "right hand"];

/// The outcome.
pub fn outcome(
    report: &ReachReport,
    targets: &[(Side, Target)],
    skeleton: &Skeleton,
    around: Option<&Surroundings>,
) -> String {
    let Some(cause) = &report.cause else {
        return match (targets.len(), report.reached()) {
            (0, _) => "nothing to reach for".into(),
            (2, true) => "both hands are there".into(),
            (_, true) => "reached".into(),
            _ => "not there yet".into(),
        };
    };
    if let (Some(contact), Some(around)) = (&report.contact, around) {
        let (part, with) = around.names(contact);
        return format!("{part} meets {with}, {:.1} cm deep", contact.depth * 100.0);
    }
    cause.in_words(skeleton, &HANDS)
}

/// The two that touch: a joint, and a joint or the name of an obstacle.
pub fn contact(
    report: &ReachReport,
    skeleton: &Skeleton,
    around: Option<&Surroundings>,
) -> Option<[String; 2]> {
    let (contact, around) = (report.contact?, around?);
    let joint = |part: usize| skeleton.joint(around.body().parts()[part].joint).name().to_string();
    let with = match contact.with {
        Touched::Part(part) => joint(part),
        Touched::Obstacle(id) => around.scene().name(id)?.to_string(),
    };
    Some([joint(contact.part), with])
}
