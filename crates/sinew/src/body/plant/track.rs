//! A foot over a whole clip: its way from plant to plant.

use alloc::vec::Vec;
use core::ops::Range;

use super::contact::frames;
use super::foot::{FootAt, PlantFoot};
use super::smooth::above;
use super::stance::Span;
use crate::body::walk::Terrain;
use crate::body::walk::foot::turn_to_reach;
use crate::body::walk::stride::ease;
use crate::math::*;

/// How far a leg is stretched, unless the recording stretches it further: where it was recorded, on other
/// ground, and at the most. A leg that is nearly straight snaps.
pub(super) const STRETCH: (Real, Real) = (0.996, 0.985);
pub(super) const LAST: Real = 0.9995;
/// How far a heel gives way before the hips do, and at the most, in radians.
const LENT: Real = 0.2;
const MOST_RISE: Real = 0.3;
/// How far the hips give way before a contact is shortened, in leg lengths.
const NEAR: Real = 0.003;
/// How far a stance is put nearer to the body, in leg lengths.
const NEARER: Real = 0.02;
/// Over how many seconds lifted feet look ahead and back, and rise from a contact and sink to the next one.
const LIFT: Real = 0.12;
/// How fast a foot is lifted, in leg lengths a second, if its contact can give it the time.
const LIFTED: Real = 0.5;
const HEEL: Real = 0.05;
/// A foot over the clip.
pub(super) struct Track {
    pub recorded: Vec<FootAt>,
    pub goals: Vec<FootAt>,
    /// The points of the foot but its toes, from the ankle and unturned, frame by frame.
    pub points: Vec<Vec<Vec3>>,
    /// Where the leg begins, and how long it is.
    pub bases: Vec<(Vec3, Real)>,
    pub spans: Vec<Span>,
    /// How far the leg is stretched, unless the recording stretches it further.
    pub stretch: Real,
    /// The span of every frame.
    pub span_of: Vec<Option<usize>>,
    /// How much higher the ground is than that of the recording.
    pub rise: Vec<Real>,
    /// How far the heel is raised besides so that the leg gets to the toes, in radians.
    pub heels: Vec<Real>,
}

impl Track {
    /// How far the leg may be stretched in this frame.
    pub fn reach(&self, i: usize) -> Real {
        let (base, length) = self.bases[i];
        let recorded = base.distance(self.recorded[i].place);
        recorded.max(self.stretch * length).min(LAST * length)
    }

    /// Where a flat foot is left behind and its leg would pull the hips down, the heel rises
    /// instead.
    pub fn give_way(&mut self, wanted: &[Real]) {
        let mut k = 0;
        while k < self.spans.len() {
            let span = &self.spans[k];
            let next = self.spans.get(k + 1);
            let heel_goes = next.is_none_or(|n| n.frames.start > span.frames.end || !n.heel);
            if !span.is_flat() || !heel_goes {
                k += 1;
                continue;
            }
            let last = span.frames.end;
            let least = span.frames.start + span.frames.len() / 3 + 1;
            let mut first = last;
            while first > least && self.highest(first - 1, self.goals[first - 1].place) < wanted[first - 1] {
                first -= 1;
            }
            if first < last {
                let mut toes = self.spans[k].clone();
                toes.frames = first..last;
                toes.heel = false;
                self.spans[k].frames.end = first;
                self.spans.insert(k + 1, toes);
                k += 1;
            }
            k += 1;
        }
        for (i, span) in self.spans.iter().enumerate() {
            self.span_of[span.frames.clone()].fill(Some(i));
        }
    }

    /// How far up the hips may be moved for this ankle.
    pub fn highest(&self, i: usize, ankle: Vec3) -> Real {
        let (base, _) = self.bases[i];
        let reach = self.reach(i);
        let across = Vec2::new(base.x - ankle.x, base.z - ankle.z).length();
        ankle.y + (reach * reach - across * across).max(0.0).sqrt() - base.y
    }

    /// The same for what stands in a frame: a foot on its toes lends its heel.
    pub fn highest_with(&self, foot: &PlantFoot, span: &Span, i: usize) -> Real {
        let goal = self.goals[i];
        let plain = self.highest(i, goal.place);
        if span.is_flat() || !span.toe {
            return plain;
        }
        let (point, at) = span.pivot(foot);
        let axis = goal.turn * foot.sole.left;
        let lent = FootAt::pivoted(&foot.sole, rotation::about(axis, LENT) * goal.turn, point, at);
        plain.max(self.highest(i, lent.place))
    }

