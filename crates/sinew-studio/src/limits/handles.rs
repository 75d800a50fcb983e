//! Where to take hold of a limit, and what dragging a handle does to it.
//!
//! A handle shows a direction in the joint's rest frame (a place, for a slide).
//! Dragging one sets the parameter that it shows so that the handle comes as
//! near to where it was dragged as its shape lets it: an end of a range moves on
//! its arc, a rim changes a radius, a point goes anywhere on the sphere. What
//! comes out is checked like any limit, and refused in words if it is none.

use std::f64::consts::{PI, TAU};

use sinew_f64::limit::{
    AngleRange, Kusudama, KusudamaCone, LimitShape, SphericalPolygon, SplineKnot, SwingShape, SwingSpline,
    SwingTwistLimit,
};
use sinew_f64::math::{any_perpendicular, rotation, swing_twist, wrap_angle};
use sinew_f64::{JointKind, JointLimit, Quat, Vec3};

use crate::wire::{Handle, HandleKind};

/// A direction nearer to an axis than this shows no angle about it.
const ON_AXIS: f64 = 1.0e-4;
/// The radius of a cone that has no neighbour to take it from.
const NEW_RADIUS: f64 = 0.4;

/// What a handle holds.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Grip {
    /// An end of the range of an angle, by the angle's number.
    End { angle: usize, upper: bool },
    /// An end of a slide.
    Slide { upper: bool },
    /// The rim of a cone about z, in this direction.
    Rim { towards: f64 },
    /// An end of an axis of an ellipse: a turn about x or y, either way.
    Ellipse { about_x: bool, sign: f64 },
    /// A corner of a polygon.
    Corner(usize),
    /// A knot of a spline.
    Knot(usize),
    /// The middle of a cone of a Kusudama.
    ConeAxis(usize),
    /// The rim of a cone of a Kusudama.
    ConeRim(usize),
}

/// An arc on which the end of a range moves: where `before · about(axis, angle)` turns `start`.
#[derive(Debug, Clone, Copy)]
struct Arc {
    before: Quat,
    axis: Vec3,
    start: Vec3,
}

impl Arc {
    fn at(&self, angle: f64) -> Vec3 {
        self.before * (rotation::about(self.axis, angle) * self.start)
    }

    /// The angle at which the arc comes nearest to a direction.
    fn angle_to(&self, to: Vec3) -> Option<f64> {
        let flat = |v: Vec3| v - self.axis * v.dot(self.axis);
        let (from, to) = (flat(self.start), flat(self.before.conjugate() * to));
        if from.length() < ON_AXIS || to.length() < ON_AXIS {
            return None;
        }
        Some(from.cross(to).dot(self.axis).atan2(from.dot(to)))
    }
}

/// The handles of a limit, in the order of their numbers.
pub fn handles(limit: &JointLimit) -> Vec<Handle> {
    grips(limit)
        .into_iter()
        .filter_map(|grip| {
            Some(Handle {
                kind: grip.kind(),
                at: place(limit, grip)?.to_array(),
                label: label(limit, grip),
                removable: removable(limit, grip),
            })
        })
        .collect()
}

/// The limit after a handle was dragged.
pub fn dragged(limit: &JointLimit, kind: JointKind, handle: u32, to: Vec3) -> Result<JointLimit, String> {
    let grip = grip(limit, handle)?;
    let mut new = limit.clone();
    if !to.is_finite() {
        return Err("the handle was dragged nowhere".into());
    }
    match grip {
        Grip::Slide { upper } => {
            if let LimitShape::Prismatic(l) = &mut new.shape {
                let way = to.dot(l.axis);
                if upper { l.max = way.max(l.min) } else { l.min = way.min(l.max) }
            }
        }
        Grip::End { angle, upper } => {
            let to = direction(to)?;
            let arc = arc(limit, angle).ok_or("this angle has no arc")?;
            let angle_there =
                arc.angle_to(to).ok_or("that direction lies on the axis, where it shows no angle")?;
            if let Some(range) = range_mut(&mut new, angle) {
                *range = moved(*range, upper, angle_there);
            }
        }
        _ => {
            if let LimitShape::SwingTwist(l) = &mut new.shape {
                let local = l.frame.conjugate() * direction(to)?;
                drag_swing(l, grip, local);
            }
        }
    }
    checked(new, kind)
}

