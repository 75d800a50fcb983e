//! The swivel circle of a goal: all that is fixed before the swivel angle is chosen, and how the limb
//! stands at each angle.

use super::division::{Division, EndTask};
use super::{GOAL, Limb, LimbGoal, Posture, Swivel};
use crate::goal::Target;
use crate::limit::LimitComponent;
use crate::limit::turning::{Turning, half_angle};
use crate::math::*;
use crate::pose::{ModelPose, Pose};
use crate::report::Cause;
use crate::skeleton::{JointKind, Skeleton};

/// Below this square of the cosine of half its angle, a turn goes nearly straight back and rounding shows.
const NARROW: Real = 1.0e-3;

/// A goal as the limb's base sees it.
pub(super) struct SwivelCircle<'a> {
    pub limb: &'a Limb,
    pub goal: LimbGoal,
    /// The base's rest frame in model space; its origin is where the base stands.
    pub frame: Transform,
    /// The goal's position and the wanted orientation, in the base's rest frame.
    pub target: Vec3,
    pub orientation: Option<Quat>,
    /// The unit vector from base to goal, in the same frame: the axis of the circle.
    pub line: Vec3,
    /// The base's rotation for every swivel angle.
    pub base: Turning,
    pub cos_bend: Real,
    pub sin_bend: Real,
    pub flexion: Quat,
    /// What the distance alone forbids.
    pub cause: Option<Cause>,
    /// What the orientation asks of forearm and end joint, if one is asked for.
    pub end: Option<EndTask<'a>>,
    /// Without an orientation: the lower bone's twist (half of it, by cosine and sine) and the end
    /// joint's rotation as the pose has them, within their limits.
    kept_twist: Vec2,
    kept_end: Quat,
    /// The pose given, where the solve goes on from it: what cannot be had is then sought near there.
    pub before: Option<Before>,
}

/// What a solve goes on from.
pub(super) struct Before {
    /// The base's rotation.
    pub base: Quat,
    /// How far the swivel angle may turn by itself.
    pub within: Real,
    /// Whether an orientation that cannot be had is sought beside the pose alone. A limb by itself that keeps its last
    /// swivel looks round the whole circle.
    pub is_followed: bool,
}

/// A swivel angle that is wanted.
#[derive(Clone, Copy)]
pub(super) struct Wanted {
    pub angle: Real,
    /// Half of it, by cosine and sine.
    pub half: Vec2,
}

impl Wanted {
    #[inline(always)]
    fn at(angle: Real) -> Self {
        Self { angle, half: if angle == 0.0 { Vec2::X } else { half_angle(angle) } }
    }
}

/// The bend for a distance.
struct BendFor {
    /// Half of it, by cosine and sine.
    half: Vec2,
    /// The distance at which the end then stands.
    distance: Real,
    cause: Option<Cause>,
}

