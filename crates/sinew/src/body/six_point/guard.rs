//! What is believed of the trackers.
//!
//! Every point keeps its last position. A new one is taken if it is finite, if
//! the body can have it, and if it does not jump against the others: the median
//! step of the points that are seen is the body's, and whoever goes further than
//! [`SixPointOptions::point_speed`] allows beyond it is followed at that speed. So a whole body
//! that is put elsewhere goes at once, and one point alone cannot.
//!
//! Pelvis and head vouch for each other, and where one of them is gone the limbs for the other.
//!
//! A point that is not taken is filled in: it goes where the pelvis goes (pelvis
//! and head go with each other, wrists turn with the body), ankles not below the ground that the rest stands
//! on. When its tracker comes back it fades in (`returning.rs`). A point that was never seen at all is made up by `fill.rs`.
//!
//! # The bound
//! Seen from the body's own step, no point that is used moves faster than `speed`, whatever the
//! trackers say.

use super::fill::Fill;
use super::options::SixPointOptions;
use super::points::{Point, Trackers};
use super::report::Source;
use super::returning::PositionBack;
use super::stance::Kneeling;
use crate::math::*;

/// A core point: one of the first six.
const CORE: usize = 6;
/// How far the body must have gone, in metres, before a point that stands still is frozen.
const FROZEN_WAY: Real = 0.05;

/// What a body can have, measured at rest.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    /// The straight spine.
    pub spine: Real,
    /// From the pelvis to a stretched wrist, and to a stretched ankle, at the most.
    pub wrist: Real,
    pub ankle: Real,
    /// The six points at rest relative to the pelvis, as the body sees them, ankles as it stands
    /// ([`stood_on`](super::foot::stood_on)).
    pub rest: [Vec3; CORE],
    /// How high the ankles stand at rest, in model space, along `up`.
    pub ground: Real,
    pub up: Vec3,
    /// Where the pelvis stands at rest, in model space.
    pub pelvis: Vec3,
    /// From wrist to wrist with the arms stretched.
    pub span: Real,
    /// How far below the pelvis the hips are at rest.
    pub hips: Real,
    /// From the pelvis to the middle of the ankles at rest.
    pub leg: Real,
    /// How high the pelvis is over the ankles at rest, and the ankles over the balls of the feet.
    pub standing: Real,
    pub ankle_height: Real,
    pub thigh: Real,
    /// How far from its hip an ankle can be.
    pub reach: [Real; 2],
    /// From the pelvis to the hips, and from the ankles to the balls of the feet, as the body sees them.
    pub hip: [Vec3; 2],
    pub ball: [Vec3; 2],
    /// Legs that kneel, and how high the pelvis is at least over the ankles of flat feet when somebody squats or kneels.
    pub kneeling: [Kneeling; 2],
    pub folded: Real,
    /// From the pelvis to the shoulders, as the body sees them.
    pub shoulder: [Vec3; 2],
    /// Where wrists hang, relative to the pelvis as the body sees it.
    pub hang: [Vec3; 2],
}

impl Bounds {
    /// How far from the pelvis a wrist or ankle can be, by its place among the six.
    fn limb(&self, i: usize) -> Real {
        if i < 4 { self.wrist } else { self.ankle }
    }

    /// How high the ankles are over the floor: as at rest if that stands on the origin's, else as people's are.
    pub(super) fn ankle_over_floor(&self) -> Real {
        let usual = (self.ankle_height + 0.015 * self.standing).max(0.08 * self.standing);
        if (0.0..0.2 * self.standing).contains(&self.ground) { self.ground } else { usual }
    }

    /// From the ankle to the ball of the foot, along the floor.
    pub(super) fn ball_length(&self) -> Real {
        self.ball[0].z.abs().max(self.ball[1].z.abs())
    }
}

/// The body cannot have the point there.
fn refuse(given: &mut Option<Vec3>, source: &mut Source) {
    *given = None;
    if *source != Source::Frozen {
        *source = Source::Implausible;
    }
}

/// What was believed so far.
#[derive(Debug, Clone, Copy)]
pub(super) struct Guard {
    /// Where the points were taken to be.
    last: [Vec3; CORE],
    /// What the trackers said last, bit for bit, and for how many seconds.
    said: [Option<Vec3>; CORE],
    still: [Real; CORE],
    /// How far the body has gone since the point stood still.
    gone: [Real; CORE],
    /// Those that come back.
    back: [PositionBack; CORE],
    /// The body's frame in the frame before the last one.
    body: Quat,
    /// The points that nobody tracks.
    fill: Fill,
    started: bool,
}

