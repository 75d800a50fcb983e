//! Taking a limb's measure from a rig: lengths, the way it bends, its twist
//! joints, its neutral. Done once, when the limb is built.
//!
//! # The way it bends
//! A hinge, or the axis of a universal joint across the forearm, is the flexion
//! axis. A ball joint has none, so it is taken from what the rig shows: how the
//! limb is bent at rest, the sense of anatomy where the body is known (knees
//! forwards, elbows backwards; a rest bent by less than 10° only counts in
//! part), and the limit where it forbids that axis. No convention of axes is
//! assumed.
//!
//! # The neutral
//! The swivel angle needs a zero for every direction of the goal, and whichever
//! way it is chosen there is a direction where it must jump (no field of
//! tangents on the sphere is continuous). Kallmann projects the fixed axis −ŷ,
//! which fails at two directions, and up and down are within reach. Here the
//! neutral limb is carried to the goal by the shortest turn, as in Unzueta et
//! al. 2008 (SIK, Alg. 5): it fails at one direction only, opposite to the
//! neutral one. The neutral is the middle of the base's limit, or of anatomy,
//! so that this direction lies behind the body where no limb goes.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::super::bend::Bend;
use super::animated::MOST_JOINTS;
use super::{Limb, LimbOptions, Link};
use crate::error::RigError;
use crate::limit::probe::LimitProbe;
use crate::limit::{AngleRange, JointLimit, LimitShape};
use crate::math::*;
use crate::pose::ModelPose;
use crate::skeleton::humanoid::{Facing, HumanoidBone, HumanoidMap, LimbJoints, Side};
use crate::skeleton::{Joint, JointId, JointKind, Skeleton};

/// A joint this far from the line of its bone, as a part of the bone's length,
/// cannot twist the limb without moving its end.
const ON_THE_LINE: Real = 1.0e-5;
/// The axis of a twist may lie this far off the bone, in radians; at the end of
/// a human forearm that is 5 µm.
const ALONG_THE_BONE: Real = 2.0e-5;
/// A rest bent by this much shows by itself which way the limb bends, in radians.
const CLEARLY_BENT: Real = 0.175;

/// What anatomy says of a limb, in the frames of its base.
struct Anatomy {
    /// Where the elbow or knee sticks out at rest, in the base's rest frame.
    elbow_at_rest: Vec3,
    /// The direction of the neutral limb, in the base's rest frame.
    neutral: Vec3,
    /// Where the elbow or knee sticks out then.
    neutral_elbow: Vec3,
}

impl Anatomy {
    /// The middle of the shoulder's range as the humanoid rig has it (50°
    /// forwards of sideways, 55° up), the hip's 45° forwards.
    fn new(facing: &Facing, side: Side, is_arm: bool, frame: Quat) -> Self {
        let out = if side == Side::Left { facing.left } else { -facing.left };
        let (up, forward) = (facing.up, facing.forward);
        let (elbow_at_rest, neutral, neutral_elbow) = if is_arm {
            let outwards = out * 0.643 + forward * 0.766;
            let neutral = outwards * 0.819 - up * 0.574;
            (-forward - up * 0.2, neutral, out * 0.2 - up * 0.63 - forward * 0.75)
        } else {
            (forward + up * 0.1, forward * 0.7 - up * 0.7 + out * 0.12, forward + up)
        };
        let seen = |v: Vec3| frame.conjugate() * v;
        Self {
            elbow_at_rest: seen(elbow_at_rest),
            neutral: direction_or(seen(neutral), Vec3::Y),
            neutral_elbow: seen(neutral_elbow),
        }
    }
}

impl Limb {
    /// A limb from three joints of any rig.
    pub fn new(skeleton: &Skeleton, joints: LimbJoints, options: &LimbOptions) -> Result<Self, RigError> {
        Self::measure(skeleton, joints, options, None, &[])
    }

    /// An arm: shoulder, elbow and wrist of a human body, with the twist joints
    /// that the map finds.
    pub fn arm(skeleton: &Skeleton, map: &HumanoidMap, side: Side) -> Result<Self, RigError> {
        Self::of_body(skeleton, map, side, true, &LimbOptions::default())
    }

    /// A leg: hip, knee and ankle of a human body.
    pub fn leg(skeleton: &Skeleton, map: &HumanoidMap, side: Side) -> Result<Self, RigError> {
        Self::of_body(skeleton, map, side, false, &LimbOptions::default())
    }

