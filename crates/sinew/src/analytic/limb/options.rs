//! What a limb is asked and what it answers, and how its measure is taken.

use alloc::vec::Vec;

use crate::goal::Target;
use crate::math::*;
use crate::report::{Outcome, Tolerance};
use crate::skeleton::JointId;

/// A target as the limb sees it: where its end joint should be, in model space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct LimbGoal {
    /// Where the end joint should stand.
    pub position: Vec3,
    /// How its frame should be turned; `None` keeps the end joint's own rotation
    /// and the forearm's twist as they are.
    pub orientation: Option<Quat>,
}

impl LimbGoal {
    /// What a target asks of an end joint that stands at `now`. One without a point leaves
    /// the joint where it is; of what a contact leaves free, the nearest is taken.
    pub(crate) fn new(target: &Target, now: impl Fn() -> Transform) -> Self {
        match *target {
            Target::Position(position) => Self { position, orientation: None },
            Target::Pose(pose) => Self { position: pose.translation, orientation: Some(pose.rotation) },
            Target::Orientation(_) | Target::Aim { .. } | Target::Contact { .. } => {
                let now = now();
                let position = target.position().unwrap_or(now.translation);
                Self { position, orientation: target.orientation(now) }
            }
        }
    }

    /// The target that asks for just this.
    pub(crate) fn target(&self) -> Target {
        Target::from_parts(self.position, self.orientation)
    }

    pub(super) fn is_valid(&self) -> bool {
        self.position.is_finite()
            // What is not finite has no length either.
            && self.orientation.is_none_or(|q| (q.length_squared() - 1.0).abs() < 1.0e-3)
    }
}

/// Which swivel angle is wanted, before limits and collisions.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Swivel {
    /// This angle in radians, from the limb's neutral; counter-clockwise seen
    /// from the end joint to the base. Needs no memory of earlier frames.
    Preferred(Real),
    /// That of the pose given, so that nothing jumps from frame to frame while the goal can be had. An orientation that
    /// cannot is looked for round the whole circle; a [`LimbFollower`](crate::analytic::LimbFollower) looks beside the
    /// last pose first.
    Last,
    /// This angle, as far as it is not further than `within` from that of the pose
    /// given: what is preferred is come to, and nothing jumps on the way.
    Towards {
        /// The angle that is preferred, in radians from the limb's neutral.
        angle: Real,
        /// The most that one solve turns, in radians.
        within: Real,
    },
    /// With elbow or knee towards this point of model space. Where the point lies
    /// on the line from base to end, that of the pose given.
    Pole(Vec3),
}

impl Default for Swivel {
    /// The neutral: elbows down and back, knees forwards.
    fn default() -> Self {
        Self::Preferred(0.0)
    }
}

/// How to take a limb's measure.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LimbOptions {
    /// How near is near enough.
    pub tolerance: Tolerance,
    /// The base's rotation from which swivel angles count, with the limb
    /// stretched. By default the middle of its limit or, if there is none, of
    /// anatomy. The identity is the neutral limb of SIK (Alg. 5).
    pub neutral: Option<Quat>,
    /// The flexion axis of a middle joint that is a ball, in its rest frame:
    /// positive turns bend the limb. By default what the rig shows.
    pub flexion: Option<Vec3>,
    /// How base and joints along the upper bone share its twist: by these weights, which need not
    /// add up to one; joints that are not named take nothing. By default evenly.
    pub upper_twist: Option<Vec<(JointId, Real)>>,
    /// The same for the middle joint and joints along the lower bone. By default evenly, the middle
    /// joint only if there is nothing else (an elbow does not twist).
    pub lower_twist: Option<Vec<(JointId, Real)>>,
}

crate::report::show_fields!(LimbOptions);

impl Default for LimbOptions {
    /// A limb is exact, so it calls reached what is within 40 µm in single and 10 µm in double
    /// precision, and the same in radians.
    fn default() -> Self {
        let near = (4.0 * HAIR).max(1.0e-5);
        Self {
            tolerance: Tolerance { position: near, orientation: near },
            neutral: None,
            flexion: None,
            upper_twist: None,
            lower_twist: None,
        }
    }
}

/// What a limb's solve came to. The pose is always the best allowed one, but for what is
/// [`Strained`](crate::Cause::Strained). The goal that causes name is number 0.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LimbReport {
    /// Reached, or why not, and how far the pose is from the goal, by forward kinematics.
    pub outcome: Outcome,
    /// The swivel angle of the pose, in radians from the limb's neutral.
    pub swivel: Real,
    /// How many poses were tested for collision.
    pub tests: u32,
}

impl LimbReport {
    /// Whether the goal is met.
    pub fn reached(&self) -> bool {
        self.outcome.reached()
    }
}

impl core::fmt::Display for LimbReport {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}, swivel {:.1}°", self.outcome, self.swivel.to_degrees())
    }
}