    /// Raises the heels of feet that stand on their toes so far that the legs get to them.
    pub fn raise_heels(&mut self, foot: &PlantFoot, hips: &[Real], seconds: Real) {
        let mut needed = alloc::vec![0.0; self.goals.len()];
        for span in self.spans.iter().filter(|s| s.toe && !s.heel) {
            let (_, at) = span.pivot(foot);
            for i in span.frames.clone() {
                let goal = self.goals[i];
                let base = self.bases[i].0 + Vec3::Y * hips[i];
                let axis = goal.turn * foot.sole.left;
                needed[i] = turn_to_reach(base - at, goal.place - at, axis, self.reach(i), (0.0, MOST_RISE));
            }
        }
        let smooth = above(&needed, frames(HEEL, seconds).max(1));
        let ramp = frames(HEEL, seconds).max(1) as Real;
        for (k, span) in self.spans.iter().enumerate().filter(|(_, s)| s.toe && !s.heel) {
            let Range { start, end } = span.frames;
            // Beside a flat foot the heel begins and ends on the ground.
            let after_flat = k > 0 && self.spans[k - 1].frames.end == start;
            let before_flat = self.spans.get(k + 1).is_some_and(|n| n.frames.start == end);
            for i in start..end {
                let since = if after_flat { (i + 1 - start) as Real / ramp } else { 1.0 };
                let until = if before_flat { (end - i) as Real / ramp } else { 1.0 };
                self.heels[i] = (smooth[i] * ease(since.min(until))).max(needed[i]);
            }
        }
    }

    /// A contact that the leg does not get to yet, or no longer, begins later or ends sooner.
    pub fn let_go(&mut self, foot: &PlantFoot, wanted: &[Real]) {
        let near = NEAR * foot.length;
        for k in 0..self.spans.len() {
            let span = self.spans[k].clone();
            let Range { mut start, mut end } = span.frames;
            let most = (end - start) / 3;
            let last = self.spans.get(k + 1).is_none_or(|n| n.frames.start > end);
            let first = k == 0 || self.spans[k - 1].frames.end < start;
            let short = |i: usize| self.highest_with(foot, &span, i) < wanted[i] - near;
            while last && end > start + 1 && span.frames.end - end < most && short(end - 1) {
                end -= 1;
            }
            while first && end > start + 1 && start - span.frames.start < most && short(start) {
                start += 1;
            }
            self.shorten(k, start..end);
        }
    }

    /// A contact lasts for these of its frames.
    fn shorten(&mut self, k: usize, frames: Range<usize>) {
        self.span_of[self.spans[k].frames.clone()].fill(None);
        self.span_of[frames.clone()].fill(Some(k));
        self.spans[k].frames = frames;
    }

    /// A contact beside which the foot is far under the ground ends sooner, or begins later: in the few frames that the
    /// recording has for its own step it would be thrown onto the next one.
    pub fn leave_in_time(&mut self, foot: &PlantFoot, terrain: &dyn Terrain, seconds: Real) {
        let under = self.under(foot, terrain);
        let frame = LIFTED * foot.length * seconds;
        // How many frames more a lift would take than there are between it and the contact.
        let missing = |i: usize, between: usize| ((under[i] / frame).ceil() as usize).saturating_sub(between);
        let near = frames(LIFT, seconds);
        for k in 0..self.spans.len() {
            let Range { start, end } = self.spans[k].frames;
            let before = k.checked_sub(1).map_or(0, |k| self.spans[k].frames.end);
            let after = self.spans.get(k + 1).map_or(under.len(), |next| next.frames.start);
            let sooner = (end..after.min(end + near)).map(|i| missing(i, i + 1 - end)).max();
            let later = (before.max(start.saturating_sub(near))..start).map(|i| missing(i, start - i)).max();
            let most = (end - start) / 3;
            let [later, sooner] = [later, sooner].map(|frames| frames.unwrap_or(0).min(most));
            self.shorten(k, start + later..end - sooner);
        }
    }