    /// An arm or a leg of a human body with options of one's own.
    pub fn of_body(
        skeleton: &Skeleton,
        map: &HumanoidMap,
        side: Side,
        is_arm: bool,
        options: &LimbOptions,
    ) -> Result<Self, RigError> {
        let bones = if is_arm {
            [HumanoidBone::UpperArm(side), HumanoidBone::LowerArm(side), HumanoidBone::Hand(side)]
        } else {
            [HumanoidBone::UpperLeg(side), HumanoidBone::LowerLeg(side), HumanoidBone::Foot(side)]
        };
        let find = |bone| map.get(bone).ok_or(RigError::Missing(bone));
        let joints = LimbJoints { upper: find(bones[0])?, lower: find(bones[1])?, end: find(bones[2])? };
        if !skeleton.contains(joints.upper) {
            return Err(RigError::NoSuchJoint(joints.upper.index()));
        }
        let rest = ModelPose::rest(skeleton);
        let frame = rest.rotation(joints.upper);
        let anatomy = map.facing().map(|f| Anatomy::new(&f, side, is_arm, frame));
        let mut helpers = map.twist_joints(skeleton, bones[0]);
        helpers.extend(map.twist_joints(skeleton, bones[1]));
        Self::measure(skeleton, joints, options, anatomy, &helpers)
    }

    fn measure(
        skeleton: &Skeleton,
        joints: LimbJoints,
        options: &LimbOptions,
        anatomy: Option<Anatomy>,
        helpers: &[JointId],
    ) -> Result<Self, RigError> {
        let LimbJoints { upper: base, lower: mid, end } = joints;
        let (first, second) = chains(skeleton, &joints)?;
        let (to_mid, to_end) = (span(skeleton, &first), span(skeleton, &second));
        let (upper, lower) = (to_mid.translation, to_end.translation);
        let name = |j: JointId| skeleton.joint(j).name().to_string();
        for (bone, from, to) in [(upper, base, mid), (lower, mid, end)] {
            if bone.length() <= ROUNDING {
                return Err(RigError::ZeroLength { from: name(from), to: name(to) });
            }
        }
        let mid_joint = skeleton.joint(mid);
        let hint = anatomy.as_ref().map(|a| to_mid.rotation.conjugate() * a.elbow_at_rest);
        let cannot = |why| RigError::CannotBend { joint: name(mid), why };
        let upper_seen = to_mid.rotation.conjugate() * upper;
        let middle = middle_axes(mid_joint, upper_seen, lower, options.flexion, hint)?;
        let ball_limit =
            matches!(mid_joint.kind(), JointKind::Ball | JointKind::Free).then(|| mid_joint.limit());
        let bend = measured_bend(upper, to_mid.rotation, lower, middle.axis, middle.range, ball_limit, hint)
            .ok_or_else(|| cannot("its axis lies along a bone"))?;
        if bend.range.0 > bend.range.1 {
            return Err(cannot("its limit allows no angle"));
        }
        let (upper_unit, lower_unit) = (upper.normalize(), lower.normalize());
        let across = -(to_mid.rotation * bend.axis) * bend.sense;
        let plane = direction_or(across - upper_unit * across.dot(upper_unit), any_perpendicular(upper_unit));
        let base_limit = skeleton.joint(base).limit().clone();
        let neutral = neutral(options.neutral, &base_limit, anatomy.as_ref(), upper_unit, plane)?;
        let mut upper_links = links(skeleton, &first, upper);
        let mut lower_links = links(skeleton, &second, lower);
        let base_share =
            shares(skeleton, base, true, true, &mut upper_links, options.upper_twist.as_deref())?;
        let mid_share =
            shares(skeleton, mid, middle.twists, false, &mut lower_links, options.lower_twist.as_deref())?;
        let end_joint = skeleton.joint(end);
        let end_twist_axis = to_end.rotation.conjugate() * lower_unit;
        let (base_probe, base_probed) = probe(&base_limit, upper_unit);
        let (end_probe, end_probed) = probe(end_joint.limit(), end_twist_axis);
        let end_is_ball = matches!(end_joint.kind(), JointKind::Ball | JointKind::Free);
        let forearm = end_probe.before * end_twist_axis;
        let flexion_parts = bend.flexion_parts();
        let end_parts =
            flexion_parts.map(|q| to_mid.rotation * q * to_end.rotation * end_probe.before.conjugate());
        let mut limb = Self {
            joints,
            fingerprint: skeleton.fingerprint(),
            joint_count: skeleton.len(),
            base_rest: skeleton.joint(base).rest(),
            parent: skeleton.parent(base),
            upper,
            upper_unit,
            to_mid: to_mid.rotation,
            lower_unit,
            lower,
            to_end: to_end.rotation,
            end_twist_axis,
            bend_cosines: (bend.range.0.cos(), bend.range.1.cos()),
            plane,
            neutral,
            neutral_direction: neutral * upper_unit,
            neutral_plane: neutral * plane,
            flexion_parts,
            end_parts,
            base_probed: base_probed && upper_links.is_empty(),
            end_probed: end_probed && end_is_ball,
            forearm_in_probe: Quat::from_xyzw(forearm.x, forearm.y, forearm.z, 0.0),
            same_twist_range: None,
            base_probe,
            end_probe,
            allowed_bases: allowed_bases(&base_limit),
            base_limit,
            mid_limit: ball_limit.cloned().unwrap_or(JointLimit::None),
            mid_kind: mid_joint.kind(),
            mid_share,
            mid_twist_range: middle.twist_range,
            end_limit: end_joint.limit().clone(),
            end_kind: end_joint.kind(),
            base_share,
            followers: followers(skeleton, &joints, &upper_links, &lower_links, helpers),
            upper_links,
            lower_links,
            tolerance: options.tolerance,
            bend,
        };
        // Unless the middle joint's limit couples twist and flexion.
        if limb.mid_limit.is_none() {
            limb.same_twist_range = Some(limb.twist_range_at(Quat::IDENTITY));
        }
        match limb.written().count() {
            count if count > MOST_JOINTS => Err(RigError::TooManyJoints { count, most: MOST_JOINTS }),
            _ => Ok(limb),
        }
    }
}