impl Limb {
    /// The swivel circle of a goal, or why there is none.
    #[inline(always)]
    pub(super) fn prepare(
        &self,
        skeleton: &Skeleton,
        model: &ModelPose,
        target: &Target,
        pose: &Pose,
    ) -> Result<SwivelCircle<'_>, Cause> {
        let count = self.joint_count;
        let same = skeleton.fingerprint() == self.fingerprint;
        if !same || pose.len() != count || model.positions().len() != count {
            return Err(Cause::Mismatch);
        }
        let frame = self.base_frame(model, pose);
        let goal = LimbGoal::new(target, || self.end_of(&frame, pose));
        if !goal.is_valid() {
            return Err(Cause::NotFinite { goal: GOAL });
        }
        let target = frame.rotation.conjugate() * (goal.position - frame.translation);
        let squared = target.length_squared();
        // Whatever of the frame is not finite shows here.
        if !squared.is_finite() {
            return Err(Cause::NotFinite { goal: GOAL });
        }
        let distance = squared.sqrt();
        let BendFor { half, distance: stands_at, cause } = self.bend_for(squared, distance);
        let (cos, sin) = (half.x * half.x - half.y * half.y, 2.0 * half.x * half.y);
        let line = if distance > TINY { target * (1.0 / distance) } else { self.neutral_direction };
        let zero = self.zero_swivel(line, self.bend.end(cos, sin), stands_at);
        let flexion = self.flexion_parts[0] * half.x + self.flexion_parts[1] * half.y;
        let orientation = goal.orientation.map(|q| frame.rotation.conjugate() * q.normalize());
        let (mut kept_twist, mut kept_end) = (Vec2::X, Quat::IDENTITY);
        let end = match orientation {
            Some(wanted) => {
                let seen = zero * (self.end_parts[0] * half.x + self.end_parts[1] * half.y);
                Some(EndTask::new(self, self.twist_range(flexion), seen, wanted, line))
            }
            None => {
                let range = self.twist_range(flexion);
                if !range.is_fixed() || range.low != 0.0 {
                    kept_twist = range.held(self.read_twist(pose));
                }
                kept_end = rotation::normalize_or_identity(pose.rotation(self.joints.end));
                None
            }
        };
        Ok(SwivelCircle {
            limb: self,
            goal,
            frame,
            target,
            orientation,
            line,
            base: Turning::new(line, zero),
            cos_bend: cos,
            sin_bend: sin,
            flexion,
            cause,
            end,
            kept_twist,
            kept_end,
            before: None,
        })
    }

    /// The allowed bend with which the end is nearest to a distance from the base, and its square.
    #[inline(always)]
    fn bend_for(&self, squared: Real, distance: Real) -> BendFor {
        let bend = &self.bend;
        let near_enough = 0.5 * self.tolerance.position;
        let wanted = (squared - bend.alpha) / bend.rho;
        let (most, least) = self.bend_cosines;
        let cos = wanted.clamp(-1.0, 1.0).clamp(least, most);
        if cos == wanted {
            // The squares of the half angle's cosine and sine, the smaller straight from the distance:
            // of a limb that is nearly folded it is a small difference.
            let scale = 0.5 / bend.rho;
            let (a, b) = ((squared - bend.near) * scale, (bend.far - squared) * scale);
            let half = if a < b { Vec2::new(a, 1.0 - a) } else { Vec2::new(1.0 - b, b) };
            let half = Vec2::new(half.x.max(0.0).sqrt(), half.y.max(0.0).sqrt());
            return BendFor { half, distance, cause: None };
        }
        let half = Vec2::new((0.5 + 0.5 * cos).max(0.0).sqrt(), (0.5 - 0.5 * cos).max(0.0).sqrt());
        let stands_at = bend.distance(cos);
        // A rounding too far is as far as it goes.
        let cause = if distance - bend.farthest() > near_enough {
            Some(Cause::OutOfReach { goal: GOAL, by: distance - bend.farthest() })
        } else if bend.nearest() - distance > near_enough {
            Some(Cause::TooClose { goal: GOAL, by: bend.nearest() - distance })
        } else if (stands_at - distance).abs() > near_enough {
            let (joint, component) = (self.joints.lower, self.bend_component());
            Some(Cause::Limit { goal: GOAL, joint, component })
        } else {
            None
        };
        BendFor { half, distance: stands_at, cause }
    }

    /// The base's rotation at swivel zero: the neutral limb, first turned the shortest way so that its
    /// `end` (in the base's frame, at this distance) lies in the direction of the upper bone, then the
    /// shortest way from the neutral direction to `line`.
    #[inline(always)]
    fn zero_swivel(&self, line: Vec3, end: Vec3, distance: Real) -> Quat {
        // Each of the two turns as a quaternion that is twice the cosine of half its angle long; the
        // second times the distance.
        let turn = |from: Vec3, to: Vec3, one: Real| {
            let way = from.cross(to);
            Quat::from_xyzw(way.x, way.y, way.z, one + from.dot(to))
        };
        let first = turn(end, self.upper_unit, distance);
        let second = turn(self.neutral_direction, line, 1.0);
        let squared = first.length_squared() * second.length_squared();
        if squared > NARROW * distance * distance && squared.is_normal() {
            return second * self.neutral * first * (1.0 / squared.sqrt());
        }
        // Folded back onto the base, the end comes from the side away from the elbow.
        let end = direction_or(end, -self.elbow_direction());
        let zero = rotation::between(self.neutral_direction, line, self.neutral_plane)
            * self.neutral
            * rotation::between(end, self.upper_unit, self.plane);
        zero.normalize()
    }

    fn bend_component(&self) -> LimitComponent {
        match self.mid_kind {
            JointKind::Universal { first, .. } => {
                LimitComponent::Euler(u8::from((first - self.bend.axis).length() > 0.1))
            }
            JointKind::Hinge { .. } => LimitComponent::Angle,
            _ => LimitComponent::Swing,
        }
    }
}

