//! A limb that goes on: the swivel angle and the twist of the forearm beside those of the pose given.
//!
//! # Why
//! Where the rule of `limb/division.rs` holds nowhere near the wanted swivel angle, the exact search
//! (`limb/allowed.rs`) looks at many divisions at each of many angles, which takes a hundred times as
//! long as everything else. A limb that follows its goal has a pose to start from, and what it needs
//! lies beside it.
//!
//! # How
//! With the swivel angle φ and the forearm's twist t, the end joint's margins of swing and twist are
//! smooth but for corners. What both lack of zero is brought down by damped Gauss-Newton steps in (φ, t):
//! where the lack can be made good, these are the shortest steps to where it is, and else they come to
//! rest where the sum of its squares is least. The position is never given up: φ stays where the base's
//! limit allows it, and t in its range. An end joint of one or two axes leaves no choice of the twist:
//! for it the rule stands, and φ alone is sought.
//!
//! The start is the wanted angle, with the twist that the pose has, brought towards that of the rule by
//! as much as the angle may turn. So the pose joins the one that the rule gives wherever that is
//! allowed, and small moves of the goal make small moves of the limb.
//!
//! # Elsewhere
//! If something is missing here, the rule is asked at a few angles round the circle. Where it holds, or where
//! clearly less is missing downhill from the best of them, the limb goes: a jump, which a [`LimbFollower`](crate::analytic::LimbFollower)
//! spreads over several frames.

use super::circle::SwivelCircle;
use super::division::{Division, EndTask};
use super::{Posture, circle::Before};
use crate::limit::probe::{Margins, ON_EDGE};
use crate::limit::turning::{EDGE, angle_of, half_angle};
use crate::math::arcs::crossing;
use crate::math::*;
use crate::pose::Pose;
use crate::report::Cause;

/// Steps of the search; most searches take three.
const STEPS: usize = 14;
/// How far apart two angles are whose difference tells a slope, in radians.
const APART: Real = 2.0e-3;
/// The longest step, and the shortest worth taking, in radians.
const LONGEST: Real = 0.4;
const SHORTEST: Real = 1.0e-4;
/// A step that brings the squared lack down by less than this part is the last.
const WORTHWHILE: Real = 1.0e-3;
/// Of the squared slopes, what the damping is. It only decides between steps that are as good.
const DAMPING: Real = 1.0e-4;
/// A solve that does not turn the swivel angle by itself may turn the twist by so much, in radians.
const TWIST_STEP: Real = 0.1;
/// At how many angles the rule is asked, and by how much less must be missing elsewhere, in radians.
const ELSEWHERE: usize = 16;
const CLEARLY: Real = 0.3;

/// A swivel angle and a twist of the forearm, and what they leave of the limits.
#[derive(Clone, Copy)]
struct Place {
    swivel: Real,
    twist: Real,
    division: Division,
}

impl Place {
    /// What swing and twist lack of standing just within their limits.
    fn lack(&self) -> [Real; 2] {
        lack(&self.division.margins)
    }

    fn squared(&self) -> Real {
        let [swing, twist] = self.lack();
        swing * swing + twist * twist
    }
}

fn lack(margins: &Margins) -> [Real; 2] {
    [margins.swing, margins.twist].map(|margin| (ON_EDGE - margin).max(0.0))
}

impl<'a> SwivelCircle<'a> {
    /// The posture that goes on from the pose given, where the rule holds neither at the wanted angle nor
    /// at an edge near it. `None` without a pose that is followed, or if the base allows no angle near.
    #[inline(never)]
    pub(super) fn beside(&self, wanted: Real, pose: &Pose) -> Option<(Posture, Option<Cause>)> {
        let (before, end) = (self.before.as_ref().filter(|b| b.is_followed)?, self.end.as_ref()?);
        let start = self.base_near(wanted)?;
        let found = self.descended(end, self.start(end, before, start, pose));
        let found = match found.division.violation() <= EDGE {
            true => found,
            false => self.elsewhere(end, wanted, &found).unwrap_or(found),
        };
        let half = half_angle(found.swivel);
        let posture = self.posture(found.swivel, half, Some(&found.division));
        Some((posture, self.cause_of(end, &found.division)))
    }

