//! What to do when no swivel angle holds every limit: the nearest allowed pose,
//! and the joint that is to blame.
//!
//! The position comes first. As long as the base can hold some swivel angle, the
//! end stands where it should, and of those angles the one is taken at which the
//! least of the orientation is missing. Where the base holds none, it is brought
//! within its limit at the angle where it is the least outside, the middle joint
//! bends so that the end comes as near as it can, and the base is bettered by small
//! turns. Since a limit's corners hide one near pose from another, a few hundred
//! allowed rotations of the base, kept from when the limb was built, are tried too.
//!
//! # Without a jump
//! The nearest pose is seldom the only one that is nearly so, and which of them is
//! the nearest changes as the goal moves. A solve that goes on from the pose given
//! ([`Swivel::Last`](super::Swivel::Last) and `Towards`) therefore goes downhill from
//! there, which small moves of the goal change little, and leaves that valley only for a pose
//! that is clearly nearer or that reaches the goal.

use super::arcs::Arcs;
use super::hand::{Hand, RELUCTANCE};
use super::turning::EDGE;
use super::{GOAL, Limb, Posture, Reach};
use crate::limit::{LimitComponent, LimitShape};
use crate::math::*;
use crate::pose::Pose;
use crate::report::Cause;
use crate::skeleton::{JointId, JointKind};

/// By how much of the limb's length another pose must be nearer to be preferred to
/// the one beside the goal's own swivel circle, or twice that to be preferred to the
/// pose given. Going from one to the other is a jump, which is the price of the nearest
/// pose; below this it is not paid.
const CLEARLY: Real = 0.1;
/// A turn towards the goal that brings the end nearer by this part of what it could is enough.
const WELL: Real = 0.25;
/// Rounds of small turns; each either brings the end nearer or halves the turn.
const ROUNDS: usize = 48;

impl<'a> Reach<'a> {
    /// No division at any allowed swivel angle gives the orientation by the rule.
    #[inline(never)]
    pub(super) fn nearest_by_hand(
        &self,
        hand: &Hand<'a>,
        base: &Arcs,
        wanted: Real,
    ) -> (Posture, Option<Cause>) {
        // From where the rule misses least, so that the pose does not jump when
        // the rule's last arc closes.
        let start = self.least_missing(hand, base, wanted);
        let Some((swivel, divided)) = hand.complete(base, start, wanted) else {
            return (self.posture(Some(hand.divided(wanted)), wanted), self.cause);
        };
        let posture = self.posture(Some(divided), swivel);
        if divided.violation <= EDGE {
            return (posture, self.cause);
        }
        let cause = self.cause.unwrap_or_else(|| {
            let (joint, component) = self.limb.hand_blocks(hand, swivel);
            Cause::Limit { goal: GOAL, joint, component }
        });
        (posture, Some(cause))
    }

    /// The allowed angle at which the division by the rule is the least outside.
    fn least_missing(&self, hand: &Hand<'a>, base: &Arcs, wanted: Real) -> Real {
        const STEP: Real = PI / 24.0;
        let missing =
            |swivel: Real| hand.divided(swivel).violation + RELUCTANCE * wrap_angle(swivel - wanted).abs();
        let mut best = (Real::INFINITY, base.nearest(wanted).unwrap_or(wanted));
        for arc in base.as_slice() {
            let count = (arc.length / STEP).ceil().max(1.0);
            for i in 0..=count as usize {
                let swivel = wrap_angle(arc.start + arc.length * (i as Real / count));
                let violation = missing(swivel);
                if violation < best.0 {
                    best = (violation, swivel);
                }
            }
        }
        let (mut a, mut b, mut x) = (best.1 - STEP, best.1 + STEP, best.1);
        for _ in 0..16 {
            let right = b - x >= x - a;
            let probe = if right { x + 0.381_966 * (b - x) } else { x - 0.381_966 * (x - a) };
            let inside = base.contains(wrap_angle(probe));
            let violation = missing(probe);
            if inside && violation < best.0 {
                if right {
                    a = x
                } else {
                    b = x
                }
                x = probe;
                best = (violation, probe);
            } else if right {
                b = probe;
            } else {
                a = probe;
            }
        }
        wrap_angle(best.1)
    }

