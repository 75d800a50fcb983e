//! The limits of a human body for a skeleton that brings none, by the parts that its joints play.
//!
//! The limits are those of the embedded [`humanoid`](sinew_f64::rigs::humanoid), whose ranges come from the
//! literature. There every frame is aligned with the model and the arms hang; a skeleton of somebody else stands in
//! T- or A-pose and its frames are turned as they please. Both are reckoned out.
//!
//! # Equations
//! Let `R` be how a joint rests in model space, `B` turn the humanoid's axes (left, up, forward) into the body's,
//! and `W` be the turn that brings the resting body into the humanoid's rest: for a bone of a limb that of the bone
//! above and then the shortest one from its own direction to the humanoid's, for trunk and head none. With `m` the joint's motion from rest and
//! `P` the `W` of its parent, the same posture of the humanoid is the motion
//!
//! ```text
//! q = D · K m K⁻¹      K = B⁻¹ W R      D = B⁻¹ P W⁻¹ B
//! ```
//!
//! A limit with the frame `F` and the rest `r` looks at `F⁻¹ q F r`. So `F' = K⁻¹ D⁻¹ F` with `r' = F⁻¹ D F r` looks
//! at the same rotation when it is given `m`.
//!
//! # Degenerate cases
//! A spine or neck of another number of joints shares the humanoid's ranges out evenly. A head without a neck has
//! the neck's range too, an arm without a collarbone raises by what that would add. A bone without length has the
//! `W` of the one above. A joint that has a limit keeps it, and one that is no ball gets none.

use sinew_f64::limit::{
    AngleRange, HingeLimit, LimitShape, SwingEllipse, SwingShape, SwingTwistLimit, UniversalLimit,
};
use sinew_f64::math::rotation;
use sinew_f64::rigs::{SwingModel, humanoid};
use sinew_f64::skeleton::humanoid::{Finger, HumanoidBone, HumanoidMap, Phalanx, Side};
use sinew_f64::{JointId, JointLimit, ModelPose, Quat, Skeleton, Vec3};

use super::Asset;

/// What a hinge of the humanoid gives to the sides and about the bone where the joint is a ball: knees of characters
/// are modelled by hand and seldom bend in one plane.
const PLAY: f64 = 0.07;
/// A foot that is nearer than this to the humanoid's stands flat, and is meant to.
const FLAT: f64 = 0.6;
/// What the collarbone adds to raising the arm.
const COLLARBONE: f64 = 0.44;

impl Asset {
    /// Anatomical limits for the joints that play a part of a body and have none of their own. Fingers, eyes and
    /// jaw get none.
    ///
    /// ```
    /// use sinew_f64::{SkeletonBuilder, rigs};
    /// let mut bare = rigs::humanoid(rigs::SwingModel::Ellipse).to_builder();
    /// for joint in &mut bare.joints {
    ///     (joint.kind, joint.limit) = (sinew_f64::JointKind::Ball, sinew_f64::JointLimit::None);
    /// }
    /// let asset = sinew_io::Asset::new(bare.build()?);
    /// let limits = asset.anatomical_limits();
    /// let knee = asset.skeleton.find("l_knee").unwrap();
    /// let limit = &limits.iter().find(|(joint, _)| *joint == knee).unwrap().1;
    /// let bent = |angle: f64| sinew_f64::Quat::from_rotation_x(angle);
    /// assert_eq!(limit.violation(bent(1.5)), 0.0);
    /// assert!(limit.violation(bent(-0.5)) > 0.3);
    /// # Ok::<(), sinew_f64::skeleton::BuildError>(())
    /// ```
    pub fn anatomical_limits(&self) -> Vec<(JointId, JointLimit)> {
        let map = self.humanoid();
        Correspondence::new(&self.skeleton, &map).map_or_else(Vec::new, |to| to.limits())
    }
}

/// How the rest of a body is that of the humanoid.
struct Correspondence<'a> {
    skeleton: &'a Skeleton,
    map: &'a HumanoidMap,
    rest: ModelPose,
    /// `B`.
    body: Quat,
    /// `W`, for every joint.
    upright: Vec<Quat>,
}