/// The limit with a cone, knot or corner more.
pub fn added(limit: &JointLimit, kind: JointKind, at: Vec3) -> Result<JointLimit, String> {
    let mut new = limit.clone();
    let LimitShape::SwingTwist(l) = &mut new.shape else {
        return Err(format!("a limit of kind '{}' has no points to add", limit.name()));
    };
    let at = l.frame.conjugate() * direction(at)?;
    l.swing = match &l.swing {
        SwingShape::Polygon(s) => {
            let mut corners = s.vertices().to_vec();
            let place = best_gap(&corners, at, true);
            corners.insert(place, at);
            SphericalPolygon::new(corners).into()
        }
        SwingShape::Spline(s) => {
            let mut knots = s.knots().to_vec();
            knots.push(knot(at, None));
            SwingSpline::from_knots(knots).into()
        }
        SwingShape::Kusudama(s) => {
            let mut cones = s.cones().to_vec();
            let axes: Vec<Vec3> = cones.iter().map(|c| c.axis).collect();
            let place = best_gap(&axes, at, false);
            let beside = [place.checked_sub(1), Some(place)];
            let radii = beside.iter().flatten().filter_map(|i| cones.get(*i)).map(|c| c.radius);
            let radius = radii.reduce(f64::min).unwrap_or(NEW_RADIUS);
            if let Some(before) = place.checked_sub(1) {
                // It described the way that the new cone divides.
                cones[before].tangent = None;
            }
            cones.insert(place, KusudamaCone { axis: at, radius, tangent: None });
            kusudama(cones)
        }
        other => {
            let name = other.name();
            return Err(format!(
                "a limit of kind '{name}' has no points; take a polygon, spline or Kusudama"
            ));
        }
    };
    checked(new, kind)
}

/// The limit without the cone, knot or corner that a handle belongs to.
pub fn removed(limit: &JointLimit, kind: JointKind, handle: u32) -> Result<JointLimit, String> {
    let grip = grip(limit, handle)?;
    if !removable(limit, grip) {
        return Err(format!("{} cannot be taken away", label(limit, grip)));
    }
    let mut new = limit.clone();
    if let LimitShape::SwingTwist(l) = &mut new.shape {
        l.swing = match (&l.swing, grip) {
            (SwingShape::Polygon(s), Grip::Corner(i)) => {
                SphericalPolygon::new(without(s.vertices(), i)).into()
            }
            (SwingShape::Spline(s), Grip::Knot(i)) => SwingSpline::from_knots(without(s.knots(), i)).into(),
            (SwingShape::Kusudama(s), Grip::ConeAxis(i) | Grip::ConeRim(i)) => {
                kusudama(without(s.cones(), i))
            }
            (other, _) => other.clone(),
        };
    }
    checked(new, kind)
}

fn checked(limit: JointLimit, kind: JointKind) -> Result<JointLimit, String> {
    limit.checked(kind).map_err(|error| error.to_string())
}

fn without<T: Clone>(list: &[T], at: usize) -> Vec<T> {
    list.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, item)| item.clone()).collect()
}

fn direction(to: Vec3) -> Result<Vec3, String> {
    if to.length() > 1.0e-9 && to.is_finite() {
        Ok(to.normalize())
    } else {
        Err("the handle was dragged nowhere: that is no direction".into())
    }
}

fn grip(limit: &JointLimit, handle: u32) -> Result<Grip, String> {
    let grips = grips(limit);
    let count = grips.len();
    grips
        .get(handle as usize)
        .copied()
        .ok_or_else(|| format!("there is no handle {handle}; the limit has {count}"))
}

