//! All limits at once on a raster of swivel angles.
//!
//! Where the wanted angle is not allowed and no edge near it is the answer, the whole circle has
//! to be looked at. Every rotation of the limb is linear in the half angle's cosine and sine, and
//! a gauge is multiplications and square roots, so the looks of a raster are the same few
//! operations on many numbers: written without branches, in rows, they are done several at a time.
//!
//! A view of a part is looked at in the same way, with fewer looks that are closer together; that is
//! how peaks and edges are found between two looks of the circle.
//!
//! A raster does not see what is narrower than its step. As in `limb/arcs.rs`, between two looks a
//! margin rises by at most half of the larger drop beside it ([`may_rise`]), unless a twist goes
//! round faster than the swivel angle ([`is_swift`]).

use super::gauge::{Gauge, swing_ratio_flat};
use super::hand::Room;
use super::quick::{Seen, SeenEnd};
use crate::math::*;

/// Looks a turn, each 11.25° from the next.
pub(super) const LOOKS: usize = 32;
/// Looks of a closer view of a part.
pub(super) const CLOSE: usize = 8;

/// A number for each look.
pub(super) type Row<const N: usize> = [Real; N];

/// Where is looked: the cosines and sines of half angles.
pub(super) struct View<const N: usize> {
    cosines: Row<N>,
    sines: Row<N>,
}

/// The whole circle, from −π on.
pub(super) const CIRCLE: View<LOOKS> = View { cosines: COSINES, sines: SINES };

impl<const N: usize> View<N> {
    /// The half angle of a look.
    #[inline(always)]
    pub fn half(&self, look: usize) -> Vec2 {
        Vec2::new(self.cosines[look], self.sines[look])
    }

    /// The ways from a half angle, as tangents of half the angle between.
    #[inline(always)]
    pub fn from(half: Vec2, ways: &Row<N>) -> Self {
        let scale: Row<N> = row(|i| 1.0 / (1.0 + ways[i] * ways[i]).sqrt());
        Self {
            cosines: row(|i| (half.x - half.y * ways[i]) * scale[i]),
            sines: row(|i| (half.y + half.x * ways[i]) * scale[i]),
        }
    }
}

#[inline(always)]
pub(super) fn row<const N: usize>(mut of: impl FnMut(usize) -> Real) -> Row<N> {
    let mut row = [0.0; N];
    for i in 0..N {
        row[i] = of(i);
    }
    row
}

/// Rotations, one for each look.
struct Rotations<const N: usize> {
    x: Row<N>,
    y: Row<N>,
    z: Row<N>,
    w: Row<N>,
}

impl<const N: usize> Rotations<N> {
    #[inline(always)]
    fn family(seen: &Seen, at: &View<N>) -> Self {
        let (a, b, c, s) = (seen.start, seen.half, &at.cosines, &at.sines);
        Self {
            x: row(|i| a.x * c[i] + b.x * s[i]),
            y: row(|i| a.y * c[i] + b.y * s[i]),
            z: row(|i| a.z * c[i] + b.z * s[i]),
            w: row(|i| a.w * c[i] + b.w * s[i]),
        }
    }
}

/// What is left of the limits at every look, in radians near the edges.
pub(super) struct Raster<const N: usize> {
    pub base: Row<N>,
    pub hand_swing: Row<N>,
    pub hand_twist: Row<N>,
}

/// What the joints' limits see at every swivel angle.
pub(super) struct Families<'a> {
    pub base: (&'a Gauge, Seen),
    pub end: Option<EndFamily<'a>>,
}

impl Families<'_> {
    /// All limits, with the forearm's twist by the rule.
    #[inline(never)]
    pub fn raster<const N: usize>(&self, at: &View<N>) -> Raster<N> {
        let (hand_swing, hand_twist) = match &self.end {
            Some(end) => {
                let rule = end.gauge.twist.as_ref().map_or(Vec2::X, |t| t.least);
                end.margins(at, |_| rule)
            }
            None => ([1.0; N], [1.0; N]),
        };
        Raster { base: self.base(at), hand_swing, hand_twist }
    }

    /// The base's limit.
    #[inline(always)]
    pub fn base<const N: usize>(&self, at: &View<N>) -> Row<N> {
        let (gauge, seen) = &self.base;
        let (swing, twist) = margins(gauge, &Rotations::family(seen, at));
        row(|i| least(swing[i], twist[i]))
    }
}