impl Guard {
    /// Nothing was seen so far, and the pelvis stands here.
    pub(super) fn new(pelvis: Vec3) -> Self {
        Self {
            last: [pelvis; CORE],
            said: [None; CORE],
            still: [0.0; CORE],
            gone: [0.0; CORE],
            back: Default::default(),
            body: Quat::IDENTITY,
            fill: Fill::NEW,
            started: false,
        }
    }

    /// Reads what it remembers ahead of its use, see [`lines`](crate::math::lines).
    #[inline]
    pub(super) fn read(&self) -> Real {
        lines::read(&self.last, |p| p.x)
            + lines::read(&self.said, |p| p.map_or(0.0, |p| p.x))
            + lines::read(&self.still, |t| *t)
            + lines::read(&self.back, PositionBack::number)
    }

    /// What was made up.
    #[inline]
    pub(super) fn fill(&self) -> &Fill {
        &self.fill
    }

    /// The six points of this frame, and where each came from. `body` is the
    /// body's frame in model space in the frame before, `lefts` where the trackers of head and
    /// pelvis have the body's left.
    #[allow(clippy::too_many_arguments)] // one place calls it
    pub(super) fn take(
        &mut self,
        trackers: &Trackers,
        (body, lefts): (Quat, [Option<Vec3>; 2]),
        bounds: &Bounds,
        options: &SixPointOptions,
        dt: Real,
        sources: &mut [Source; Point::COUNT],
    ) -> [Vec3; CORE] {
        let mut given = [None; CORE];
        for (i, point) in Point::ALL.into_iter().enumerate() {
            let position = trackers.position(point);
            sources[i] = match position {
                None => Source::Missing,
                Some(p) if !(p.is_finite() && p.length_squared().is_finite()) => Source::NotFinite,
                Some(_) => Source::Measured,
            };
            if i < CORE && sources[i] == Source::Measured {
                given[i] = position;
            }
        }
        // What comes back says nothing of the body's step, unless nothing else is there.
        let mut steady = given;
        for (given, back) in steady.iter_mut().zip(&self.back) {
            *given = given.filter(|_| back.is_steady());
        }
        let known = if steady.iter().any(Option::is_some) { &steady } else { &given };
        let step = if self.started { self.body_step(known) } else { Vec3::ZERO };
        self.freeze(&given, step, (options.frozen, dt), sources);
        if !self.started {
            self.place_at_rest(&given, body, bounds);
        }
        let any = given.iter().any(Option::is_some);
        // Where what is lost is carried by the body, as it turns.
        let turn = if self.started { body * self.body.conjugate() } else { Quat::IDENTITY };
        self.body = body;
        for i in 0..CORE {
            let fades;
            (given[i], fades) = match self.started {
                true => self.back[i].take(given[i], self.last[i] + step, dt),
                false => {
                    self.back[i].start(given[i].is_some());
                    (given[i], false)
                }
            };
            if fades && sources[i] == Source::Measured {
                sources[i] = Source::CatchingUp;
            }
        }
        // Where each point would be if it went with the body.
        let mut taken = self.last.map(|p| p + step);
        let fresh = !self.started;
        let limit = options.point_speed * dt;
        if step.length() > limit {
            self.fill.shift(step, bounds);
        }
        // A head that jumps takes nobody along faster than it is believed.
        let said = given;
        if let (false, Some(head)) = (fresh, &mut given[1]) {
            *head = taken[1] + (*head - taken[1]).clamp_length_max(limit);
        }
        self.fill.fill(&mut given, body, bounds, options.ground, dt, &self.last, lefts);
        given[1] = said[1];
        let follow = |from: Vec3, to: Vec3, source: &mut Source| {
            let way = to - from;
            let length = way.length();
            if fresh || length <= limit {
                return to;
            }
            if *source == Source::Measured {
                *source = Source::CatchingUp;
            }
            from + way * (limit / length)
        };
        let slack = 1.0 + options.stretch.max(0.0);
        // Pelvis and head vouch for each other; of a pair that cannot be, the one
        // that left its place is wrong.
        if let (Some(pelvis), Some(head)) = (given[0], given[1])
            && pelvis.distance(head) > bounds.spine * slack
        {
            let wrong = usize::from(head.distance(taken[1]) > pelvis.distance(taken[0]));
            refuse(&mut given[wrong], &mut sources[wrong]);
        }
        let apart = self.last[1] - self.last[0];
        // Where only one of the two is left, the limbs vouch for it: if it leaves its place for where
        // half of them could not reach the pelvis, it is wrong, and would carry the body along.
        let alone = match (given[0], given[1]) {
            (Some(pelvis), None) => Some((0, pelvis, pelvis)),
            (None, Some(head)) => Some((1, head, head - apart)),
            _ => None,
        };
        if let Some((which, claimed, pelvis)) = alone
            && claimed.distance(taken[which]) > limit
        {
            let far = |(i, p): (usize, Vec3)| p.distance(pelvis) > bounds.limb(i) * slack;
            let limbs = (2..CORE).filter_map(|i| Some((i, given[i]?)));
            let (seen, against) = limbs.fold((0, 0), |(n, no), limb| (n + 1, no + usize::from(far(limb))));
            if seen >= 2 && 2 * against >= seen {
                refuse(&mut given[which], &mut sources[which]);
            }
        }
        match (given[0], given[1]) {
            (Some(pelvis), Some(head)) => {
                taken[0] = follow(taken[0], pelvis, &mut sources[0]);
                taken[1] = follow(taken[1], head, &mut sources[1]);
            }
            (Some(pelvis), None) => {
                taken[0] = follow(taken[0], pelvis, &mut sources[0]);
                taken[1] = taken[0] + apart;
            }
            (None, Some(head)) => {
                taken[1] = follow(taken[1], head, &mut sources[1]);
                taken[0] = taken[1] - apart;
            }
            (None, None) => {}
        }
        let carried = taken[0] - self.last[0];
        for i in 2..CORE {
            let from_pelvis = self.last[i] - self.last[0];
            let from_pelvis = if i < 4 { turn * from_pelvis } else { from_pelvis };
            let with_body = self.last[0] + from_pelvis + carried;
            if given[i].is_some_and(|p| p.distance(taken[0]) > bounds.limb(i) * slack) {
                refuse(&mut given[i], &mut sources[i]);
            }
            taken[i] = match given[i] {
                Some(p) => follow(taken[i], p, &mut sources[i]),
                None => {
                    let mut filled = with_body;
                    if i >= 4 {
                        let below = bounds.ground - filled.dot(bounds.up);
                        if below > 0.0 && !fresh {
                            filled += bounds.up * below.min(limit);
                        }
                    }
                    filled
                }
            };
        }
        self.last = taken;
        self.started |= any;
        taken
    }