    /// The base's limit allows no swivel angle.
    #[inline(never)]
    pub(super) fn nearest_by_base(&self, hand: Option<&Hand<'a>>, wanted: Real) -> (Posture, Option<Cause>) {
        let limb = self.limb;
        let swivel = self.least_outside(wanted);
        let bare = self.base(swivel);
        let cause = self.cause.or_else(|| {
            let nearest = limb.base_limit.nearest_component(limb.own_base(bare).0);
            let component = nearest.map_or(LimitComponent::Swing, |(c, _)| c);
            Some(Cause::Limit { goal: GOAL, joint: limb.joints.upper, component })
        });
        let held = |q: Quat| {
            if limb.gauged {
                return limb.base_gauge.held(q);
            }
            let (own, twist) = limb.own_base(q);
            let inside = limb.base_limit.project(own.normalize());
            if limb.upper_links.is_empty() {
                inside
            } else {
                inside * rotation::about(limb.upper_unit, (1.0 - limb.base_share) * twist)
            }
        };
        // From the least outside or, where one of the poses kept for this is
        // clearly nearer, from there: the limit's corners hide one from the other.
        let downhill = |start: (Real, Quat, Real)| match &limb.base_limit.shape {
            LimitShape::Euler(limit) if limb.upper_links.is_empty() => self.descend(limit, start.1),
            _ => self.bettered(start, held),
        };
        let mut best = downhill(self.error(held(self.from.unwrap_or(bare))));
        let clearly = if self.from.is_some() { 2.0 * CLEARLY } else { CLEARLY };
        let clearly = clearly * limb.bend.farthest();
        if best.0 > clearly {
            let mut other_best = match self.from {
                Some(_) => self.error(held(bare)),
                None => best,
            };
            for &base in &limb.allowed_bases {
                let other = self.error(base);
                if other.0 < other_best.0 {
                    other_best = other;
                }
            }
            if other_best.0 + clearly < best.0 {
                best = downhill(other_best);
            }
        }
        let (_, base, cos) = best;
        let sin = (1.0 - cos * cos).max(0.0).sqrt();
        let flexion = limb.bend.flexion(cos);
        let mut posture = Posture { swivel, base, flexion, ..self.posture(None, swivel) };
        if hand.is_some() {
            // The orientation that is still to be had, from where the limb stands.
            let end = limb.bend.end(cos, sin);
            let line = direction_or(base * end, self.line);
            let frame = base * limb.to_mid * flexion * limb.to_end;
            let seen = self.seen.unwrap_or(Quat::IDENTITY);
            let divided = Hand::new(limb, limb.room(flexion), frame, seen, line).best(0.0);
            posture.twist = half_angle(divided.twist);
            posture.end = divided.end;
        } else {
            posture.twist = half_angle(limb.room(flexion).clamp(self.kept_twist));
        }
        (posture, cause)
    }

    /// How far from the goal the end is with this base and the best bend, the base,
    /// and the cosine of the bend.
    fn error(&self, base: Quat) -> (Real, Quat, Real) {
        let target = base.conjugate() * self.target;
        let (cos, sin) = self.limb.bend_towards(target);
        (self.limb.bend.end(cos, sin).distance(target), base, cos)
    }

    /// Turns the base a little each way about each axis, within its limit, as long
    /// as that brings the end nearer, then by half as much.
    fn bettered(&self, start: (Real, Quat, Real), held: impl Fn(Quat) -> Quat) -> (Real, Quat, Real) {
        let mut best = start;
        let mut step: Real = 0.2;
        for _ in 0..ROUNDS {
            let mut nearer = false;
            // Straight towards the goal first: mostly that is it.
            let end = best.1 * self.limb.bend.end(best.2, (1.0 - best.2 * best.2).max(0.0).sqrt());
            let turn = rotation::between(direction_or(end, self.line), self.line, best.1 * self.limb.plane);
            let tries = [rotation::log(turn).clamp_length_max(step)]
                .into_iter()
                .chain(Vec3::AXES.into_iter().flat_map(|a| [a * step, a * -step]));
            let before = best.0;
            for (i, v) in tries.enumerate() {
                let found = self.error(held(rotation::exp(v) * best.1));
                if found.0 < best.0 {
                    (best, nearer) = (found, true);
                    // Well on the way; the others are for where this one leads no further.
                    if i == 0 && before - best.0 > WELL * step * self.limb.bend.farthest() {
                        break;
                    }
                }
            }
            if !nearer {
                step *= 0.4;
                if step < 1.0e-4 {
                    break;
                }
            }
        }
        best
    }