impl<const N: usize> Raster<N> {
    /// All limits together.
    #[inline(always)]
    pub fn all(&self) -> Row<N> {
        row(|i| least(self.base[i], least(self.hand_swing[i], self.hand_twist[i])))
    }
}

/// What the end joint sees at every swivel angle, and how far the forearm can go.
pub(super) struct EndFamily<'a> {
    pub gauge: &'a Gauge,
    pub seen: SeenEnd,
    pub room: &'a Room,
}

impl EndFamily<'_> {
    /// What is left of swing and twist when the forearm leaves the end joint this twist, as far as
    /// it goes.
    #[inline(always)]
    fn margins<const N: usize>(&self, at: &View<N>, leave: impl Fn(usize) -> Vec2) -> (Row<N>, Row<N>) {
        let mut seen = Rotations::family(&self.seen.own, at);
        if !self.room.is_none() {
            let turned = Rotations::family(&self.seen.turned, at);
            let (cosines, sines) = held(self.room, leave, &seen, &turned);
            seen.x = row(|i| seen.x[i] * cosines[i] - turned.x[i] * sines[i]);
            seen.y = row(|i| seen.y[i] * cosines[i] - turned.y[i] * sines[i]);
            seen.z = row(|i| seen.z[i] * cosines[i] - turned.z[i] * sines[i]);
            seen.w = row(|i| seen.w[i] * cosines[i] - turned.w[i] * sines[i]);
        }
        margins(self.gauge, &seen)
    }

    /// What is left of both where the twist that is asked for is allowed, and so is the one that is
    /// had unless the forearm is held.
    #[inline(never)]
    pub fn left<const N: usize>(&self, at: &View<N>, leave: impl Fn(usize) -> Vec2) -> Row<N> {
        let (swing, twist) = self.margins(at, leave);
        row(|i| if twist[i] > 0.0 { swing[i] } else { least(swing[i], twist[i]) })
    }
}

/// The ways of a closer view of a look: towards the looks beside it on both sides, which are a
/// `step` away, in fifths. The look itself is known.
#[inline]
pub(super) fn around(step: Real) -> Row<CLOSE> {
    row(|i| (0.2 * step) * [-4.0, -3.0, -2.0, -1.0, 1.0, 2.0, 3.0, 4.0][i])
}

/// Whether a margin that is negative at a look may be positive beside it, though not at the next
/// looks.
#[inline(always)]
pub(super) fn may_rise(before: Real, here: Real, after: Real) -> bool {
    (here >= before) & (here >= after) & ((3.0 * here >= before) | (3.0 * here >= after))
}

/// Whether the twist of a family goes round more than three times as fast as the swivel angle
/// somewhere: then a raster does not show it.
#[inline]
pub(super) fn is_swift(seen: &Seen) -> bool {
    let (start, half) = (seen.start, seen.half);
    // (w, z) goes round an ellipse; the speed is the ratio of its axes.
    let a = start.z * start.z + start.w * start.w;
    let b = half.z * half.z + half.w * half.w;
    let c = start.z * half.z + start.w * half.w;
    let (middle, spread) = (0.5 * (a + b), (0.25 * (a - b) * (a - b) + c * c).sqrt());
    9.0 * (middle - spread) < middle + spread
}

/// `min` without its care for what is not a number.
#[inline(always)]
fn least(a: Real, b: Real) -> Real {
    if a < b { a } else { b }
}

/// What [`Quick::leaving`](super::quick::Quick::leaving) does, for every look: the cosines and sines of
/// half of the forearm's twist.
#[inline(always)]
fn held<const N: usize>(
    room: &Room,
    leave: impl Fn(usize) -> Vec2,
    seen: &Rotations<N>,
    turned: &Rotations<N>,
) -> (Row<N>, Row<N>) {
    let (low, high) = room.ends();
    let whole = room.is_whole();
    let (mut cosines, mut sines) = ([0.0; N], [0.0; N]);
    for i in 0..N {
        let rule = leave(i);
        let a = seen.z[i] * rule.x - seen.w[i] * rule.y;
        let b = turned.z[i] * rule.x - turned.w[i] * rule.y;
        let squared = a * a + b * b + TINY;
        let scale = (1.0 / squared.sqrt()).copysign(b);
        let (x, y) = (b * scale, a * scale);
        let above = y * low.x - x * low.y >= 0.0;
        let below = y * high.x - x * high.y <= 0.0;
        let nearer_low = (x * low.x + y * low.y).abs() >= (x * high.x + y * high.y).abs();
        let end_x = if nearer_low { low.x } else { high.x };
        let end_y = if nearer_low { low.y } else { high.y };
        let free = whole | (above & below);
        cosines[i] = if free { x } else { end_x };
        sines[i] = if free { y } else { end_y };
    }
    (cosines, sines)
}

