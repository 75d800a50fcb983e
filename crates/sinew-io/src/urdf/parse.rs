//! From XML to a [`UrdfDocument`].

use roxmltree::Node;
use sinew_f64::{Transform, Vec3};

use super::document::*;
use super::{shape, tree, xml};
use crate::error::quoted;
use crate::{Note, ReadError};

/// Reads a URDF to a document: every number finite, every axis a direction,
/// every limit the right way up, every link named by exactly one joint except
/// the root.
pub fn parse(bytes: &[u8]) -> Result<UrdfDocument, ReadError> {
    let mut notes = Vec::new();
    let text = xml::text(bytes, &mut notes)?;
    let document = xml::tree(text, &mut notes)?;
    let reader = xml::Reader::new(&document);
    let robot = document.root_element();
    if robot.tag_name().name() != "robot" {
        let found = format!("<{}>", robot.tag_name().name());
        return Err(reader.at(robot, found, "<robot>, the root element of a URDF"));
    }
    if let Some(node) = robot.descendants().find(|n| is_xacro(*n)) {
        return Err(reader.at(
            node,
            format!("the macro <xacro:{}>", node.tag_name().name()),
            xml::EXPAND_XACRO,
        ));
    }

    let name = reader.attribute(robot, "name")?.map_or(String::new(), |a| a.value().to_owned());
    let mut robot_document = UrdfDocument { name, links: Vec::new(), joints: Vec::new(), notes };
    let mut spoiled = 0;
    let materials = shape::materials(robot);
    for node in robot.children().filter(Node::is_element) {
        match node.tag_name().name() {
            tag @ ("link" | "joint") if !xml::same_namespace(node, robot) => {
                let found = format!(
                    "<{tag}> of the extension {}",
                    quoted(node.tag_name().namespace().unwrap_or("without a namespace"))
                );
                return Err(reader.at(node, found, "a <joint> or <link> of URDF itself"));
            }
            "link" => {
                let name = reader.name(node, "name")?.to_owned();
                let frame = Transform::IDENTITY;
                let mass = mass(&reader, node)?;
                let mut shapes = |kind| shape::shapes(&reader, &materials, node, kind, &mut spoiled);
                let (visuals, collisions) = (shapes("visual"), shapes("collision"));
                let line = reader.line(node);
                robot_document.links.push(UrdfLink { name, frame, mass, visuals, collisions, line });
            }
            "joint" => {
                let joint = joint(&reader, node, &mut robot_document.notes)?;
                robot_document.joints.push(joint);
            }
            // Materials, transmissions, sensors, plugins of simulators: URDF
            // lets anyone add elements, and none of them moves a frame.
            _ => {}
        }
    }
    let spherical = robot_document.joints.iter().filter(|j| j.kind == UrdfJointKind::Spherical);
    let spherical: Vec<&str> = spherical.map(|j| j.name.as_str()).collect();
    if !spherical.is_empty() {
        let text = format!("{} 'spherical', which URDF does not have: taken as a ball", listed(&spherical));
        robot_document.notes.push(Note::new(text));
    }
    if spoiled > 0 {
        let text = format!("{spoiled} shapes of links have no form that URDF knows and were left out");
        robot_document.notes.push(Note::new(text));
    }
    tree::Tree::new(&robot_document)?;
    Ok(robot_document)
}

/// `joint 'a' is` or `joints 'a', 'b', 'c' and 4 more are`.
pub(super) fn listed(names: &[&str]) -> String {
    const MOST: usize = 4;
    let shown: Vec<String> = names.iter().take(MOST).map(|name| quoted(name)).collect();
    let more = if names.len() > MOST { format!(" and {} more", names.len() - MOST) } else { String::new() };
    let (noun, verb) = if names.len() == 1 { ("joint", "is") } else { ("joints", "are") };
    format!("{noun} {}{more} {verb}", shown.join(", "))
}