    /// Puts stances a little nearer to the body whose legs would pull the hips down further than they may go: all of a
    /// stance goes together, along the leg to the hip in the frame in which most is missing.
    pub fn come_nearer(&mut self, foot: &PlantFoot, wanted: &[Real], most: Real) {
        let mut first = 0;
        while first < self.spans.len() {
            let mut last = first;
            while self.spans.get(last + 1).is_some_and(|n| n.frames.start == self.spans[last].frames.end) {
                last += 1;
            }
            let mut worst = (0.0, Vec3::ZERO);
            for span in &self.spans[first..=last] {
                for i in span.frames.clone() {
                    let missing = wanted[i] - most - self.highest_with(foot, span, i);
                    let ankle = self.goals[i].place;
                    let away = self.bases[i].0 - ankle;
                    if missing > worst.0 {
                        // The shortest way is along the leg. Under the hip a way over the ground would gain nothing,
                        // however far it went: there it is the recording that has the foot higher for a while.
                        let up = direction_or(away, Vec3::Y);
                        worst = (missing, up * (missing * up.y.max(0.0)).min(NEARER * foot.length));
                    }
                }
            }
            for span in &mut self.spans[first..=last] {
                span.plant.heel += worst.1;
                span.plant.toe += worst.1;
            }
            first = last + 1;
        }
    }

    /// The spans before and after a frame in the air.
    fn around(&self, i: usize) -> (Option<&Span>, Option<&Span>) {
        let next = self.spans.partition_point(|s| s.frames.start <= i);
        (next.checked_sub(1).and_then(|k| self.spans.get(k)), self.spans.get(next))
    }

    /// The way of the foot over the ground of its plants.
    pub fn go(&mut self, foot: &PlantFoot, ground: Option<(&dyn Terrain, Real)>, fade: Real, seconds: Real) {
        let count = self.recorded.len();
        let sole = &foot.sole;
        let height = |span: &Span| ground.map_or(0.0, |(_, level)| span.plant.middle().y - level - span.over);
        let free = |i: usize| {
            let at = self.recorded[i].place;
            ground.map_or(0.0, |(terrain, level)| terrain.height(at.x, at.z) - level)
        };
        let mut tilts = Vec::with_capacity(count);
        let mut rise = Vec::with_capacity(count);
        for i in 0..count {
            if let Some(span) = self.span_of[i].map(|s| &self.spans[s]) {
                rise.push(height(span));
                tilts.push(span.tilt(sole));
                continue;
            }
            match self.around(i) {
                (Some(a), Some(b)) => {
                    let (last, first) = (a.frames.end - 1, b.frames.start);
                    let time = ease((i - last) as Real / (first - last) as Real);
                    let way = self.way(last, first, i, foot.length).unwrap_or(time);
                    rise.push(height(a) + (height(b) - height(a)) * way);
                    let turn = rotation::log(a.tilt(sole).conjugate() * b.tilt(sole));
                    tilts.push(a.tilt(sole) * rotation::exp(turn * time));
                }
                // Before the first and after the last contact the clip's ends stand for one.
                (Some(a), None) => {
                    let (last, end) = (a.frames.end - 1, count - 1);
                    let time = ease((i - last) as Real / (end - last) as Real);
                    let way = self.way(last, end, i, foot.length).unwrap_or(time);
                    rise.push(height(a) + (free(end) - height(a)) * way);
                    tilts.push(a.tilt(sole));
                }
                (None, Some(b)) => {
                    let first = b.frames.start;
                    let time = ease(i as Real / first as Real);
                    let way = self.way(0, first, i, foot.length).unwrap_or(time);
                    rise.push(free(0) + (height(b) - free(0)) * way);
                    tilts.push(b.tilt(sole));
                }
                (None, None) => {
                    rise.push(free(i));
                    tilts.push(Quat::IDENTITY);
                }
            }
        }
        self.rise = rise;
        let tilted = |i: usize| tilts[i] * self.recorded[i].turn;
        let fade = frames(fade, seconds).max(1);
        // How a flat foot is turned besides, fading out and in around it.
        let mut turns: Vec<Option<Vec3>> = alloc::vec![None; count];
        for span in self.spans.iter().filter(|s| s.is_flat()) {
            for i in span.frames.clone() {
                turns[i] = Some(rotation::log(span.turn(sole) * tilted(i).conjugate()));
            }
        }
        // A heel that is raised comes down again in the air, and so do toes.
        let mut turns: Vec<Option<Vec3>> = faded(&turns, fade).into_iter().map(Some).collect();
        for (i, turn) in turns.iter_mut().enumerate() {
            let (Some(span), Some(own)) = (self.span_of[i].map(|s| &self.spans[s]), *turn) else {
                *turn = None;
                continue;
            };
            let now = rotation::exp(own) * tilted(i);
            let tips = span.tips(sole, now);
            if self.heels[i] > 0.0 || tips != 0.0 {
                // Heels are raised for the legs' sake from where the ground has them.
                let raised = rotation::about(now * sole.left, tips + self.heels[i]) * now;
                *turn = Some(rotation::log(raised * tilted(i).conjugate()));
            }
        }
        let turns = faded(&turns, fade);
        let turn = |i: usize| rotation::exp(turns[i]) * tilted(i);
        let raised = |i: usize| self.recorded[i].place + Vec3::Y * self.rise[i];
        let mut shifts: Vec<Option<Vec3>> = alloc::vec![None; count];
        for span in &self.spans {
            let (point, at) = span.pivot(foot);
            for i in span.frames.clone() {
                shifts[i] = Some(FootAt::pivoted(sole, turn(i), point, at).place - raised(i));
            }
        }
        let shifts = faded(&shifts, fade);
        self.goals = (0..count).map(|i| FootAt { place: raised(i) + shifts[i], turn: turn(i) }).collect();
    }

