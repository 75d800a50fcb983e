//! Limits of every shape, in and out.

use std::fmt::Write as _;

use sinew_f64::limit::{
    AngleRange, Cone, EulerLimit, EulerOrder, JointLimit, Kusudama, KusudamaCone, LimitShape,
    SphericalPolygon, SplineKnot, SwingEllipse, SwingShape, SwingSpline, SwingTwistLimit,
};
use sinew_f64::{JointKind, Quat, Vec3};

use super::document::{RigLimit, RigLimitShape};
use super::quantity::{Quantity, angle_text};
use super::table::{Table, Value, unit_axis};
use super::text;
use crate::ReadError;

/// The names of the Euler orders, as files have them.
const ORDERS: [(&str, EulerOrder); 6] = [
    ("xyz", EulerOrder::Xyz),
    ("xzy", EulerOrder::Xzy),
    ("yxz", EulerOrder::Yxz),
    ("yzx", EulerOrder::Yzx),
    ("zxy", EulerOrder::Zxy),
    ("zyx", EulerOrder::Zyx),
];
const AXES: [&str; 3] = ["x", "y", "z"];

/// The order of Euler angles.
pub fn euler_order(value: Value<'_>) -> Result<EulerOrder, ReadError> {
    let name = value.text()?;
    let order = ORDERS.iter().find(|(known, _)| *known == name).map(|(_, order)| *order);
    order.ok_or_else(|| value.wrong("the order of the turns: xyz, xzy, yxz, yzx, zxy or zyx"))
}

/// Reads a limit.
pub fn read(value: Value<'_>) -> Result<RigLimit, ReadError> {
    const EXPECTED: &str = "a limit: min and max; first and second; euler; swing and twist; or \"none\"";
    let place = value.place();
    if value.as_text() == Some("none") {
        return Ok(RigLimit { shape: RigLimitShape::None, soft: None, place });
    }
    let mut table = value.table("a limit").map_err(|_| value.wrong(EXPECTED))?;
    let soft = table.get("soft").map(|v| v.quantity()).transpose()?;
    let swing = table.get("swing");
    let twist = table.get("twist");
    let shape = if swing.is_some() || twist.is_some() {
        RigLimitShape::SwingTwist(swing_twist(&mut table, swing, twist)?)
    } else if let Some(order) = table.get("euler") {
        RigLimitShape::Euler(euler(&mut table, euler_order(order)?)?)
    } else if let Some(first) = table.get("first") {
        RigLimitShape::Universal(angle_range(first)?, angle_range(table.need("second")?)?)
    } else {
        RigLimitShape::Range(table.need("min")?.quantity()?, table.need("max")?.quantity()?)
    };
    table.finish()?;
    Ok(RigLimit { shape, soft, place })
}

fn angle_range(value: Value<'_>) -> Result<AngleRange, ReadError> {
    let [min, max] = value.range()?;
    Ok(AngleRange { min: min.angle()?, max: max.angle()? })
}

fn euler(table: &mut Table<'_>, order: EulerOrder) -> Result<EulerLimit, ReadError> {
    let mut ranges = [AngleRange { min: 0.0, max: 0.0 }; 3];
    for (range, axis) in ranges.iter_mut().zip(order.axes()) {
        *range = angle_range(table.need(AXES[axis])?)?;
    }
    let frame = table.get("frame").map_or(Ok(Quat::IDENTITY), |v| v.rotation())?;
    Ok(EulerLimit { frame, order, ranges })
}

fn swing_twist(
    table: &mut Table<'_>,
    swing: Option<Value<'_>>,
    twist: Option<Value<'_>>,
) -> Result<SwingTwistLimit, ReadError> {
    let shape = swing.map_or(Ok(SwingShape::Free), |value| swing_shape(table, value))?;
    let mut limit = if let Some(frame) = table.get("frame") {
        let rest = table.get("rest").map_or(Ok(Quat::IDENTITY), |v| v.rotation())?;
        SwingTwistLimit { frame: frame.rotation()?, rest, ..SwingTwistLimit::along(Vec3::Z, Vec3::X) }
    } else {
        let bone = unit_axis(table.need("bone")?.direction()?);
        let right = match (table.get("right"), &shape) {
            (Some(right), _) => right.direction()?,
            // These look the same from every side.
            (None, SwingShape::Free | SwingShape::Cone(_)) => Vec3::ZERO,
            (None, _) => table.need("right")?.direction()?,
        };
        match table.get("centre") {
            Some(centre) => SwingTwistLimit::centred(bone, unit_axis(centre.direction()?), right),
            None => SwingTwistLimit::along(bone, right),
        }
    };
    limit.swing = shape;
    limit.twist = twist.map(angle_range).transpose()?;
    Ok(limit)
}

