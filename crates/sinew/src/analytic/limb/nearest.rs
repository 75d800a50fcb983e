//! What to do when no swivel angle holds every limit: the nearest allowed pose,
//! and the joint that blocks.
//!
//! The position comes first. As long as the base can hold some swivel angle, the
//! end stands where it should, and of those angles the one is taken at which the
//! least of the orientation is missing (`limb/allowed.rs`). Where the base holds
//! none, it is brought within its limit at the angle where it is the least outside,
//! the middle joint bends so that the end comes as near as it can, and the base goes
//! downhill from there. Since a limit's corners hide one near pose from another, a few
//! hundred allowed rotations of the base, kept from when the limb was built, are tried
//! too.
//!
//! # Downhill
//! The base is turned a little each way about each axis and projected into its limit,
//! as long as that brings the end nearer, then by less. Where it goes on from the pose given the first turns are small,
//! and grow as long as that leads straight to the goal. In a box of Euler angles
//! there is a shorter way: with the other angles held, the best of one angle has a
//! closed form, a turn about an axis that brings a point nearest to another, and the
//! nearer to it on its circle the better, so that its range can be clamped. The same goes
//! for the bend. Taken in turns (coordinate descent) they come to rest where no small turn
//! within the box brings the end nearer, since the distance is smooth and the box has a
//! face for every angle. A projection onto a box costs twenty times as much.
//!
//! # Without a jump
//! The nearest pose is seldom the only one that is nearly so, and which of them is
//! the nearest changes as the goal moves. A solve that goes on from the pose given
//! ([`Swivel::Last`](super::Swivel::Last) and `Towards`) therefore goes downhill from
//! there, which small moves of the goal change little, and leaves that valley only for a
//! pose that is clearly nearer or that reaches the goal.

use super::division::{Division, EndTask, NARROWED, RELUCTANCE};
use super::{GOAL, Limb, Posture, SwivelCircle};
use crate::limit::turning::{angle_of, half_angle};
use crate::limit::{EulerLimit, LimitComponent, LimitShape};
use crate::math::arcs::Arcs;
use crate::math::*;
use crate::pose::Pose;
use crate::report::Cause;
use crate::skeleton::{JointId, JointKind};

/// From one sampled swivel angle to the next where limits have no closed form, in radians: 2°.
pub(super) const FINEST: Real = PI / 90.0;
/// By how much of the limb's length another pose must be nearer to be preferred to
/// the one beside the goal's own swivel circle, or twice that to be preferred to the
/// pose given. Going from one to the other is a jump, which is the price of the nearest
/// pose; below this it is not paid.
const CLEARLY: Real = 0.1;
/// A turn towards the goal that brings the end nearer by this part of what it could is enough.
const WELL: Real = 0.25;
/// A turn that brings the end nearer by less than this part of what it could is not made. About the line
/// to the goal the base turns without bringing it nearer at all, and would wander by rounding.
const WORTHWHILE: Real = 1.0e-4;
/// How far the base is turned at first, in radians, from where it was before and from elsewhere; how far at least, and by
/// what part less where none of the turns brings the end nearer.
const NEAR_TURN: Real = 0.0128;
const LARGEST_TURN: Real = 0.2;
const SMALLEST_TURN: Real = 1.0e-4;
const SHORTER: Real = 0.4;
/// Rounds of small turns; each either brings the end nearer or shortens the turn.
const TURN_ROUNDS: usize = 48;
/// Rounds over all Euler angles.
const ANGLE_ROUNDS: usize = 40;
/// How much further than the last round of angles an extrapolation goes: along a valley rounds are short.
const AHEAD: Real = 4.0;

/// An allowed rotation of the base, with the best bend for it.
#[derive(Clone, Copy)]
struct Placed {
    /// How far the end is from the goal, in metres.
    error: Real,
    base: Quat,
    /// The cosine of the bend.
    cos: Real,
}