fn grips(limit: &JointLimit) -> Vec<Grip> {
    let ends = |count: usize| {
        (0..count).flat_map(|angle| [false, true].map(|upper| Grip::End { angle, upper })).collect::<Vec<_>>()
    };
    let mut grips = match &limit.shape {
        LimitShape::None => Vec::new(),
        LimitShape::Hinge(_) => ends(1),
        LimitShape::Universal(_) => ends(2),
        LimitShape::Euler(_) => ends(3),
        LimitShape::Prismatic(_) => vec![Grip::Slide { upper: false }, Grip::Slide { upper: true }],
        LimitShape::SwingTwist(l) => {
            let mut grips = match &l.swing {
                SwingShape::Free => Vec::new(),
                SwingShape::Cone(_) => {
                    (0..4).map(|i| Grip::Rim { towards: f64::from(i) * 0.25 * TAU }).collect()
                }
                SwingShape::Ellipse(_) => [(true, 1.0), (true, -1.0), (false, 1.0), (false, -1.0)]
                    .map(|(about_x, sign)| Grip::Ellipse { about_x, sign })
                    .to_vec(),
                SwingShape::Polygon(s) => (0..s.vertices().len()).map(Grip::Corner).collect(),
                SwingShape::Spline(s) => (0..s.knots().len()).map(Grip::Knot).collect(),
                SwingShape::Kusudama(s) => {
                    (0..s.cones().len()).flat_map(|i| [Grip::ConeAxis(i), Grip::ConeRim(i)]).collect()
                }
            };
            if l.twist.is_some() {
                grips.extend(ends(1));
            }
            grips
        }
    };
    grips.retain(|grip| place(limit, *grip).is_some());
    grips
}

impl Grip {
    fn kind(self) -> HandleKind {
        match self {
            Self::End { .. } | Self::Slide { .. } => HandleKind::End,
            Self::Rim { .. } | Self::Ellipse { .. } | Self::ConeRim(_) => HandleKind::Rim,
            Self::Corner(_) | Self::Knot(_) | Self::ConeAxis(_) => HandleKind::Point,
        }
    }
}

/// Where a handle shows, in the joint's rest frame.
fn place(limit: &JointLimit, grip: Grip) -> Option<Vec3> {
    match (&limit.shape, grip) {
        (LimitShape::Prismatic(l), Grip::Slide { upper }) => Some(l.axis * if upper { l.max } else { l.min }),
        (_, Grip::End { angle, upper }) => {
            let range = range(limit, angle)?;
            Some(arc(limit, angle)?.at(if upper { range.max } else { range.min }))
        }
        (LimitShape::SwingTwist(l), grip) => Some(l.frame * swing_place(&l.swing, grip)?),
        _ => None,
    }
}

/// Where a handle of the swing shows, in the limit's frame.
fn swing_place(swing: &SwingShape, grip: Grip) -> Option<Vec3> {
    Some(match (swing, grip) {
        (SwingShape::Cone(s), Grip::Rim { towards }) => polar(towards, s.radius),
        (SwingShape::Ellipse(s), Grip::Ellipse { about_x: true, sign }) => {
            swing_twist::direction_of([sign * s.x, 0.0].into())
        }
        (SwingShape::Ellipse(s), Grip::Ellipse { about_x: false, sign }) => {
            swing_twist::direction_of([0.0, sign * s.y].into())
        }
        (SwingShape::Polygon(s), Grip::Corner(i)) => *s.vertices().get(i)?,
        (SwingShape::Spline(s), Grip::Knot(i)) => {
            let knot = s.knots().get(i)?;
            polar(knot.circumduction, knot.amplitude)
        }
        (SwingShape::Kusudama(s), Grip::ConeAxis(i)) => s.cones().get(i)?.axis,
        (SwingShape::Kusudama(s), Grip::ConeRim(i)) => {
            let cone = s.cones().get(i)?;
            rotation::about(rim_axis(cone.axis), cone.radius) * cone.axis
        }
        _ => return None,
    })
}

/// The axis about which a cone's rim handle is turned away from the cone's axis.
fn rim_axis(axis: Vec3) -> Vec3 {
    any_perpendicular(axis)
}

/// The direction that leans by an angle from z, towards a direction around it.
fn polar(around: f64, lean: f64) -> Vec3 {
    let (sin, cos) = around.sin_cos();
    Vec3::new(cos * lean.sin(), sin * lean.sin(), lean.cos())
}

