//! A goal as the limb sees it: all that is fixed before the swivel angle is
//! chosen, and the choice.

use super::fold::Folded;
use super::hand::{Divided, Hand};
use super::quick::Quick;
use super::turning::{self, EDGE, Turning};
use super::{Arcs, GOAL, Limb, LimbGoal, Posture, Swivel};
use crate::goal::Target;
use crate::limit::LimitComponent;
use crate::math::*;
use crate::pose::{ModelPose, Pose};
use crate::report::Cause;
use crate::skeleton::{JointKind, Skeleton};

/// Below this the turns to a goal go nearly straight back, and rounding shows.
const NARROW: Real = 1.0e-3;

/// What is known of a goal before the swivel angle is chosen.
pub(super) struct Reach<'a> {
    pub limb: &'a Limb,
    pub goal: LimbGoal,
    /// The base's rest frame in model space; its origin is where the base stands.
    pub frame: Transform,
    /// The goal's position seen from the base, in its rest frame.
    pub target: Vec3,
    /// From base to goal.
    pub line: Vec3,
    /// The base's rotation at swivel zero, and its two parts: the shortest turn to the line, and the
    /// neutral turned so that the limb points its way. The last also with the gauge's `after`.
    pub zero: Quat,
    pub towards: Quat,
    pub turned: Quat,
    pub turned_after: Quat,
    /// What the bend alone decides.
    pub folded: Folded,
    /// The wanted orientation in the base's rest frame.
    pub seen: Option<Quat>,
    pub cos_bend: Real,
    pub sin_bend: Real,
    pub flexion: Quat,
    /// What the distance alone forbids.
    pub cause: Option<Cause>,
    /// Without an orientation to reach: the lower bone's twist and the end
    /// joint's rotation as the pose has them, within their limits.
    pub kept_twist: Real,
    pub kept_end: Quat,
    /// The base's rotation in the pose given, where the solve goes on from it. What
    /// cannot be had is then sought near there.
    pub from: Option<Quat>,
}

