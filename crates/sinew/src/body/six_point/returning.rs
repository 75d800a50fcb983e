//! Trackers that are lost for a while and come back.
//!
//! A point that comes back is somewhere else than where it was carried meanwhile. It is used where it is
//! measured, but for what it is off at that moment, which fades away: soon there is nothing between the tracker and
//! the body, and nothing jumps. The further it is off, the longer that takes, by [`PACE`].
//!
//! A head whose orientation is lost stays turned against the body as it was; hands and feet
//! keep their turn against the forearm or the shin by themselves. What it says of where the body is turned
//! fades away, since it would turn the body on and on. An orientation that comes back starts from how its joint is turned, and fades in likewise.

use super::points::{Point, Trackers};
use super::unit;
use crate::math::*;

/// Seconds that a fade takes at least, and how fast it goes on average beyond that, in metres and in radians a second.
const SHORTEST: Real = 0.1;
const PACE: (Real, Real) = (3.0, 6.0);

/// Seconds after which an orientation that is lost says nothing more of where the body is turned, and one that came back
/// says all.
const TRUST_TIME: Real = 0.3;

/// What is left of an offset: all of it at the start, nothing after so many seconds, without a jerk.
fn fade(since: Real, seconds: Real) -> Real {
    let t = (since / seconds.max(TINY)).clamp(0.0, 1.0);
    1.0 - t * t * (3.0 - 2.0 * t)
}

/// A position that fades in.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PositionBack {
    off: Vec3,
    since: Real,
    seen: bool,
}

impl PositionBack {
    /// Where a point is used that is measured there and would be at `carried` if it were not seen; `None` where
    /// it is not measured. Whether it fades in is the second.
    pub(super) fn take(&mut self, measured: Option<Vec3>, carried: Vec3, dt: Real) -> (Option<Vec3>, bool) {
        let Some(at) = measured else {
            self.seen = false;
            return (None, false);
        };
        if !self.seen {
            *self = Self { off: carried - at, since: 0.0, seen: true };
        }
        if self.off == Vec3::ZERO {
            return (Some(at), false);
        }
        self.since += dt;
        let left = fade(self.since, SHORTEST + self.off.length() / PACE.0);
        if left <= 0.0 || !self.off.is_finite() {
            self.off = Vec3::ZERO;
        }
        (Some(at + self.off * left), left > 0.0)
    }

    /// One of its numbers.
    #[inline]
    pub(super) fn number(&self) -> Real {
        self.since
    }

    /// Whether it was seen in the frame before, and used as it was.
    pub(super) fn is_steady(&self) -> bool {
        self.seen && self.off == Vec3::ZERO
    }

    /// Nothing is to be faded: a first frame.
    pub(super) fn start(&mut self, measured: bool) {
        *self = Self { seen: measured, ..Self::default() };
    }
}

/// An orientation that is held while it is lost, and fades in.
#[derive(Debug, Clone, Copy)]
struct TurnBack {
    off: Quat,
    since: Real,
    /// How the body saw it last, if it was ever seen.
    held: Option<Quat>,
    seen: bool,
    /// How much it says of where the body is turned, from 0 to 1.
    trust: Real,
}

/// The orientations of all points.
#[derive(Debug, Clone)]
pub(super) struct TurnsBack {
    points: [TurnBack; Point::COUNT],
    /// Whether none was seen in the frame before and none is trusted: then nothing changes until one is seen.
    quiet: bool,
}

impl Default for TurnsBack {
    fn default() -> Self {
        let never = TurnBack { off: Quat::IDENTITY, since: 0.0, held: None, seen: false, trust: 1.0 };
        Self { points: [never; Point::COUNT], quiet: false }
    }
}

impl TurnsBack {
    /// Whether trackers are used as they are, and nothing is to be remembered of them.
    #[inline]
    pub(super) fn leaves(&self, turned: bool) -> bool {
        self.quiet && !turned
    }

    /// The trackers as they are used. `body` is the body's frame in the frame before, if there was one; `now` says how
    /// a point's joint is turned there.
    pub(super) fn take(
        &mut self,
        trackers: &Trackers,
        body: Option<Quat>,
        now: impl Fn(Point) -> Option<Quat>,
        dt: Real,
    ) -> Trackers {
        let mut used = *trackers;
        for (point, back) in Point::ALL.into_iter().zip(&mut self.points) {
            let measured = trackers.orientation(point).and_then(unit);
            if let Some(turn) = back.take(measured, body, || now(point), dt) {
                used.set(point, trackers.position(point), Some(turn));
            }
        }
        self.quiet = self.points.iter().all(|back| !back.seen && back.trust <= 0.0);
        used
    }

    /// How much the orientation of a point says of where the body is turned, from 0 to 1.
    pub(super) fn trust(&self, point: Point) -> Real {
        self.points[point.index()].trust
    }

    /// How a point whose orientation was seen and is lost is turned with a body.
    pub(super) fn held(&self, point: Point, body: Quat) -> Option<Quat> {
        let back = &self.points[point.index()];
        back.held.filter(|_| !back.seen).map(|held| (body * held).normalize())
    }
}

impl TurnBack {
    /// The orientation that is used instead of the one that is measured.
    fn take(
        &mut self,
        measured: Option<Quat>,
        body: Option<Quat>,
        now: impl Fn() -> Option<Quat>,
        dt: Real,
    ) -> Option<Quat> {
        let towards = if measured.is_some() { 1.0 } else { 0.0 };
        let step = if body.is_some() { dt / TRUST_TIME } else { 1.0 };
        self.trust += (towards - self.trust).clamp(-step, step);
        let Some(turn) = measured else {
            self.seen = false;
            return None;
        };
        if !self.seen {
            let was = body.and_then(|_| now());
            self.off = was.map_or(Quat::IDENTITY, |was| (was * turn.conjugate()).normalize());
            (self.since, self.seen) = (0.0, true);
        }
        self.held = body.map(|body| (body.conjugate() * turn).normalize());
        if self.off == Quat::IDENTITY {
            return None;
        }
        self.since += dt;
        let off = rotation::log(self.off);
        let left = fade(self.since, SHORTEST + off.length() / PACE.1);
        if left <= 0.0 || !off.is_finite() {
            self.off = Quat::IDENTITY;
            return None;
        }
        Some((rotation::exp(off * left) * turn).normalize())
    }
}
