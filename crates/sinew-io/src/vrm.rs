//! The humanoid part of VRM files, which are glTF files with an extension:
//! `VRM` in version 0.x, `VRMC_vrm` in version 1.0.
//!
//! Both say which node plays which part of a body. Roles have the names of
//! VRM 1.0 on the way out. They differ from those of 0.x in the thumb alone,
//! whose three bones 0.x calls proximal, intermediate and distal, and 1.0
//! metacarpal, proximal and distal.
//!
//! A VRM 0.x model faces −Z, a VRM 1.0 model +Z; both stand in T-pose. The
//! reader turns the former by half a turn about Y at its root, so that both
//! come out facing +Z with the joints' own axes as in the file.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use sinew_f64::skeleton::humanoid::HumanoidBone;

use crate::Note;
use crate::error::{Place, ReadError, quoted};

/// The extension `VRM`, as the file has it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Vrm0 {
    pub humanoid: Option<Humanoid0>,
    pub meta: Option<Value>,
    pub secondary_animation: Option<Value>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Humanoid0 {
    #[serde(default)]
    pub human_bones: Vec<HumanBone0>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct HumanBone0 {
    pub bone: String,
    /// Some writers say −1 for a bone that the model does not have.
    pub node: i64,
}

/// The extension `VRMC_vrm`, as the file has it.
#[derive(Debug, Deserialize)]
pub(crate) struct Vrm1 {
    pub humanoid: Option<Humanoid1>,
    pub meta: Option<Value>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Humanoid1 {
    #[serde(default)]
    pub human_bones: BTreeMap<String, Option<HumanBone1>>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct HumanBone1 {
    pub node: usize,
}

/// The extension `VRMC_vrm_animation`, as the file has it.
#[derive(Debug, Deserialize)]
pub(crate) struct VrmAnimation {
    pub humanoid: Option<Humanoid1>,
}

/// Which version of VRM a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Version {
    Zero,
    One,
    /// A motion for models of version 1.0 (`.vrma`).
    Animation,
}

/// What a VRM file says of its body, in the terms of VRM 1.0.
#[derive(Debug)]
pub(crate) struct Humanoid {
    pub version: Version,
    /// The bones and their nodes, in the order of [`HumanoidBone::all`].
    pub roles: Vec<(HumanoidBone, usize)>,
    /// The model's name, if it has one.
    pub name: Option<String>,
    pub notes: Vec<Note>,
}

/// One line of a file's list of bones: where it stands, the name there, the
/// bone if there is one of that name, and the node.
struct Entry<'a> {
    path: String,
    name: &'a str,
    bone: Option<HumanoidBone>,
    node: usize,
}

/// Reads the humanoid of a file, if it has one. With several extensions, as
/// some writers do for old readers, 1.0 counts.
pub(crate) fn humanoid(
    vrm0: Option<&Vrm0>,
    vrm1: Option<&Vrm1>,
    animation: Option<&VrmAnimation>,
    node_count: usize,
) -> Result<Option<Humanoid>, ReadError> {
    let mut notes = Vec::new();
    let (version, meta, path, entries) = match (vrm0, vrm1, animation) {
        (_, Some(vrm), _) => {
            let path = "extensions.VRMC_vrm.humanoid.humanBones";
            let Some(humanoid) = &vrm.humanoid else {
                return Err(missing("extensions.VRMC_vrm", "humanoid"));
            };
            (Version::One, vrm.meta.as_ref(), path, entries1(humanoid, path))
        }
        (None, None, Some(animation)) => {
            let path = "extensions.VRMC_vrm_animation.humanoid.humanBones";
            let Some(humanoid) = &animation.humanoid else {
                // A motion of expressions alone.
                return Ok(None);
            };
            (Version::Animation, None, path, entries1(humanoid, path))
        }
        (Some(vrm), None, _) => {
            let path = "extensions.VRM.humanoid.humanBones";
            let Some(humanoid) = &vrm.humanoid else { return Err(missing("extensions.VRM", "humanoid")) };
            let entries = humanoid
                .human_bones
                .iter()
                .enumerate()
                .filter(|(_, human)| human.node != -1)
                .map(|(i, human)| Entry {
                    path: format!("{path}[{i}]"),
                    name: &human.bone,
                    bone: HumanoidBone::from_vrm0_name(&human.bone),
                    node: usize::try_from(human.node).unwrap_or(usize::MAX),
                })
                .collect();
            let springs = vrm.secondary_animation.as_ref().and_then(|s| s.get("boneGroups"));
            if springs.and_then(Value::as_array).is_some_and(|groups| !groups.is_empty()) {
                notes.push(Note::new(
                    "the spring bones (secondaryAnimation) are kept in the file and do not move here",
                ));
            }
            (Version::Zero, vrm.meta.as_ref(), path, entries)
        }
        (None, None, None) => return Ok(None),
    };
    let roles = roles(version, entries, path, node_count, &mut notes)?;
    if version == Version::Zero {
        notes.push(Note::new("VRM 0.x faces −Z: turned by half a turn about Y to face +Z"));
    }
    let name = meta.and_then(|meta| about(meta, version, &mut notes));
    Ok(Some(Humanoid { version, roles, name, notes }))
}

/// The lines of a list of bones as VRM 1.0 has it.
fn entries1<'a>(humanoid: &'a Humanoid1, path: &str) -> Vec<Entry<'a>> {
    let entry = |(name, human): (&'a String, &'a Option<HumanBone1>)| {
        let node = human.as_ref()?.node;
        // A name of the file's making is quoted, and cut if it is long.
        let bone = HumanoidBone::from_name(name);
        let shown = bone.map_or_else(|| quoted(name), |bone| bone.name().into());
        Some(Entry { path: format!("{path}.{shown}"), name, bone, node })
    };
    humanoid.human_bones.iter().filter_map(entry).collect()
}

