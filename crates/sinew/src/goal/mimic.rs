//! Joints that follow others.

use crate::math::*;
use crate::pose::Pose;
use crate::skeleton::{JointId, Skeleton};

/// A joint that follows another, as the fingers of a gripper do: its value is
/// `multiplier · source + offset`.
///
/// Values are angles of hinges and displacements of prismatic joints. A list names a joint after
/// the one that it follows, so that applying it in order is right for those that follow followers.
///
/// A solver that is given such joints ([`GoalSet::set_mimics`](crate::GoalSet::set_mimics))
/// returns poses in which they stand where they must, and its report is of those. The robust, the
/// prioritised and the Jacobian solvers see them while they search; the others find out at the end.
///
/// ```
/// use sinew::goal::Mimic;
/// use sinew::{Goal, GoalSet, JointDef, JointKind, Pose, SkeletonBuilder, SolverSpec, Vec3};
/// let hinge = JointKind::Hinge { axis: Vec3::Z };
/// let mut finger = SkeletonBuilder::new("finger");
/// let knuckle = finger.add(JointDef::new("knuckle").kind(hinge));
/// let middle = finger.add(JointDef::new("middle").under(knuckle).at(Vec3::Y).kind(hinge));
/// let tip = finger.add(JointDef::new("tip").under(middle).at(Vec3::Y).kind(JointKind::Fixed));
/// let finger = finger.build()?;
/// let mut goals = GoalSet::from_iter([Goal::position(tip, Vec3::new(-1.2, 0.8, 0.0))]);
/// goals.set_mimics(vec![Mimic { joint: middle, source: knuckle, multiplier: 1.0, offset: 0.0 }]);
/// let mut pose = Pose::rest(&finger);
/// SolverSpec::default().build(&finger, &goals)?.solve(&finger, &goals, &mut pose);
/// let [a, b] = [knuckle, middle].map(|joint| pose.value(&finger, joint).unwrap());
/// assert!(a > 0.3 && (a - b).abs() < 1e-6);
/// # Ok::<(), sinew::error::RigError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Mimic {
    /// The joint that follows.
    pub joint: JointId,
    /// The joint that it follows.
    pub source: JointId,
    /// How many times as far it goes.
    pub multiplier: Real,
    /// Where it stands when the source is at zero: radians or metres.
    pub offset: Real,
}

impl Mimic {
    /// Puts the joint where its source says. The joint's own limit is not looked at. Returns
    /// whether it stood elsewhere.
    pub fn apply(&self, skeleton: &Skeleton, pose: &mut Pose) -> bool {
        if !skeleton.contains(self.joint) || !skeleton.contains(self.source) {
            return false;
        }
        // A source that cannot move stays at zero.
        let source = pose.value(skeleton, self.source).unwrap_or(0.0);
        let before = (pose.rotation(self.joint), pose.translation(self.joint));
        pose.set_value(skeleton, self.joint, self.multiplier * source + self.offset);
        before != (pose.rotation(self.joint), pose.translation(self.joint))
    }

    /// Whether such a list can be applied in order on the skeleton.
    pub(crate) fn are_valid(list: &[Self], skeleton: &Skeleton) -> bool {
        let has_value = |joint: JointId| skeleton.joint(joint).kind().degrees_of_freedom() == 1;
        list.iter().enumerate().all(|(i, mimic)| {
            let Self { joint, source, multiplier, offset } = *mimic;
            skeleton.contains(joint)
                && skeleton.contains(source)
                && has_value(joint)
                && joint != source
                && multiplier.is_finite()
                && offset.is_finite()
                && list[i + 1..].iter().all(|later| later.joint != joint && later.joint != source)
        })
    }
}
