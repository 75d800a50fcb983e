//! The choice of the swivel angle by limits.
//!
//! # Arcs
//! Base and end joint each allow some arcs of the swivel circle (`limit/turning.rs`,
//! [`EndTask::arcs`](super::division::EndTask::arcs)). The angle chosen is the one in both that is
//! nearest to the wanted angle.
//!
//! # The fast path
//! Mostly the wanted angle is allowed, or the answer is the edge of the one limit that forbids it. So the
//! limits are first asked at the wanted angle alone. A violated twist names the angle where its range
//! ends in closed form; a violated swing is followed uphill to its edge. If all limits hold there, that
//! is the end of the allowed arc on the side to which the violated limit points. It is given up after
//! a few steps, more than a right angle away, and for limits of other kinds than swing and twist.
//!
//! A limb that goes on from a pose looks beside it next (`limb/beside.rs`).
//!
//! What should stand on an edge is put a hair within, so that it need not be projected.

use core::cell::Cell;

use super::circle::Wanted;
use super::division::{Division, EndTask, NARROWED, RELUCTANCE};
use super::nearest::FINEST;
use super::{GOAL, Posture, SwivelCircle};
use crate::limit::probe::{INSIDE, LimitProbe, Margins, ON_EDGE};
use crate::limit::turning::{EDGE, FINE_SAMPLES, Turning, angle_of, half_angle};
use crate::math::arcs::{Arcs, crossing};
use crate::math::*;
use crate::pose::Pose;
use crate::report::Cause;

/// Steps from edge to edge of the fast path.
const MOST_EDGES: usize = 5;

/// The limits at one swivel angle.
pub(super) struct Candidate {
    /// Half of the angle, by cosine and sine.
    pub half: Vec2,
    base: Margins,
    /// By the rule, where an orientation is asked for.
    division: Option<Division>,
}

impl Candidate {
    #[inline(always)]
    fn end(&self) -> Margins {
        self.division.as_ref().map_or(Margins::FREE, |d| d.margins)
    }

    #[inline(always)]
    fn least(&self) -> Real {
        self.base.least().min(self.end().least())
    }
}

impl<'a> SwivelCircle<'a> {
    /// The best posture by limits alone, and what stands in the way.
    #[inline(always)]
    pub(super) fn by_limits(&self, wanted: Wanted, pose: &Pose) -> (Posture, Option<Cause>) {
        let Wanted { angle: wanted, half } = wanted;
        let base = self.base_margins_by(half, LimitProbe::margins_unless_sure);
        let at_wanted = Candidate { half, base, division: self.end.as_ref().map(|end| end.divided(half)) };
        if at_wanted.least() >= -EDGE {
            return (self.posture_of(wanted, &at_wanted), self.cause);
        }
        match self.nearest_edge(at_wanted, self.end.as_ref()) {
            Some(edge) => (self.posture_of(angle_of(edge.half), &edge), self.cause),
            None => self.beside(wanted, pose).unwrap_or_else(|| self.by_arcs(wanted)),
        }
    }

    /// The same by the arcs of all limits.
    #[inline(never)]
    fn by_arcs(&self, wanted: Real) -> (Posture, Option<Cause>) {
        let base = self.base_arcs();
        if let Some(swivel) = self.arcs_within(&base).nearest(wanted) {
            let candidate = self.candidate(half_angle(swivel));
            // Where a twist is ill-defined the arcs may promise too much.
            if candidate.least() >= -16.0 * EDGE {
                return (self.posture_of(swivel, &candidate), self.cause);
            }
        }
        let Some(swivel) = base.nearest(wanted) else { return self.nearest_by_base(wanted) };
        let Some(end) = &self.end else {
            return (self.posture(swivel, half_angle(swivel), None), self.cause);
        };
        self.by_other_division(end, &base, wanted)
    }

