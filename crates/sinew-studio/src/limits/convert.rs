//! Between the engine's limits and those of the messages.

use sinew_f64::limit::{
    AngleRange, Cone, EulerLimit, EulerOrder, HingeLimit, Kusudama, KusudamaCone, LimitShape as Shape,
    PrismaticLimit, SphericalPolygon, SplineKnot, SwingEllipse, SwingShape, SwingSpline, SwingTwistLimit,
    UniversalLimit,
};
use sinew_f64::{JointKind, JointLimit, Quat, Vec3};

use crate::wire::{LimitCone, LimitDocument, LimitKnot, LimitShape, Q, Range, Swing, V3};

/// More corners, knots or cones than this nobody edits by hand.
const MOST_POINTS: usize = 256;

/// A limit's shape as a message.
pub fn shape(limit: &JointLimit) -> LimitShape {
    match &limit.shape {
        Shape::None => LimitShape::None,
        Shape::Hinge(l) => LimitShape::Hinge { axis: l.axis.to_array(), range: range(l.range) },
        Shape::Universal(l) => {
            LimitShape::Universal { axes: l.axes.map(|a| a.to_array()), ranges: l.ranges.map(range) }
        }
        Shape::Euler(l) => LimitShape::Euler {
            frame: l.frame.to_array(),
            order: l.order.axes().iter().map(|&axis| ['x', 'y', 'z'][axis]).collect(),
            ranges: l.ranges.map(range),
        },
        Shape::SwingTwist(l) => LimitShape::SwingTwist {
            frame: l.frame.to_array(),
            rest: l.rest.to_array(),
            swing: swing(&l.swing),
            twist: l.twist.map(range),
        },
        Shape::Prismatic(l) => {
            LimitShape::Prismatic { axis: l.axis.to_array(), range: Range { min: l.min, max: l.max } }
        }
    }
}

fn swing(shape: &SwingShape) -> Swing {
    match shape {
        SwingShape::Free => Swing::Free,
        SwingShape::Cone(s) => Swing::Cone { radius: s.radius },
        SwingShape::Ellipse(s) => Swing::Ellipse { x: s.x, y: s.y },
        SwingShape::Polygon(s) => {
            Swing::Polygon { vertices: s.vertices().iter().map(|v| v.to_array()).collect() }
        }
        SwingShape::Spline(s) => Swing::Spline {
            knots: s
                .knots()
                .iter()
                .map(|k| LimitKnot { circumduction: k.circumduction, amplitude: k.amplitude })
                .collect(),
        },
        SwingShape::Kusudama(s) => Swing::Kusudama {
            cones: s
                .cones()
                .iter()
                .map(|c| LimitCone { axis: c.axis.to_array(), radius: c.radius, tangent: c.tangent })
                .collect(),
        },
    }
}

fn range(range: AngleRange) -> Range {
    Range { min: range.min, max: range.max }
}

/// The engine's limit for a joint of this kind, or what is wrong with it. An axis of zero stands
/// for the joint's own: a page that gives a free hinge its first limit does not know it.
pub fn from_document(document: &LimitDocument, kind: JointKind) -> Result<JointLimit, String> {
    let mut shape = engine_shape(&document.shape)?;
    match (&mut shape, kind) {
        (Shape::Hinge(limit), JointKind::Hinge { axis }) if limit.axis == Vec3::ZERO => limit.axis = axis,
        (Shape::Prismatic(limit), JointKind::Prismatic { axis }) if limit.axis == Vec3::ZERO => {
            limit.axis = axis;
        }
        (Shape::Universal(limit), JointKind::Universal { first, second })
            if limit.axes == [Vec3::ZERO; 2] =>
        {
            limit.axes = [first, second];
        }
        _ => {}
    }
    let limit = JointLimit { shape, soft_zone: document.soft_zone };
    limit.checked(kind).map_err(|error| error.to_string())
}