fn is_xacro(node: Node<'_, '_>) -> bool {
    node.is_element() && node.tag_name().namespace().is_some_and(|uri| uri.contains("xacro"))
}

/// The mass of a link and its centre.
fn mass(reader: &xml::Reader<'_>, link: Node<'_, '_>) -> Result<Option<(f64, Vec3)>, ReadError> {
    let Some(inertial) = reader.child(link, "inertial")? else { return Ok(None) };
    let Some(node) = reader.child(inertial, "mass")? else { return Ok(None) };
    let Some(mass) = reader.finite_number(node, "value")? else { return Ok(None) };
    if mass < 0.0 {
        return Err(reader.at(node, format!("a mass of {mass}"), "a mass that is not negative"));
    }
    let origin = reader.child(inertial, "origin")?;
    let centre = origin.map(|origin| reader.vector(origin, "xyz")).transpose()?.flatten();
    Ok(Some((mass, centre.unwrap_or(Vec3::ZERO))))
}

fn joint(
    reader: &xml::Reader<'_>,
    node: Node<'_, '_>,
    notes: &mut Vec<Note>,
) -> Result<UrdfJoint, ReadError> {
    let name = reader.name(node, "name")?;
    let kind = kind(reader, node)?;
    if kind == UrdfJointKind::Spherical {
        notes.push(Note::new(format!(
            "joint '{name}' is 'spherical', which URDF does not have: a ball joint"
        )));
    }
    let link = |element: &str| -> Result<String, ReadError> {
        match reader.child(node, element)? {
            Some(child) => Ok(reader.name(child, "link")?.to_owned()),
            None => {
                let found = format!("joint '{name}' without <{element}>");
                Err(reader.at(node, found, format!("<{element} link=\"…\"/>")))
            }
        }
    };
    let (parent, child) = (link("parent")?, link("child")?);
    let origin = match reader.child(node, "origin")? {
        Some(origin) => {
            let place = reader.vector(origin, "xyz")?.unwrap_or(Vec3::ZERO);
            Transform::new(place, reader.rotation(origin)?)
        }
        None => Transform::IDENTITY,
    };
    Ok(UrdfJoint {
        name: name.to_owned(),
        kind,
        parent,
        child,
        origin,
        axis: axis(reader, node, kind)?,
        limit: limit(reader, node, kind, name, notes)?,
        mimic: mimic(reader, node)?,
        safety: safety(reader, node, kind)?,
        reversed: false,
        line: reader.line(node),
    })
}

fn kind(reader: &xml::Reader<'_>, node: Node<'_, '_>) -> Result<UrdfJointKind, ReadError> {
    const KINDS: &str = "revolute, continuous, prismatic, fixed, floating or planar";
    match reader.attribute(node, "type")? {
        Some(attribute) => UrdfJointKind::from_name(attribute.value().trim())
            .ok_or_else(|| reader.at_value(attribute, KINDS)),
        None => Err(reader.at(node, "<joint> without type", KINDS)),
    }
}

/// The axis as a unit vector; x where the file is silent, as the standard says.
fn axis(reader: &xml::Reader<'_>, node: Node<'_, '_>, kind: UrdfJointKind) -> Result<Vec3, ReadError> {
    let Some(element) = reader.child(node, "axis")?.filter(|_| kind.has_axis()) else { return Ok(Vec3::X) };
    let Some(axis) = reader.vector(element, "xyz")? else {
        return Err(reader.at(element, "<axis> without xyz", "<axis xyz=\"x y z\"/>"));
    };
    // Scaled first, so that neither large nor small numbers are lost in the square.
    let largest = axis.abs().max_element();
    if largest < 1.0e-9 {
        let found = format!("the axis {} {} {}", axis.x, axis.y, axis.z);
        return Err(reader.at(element, found, "an axis that has a direction"));
    }
    Ok((axis / largest).normalize())
}