fn drag_swing(limit: &mut SwingTwistLimit, grip: Grip, to: Vec3) {
    let lean = to.truncate().length().atan2(to.z);
    limit.swing = match (&limit.swing, grip) {
        (SwingShape::Cone(_), Grip::Rim { .. }) => sinew_f64::limit::Cone::new(lean).into(),
        (SwingShape::Ellipse(s), Grip::Ellipse { about_x, sign }) => {
            let axis = if about_x { Vec3::X } else { Vec3::Y };
            let arc = Arc { before: Quat::IDENTITY, axis, start: Vec3::Z };
            let mut ellipse = *s;
            let length = if about_x { &mut ellipse.x } else { &mut ellipse.y };
            // On the axis of the turn it shows none; across the middle it has no length.
            *length = arc.angle_to(to).map_or(*length, |angle| (sign * angle).clamp(0.0, PI));
            ellipse.into()
        }
        (SwingShape::Polygon(s), Grip::Corner(i)) => {
            let mut corners = s.vertices().to_vec();
            corners[i] = to;
            SphericalPolygon::new(corners).into()
        }
        (SwingShape::Spline(s), Grip::Knot(i)) => {
            let mut knots = s.knots().to_vec();
            knots[i] = knot(to, Some(knots[i]));
            SwingSpline::from_knots(knots).into()
        }
        (SwingShape::Kusudama(s), Grip::ConeAxis(i)) => {
            let mut cones = s.cones().to_vec();
            cones[i].axis = to;
            kusudama(cones)
        }
        (SwingShape::Kusudama(s), Grip::ConeRim(i)) => {
            let mut cones = s.cones().to_vec();
            cones[i].radius = rotation::angle_between(cones[i].axis, to);
            kusudama(cones)
        }
        (other, _) => other.clone(),
    };
}

/// A knot where a direction is. At the middle it has no direction of its own,
/// and keeps the one it had.
fn knot(at: Vec3, old: Option<SplineKnot>) -> SplineKnot {
    let flat = at.truncate();
    let around =
        if flat.length() > ON_AXIS { at.y.atan2(at.x) } else { old.map_or(0.0, |k| k.circumduction) };
    let circumduction = match old {
        // The angle stays where it was on the number line, so that nothing dragged is nothing changed.
        Some(old) => old.circumduction + wrap_angle(around - old.circumduction),
        None => around,
    };
    SplineKnot { circumduction, amplitude: flat.length().atan2(at.z).clamp(0.0, PI) }
}

/// Cones whose own widths of the ways are kept as long as they are possible.
fn kusudama(mut cones: Vec<KusudamaCone>) -> SwingShape {
    let fits = |cones: &[KusudamaCone]| {
        let limit = SwingTwistLimit::along(Vec3::Z, Vec3::X).swing(Kusudama::from_cones(cones.to_vec()));
        JointLimit::from(limit).checked(JointKind::Ball).is_ok()
    };
    if !fits(&cones) {
        for i in 0..cones.len() {
            let pair = &cones[i..cones.len().min(i + 2)];
            if cones[i].tangent.is_some() && !fits(pair) {
                cones[i].tangent = None;
            }
        }
    }
    Kusudama::from_cones(cones).into()
}

/// The place in a sequence of directions at which one more makes the least detour.
fn best_gap(points: &[Vec3], new: Vec3, closed: bool) -> usize {
    let count = points.len();
    let between = |a: Vec3, b: Vec3| {
        rotation::angle_between(a, new) + rotation::angle_between(new, b) - rotation::angle_between(a, b)
    };
    let mut gaps: Vec<(usize, f64)> = (1..count).map(|i| (i, between(points[i - 1], points[i]))).collect();
    if let (Some(&first), Some(&last)) = (points.first(), points.last()) {
        if closed {
            gaps.push((count, between(last, first)));
        } else {
            gaps.push((0, rotation::angle_between(new, first)));
            gaps.push((count, rotation::angle_between(new, last)));
        }
    }
    gaps.into_iter().min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(place, _)| place)
}

fn range(limit: &JointLimit, angle: usize) -> Option<AngleRange> {
    match &limit.shape {
        LimitShape::Hinge(l) if angle == 0 => Some(l.range),
        LimitShape::Universal(l) => l.ranges.get(angle).copied(),
        LimitShape::Euler(l) => l.ranges.get(angle).copied(),
        LimitShape::SwingTwist(l) if angle == 0 => l.twist,
        _ => None,
    }
}

fn range_mut(limit: &mut JointLimit, angle: usize) -> Option<&mut AngleRange> {
    match &mut limit.shape {
        LimitShape::Hinge(l) if angle == 0 => Some(&mut l.range),
        LimitShape::Universal(l) => l.ranges.get_mut(angle),
        LimitShape::Euler(l) => l.ranges.get_mut(angle),
        LimitShape::SwingTwist(l) if angle == 0 => l.twist.as_mut(),
        _ => None,
    }
}