/// The joints from base to middle and from middle to end, or why they are not those of a limb.
fn chains(skeleton: &Skeleton, joints: &LimbJoints) -> Result<(Vec<JointId>, Vec<JointId>), RigError> {
    let LimbJoints { upper: base, lower: mid, end } = *joints;
    if let Some(j) = [base, mid, end].into_iter().find(|j| !skeleton.contains(*j)) {
        return Err(RigError::NoSuchJoint(j.index()));
    }
    let name = |j: JointId| skeleton.joint(j).name().to_string();
    let chain = |above: JointId, below: JointId| {
        let refused = || RigError::NotBelow { above: name(above), below: name(below) };
        skeleton.chain(above, below).filter(|_| above != below).ok_or_else(refused)
    };
    let (first, second) = (chain(base, mid)?, chain(mid, end)?);
    let kind = skeleton.joint(base).kind();
    if !matches!(kind, JointKind::Ball | JointKind::Free) {
        let needs = "the base of a limb must be a ball";
        return Err(RigError::WrongKind { joint: name(base), kind: kind.name(), needs });
    }
    Ok((first, second))
}

/// How the middle joint turns.
struct MiddleAxes {
    /// The flexion axis, in the joint's rest frame.
    axis: Vec3,
    /// The angles about it, where the joint has a limit for them alone.
    range: Option<AngleRange>,
    /// Whether it also twists the forearm without moving its end, and how far.
    twists: bool,
    twist_range: Option<AngleRange>,
}

