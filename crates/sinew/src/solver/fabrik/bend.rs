//! A long chain brought to a point at once, by bending it evenly.
//!
//! The passes of FABRIK move news along a chain slowly: the longer the chain,
//! the more passes. Yet a chain of free balls has a whole family of shapes that
//! is easy to search: turn stick i by φ·sᵢ about one axis n, where sᵢ grows
//! evenly from 0 at the root to 1 at the tip. That adds the same curvature
//! everywhere, rolling the chain up for one sign of φ and out for the other.
//! The distance from the root to the end is a smooth function of φ, its
//! derivative comes with the same sum, and the sines and cosines follow from
//! each other by one complex product a stick. So φ with the wanted distance is
//! found by Newton's method within a bracket, at a few nanoseconds a stick, and
//! one turn of the whole chain then lays the end on the target.
//!
//! Where rolling out cannot make the chain long enough (its shape is no plane
//! curve), the sticks are blended towards the line from the root to the end
//! instead: at the full blend the chain is straight, so the distance is found
//! on the way.
//!
//! A small move of the target is a small φ and a small turn, so the shape
//! changes continuously from frame to frame. What is left by rounding is the
//! passes' business.
//!
//! # Degenerate cases
//! A straight chain has no plane: it bends in the plane of the target, or any.
//! A target at the root wants a closed chain, which φ near a whole turn gives.
//! No root in the bracket leaves the points alone.

use crate::math::*;

/// The chain's sticks: `points[0]` is the root, `end` the effector.
struct Sticks<'a> {
    points: &'a [Vec3],
    end: Vec3,
}

impl Sticks<'_> {
    fn count(&self) -> usize {
        self.points.len()
    }

    #[inline]
    fn stick(&self, i: usize) -> Vec3 {
        let to = if i + 1 < self.points.len() { self.points[i + 1] } else { self.end };
        to - self.points[i]
    }
}

/// Moves the points and the end of a plain chain so that the end lies on
/// `target`; the sticks keep their lengths. `false` if no such bend was found,
/// and nothing has moved then. `near` is how near is near enough, `memory` scratch with room for each point.
pub(super) fn bend_to(
    points: &mut [Vec3],
    end: &mut Vec3,
    target: Vec3,
    near: Real,
    memory: &mut [[Real; 2]],
) -> bool {
    let root = points[0];
    let sticks = Sticks { points, end: *end };
    let wanted = target.distance(root);
    let reach = *end - root;
    let plane = Plane::of(&sticks, target - root);
    let flat = Flat::new(&sticks, &plane, memory);
    let Some(shape) = find_roll(&flat, wanted, near)
        .map(Shape::Roll)
        .or_else(|| find_blend(&sticks, reach, wanted).map(Shape::Blend))
    else {
        return false;
    };
    // First the shape about the root, then the turn of the whole.
    let mut place = Vec3::ZERO;
    let count = sticks.count();
    let axis = direction_or(reach, plane.e1);
    let mut phase = Phase::new(shape.roll(), count);
    let mut previous = sticks.stick(0);
    for i in 0..count {
        let stick = previous;
        if i + 1 < count {
            previous = Sticks { points, end: *end }.stick(i + 1);
        }
        place += match shape {
            Shape::Roll(_) => plane.turned(stick, phase.now()),
            Shape::Blend(amount) => blended(stick, axis, amount),
        };
        phase.next();
        if i + 1 < count {
            points[i + 1] = place;
        } else {
            *end = place;
        }
    }
    let from = direction_or(place, axis);
    let turn = Mat3::from_quat(rotation::between(from, direction_or(target - root, from), plane.n));
    for point in points.iter_mut().skip(1) {
        *point = root + turn * *point;
    }
    *end = root + turn * *end;
    true
}

#[derive(Clone, Copy)]
enum Shape {
    /// Turned by up to this angle at the tip.
    Roll(Real),
    /// Drawn this far towards straight.
    Blend(Real),
}

