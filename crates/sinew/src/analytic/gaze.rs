//! A character that looks: eyes, head, neck and spine share the turn by weight.
//!
//! Spine, neck and head are one [`Aim`], each eye another on top of it. The head goes its part of the
//! way and the eyes the rest; what the eyes' limits keep them from is given back to the head. The pose
//! given is a posture or a frame of an animation, which is kept besides looking; with an influence
//! below one everything goes only that part of its way, so a look can fade in and out.

use alloc::vec::Vec;

use super::aim::{Aim, AimOptions};
use crate::error::RigError;
use crate::math::*;
use crate::pose::{ModelPose, Pose};
use crate::report::Outcome;
use crate::skeleton::humanoid::{HumanoidBone, HumanoidMap, Side};
use crate::skeleton::{JointId, JointKind, Skeleton};

/// How much of a turn each part of a body takes, against the others. Zero for none.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct GazeWeights {
    /// All joints of the spine together.
    pub spine: Real,
    /// All joints of the neck together.
    pub neck: Real,
    /// The head.
    pub head: Real,
    /// The eyes, if there are any.
    pub eyes: Real,
}

crate::report::show_fields!(GazeWeights);

impl Default for GazeWeights {
    fn default() -> Self {
        Self { spine: 0.25, neck: 0.5, head: 1.0, eyes: 0.3 }
    }
}

/// A character that looks; see the [module](self). Built once, then used every frame: solving cannot
/// fail, allocate or panic.
///
/// ```
/// use sinew::analytic::{Gaze, GazeWeights};
/// use sinew::skeleton::humanoid::HumanoidMap;
/// use sinew::{Pose, Vec3, rigs};
/// let skeleton = rigs::humanoid(rigs::SwingModel::Ellipse);
/// let mut gaze = Gaze::new(&skeleton, &HumanoidMap::find(&skeleton), GazeWeights::default())?;
/// let mut pose = Pose::rest(&skeleton);
/// let outcome = gaze.solve(&skeleton, Vec3::new(1.0, 1.6, 2.0), 1.0, &mut pose);
/// assert!(outcome.residual.orientation < 1e-2);
/// # Ok::<(), sinew::error::RigError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Gaze {
    body: Aim,
    eyes: Vec<Aim>,
    /// The part of the way that the body goes where the eyes do theirs.
    share: Real,
    joints: Vec<JointId>,
    /// What looks: the head, then the eyes.
    sights: Vec<Sight>,
    model: ModelPose,
    given: Pose,
}

/// A joint that looks, with direction and place in its own frame.
#[derive(Debug, Clone, Copy)]
struct Sight {
    joint: JointId,
    forward: Vec3,
    from: Vec3,
}

impl Sight {
    fn now(&self, model: &ModelPose) -> (Vec3, Vec3) {
        let joint = model.transform(self.joint);
        (joint.transform_point(self.from), joint.rotation * self.forward)
    }
}