impl Limb {
    /// Looks at the goal from the base.
    #[inline(always)]
    pub(super) fn prepare(
        &self,
        skeleton: &Skeleton,
        model: &ModelPose,
        target: &Target,
        pose: &Pose,
    ) -> Result<Reach<'_>, Cause> {
        let count = self.joint_count;
        let same = skeleton.fingerprint() == self.fingerprint;
        if !same || pose.len() != count || model.positions().len() != count {
            return Err(Cause::Mismatch);
        }
        let parent = self.parent.map_or(Transform::IDENTITY, |p| model.transform(p));
        let mut frame = parent * self.base_rest;
        let shift = pose.translation(self.joints.upper);
        if shift != Vec3::ZERO {
            frame.translation = frame.point(shift);
        }
        let goal = LimbGoal::new(target, || self.end_of(&frame, pose));
        if !goal.is_valid() {
            return Err(Cause::NotFinite { goal: GOAL });
        }
        let away = goal.position - frame.translation;
        let target = frame.rotation.conjugate() * away;
        let squared = target.length_squared();
        // Whatever of the frame is not finite shows here.
        if !squared.is_finite() {
            return Err(Cause::NotFinite { goal: GOAL });
        }
        let distance = squared.sqrt();
        let bend = &self.bend;
        let mut cos = (squared - bend.alpha) / bend.rho;
        let mut cause = None;
        // Whether the end stands at another distance than the goal.
        let mut held = false;
        if cos > 1.0 {
            let by = distance - bend.farthest();
            // A rounding too far is as far as it goes.
            if by > 0.5 * self.tolerance.position {
                cause = Some(Cause::OutOfReach { goal: GOAL, by });
            }
            (cos, held) = (1.0, true);
        } else if cos < -1.0 {
            let by = bend.nearest() - distance;
            if by > 0.5 * self.tolerance.position {
                cause = Some(Cause::TooClose { goal: GOAL, by });
            }
            (cos, held) = (-1.0, true);
        }
        let (low, high) = bend.range;
        if low > 0.0 || high < PI {
            let (most, least) = self.bend_cosines;
            // A bend that rounding puts beyond its edge stands on it.
            if cos > most || cos < least {
                let within = cos.clamp(least, most);
                let away = (bend.alpha + bend.rho * within).max(0.0).sqrt() - distance;
                if away.abs() > 0.5 * self.tolerance.position && cause.is_none() {
                    let (joint, component) = (self.joints.lower, self.bend_component());
                    cause = Some(Cause::Limit { goal: GOAL, joint, component });
                }
                (cos, held) = (within, true);
            }
        }
        // The squares of the half angle's cosine and sine, the smaller straight from the distance where
        // the end stands there: of a limb that is all but folded it is a small difference.
        let (a, b) = match held {
            true => (0.5 + 0.5 * cos, 0.5 - 0.5 * cos),
            false => {
                let scale = 0.5 / bend.rho;
                ((squared - bend.near) * scale, (bend.far - squared) * scale)
            }
        };
        let half = if a < b { Vec2::new(a, 1.0 - a) } else { Vec2::new(1.0 - b, b) };
        let half = Vec2::new(half.x.max(0.0).sqrt(), half.y.max(0.0).sqrt());
        let folded = self.fold.at(half, if held { bend.distance(cos) } else { distance });
        let (cos, sin) = (folded.cos, folded.sin);
        let line = if distance > TINY { target * (1.0 / distance) } else { self.neutral_direction };
        let neutral = self.neutral_direction;
        let way = neutral.cross(line);
        // Two turns the shortest way, each twice as long as the cosine of half its angle.
        let mut towards = Quat::from_xyzw(way.x, way.y, way.z, 1.0 + neutral.dot(line));
        let (mut turned, mut turned_after) = (self.fold.turned(&folded), self.fold.turned_after(&folded));
        let squared = towards.length_squared() * turned.length_squared();
        if squared > NARROW {
            towards *= 1.0 / squared.sqrt();
        } else {
            towards = self.zero_to(line, cos, sin);
            (turned, turned_after) = (Quat::IDENTITY, self.base_gauge.after);
        }
        let zero = towards * turned;
        let flexion = self.fold.flexion(&folded);
        let (mut kept_twist, mut kept_end) = (0.0, Quat::IDENTITY);
        if goal.orientation.is_none() {
            let room = self.room(flexion);
            if !room.is_none() {
                let twist = self.read_mid(pose).1;
                kept_twist = room.clamp(if twist.is_finite() { twist } else { 0.0 });
            }
            kept_end = rotation::normalize_or_identity(pose.rotation(self.joints.end));
        }
        Ok(Reach {
            limb: self,
            goal,
            frame,
            target,
            line,
            zero,
            towards,
            turned,
            turned_after,
            folded,
            seen: goal.orientation.map(|q| frame.rotation.conjugate() * q.normalize()),
            cos_bend: cos,
            sin_bend: sin,
            flexion,
            cause,
            kept_twist,
            kept_end,
            from: None,
        })
    }

    /// The base's rotation at swivel zero, where one of its turns is nearly half a circle.
    #[cold]
    fn zero_to(&self, line: Vec3, cos: Real, sin: Real) -> Quat {
        // Folded back onto the base, the end comes from the side away from the elbow.
        let end = direction_or(self.bend.end(cos, sin), -self.elbow_direction());
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

impl<'a> Reach<'a> {
    /// The base's rotation at a swivel angle.
    #[inline]
    pub(super) fn base(&self, swivel: Real) -> Quat {
        if swivel == 0.0 { self.zero } else { rotation::about(self.line, swivel) * self.zero }
    }

    /// The wanted swivel angle. A solve that goes on from the pose given keeps where
    /// that has the base.
    #[inline(always)]
    pub(super) fn wanted_swivel(&mut self, swivel: Swivel, pose: &Pose) -> Real {
        if matches!(swivel, Swivel::Last | Swivel::Towards { .. }) {
            self.from = Some(self.limb.read_base(pose));
        }
        match swivel {
            Swivel::Preferred(angle) if angle.is_finite() => wrap_angle(angle),
            Swivel::Preferred(_) => 0.0,
            Swivel::Last => self.last_swivel(pose),
            Swivel::Towards { angle, within } => {
                let last = self.last_swivel(pose);
                let way = wrap_angle(angle - last);
                if !(way.is_finite() && within >= 0.0) {
                    return last;
                }
                wrap_angle(last + way.clamp(-within, within))
            }
            Swivel::Pole(point) => {
                let seen = self.frame.rotation.conjugate() * (point - self.frame.translation);
                let aside = seen - self.line * seen.dot(self.line);
                if !seen.is_finite() || aside.length() <= ROUNDING * 16.0 * (1.0 + seen.length()) {
                    return self.last_swivel(pose);
                }
                let elbow = self.zero * self.limb.plane.cross(self.end_direction());
                self.line.dot(elbow.cross(aside)).atan2(elbow.dot(aside))
            }
        }
    }

    /// From base to end in the base's frame.
    pub(super) fn end_direction(&self) -> Vec3 {
        let end = self.limb.bend.end(self.cos_bend, self.sin_bend);
        direction_or(end, -self.limb.elbow_direction())
    }

    /// The swivel angle of the pose given: its base, turned the shortest way so
    /// that the line from base to end comes to lie on the new one. Only where the elbow
    /// sticks out matters to it, so that direction alone is carried along.
    pub(super) fn last_swivel(&self, pose: &Pose) -> Real {
        let limb = self.limb;
        let base = limb.read_base(pose);
        let aside = -limb.elbow_direction();
        let was = if limb.lower_links.is_empty() && limb.upper_links.is_empty() {
            limb.upper + limb.to_mid * (pose.rotation(limb.joints.lower) * limb.lower)
        } else {
            let (angle, _) = limb.read_mid(pose);
            let bend = wrap_angle((angle - limb.bend.straight_angle) * limb.bend.sense);
            let (sin, cos) = bend.sin_cos();
            limb.bend.end(cos, sin)
        };
        let was = direction_or(was, aside);
        let zero = self.zero * limb.plane.cross(self.end_direction());
        let (line, elbow) = (base * was, base * limb.plane.cross(was));
        let facing = 1.0 + line.dot(self.line);
        let carried = if facing > 1.0e-3 {
            // Parallel transport along the shortest arc.
            elbow - (line + self.line) * (elbow.dot(self.line) / facing)
        } else {
            rotation::between(line, self.line, base * limb.plane) * elbow
        };
        self.line.dot(zero.cross(carried)).atan2(zero.dot(carried))
    }

    /// What the orientation asks, if there is one.
    #[inline]
    pub(super) fn hand(&self) -> Option<Hand<'a>> {
        let seen = self.seen?;
        let limb = self.limb;
        let frame = self.zero * limb.to_mid * self.flexion * limb.to_end;
        Some(Hand::new(limb, limb.room(self.flexion), frame, seen, self.line))
    }

    /// The swivel angles that the base's limit allows.
    pub(super) fn base_arcs(&self) -> Arcs {
        let limb = self.limb;
        if limb.upper_links.is_empty() {
            Turning::new(self.line, self.zero).where_allowed(&limb.base_limit, &Arcs::ALL)
        } else {
            let distance = |swivel: Real| {
                let base = self.base(swivel);
                let outside = limb.base_violation(base);
                let own = limb.own_base(base).0;
                if outside > 0.0 {
                    EDGE - outside
                } else {
                    limb.base_limit.edge_distance(own).clamp(0.0, 1.0)
                }
            };
            Arcs::scan(&Arcs::ALL, turning::GENERAL_SAMPLES, distance)
        }
    }

    /// The posture at a swivel angle. Without an orientation the lower bone's
    /// twist and the end joint stay as they are, within their limits.
    #[inline]
    pub(super) fn posture(&self, divided: Option<Divided>, swivel: Real) -> Posture {
        let (twist, end) = match divided {
            Some(d) => (d.twist, d.end),
            None => (self.kept_twist, self.kept_end),
        };
        let (sin, cos) = (0.5 * twist).sin_cos();
        Posture {
            swivel,
            base: self.base(swivel),
            flexion: self.flexion,
            twist: Vec2::new(cos, sin),
            end,
            base_inside: false,
            end_inside: false,
        }
    }

    /// What stays as it is when only a position is asked for.
    #[inline]
    pub(super) fn kept(&self) -> Posture {
        let (sin, cos) = (0.5 * self.kept_twist).sin_cos();
        Posture {
            swivel: 0.0,
            base: self.zero,
            flexion: self.flexion,
            twist: Vec2::new(cos, sin),
            end: self.kept_end,
            base_inside: false,
            end_inside: false,
        }
    }

    /// The best posture by limits alone, and what stands in the way.
    #[inline(always)]
    pub(super) fn by_limits(&self, wanted: Real) -> (Posture, Option<Cause>) {
        if let Some(mut quick) = Quick::new(self) {
            if let Some(posture) = quick.solve(wanted) {
                return (posture, self.cause);
            }
            return self.clamped(Some(&quick), wanted);
        }
        let outside = self.limb.base_violation(self.base(wanted));
        if outside <= EDGE {
            let divided = self.hand().map(|h| h.divided(wanted));
            if divided.is_none_or(|d| d.violation <= EDGE) {
                let posture = self.posture(divided, wanted);
                return (Posture { base_inside: outside == 0.0, ..posture }, self.cause);
            }
        }
        self.clamped(None, wanted)
    }

    /// The same where the wanted angle is not allowed.
    #[inline(never)]
    fn clamped(&self, quick: Option<&Quick<'a, '_>>, wanted: Real) -> (Posture, Option<Cause>) {
        if let Some(quick) = quick {
            let round = quick.round();
            let found = quick.nearest(&round, wanted);
            if let Some(posture) = found.or_else(|| quick.otherwise(&round, wanted)) {
                return (posture, self.cause);
            }
        }
        let hand = self.hand();
        let base = self.base_arcs();
        if base.is_empty() {
            return self.nearest_by_base(hand.as_ref(), wanted);
        }
        let Some(hand) = hand else {
            let swivel = base.nearest(wanted).unwrap_or(wanted);
            return (self.posture(None, swivel), self.cause);
        };
        if let Some(swivel) = hand.arcs(&base).nearest(wanted) {
            let divided = hand.divided(swivel);
            // Where a twist is ill-defined the arcs may promise too much.
            if divided.violation <= 16.0 * EDGE {
                return (self.posture(Some(divided), swivel), self.cause);
            }
        }
        self.nearest_by_hand(&hand, &base, wanted)
    }
}