    /// Where the rule for the forearm's twist holds at no angle that the base allows: the angle at which
    /// another division of the twist holds, as near as possible to where the rule misses least, so that
    /// the pose does not jump when the rule's last arc closes. If there is none, the one where the least
    /// is missing.
    fn by_other_division(&self, end: &EndTask<'a>, base: &Arcs, wanted: Real) -> (Posture, Option<Cause>) {
        let reluctance = |swivel: Real| RELUCTANCE * wrap_angle(swivel - wanted).abs();
        let ruled = |swivel: Real| end.divided(half_angle(swivel)).violation();
        let narrowed = |_: Real, width: Real| width <= NARROWED;
        let posture = |swivel: Real| {
            let division = end.best(swivel, true);
            (self.posture(swivel, half_angle(swivel), Some(&division)), division)
        };
        let cost = |swivel: Real| ruled(swivel) + reluctance(swivel);
        let start = base.lowest(4.0 * FINEST, Real::INFINITY, narrowed, cost);
        let Some((start, _)) = start else { return self.nearest_by_base(wanted) };
        let (at_start, division) = posture(start);
        if division.violation() <= EDGE {
            return (at_start, self.cause);
        }
        // What is missing changes no faster than the swivel angle, nor than the end joint's own twist.
        // Where the rule misses more than all of that twist could make good, and then some, no other
        // division is tried.
        let play = self.limb.end_probe.twist.as_ref().map_or(TAU, |t| t.range.max - t.range.min);
        let missing = |swivel: Real, enough: Real| {
            let at_least = ruled(swivel) - play;
            if at_least > enough { at_least } else { end.best(swivel, false).violation() }
        };
        let margin = |swivel: Real| EDGE - missing(swivel, 2.0 * FINEST);
        if let Some(swivel) = base.nearest_by_scan(start, FINE_SAMPLES, margin) {
            let (posture, division) = posture(swivel);
            if division.violation() <= 16.0 * EDGE {
                return (posture, self.cause);
            }
        }
        let least = Cell::new(division.violation() + reluctance(start));
        let cost = |swivel: Real| {
            let cost = missing(swivel, least.get()) + reluctance(swivel);
            least.set(least.get().min(cost));
            cost
        };
        let near =
            base.lowest(FINEST, 1.0, |_, width| width.is_finite(), cost).map_or(start, |(near, _)| near);
        let about = base.intersection(&Arcs::one(near - FINEST, 2.0 * FINEST));
        let exactly = |s: Real| end.best(s, true).violation() + reluctance(s);
        let swivel = about.lowest(FINEST, 1.0, narrowed, exactly).map_or(near, |(swivel, _)| swivel);
        let (posture, division) = posture(swivel);
        (posture, self.cause_of(end, &division))
    }

    /// What stands in the way of a division.
    pub(super) fn cause_of(&self, end: &EndTask<'a>, division: &Division) -> Option<Cause> {
        if division.violation() <= EDGE {
            return self.cause;
        }
        Some(self.cause.unwrap_or_else(|| {
            let (joint, component) = self.limb.end_blocks(end, division);
            Cause::Limit { goal: GOAL, joint, component }
        }))
    }

    /// The swivel angles that the base's limit allows.
    pub(super) fn base_arcs(&self) -> Arcs {
        let limb = self.limb;
        match limb.upper_links.is_empty() {
            true => limb.base_limit.allowed_turns(&self.base, &Arcs::ALL),
            false => {
                let margin = |swivel: Real| limb.base_margin(self.base.at(swivel)) + EDGE;
                Arcs::scan(&Arcs::ALL, FINE_SAMPLES, margin)
            }
        }
    }

    /// The swivel angles that all limits allow, with the forearm's twist by the rule.
    pub(super) fn allowed_arcs(&self) -> Arcs {
        self.arcs_within(&self.base_arcs())
    }

    /// Those that the end joint allows too. One after the other: where two margins cross, the lesser of
    /// them has a peak that a scan may miss.
    fn arcs_within(&self, base: &Arcs) -> Arcs {
        self.end.as_ref().map_or(*base, |end| end.arcs(base))
    }

    /// The base's rotations as its probe sees them.
    #[inline(always)]
    fn base_in_probe(&self) -> Turning {
        let probe = &self.limb.base_probe;
        Turning::new(probe.before * self.line, probe.to_frame(self.base.start))
    }

    #[inline(always)]
    fn candidate(&self, half: Vec2) -> Candidate {
        self.candidate_for(half, self.end.as_ref())
    }

    /// The same for what the base allows alone, without an end.
    #[inline(always)]
    pub(super) fn candidate_for(&self, half: Vec2, end: Option<&EndTask<'a>>) -> Candidate {
        Candidate { half, base: self.base_margins(half), division: end.map(|end| end.divided(half)) }
    }

    /// What the base's limit leaves at a swivel angle.
    #[inline(always)]
    pub(super) fn base_margins(&self, half: Vec2) -> Margins {
        self.base_margins_by(half, LimitProbe::margins)
    }