    /// The median step of the points that are seen, axis by axis.
    fn body_step(&self, given: &[Option<Vec3>; CORE]) -> Vec3 {
        let mut steps = [Vec3::ZERO; CORE];
        let mut count = 0;
        for (given, last) in given.iter().zip(&self.last) {
            if let Some(p) = given {
                steps[count] = *p - *last;
                count += 1;
            }
        }
        // Of two points nobody knows which jumped.
        if count < 3 {
            return Vec3::ZERO;
        }
        // So few are sorted fastest without a branch, all axes at once.
        for end in (1..count).rev() {
            for i in 0..end {
                let (a, b) = (steps[i], steps[i + 1]);
                (steps[i], steps[i + 1]) = (a.min(b), a.max(b));
            }
        }
        0.5 * (steps[(count - 1) / 2] + steps[count / 2])
    }

    fn freeze(
        &mut self,
        given: &[Option<Vec3>; CORE],
        step: Vec3,
        (frozen, dt): (Real, Real),
        sources: &mut [Source; Point::COUNT],
    ) {
        let step = step.length();
        for i in 0..CORE {
            let same = given[i].is_some() && given[i] == self.said[i];
            self.still[i] = if same { self.still[i] + dt } else { 0.0 };
            self.gone[i] = if same { self.gone[i] + step } else { 0.0 };
            if same && self.still[i] >= frozen && self.gone[i] > FROZEN_WAY {
                sources[i] = Source::Frozen;
            }
            self.said[i] = given[i];
        }
    }

    /// The rest pose, put where the points that are seen say.
    fn place_at_rest(&mut self, given: &[Option<Vec3>; CORE], body: Quat, bounds: &Bounds) {
        let rest = bounds.rest.map(|p| body * p);
        let anchor = (0..CORE).find_map(|i| given[i].map(|p| p - rest[i]));
        let anchor = anchor.unwrap_or(self.last[0]);
        self.last = rest.map(|p| anchor + p);
    }
}