impl Shape {
    fn roll(self) -> Real {
        match self {
            Self::Roll(angle) => angle,
            Self::Blend(_) => 0.0,
        }
    }
}

/// The plane in which the chain rolls: e1 and e2 span it, n stands on it.
struct Plane {
    n: Vec3,
    e1: Vec3,
    e2: Vec3,
}

impl Plane {
    /// The plane of the root, the end and the joint furthest from their line;
    /// for a straight chain the plane of the target.
    fn of(sticks: &Sticks, to_target: Vec3) -> Self {
        let root = sticks.points[0];
        let reach = sticks.end - root;
        let along = direction_or(reach, direction_or(to_target, Vec3::Y));
        // Samples are enough: the plane need not be exact, only the same from
        // frame to frame.
        let step = (sticks.count() / 16).max(1);
        let mut normal = Vec3::ZERO;
        for i in (0..sticks.count()).step_by(step) {
            normal += reach.cross(sticks.points[i] - root);
        }
        let size = reach.length().max(TINY) * sticks.count() as Real / step as Real;
        let flat = normal.length() <= 1.0e-4 * size * reach.length().max(TINY);
        let n = if flat {
            direction_or(along.cross(to_target), any_perpendicular(along))
        } else {
            direction_or(normal, any_perpendicular(along))
        };
        let e1 = direction_or(along - n * n.dot(along), any_perpendicular(n));
        Self { n, e1, e2: n.cross(e1) }
    }

    /// A stick turned about n by the angle with this cosine and sine.
    #[inline]
    fn turned(&self, stick: Vec3, (c, s): (Real, Real)) -> Vec3 {
        let (x, y) = (stick.dot(self.e1), stick.dot(self.e2));
        self.n * stick.dot(self.n) + self.e1 * (c * x - s * y) + self.e2 * (s * x + c * y)
    }
}

/// Cosine and sine of evenly growing angles.
struct Phase {
    now: (Real, Real),
    step: (Real, Real),
}

impl Phase {
    /// From zero at the first of `count` sticks to the whole angle at the last.
    fn new(angle: Real, count: usize) -> Self {
        let step = if count > 1 { angle / (count - 1) as Real } else { 0.0 };
        let (s, c) = step.sin_cos();
        Self { now: (1.0, 0.0), step: (c, s) }
    }

    #[inline]
    fn now(&self) -> (Real, Real) {
        self.now
    }
    #[inline]
    fn next(&mut self) {
        let ((c, s), (dc, ds)) = (self.now, self.step);
        self.now = (c * dc - s * ds, s * dc + c * ds);
    }
}

/// The sticks as the plane sees them, which no roll changes: each one's
/// coordinates in it, and how far all of them lead out of it.
struct Flat<'a> {
    sticks: &'a [[Real; 2]],
    height: Real,
}

impl<'a> Flat<'a> {
    fn new(sticks: &Sticks, plane: &Plane, memory: &'a mut [[Real; 2]]) -> Self {
        let mut height = 0.0;
        for (i, flat) in memory.iter_mut().enumerate() {
            let stick = sticks.stick(i);
            *flat = [stick.dot(plane.e1), stick.dot(plane.e2)];
            height += stick.dot(plane.n);
        }
        Self { sticks: memory, height }
    }

    /// The squared distance of the end under a roll by `angle`, and its derivative.
    fn rolled(&self, angle: Real) -> (Real, Real) {
        let mut phase = Phase::new(angle, self.sticks.len());
        let (mut x, mut y, mut dx, mut dy) = (0.0, 0.0, 0.0, 0.0);
        let mut weight = 0.0;
        for &[a, b] in self.sticks {
            let (c, s) = phase.now();
            let (tx, ty) = (c * a - s * b, s * a + c * b);
            x += tx;
            y += ty;
            dx -= weight * ty;
            dy += weight * tx;
            weight += 1.0;
            phase.next();
        }
        let share = if self.sticks.len() > 1 { 1.0 / (self.sticks.len() - 1) as Real } else { 0.0 };
        (x * x + y * y + self.height * self.height, 2.0 * share * (x * dx + y * dy))
    }
}