    /// Where the search starts.
    fn start(&self, end: &EndTask<'a>, before: &Before, swivel: Real, pose: &Pose) -> Place {
        let half = half_angle(swivel);
        let ruled = end.divided(half);
        if !end.has_choice() {
            return Place { swivel, twist: angle_of(ruled.twist), division: ruled };
        }
        let (was, rule) = (self.limb.read_mid(pose).1, angle_of(ruled.twist));
        let was = end.range.clamp(if was.is_finite() { was } else { 0.0 });
        let most = before.within.max(TWIST_STEP);
        // The short way round, unless an end of the range lies on it.
        let twist = end.range.clamp(was + wrap_angle(rule - was).clamp(-most, most));
        place(end, swivel, twist)
    }

    /// Downhill from a place to where nothing is missing, or to where the least is.
    fn descended(&self, end: &EndTask<'a>, start: Place) -> Place {
        let mut here = start;
        let mut radius = LONGEST;
        // The side to which the base's limit ends: +1, -1, or zero where it does not.
        let mut base_ends: Real = 0.0;
        for _ in 0..STEPS {
            let squared = here.squared();
            if squared <= 0.0 {
                break;
            }
            let slopes = slopes(end, &here);
            let step = self.step(end, &here, slopes, base_ends).clamp_length_max(radius);
            if step.length() < SHORTEST {
                break;
            }
            let swivel = self.as_far_as_base_allows(here.swivel, step.x);
            base_ends = if swivel == step.x { 0.0 } else { step.x.signum() };
            let there = place(end, wrap_angle(here.swivel + swivel), end.range.clamp(here.twist + step.y));
            let gain = squared - there.squared();
            if gain > 0.0 {
                here = there;
                if gain < WORTHWHILE * squared {
                    break;
                }
            } else {
                radius = 0.25 * step.length();
            }
        }
        here
    }

    /// The damped step that makes good what is lacking, by the slopes of both margins: of those that lack
    /// something, and of the one that the step would bring to lack.
    fn step(&self, end: &EndTask<'a>, here: &Place, slopes: [Vec2; 2], base_ends: Real) -> Vec2 {
        let lack = here.lack();
        let margins = [here.division.margins.swing, here.division.margins.twist];
        let mut counts = lack.map(|lack| lack > 0.0);
        let touch = ROUNDING * 8.0;
        let mut free = Vec2::new(1.0, if end.has_choice() { 1.0 } else { 0.0 });
        let mut step = Vec2::ZERO;
        for _ in 0..4 {
            step = solved(&lack, &margins, slopes.map(|s| s * free), counts);
            let at_end = match step.y > 0.0 {
                true => here.twist >= end.range.high - touch,
                false => here.twist <= end.range.low + touch,
            };
            let held = Vec2::new(
                if base_ends * step.x > 0.0 { 0.0 } else { 1.0 },
                if at_end && !end.range.is_whole() { 0.0 } else { 1.0 },
            );
            let falls = [0, 1].map(|i| !counts[i] && margins[i] + slopes[i].dot(step) < 0.0);
            if free * held == free && !falls[0] && !falls[1] {
                break;
            }
            free *= held;
            counts = [counts[0] || falls[0], counts[1] || falls[1]];
        }
        step * free
    }

    /// As much of a turn of the swivel angle as the base's limit allows.
    fn as_far_as_base_allows(&self, swivel: Real, turn: Real) -> Real {
        let margin = |part: Real| self.base_margins(half_angle(swivel + part * turn)).least() + EDGE;
        let there = margin(1.0);
        if there >= 0.0 || turn == 0.0 {
            return turn;
        }
        let here = margin(0.0);
        if here <= 0.0 {
            return 0.0;
        }
        crossing((1.0, there), (0.0, here), 0.01, 0.0..=EDGE, margin) * turn
    }