/// Checks the list of bones. A bone that points nowhere is an error. A name
/// that VRM does not have is left out with a note, because the rest is sound.
fn roles(
    version: Version,
    entries: Vec<Entry<'_>>,
    path: &str,
    node_count: usize,
    notes: &mut Vec<Note>,
) -> Result<Vec<(HumanoidBone, usize)>, ReadError> {
    let mut roles: Vec<(HumanoidBone, usize)> = Vec::new();
    for entry in entries {
        if entry.node >= node_count {
            let found = match entry.node {
                usize::MAX => "a negative node".to_string(),
                node => format!("node {node}"),
            };
            return Err(ReadError::new(
                Place::Path(format!("{}.node", entry.path)),
                format!("{found} for the bone {}", quoted(entry.name)),
                format!("one of the file's {node_count} nodes"),
            ));
        }
        let Some(bone) = entry.bone else {
            let name = quoted(entry.name);
            notes.push(Note::new(format!("{}: {name} is not a bone of VRM and was left out", entry.path)));
            continue;
        };
        if let Some((other, _)) = roles.iter().find(|(other, node)| *other == bone || *node == entry.node) {
            return Err(ReadError::new(
                Place::Path(entry.path),
                format!(
                    "the bone '{}' at node {}, after '{}' there or elsewhere",
                    bone.name(),
                    entry.node,
                    other.name()
                ),
                "every bone once, every bone on a node of its own",
            ));
        }
        roles.push((bone, entry.node));
    }
    if roles.is_empty() {
        return Err(ReadError::new(Place::Path(path.into()), "no bones", "at least the hips"));
    }
    let has = |bone: &HumanoidBone| roles.iter().any(|(role, _)| role == bone);
    let missing: Vec<_> =
        HumanoidBone::required().filter(|bone| !has(bone)).map(HumanoidBone::name).collect();
    // A motion need not move every bone.
    if !missing.is_empty() && version != Version::Animation {
        notes.push(Note::new(format!("{path} lacks bones that VRM requires: {}", missing.join(", "))));
    }
    roles.sort_by_key(|(role, _)| role.index());
    Ok(roles)
}

fn missing(path: &str, field: &str) -> ReadError {
    ReadError::new(Place::Path(path.into()), format!("no `{field}`"), format!("an object that has `{field}`"))
}