/// The roll that puts the end at the wanted distance from the root.
fn find_roll(flat: &Flat, wanted: Real, near: Real) -> Option<Real> {
    if flat.sticks.len() < 2 {
        return None;
    }
    let goal = wanted * wanted;
    // Of the squared distance, whose slope is twice the distance.
    let enough = 2.0 * (wanted + near) * near.max(wanted * 4.0 * ROUNDING);
    let (start, slope) = flat.rolled(0.0);
    let error = start - goal;
    if error.abs() <= enough {
        return Some(0.0);
    }
    // The way in which the distance goes where it should; flat, either way.
    let way: Real = if slope * error > 0.0 { -1.0 } else { 1.0 };
    let (mut low, mut low_error, mut low_slope) = (0.0, error, slope);
    let mut high = 0.0;
    let mut found = None;
    for _ in 0..24 {
        // A little further than Newton's step, so that the root is passed and
        // bracketed; never so far that a narrow dip could be stepped over.
        let step = (1.2 * low_error / low_slope).abs().clamp(0.02, 0.6);
        high = low + way * step;
        let (value, slope) = flat.rolled(high);
        let high_error = value - goal;
        if high_error * error <= 0.0 {
            found = Some(high_error);
            break;
        }
        // Past its best: rolling on only leads away again.
        if slope * low_slope < 0.0 || high.abs() > 1.2 * TAU {
            return None;
        }
        (low, low_error, low_slope) = (high, high_error, slope);
    }
    let mut high_error = found?;
    let mut guess = low - low_error * (high - low) / (high_error - low_error);
    for _ in 0..24 {
        let (value, slope) = flat.rolled(guess);
        let error_now = value - goal;
        if error_now.abs() <= enough {
            return Some(guess);
        }
        if error_now * low_error > 0.0 {
            (low, low_error) = (guess, error_now);
        } else {
            (high, high_error) = (guess, error_now);
        }
        let newton = guess - error_now / slope;
        let inside = (newton - low) * (newton - high) < 0.0;
        guess = if inside { newton } else { 0.5 * (low + high) };
    }
    (high_error.is_finite()).then_some(guess)
}

/// A stick drawn towards the line, its length kept.
#[inline]
fn blended(stick: Vec3, axis: Vec3, amount: Real) -> Vec3 {
    let length = stick.length();
    let mixed = stick * (1.0 - amount) + axis * (length * amount);
    mixed * (length / mixed.length().max(TINY))
}

/// The blend towards straight that puts the end at the wanted distance.
fn find_blend(sticks: &Sticks, reach: Vec3, wanted: Real) -> Option<Real> {
    let axis = direction_or(reach, Vec3::Y);
    let distance = |amount: Real| {
        let mut sum = Vec3::ZERO;
        for i in 0..sticks.count() {
            sum += blended(sticks.stick(i), axis, amount);
        }
        sum.length()
    };
    let (mut low, mut high) = (0.0, 1.0);
    let (mut low_error, mut high_error) = (distance(low) - wanted, distance(high) - wanted);
    if low_error > 0.0 || high_error < 0.0 {
        return None;
    }
    for _ in 0..24 {
        // Regula falsi, halved towards the middle so that no end sticks.
        let falsi = low - low_error * (high - low) / (high_error - low_error).max(TINY);
        let guess = 0.7 * falsi + 0.15 * (low + high);
        let error = distance(guess) - wanted;
        if error.abs() <= 1.0e-5 * wanted {
            return Some(guess);
        }
        if error < 0.0 {
            (low, low_error) = (guess, error);
        } else {
            (high, high_error) = (guess, error);
        }
    }
    Some(0.5 * (low + high))
}

#[cfg(test)]
#[path = "../../../tests/unit/solver_fabrik_bend.rs"]
mod tests;
