//! All limits at once on a raster of swivel angles.
//!
//! Where the wanted angle is not allowed and no edge near it is the answer, the whole circle has
//! to be looked at. Every rotation of the limb is linear in the half angle's cosine and sine, and
//! a gauge is multiplications and square roots, so the looks of a raster are the same few
//! operations on many numbers: written without branches, in rows, they are done several at a time.
//!
//! A raster does not see what is narrower than its step. As in `limb/arcs.rs`, between two looks a
//! margin rises by at most half of the larger drop beside it ([`may_rise`]), unless a twist goes
//! round faster than the swivel angle ([`is_swift`]).

use super::gauge::{Gauge, swing_ratio_flat};
use super::hand::Room;
use crate::math::*;

/// Looks a turn, each 11.25° from the next.
pub(super) const LOOKS: usize = 32;

/// A number for each look.
pub(super) type Row = [Real; LOOKS];

/// Rotations, one for each look.
struct Rotations {
    x: Row,
    y: Row,
    z: Row,
    w: Row,
}

/// The half angles of the looks, from −π on.
fn halves() -> (&'static Row, &'static Row) {
    (&COSINES, &SINES)
}

#[inline(always)]
pub(super) fn row(mut of: impl FnMut(usize) -> Real) -> Row {
    let mut row = [0.0; LOOKS];
    for i in 0..LOOKS {
        row[i] = of(i);
    }
    row
}

impl Rotations {
    /// `start·cos + half·sin`.
    #[inline(always)]
    fn family(start: Quat, half: Quat) -> Self {
        let (c, s) = halves();
        Self {
            x: row(|i| start.x * c[i] + half.x * s[i]),
            y: row(|i| start.y * c[i] + half.y * s[i]),
            z: row(|i| start.z * c[i] + half.z * s[i]),
            w: row(|i| start.w * c[i] + half.w * s[i]),
        }
    }
}

/// What is left of the limits at every look, in radians near the edges.
pub(super) struct Raster {
    pub base: Row,
    pub hand_swing: Row,
    pub hand_twist: Row,
}

impl Raster {
    /// The angle of a look, in [−π, π).
    #[inline]
    pub fn angle(look: usize) -> Real {
        look as Real * (TAU / LOOKS as Real) - PI
    }

    /// The half angle of a look.
    #[inline]
    pub fn half(look: usize) -> Vec2 {
        Vec2::new(COSINES[look], SINES[look])
    }

    /// The base's family, and the end joint's with the same after half a turn of the forearm.
    #[inline(never)]
    pub fn new(base: (&Gauge, Quat, Quat), end: Option<EndFamily<'_>>) -> Self {
        let (gauge, start, half) = base;
        let (swing, twist) = margins(gauge, &Rotations::family(start, half));
        let base = row(|i| least(swing[i], twist[i]));
        let (hand_swing, hand_twist) = match end {
            Some(end) => {
                let rule = end.gauge.twist.as_ref().map_or(Vec2::X, |t| t.least);
                end.margins(rule)
            }
            None => ([1.0; LOOKS], [1.0; LOOKS]),
        };
        Self { base, hand_swing, hand_twist }
    }

    /// All limits together.
    #[inline]
    pub fn all(&self) -> Row {
        row(|i| least(self.base[i], least(self.hand_swing[i], self.hand_twist[i])))
    }
}

/// What the end joint sees at every swivel angle, and the same after half a turn of the forearm.
#[derive(Clone, Copy)]
pub(super) struct EndFamily<'a> {
    pub gauge: &'a Gauge,
    pub own: [Quat; 2],
    pub turned: [Quat; 2],
    pub room: &'a Room,
}

impl EndFamily<'_> {
    /// What is left of swing and twist when the forearm leaves the end joint this twist, as far as
    /// it goes.
    #[inline(never)]
    pub fn margins(&self, leave: Vec2) -> (Row, Row) {
        let mut seen = Rotations::family(self.own[0], self.own[1]);
        if !self.room.is_none() {
            let turned = Rotations::family(self.turned[0], self.turned[1]);
            let (cosines, sines) = held(self.room, leave, &seen, &turned);
            seen.x = row(|i| seen.x[i] * cosines[i] - turned.x[i] * sines[i]);
            seen.y = row(|i| seen.y[i] * cosines[i] - turned.y[i] * sines[i]);
            seen.z = row(|i| seen.z[i] * cosines[i] - turned.z[i] * sines[i]);
            seen.w = row(|i| seen.w[i] * cosines[i] - turned.w[i] * sines[i]);
        }
        margins(self.gauge, &seen)
    }
}

/// Whether a margin that is negative at a look may be positive beside it, though not at the next
/// looks.
#[inline]
pub(super) fn may_rise(margins: &Row, look: usize) -> bool {
    let (before, here, after) =
        (margins[(look + LOOKS - 1) % LOOKS], margins[look], margins[(look + 1) % LOOKS]);
    let drop = (here - before).max(here - after);
    !(before > here || after > here) && here + 0.5 * drop >= 0.0
}

/// Whether the twist of a family goes round more than three times as fast as the swivel angle
/// somewhere: then a raster does not show it.
#[inline]
pub(super) fn is_swift(start: Quat, half: Quat) -> bool {
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

/// [`Room::hold`] for every look: the cosines and sines of half of the forearm's twist.
#[inline(always)]
fn held(room: &Room, rule: Vec2, seen: &Rotations, turned: &Rotations) -> (Row, Row) {
    let (low, high) = room.ends();
    let whole = room.is_whole();
    let (mut cosines, mut sines) = ([0.0; LOOKS], [0.0; LOOKS]);
    for i in 0..LOOKS {
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
fn margins(gauge: &Gauge, q: &Rotations) -> (Row, Row) {
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
        None => [1.0; LOOKS],
    };
    (swing, twist)
}

#[rustfmt::skip]
#[allow(clippy::excessive_precision)] // the digits are for double precision
const COSINES: Row = [
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
const SINES: Row = [
    -1.000_000_000_000_000_00, -0.995_184_726_672_196_82, -0.980_785_280_403_230_43, -0.956_940_335_732_208_94,
    -0.923_879_532_511_286_74, -0.881_921_264_348_354_94, -0.831_469_612_302_545_24, -0.773_010_453_362_736_99,
    -FRAC_1_SQRT_2, -0.634_393_284_163_645_49, -0.555_570_233_019_602_18, -0.471_396_736_825_997_75,
    -0.382_683_432_365_089_78, -0.290_284_677_254_462_28, -0.195_090_322_016_128_25, -0.098_017_140_329_560_71,
    0.000_000_000_000_000_00, 0.098_017_140_329_560_71, 0.195_090_322_016_128_25, 0.290_284_677_254_462_28,
    0.382_683_432_365_089_78, 0.471_396_736_825_997_75, 0.555_570_233_019_602_07, 0.634_393_284_163_645_38,
    FRAC_1_SQRT_2, 0.773_010_453_362_736_99, 0.831_469_612_302_545_35, 0.881_921_264_348_354_94,
    0.923_879_532_511_286_74, 0.956_940_335_732_208_94, 0.980_785_280_403_230_43, 0.995_184_726_672_196_82,
];
