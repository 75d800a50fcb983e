//! Postures that a motion may end in, the most natural first.

use alloc::vec::Vec;

use super::planner::{Blocked, Place, Planner, Way, largest_turn, shortest_duration};
use crate::analytic::Swivel;
use crate::body::reach::solver::place_plainly;
use crate::body::reach::whole_body::Among;
use crate::goal::Target;
use crate::math::*;
use crate::pose::Pose;
use crate::report::Tolerance;
use crate::skeleton::humanoid::Side;

/// Swivel angles that are tried round the circle.
pub(super) const SWIVELS: usize = 24;
/// How far the direction of leaning goes from the target's, in radians on the swing plane.
const SHIFTS: [Real; 2] = [0.35, 0.8];
/// Directions of that.
const ROUND: usize = 8;
/// Shares of the posture's weight that are tried: less of it, and of what is left to the whole.
const LESS: [Real; 2] = [0.5, 0.0];
const MORE: [Real; 2] = [0.5, 1.0];
/// The least weight of a lean to another side: less of it would be the same posture.
const ASIDE: Real = 0.5;
/// How far from the preferred swivel angles the arms are when a descent among obstacles starts, in
/// radians.
const TURNED: [Real; 3] = [0.0, 1.2, -1.2];
/// How many leans are followed by a descent where they alone do not reach.
const DESCENTS: usize = 24;
/// For how many end postures the whole body is carried along bent lines.
const BENT: usize = 2;
/// A joint that turns by more than this from one knot to the next would hold up the whole motion: it is
/// smoothed, in radians. That of a motion of a second and a half.
const BURST: Real = 0.08;
/// A way that can be gone in this time is quick, in seconds: others are tried before one that takes longer.
const QUICK: Real = 2.0;
/// A hand that is so near to its target at the end of a way is there.
const THERE: Tolerance = Tolerance { position: 5.0e-4, orientation: 5.0e-3 };
/// In how many steps a way is looked along for what is in it.
const LOOKS: usize = 48;
/// How far a knee that touches something is turned, in radians.
const KNEES: [Real; 4] = [0.3, -0.3, 0.6, -0.6];

/// An end posture: the whole body, and the swivel angles of the arms at which nothing touches.
pub(super) struct End {
    pub pose: Pose,
    /// The angles for the arm that is solved first, the preferred first; the other arm's one.
    pub free: Vec<Real>,
    pub swivels: [Real; 2],
}