    /// The swivel angle at which the base is the least outside of its limit.
    fn least_outside(&self, wanted: Real) -> Real {
        // A solve that goes on from the pose given starts there; this angle only says what
        // stands in the way.
        let (steps, rounds) = if self.from.is_some() { (12, 10) } else { (36, 30) };
        let step = TAU / steps as Real;
        let outside = |swivel: Real| {
            let base = self.base(swivel);
            let outside = match self.limb.gauged {
                true => self.limb.base_gauge.outside(base),
                false => self.limb.base_violation(base),
            };
            outside + RELUCTANCE * wrap_angle(swivel - wanted).abs()
        };
        let mut best = (outside(wanted), wanted);
        for i in 1..steps {
            let swivel = wrap_angle(wanted + step * i as Real);
            let v = outside(swivel);
            if v < best.0 {
                best = (v, swivel);
            }
        }
        let (mut a, mut b, mut x) = (best.1 - step, best.1 + step, best.1);
        for _ in 0..rounds {
            let right = b - x >= x - a;
            let probe = if right { x + 0.381_966 * (b - x) } else { x - 0.381_966 * (x - a) };
            let v = outside(probe);
            if v < best.0 {
                if right {
                    a = x
                } else {
                    b = x
                }
                x = probe;
                best = (v, probe);
            } else if right {
                b = probe;
            } else {
                a = probe;
            }
        }
        wrap_angle(best.1)
    }
}

/// Cosine and sine of half an angle.
fn half_angle(angle: Real) -> Vec2 {
    let (sin, cos) = (0.5 * angle).sin_cos();
    Vec2::new(cos, sin)
}

impl Limb {
    /// The allowed bend that brings the end nearest to a point of the base's frame, as cosine and
    /// sine.
    #[inline]
    pub(super) fn bend_towards(&self, point: Vec3) -> (Real, Real) {
        let away = point - self.bend.centre;
        let (cos, sin) = (away.dot(self.bend.cosine), away.dot(self.bend.sine));
        let length = (cos * cos + sin * sin).sqrt().max(TINY);
        let (cos, sin) = (cos / length, sin / length);
        let (most, least) = self.bend_cosines;
        if sin >= 0.0 && cos <= most && cos >= least {
            return (cos, sin);
        }
        let end = |cos: Real| (cos, (1.0 - cos * cos).max(0.0).sqrt());
        let (straight, bent) = (end(most), end(least));
        let along = |end: (Real, Real)| end.0 * cos + end.1 * sin;
        if along(straight) >= along(bent) { straight } else { bent }
    }

    /// What keeps the hand from its orientation at this swivel angle: the
    /// forearm's twist if it stands at its end, or the end joint.
    pub(super) fn hand_blocks(&self, hand: &Hand<'_>, swivel: Real) -> (JointId, LimitComponent) {
        let divided = hand.best(swivel);
        let component = match self.end_kind {
            JointKind::Ball | JointKind::Free => {
                self.end_limit.nearest_component(divided.end).map_or(LimitComponent::Twist, |(c, _)| c)
            }
            JointKind::Hinge { .. } => LimitComponent::Angle,
            _ => LimitComponent::Twist,
        };
        let room = hand.room;
        let at_end = !room.is_whole()
            && room.low < room.high
            && (divided.twist <= room.low + ROUNDING * 16.0 || divided.twist >= room.high - ROUNDING * 16.0);
        // A wrist that would have to twist on, with a forearm that cannot.
        if at_end && component == LimitComponent::Twist {
            let joint = self
                .lower_links
                .iter()
                .filter(|l| l.share > 0.0)
                .map(|l| l.joint)
                .next()
                .filter(|_| self.mid_share == 0.0)
                .unwrap_or(self.joints.lower);
            let component = match self.mid_kind {
                JointKind::Universal { .. } if joint == self.joints.lower => LimitComponent::Euler(1),
                _ => LimitComponent::Twist,
            };
            return (joint, component);
        }
        (self.joints.end, component)
    }

    /// The joint that keeps a pose from its goal that should have been reached:
    /// the one that writing held back the most.
    pub(super) fn blocking(&self, reach: &Reach<'_>, posture: &Posture, pose: &Pose) -> Cause {
        let turned =
            |joint: JointId, wanted: Quat| rotation::angle(pose.rotation(joint).conjugate() * wanted);
        let (own, _) = self.own_base(posture.base);
        let base = turned(self.joints.upper, own);
        let end = turned(self.joints.end, posture.end);
        let _ = reach;
        let (joint, limit) = if base >= end {
            (self.joints.upper, &self.base_limit)
        } else {
            (self.joints.end, &self.end_limit)
        };
        let component =
            limit.nearest_component(pose.rotation(joint)).map_or(LimitComponent::Twist, |(c, _)| c);
        Cause::Limit { goal: GOAL, joint, component }
    }
}