impl SwivelCircle<'_> {
    /// The base's limit allows no swivel angle.
    #[inline(never)]
    pub(super) fn nearest_by_base(&self, wanted: Real) -> (Posture, Option<Cause>) {
        let limb = self.limb;
        let swivel = self.least_outside(wanted);
        let bare = self.base.at(swivel);
        let cause = self.cause.or_else(|| {
            let nearest = limb.base_limit.nearest_component(limb.own_base(bare).0);
            let component = nearest.map_or(LimitComponent::Swing, |(c, _)| c);
            Some(Cause::Limit { goal: GOAL, joint: limb.joints.upper, component })
        });
        let best = match &self.before {
            Some(before) => self.downhill_from(before.base, NEAR_TURN),
            None => self.downhill_from(bare, LARGEST_TURN),
        };
        let clearly = if self.before.is_some() { 2.0 * CLEARLY } else { CLEARLY };
        let best = self.unless_clearly_nearer(best, bare, clearly * limb.bend.farthest());
        let Placed { base, cos, .. } = best;
        let sin = (1.0 - cos * cos).max(0.0).sqrt();
        let flexion = limb.bend.flexion(cos);
        let range = limb.twist_range(flexion);
        let mut posture = Posture { base, flexion, ..self.posture(swivel, Vec2::X, None) };
        match self.orientation {
            // The orientation that is still to be had, from where the limb stands.
            Some(wanted) => {
                let line = direction_or(base * limb.bend.end(cos, sin), self.line);
                let frame = base * limb.to_mid * flexion * limb.to_end * limb.end_probe.before.conjugate();
                let division = EndTask::new(limb, range, frame, wanted, line).best(0.0, true);
                posture.twist = division.twist;
                posture.end = limb.end_probe.out_of_frame(division.seen);
            }
            None => posture.twist = half_angle(range.clamp(posture.twist_angle())),
        }
        (posture, cause)
    }

    /// The best rotation so far or, if one of those kept is nearer by so much, downhill from there.
    fn unless_clearly_nearer(&self, best: Placed, bare: Quat, clearly: Real) -> Placed {
        if best.error <= clearly {
            return best;
        }
        let mut other = match &self.before {
            Some(_) => self.placed(self.limb.held_base(bare)),
            None => best,
        };
        for &base in &self.limb.allowed_bases {
            let placed = self.placed(base);
            if placed.error < other.error {
                other = placed;
            }
        }
        // Those kept are far apart: only downhill from one shows how near it leads.
        if other.error >= best.error {
            return best;
        }
        let other = self.downhill_from(other.base, LARGEST_TURN);
        if other.error + clearly < best.error { other } else { best }
    }

    /// Brings the base within its limit, and from there the end as near to the goal as small turns do, of which the
    /// first are this large.
    fn downhill_from(&self, base: Quat, first: Real) -> Placed {
        let start = self.limb.held_base(base);
        match &self.limb.base_limit.shape {
            LimitShape::Euler(limit) if self.limb.upper_links.is_empty() => {
                self.descend_by_angles(limit, start)
            }
            _ => self.descend_by_turns(self.placed(start), first),
        }
    }

    fn placed(&self, base: Quat) -> Placed {
        let target = base.conjugate() * self.target;
        let (cos, sin) = self.limb.bend_towards(target);
        Placed { error: self.limb.bend.end(cos, sin).distance(target), base, cos }
    }

    /// Turns the base a little each way about each axis, within its limit, as long as that brings the
    /// end nearer, then by less.
    fn descend_by_turns(&self, start: Placed, first: Real) -> Placed {
        let limb = self.limb;
        let mut best = start;
        let mut step = first;
        for _ in 0..TURN_ROUNDS {
            let before = best.error;
            let worth = (WORTHWHILE * step).max(4.0 * ROUNDING) * limb.bend.farthest();
            // Straight towards the goal first: mostly that is it.
            let end = best.base * limb.bend.end(best.cos, (1.0 - best.cos * best.cos).max(0.0).sqrt());
            let turn = rotation::between(direction_or(end, self.line), self.line, best.base * limb.plane);
            let tries = [rotation::log(turn).clamp_length_max(step)]
                .into_iter()
                .chain(Vec3::AXES.into_iter().flat_map(|a| [a * step, a * -step]));
            for (i, turn) in tries.enumerate() {
                let found = self.placed(limb.held_base(rotation::exp(turn) * best.base));
                if found.error < best.error - worth {
                    best = found;
                    // The others are for where the straight turn leads no further.
                    if i == 0 && before - best.error > WELL * step * limb.bend.farthest() {
                        step = (step / SHORTER).min(LARGEST_TURN);
                        break;
                    }
                }
            }
            if best.error >= before {
                step *= SHORTER;
                if step < SMALLEST_TURN {
                    break;
                }
            }
        }
        best
    }

    /// From a base in a box of Euler angles: the best of each angle in turn.
    fn descend_by_angles(&self, limit: &EulerLimit, start: Quat) -> Placed {
        let axes = limit.order.axes().map(|i| limit.frame * Vec3::AXES[i]);
        let held = |i: usize, angle: Real| limit.ranges[i].project_within(angle, 0.0, 0.0).unwrap_or(angle);
        let place = |angles: [Real; 3]| {
            let turns = [0, 1, 2].map(|i| rotation::about(axes[i], angles[i]));
            (angles, turns, self.placed(turns[0] * turns[1] * turns[2]))
        };
        let angles = limit.angles(start);
        let mut now = place([0, 1, 2].map(|i| held(i, angles[i])));
        let enough = 4.0 * ROUNDING * self.limb.bend.farthest();
        for round in 0..ANGLE_ROUNDS {
            let (before, mut turns, placed) = now;
            let end = self.limb.bend.end(placed.cos, (1.0 - placed.cos * placed.cos).max(0.0).sqrt());
            let mut angles = before;
            for i in 0..3 {
                // From either side to where this angle turns.
                let goal = turns[..i].iter().fold(self.target, |t, q| q.conjugate() * t);
                let point = turns[i + 1..].iter().rev().fold(end, |e, q| *q * e);
                let axis = axes[i];
                let (sin, cos) =
                    (axis.dot(point.cross(goal)), point.dot(goal) - axis.dot(point) * axis.dot(goal));
                if sin * sin + cos * cos > TINY {
                    angles[i] = held(i, sin.atan2(cos));
                    turns[i] = rotation::about(axis, angles[i]);
                }
            }
            now = place(angles);
            if placed.error - now.2.error <= enough {
                break;
            }
            if round % 2 == 1 {
                let further = place([0, 1, 2].map(|i| held(i, angles[i] + AHEAD * (angles[i] - before[i]))));
                if further.2.error < now.2.error {
                    now = further;
                }
            }
        }
        let base = now.2.base.normalize();
        Placed { base, ..now.2 }
    }

    /// The swivel angle at which the base is the least outside of its limit.
    fn least_outside(&self, wanted: Real) -> Real {
        let outside = |swivel: Real| {
            let outside = (-self.limb.base_margin(self.base.at(swivel))).max(0.0);
            outside + RELUCTANCE * wrap_angle(swivel - wanted).abs()
        };
        // From the wanted angle on, so that it is one of the samples.
        let circle = Arcs::one(wanted, TAU);
        let enough = |_: Real, width: Real| width <= NARROWED;
        circle.lowest(TAU / 36.0, Real::INFINITY, enough, outside).map_or(wanted, |(swivel, _)| swivel)
    }
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

    /// What keeps the end from its orientation: the forearm's twist if it stands at an end of its range,
    /// or the end joint.
    pub(super) fn end_blocks(&self, task: &EndTask<'_>, division: &Division) -> (JointId, LimitComponent) {
        let end = self.end_probe.out_of_frame(division.seen);
        let component = match self.end_kind {
            JointKind::Ball | JointKind::Free => {
                self.end_limit.nearest_component(end).map_or(LimitComponent::Twist, |(c, _)| c)
            }
            JointKind::Hinge { .. } => LimitComponent::Angle,
            _ => LimitComponent::Twist,
        };
        let (range, twist) = (&task.range, task.range.clamp(angle_of(division.twist)));
        let touch = ROUNDING * 16.0;
        let at_end = !range.is_whole()
            && !range.is_fixed()
            && (twist <= range.low + touch || twist >= range.high - touch);
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
    pub(super) fn blocking(&self, posture: &Posture, pose: &Pose) -> Cause {
        let turned =
            |joint: JointId, wanted: Quat| rotation::angle(pose.rotation(joint).conjugate() * wanted);
        let (own, _) = self.own_base(posture.base);
        let base = turned(self.joints.upper, own);
        let end = turned(self.joints.end, posture.end);
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
