//! From TOML to a [`RigDocument`].

use sinew_f64::{JointKind, Quat, Transform, Vec3};
use toml::de::DeTable;

use super::document::*;
use super::table::{Table, Value};
use super::{VERSION, behaviour, limit};
use crate::ReadError;
use crate::error::Place;
use crate::lines::{Lines, line_of};

/// The largest file that is read: room for ten thousand joints and more. The
/// parser takes up to 150 bytes of memory for a byte of a hostile file.
const MOST_BYTES: usize = 2 << 20;

/// Reads a rig file to a document. What it says is well-formed then; whether
/// the joints it names exist is found out when it becomes an asset.
pub fn parse(bytes: &[u8]) -> Result<RigDocument, ReadError> {
    if bytes.len() > MOST_BYTES {
        let found = format!("{} bytes", bytes.len());
        return Err(ReadError::new(Place::File, found, format!("at most {MOST_BYTES} bytes")));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        let found = format!("byte 0x{:02X}, which is not UTF-8", bytes[at]);
        ReadError::new(Place::Line(line_of(bytes, at)), found, "text in UTF-8")
    })?;
    let text = text.trim_start_matches('\u{feff}');
    let lines = Lines::new(text);
    let tree = DeTable::parse(text).map_err(|error| {
        let place = error.span().map_or(Place::File, |span| lines.place(span.start));
        ReadError::new(place, error.message(), "well-formed TOML")
    })?;
    let mut file = Table::document(&tree, &lines);

    let version = file.need("sinew_rig").map_err(|error| {
        ReadError::new(Place::File, error.found, format!("sinew_rig = {VERSION}, the version of the format"))
    })?;
    if version.whole()? != VERSION {
        return Err(version.wrong(format!("the version that this program knows: {VERSION}")));
    }
    let name = file.get("name").map(|v| v.text().map(str::to_owned)).transpose()?;
    let skeleton = file.get("skeleton").map(named).transpose()?;
    let is_sidecar = skeleton.is_some();
    let joints = each(&mut file, "joint", "a joint", |table| joint(table, is_sidecar))?;
    let roles = match file.get("roles") {
        Some(roles) => self::roles(roles)?,
        None => Vec::new(),
    };
    let aliases = each(&mut file, "alias", "an alias", alias)?;
    let goals = each(&mut file, "goal", "a goal", goal)?;
    let postures = each(&mut file, "posture", "a posture", posture)?;
    let behaviours = each(&mut file, "behaviour", "a behaviour", behaviour::read)?;
    file.finish()?;
    unique("goal", goals.iter().map(|g| (g.name.as_str(), &g.place)))?;
    behaviour::unique(&behaviours)?;
    Ok(RigDocument { name, skeleton, joints, roles, aliases, goals, postures, behaviours })
}

/// What every table of an array of tables says.
fn each<'a, T>(
    file: &mut Table<'a>,
    key: &'static str,
    what: &'static str,
    read: impl Fn(Table<'a>) -> Result<T, ReadError>,
) -> Result<Vec<T>, ReadError> {
    match file.get(key) {
        Some(value) => value.tables(what)?.into_iter().map(read).collect(),
        None => Ok(Vec::new()),
    }
}

/// Refuses a name that comes twice.
pub(super) fn unique<'a>(
    what: &str,
    all: impl Iterator<Item = (&'a str, &'a Place)>,
) -> Result<(), ReadError> {
    let mut seen = std::collections::HashMap::new();
    for (name, place) in all {
        if let Some(first) = seen.insert(name, place) {
            let found = format!("a second {what} '{name}' (the first is at {first})");
            return Err(ReadError::new(place.clone(), found, format!("a name that no other {what} has")));
        }
    }
    Ok(())
}

fn named(value: Value<'_>) -> Result<(String, Place), ReadError> {
    Ok((value.text()?.to_owned(), value.place()))
}