    /// What part of the way over the ground from one contact to the next is behind, if there is a way.
    fn way(&self, last: usize, first: usize, i: usize, leg: Real) -> Option<Real> {
        let at = |i: usize| Vec2::new(self.recorded[i].place.x, self.recorded[i].place.z);
        let whole = at(first) - at(last);
        (whole.length() > 0.1 * leg)
            .then(|| ((at(i) - at(last)).dot(whole) / whole.length_squared()).clamp(0.0, 1.0))
    }

    /// How deep the foot is in the ground in the air, frame by frame.
    fn under(&self, foot: &PlantFoot, terrain: &dyn Terrain) -> Vec<Real> {
        let under = |i: usize| {
            if self.span_of[i].is_some() {
                return 0.0;
            }
            let at = self.goals[i];
            let own = self.points[i].iter().map(|&p| at.place + at.turn * p);
            own.map(|p| terrain.height(p.x, p.z) - p.y).fold(at.under(&foot.sole, terrain), Real::max)
        };
        (0..self.goals.len()).map(under).collect()
    }

    /// Lifts the foot over the ground where it would touch it in the air.
    pub fn lift(&mut self, foot: &PlantFoot, terrain: &dyn Terrain, seconds: Real) {
        let under = self.under(foot, terrain);
        let lifts = self.in_the_air(&under, seconds);
        for (goal, lift) in self.goals.iter_mut().zip(lifts) {
            goal.place.y += lift;
        }
    }

    /// How far a foot is lifted that would be so far under the ground in the air: in time before it
    /// and after it, and not at all where it stands.
    pub fn in_the_air(&self, under: &[Real], seconds: Real) -> Vec<Real> {
        let smooth = above(under, frames(LIFT, seconds).max(1));
        let edge = frames(LIFT, seconds).max(1) as Real;
        let lift = |i: usize| {
            if self.span_of[i].is_some() {
                return 0.0;
            }
            let (before, after) = self.around(i);
            let since = before.map_or(edge, |s| (i + 1 - s.frames.end) as Real);
            let until = after.map_or(edge, |s| (s.frames.start - i) as Real);
            (smooth[i] * ease(since.min(until) / edge)).max(under[i])
        };
        (0..under.len()).map(lift).collect()
    }
}

/// Values where there are some; where there is none, the last one fading out and the next one
/// fading in, each over so many frames at the most.
fn faded(values: &[Option<Vec3>], fade: usize) -> Vec<Vec3> {
    let count = values.len();
    let mut after: Vec<Option<usize>> = alloc::vec![None; count];
    let mut next = None;
    for i in (0..count).rev() {
        if values[i].is_some() {
            next = Some(i);
        }
        after[i] = next;
    }
    let mut last: Option<usize> = None;
    (0..count)
        .map(|i| {
            if let Some(value) = values[i] {
                last = Some(i);
                return value;
            }
            let time = match (last, after[i]) {
                (Some(a), Some(b)) => fade.min(b - a),
                _ => fade,
            } as Real;
            let part = |k: usize| 1.0 - ease(i.abs_diff(k) as Real / time);
            let value = |k: Option<usize>| k.and_then(|k| Some(values[k]? * part(k))).unwrap_or(Vec3::ZERO);
            value(last) + value(after[i])
        })
        .collect()
}
