//! Why something cannot be built for a rig, and names that nothing has.

use alloc::string::String;
use alloc::vec::Vec;

use crate::goal::GoalError;
use crate::skeleton::BuildError;
use crate::skeleton::humanoid::HumanoidBone;

/// Why a skeleton, or what was given with it, is unfit: the one error of everything that is built
/// for a rig.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RigError {
    /// The map has no joint for a bone that is needed.
    #[error("the skeleton has no joint for {0}")]
    Missing(HumanoidBone),
    /// It cannot be told where the character's left and forward are.
    #[error("the skeleton does not show which way the character faces")]
    NoFacing,
    /// One joint should be below another and is not.
    #[error("'{below}' does not lie below '{above}' in the tree")]
    NotBelow {
        /// The joint that should be above.
        above: String,
        /// The joint that should be below.
        below: String,
    },
    /// No joints are given.
    #[error("no joints are given")]
    NoJoints,
    /// A joint belongs to another skeleton.
    #[error("joint number {0} is not one of the skeleton's")]
    NoSuchJoint(usize),
    /// Two joints stand in the same place.
    #[error("the bone from '{from}' to '{to}' has no length")]
    ZeroLength {
        /// The upper joint.
        from: String,
        /// The lower joint.
        to: String,
    },
    /// The middle joint of a limb cannot bend it.
    #[error("'{joint}' cannot bend the limb: {why}")]
    CannotBend {
        /// The joint.
        joint: String,
        /// Why not.
        why: &'static str,
    },
    /// A share of a limb's twist is negative or not finite, or none is positive, or stands at a
    /// joint that cannot twist the limb.
    #[error("the share of twist at '{joint}' {why}")]
    BadShare {
        /// The joint.
        joint: String,
        /// What is wrong.
        why: &'static str,
    },
    /// More joints twist with a limb than it can keep in mind.
    #[error("{count} joints would twist with the limb; at most {most} can")]
    TooManyJoints {
        /// How many there are.
        count: usize,
        /// How many there may be.
        most: usize,
    },
    /// A joint cannot move as it should.
    #[error("joint '{joint}' is {kind}; {needs}")]
    WrongKind {
        /// The joint.
        joint: String,
        /// Its kind.
        kind: &'static str,
        /// What is needed.
        needs: &'static str,
    },
    /// Fewer than two legs.
    #[error("found {0} legs that end on the ground; a walker needs at least two")]
    TooFewLegs(usize),
    /// Something is of another skeleton, or not finite.
    #[error("{0} is not of this skeleton, or not finite")]
    Foreign(String),
    /// An option is negative, not finite or out of its range.
    #[error("the option {0} is negative, not finite or out of its range")]
    BadOption(&'static str),
    /// A slice has the wrong number of coordinates.
    #[error("the skeleton has {expected} degrees of freedom, and the slice has {got} numbers")]
    Coordinates {
        /// Degrees of freedom of the skeleton.
        expected: usize,
        /// Length of the slice.
        got: usize,
    },
    /// A key of a behaviour cannot be so.
    #[error("key {key}: {problem}")]
    Key {
        /// The number of the key.
        key: usize,
        /// What is wrong.
        problem: String,
    },
    /// A part of a body or an obstacle is no shape.
    #[error("{name}: {problem}")]
    Shape {
        /// The part or the obstacle.
        name: String,
        /// What is wrong.
        problem: &'static str,
    },
    /// A goal cannot be met.
    #[error(transparent)]
    Goal(#[from] GoalError),
    /// The rig could not be made ready.
    #[error(transparent)]
    Build(#[from] BuildError),
}

/// A name that nothing of its sort has, or that came with parameters that do not fit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NameError {
    /// Nothing has this name.
    #[error("there is no {what} '{name}'; there are {known}")]
    Unknown {
        /// What was looked for.
        what: &'static str,
        /// The name that was asked for.
        name: String,
        /// The names there are.
        known: String,
    },
    /// What follows the name does not fit.
    #[error("{what} '{name}': {problem}")]
    BadParameter {
        /// What was looked for.
        what: &'static str,
        /// Its name.
        name: String,
        /// What is wrong.
        problem: String,
    },
}

impl NameError {
    pub(crate) fn unknown(what: &'static str, name: &str, known: impl Iterator<Item = &'static str>) -> Self {
        let known: Vec<&str> = known.collect();
        Self::Unknown { what, name: name.into(), known: known.join(", ") }
    }
}