/// `offset` and `rotation`.
fn transform(table: &mut Table<'_>) -> Result<Transform, ReadError> {
    let offset = table.get("offset").map_or(Ok(Vec3::ZERO), |v| v.vector())?;
    let rotation = table.get("rotation").map_or(Ok(Quat::IDENTITY), |v| v.rotation())?;
    Ok(Transform::new(offset, rotation))
}

fn joint(mut table: Table<'_>, is_sidecar: bool) -> Result<RigJoint, ReadError> {
    let place = table.place().clone();
    let name = table.need("name")?.name()?.to_owned();
    // The shape of a sidecar's skeleton is in the other file; asking for these
    // only here makes them unknown keys there.
    let (parent, rest) = if is_sidecar {
        (None, Transform::IDENTITY)
    } else {
        (table.get("parent").map(named).transpose()?, transform(&mut table)?)
    };
    let kind = kind(&mut table)?;
    let limit = table.get("limit").map(limit::read).transpose()?;
    let tip = table.get("tip").map(|v| v.vector()).transpose()?;
    let stiffness = table.get("stiffness").map(|v| v.number_within(0.0, 1.0)).transpose()?;
    let mimic = table.get("mimic").map(mimic).transpose()?;
    let drive = table.get("drive").map(drive).transpose()?;
    let mass = table.get("mass").map(mass).transpose()?;
    table.finish()?;
    Ok(RigJoint { name, place, parent, rest, kind, limit, tip, stiffness, mimic, drive, mass })
}

fn kind(table: &mut Table<'_>) -> Result<Option<JointKind>, ReadError> {
    let Some(value) = table.get("kind") else { return Ok(None) };
    Ok(Some(match value.text()? {
        "fixed" => JointKind::Fixed,
        "hinge" => JointKind::Hinge { axis: table.need("axis")?.direction()? },
        "universal" => {
            let [first, second] = table.need("axes")?.exactly("two axes: [[x, y, z], [x, y, z]]")?;
            JointKind::Universal { first: first.direction()?, second: second.direction()? }
        }
        "ball" => JointKind::Ball,
        "prismatic" => JointKind::Prismatic { axis: table.need("axis")?.direction()? },
        "free" => JointKind::Free,
        _ => return Err(value.wrong("fixed, hinge, universal, ball, prismatic or free")),
    }))
}

fn mimic(value: Value<'_>) -> Result<RigMimic, ReadError> {
    let mut table = value.table("a mimic")?;
    let joint = named(table.need("joint")?)?;
    let multiplier = table.get("multiplier").map_or(Ok(1.0), |v| v.number())?;
    let offset = table.get("offset").map(|v| v.quantity()).transpose()?;
    table.finish()?;
    Ok(RigMimic { joint, multiplier, offset })
}

fn drive(value: Value<'_>) -> Result<RigDrive, ReadError> {
    let mut table = value.table("a drive")?;
    let velocity = table.get("velocity").map(|v| v.quantity()).transpose()?;
    if let Some(speed) = velocity.as_ref().filter(|v| v.number < 0.0) {
        let found = format!("the speed {}", speed.number);
        return Err(ReadError::new(speed.place.clone(), found, "a speed that is not negative"));
    }
    let effort = table.get("effort").map(|v| v.number_within(0.0, f64::INFINITY)).transpose()?;
    let soft_lower = table.get("soft_lower").map(|v| v.quantity()).transpose()?;
    let soft_upper = table.get("soft_upper").map(|v| v.quantity()).transpose()?;
    table.finish()?;
    Ok(RigDrive { velocity, effort, soft_lower, soft_upper })
}

fn mass(value: Value<'_>) -> Result<(f64, Vec3), ReadError> {
    let mut table = value.table("a mass")?;
    let kilograms = table.need("kilograms")?.number_within(0.0, f64::INFINITY)?;
    let centre = table.get("centre").map_or(Ok(Vec3::ZERO), |v| v.vector())?;
    table.finish()?;
    Ok((kilograms, centre))
}

fn roles(value: Value<'_>) -> Result<Vec<(String, String, Place)>, ReadError> {
    let mut roles = Vec::new();
    for (role, place, joint) in value.table("the roles")?.names() {
        super::build::check_role(role, &place)?;
        roles.push((role.to_owned(), joint.text()?.to_owned(), joint.place()));
    }
    Ok(roles)
}

