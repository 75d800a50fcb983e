//! A pose to be drawn to.

use alloc::vec::Vec;

use crate::math::*;
use crate::pose::Pose;
use crate::skeleton::Skeleton;

/// A pose that what the other goals leave free is drawn to: spines stay upright, elbows
/// hang, and the same targets give the same pose however they were come to. It comes after
/// all goals: they are met as exactly as without it.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PostureGoal {
    /// The pose.
    pub pose: Pose,
    /// How strongly it draws: a radian away from it weighs like this many metres away from
    /// a goal, for the joint that carries most, and less for those that carry less. Zero
    /// does not draw.
    pub weight: Real,
    /// How strongly each joint is drawn besides, from 0 (left alone) to 1, in the skeleton's
    /// order. Empty draws all alike.
    pub joints: Vec<Real>,
}

impl PostureGoal {
    /// The weight of [`natural`](Self::natural).
    pub const NATURAL: Real = 0.05;

    /// What characters look right with: the pose, drawn to with a weight that leaves no goal worse
    /// off. A hand that is pulled takes the arm, then the shoulder, and the spine only where
    /// these do not suffice. `sinew solve` and the studio use it unless told otherwise.
    ///
    /// ```
    /// use sinew::goal::PostureGoal;
    /// use sinew::math::rotation;
    /// use sinew::{Goal, GoalSet, ModelPose, Pose, SolverSpec, Vec3, rigs};
    /// let human = rigs::humanoid(Default::default());
    /// let (root, wrist) = (human.root(), human.find("r_wrist").unwrap());
    /// let mut goals = GoalSet::from_iter([
    ///     Goal::pose(root, ModelPose::rest(&human).transform(root)),
    ///     Goal::position(wrist, Vec3::new(-0.25, 1.2, 0.4)),
    /// ]);
    /// goals.set_posture(Some(PostureGoal::natural(Pose::rest(&human))));
    /// let mut pose = Pose::rest(&human);
    /// let mut solver = SolverSpec::default().build(&human, &goals)?;
    /// assert!(solver.solve(&human, &goals, &mut pose).reached());
    /// let turn = |name: &str| rotation::angle(pose.rotation(human.find(name).unwrap()));
    /// assert!(turn("vl1") < 0.05 && turn("r_sternoclavicular") < 0.15 && turn("r_shoulder") > 0.3);
    /// # Ok::<(), sinew::error::RigError>(())
    /// ```
    pub const fn natural(pose: Pose) -> Self {
        Self::new(pose, Self::NATURAL)
    }

    /// All joints alike.
    pub const fn new(pose: Pose, weight: Real) -> Self {
        Self { pose, weight, joints: Vec::new() }
    }

    /// How strongly a joint is drawn, from 0 to 1.
    pub(crate) fn joint(&self, joint: usize) -> Real {
        self.joints.get(joint).map_or(1.0, |w| w.clamp(0.0, 1.0))
    }

    /// Whether it is a pose of the skeleton and its weights make sense.
    pub(crate) fn is_valid(&self, skeleton: &Skeleton) -> bool {
        let sound = |w: &Real| w.is_finite() && *w >= 0.0;
        self.pose.len() == skeleton.len()
            && self.pose.first_unsound().is_none()
            && sound(&self.weight)
            && (self.joints.is_empty() || self.joints.len() == skeleton.len())
            && self.joints.iter().all(sound)
    }
}
