//! The law of cosines for any hinge.
//!
//! A hinge between two bones changes the distance of their far ends. Whether its
//! axis stands at right angles to the bones or not, the squared distance is
//! `α + ρ·cos b`, with the bend `b` counted from where the bones are stretched
//! the furthest; the triangle of Kallmann 2007, eq. 2, is the case of right
//! angles, with `α = d₁² + d₂²` and `ρ = 2·d₁·d₂`. So the bend for a distance
//! needs no trigonometry but a square root: what is used is `cos b`, `sin b` and
//! the half angles that a quaternion wants.

use crate::math::*;

/// A hinge between two bones. With the bend `b`, the end stands at
/// `centre + cosine·cos b + sine·sin b` in the frame of the first bone.
#[derive(Debug, Clone)]
pub(super) struct Bend {
    /// In the middle joint's rest frame.
    pub axis: Vec3,
    /// Plus one if it bends by positive turns about the axis.
    pub sense: Real,
    /// The middle joint's rotation that stretches the bones, and its angle.
    pub straight: Quat,
    pub straight_angle: Real,
    pub alpha: Real,
    pub rho: Real,
    /// The squares of the least and the greatest distance: `α − ρ` and `α + ρ` without what
    /// rounding takes from a difference.
    pub near: Real,
    pub far: Real,
    pub centre: Vec3,
    pub cosine: Vec3,
    pub sine: Vec3,
    /// The allowed bends.
    pub range: (Real, Real),
}

impl Bend {
    /// A first bone, the middle joint's rest frame (both in the first joint's
    /// frame), a second bone and the hinge's axis (in the middle joint's frame).
    /// `None` if turning about the axis hardly changes the distance.
    pub fn new(upper: Vec3, to_mid: Quat, lower: Vec3, axis: Vec3) -> Option<Self> {
        let seen = to_mid.conjugate() * upper;
        let along = axis * axis.dot(lower);
        let (across, side) = (lower - along, axis.cross(lower));
        let (beta, gamma) = (2.0 * seen.dot(across), 2.0 * seen.dot(side));
        let rho = (beta * beta + gamma * gamma).sqrt();
        let enough = rho > 1.0e-4 * upper.length() * lower.length();
        if !enough || !rho.is_finite() {
            return None;
        }
        let axial = axis.dot(seen) + axis.dot(lower);
        let (a, b) = ((seen - axis * axis.dot(seen)).length(), across.length());
        let straight = gamma.atan2(beta);
        let (sin, cos) = straight.sin_cos();
        Some(Self {
            axis,
            sense: 1.0,
            straight: rotation::about(axis, straight),
            straight_angle: straight,
            alpha: upper.length_squared() + lower.length_squared() + 2.0 * seen.dot(along),
            rho,
            near: axial * axial + (a - b) * (a - b),
            far: axial * axial + (a + b) * (a + b),
            centre: upper + to_mid * along,
            cosine: to_mid * (across * cos + side * sin),
            sine: to_mid * (side * cos - across * sin),
            range: (0.0, PI),
        })
    }

    /// The same, bending the way of `sense`.
    pub fn with_sense(mut self, sense: Real) -> Self {
        if sense < 0.0 {
            self.sense = -1.0;
            self.sine = -self.sine;
        }
        self
    }

    /// Where the end is, in the first bone's frame.
    #[inline]
    pub fn end(&self, cos: Real, sin: Real) -> Vec3 {
        self.centre + self.cosine * cos + self.sine * sin
    }

    /// The middle joint's rotation for a bend of which the cosine is known.
    #[inline]
    pub fn flexion(&self, cos: Real) -> Quat {
        let half_cos = (0.5 * (1.0 + cos)).max(0.0).sqrt();
        let half_sin = (0.5 * (1.0 - cos)).max(0.0).sqrt() * self.sense;
        let a = self.axis * half_sin;
        self.straight * Quat::from_xyzw(a.x, a.y, a.z, half_cos)
    }

    /// The middle joint's rotation, as what the half angle's cosine and its sine are multiplied with.
    pub fn flexion_parts(&self) -> [Quat; 2] {
        let a = self.axis * self.sense;
        [self.straight, self.straight * Quat::from_xyzw(a.x, a.y, a.z, 0.0)]
    }

    /// The distance of the far ends at a bend of which the cosine is known.
    #[inline]
    pub fn distance(&self, cos: Real) -> Real {
        (self.alpha + self.rho * cos).max(0.0).sqrt()
    }

    /// The greatest distance of the far ends.
    pub fn farthest(&self) -> Real {
        self.far.sqrt()
    }

    /// The least distance of the far ends.
    pub fn nearest(&self) -> Real {
        self.near.sqrt()
    }
}
