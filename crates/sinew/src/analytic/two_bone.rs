//! Two bones and a pole: the smallest limb there is.
//!
//! [`TwoBone`] knows no skeleton and no limits: three points at rest and an axis go
//! in, two rotations come out. What a game does to thousands of feet a frame.
//! [`TwoBoneJoints`] does it to three joints of a skeleton, over whatever pose they
//! have. Where orientations or collisions matter, there is [`limb`](super::limb).
//!
//! # The method
//! The bend follows from the distance by the law of cosines (`analytic/bend.rs`).
//! Then two directions are known on both sides: from start to end, and where the
//! elbow sticks out. The rotation that takes the one pair to the other is a
//! product of two frames; nothing is singular in it but a pole on the line from
//! start to target, where the elbow keeps to the side it has when the rest is
//! turned the shortest way. There is no trigonometric function in a solve.
//!
//! # Straightening
//! A limb that straightens does so with the square root of the missing way: its
//! elbow snaps. With `soft`, the last part of the way is taken ever more slowly:
//! from `d₀ = (1 − soft)·length` on, the distance is `L − s²/(d − d₀ + s)`, with
//! `s = soft·L`, which has the same value and slope at `d₀`, and never reaches the
//! length `L`. The end stays behind the target by less than `s`. With `stretch`, the
//! bones grow instead (both by the same factor, up to the one given), and the end
//! stands on the target.
//!
//! ```
//! use sinew::Vec3;
//! use sinew::analytic::{TwoBone, TwoBoneOptions};
//! // A leg: hip at the origin, knee and ankle below, bending about x.
//! let leg = TwoBone::new(-Vec3::Y * 0.45, -Vec3::Y * 0.87, Vec3::X, &TwoBoneOptions::default())?;
//! let solved = leg.solve(Vec3::new(0.1, -0.6, 0.2), Vec3::Z);
//! assert!(solved.missing < 1e-5);
//! let (knee, ankle) = leg.place(&solved);
//! assert!(knee.z > 0.1, "towards the pole");
//! assert!(ankle.distance(Vec3::new(0.1, -0.6, 0.2)) < 1e-5);
//! # Ok::<(), sinew::error::RigError>(())
//! ```

mod joints;

pub use joints::TwoBoneJoints;

use super::bend::Bend;
use crate::error::RigError;
use crate::math::*;

/// What to do when the limb straightens.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TwoBoneOptions {
    /// The part of the length over which straightening is slowed, from 0 (none)
    /// to 0.5. A twentieth hides the snap.
    pub soft: Real,
    /// By how much the bones may grow to reach the target; 1 is not at all.
    pub stretch: Real,
}

crate::report::show_fields!(TwoBoneOptions);

impl Default for TwoBoneOptions {
    /// Exact: no softening, no stretch.
    fn default() -> Self {
        Self { soft: 0.0, stretch: 1.0 }
    }
}

/// Two bones at rest, measured. All points are relative to the start joint, in
/// one space of the caller's choice; targets and answers are in the same.
#[derive(Debug, Clone)]
pub struct TwoBone {
    upper: Vec3,
    lower: Vec3,
    bend: Bend,
    /// The normal of the plane of bending: `plane × bone` is where the elbow goes.
    plane: Vec3,
    /// From the start to the stretched end.
    straight: Vec3,
    length: Real,
    /// Where softening begins and how wide it is, in metres.
    soft_from: Real,
    soft_width: Real,
    stretch: Real,
    inverse_rho: Real,
    /// Whether the axis is at right angles to the bones, as it mostly is.
    planar: bool,
    /// The square of a distance that gives no direction.
    tiny_squared: Real,
    upper_length: Real,
    lower_length: Real,
    /// The least distance of start and end.
    shortest: Real,
    tiny: Real,
    /// Where the elbow goes at rest.
    elbow: Vec3,
    /// From the rest to the frame of first bone, elbow and plane.
    from_rest: Quat,
    /// The middle joint's rotation, by the cosine and the sine of half the bend.
    flexion: [Quat; 2],
}

/// The rotations that reach a target.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TwoBoneSolution {
    /// Turns the rest about the start joint.
    pub start: Quat,
    /// Turns the second bone about the middle joint, before `start` does.
    pub mid: Quat,
    /// By how much both bones grow; 1 unless stretch is allowed.
    pub stretch: Real,
    /// How far the end is from the target, in metres.
    pub missing: Real,
}

