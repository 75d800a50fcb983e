//! Why something cannot be built for a rig.

use alloc::string::String;
use alloc::vec::Vec;

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
    /// The set of goals is empty.
    #[error("there are no goals")]
    NoGoals,
    /// A goal is on a joint that the skeleton does not have.
    #[error("goal {goal} is on joint {joint}, and the skeleton has only {count}")]
    GoalOnNoJoint {
        /// The goal's place.
        goal: usize,
        /// The joint's place.
        joint: usize,
        /// How many joints there are.
        count: usize,
    },
    /// A weight is negative or not finite, or the influence is not between 0 and 1.
    #[error(
        "goal {goal} has a weight that is negative or not finite, or an influence that is not between 0 and 1"
    )]
    BadWeight {
        /// The goal's place.
        goal: usize,
    },
    /// The target or offset holds NaN, infinity or a quaternion that is no rotation.
    #[error("goal {goal} has a target or offset that is not finite or no rotation")]
    BadTarget {
        /// The goal's place.
        goal: usize,
    },
    /// The solver has no way to honour this kind of goal.
    #[error("goal {goal}: {solver} cannot honour {what}")]
    NotSupported {
        /// The goal's place.
        goal: usize,
        /// The solver.
        solver: &'static str,
        /// What it cannot do.
        what: &'static str,
    },
    /// The posture is of another skeleton, or not finite.
    #[error("the posture is not of this skeleton, or not finite")]
    BadPosture,
    /// The solver cannot be drawn to a posture.
    #[error("{solver} cannot be drawn to a posture")]
    NoPosture {
        /// The solver.
        solver: &'static str,
    },
    /// The solver cannot keep a bound on the whole body.
    #[error("{solver} cannot keep {what}")]
    NoBound {
        /// The solver.
        solver: &'static str,
        /// What it cannot keep.
        what: &'static str,
    },
    /// The solver needs a skeleton of another sort.
    #[error("{solver} needs {what}")]
    WrongSkeleton {
        /// The solver.
        solver: &'static str,
        /// What it needs.
        what: &'static str,
    },
    /// Nothing of its sort has this name.
    #[error("there is no {what} '{name}'; there are {known}")]
    Unknown {
        /// What was looked for.
        what: &'static str,
        /// The name that was asked for.
        name: String,
        /// The names there are.
        known: String,
    },
    /// What follows a name does not fit.
    #[error("{what} '{name}': {problem}")]
    BadParameter {
        /// What was looked for.
        what: &'static str,
        /// Its name.
        name: String,
        /// What is wrong.
        problem: String,
    },
    /// A matrix that is no rigid motion.
    #[error(
        "the matrix is no rigid motion: it scales, shears or mirrors, or is not finite; Transform::from_scaled takes a scale apart"
    )]
    NotRigid,
    /// The rig could not be made ready.
    #[error(transparent)]
    Build(#[from] BuildError),
}

impl RigError {
    pub(crate) fn unknown(what: &'static str, name: &str, known: impl Iterator<Item = &'static str>) -> Self {
        let known: Vec<&str> = known.collect();
        Self::Unknown { what, name: name.into(), known: known.join(", ") }
    }
}
