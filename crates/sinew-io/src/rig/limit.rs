//! Limits, in and out; the regions of a swing are in [`region`].

use std::fmt::Write as _;

use sinew_f64::limit::{
    AngleRange, EulerLimit, EulerOrder, JointLimit, LimitShape, SwingShape, SwingTwistLimit,
};
use sinew_f64::{JointKind, Quat, Vec3};

use super::document::{RigLimit, RigLimitShape};
use super::quantity::{Quantity, angle_text};
use super::table::{Table, Value, unit_axis};
use super::{region, text};
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
    // First the keys of the frame: what is left then belongs to the region.
    let (mut limit, has_right) = if let Some(frame) = table.get("frame") {
        let rest = table.get("rest").map_or(Ok(Quat::IDENTITY), |v| v.rotation())?;
        let frame = frame.rotation()?;
        (SwingTwistLimit { frame, rest, ..SwingTwistLimit::along(Vec3::Z, Vec3::X) }, true)
    } else {
        let bone = unit_axis(table.need("bone")?.direction()?);
        let right = table.get("right").map(|v| v.direction()).transpose()?;
        let towards = right.unwrap_or(Vec3::ZERO);
        let limit = match table.get("centre") {
            Some(centre) => SwingTwistLimit::centred(bone, unit_axis(centre.direction()?), towards),
            None => SwingTwistLimit::along(bone, towards),
        };
        (limit, right.is_some())
    };
    limit.swing = swing.map_or(Ok(SwingShape::Free), |value| region::read(table, value))?;
    let looks_the_same_from_every_side = matches!(limit.swing, SwingShape::Free | SwingShape::Cone(_));
    if !has_right && !looks_the_same_from_every_side {
        return Err(table.without("right"));
    }
    limit.twist = twist.map(angle_range).transpose()?;
    Ok(limit)
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
                line(&key, value);
            }
        }
    }
    if limit.soft_zone != 0.0 {
        line("soft", soft);
    }
    Some(out)
}

fn swing_twist_lines(limit: &SwingTwistLimit) -> Vec<(String, String)> {
    let mut lines = region::lines(&limit.swing);
    lines.extend(frame_lines(limit).into_iter().map(|(key, value)| (key.to_owned(), value)));
    if let Some(twist) = limit.twist {
        let range = format!("[{}, {}]", angle_text(twist.min), angle_text(twist.max));
        lines.push(("twist".to_owned(), range));
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
