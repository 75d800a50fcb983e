//! What of a limb's rotations the bend alone decides, prepared when the limb is built.
//!
//! With the bend `b` and the distance `d` from base to end, the line from base to end is
//! `(c₀ + c₁·cos b + c₂·sin b)/d` in the base's frame (`analytic/bend.rs`), and in the end
//! joint's frame, which turns along, it is of the same form. A quaternion that is made of a
//! fixed one and of that line is therefore a sum of three fixed quaternions, and one that is
//! made of the flexion is a sum of two, with the half angle's cosine and sine. So a solve
//! multiplies few quaternions: most products were made here.

use super::gauge::Gauge;
use crate::analytic::bend::Bend;
use crate::math::*;

/// `of[0] + of[1]·cos b + of[2]·sin b`.
#[derive(Debug, Clone, Copy)]
struct Wave([Quat; 3]);

impl Wave {
    /// What a linear map makes of where the end stands for every bend.
    fn of(places: [Vec3; 3], map: impl Fn(Vec3) -> Quat) -> Self {
        Self(places.map(map))
    }

    #[inline(always)]
    fn at(&self, cos: Real, sin: Real) -> Quat {
        self.0[0] + self.0[1] * cos + self.0[2] * sin
    }
}

/// See the module's text.
#[derive(Debug, Clone)]
pub(super) struct Fold {
    /// `d · neutral · T`, with `T` twice the shortest turn from the line to the upper bone,
    /// without `d · neutral`.
    turned: Wave,
    neutral: Quat,
    /// The same, and then the `after` of the base's gauge.
    turned_after: Wave,
    neutral_after: Quat,
    /// `−d · line` in the frame of the end joint's gauge.
    end_line: Wave,
    flexion: [Quat; 2],
    /// From the base's frame to that of the end joint's gauge.
    down: [Quat; 2],
}

/// A vector as a quaternion.
#[inline(always)]
pub(super) fn pure(v: Vec3) -> Quat {
    Quat::from_xyzw(v.x, v.y, v.z, 0.0)
}

/// What a bend makes of it all.
#[derive(Clone, Copy)]
pub(super) struct Folded {
    /// The cosine and the sine of the bend, and one over the distance.
    pub cos: Real,
    pub sin: Real,
    inverse: Real,
    half: Vec2,
}

impl Fold {
    #[allow(clippy::too_many_arguments)] // the measures of a limb
    pub fn new(
        bend: &Bend,
        upper_unit: Vec3,
        to_mid: Quat,
        to_end: Quat,
        neutral: Quat,
        base: &Gauge,
        end: &Gauge,
    ) -> Self {
        let places = [bend.centre, bend.cosine, bend.sine];
        let turn = |p: Vec3| {
            let c = p.cross(upper_unit);
            neutral * Quat::from_xyzw(c.x, c.y, c.z, p.dot(upper_unit))
        };
        let flexion = bend.flexion_parts();
        let down = flexion.map(|q| to_mid * q * to_end * end.before.conjugate());
        // The same line from the end joint: its three parts are found from three bends.
        let seen = |b: Real| {
            let (sin, cos) = b.sin_cos();
            let half = Vec2::new((0.5 * b).cos(), (0.5 * b).sin());
            let frame = down[0] * half.x + down[1] * half.y;
            frame.conjugate() * -bend.end(cos, sin)
        };
        let (ahead, aside, back) = (seen(0.0), seen(0.5 * PI), seen(PI));
        let middle = (ahead + back) * 0.5;
        Self {
            turned: Wave::of(places, turn),
            neutral,
            turned_after: Wave::of(places, |p| turn(p) * base.after),
            neutral_after: neutral * base.after,
            end_line: Wave::of([middle, ahead - middle, aside - middle], pure),
            flexion,
            down,
        }
    }

    /// For a bend by its half angle's cosine and sine, with the end at this distance.
    #[inline(always)]
    pub fn at(&self, half: Vec2, distance: Real) -> Folded {
        let (cos, sin) = (half.x * half.x - half.y * half.y, 2.0 * half.x * half.y);
        Folded { cos, sin, inverse: 1.0 / distance, half }
    }

    /// The middle joint's rotation.
    #[inline(always)]
    pub fn flexion(&self, folded: &Folded) -> Quat {
        self.flexion[0] * folded.half.x + self.flexion[1] * folded.half.y
    }

    /// The neutral, after the shortest turn from the line to the upper bone: of some length.
    #[inline(always)]
    pub fn turned(&self, folded: &Folded) -> Quat {
        self.turned.at(folded.cos, folded.sin) * folded.inverse + self.neutral
    }

    /// The same, and then the `after` of the base's gauge.
    #[inline(always)]
    pub fn turned_after(&self, folded: &Folded) -> Quat {
        self.turned_after.at(folded.cos, folded.sin) * folded.inverse + self.neutral_after
    }

    /// The line from end to base, as the end joint's gauge sees it.
    #[inline(always)]
    pub fn end_line(&self, folded: &Folded) -> Quat {
        self.end_line.at(folded.cos, folded.sin) * folded.inverse
    }

    /// From the base's frame to that of the end joint's gauge.
    #[inline(always)]
    pub fn down(&self, folded: &Folded) -> Quat {
        self.down[0] * folded.half.x + self.down[1] * folded.half.y
    }
}