fn limit(
    reader: &xml::Reader<'_>,
    node: Node<'_, '_>,
    kind: UrdfJointKind,
    name: &str,
    notes: &mut Vec<Note>,
) -> Result<Option<UrdfLimit>, ReadError> {
    let ranged = matches!(kind, UrdfJointKind::Revolute | UrdfJointKind::Prismatic);
    let Some(element) = reader.child(node, "limit")? else {
        return if ranged {
            let found = format!("{} joint '{name}' without <limit>", kind.name());
            let or = if kind == UrdfJointKind::Revolute { ", or the type continuous" } else { "" };
            Err(reader.at(node, found, format!("<limit lower=\"…\" upper=\"…\"/>{or}")))
        } else {
            Ok(None)
        };
    };
    let (lower, upper) = (reader.number(element, "lower")?, reader.number(element, "upper")?);
    if ranged && lower.is_none() && upper.is_none() {
        let text = format!("joint '{name}' has a limit without lower and upper, so it cannot move (0 to 0)");
        notes.push(Note::new(text));
    }
    if kind == UrdfJointKind::Spherical && (lower.is_some() || upper.is_some()) {
        let text =
            format!("the limit of the spherical joint '{name}' has no agreed meaning and was left out");
        notes.push(Note::new(text));
    }
    let limit = UrdfLimit {
        lower: lower.unwrap_or(0.0),
        upper: upper.unwrap_or(0.0),
        effort: not_negative(reader, element, "effort", name, notes)?,
        velocity: not_negative(reader, element, "velocity", name, notes)?,
    };
    if ranged {
        let range = || format!("the limit of joint '{name}' from {} to {}", limit.lower, limit.upper);
        if limit.lower > limit.upper {
            return Err(reader.at(element, range(), "a lower end that is not above the upper one"));
        }
        let finite = limit.lower.is_finite() && limit.upper.is_finite();
        if !finite && !limit.is_endless() {
            return Err(reader.at(element, range(), "two finite ends, or none"));
        }
    }
    Ok(Some(limit))
}

/// A speed or a force; a negative one says nothing and is left out, and an
/// infinite one is none.
fn not_negative(
    reader: &xml::Reader<'_>,
    element: Node<'_, '_>,
    what: &str,
    joint: &str,
    notes: &mut Vec<Note>,
) -> Result<Option<f64>, ReadError> {
    let value = reader.number(element, what)?;
    if value.is_some_and(|v| v < 0.0) {
        notes.push(Note::new(format!("joint '{joint}' has a negative {what}, which was left out")));
    }
    Ok(value.filter(|v| *v >= 0.0 && v.is_finite()))
}

fn mimic(reader: &xml::Reader<'_>, node: Node<'_, '_>) -> Result<Option<UrdfMimic>, ReadError> {
    let Some(element) = reader.child(node, "mimic")? else { return Ok(None) };
    Ok(Some(UrdfMimic {
        joint: reader.name(element, "joint")?.to_owned(),
        multiplier: reader.finite_number(element, "multiplier")?.unwrap_or(1.0),
        offset: reader.finite_number(element, "offset")?.unwrap_or(0.0),
    }))
}

fn safety(
    reader: &xml::Reader<'_>,
    node: Node<'_, '_>,
    kind: UrdfJointKind,
) -> Result<Option<UrdfSafetyController>, ReadError> {
    let Some(element) = reader.child(node, "safety_controller")? else { return Ok(None) };
    let soft_lower = reader.finite_number(element, "soft_lower_limit")?;
    let soft_upper = reader.finite_number(element, "soft_upper_limit")?;
    if let (Some(lower), Some(upper)) = (soft_lower, soft_upper)
        && kind.has_one_value()
        && lower > upper
    {
        let found = format!("soft limits from {lower} to {upper}");
        return Err(reader.at(element, found, "a lower end that is not above the upper one"));
    }
    Ok(Some(UrdfSafetyController { soft_lower, soft_upper }))
}