/// Bones and `hint` (where the elbow should stick out) are in the middle joint's rest frame.
fn middle_axes(
    joint: &Joint,
    upper: Vec3,
    lower: Vec3,
    flexion: Option<Vec3>,
    hint: Option<Vec3>,
) -> Result<MiddleAxes, RigError> {
    let cannot = |why| Err(RigError::CannotBend { joint: joint.name().to_string(), why });
    match joint.kind() {
        JointKind::Hinge { axis } => {
            let range = match &joint.limit().shape {
                LimitShape::Hinge(l) => Some(l.range),
                _ => None,
            };
            Ok(MiddleAxes { axis, range, twists: false, twist_range: None })
        }
        JointKind::Universal { first, second } => {
            let along = |a: Vec3| a.dot(lower.normalize()).abs();
            let flexes = usize::from(along(second) < along(first) - 0.1);
            let ranges = match &joint.limit().shape {
                LimitShape::Universal(l) => l.ranges.map(Some),
                _ => [None; 2],
            };
            // Only a turn about the forearm itself, made after the flexion, leaves the end where it is.
            let off = rotation::angle_between(second, lower.normalize());
            let twists = flexes == 0 && off.min(PI - off) <= ALONG_THE_BONE;
            let twist_range = ranges[1].filter(|_| twists).map(|r| if off < 1.0 { r } else { mirrored(r) });
            Ok(MiddleAxes { axis: [first, second][flexes], range: ranges[flexes], twists, twist_range })
        }
        JointKind::Ball | JointKind::Free => {
            let axis = match flexion {
                Some(v) if !v.is_finite() || v.length() <= ROUNDING => {
                    return Err(RigError::BadOption("flexion axis"));
                }
                Some(v) => v.normalize(),
                None => ball_axis(joint.limit(), upper, lower, hint),
            };
            Ok(MiddleAxes { axis, range: None, twists: true, twist_range: None })
        }
        JointKind::Fixed => cannot("it is fixed"),
        JointKind::Prismatic { .. } => cannot("it slides"),
    }
}

/// A range of turns about the opposite axis.
fn mirrored(range: AngleRange) -> AngleRange {
    AngleRange::new(-range.max, -range.min)
}

/// The base's rotation from which swivel angles count; see the module's text.
fn neutral(
    wanted: Option<Quat>,
    base_limit: &JointLimit,
    anatomy: Option<&Anatomy>,
    upper_unit: Vec3,
    plane: Vec3,
) -> Result<Quat, RigError> {
    match (wanted, &base_limit.shape, anatomy) {
        (Some(q), ..) if !q.is_finite() || q.length_squared() < 0.25 => Err(RigError::BadOption("neutral")),
        (Some(q), ..) => Ok(q.normalize()),
        (None, LimitShape::SwingTwist(l), _) => Ok(base_limit.project(l.from_frame(Quat::IDENTITY))),
        (None, _, Some(a)) => {
            let swing = rotation::between(upper_unit, a.neutral, plane);
            let elbow = swing * plane.cross(upper_unit);
            let wanted = a.neutral_elbow - a.neutral * a.neutral_elbow.dot(a.neutral);
            let turn = a.neutral.dot(elbow.cross(wanted)).atan2(elbow.dot(wanted));
            Ok(base_limit.project((rotation::about(a.neutral, turn) * swing).normalize()))
        }
        (None, ..) => Ok(base_limit.project(Quat::IDENTITY)),
    }
}

/// The probe of a limit, and whether it says all that the limit says.
fn probe(limit: &JointLimit, axis: Vec3) -> (LimitProbe, bool) {
    match LimitProbe::new(limit) {
        Some(probe) => (probe, true),
        None => (LimitProbe::free(axis), limit.is_none()),
    }
}

/// Rotations all over what a limit allows: on its edges and within.
fn allowed_bases(limit: &JointLimit) -> Vec<Quat> {
    const COUNT: usize = 320;
    if limit.is_none() {
        return Vec::new();
    }
    let mut random = random::Random(0x11b);
    (0..COUNT).map(|_| limit.project(rotation::exp(random.vector(2.6)))).collect()
}

/// From the first joint of a chain to the last: where it stands, in the first's
/// frame, and how its rest frame is turned.
fn span(skeleton: &Skeleton, chain: &[JointId]) -> Transform {
    chain.iter().skip(1).fold(Transform::IDENTITY, |t, &j| t * skeleton.joint(j).rest())
}

/// The flexion axis of a ball joint, in its rest frame; `upper` and `lower` are
/// the bones and `hint` where the elbow should stick out, in the same frame.
fn ball_axis(limit: &JointLimit, upper: Vec3, lower: Vec3, hint: Option<Vec3>) -> Vec3 {
    let (u, l) = (upper.normalize(), lower.normalize());
    let bent = rotation::angle_between(u, l);
    // The elbow sticks out on the side that the forearm bends away from.
    let shown = direction_or(u - l * u.dot(l), Vec3::ZERO);
    let trust = (bent.min(PI - bent) / CLEARLY_BENT).min(1.0);
    let hinted = hint.map_or(Vec3::ZERO, |h| direction_or(h - l * h.dot(l), Vec3::ZERO));
    let elbow = if hinted == Vec3::ZERO { shown } else { shown * trust + hinted * (1.0 - trust) };
    let elbow = elbow - l * elbow.dot(l);
    // Bending turns the forearm away from the elbow: axis × l = −elbow.
    let axis = direction_or(elbow.cross(l), any_perpendicular(l));
    if limit.is_none() {
        return axis;
    }
    let room = |axis: Vec3| {
        (1..=18).take_while(|i| limit.violation(rotation::about(axis, *i as Real * PI / 18.0)) == 0.0).count()
    };
    let own = room(axis);
    // About half a radian is a joint that bends; less is one whose limit was
    // made for another axis.
    if own >= 3 {
        return axis;
    }
    let mut best = (own + 2, axis);
    for i in 1..24 {
        let other = rotation::about(l, TAU * i as Real / 24.0) * axis;
        let r = room(other);
        if r > best.0 {
            best = (r, other);
        }
    }
    best.1
}

