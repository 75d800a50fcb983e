//! The humanoid of a VRM on its way out: changed in a file that has one, and
//! new in a file that is to become a VRM 1.0.

use serde_json::json;
use sinew_f64::JointId;
use sinew_f64::skeleton::humanoid::HumanoidBone;

use super::draft::Draft;
use super::kept::Base;
use super::raw::RawObject;
use super::write::Kind;
use crate::{Asset, Note, WriteError};

/// The licence that VRM 1.0 asks for by its address. Everything that it leaves
/// to the author is forbidden unless the file says otherwise.
const LICENCE: &str = "https://vrm.dev/licenses/1.0/";

/// Makes the document's humanoid that of the asset.
pub(super) fn set_humanoid(
    draft: &mut Draft,
    base: &Base,
    asset: &Asset,
    kind: Kind,
    notes: &mut Vec<Note>,
) -> Result<(), WriteError> {
    let changed = asset.roles != base.roles;
    let mut found = false;
    for name in ["VRMC_vrm", "VRM"] {
        let Some(mut vrm) = draft.extension(name) else { continue };
        found = true;
        if changed {
            let mut humanoid: RawObject = vrm.read("humanoid").unwrap_or_default();
            if name == "VRM" {
                change_bones0(&mut humanoid, base, asset)?
            } else {
                change_bones1(&mut humanoid, base, asset)?
            }
            vrm.set("humanoid", &humanoid)?;
            draft.set_extension(name, &vrm)?;
        }
    }
    if found || kind != Kind::Vrm {
        return Ok(());
    }

    let map = asset.humanoid();
    let missing: Vec<&str> =
        map.missing().filter(|bone| bone.is_required()).map(HumanoidBone::name).collect();
    if !missing.is_empty() {
        let reason = format!("VRM asks for bones that were not found: {}", missing.join(", "));
        return Err(WriteError::new("VRM", reason));
    }
    let mut bones = RawObject::default();
    for (bone, joint, _) in map.found() {
        if let Some(node) = base.stage.node_of(joint.index()) {
            bones.set(bone.name(), &json!({"node": node}))?;
        }
    }
    let name = Some(asset.skeleton.name()).filter(|name| !name.is_empty()).unwrap_or("model");
    let vrm = json!({
        "specVersion": "1.0",
        "meta": {"name": name, "authors": ["unknown"], "licenseUrl": LICENCE},
        "humanoid": {"humanBones": bones},
    });
    notes.push(Note::new(format!(
        "VRM asks for an author and a licence: the file says 'unknown' and {LICENCE}, which allows nothing beyond the author's own use"
    )));
    draft.set_extension("VRMC_vrm", &vrm)
}

/// The roles of an asset that are bones of VRM, with their nodes.
fn bones<'a>(base: &'a Base, asset: &'a Asset) -> impl Iterator<Item = (HumanoidBone, usize)> + 'a {
    let known = |(role, joint): &(String, JointId)| {
        Some((HumanoidBone::from_name(role)?, base.stage.node_of(joint.index())?))
    };
    asset.roles.iter().filter_map(known)
}

/// The list of VRM 1.0: an object with a member for each bone.
fn change_bones1(humanoid: &mut RawObject, base: &Base, asset: &Asset) -> Result<(), WriteError> {
    let before: RawObject = humanoid.read("humanBones").unwrap_or_default();
    let mut after = RawObject::default();
    for (bone, node) in bones(base, asset) {
        let mut entry: RawObject = before.read(bone.name()).unwrap_or_default();
        entry.set("node", &node)?;
        after.set(bone.name(), &entry)?;
    }
    humanoid.set("humanBones", &after)
}

/// The list of VRM 0.x: an array, with other names for the bones of the thumb.
fn change_bones0(humanoid: &mut RawObject, base: &Base, asset: &Asset) -> Result<(), WriteError> {
    let before: Vec<RawObject> = humanoid.read("humanBones").unwrap_or_default();
    let named = |entry: &RawObject| {
        let name: Option<String> = entry.read("bone");
        name.and_then(|name| HumanoidBone::from_vrm0_name(&name))
    };
    let mut after = Vec::new();
    for (bone, node) in bones(base, asset) {
        let mut entry = before.iter().find(|entry| named(entry) == Some(bone)).cloned().unwrap_or_default();
        let name = match bone.name().split_once("Thumb") {
            Some((side, "Metacarpal")) => format!("{side}ThumbProximal"),
            Some((side, "Proximal")) => format!("{side}ThumbIntermediate"),
            _ => bone.name().to_string(),
        };
        entry.set("bone", &name)?;
        entry.set("node", &node)?;
        after.push(entry);
    }
    humanoid.set("humanBones", &after)
}
