//! Behaviours by name, as documents, and what is kept of them with the rig.

use sinew_f64::body::reach::{Behaviour, KeyPosture, KeyValues, Style};
use sinew_f64::math::Vec2;
use sinew_f64::skeleton::humanoid::Side;
use sinew_f64::{Pose, Quat, Skeleton, Vec3};

use crate::rig::Rig;
use crate::wire::{BehaviourDocument, KeyDocument, KeySettings, SideName};
use crate::workspace::checked::rotation;

/// The longest name of a behaviour, and how many a rig keeps.
const LONGEST_NAME: usize = 64;
const MOST: usize = 128;

/// A side as the engine has it.
pub const fn side(name: SideName) -> Side {
    match name {
        SideName::Left => Side::Left,
        SideName::Right => Side::Right,
    }
}

/// A side as the page has it.
pub const fn side_name(side: Side) -> SideName {
    match side {
        Side::Left => SideName::Left,
        Side::Right => SideName::Right,
    }
}

/// The behaviours that a rig can reach with: its own, then those of the project.
pub fn names(rig: &Rig) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let own = rig.asset.behaviours.iter().map(Behaviour::name);
    let styles = Style::ALL.iter().map(|style| style.name()).filter(|_| rig.map.facing().is_some());
    for name in own.chain(styles) {
        if !names.iter().any(|known| known == name) {
            names.push(name.to_string());
        }
    }
    names
}

/// The behaviour of a name for an arm: the rig's own before the project's.
pub fn find(rig: &Rig, name: &str, side: Side) -> Option<Behaviour> {
    let skeleton = &rig.asset.skeleton;
    let own = rig.asset.behaviours.iter().find(|b| b.name() == name && b.side() == side);
    let fits = |b: &&Behaviour| b.keys().iter().all(|key| key.pose.len() == skeleton.len());
    own.filter(fits).cloned().or_else(|| Style::from_name(name)?.behaviour(skeleton, &rig.map, side))
}

/// Keeps a behaviour with the rig, in the place of the one with its name and side.
pub fn keep(rig: &mut Rig, behaviour: Behaviour) -> Result<(), String> {
    let kept = &mut rig.asset.behaviours;
    let place = kept.iter().position(|b| b.name() == behaviour.name() && b.side() == behaviour.side());
    match place {
        Some(place) => kept[place] = behaviour,
        None if kept.len() >= MOST => return Err(format!("a rig keeps at most {MOST} behaviours")),
        None => kept.push(behaviour),
    }
    Ok(())
}

/// The behaviour of a document for an arm. One whose name the rig does not know
/// yet goes by the usual one.
pub fn replacement(rig: &Rig, arm: SideName, document: &BehaviourDocument) -> Result<Behaviour, String> {
    if document.side != arm {
        return Err("the behaviour is for the other arm".into());
    }
    let known = [document.name.as_str(), super::USUAL];
    let before = known.iter().find_map(|name| find(rig, name, side(arm)));
    let before = before.ok_or("the rig has no behaviour for this arm")?;
    read(&rig.asset.skeleton, document, &before)
}

/// Puts a behaviour back, whatever is shown: links and undo do.
pub fn restore(
    rig: &mut Rig,
    arm: SideName,
    document: &BehaviourDocument,
) -> Result<BehaviourDocument, String> {
    let restored = replacement(rig, arm, document)?;
    keep(rig, restored.clone())?;
    Ok(self::document(&restored))
}

/// The same under another name.
pub fn renamed(skeleton: &Skeleton, behaviour: &Behaviour, name: &str) -> Result<Behaviour, String> {
    let keys = behaviour.keys().to_vec();
    let words = |error: sinew_f64::error::RigError| error.to_string();
    let mut other = Behaviour::from_keys(name, behaviour.side(), skeleton, keys).map_err(words)?;
    other.set_stance(behaviour.stance().cloned()).map_err(words)?;
    Ok(other)
}

/// A name that a behaviour may have.
pub fn checked_name(name: &str) -> Result<&str, String> {
    let name = name.trim();
    if name.is_empty() || name.chars().count() > LONGEST_NAME || name.chars().any(char::is_control) {
        return Err(format!("a behaviour's name has 1 to {LONGEST_NAME} letters on one line"));
    }
    Ok(name)
}