fn alias(mut table: Table<'_>) -> Result<RigAlias, ReadError> {
    let name = table.need("name")?.name()?.to_owned();
    let joint = named(table.need("joint")?)?;
    let frame = transform(&mut table)?;
    table.finish()?;
    Ok(RigAlias { name, joint, frame })
}

fn goal(mut table: Table<'_>) -> Result<RigGoal, ReadError> {
    let place = table.place().clone();
    let name = table.need("name")?.name()?.to_owned();
    let joint = named(table.need("joint")?)?;
    let offset = transform(&mut table)?;
    let target = target(&mut table)?;
    let weight = |value: Option<Value<'_>>| value.map_or(Ok(1.0), |v| v.number_within(0.0, f64::INFINITY));
    let axes = |value: Option<Value<'_>>| -> Result<Vec3, ReadError> {
        let Some(value) = value else { return Ok(Vec3::ONE) };
        let weights = value.vector()?;
        if weights.min_element() >= 0.0 {
            Ok(weights)
        } else {
            Err(value.wrong("weights that are not negative"))
        }
    };
    let goal = RigGoal {
        name,
        place,
        joint,
        offset,
        target,
        position_weight: weight(table.get("position_weight"))?,
        orientation_weight: weight(table.get("orientation_weight"))?,
        position_axes: axes(table.get("position_axes"))?,
        orientation_axes: axes(table.get("orientation_axes"))?,
        priority: table.get("priority").map_or(Ok(0), |v| v.whole())?,
        relative_to: table.get("relative_to").map(named).transpose()?,
    };
    table.finish()?;
    Ok(goal)
}

fn target(table: &mut Table<'_>) -> Result<RigTarget, ReadError> {
    let value = table.need("target")?;
    let at = |table: &mut Table<'_>| table.get("at").map(|v| v.vector()).transpose();
    let turned = |table: &mut Table<'_>| table.get("turned").map(|v| v.rotation()).transpose();
    Ok(match value.text()? {
        "position" => RigTarget::Position(at(table)?),
        "orientation" => RigTarget::Orientation(turned(table)?),
        "pose" => RigTarget::Pose(at(table)?, turned(table)?),
        "aim" => RigTarget::Aim(table.need("axis")?.direction()?, table.need("at")?.vector()?),
        "contact" => {
            let axis = table.need("axis")?.direction()?;
            RigTarget::Contact(axis, at(table)?, table.need("normal")?.direction()?)
        }
        _ => return Err(value.wrong("position, orientation, pose, aim or contact")),
    })
}

fn posture(mut table: Table<'_>) -> Result<RigPosture, ReadError> {
    let name = table.need("name")?.name()?.to_owned();
    let joints = motions(&mut table)?;
    table.finish()?;
    Ok(RigPosture { name, joints })
}

/// `rotations` and `translations` by joint.
pub(super) fn motions(table: &mut Table<'_>) -> Result<Vec<(String, Place, RigMotion)>, ReadError> {
    let mut joints = Vec::new();
    if let Some(rotations) = table.get("rotations") {
        for (joint, place, value) in rotations.table("rotations by joint")?.names() {
            let motion = match value.len() {
                Some(2) => {
                    let [first, second] = value.exactly("two angles")?;
                    RigMotion::Angles(first.quantity()?, second.quantity()?)
                }
                _ => match value.quantity() {
                    Ok(angle) => RigMotion::Angle(angle),
                    Err(_) => RigMotion::Rotation(value.rotation()?),
                },
            };
            joints.push((joint.to_owned(), place, motion));
        }
    }
    if let Some(translations) = table.get("translations") {
        for (joint, place, value) in translations.table("translations by joint")?.names() {
            let motion = match value.len() {
                Some(_) => RigMotion::Translation(value.vector()?),
                None => RigMotion::Slide(value.quantity()?),
            };
            joints.push((joint.to_owned(), place, motion));
        }
    }
    Ok(joints)
}