impl<'a> Correspondence<'a> {
    fn new(skeleton: &'a Skeleton, map: &'a HumanoidMap) -> Option<Self> {
        let facing = map.facing()?;
        let body = sinew_f64::math::Mat3::from_cols(facing.left, facing.up, facing.forward);
        let body = Quat::from_mat3(&body).normalize();
        let rest = ModelPose::rest(skeleton);
        let own = Directions { skeleton, map, rest: &rest };
        let human = humanoid(SwingModel::Ellipse);
        let human_map = HumanoidMap::find(&human);
        let human_rest = ModelPose::rest(&human);
        let wanted = Directions { skeleton: &human, map: &human_map, rest: &human_rest };

        let mut upright: Vec<Quat> = Vec::with_capacity(skeleton.len());
        for id in skeleton.ids() {
            let above = skeleton.parent(id).map_or(Quat::IDENTITY, |parent| upright[parent.index()]);
            let turn = match map.bone_of(id) {
                None => above,
                Some(bone) if !is_limb(bone) => Quat::IDENTITY,
                Some(bone) => match (own.of(bone), wanted.of(bone).map(|way| body * way)) {
                    (Some(from), Some(to)) => {
                        let flat = matches!(bone, HumanoidBone::Foot(_)) && from.angle_between(to) < FLAT;
                        if flat {
                            Quat::IDENTITY
                        } else {
                            // What is left when it has gone with the bone above: a forearm of a raised arm would
                            // be twisted against it otherwise.
                            (rotation::between(above * from, to, body * Vec3::Z) * above).normalize()
                        }
                    }
                    _ if matches!(bone, HumanoidBone::Foot(_)) => Quat::IDENTITY,
                    _ => above,
                },
            };
            upright.push(turn);
        }
        Some(Self { skeleton, map, rest, body, upright })
    }

    fn limits(&self) -> Vec<(JointId, JointLimit)> {
        let human = humanoid(SwingModel::Ellipse);
        let map = HumanoidMap::find(&human);
        let of = |bone| map.get(bone).and_then(|joint| region(&human, joint));
        let mut limits = Vec::new();
        let trunk: Vec<_> = map.spine().iter().filter_map(|joint| region(&human, *joint)).collect();
        self.share(self.map.spine(), &trunk, &mut limits);
        let neck: Vec<_> = map.neck().iter().filter_map(|joint| region(&human, *joint)).collect();
        self.share(self.map.neck(), &neck, &mut limits);
        if let (Some(head), Some(own)) = (self.map.get(HumanoidBone::Head), of(HumanoidBone::Head)) {
            let all = [&neck[..], core::slice::from_ref(&own)].concat();
            let own =
                if self.map.neck().is_empty() { sum(all.iter().map(|one| (one, 1.0))) } else { Some(own) };
            limits.extend(own.map(|own| (head, own)));
        }
        for bone in HumanoidBone::all().filter(|bone| bone.side().is_some()) {
            let (Some(joint), Some(mut own)) = (self.map.get(bone), of(bone)) else { continue };
            if let HumanoidBone::UpperArm(side) = bone
                && self.map.get(HumanoidBone::Shoulder(side)).is_none()
                && let SwingShape::Ellipse(ellipse) = &mut own.swing
            {
                ellipse.x += COLLARBONE;
            }
            limits.push((joint, own));
        }
        let free = |joint: &JointId| self.skeleton.joint(*joint).limit().is_none();
        let limits = limits.into_iter().filter(|(joint, _)| free(joint));
        let fitting = limits.filter_map(|(joint, limit)| {
            let limit = JointLimit::from(self.carried(joint, limit));
            Some((joint, limit.checked(self.skeleton.joint(joint).kind()).ok()?))
        });
        fitting.collect()
    }

    /// The ranges of some joints of the humanoid for as many as there are here.
    fn share(
        &self,
        joints: &[JointId],
        regions: &[SwingTwistLimit],
        to: &mut Vec<(JointId, SwingTwistLimit)>,
    ) {
        let each = regions.len() as f64 / joints.len().max(1) as f64;
        for (i, joint) in joints.iter().enumerate() {
            let (from, until) = (i as f64 * each, (i + 1) as f64 * each);
            let part = |k: usize| (until.min(k as f64 + 1.0) - from.max(k as f64)).max(0.0);
            let parts = regions.iter().enumerate().map(|(k, region)| (region, part(k)));
            to.extend(sum(parts.filter(|(_, part)| *part > 0.0)).map(|region| (*joint, region)));
        }
    }

    /// A limit of the humanoid as it looks at the motion of this joint.
    fn carried(&self, joint: JointId, limit: SwingTwistLimit) -> SwingTwistLimit {
        let turn = self.upright[joint.index()];
        let above = self.skeleton.parent(joint).map_or(Quat::IDENTITY, |p| self.upright[p.index()]);
        let back = self.body.conjugate();
        let k = back * turn * self.rest.rotation(joint);
        let d = back * above * turn.conjugate() * self.body;
        let SwingTwistLimit { frame, rest, swing, twist } = limit;
        SwingTwistLimit {
            frame: (k.conjugate() * d.conjugate() * frame).normalize(),
            rest: (frame.conjugate() * d * frame * rest).normalize(),
            swing,
            twist,
        }
    }
}