impl SwivelCircle<'_> {
    /// The wanted swivel angle. A solve that goes on from the pose given remembers where that has the
    /// base.
    #[inline(always)]
    pub(super) fn wanted_swivel(&mut self, swivel: Swivel, goes_on: bool, pose: &Pose) -> Wanted {
        let within = match swivel {
            Swivel::Towards { within, .. } => Some(within),
            _ => (goes_on || swivel == Swivel::Last).then_some(0.0),
        };
        let is_followed = goes_on || swivel != Swivel::Last;
        let base = self.limb.read_base(pose);
        self.before = within.map(|within| Before { base, within, is_followed });
        match swivel {
            Swivel::Preferred(angle) if angle.is_finite() => Wanted::at(wrap_angle(angle)),
            Swivel::Preferred(_) => Wanted::at(0.0),
            Swivel::Last => Wanted::at(angle_along(self.swivel_of(base, pose))),
            Swivel::Towards { angle, within } => self.towards(angle, within, self.swivel_of(base, pose)),
            Swivel::Pole(point) => {
                let seen = self.frame.rotation.conjugate() * (point - self.frame.translation);
                let aside = seen - self.line * seen.dot(self.line);
                if !seen.is_finite() || aside.length() <= ROUNDING * 16.0 * (1.0 + seen.length()) {
                    return Wanted::at(angle_along(self.swivel_of(base, pose)));
                }
                Wanted::at(angle_along(self.swivel_towards(aside)))
            }
        }
    }

    /// An angle, if it is not further than `within` from the last one.
    #[inline(always)]
    fn towards(&self, angle: Real, within: Real, last: Vec2) -> Wanted {
        if angle.is_finite() && (0.0..=1.0).contains(&within) {
            // Mostly it is near, which its cosine shows; this is a little more than that of `within`.
            let wanted = Wanted::at(wrap_angle(angle));
            let (c, s) = (wanted.half.x, wanted.half.y);
            let along = last.dot(Vec2::new(c * c - s * s, 2.0 * c * s));
            let squared = within * within;
            let near = 1.0 - squared * (0.5 - squared / 24.0);
            if along > 0.0 && along * along >= near * near * last.length_squared() {
                return wanted;
            }
        }
        let last = angle_along(last);
        let way = wrap_angle(angle - last);
        if !(way.is_finite() && within >= 0.0) {
            return Wanted::at(last);
        }
        Wanted::at(wrap_angle(last + way.clamp(-within, within)))
    }

    /// The swivel angle at which the elbow sticks out in a direction at right angles to the line, as a direction.
    #[inline(always)]
    fn swivel_towards(&self, aside: Vec3) -> Vec2 {
        let zero = self.elbow_at_zero();
        Vec2::new(zero.dot(aside), self.line.dot(zero.cross(aside)))
    }

    /// Where the elbow sticks out at swivel zero, at right angles to the line; of any length.
    #[inline(always)]
    fn elbow_at_zero(&self) -> Vec3 {
        let limb = self.limb;
        let end = limb.bend.end(self.cos_bend, self.sin_bend);
        let end = if has_direction(end) { end } else { -limb.elbow_direction() };
        self.base.start * limb.plane.cross(end)
    }

    /// The swivel angle of the pose given: its base, turned the shortest way so that the line from base
    /// to end comes to lie on the new one. Only where the elbow sticks out matters to it, so that
    /// direction alone is carried along.
    pub(super) fn last_swivel(&self, pose: &Pose) -> Real {
        angle_along(self.swivel_of(self.limb.read_base(pose), pose))
    }

    /// The same where the pose's base has been read, as a direction.
    #[inline]
    fn swivel_of(&self, base: Quat, pose: &Pose) -> Vec2 {
        let limb = self.limb;
        let was = if limb.lower_links.is_empty() && limb.upper_links.is_empty() {
            limb.upper + limb.to_mid * (pose.rotation(limb.joints.lower) * limb.lower)
        } else {
            let (angle, _) = limb.read_mid(pose);
            let bend = wrap_angle((angle - limb.bend.straight_angle) * limb.bend.sense);
            let (sin, cos) = bend.sin_cos();
            limb.bend.end(cos, sin)
        };
        let was = if has_direction(was) { was } else { -limb.elbow_direction() };
        let length = was.length();
        let (line, elbow) = (base * was, base * limb.plane.cross(was));
        let facing = length + line.dot(self.line);
        let carried = if facing > 1.0e-3 * length {
            // Parallel transport along the shortest arc.
            elbow - (line + self.line * length) * (elbow.dot(self.line) / facing)
        } else {
            rotation::between(line / length, self.line, base * limb.plane) * elbow
        };
        self.swivel_towards(carried)
    }

    /// The posture at a swivel angle, of which half has this cosine and sine. Without a division the
    /// lower bone's twist and the end joint stay as they are.
    #[inline(always)]
    pub(super) fn posture(&self, swivel: Real, half: Vec2, division: Option<&Division>) -> Posture {
        let (twist, end, end_inside) = match division {
            Some(division) => {
                (division.twist, self.limb.end_probe.out_of_frame(division.seen), division.is_well_inside())
            }
            None => (self.kept_twist, self.kept_end, false),
        };
        Posture {
            swivel,
            base: self.base.at_half(half),
            flexion: self.flexion,
            twist,
            end,
            base_inside: false,
            end_inside,
        }
    }

    /// The posture at a swivel angle with the forearm's twist by the rule, whatever the limits say.
    pub(super) fn ruled_posture(&self, swivel: Real) -> Posture {
        let half = half_angle(swivel);
        let division = self.end.as_ref().map(|end| end.divided(half));
        self.posture(swivel, half, division.as_ref())
    }

    /// The posture at a swivel angle with the division that misses least of the orientation.
    pub(super) fn best_posture(&self, swivel: Real) -> Posture {
        let division = self.end.as_ref().map(|end| end.best(swivel, true));
        self.posture(swivel, half_angle(swivel), division.as_ref())
    }
}

/// The angle of a direction.
#[inline(always)]
fn angle_along(direction: Vec2) -> Real {
    direction.y.atan2(direction.x)
}

/// Whether a vector is long enough to point somewhere, and finite.
#[inline(always)]
fn has_direction(v: Vec3) -> bool {
    let squared = v.length_squared();
    squared > TINY * TINY && squared.is_finite()
}