/// The model's name; notes who made it and what its licence says.
fn about(meta: &Value, version: Version, notes: &mut Vec<Note>) -> Option<String> {
    let text =
        |key: &str| meta.get(key).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty());
    let (name, author, licence) = match version {
        Version::Zero => {
            let licence = match text("licenseName") {
                None | Some("Other") => text("otherLicenseUrl").or_else(|| text("licenseName")),
                named => named,
            };
            (text("title"), text("author").map(String::from), licence)
        }
        Version::One | Version::Animation => {
            let authors = meta.get("authors").and_then(Value::as_array);
            let authors: Vec<_> = authors.into_iter().flatten().filter_map(Value::as_str).collect();
            let authors = Some(authors.join(", ")).filter(|authors| !authors.is_empty());
            (text("name"), authors, text("licenseUrl"))
        }
    };
    const MOST: usize = 200;
    let short = |text: &str| text.chars().filter(|c| !c.is_control()).take(MOST).collect::<String>();
    let parts =
        [("model", name.map(short)), ("by", author.as_deref().map(short)), ("licence", licence.map(short))];
    let said: Vec<_> =
        parts.iter().filter_map(|(what, text)| Some(format!("{what} {}", text.as_ref()?))).collect();
    if !said.is_empty() {
        notes.push(Note::new(said.join(", ")));
    }
    name.map(short)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read0(bones: &str) -> Result<Option<Humanoid>, ReadError> {
        let vrm: Vrm0 = serde_json::from_str(&format!(
            r#"{{"humanoid":{{"humanBones":{bones}}},"meta":{{"title":"Robo","author":"me","licenseName":"CC0"}}}}"#
        ))
        .unwrap();
        humanoid(Some(&vrm), None, None, 10)
    }

    #[test]
    fn the_thumbs_of_0_get_the_names_of_1() {
        let bones = r#"[{"bone":"leftThumbDistal","node":3},{"bone":"leftThumbIntermediate","node":2},
            {"bone":"leftThumbProximal","node":1},{"bone":"hips","node":0},{"bone":"jaw","node":-1}]"#;
        let humanoid = read0(bones).unwrap().unwrap();
        let expected =
            [("hips", 0), ("leftThumbMetacarpal", 1), ("leftThumbProximal", 2), ("leftThumbDistal", 3)];
        let named: Vec<_> = humanoid.roles.iter().map(|(bone, node)| (bone.name(), *node)).collect();
        assert_eq!(named, expected);
        assert_eq!(humanoid.name.as_deref(), Some("Robo"));
        assert!(humanoid.notes.iter().any(|note| note.0 == "model Robo, by me, licence CC0"));
        assert!(humanoid.notes.iter().any(|note| note.0.contains("requires: spine, head")));
    }

    #[test]
    fn a_bone_that_points_nowhere_is_named() {
        let error = read0(r#"[{"bone":"hips","node":0},{"bone":"spine","node":12345}]"#).unwrap_err();
        assert_eq!(error.place, Place::Path("extensions.VRM.humanoid.humanBones[1].node".into()));
        assert!(error.to_string().contains("node 12345") && error.to_string().contains("'spine'"));
        assert!(read0(r#"[{"bone":"hips","node":-7}]"#).unwrap_err().to_string().contains("negative"));
    }

    #[test]
    fn twice_the_same_bone_or_node_is_refused() {
        assert!(read0(r#"[{"bone":"hips","node":0},{"bone":"hips","node":1}]"#).is_err());
        assert!(read0(r#"[{"bone":"hips","node":0},{"bone":"spine","node":0}]"#).is_err());
        assert!(read0("[]").is_err());
    }

    #[test]
    fn names_that_vrm_does_not_have_are_left_out_and_said() {
        let humanoid = read0(r#"[{"bone":"hips","node":0},{"bone":"tail","node":1}]"#).unwrap().unwrap();
        assert_eq!(humanoid.roles, [(HumanoidBone::Hips, 0)]);
        assert!(humanoid.notes.iter().any(|note| note.0.contains("humanBones[1]: 'tail'")));
    }
}
