//! Two bones of a skeleton, over an animation.

use alloc::string::ToString;

use super::{TwoBone, TwoBoneOptions};
use crate::error::RigError;
use crate::goal::GoalId;
use crate::math::*;
use crate::pose::{ModelPose, Pose};
use crate::report::{Cause, GoalResidual, Outcome, Status, Tolerance};
use crate::skeleton::humanoid::LimbJoints;
use crate::skeleton::{Joint, JointId, JointKind, Skeleton};

/// There is one goal, and causes name it so.
const GOAL: GoalId = GoalId(0);

/// Three joints of a skeleton as [`TwoBone`]: built once, then used every frame, where it
/// cannot fail, allocate or panic.
///
/// Each frame the pose that is given, an animation's mostly, is measured anew and takes the
/// place of the rest. So an end that is on its target changes nothing, and without a pole the
/// elbow stays on the side where the animation has it, carried along by the shortest turn of the
/// limb. Joints between and beside the three keep their rotations; the end joint keeps
/// its own, so that a hand turns with its forearm.
///
/// ```
/// use sinew::analytic::{TwoBoneJoints, TwoBoneOptions};
/// use sinew::skeleton::humanoid::{HumanoidMap, Side};
/// use sinew::{ModelPose, Pose, Vec3};
///
/// let human = sinew::rigs::humanoid(Default::default());
/// let joints = HumanoidMap::find(&human).leg(Side::Left).unwrap();
/// let leg = TwoBoneJoints::new(&human, joints, None, &TwoBoneOptions::default())?;
/// let mut pose = Pose::rest(&human);
/// let mut model = ModelPose::rest(&human);
/// // A step ten centimetres high, half faded in.
/// let target = model.position(joints.end) + Vec3::Y * 0.1;
/// leg.solve(&human, &model, target, None, 0.5, &mut pose);
/// model.update(&human, &pose);
/// assert!((model.position(joints.end).distance(target) - 0.05).abs() < 1e-4);
/// # Ok::<(), sinew::error::RigError>(())
/// ```
#[derive(Debug, Clone)]
pub struct TwoBoneJoints {
    joints: LimbJoints,
    /// What the middle joint bends about, by positive turns, in its rest frame.
    axis: Vec3,
    options: TwoBoneOptions,
    fingerprint: u64,
}

impl TwoBoneJoints {
    /// Start, middle and end joint, each below the one before. `axis` is what the middle joint
    /// bends about, in its rest frame; a hinge has its own, and a limb that rests bent needs none.
    /// A skeleton's bones do not stretch, so that option is refused.
    pub fn new(
        skeleton: &Skeleton,
        joints: LimbJoints,
        axis: Option<Vec3>,
        options: &TwoBoneOptions,
    ) -> Result<Self, RigError> {
        let ids = [joints.upper, joints.lower, joints.end];
        if let Some(id) = ids.iter().find(|id| !skeleton.contains(**id)) {
            return Err(RigError::NoSuchJoint(id.index()));
        }
        let name = |id: JointId| skeleton.joint(id).name().to_string();
        for (above, below) in [(ids[0], ids[1]), (ids[1], ids[2])] {
            if above == below || !skeleton.is_ancestor(above, below) {
                return Err(RigError::NotBelow { above: name(above), below: name(below) });
            }
            let kind = skeleton.joint(above).kind();
            if !kind.turns() {
                let needs = "two bones turn at their start and bend in the middle";
                return Err(RigError::WrongKind { joint: name(above), kind: kind.name(), needs });
            }
        }
        if options.stretch != 1.0 {
            return Err(RigError::BadOption("stretch"));
        }
        let rest = ModelPose::rest(skeleton);
        let [a, b, c] = ids.map(|id| rest.position(id));
        let mid = skeleton.joint(joints.lower);
        let axis = match (mid.kind(), axis) {
            (JointKind::Hinge { axis }, _) => axis * sense(mid, axis),
            (_, Some(axis)) => axis,
            (_, None) => rest.rotation(joints.lower).conjugate() * bend_normal(a, b, c),
        };
        TwoBone::new(b - a, c - a, rest.rotation(joints.lower) * axis, options)?;
        Ok(Self { joints, axis, options: *options, fingerprint: skeleton.fingerprint() })
    }

    /// The three joints.
    pub fn joints(&self) -> LimbJoints {
        self.joints
    }