/// Where the bones of limbs lead.
struct Directions<'a> {
    skeleton: &'a Skeleton,
    map: &'a HumanoidMap,
    rest: &'a ModelPose,
}

impl Directions<'_> {
    /// From a part to the next one, in model space.
    fn of(&self, bone: HumanoidBone) -> Option<Vec3> {
        let at = |bone| Some(self.rest.position(self.map.get(bone)?));
        let from = at(bone)?;
        let to = match bone {
            HumanoidBone::UpperArm(side) => at(HumanoidBone::LowerArm(side)),
            HumanoidBone::LowerArm(side) => at(HumanoidBone::Hand(side)),
            HumanoidBone::Hand(side) => self.knuckles(side),
            HumanoidBone::UpperLeg(side) => at(HumanoidBone::LowerLeg(side)),
            HumanoidBone::LowerLeg(side) => at(HumanoidBone::Foot(side)),
            HumanoidBone::Foot(side) => at(HumanoidBone::Toes(side)).or_else(|| self.tip(bone)),
            _ => None,
        }?;
        (to - from).try_normalize()
    }

    /// The middle of the knuckles, without the thumb's.
    fn knuckles(&self, side: Side) -> Option<Vec3> {
        let fingers = [Finger::Index, Finger::Middle, Finger::Ring, Finger::Little];
        let knuckle = |finger| self.map.get(HumanoidBone::Finger(side, finger, Phalanx::First));
        let places: Vec<Vec3> =
            fingers.into_iter().filter_map(knuckle).map(|joint| self.rest.position(joint)).collect();
        let middle = places.iter().sum::<Vec3>() / places.len().max(1) as f64;
        (!places.is_empty()).then_some(middle)
    }

    fn tip(&self, bone: HumanoidBone) -> Option<Vec3> {
        let joint = self.map.get(bone)?;
        Some(self.rest.transform(joint).transform_point(self.skeleton.joint(joint).tip()?))
    }
}

/// Whether the rest of a part says nothing of how it stands: arms are held anywhere.
fn is_limb(bone: HumanoidBone) -> bool {
    use HumanoidBone::*;
    matches!(
        bone,
        UpperArm(_) | LowerArm(_) | Hand(_) | UpperLeg(_) | LowerLeg(_) | Foot(_) | Toes(_) | Finger(..)
    )
}

/// The limit of a joint of the humanoid as a region for the bone and a range about it.
fn region(human: &Skeleton, joint: JointId) -> Option<SwingTwistLimit> {
    let bent = |axis: Vec3, range: AngleRange, twist: AngleRange| {
        let next = human.children(joint).next()?;
        let bone = human.joint(next).rest().translation.try_normalize()?;
        let centre = Quat::from_axis_angle(axis, 0.5 * (range.min + range.max)) * bone;
        let ellipse = SwingEllipse::new(0.5 * (range.max - range.min), PLAY);
        Some(SwingTwistLimit::centred(bone, centre, axis).swing(ellipse).twist(twist.min, twist.max))
    };
    match &human.joint(joint).limit().shape {
        LimitShape::SwingTwist(limit) => Some(limit.clone()),
        LimitShape::Hinge(HingeLimit { axis, range }) => bent(*axis, *range, AngleRange::new(-PLAY, PLAY)),
        LimitShape::Universal(UniversalLimit { axes, ranges }) => bent(axes[0], ranges[0], ranges[1]),
        _ => None,
    }
}

/// The range of joints one above the other, or of parts of them, as that of one.
fn sum<'a>(parts: impl Iterator<Item = (&'a SwingTwistLimit, f64)>) -> Option<SwingTwistLimit> {
    let mut neutral = None;
    let (mut centre, mut wide, mut twist) = (Vec3::ZERO, (0.0, 0.0), (0.0, 0.0));
    for (region, part) in parts {
        let SwingShape::Ellipse(ellipse) = region.swing else { return None };
        neutral.get_or_insert(region.frame * region.rest);
        centre += part * rotation::log(region.rest);
        wide = (wide.0 + part * ellipse.x, wide.1 + part * ellipse.y);
        let own = region.twist?;
        twist = (twist.0 + part * own.min, twist.1 + part * own.max);
    }
    let rest = rotation::exp(centre);
    Some(
        SwingTwistLimit {
            frame: (neutral? * rest.conjugate()).normalize(),
            rest,
            swing: SwingEllipse::new(wide.0, wide.1).into(),
            twist: None,
        }
        .twist(twist.0, twist.1),
    )
}

#[cfg(test)]
mod tests;