/// The arc of an angle, the others in the middle of their ranges.
fn arc(limit: &JointLimit, angle: usize) -> Option<Arc> {
    let middle = |r: AngleRange| if r.is_whole_turn() { 0.0 } else { r.middle() };
    Some(match &limit.shape {
        LimitShape::Hinge(l) => {
            Arc { before: Quat::IDENTITY, axis: l.axis, start: any_perpendicular(l.axis) }
        }
        LimitShape::Universal(l) => {
            let [first, second] = l.axes;
            let side = first.cross(second);
            if angle == 0 {
                let start = rotation::about(second, middle(l.ranges[1])) * side;
                // Turned all the way aside it would lie on the axis.
                let start = if start.cross(first).length() < 0.2 { second } else { start };
                Arc { before: Quat::IDENTITY, axis: first, start }
            } else {
                Arc { before: rotation::about(first, middle(l.ranges[0])), axis: second, start: side }
            }
        }
        LimitShape::Euler(l) => {
            let axes = l.order.axes().map(|axis| Vec3::AXES[axis]);
            let turn = |i: usize| rotation::about(axes[i], middle(l.ranges[i]));
            match angle {
                0 => {
                    let start = turn(1) * axes[2];
                    let start = if start.cross(axes[0]).length() < 0.2 { axes[1] } else { start };
                    Arc { before: l.frame, axis: axes[0], start }
                }
                1 => Arc { before: l.frame * turn(0), axis: axes[1], start: axes[2] },
                _ => Arc { before: l.frame * turn(0) * turn(1), axis: axes[2], start: axes[0] },
            }
        }
        LimitShape::SwingTwist(l) => Arc { before: l.frame, axis: Vec3::Z, start: Vec3::X },
        LimitShape::None | LimitShape::Prismatic(_) => return None,
    })
}

/// A range of which one end was moved to an angle, the near way round. It stays
/// a range: neither end passes the other, and it has one turn at most.
fn moved(range: AngleRange, upper: bool, angle: f64) -> AngleRange {
    let AngleRange { mut min, mut max } = range;
    if upper {
        max = (max + wrap_angle(angle - max)).clamp(min, min + TAU);
    } else {
        min = (min + wrap_angle(angle - min)).clamp(max - TAU, max);
    }
    // Ranges that were dragged round and round come back.
    let turns = (0.5 * (min + max) / TAU).round() * TAU;
    if turns != 0.0 && turns.is_finite() {
        (min, max) = (min - turns, max - turns);
    }
    AngleRange::new(min, max)
}

fn removable(limit: &JointLimit, grip: Grip) -> bool {
    let LimitShape::SwingTwist(l) = &limit.shape else { return false };
    match (&l.swing, grip) {
        (SwingShape::Polygon(s), Grip::Corner(_)) => s.vertices().len() > 3,
        (SwingShape::Spline(s), Grip::Knot(_)) => s.knots().len() > 2,
        (SwingShape::Kusudama(s), Grip::ConeAxis(_)) => s.cones().len() > 1,
        _ => false,
    }
}

fn label(limit: &JointLimit, grip: Grip) -> String {
    let degrees = |angle: f64| format!("{:.0}°", angle.to_degrees());
    let end = |upper: bool| if upper { "most" } else { "least" };
    match grip {
        Grip::End { angle, upper } => {
            let value = range(limit, angle).map_or(0.0, |r| if upper { r.max } else { r.min });
            let what = match &limit.shape {
                LimitShape::SwingTwist(_) => "the twist",
                LimitShape::Hinge(_) => "the angle",
                _ => ["the first angle", "the second angle", "the third angle"][angle.min(2)],
            };
            format!("{what}, at {}: {}", end(upper), degrees(value))
        }
        Grip::Slide { upper } => format!("the way, at {}", end(upper)),
        Grip::Rim { .. } => "the cone's rim".into(),
        Grip::Ellipse { about_x, .. } => format!("the ellipse, about {}", if about_x { "x" } else { "y" }),
        Grip::Corner(i) => format!("corner {}", i + 1),
        Grip::Knot(i) => format!("knot {}", i + 1),
        Grip::ConeAxis(i) => format!("cone {}", i + 1),
        Grip::ConeRim(i) => format!("the rim of cone {}", i + 1),
    }
}

#[cfg(test)]
mod tests;