    /// Brings the end joint towards `target`, with the elbow towards `pole` if one is given;
    /// both are points of model space. `influence` is how much of the way the end goes, along a
    /// straight line, and the elbow round it: at 0 nothing changes, bit for bit, at 1 the end stands on
    /// the target. `model` is where `pose` stands before the call. The rotations end within
    /// their limits, and the report says if that costs the goal.
    pub fn solve(
        &self,
        skeleton: &Skeleton,
        model: &ModelPose,
        target: Vec3,
        pole: Option<Vec3>,
        influence: Real,
        pose: &mut Pose,
    ) -> Outcome {
        let count = skeleton.len();
        if skeleton.fingerprint() != self.fingerprint
            || pose.len() != count
            || model.positions().len() != count
        {
            return Outcome::refused(Cause::Mismatch);
        }
        if !target.is_finite() || !pole.is_none_or(Vec3::is_finite) || influence.is_nan() {
            return Outcome::refused(Cause::NotFinite { goal: GOAL });
        }
        let influence = influence.clamp(0.0, 1.0);
        let LimbJoints { upper, lower, end } = self.joints;
        let [a, b, c] = [upper, lower, end].map(|id| model.position(id));
        let wanted = c.lerp(target, influence);
        let stays = pole.is_none() && wanted.distance(c) <= ROUNDING * a.distance(c);
        if influence == 0.0 || stays {
            return self.outcome(c, target, influence, None);
        }
        let carried = model.rotation(lower) * self.axis;
        let axis = match skeleton.joint(lower).kind() {
            JointKind::Hinge { .. } => carried,
            // Where the limb is straight the plane of its bend is noise, and the axis decides.
            _ => bend_normal(a, b, c) + carried * 0.05,
        };
        let Ok(bones) = TwoBone::new(b - a, c - a, axis, &self.options) else {
            return self.outcome(c, target, influence, Some(Cause::NoFreedom { goal: GOAL }));
        };
        let (from, to) = (direction_or(c - a, bones.straight), direction_or(wanted - a, bones.straight));
        // `plane × line` is where the elbow is, also of a limb that is straight or whose axis is
        // not at right angles to its bones.
        let elbow = direction_or(bones.plane.cross(from), bones.elbow);
        let mut side = rotation::between(from, to, bones.plane) * elbow;
        if let Some(pole) = pole {
            // The turn is that of the whole way, so that a part of it cannot change its sense.
            let whole = direction_or(target - a, to);
            let there = rotation::between(from, whole, bones.plane) * elbow;
            let turn = whole.dot(there.cross(pole - a)).atan2(there.dot(pole - a));
            side = rotation::about(to, turn * influence) * side;
        }
        let solved = bones.solve(wanted - a, side);

        let frames = [upper, lower].map(|id| model.rest_frame(skeleton, id));
        let turned = [solved.start * model.rotation(upper), solved.mid * model.rotation(lower)];
        let mut blocked = None;
        for (i, id) in [upper, lower].into_iter().enumerate() {
            let turn = rotation::normalize_or_identity(frames[i].conjugate() * turned[i]);
            let held = skeleton.joint(id).project(turn);
            if rotation::angle(turn.conjugate() * held) > HAIR {
                blocked = blocked.or(skeleton
                    .joint(id)
                    .nearest_component(held, Vec3::ZERO)
                    .map(|(component, _)| Cause::Limit { goal: GOAL, joint: id, component }));
            }
            pose.set_rotation(id, held);
        }
        // Forward kinematics of the three joints.
        let start = frames[0] * pose.rotation(upper) * model.rotation(upper).conjugate();
        let mid = start * frames[1] * pose.rotation(lower) * model.rotation(lower).conjugate();
        let there = a + start * (b - a) + mid * (c - b);
        let by = wanted.distance(a);
        let cause = blocked.or(if by > bones.length {
            Some(Cause::OutOfReach { goal: GOAL, by: by - bones.length })
        } else if by < bones.shortest {
            Some(Cause::TooClose { goal: GOAL, by: bones.shortest - by })
        } else {
            None
        });
        self.outcome(there, target, influence, cause)
    }

    fn outcome(&self, end: Vec3, target: Vec3, influence: Real, cause: Option<Cause>) -> Outcome {
        let residual = GoalResidual { position: end.distance(target), orientation: 0.0 };
        if residual.position <= Tolerance::default().position {
            return Outcome { status: Status::Reached, cause: None, residual };
        }
        let cause = match cause {
            Some(cause) => cause,
            None if influence < 1.0 => Cause::Faded { goal: GOAL },
            // What is left is the softening before full extension.
            None => Cause::OutOfReach { goal: GOAL, by: residual.position },
        };
        Outcome { status: Status::NotReached, cause: Some(cause), residual }
    }
}

/// The normal of the plane in which three joints are bent: turning about it by positive angles bends them
/// more. Shorter than one the straighter they are.
fn bend_normal(a: Vec3, b: Vec3, c: Vec3) -> Vec3 {
    direction_or(b - a, Vec3::ZERO).cross(direction_or(c - b, Vec3::ZERO))
}

/// Which way a hinge's limit leaves more room.
fn sense(joint: &Joint, axis: Vec3) -> Real {
    let room = |angle: Real| rotation::angle_about(axis, joint.project(rotation::about(axis, angle))).abs();
    if room(-1.0) > room(1.0) { -1.0 } else { 1.0 }
}