    /// Where the rule holds elsewhere on the circle, the nearest such angle to the wanted one; else what lies downhill
    /// from where the rule misses least, if that is clearly better than here.
    fn elsewhere(&self, end: &EndTask<'a>, wanted: Real, here: &Place) -> Option<Place> {
        let mut best: Option<Place> = None;
        for i in 1..=ELSEWHERE {
            // From the wanted angle outwards, to one side and to the other.
            let way = TAU * (i / 2) as Real / ELSEWHERE as Real * if i % 2 == 0 { 1.0 } else { -1.0 };
            let swivel = wrap_angle(wanted + way);
            let half = half_angle(swivel);
            if self.base_margins(half).least() < -EDGE {
                continue;
            }
            let division = end.divided(half);
            let misses = division.violation();
            if best.is_none_or(|best| misses < best.division.violation()) {
                best = Some(Place { swivel, twist: angle_of(division.twist), division });
            }
            if misses <= EDGE {
                return Some(self.edge_towards(end, wanted, way));
            }
        }
        let there = self.descended(end, best?);
        (there.division.violation() + CLEARLY < here.division.violation()).then_some(there)
    }

    /// From an angle where the rule holds, so far from the wanted one, back towards that until it does no more.
    fn edge_towards(&self, end: &EndTask<'a>, wanted: Real, way: Real) -> Place {
        let margin = |way: Real| {
            let half = half_angle(wanted + way);
            self.base_margins(half).least().min(end.divided(half).margins.least()) + EDGE
        };
        let nearer = way - (TAU / ELSEWHERE as Real).min(way.abs()).copysign(way);
        let (before, here) = (margin(nearer), margin(way));
        let way = match before < 0.0 && here > 0.0 {
            true => crossing((nearer, before), (way, here), ROUNDING, 0.0..=EDGE, margin),
            false => way,
        };
        let swivel = wrap_angle(wanted + way);
        let division = end.divided(half_angle(swivel));
        Place { swivel, twist: angle_of(division.twist), division }
    }

    /// The swivel angle that the base allows and that is nearest to the wanted one.
    fn base_near(&self, wanted: Real) -> Option<Real> {
        let half = half_angle(wanted);
        if self.base_margins(half).least() >= -EDGE {
            return Some(wanted);
        }
        match self.nearest_edge(self.candidate_for(half, None), None) {
            Some(edge) => Some(angle_of(edge.half)),
            None => self.base_arcs().nearest(wanted),
        }
    }
}

/// What a swivel angle and a twist leave; without a choice of the twist, the rule's.
#[inline]
fn place(end: &EndTask<'_>, swivel: Real, twist: Real) -> Place {
    let half = half_angle(swivel);
    let division = if end.has_choice() { end.with_twist_at(half, twist) } else { end.divided(half) };
    Place { swivel, twist, division }
}

/// How the margins of swing and twist change with the swivel angle (x) and the twist (y).
fn slopes(end: &EndTask<'_>, here: &Place) -> [Vec2; 2] {
    let turned = place(end, here.swivel + APART, here.twist).division.margins;
    let mut across = APART;
    // Not beyond the end of the range, where the forearm is not asked.
    if !end.range.is_whole() && here.twist + across > end.range.high {
        across = -APART;
    }
    let twisted = match end.has_choice() {
        true => place(end, here.swivel, here.twist + across).division.margins,
        false => here.division.margins,
    };
    let now = here.division.margins;
    [
        Vec2::new((turned.swing - now.swing) / APART, (twisted.swing - now.swing) / across),
        Vec2::new((turned.twist - now.twist) / APART, (twisted.twist - now.twist) / across),
    ]
}

/// The damped least-squares step that adds what is lacking to each margin that counts; one that lacks nothing may
/// fall to its edge.
fn solved(lack: &[Real; 2], margins: &[Real; 2], slopes: [Vec2; 2], counts: [bool; 2]) -> Vec2 {
    let (mut xx, mut xy, mut yy, mut right) = (0.0, 0.0, 0.0, Vec2::ZERO);
    for i in 0..2 {
        if counts[i] {
            let (slope, wanted) = (slopes[i], if lack[i] > 0.0 { lack[i] } else { ON_EDGE - margins[i] });
            xx += slope.x * slope.x;
            xy += slope.x * slope.y;
            yy += slope.y * slope.y;
            right += slope * wanted;
        }
    }
    let damping = DAMPING * (xx + yy) + TINY;
    let (xx, yy) = (xx + damping, yy + damping);
    let step = Vec2::new(yy * right.x - xy * right.y, xx * right.y - xy * right.x) / (xx * yy - xy * xy);
    if step.is_finite() { step } else { Vec2::ZERO }
}