fn swing_shape(table: &mut Table<'_>, value: Value<'_>) -> Result<SwingShape, ReadError> {
    Ok(match value.text()? {
        "free" => SwingShape::Free,
        "cone" => SwingShape::Cone(Cone { radius: table.need("radius")?.angle()? }),
        "ellipse" => {
            SwingShape::Ellipse(SwingEllipse { x: table.need("x")?.angle()?, y: table.need("y")?.angle()? })
        }
        "polygon" => {
            let corners = table.need("corners")?.array("corners: [[x, y, z], …]")?;
            let corners: Result<Vec<Vec3>, ReadError> = corners.iter().map(|v| v.direction()).collect();
            SwingShape::Polygon(SphericalPolygon::new(corners?))
        }
        "spline" => {
            let knots = table.need("knots")?.array("knots: [[direction, swing], …]")?;
            let knot = |value: &Value<'_>| -> Result<SplineKnot, ReadError> {
                let [circumduction, amplitude] = value.exactly("two angles: [direction, swing]")?;
                Ok(SplineKnot { circumduction: circumduction.angle()?, amplitude: amplitude.angle()? })
            };
            let knots: Result<Vec<SplineKnot>, ReadError> = knots.iter().map(knot).collect();
            SwingShape::Spline(SwingSpline::from_knots(knots?))
        }
        "kusudama" => {
            let cone = |mut cone: Table<'_>| -> Result<KusudamaCone, ReadError> {
                let axis = cone.need("axis")?.direction()?;
                let radius = cone.need("radius")?.angle()?;
                let tangent = cone.get("tangent").map(|v| v.angle()).transpose()?;
                cone.finish()?;
                Ok(KusudamaCone { axis, radius, tangent })
            };
            let cones: Result<Vec<KusudamaCone>, ReadError> =
                table.need("cones")?.tables("a cone")?.into_iter().map(cone).collect();
            SwingShape::Kusudama(Kusudama::from_cones(cones?))
        }
        _ => return Err(value.wrong("free, cone, ellipse, polygon, spline or kusudama")),
    })
}

/// The limit for a joint of this kind, which gives numbers their unit and
/// ranges their axis.
pub fn for_kind(limit: &RigLimit, kind: JointKind) -> Result<JointLimit, ReadError> {
    let slides = matches!(kind, JointKind::Prismatic { .. });
    let measure = |q: &Quantity| if slides { q.length() } else { q.angle() };
    let shape = match (&limit.shape, kind) {
        (RigLimitShape::None, _) => JointLimit::None,
        (RigLimitShape::Range(min, max), JointKind::Prismatic { axis }) => {
            JointLimit::prismatic(axis, min.length()?, max.length()?)
        }
        (RigLimitShape::Range(min, max), JointKind::Hinge { axis }) => {
            JointLimit::hinge(axis, min.angle()?, max.angle()?)
        }
        (RigLimitShape::Range(..), kind) => {
            let found = format!("min and max for a {} joint", kind.name());
            let expected = "a limit of that kind of joint (min and max are for hinge and prismatic joints)";
            return Err(ReadError::new(limit.place.clone(), found, expected));
        }
        (RigLimitShape::Universal(first, second), JointKind::Universal { first: a, second: b }) => {
            sinew_f64::limit::UniversalLimit::new([a, b], *first, *second).into()
        }
        (RigLimitShape::Universal(..), kind) => {
            let found = format!("first and second for a {} joint", kind.name());
            let expected = "a limit of that kind of joint (first and second are for universal joints)";
            return Err(ReadError::new(limit.place.clone(), found, expected));
        }
        (RigLimitShape::Euler(euler), _) => (*euler).into(),
        (RigLimitShape::SwingTwist(swing_twist), _) => swing_twist.clone().into(),
    };
    Ok(shape.soft(limit.soft.as_ref().map_or(Ok(0.0), measure)?))
}