/// A behaviour as the page has it.
pub fn document(behaviour: &Behaviour) -> BehaviourDocument {
    let key = |(i, key): (usize, &KeyPosture)| KeyDocument {
        swing: key.swing.to_array(),
        outer: i < 4,
        rotations: key.pose.rotations().iter().flat_map(|q| q.to_array()).collect(),
        swivel: key.values.swivel,
        translations: Some(key.pose.translations().iter().flat_map(|t| t.to_array()).collect()),
        settings: Some(settings(&key.values)),
    };
    BehaviourDocument {
        name: behaviour.name().to_string(),
        side: side_name(behaviour.side()),
        keys: behaviour.keys().iter().enumerate().map(key).collect(),
        triangles: behaviour.triangles().to_vec(),
    }
}

/// The behaviour of a document. What an old page leaves out, and the stance, is
/// taken from the behaviour that it replaces.
fn read(skeleton: &Skeleton, document: &BehaviourDocument, before: &Behaviour) -> Result<Behaviour, String> {
    if document.keys.len() > Behaviour::MAX_KEYS {
        return Err(format!("a behaviour takes at most {} keys", Behaviour::MAX_KEYS));
    }
    let name = checked_name(&document.name)?;
    let read = |(i, key): (usize, &KeyDocument)| {
        let old = before.keys().get(i);
        let pose = read_pose(skeleton, key, old.map(|key| &key.pose)).map_err(|e| format!("key {i}: {e}"))?;
        let mut values = match &key.settings {
            Some(settings) => values(settings),
            None => old.map_or(KeyValues::default(), |key| key.values),
        };
        values.swivel = key.swivel;
        Ok(KeyPosture { swing: Vec2::from_array(key.swing), pose, values })
    };
    let keys = document.keys.iter().enumerate().map(read).collect::<Result<Vec<_>, String>>()?;
    let words = |error: sinew_f64::error::RigError| error.to_string();
    let mut behaviour = Behaviour::from_keys(name, side(document.side), skeleton, keys).map_err(words)?;
    behaviour.set_stance(before.stance().cloned()).map_err(words)?;
    Ok(behaviour)
}

fn read_pose(skeleton: &Skeleton, key: &KeyDocument, old: Option<&Pose>) -> Result<Pose, String> {
    let joints = skeleton.len();
    if key.rotations.len() != 4 * joints {
        return Err(format!("it has {} numbers of rotations, expected {}", key.rotations.len(), 4 * joints));
    }
    let mut pose = Pose::rest(skeleton);
    for (joint, turn) in skeleton.ids().zip(key.rotations.as_chunks::<4>().0) {
        let raw = Quat::from_array(*turn);
        // As it was sent, to the last bit, where it is a rotation already.
        let fine = (raw.length_squared() - 1.0).abs() < 1.0e-9;
        let turn = if fine { raw } else { rotation(skeleton.joint(joint).name(), *turn)? };
        pose.set_rotation(joint, turn);
    }
    match &key.translations {
        Some(numbers) if numbers.len() != 3 * joints => {
            return Err(format!("it has {} numbers of shifts, expected {}", numbers.len(), 3 * joints));
        }
        Some(numbers) => {
            for (joint, shift) in skeleton.ids().zip(numbers.as_chunks::<3>().0) {
                pose.set_translation(joint, Vec3::from_array(*shift));
            }
        }
        None => {
            for joint in skeleton.ids() {
                pose.set_translation(joint, old.map_or(Vec3::ZERO, |old| old.translation(joint)));
            }
        }
    }
    Ok(pose)
}

fn settings(values: &KeyValues) -> KeySettings {
    let KeyValues { range, step, growth, start, full, stretch, .. } = *values;
    KeySettings { range: [range.0, range.1], step, growth, start, full, stretch }
}

fn values(settings: &KeySettings) -> KeyValues {
    let KeySettings { range, step, growth, start, full, stretch } = *settings;
    KeyValues { swivel: 0.0, range: (range[0], range[1]), step, growth, start, full, stretch }
}
