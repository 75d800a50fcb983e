//! How far convex things are apart, and how deep they overlap.

use parry3d::math::Pose as Place;
use parry3d::query::gjk::{self, CsoPoint, GJKResult, VoronoiSimplex};
use parry3d::shape::SupportMap;

use super::hull::Points;
use crate::math::*;

/// How deep a hull and a convex shape are in each other if their surfaces are `margin`
/// outside of both together; `None` if they are further apart than that.
pub(super) fn depth_of<S: SupportMap>(a: Points<'_>, b: &S, place: &Place, margin: Real) -> Option<Real> {
    let start = direction_or(a.0.first().copied().unwrap_or(Vec3::ZERO) - place.translation, Vec3::X);
    let mut simplex = VoronoiSimplex::new();
    simplex.reset(CsoPoint::from_shapes(place, &a, b, -start));
    match gjk::closest_points(place, &a, b, margin.max(ROUNDING), true, &mut simplex) {
        GJKResult::ClosestPoints(p, q, _) => {
            // Both points are in the first shape's frame, which is model space.
            let depth = margin - p.distance(q);
            (depth > 0.0).then_some(depth)
        }
        GJKResult::Intersection => Some(margin + overlap(a, b, place, &DIRECTIONS)),
        GJKResult::NoIntersection(_) | GJKResult::Proximity(_) => None,
    }
}

/// The smallest overlap of two convex things along any of the directions. That is
/// how far one of them has to go to be free, or a little more: among 13 lines
/// one is never further than 28° from the best.
pub(super) fn overlap<S: SupportMap>(a: Points<'_>, b: &S, place: &Place, directions: &[Vec3]) -> Real {
    let mut least = Real::INFINITY;
    for direction in directions {
        let unit = unit_vector(*direction);
        for d in [unit, -unit] {
            let reach_a = a.local_support_point(d).dot(d);
            let reach_b = b.support_point(place, -d).dot(d);
            least = least.min(reach_a - reach_b);
        }
    }
    if least.is_finite() { least.max(0.0) } else { 0.0 }
}

/// Faces, edges and corners of a cube, without their opposites; of any length.
const DIRECTIONS: [Vec3; 13] = [
    Vec3::X,
    Vec3::Y,
    Vec3::Z,
    Vec3::new(1.0, 1.0, 0.0),
    Vec3::new(1.0, -1.0, 0.0),
    Vec3::new(1.0, 0.0, 1.0),
    Vec3::new(1.0, 0.0, -1.0),
    Vec3::new(0.0, 1.0, 1.0),
    Vec3::new(0.0, 1.0, -1.0),
    Vec3::new(1.0, 1.0, 1.0),
    Vec3::new(1.0, 1.0, -1.0),
    Vec3::new(1.0, -1.0, 1.0),
    Vec3::new(-1.0, 1.0, 1.0),
];

/// The shortest way between a hull and a convex shape.
#[derive(Clone, Copy)]
pub(super) struct Apart {
    /// How far they are apart; negative where they overlap.
    pub distance: Real,
    /// Where the hull is nearest, in model space.
    pub at: Vec3,
    /// The unit vector along which the hull leaves the other.
    pub normal: Vec3,
}

/// How far a hull and a convex shape are apart, if that is less than `reach`. Where they overlap, the
/// way out is along one of the fixed [`DIRECTIONS`].
pub(super) fn apart<S: SupportMap>(a: Points<'_>, b: &S, place: &Place, reach: Real) -> Option<Apart> {
    let start = direction_or(a.0.first().copied().unwrap_or(Vec3::ZERO) - place.translation, Vec3::X);
    let mut simplex = VoronoiSimplex::new();
    simplex.reset(CsoPoint::from_shapes(place, &a, b, -start));
    match gjk::closest_points(place, &a, b, reach.max(ROUNDING), true, &mut simplex) {
        GJKResult::ClosestPoints(p, q, _) => {
            let distance = p.distance(q);
            let normal = direction_or(p - q, start);
            (distance < reach).then_some(Apart { distance, at: p, normal })
        }
        GJKResult::Intersection => {
            let mut least = Apart { distance: Real::NEG_INFINITY, at: a.0[0], normal: start };
            for direction in DIRECTIONS {
                let unit = unit_vector(direction);
                for d in [unit, -unit] {
                    // Along −d it has to go back behind the other's nearest end.
                    let at = a.local_support_point(d);
                    let overlap = at.dot(d) - b.support_point(place, -d).dot(d);
                    if -overlap > least.distance {
                        least = Apart { distance: -overlap, at, normal: -d };
                    }
                }
            }
            least.distance.is_finite().then_some(least)
        }
        GJKResult::NoIntersection(_) | GJKResult::Proximity(_) => None,
    }
}

/// The same for two segments, exactly.
#[inline]
pub(super) fn segments_apart(a: [Vec3; 2], b: [Vec3; 2], reach: Real) -> Option<Apart> {
    let (p, q) = nearest_of_segments(a, b);
    let way = p - q;
    let squared = way.length_squared();
    if squared >= reach * reach {
        return None;
    }
    // Segments that cross leave each other along their common normal.
    let normal = direction_or(way, direction_or((a[1] - a[0]).cross(b[1] - b[0]), Vec3::Y));
    Some(Apart { distance: squared.sqrt(), at: p, normal })
}

/// The squared way between the segments `a` and `b`.
#[inline]
pub(super) fn segments_squared(a: [Vec3; 2], b: [Vec3; 2]) -> Real {
    let (p, q) = nearest_of_segments(a, b);
    p.distance_squared(q)
}