impl Gaze {
    /// Of a body whose parts are known; refuses one without a head that turns.
    pub fn new(skeleton: &Skeleton, map: &HumanoidMap, weights: GazeWeights) -> Result<Self, RigError> {
        let turns = |j: &JointId| {
            skeleton.joint(*j).kind().turns() && !matches!(skeleton.joint(*j).kind(), JointKind::Free)
        };
        let head = map.get(HumanoidBone::Head).ok_or(RigError::NoJoints)?;
        let mut joints: Vec<(JointId, Real)> = Vec::new();
        for (part, weight) in [(map.spine(), weights.spine), (map.neck(), weights.neck)] {
            let part: Vec<JointId> = part.iter().copied().filter(turns).filter(|j| *j != head).collect();
            let each = weight / part.len().max(1) as Real;
            joints.extend(part.iter().filter(|j| skeleton.is_ancestor(**j, head)).map(|j| (*j, each)));
        }
        if turns(&head) {
            joints.push((head, weights.head));
        }
        joints.retain(|(_, weight)| *weight > 0.0);
        // The head carries the gaze also where it does not take part.
        if joints.last().is_none_or(|(last, _)| *last != head) && turns(&head) {
            joints.push((head, 0.0));
        }
        let last = joints.last().map(|(joint, _)| *joint).ok_or(RigError::NoJoints)?;
        let rest = ModelPose::rest(skeleton);
        let (forward, up) = map.facing().map_or((Vec3::Z, Vec3::Y), |f| (f.forward, f.up));
        let options = AimOptions { up, ..AimOptions::default() };
        let own = |joint: JointId, v: Vec3| rest.rotation(joint).conjugate() * v;
        let found: Vec<JointId> = [Side::Left, Side::Right]
            .into_iter()
            .filter_map(|side| map.get(HumanoidBone::Eye(side)))
            .filter(|j| turns(j) && skeleton.is_ancestor(head, *j))
            .collect();
        let mut from = rest.position(head);
        if found.is_empty() {
            // About where eyes are: as far above the joint of the head as the neck is long.
            let below = skeleton.parent(head).map_or(from, |parent| rest.position(parent));
            from += up * (from - below).dot(up).max(0.0);
        } else {
            from = found.iter().map(|j| rest.position(*j)).sum::<Vec3>() / found.len() as Real;
        }
        let place = |joint: JointId, at: Vec3| own(joint, at - rest.position(joint));
        let body = Aim::new(skeleton, &joints, own(last, forward), place(last, from), &options)?;
        let mut eyes = Vec::new();
        if weights.eyes > 0.0 {
            for &eye in &found {
                eyes.push(Aim::new(skeleton, &[(eye, 1.0)], own(eye, forward), Vec3::ZERO, &options)?);
            }
        }
        let mut sights =
            alloc::vec![Sight { joint: last, forward: own(last, forward), from: place(last, from) }];
        let seeing = found.iter().take(eyes.len());
        sights.extend(seeing.map(|&eye| Sight { joint: eye, forward: own(eye, forward), from: Vec3::ZERO }));
        let sum: Real = joints.iter().map(|(_, weight)| *weight).sum();
        let mut all: Vec<JointId> = joints.iter().map(|(joint, _)| *joint).collect();
        all.extend(found.iter().take(eyes.len()));
        Ok(Self {
            share: if eyes.is_empty() { 1.0 } else { sum / (sum + weights.eyes) },
            body,
            eyes,
            joints: all,
            sights,
            model: rest,
            given: Pose::rest(skeleton),
        })
    }

    /// The joints that take part, from the trunk outwards, the eyes last.
    pub fn joints(&self) -> &[JointId] {
        &self.joints
    }

    /// Where it looks from and where to, in model space: of each eye, or of the head if it has none.
    pub fn sights<'a>(&'a self, model: &'a ModelPose) -> impl Iterator<Item = (Vec3, Vec3)> + 'a {
        let eyes = self.sights.len() > 1;
        self.sights.iter().skip(usize::from(eyes)).map(|sight| sight.now(model))
    }

    /// Where the head looks from and where to, in model space.
    pub fn head(&self, model: &ModelPose) -> (Vec3, Vec3) {
        self.sights.first().map_or((Vec3::ZERO, Vec3::Z), |head| head.now(model))
    }

    /// Turns the joints so that the character looks at a point of model space, `influence` of the
    /// way. The outcome is that of the eye which misses by more, or of the head where there are none.
    pub fn solve(&mut self, skeleton: &Skeleton, target: Vec3, influence: Real, pose: &mut Pose) -> Outcome {
        if pose.len() != self.given.len() {
            return Outcome::refused(crate::report::Cause::Mismatch);
        }
        self.given.copy_from(pose);
        let mut share = self.share;
        let mut outcome = self.turn(skeleton, target, share, influence, pose);
        if !self.eyes.is_empty() && outcome.residual.orientation > 0.0 && influence >= 1.0 - ROUNDING {
            // What the eyes could not do, as a part of what they should have.
            self.model.update(skeleton, &self.given);
            let (from, looks) = self.head(&self.model);
            let way = looks.angle_between(direction_or(target - from, looks));
            let eyes = (1.0 - share) * way;
            if eyes > ROUNDING {
                let lacking = (outcome.residual.orientation / eyes).clamp(0.0, 1.0);
                share += (1.0 - share) * lacking;
                pose.copy_from(&self.given);
                outcome = self.turn(skeleton, target, share, influence, pose);
            }
        }
        outcome
    }

    fn turn(
        &mut self,
        skeleton: &Skeleton,
        target: Vec3,
        share: Real,
        influence: Real,
        pose: &mut Pose,
    ) -> Outcome {
        self.model.update(skeleton, pose);
        let mut worst = self.body.solve(skeleton, &self.model, target, share * influence, pose);
        if self.eyes.is_empty() {
            return worst;
        }
        self.model.update(skeleton, pose);
        for (i, eye) in self.eyes.iter_mut().enumerate() {
            let outcome = eye.solve(skeleton, &self.model, target, influence, pose);
            if i == 0 || outcome.residual.orientation > worst.residual.orientation {
                worst = outcome;
            }
        }
        worst
    }
}