impl TwoBone {
    /// Two bones whose middle joint rests at `mid` and whose end at `end`, both
    /// relative to the start joint. The limb bends by positive turns about `axis`
    /// if it rests straight, and otherwise the way it is bent.
    pub fn new(mid: Vec3, end: Vec3, axis: Vec3, options: &TwoBoneOptions) -> Result<Self, RigError> {
        let fine = (0.0..=0.5).contains(&options.soft) && (1.0..=1.0e3).contains(&options.stretch);
        if !mid.is_finite() || !end.is_finite() || !axis.is_finite() || !fine {
            return Err(RigError::BadOption("mid, end, axis, soft or stretch"));
        }
        let lower = end - mid;
        for (bone, from, to) in [(mid, "start", "middle"), (lower, "middle", "end")] {
            if bone.length() <= TINY {
                return Err(RigError::ZeroLength { from: from.into(), to: to.into() });
            }
        }
        let cannot =
            || RigError::CannotBend { joint: "middle".into(), why: "turning about the axis does not" };
        let axis = direction_or(axis, Vec3::ZERO);
        if axis == Vec3::ZERO {
            return Err(cannot());
        }
        let bend = Bend::new(mid, Quat::IDENTITY, lower, axis).ok_or_else(cannot)?;
        // A bend at rest that rounding could have made says nothing.
        let rest = wrap_angle(-bend.straight_angle);
        let bend = bend.with_sense(if rest < -HAIR * 10.0 { -1.0 } else { 1.0 });
        let straight = bend.end(1.0, 0.0);
        let unit = direction_or(straight, direction_or(mid, Vec3::X));
        let across = -bend.axis * bend.sense;
        let plane = direction_or(across - unit * across.dot(unit), any_perpendicular(unit));
        let length = bend.farthest();
        let soft_width = options.soft * length;
        Ok(Self {
            upper: mid,
            lower,
            plane,
            straight: unit,
            length,
            soft_from: length - soft_width,
            soft_width,
            stretch: options.stretch,
            inverse_rho: 1.0 / bend.rho,
            // Each bone for itself: leaning one to each side they have their ends in the plane, and the elbow beside it.
            planar: bend.axis.dot(mid).abs().max(bend.axis.dot(lower).abs()) <= ROUNDING * length,
            tiny: ROUNDING * length,
            elbow: plane.cross(unit),
            flexion: bend.flexion_parts(),
            tiny_squared: (ROUNDING * length) * (ROUNDING * length),
            upper_length: mid.length(),
            lower_length: lower.length(),
            shortest: bend.nearest(),
            from_rest: Quat::from_mat3(&Mat3::from_cols(unit, plane.cross(unit), plane).transpose())
                .normalize(),
            bend,
        })
    }

    /// The length of the stretched limb.
    pub fn length(&self) -> Real {
        self.length
    }

    /// The rotations that bring the end to `target`, with the elbow on the side
    /// of `pole`; both are relative to the start joint. Anything that is not
    /// finite gives the rest.
    // Through memory, arguments and answer would take a third as long as the solve.
    #[inline(always)]
    pub fn solve(&self, target: Vec3, pole: Vec3) -> TwoBoneSolution {
        let squared = target.length_squared();
        let pole_squared = pole.length_squared();
        if !(squared + pole_squared).is_finite() {
            return TwoBoneSolution {
                start: Quat::IDENTITY,
                mid: Quat::IDENTITY,
                stretch: 1.0,
                missing: Real::INFINITY,
            };
        }
        if squared <= self.tiny_squared {
            return self.on_the_start(target, pole);
        }
        let distance = squared.sqrt();
        let inverse = 1.0 / distance;
        let line = target * inverse;
        let aside = pole - line * pole.dot(line);
        let aside_squared = aside.length_squared();
        let elbow = if aside_squared > ROUNDING * ROUNDING * pole_squared {
            aside * (1.0 / aside_squared.sqrt())
        } else {
            self.elbow_without_pole(line)
        };
        let (mut wanted, mut stretch) = (distance, 1.0);
        if distance > self.soft_from {
            (wanted, stretch) = self.held_back(distance);
        }
        let cos = ((wanted * wanted - self.bend.alpha) * self.inverse_rho).clamp(-1.0, 1.0);
        let (half_cos, half_sin) = ((0.5 * (1.0 + cos)).sqrt(), (0.5 * (1.0 - cos)).sqrt());
        let sin = 2.0 * half_cos * half_sin;
        let mid = self.flexion[0] * half_cos + self.flexion[1] * half_sin;
        if !self.planar {
            return self.oblique(target, line, elbow, stretch, cos, sin, mid);
        }
        // The triangle in its plane: along the first bone and towards the elbow. By the law of
        // cosines its third side is the distance, unless the bones do not reach.
        let (along, across) = (self.upper_length + self.lower_length * cos, self.lower_length * sin);
        let exact = wanted == distance && cos.abs() < 1.0;
        let inverse = if exact { inverse } else { 1.0 / self.bend.distance(cos).max(self.tiny) };
        let (c, s) = (along * inverse, across * inverse);
        let (bone, beside) = (line * c + elbow * s, elbow * c - line * s);
        let start = self.turn_to(bone, beside);
        let missing = (distance - wanted.max(self.shortest) * stretch).abs();
        TwoBoneSolution { start, mid, stretch, missing }
    }