/// The law of cosines of the middle joint, with the sense in which it bends and
/// the bends that its limit allows.
fn measured_bend(
    upper: Vec3,
    to_mid: Quat,
    lower: Vec3,
    axis: Vec3,
    range: Option<AngleRange>,
    ball_limit: Option<&JointLimit>,
    hint: Option<Vec3>,
) -> Option<Bend> {
    let bend = Bend::new(upper, to_mid, lower, axis)?;
    let straight = bend.straight_angle;
    let interval = |sense: Real| match range {
        Some(r) if !r.is_whole_turn() => {
            let low = if sense > 0.0 { r.min - straight } else { straight - r.max };
            let low = wrap_angle(low);
            (low.max(0.0), (low + (r.max - r.min)).min(PI))
        }
        _ => ball_limit.map_or((0.0, PI), |l| ball_interval(l, axis, straight, sense)),
    };
    let (plus, minus) = (interval(1.0), interval(-1.0));
    let (room_plus, room_minus) = (plus.1 - plus.0, minus.1 - minus.0);
    let rest = wrap_angle(-straight);
    let hinted = hint.map_or(0.0, |h| -h.dot(axis.cross(to_mid.conjugate() * upper)));
    let sense = if (room_plus - room_minus).abs() > 0.2 {
        room_plus - room_minus
    } else if rest.abs() > CLEARLY_BENT || (rest.abs() > 0.02 && hinted == 0.0) {
        rest
    } else if hinted != 0.0 {
        hinted
    } else {
        1.0
    };
    let mut bend = bend.with_sense(sense);
    bend.range = if sense < 0.0 { minus } else { plus };
    Some(bend)
}

/// The bends about `axis` that a ball's limit allows, counted from straight.
fn ball_interval(limit: &JointLimit, axis: Vec3, straight: Real, sense: Real) -> (Real, Real) {
    if limit.is_none() {
        return (0.0, PI);
    }
    let allowed = |b: Real| limit.violation(rotation::about(axis, straight + sense * b)) == 0.0;
    // The rest itself is nearly always allowed; look on both sides of it.
    let rest = (-straight * sense).clamp(0.0, PI);
    let steps = 360;
    let at = |i: usize| PI * i as Real / steps as Real;
    let start = (0..=steps)
        .filter(|&i| allowed(at(i)))
        .min_by(|&a, &b| (at(a) - rest).abs().total_cmp(&(at(b) - rest).abs()));
    let Some(start) = start else {
        // So narrow that no look fell in: the rest, if anything.
        return if allowed(rest) { (rest, rest) } else { (PI, 0.0) };
    };
    let edge = |inside: Real, outside: Real| {
        let (mut a, mut b) = (inside, outside);
        for _ in 0..50 {
            let m = 0.5 * (a + b);
            if allowed(m) { a = m } else { b = m }
        }
        a
    };
    let mut low = start;
    while low > 0 && allowed(at(low - 1)) {
        low -= 1;
    }
    let mut high = start;
    while high < steps && allowed(at(high + 1)) {
        high += 1;
    }
    let low = if low == 0 { 0.0 } else { edge(at(low), at(low - 1)) };
    let high = if high == steps { PI } else { edge(at(high), at(high + 1)) };
    (low, high)
}

