//! What stood in the way, as two keys of a document: `cause` for people and
//! `typed_cause` for programs. Every command that solves writes both, from here.

use serde::Serialize;
use sinew_f64::body::reach::{ReachReport, Surroundings};
use sinew_f64::{Cause, Skeleton};
use sinew_studio::wire::{Explain, WireCause};

/// Both keys; `null` where there is nothing to say. Meant to be flattened.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Told {
    /// In words.
    pub cause: Option<String>,
    /// The same with its kind, names and numbers.
    pub typed_cause: Option<WireCause>,
}

impl Told {
    /// A cause with these names of the goals, in the order of their set.
    pub fn new<C: Explain, S: AsRef<str>>(cause: Option<&C>, skeleton: &C::Skeleton, goals: &[S]) -> Self {
        Self {
            cause: cause.map(|cause| cause.words(skeleton, goals)),
            typed_cause: cause.map(|cause| cause.typed(skeleton, goals)),
        }
    }

    /// The cause of a reach: a contact is told with the parts' and obstacles' own names.
    pub fn of_reach(report: &ReachReport, skeleton: &Skeleton, around: Option<&Surroundings>) -> Self {
        let mut told = Self::new(report.cause.as_ref(), skeleton, &HANDS);
        told.typed_cause = WireCause::of_reach(report, skeleton, around, &HANDS);
        if let (Some(Cause::Collision { .. }), Some(contact), Some(around)) =
            (report.cause, report.contact, around)
        {
            let (part, with) = around.names(&contact);
            told.cause = Some(format!("{part} meets {with}, {:.1} mm deep", contact.depth * 1.0e3));
        }
        told
    }
}

/// The names of the hands, as goals of a reach.
pub const HANDS: [&str; 2] = ["left hand", "right hand"];