    /// The rotation that takes first bone and elbow at rest to these unit vectors.
    ///
    /// With `g` the axis times the tangent of half the angle, a turned vector less the vector is
    /// `g` across their sum (Rodrigues). Two such equations give `g`, without a choice of cases
    /// that a processor would have to guess.
    #[inline]
    fn turn_to(&self, bone: Vec3, elbow: Vec3) -> Quat {
        let axis = (bone - self.straight).cross(elbow - self.elbow);
        let w = bone.dot(self.elbow) - elbow.dot(self.straight);
        let squared = axis.length_squared() + w * w;
        // About an axis in the plane of bending both vectors are turned alike.
        if squared > 0.01 {
            let scale = 1.0 / squared.sqrt();
            return Quat::from_xyzw(axis.x * scale, axis.y * scale, axis.z * scale, w * scale);
        }
        self.turn_by_frames(bone, elbow)
    }

    #[cold]
    fn turn_by_frames(&self, bone: Vec3, elbow: Vec3) -> Quat {
        Quat::from_mat3(&Mat3::from_cols(bone, elbow, bone.cross(elbow))) * self.from_rest
    }

    /// The same for an axis that is not at right angles to the bones.
    #[cold]
    #[allow(clippy::too_many_arguments)] // the locals of `solve`
    fn oblique(
        &self,
        target: Vec3,
        line: Vec3,
        elbow: Vec3,
        stretch: Real,
        cos: Real,
        sin: Real,
        mid: Quat,
    ) -> TwoBoneSolution {
        let end = self.bend.end(cos, sin);
        let from = direction_or(end, -self.plane.cross(self.straight));
        let elbow_before = direction_or(self.plane.cross(from), any_perpendicular(from));
        let start = from_frames(from, elbow_before, line, elbow);
        let missing = (start * end * stretch).distance(target);
        TwoBoneSolution { start, mid, stretch, missing }
    }

    /// A target on the start joint: folded as far as it goes, towards the rest.
    #[cold]
    fn on_the_start(&self, target: Vec3, pole: Vec3) -> TwoBoneSolution {
        let aside = self.straight * self.tiny * 2.0;
        let solved = self.solve(aside, pole);
        let (_, end) = self.place(&solved);
        TwoBoneSolution { missing: end.distance(target), ..solved }
    }

    /// Where middle joint and end come to stand.
    pub fn place(&self, solution: &TwoBoneSolution) -> (Vec3, Vec3) {
        let mid = solution.start * self.upper * solution.stretch;
        (mid, mid + solution.start * (solution.mid * self.lower) * solution.stretch)
    }

    /// The distance to bend for, and by how much the bones grow.
    #[inline]
    fn held_back(&self, distance: Real) -> (Real, Real) {
        let held = if self.soft_width > 0.0 {
            let s = self.soft_width;
            self.length - s * s / (distance - self.soft_from + s)
        } else {
            distance.min(self.length)
        };
        let grown = if self.stretch > 1.0 { (distance / held).clamp(1.0, self.stretch) } else { 1.0 };
        (held, grown)
    }

    #[cold]
    fn elbow_without_pole(&self, line: Vec3) -> Vec3 {
        let turned = rotation::between(self.straight, line, self.plane) * self.plane;
        direction_or(turned.cross(line), any_perpendicular(line))
    }
}

/// The rotation that takes the unit vectors `a`, `b` at right angles to each
/// other to `c`, `d`.
fn from_frames(a: Vec3, b: Vec3, c: Vec3, d: Vec3) -> Quat {
    let before = Mat3::from_cols(a, b, a.cross(b));
    let after = Mat3::from_cols(c, d, c.cross(d));
    Quat::from_mat3(&(after * before.transpose()))
}