/// The gauge's margins of swing and twist for every look.
#[inline(always)]
fn margins<const N: usize>(gauge: &Gauge, q: &Rotations<N>) -> (Row<N>, Row<N>) {
    let swing = match gauge.ellipse() {
        Some((x, y, scale)) => row(|i| {
            let p = q.x[i] * q.x[i] + q.y[i] * q.y[i];
            let dx = 2.0 * (q.x[i] * q.z[i] + q.w[i] * q.y[i]);
            let dy = 2.0 * (q.y[i] * q.z[i] - q.w[i] * q.x[i]);
            (1.0 - (dx * dx * x + dy * dy * y) * swing_ratio_flat(p)) * scale
        }),
        None => row(|i| gauge.round_margin(q.x[i] * q.x[i] + q.y[i] * q.y[i])),
    };
    let twist = match &gauge.twist {
        Some(t) => row(|i| t.margin(q.z[i], q.w[i]).0),
        None => [1.0; N],
    };
    (swing, twist)
}

#[rustfmt::skip]
#[allow(clippy::excessive_precision)] // the digits are for double precision
const COSINES: Row<LOOKS> = [
    0.000_000_000_000_000_00, 0.098_017_140_329_560_77, 0.195_090_322_016_128_33, 0.290_284_677_254_462_33,
    0.382_683_432_365_089_84, 0.471_396_736_825_997_81, 0.555_570_233_019_602_29, 0.634_393_284_163_645_49,
    FRAC_1_SQRT_2, 0.773_010_453_362_736_99, 0.831_469_612_302_545_24, 0.881_921_264_348_354_94,
    0.923_879_532_511_286_74, 0.956_940_335_732_208_94, 0.980_785_280_403_230_43, 0.995_184_726_672_196_93,
    1.000_000_000_000_000_00, 0.995_184_726_672_196_93, 0.980_785_280_403_230_43, 0.956_940_335_732_208_94,
    0.923_879_532_511_286_74, 0.881_921_264_348_354_94, 0.831_469_612_302_545_35, 0.773_010_453_362_736_99,
    FRAC_1_SQRT_2, 0.634_393_284_163_645_49, 0.555_570_233_019_602_07, 0.471_396_736_825_997_81,
    0.382_683_432_365_089_84, 0.290_284_677_254_462_33, 0.195_090_322_016_128_53, 0.098_017_140_329_560_77,
];
#[rustfmt::skip]
#[allow(clippy::excessive_precision)] // the same
const SINES: Row<LOOKS> = [
    -1.000_000_000_000_000_00, -0.995_184_726_672_196_82, -0.980_785_280_403_230_43, -0.956_940_335_732_208_94,
    -0.923_879_532_511_286_74, -0.881_921_264_348_354_94, -0.831_469_612_302_545_24, -0.773_010_453_362_736_99,
    -FRAC_1_SQRT_2, -0.634_393_284_163_645_49, -0.555_570_233_019_602_18, -0.471_396_736_825_997_75,
    -0.382_683_432_365_089_78, -0.290_284_677_254_462_28, -0.195_090_322_016_128_25, -0.098_017_140_329_560_71,
    0.000_000_000_000_000_00, 0.098_017_140_329_560_71, 0.195_090_322_016_128_25, 0.290_284_677_254_462_28,
    0.382_683_432_365_089_78, 0.471_396_736_825_997_75, 0.555_570_233_019_602_07, 0.634_393_284_163_645_38,
    FRAC_1_SQRT_2, 0.773_010_453_362_736_99, 0.831_469_612_302_545_35, 0.881_921_264_348_354_94,
    0.923_879_532_511_286_74, 0.956_940_335_732_208_94, 0.980_785_280_403_230_43, 0.995_184_726_672_196_82,
];