/// The joints strictly between the ends of a chain whose bone is `bone`, in the
/// first joint's frame.
fn links(skeleton: &Skeleton, joints: &[JointId], bone: Vec3) -> Vec<Link> {
    let unit = bone.normalize();
    let mut at = Transform::IDENTITY;
    let mut found = Vec::new();
    for &j in joints.iter().skip(1).take(joints.len().saturating_sub(2)) {
        let joint = skeleton.joint(j);
        at *= joint.rest();
        let axis = at.rotation.conjugate() * unit;
        let off = (at.translation - unit * at.translation.dot(unit)).length();
        let on_line = off <= ON_THE_LINE * bone.length();
        let (twists, sense, range) = match joint.kind() {
            JointKind::Hinge { axis: hinge } => {
                let angle = rotation::angle_between(hinge, axis);
                let range = match &joint.limit().shape {
                    LimitShape::Hinge(l) => Some(l.range),
                    _ => None,
                };
                (angle.min(PI - angle) <= ALONG_THE_BONE, if angle < 1.0 { 1.0 } else { -1.0 }, range)
            }
            JointKind::Ball | JointKind::Free => (true, 1.0, None),
            _ => (false, 1.0, None),
        };
        found.push(Link {
            joint: j,
            rest: joint.rest(),
            axis,
            share: 0.0,
            twists: twists && on_line,
            range: range.map(|r| if sense > 0.0 { r } else { mirrored(r) }),
            limit: match joint.kind() {
                JointKind::Ball | JointKind::Free => joint.limit().clone(),
                _ => JointLimit::None,
            },
        });
    }
    found
}

/// Sets the links' shares of the twist and returns the joint's own.
fn shares(
    skeleton: &Skeleton,
    joint: JointId,
    joint_twists: bool,
    joint_by_default: bool,
    links: &mut [Link],
    wanted: Option<&[(JointId, Real)]>,
) -> Result<Real, RigError> {
    let able = links.iter().filter(|l| l.twists).count();
    match wanted {
        None => {
            let own = joint_twists && (joint_by_default || able == 0);
            let count = able + usize::from(own);
            let each = if count == 0 { 0.0 } else { 1.0 / count as Real };
            for link in links.iter_mut().filter(|l| l.twists) {
                link.share = each;
            }
            Ok(if own { each } else { 0.0 })
        }
        Some(weights) => {
            let bad = |j: JointId, why| RigError::BadShare {
                joint: if skeleton.contains(j) {
                    skeleton.joint(j).name().to_string()
                } else {
                    String::new()
                },
                why,
            };
            let mut own = 0.0;
            let mut sum = 0.0;
            for &(j, weight) in weights {
                if !(weight.is_finite() && weight >= 0.0) {
                    return Err(bad(j, "is negative or not finite"));
                }
                if j == joint && joint_twists {
                    own += weight;
                } else if let Some(link) = links.iter_mut().find(|l| l.joint == j && l.twists) {
                    link.share += weight;
                } else if weight > 0.0 {
                    return Err(bad(j, "stands at a joint that cannot twist the limb"));
                }
                sum += weight;
            }
            if sum <= 0.0 {
                return Err(bad(joint, "and of every other joint is zero"));
            }
            for link in links.iter_mut() {
                link.share /= sum;
            }
            Ok(own / sum)
        }
    }
}

/// Helper joints that hang on the limb's bones and only follow its twist.
fn followers(
    skeleton: &Skeleton,
    joints: &LimbJoints,
    upper_links: &[Link],
    lower_links: &[Link],
    helpers: &[JointId],
) -> Vec<super::Follower> {
    let mut found = Vec::new();
    for &joint in helpers {
        let in_chain = upper_links.iter().chain(lower_links).any(|l| l.joint == joint);
        let parent = skeleton.parent(joint);
        let on_upper = parent == Some(joints.upper);
        let on_lower = parent == Some(joints.lower);
        if in_chain || !(on_upper || on_lower) || !matches!(skeleton.joint(joint).kind(), JointKind::Ball) {
            continue;
        }
        let (from, to) = if on_upper { (joints.upper, joints.lower) } else { (joints.lower, joints.end) };
        let Some(chain) = skeleton.chain(from, to) else { continue };
        let bone = span(skeleton, &chain).translation;
        let rest = skeleton.joint(joint).rest();
        let length = bone.length_squared();
        let part = if length > 0.0 { (rest.translation.dot(bone) / length).clamp(0.0, 1.0) } else { 0.0 };
        let axis = rest.rotation.conjugate() * direction_or(bone, Vec3::Y);
        found.push(super::Follower { joint, axis, part, upper: on_upper });
    }
    found
}