impl Planner<'_> {
    /// The first way to any end posture that is quick, or the quickest of the others.
    pub fn plan(&mut self) -> Option<Way> {
        let mut pose = self.start.clone();
        let report = self.solver.solve(self.skeleton, self.targets, 1.0, &mut pose).clone();
        self.report = report;
        if !self.report.reached() || self.sides.is_empty() {
            return None;
        }
        let own = self.sides.iter().map(|&side| self.report.weights[side]).fold(0.0, Real::max);
        let preferred = [0, 1].map(|side| self.report.hands[side].map_or(0.0, |hand| hand.swivel));
        let mut ends: Vec<End> = Vec::new();
        if let Some(end) = self.end_at(&pose, preferred) {
            let found = self.straight(&end).or_else(|| self.bowed(&end));
            if let Some(way) = found.and_then(|way| self.take(way, own)) {
                return Some(way);
            }
            ends.push(end);
        } else if self.around.is_none() {
            // Nothing can touch: what the solver reaches can be had.
            return self.through_joints(&pose).and_then(|way| self.arrive(way, own));
        }
        let mut among = self.around.as_ref().and_then(|around| {
            let goal = around.as_goal(self.options.clearance.max(0.0));
            let reaching = [0, 1].map(|side| self.arms[side].is_some());
            self.solver.among(self.skeleton, reaching, goal).ok()
        });
        if let Some(end) = ends.first()
            && let Some(way) = self.carried(end, &mut among)
            && let Some(way) = self.take(way, own)
        {
            return Some(way);
        }
        // From the posture of choice, and from that at the start, which leans no more than it must.
        let start = self.start.clone();
        for (body, turned) in [&pose, &start].into_iter().flat_map(|body| TURNED.map(|turned| (body, turned)))
        {
            let Some(among) = &mut among else { break };
            if let Some(end) = self.end_among(body, turned, among) {
                let found = self.straight(&end);
                if let Some(way) = found.and_then(|way| self.take(way, own)) {
                    return Some(way);
                }
                ends.push(end);
            }
        }
        let mut descents = DESCENTS;
        for (shift, weight) in leans(own) {
            let mut body = self.start.clone();
            if !self.solver.lean(self.skeleton, self.targets, (shift, weight), &mut body) {
                continue;
            }
            let mut found = self.end_at(&body, preferred);
            if let (None, Some(among), true) = (&found, &mut among, descents > 0) {
                descents -= 1;
                found = self.end_among(&body, 0.0, among);
            }
            let Some(end) = found else { continue };
            let found = self.straight(&end);
            if let Some(way) = found.and_then(|way| self.take(way, weight)) {
                return Some(way);
            }
            ends.push(end);
            if ends.len() >= self.options.postures.max(1) as usize {
                break;
            }
        }
        for end in &ends {
            let found = self.carried(end, &mut among);
            if let Some(way) = found.and_then(|way| self.take(way, own)) {
                return Some(way);
            }
        }
        if let Some((way, report)) = self.slow.take() {
            self.report = report;
            return Some(way);
        }
        for end in &ends {
            let found = self.through_joints(&end.pose);
            let found = found.or_else(|| self.detour(end));
            if let Some(way) = found.and_then(|way| self.take(way, own)) {
                return Some(way);
            }
        }
        for end in ends.iter().take(BENT) {
            let found = self.carried_round(end, &mut among);
            if let Some(way) = found.and_then(|way| self.take(way, own)) {
                return Some(way);
            }
        }
        if let Some((way, report)) = self.slow.take() {
            self.report = report;
            return Some(way);
        }
        self.look_along(&pose);
        None
    }

    /// The way if it arrives and is quick. One that arrives only is kept, if none was that is quicker: a joint
    /// that turns in a burst holds up the whole motion, and the next posture may do without.
    fn take(&mut self, way: Way, weight: Real) -> Option<Way> {
        let before = self.report.clone();
        let way = self.arrive(way, weight)?;
        let lasts = shortest_duration(&way.knots);
        if lasts <= QUICK {
            return Some(way);
        }
        let report = core::mem::replace(&mut self.report, before);
        if self.slow.as_ref().is_none_or(|(kept, _)| lasts < shortest_duration(&kept.knots)) {
            self.slow = Some((way, report));
        }
        None
    }

    /// Looks for what is in the way to a posture where no way has met anything: those that were tried
    /// ended before, at a limit or at the end of a limb's length.
    fn look_along(&mut self, pose: &Pose) {
        for k in 0..=LOOKS {
            if self.has_met() {
                return;
            }
            self.pose.blend(&self.start, pose, k as Real / LOOKS as Real);
            self.look();
        }
    }

    /// The end posture that a descent among the obstacles comes to from this body, with idle arms that hang
    /// as they did before it, or where that touches something, as the descent has carried them along.
    fn end_among(&mut self, body: &Pose, turned: Real, among: &mut Among) -> Option<End> {
        let mut found = body.clone();
        let swivels = self.solver.lean_among(self.skeleton, self.targets, turned, among, &mut found)?;
        let mut hanging = found.clone();
        self.hang_idle_arms(body, &mut hanging);
        self.end_at(&hanging, swivels).or_else(|| self.end_at(&found, swivels))
    }

    /// Turns the arms that do not reach as one pose has them in space, as far as their limits allow: a trunk that
    /// bows does not carry them up behind it.
    fn hang_idle_arms(&mut self, as_in: &Pose, pose: &mut Pose) {
        let idle = Side::BOTH.into_iter().filter(|&side| self.arms[side as usize].is_none());
        let shoulders = idle.filter_map(|side| Some(self.solver.arm(side)?.joints().upper));
        for shoulder in shoulders.collect::<Vec<_>>() {
            let Some(parent) = self.skeleton.parent(shoulder) else { continue };
            self.model.update(self.skeleton, as_in);
            let hangs = self.model.transform(shoulder).rotation;
            self.model.update(self.skeleton, pose);
            let joint = self.skeleton.joint(shoulder);
            let at_rest = self.model.transform(parent).rotation * joint.rest().rotation;
            pose.set_rotation(shoulder, joint.project(at_rest.conjugate() * hangs));
        }
    }

    /// The end posture with this body: arms reaching, nothing in contact.
    fn end_at(&mut self, body: &Pose, preferred: [Real; 2]) -> Option<End> {
        self.pose.copy_from(body);
        self.model.update(self.skeleton, body);
        for (leg, foot) in self.solver.held_feet().iter().flatten() {
            place_plainly(self.skeleton, leg, &self.model, &Target::Pose(*foot), &mut self.pose);
        }
        let body = self.pose.clone();
        if let Err(blocked) = self.settle_body() {
            self.note(blocked);
            self.pose.copy_from(&body);
            if !self.turn_knees(blocked) {
                return None;
            }
        }
        let mut settled = self.pose.clone();
        let mut swivels = preferred;
        let mut free = Vec::new();
        for i in (0..self.sides.len()).rev() {
            let side = self.sides[i];
            // The other arm makes way for the first, but has to be able to be there at all.
            free = self.free_swivels(side, preferred[side]);
            if free.is_empty()
                && let Some(aside) = self.make_way(side, preferred[side], &settled)
            {
                settled = aside;
                self.pose.copy_from(&settled);
                self.settle_body().ok()?;
                free = self.free_swivels(side, preferred[side]);
            }
            swivels[side] = *free.first()?;
        }
        if self.sides.len() > 1 {
            // Together: the first arm as it likes, the other as it can.
            let first = self.sides[0];
            let mut both = false;
            for &angle in &free {
                self.pose.copy_from(&settled);
                self.settle_body().ok()?;
                let goal = self.to[first];
                if self.place_arm(first, &goal, angle).is_err() {
                    continue;
                }
                let other = self.sides[1];
                if let Some(&found) = self.free_swivels(other, preferred[other]).first() {
                    (swivels[first], swivels[other]) = (angle, found);
                    both = true;
                    break;
                }
            }
            if !both {
                return None;
            }
        }
        self.pose.copy_from(&settled);
        self.settle_body().ok()?;
        for i in 0..self.sides.len() {
            let side = self.sides[i];
            let goal = self.to[side];
            self.place_arm(side, &goal, swivels[side]).ok()?;
        }
        Some(End { pose: self.pose.clone(), free, swivels })
    }

    /// Turns the knee of the leg that touches something until it does not.
    fn turn_knees(&mut self, blocked: Blocked) -> bool {
        let (Blocked::Touches(contact), Some(around)) = (blocked, &self.around) else { return false };
        let feet = self.solver.held_feet();
        let Some((leg, foot)) = feet
            .iter()
            .flatten()
            .find(|(leg, _)| around.is_below(self.skeleton, leg.joints().upper, &contact))
        else {
            return false;
        };
        let before = self.pose.clone();
        self.model.update(self.skeleton, &before);
        let goal = Target::Pose(*foot);
        let now = leg.solve(self.skeleton, &self.model, &goal, Swivel::Last, &mut self.pose).swivel;
        for turn in KNEES {
            self.pose.copy_from(&before);
            self.model.update(self.skeleton, &before);
            let swivel = Swivel::Preferred(now + turn);
            if leg.solve(self.skeleton, &self.model, &goal, swivel, &mut self.pose).reached()
                && self.settle_body().is_ok()
            {
                return true;
            }
        }
        false
    }

    /// The swivel angles of an arm at its target at which it touches nothing, those nearest to the
    /// preferred one first.
    fn free_swivels(&mut self, side: usize, preferred: Real) -> Vec<Real> {
        let mut free: Vec<Real> = Vec::new();
        let goal = self.to[side];
        for i in 0..SWIVELS as i32 {
            // To both sides by turns.
            let steps = if i % 2 == 0 { i / 2 } else { -(i + 1) / 2 };
            let angle = preferred + steps as Real * (TAU / SWIVELS as Real);
            match self.place_arm(side, &goal, angle) {
                Ok(found) if !free.iter().any(|known| wrap_angle(known - found).abs() < 1.0e-3) => {
                    free.push(found);
                }
                Ok(_) => {}
                Err(blocked) => self.note(blocked),
            }
        }
        free
    }

    /// Writes down what the way comes to, if it ends where it should: one on which the hand may turn as it
    /// likes need not end as it should be turned.
    fn arrive(&mut self, mut way: Way, weight: Real) -> Option<Way> {
        let turns = way.knots.windows(2).map(|pair| largest_turn(&pair[0], &pair[1]));
        if turns.fold(0.0, Real::max) > BURST && way.places.len() == way.knots.len() {
            self.smooth_knots(&mut way.knots, &way.places);
            if let (Some(last), Some(place)) = (way.knots.last(), way.places.last()) {
                // What is said of the arms is how they end; that they can be there is known.
                let _ = self.place_nearly(last, place);
            }
        }
        for &side in &self.sides {
            let Some(arm) = &self.arms[side] else { continue };
            let Some(last) = way.knots.last() else { continue };
            self.model.update(self.skeleton, last);
            let residual = arm.measured(&arm.base_frame(&self.model, last), &self.to[side], last);
            if self.around.is_some() && !residual.within(THERE) {
                return None;
            }
            if let (Some(hand), Some(placed)) = (&mut self.report.hands[side], &self.reports[side]) {
                hand.swivel = placed.swivel;
                hand.outcome.residual = residual;
            }
            self.report.weights[side] = weight;
        }
        let feet = self.solver.held_feet();
        let off = |(leg, foot): &(crate::analytic::Limb, Transform)| {
            self.model.position(leg.joints().end).distance(foot.translation)
        };
        self.report.feet = feet.iter().flatten().map(off).fold(0.0, Real::max);
        Some(way)
    }

    /// The last place of a way to an end posture.
    pub fn last_place(&self, end: &End, oriented: bool) -> Place {
        Place { swivels: end.swivels, ..self.on_line(1.0, oriented) }
    }
}

/// Directions and weights of leaning: first the solver's own direction with other weights, then other
/// directions, so that the first few differ.
fn leans(own: Real) -> impl Iterator<Item = (Vec2, Real)> {
    let less = LESS.into_iter().map(move |part| own * part);
    let more = MORE.into_iter().map(move |part| own + (1.0 - own) * part);
    let weights = less.chain(more);
    let around = SHIFTS.into_iter().flat_map(|by| {
        (0..ROUND).map(move |i| {
            // Opposite directions after each other.
            let turn = (i / 2) as Real / ROUND as Real + 0.5 * (i % 2) as Real;
            let (sin, cos) = (TAU * turn).sin_cos();
            Vec2::new(cos, sin) * by
        })
    });
    let same = weights.clone().map(|weight| (Vec2::ZERO, weight));
    let aside = around.clone().map(move |shift| (shift, own.max(ASIDE)));
    let rest = around.flat_map(move |shift| weights.clone().map(move |weight| (shift, weight)));
    same.chain(aside).chain(rest)
}