/// The lines of a limit's table, or `None` where there is no limit.
pub fn lines(limit: &JointLimit) -> Option<String> {
    let mut out = String::new();
    let mut line = |key: &str, value: String| {
        // Writing to a String does not fail.
        let _ = writeln!(out, "{key} = {value}");
    };
    let range = |r: &AngleRange| format!("[{}, {}]", angle_text(r.min), angle_text(r.max));
    let mut soft = angle_text(limit.soft_zone);
    match &limit.shape {
        LimitShape::None => return None,
        LimitShape::Hinge(l) => {
            line("min", angle_text(l.range.min));
            line("max", angle_text(l.range.max));
        }
        LimitShape::Prismatic(l) => {
            line("min", text::number(l.min));
            line("max", text::number(l.max));
            soft = text::number(limit.soft_zone);
        }
        LimitShape::Universal(l) => {
            line("first", range(&l.ranges[0]));
            line("second", range(&l.ranges[1]));
        }
        LimitShape::Euler(l) => {
            let order = ORDERS.iter().find(|(_, order)| *order == l.order).map_or("xyz", |(name, _)| name);
            line("euler", text::string(order));
            for (r, axis) in l.ranges.iter().zip(l.order.axes()) {
                line(AXES[axis], range(r));
            }
            if l.frame != Quat::IDENTITY {
                line("frame", rotation_text(l.frame));
            }
        }
        LimitShape::SwingTwist(l) => {
            for (key, value) in swing_twist_lines(l) {
                line(key, value);
            }
        }
    }
    if limit.soft_zone != 0.0 {
        line("soft", soft);
    }
    Some(out)
}

fn swing_twist_lines(limit: &SwingTwistLimit) -> Vec<(&'static str, String)> {
    let listed = |all: Vec<String>| format!("[\n  {},\n]", all.join(",\n  "));
    let mut lines = match &limit.swing {
        SwingShape::Free => vec![("swing", text::string("free"))],
        SwingShape::Cone(s) => vec![("swing", text::string("cone")), ("radius", angle_text(s.radius))],
        SwingShape::Ellipse(s) => {
            vec![("swing", text::string("ellipse")), ("x", angle_text(s.x)), ("y", angle_text(s.y))]
        }
        SwingShape::Polygon(s) => {
            let corners = s.vertices().iter().map(|v| text::vector(*v)).collect();
            vec![("swing", text::string("polygon")), ("corners", listed(corners))]
        }
        SwingShape::Spline(s) => {
            let knot =
                |k: &SplineKnot| format!("[{}, {}]", angle_text(k.circumduction), angle_text(k.amplitude));
            vec![("swing", text::string("spline")), ("knots", listed(s.knots().iter().map(knot).collect()))]
        }
        SwingShape::Kusudama(s) => {
            let cone = |c: &KusudamaCone| {
                let tangent = c.tangent.map_or(String::new(), |t| format!(", tangent = {}", angle_text(t)));
                format!("{{ axis = {}, radius = {}{tangent} }}", text::vector(c.axis), angle_text(c.radius))
            };
            vec![("swing", text::string("kusudama")), ("cones", listed(s.cones().iter().map(cone).collect()))]
        }
    };
    lines.extend(frame_lines(limit));
    if let Some(twist) = limit.twist {
        lines.push(("twist", format!("[{}, {}]", angle_text(twist.min), angle_text(twist.max))));
    }
    lines
}

/// The frame as readable directions, if they give exactly this frame, and as
/// quaternions otherwise.
fn frame_lines(limit: &SwingTwistLimit) -> Vec<(&'static str, String)> {
    let neat = |v: Vec3| unit_axis(((v * 1.0e9).round() / 1.0e9) + Vec3::ZERO);
    let (frame, rest) = (limit.frame, limit.rest);
    let (centre, right) = (neat(frame * Vec3::Z), neat(frame * Vec3::X));
    let bone = neat(frame * (rest * Vec3::Z));
    let same = |other: SwingTwistLimit| other.frame == frame && other.rest == rest;
    if same(SwingTwistLimit::along(centre, right)) {
        vec![("bone", text::vector(centre)), ("right", text::vector(right))]
    } else if same(SwingTwistLimit::centred(bone, centre, right)) {
        vec![("bone", text::vector(bone)), ("centre", text::vector(centre)), ("right", text::vector(right))]
    } else if rest == Quat::IDENTITY {
        vec![("frame", rotation_text(frame))]
    } else {
        vec![("frame", rotation_text(frame)), ("rest", rotation_text(rest))]
    }
}

/// A rotation as a readable axis and angle if that gives exactly this
/// quaternion, and as the quaternion otherwise.
pub fn rotation_text(q: Quat) -> String {
    use sinew_f64::math::rotation;
    let turn = rotation::log(q);
    let degrees = (turn.length().to_degrees() * 1.0e6).round() / 1.0e6;
    for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
        for degrees in [degrees, -degrees] {
            if rotation::about(axis, degrees.to_radians()) == q {
                return format!("{{ axis = {}, angle = {} }}", text::vector(axis), text::number(degrees));
            }
        }
    }
    text::quaternion(q)
}