/// Where the segments `a` and `b` are nearest to each other.
///
/// The usual clamping of the two parameters (Ericson, *Real-Time Collision
/// Detection*, section 5.1.9); segments of no length are points.
#[inline]
fn nearest_of_segments(a: [Vec3; 2], b: [Vec3; 2]) -> (Vec3, Vec3) {
    let (along_a, along_b, between) = (a[1] - a[0], b[1] - b[0], a[0] - b[0]);
    let (aa, bb) = (along_a.length_squared(), along_b.length_squared());
    let to_b = along_b.dot(between);
    let (s, t);
    if aa <= TINY {
        s = 0.0;
        t = if bb <= TINY { 0.0 } else { (to_b / bb).clamp(0.0, 1.0) };
    } else {
        let to_a = along_a.dot(between);
        if bb <= TINY {
            t = 0.0;
            s = (-to_a / aa).clamp(0.0, 1.0);
        } else {
            let ab = along_a.dot(along_b);
            let parallel = aa * bb - ab * ab;
            let first =
                if parallel > TINY { ((ab * to_b - to_a * bb) / parallel).clamp(0.0, 1.0) } else { 0.0 };
            let across = (ab * first + to_b) / bb;
            if across < 0.0 {
                t = 0.0;
                s = (-to_a / aa).clamp(0.0, 1.0);
            } else if across > 1.0 {
                t = 1.0;
                s = ((ab - to_a) / aa).clamp(0.0, 1.0);
            } else {
                t = across;
                s = first;
            }
        }
    }
    (a[0] + along_a * s, b[0] + along_b * t)
}

/// The squared way from a segment to a triangle, zero where it goes through; `None` where it is
/// not less than `radius`, which most triangles beside a limb show by their plane alone.
///
/// Of our own because a mesh asks it for every triangle near a limb, and GJK takes
/// six times as long for the same answer.
#[inline]
pub(super) fn segment_triangle_squared(segment: [Vec3; 2], corners: [Vec3; 3], radius: Real) -> Option<Real> {
    let [a, b, c] = corners;
    let normal = (b - a).cross(c - a);
    let (from, to) = (normal.dot(segment[0] - a), normal.dot(segment[1] - a));
    let square = normal.length_squared();
    let flat = square <= TINY * TINY;
    let crosses = from * to <= 0.0;
    if !flat && !crosses && from.abs().min(to.abs()) >= radius * square.sqrt() {
        return None;
    }
    // The inside of the triangle matters only where it is crossed, or where an end of the
    // segment stands over it.
    if !flat && crosses {
        let way = (from - to).abs();
        let share = if way > 0.0 { from.abs() / way } else { 0.0 };
        if stands_over(segment[0].lerp(segment[1], share), corners, normal) {
            return Some(0.0);
        }
    }
    let mut least = segments_squared(segment, [a, b])
        .min(segments_squared(segment, [b, c]))
        .min(segments_squared(segment, [c, a]));
    if !flat {
        for (end, height) in [(segment[0], from), (segment[1], to)] {
            if stands_over(end, corners, normal) {
                least = least.min(height * height / square);
            }
        }
    }
    (least < radius * radius).then_some(least)
}

/// Whether the point's foot in the triangle's plane lies in the triangle.
#[inline]
fn stands_over(p: Vec3, [a, b, c]: [Vec3; 3], normal: Vec3) -> bool {
    let inside = |from: Vec3, to: Vec3| (to - from).cross(p - from).dot(normal) >= 0.0;
    inside(a, b) && inside(b, c) && inside(c, a)
}

/// A segment with a radius, prepared to be asked of many boxes.
#[derive(Clone, Copy)]
pub(super) struct Probe {
    start: Vec3,
    /// The start less and plus the radius along every axis.
    low: Vec3,
    high: Vec3,
    along: Vec3,
    /// `along` over its squared length.
    unit: Vec3,
    /// One over the way along each axis; where there is none, a number so large that every box
    /// that the start is not in is passed.
    inverse: Vec3,
    radius: Real,
}

impl Probe {
    pub fn new(segment: [Vec3; 2], radius: Real) -> Self {
        let along = segment[1] - segment[0];
        let inverse = |way: Real| if way.abs() < TINY { 1.0 / TINY } else { 1.0 / way };
        Self {
            start: segment[0],
            low: segment[0] - Vec3::splat(radius),
            high: segment[0] + Vec3::splat(radius),
            along,
            unit: along / along.length_squared().max(TINY),
            inverse: Vec3::new(inverse(along.x), inverse(along.y), inverse(along.z)),
            radius,
        }
    }

    /// The squared way from the segment to the middle of a box, if it comes within its radius of
    /// the box, by the box blown up: a little too willing at its corners, which the triangles
    /// behind it make good.
    #[inline]
    pub fn way_to(&self, low: Vec3, high: Vec3) -> Option<Real> {
        let first = (low - self.high) * self.inverse;
        let second = (high - self.low) * self.inverse;
        let (enter, leave) = (first.min(second), first.max(second));
        if enter.max_element().max(0.0) > leave.min_element().min(1.0) {
            return None;
        }
        let to = (low + high) * 0.5 - self.start;
        let way = (to - self.along * to.dot(self.unit).clamp(0.0, 1.0)).length_squared();
        let ball = 0.5 * (high - low).length() + self.radius;
        (way <= ball * ball * (1.0 + 16.0 * ROUNDING)).then_some(way)
    }
}

#[cfg(test)]
#[path = "../../tests/unit/collision_distance.rs"]
mod tests;