    /// The same, where the limit's probe is asked like this.
    #[inline(always)]
    fn base_margins_by(&self, half: Vec2, ask: impl Fn(&LimitProbe, Quat) -> Margins) -> Margins {
        let (limb, base) = (self.limb, self.base.at_half(half));
        match limb.base_probed {
            true => ask(&limb.base_probe, limb.base_probe.to_frame(base)),
            false => Margins::of(limb.base_margin(base)),
        }
    }

    #[inline(always)]
    fn posture_of(&self, swivel: Real, candidate: &Candidate) -> Posture {
        let posture = self.posture(swivel, candidate.half, candidate.division.as_ref());
        Posture { base_inside: candidate.base.least() > INSIDE, ..posture }
    }

    /// From a candidate that is not allowed to the edge of the limit that forbids it, and on until all
    /// limits hold.
    #[inline(never)]
    pub(super) fn nearest_edge(&self, wanted: Candidate, task: Option<&EndTask<'a>>) -> Option<Candidate> {
        let limb = self.limb;
        if !limb.base_probed || (task.is_some() && !limb.end_probed) {
            return None;
        }
        let start = wanted.half;
        let seen = self.base_in_probe();
        let mut now = wanted;
        for _ in 0..MOST_EDGES {
            let (base, end) = (now.base, now.end());
            let half = if base.twist < -EDGE {
                seen.where_twist_is(twist_end(&limb.base_probe, base.above)?)?
            } else if end.twist < -EDGE {
                let (task, division) = (task?, now.division?);
                // If the forearm is not held, the rule has left all the twist that it could.
                let family = division.held.then(|| task.at_twist(division.twist))?;
                family.where_twist_is(twist_end(&limb.end_probe, end.above)?)?
            } else if base.swing < 0.0 && base.swing <= end.swing {
                uphill(now.half, base.swing, |h| limb.base_probe.swing_margin(seen.at_half(h)))?
            } else if end.swing < 0.0 {
                let task = task?;
                uphill(now.half, end.swing, |h| task.divided(h).margins.swing)?
            } else {
                break;
            };
            let base = limb.base_probe.margins(seen.at_half(half));
            now = Candidate { half, base, division: task.map(|task| task.divided(half)) };
        }
        // Further than a right angle, the other side may be nearer.
        let near = now.half.dot(start).abs() > FRAC_1_SQRT_2;
        (near && now.least() >= -EDGE).then_some(now)
    }
}

/// The end of the range of twist that is above its middle, or below.
#[inline(always)]
fn twist_end(probe: &LimitProbe, above: bool) -> Option<Vec2> {
    probe.twist.as_ref().map(|t| if above { t.high } else { t.low })
}

/// The half angle after a turn by twice the arc tangent of `way`.
#[inline(always)]
fn onwards(half: Vec2, way: Real) -> Vec2 {
    Vec2::new(half.x - half.y * way, half.y + half.x * way) * (1.0 / (1.0 + way * way).sqrt())
}

/// From a half angle where a margin is negative: the next one uphill where it is about [`ON_EDGE`]. `None`
/// if it falls again before. Secants until the edge is passed, then regula falsi.
#[inline(always)]
fn uphill(from: Vec2, value: Real, margin: impl Fn(Vec2) -> Real) -> Option<Vec2> {
    /// The first and the longest step, as tangents of half of their angles. The first one only says which
    /// way is uphill, so it is short.
    const FIRST: Real = 0.01;
    const LONGEST: Real = 0.25;
    let at = |way: Real| margin(onwards(from, way));
    let (mut before, mut here) = ((0.0, value), (FIRST, at(FIRST)));
    let mut sense = 1.0;
    if here.1 <= value {
        (before, here, sense) = (here, before, -1.0);
    }
    let on_edge = INSIDE..=2.0 * ON_EDGE;
    for _ in 0..10 {
        if on_edge.contains(&here.1) {
            return Some(onwards(from, here.0));
        }
        if here.1 > ON_EDGE {
            let aimed = |(way, value): (Real, Real)| (way, value - ON_EDGE);
            let enough = INSIDE - ON_EDGE..=ON_EDGE;
            let way = crossing(aimed(before), aimed(here), 0.01 * EDGE, enough, |way| at(way) - ON_EDGE);
            return Some(onwards(from, way));
        }
        let slope = (here.1 - before.1) / (here.0 - before.0);
        // Downhill again before the edge: the region is elsewhere, if anywhere.
        if slope.is_nan() || slope * sense <= 0.0 {
            return None;
        }
        let step = ((ON_EDGE - here.1) / slope).clamp(-LONGEST, LONGEST);
        before = here;
        let way = here.0 + step;
        here = (way, at(way));
    }
    None
}