fn engine_shape(shape: &LimitShape) -> Result<Shape, String> {
    Ok(match shape {
        LimitShape::None => Shape::None,
        LimitShape::Hinge { axis, range } => {
            Shape::Hinge(HingeLimit { axis: vector(*axis), range: angles(*range) })
        }
        LimitShape::Universal { axes, ranges } => {
            Shape::Universal(UniversalLimit { axes: axes.map(vector), ranges: ranges.map(angles) })
        }
        LimitShape::Euler { frame, order, ranges } => Shape::Euler(EulerLimit {
            frame: quaternion(*frame),
            order: euler_order(order)?,
            ranges: ranges.map(angles),
        }),
        LimitShape::SwingTwist { frame, rest, swing, twist } => Shape::SwingTwist(SwingTwistLimit {
            frame: quaternion(*frame),
            rest: quaternion(*rest),
            swing: engine_swing(swing)?,
            twist: twist.map(angles),
        }),
        LimitShape::Prismatic { axis, range } => {
            Shape::Prismatic(PrismaticLimit { axis: vector(*axis), min: range.min, max: range.max })
        }
    })
}

fn engine_swing(swing: &Swing) -> Result<SwingShape, String> {
    let few = |count: usize, what: &str| {
        if count > MOST_POINTS { Err(format!("{count} {what} are more than {MOST_POINTS}")) } else { Ok(()) }
    };
    Ok(match swing {
        Swing::Free => SwingShape::Free,
        Swing::Cone { radius } => SwingShape::Cone(Cone { radius: *radius }),
        Swing::Ellipse { x, y } => SwingShape::Ellipse(SwingEllipse { x: *x, y: *y }),
        Swing::Polygon { vertices } => {
            few(vertices.len(), "corners")?;
            SwingShape::Polygon(SphericalPolygon::new(vertices.iter().copied().map(vector)))
        }
        Swing::Spline { knots } => {
            few(knots.len(), "knots")?;
            let knot = |k: &LimitKnot| SplineKnot { circumduction: k.circumduction, amplitude: k.amplitude };
            SwingShape::Spline(SwingSpline::from_knots(knots.iter().map(knot).collect()))
        }
        Swing::Kusudama { cones } => {
            few(cones.len(), "cones")?;
            let cone =
                |c: &LimitCone| KusudamaCone { axis: vector(c.axis), radius: c.radius, tangent: c.tangent };
            SwingShape::Kusudama(Kusudama::from_cones(cones.iter().map(cone).collect()))
        }
    })
}

fn euler_order(name: &str) -> Result<EulerOrder, String> {
    let spelled =
        |order: EulerOrder| -> String { order.axes().iter().map(|&a| ['x', 'y', 'z'][a]).collect() };
    EulerOrder::ALL.into_iter().find(|order| spelled(*order).eq_ignore_ascii_case(name)).ok_or_else(|| {
        format!("'{}' is no order of angles; expected xyz, zxy and the like", name.escape_debug())
    })
}

fn angles(range: Range) -> AngleRange {
    AngleRange::new(range.min, range.max)
}

pub(super) fn vector([x, y, z]: V3) -> Vec3 {
    Vec3::new(x, y, z)
}

fn quaternion([x, y, z, w]: Q) -> Quat {
    Quat::from_xyzw(x, y, z, w)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The page once sent a zero axis for a free hinge's first limit and was refused, so that such
    /// a joint could not be given one.
    #[test]
    fn a_free_hinge_gets_a_limit_about_its_own_axis() {
        let shape = LimitShape::Hinge { axis: [0.0; 3], range: Range { min: -0.5, max: 1.0 } };
        let document = LimitDocument { shape, soft_zone: 0.0, outlines: Vec::new(), handles: Vec::new() };
        let limit = from_document(&document, JointKind::Hinge { axis: Vec3::Y }).unwrap();
        assert!(matches!(limit.shape, Shape::Hinge(HingeLimit { axis: Vec3::Y, .. })), "{limit:?}");
        assert!(from_document(&document, JointKind::Ball).is_err());
    }
}
