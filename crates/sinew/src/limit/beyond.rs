//! How far beyond the edge of a limit a rotation is, and which way is out.
//!
//! A solver's step that leaves a limit goes on along its edge, for which it needs the edge's normal. The
//! projection alone would not do: it brings swing and twist back each by itself, and the way it goes
//! is not the way in which the distance falls fastest. So here is the slope of the distance, in closed
//! form. With `L = before · q · after` the rotation in the limit's frame (`limit/probe.rs`), a small turn `ω` after `q` is
//! one by `ω' = after⁻¹ ω` after `L`, so that
//!
//! * the bone's direction `d = L z` moves by `L (ω' × z)`: a slope `g` over directions is one of
//!   `z × L⁻¹ g` over `ω'`;
//! * the twist, twice the angle of `(w, z)`, grows by `ω'z + ((zx − wy) ω'x + (wx + zy) ω'y) / (w² + z²)`.

use super::probe::{LimitProbe, TwistProbe};
use super::{SLACK, SwingShape, UniversalLimit};
use crate::math::*;

/// Where a rotation is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Side {
    Inside,
    /// Outside: the unit vector along which turns of the joint lead out fastest, and how far, in radians.
    Beyond(Vec3, Real),
    /// Outside or not, at a corner or far from where slopes say something: ask a projection.
    Unclear,
}

/// How steep a slope may be that is believed: it would be one if angles were what turns are.
const BELIEVED: core::ops::Range<Real> = 0.2..5.0;

impl LimitProbe {
    /// Where a rotation of the joint is; the vector is for turns after it, in the joint's own frame.
    pub fn side(&self, q: Quat) -> Side {
        let local = self.to_frame(q);
        if self.holds_local(local) {
            return Side::Inside;
        }
        let direction = local * Vec3::Z;
        let Some((past_edge, out)) = self.swing.beyond(direction) else { return Side::Unclear };
        let out = Vec3::Z.cross(local.conjugate() * out);
        let swing = (past_edge > SLACK).then_some((past_edge, out));
        let twist = self.twist.as_ref().and_then(|twist| twist.beyond(local));
        // The part that is further out, as the edge itself counts.
        let (past, slope) = match (swing, twist) {
            (None, None) => return Side::Inside,
            (Some(one), None) | (None, Some(one)) => one,
            (Some(swing), Some(twist)) => {
                if swing.0 > twist.0 {
                    swing
                } else {
                    twist
                }
            }
        };
        let steepness = slope.length();
        if !BELIEVED.contains(&steepness) {
            return Side::Unclear;
        }
        Side::Beyond(self.after * (slope / steepness), past / steepness)
    }
}

impl TwistProbe {
    /// How far beyond its range the twist of a rotation in the limit's frame is, and its slope over turns after it;
    /// `None` within.
    fn beyond(&self, q: Quat) -> Option<(Real, Vec3)> {
        let off = wrap_angle(2.0 * q.z.atan2(q.w) - self.range.middle());
        let past = off.abs() - 0.5 * (self.range.max - self.range.min);
        let squared = (q.w * q.w + q.z * q.z).max(TINY);
        // Near straight back a rounding of the rotation is many of the twist.
        (past > SLACK / squared.sqrt().max(ROUNDING)).then(|| {
            let slope = Vec3::new((q.z * q.x - q.w * q.y) / squared, (q.w * q.x + q.z * q.y) / squared, 1.0);
            (past, slope * (1.0 as Real).copysign(off))
        })
    }
}

impl SwingShape {
    /// How far beyond the edge a unit direction is, zero or less within, and its slope over
    /// directions; `None` for a shape that does not know.
    fn beyond(&self, direction: Vec3) -> Option<(Real, Vec3)> {
        match self {
            Self::Free => Some((0.0, Vec3::ZERO)),
            Self::Cone(cone) => {
                let sine = Vec2::new(direction.x, direction.y).length();
                let past = sine.atan2(direction.z) - cone.radius;
                Some((past, -Vec3::Z / sine.max(TINY)))
            }
            Self::Ellipse(ellipse) => Some(ellipse.beyond(direction)),
            // These measure on the sphere: straight away from the nearest direction.
            Self::Polygon(_) | Self::Kusudama(_) => {
                let Some(edge) = self.project(direction, 0.0) else { return Some((0.0, Vec3::ZERO)) };
                let back = edge - direction * direction.dot(edge);
                Some((rotation::angle_between(direction, edge), -back / back.length().max(TINY)))
            }
            Self::Spline(_) => None,
        }
    }
}

impl UniversalLimit {
    /// Where a universal joint with these two angles is; the vector is for its two axes.
    pub(crate) fn side(&self, angles: [Real; 2]) -> Side {
        let past = [0, 1].map(|k| -self.ranges[k].edge_distance(angles[k]));
        let k = usize::from(past[1] > past[0]);
        if past[k] <= SLACK {
            return Side::Inside;
        }
        let out = (1.0 as Real).copysign(wrap_angle(angles[k] - self.ranges[k].middle()));
        Side::Beyond(Vec3::AXES[k] * out, past[k])
    }

    /// The nearest allowed angles, each by itself, with as many whole turns as given; `None` if these are allowed.
    pub(crate) fn held(&self, angles: [Real; 2]) -> Option<[Real; 2]> {
        let bounds = [0, 1].map(|k| self.ranges[k].project(angles[k], 0.0));
        if bounds == [None, None] {
            return None;
        }
        let near = |k: usize| bounds[k].map_or(angles[k], |bound| angles[k] + wrap_angle(bound - angles[k]));
        Some([near(0), near(1)])
    }
}

#[cfg(test)]
#[path = "../../tests/unit/limit_beyond.rs"]
mod tests;
