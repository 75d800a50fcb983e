//! `[[behaviour]]`: key postures on the swing plane, read, built and written.

use std::fmt::Write as _;

use sinew_f64::body::reach::{Behaviour, KeyPosture, KeyValues};
use sinew_f64::error::RigError;
use sinew_f64::math::Vec2;
use sinew_f64::skeleton::humanoid::Side;
use sinew_f64::{Pose, Skeleton};

use super::document::{RigBehaviour, RigKey, RigKeyPosture, RigPosture};
use super::quantity::angle_text;
use super::table::{Table, Value};
use super::{parse, text, write};
use crate::error::quoted;
use crate::{Asset, ReadError, WriteError, suggest};

/// The corners of the swing plane in the order of the engine's outer keys: by the
/// signs of the turns about x (negative lifts) and about y (positive goes left).
const CORNERS: [&str; 4] = ["high-right", "low-right", "low-left", "high-left"];

/// Reads one behaviour.
pub fn read(mut table: Table<'_>) -> Result<RigBehaviour, ReadError> {
    let place = table.place().clone();
    let name = table.need("name")?.name()?.to_owned();
    let side = table.need("side")?;
    let side = match side.text()? {
        "left" => Side::Left,
        "right" => Side::Right,
        _ => return Err(side.wrong("left or right")),
    };
    let stance = table.get("stance").map(posture_of).transpose()?;
    let keys = match table.get("key") {
        Some(keys) => keys.tables("a key")?,
        None => Vec::new(),
    };
    if keys.len() > Behaviour::MAX_KEYS {
        let found = format!("{} keys", keys.len());
        return Err(ReadError::new(place, found, format!("at most {}", Behaviour::MAX_KEYS)));
    }
    let keys: Vec<RigKey> = keys.into_iter().map(key).collect::<Result<_, _>>()?;
    for (i, a) in keys.iter().enumerate() {
        if let (Some(corner), Some(b)) = (a.corner, keys[..i].iter().find(|b| b.corner == a.corner)) {
            let found =
                format!("a second key at the corner {} (the first is at {})", CORNERS[corner], b.place);
            return Err(ReadError::new(a.place.clone(), found, "one key for each corner"));
        }
    }
    table.finish()?;
    Ok(RigBehaviour { name, place, side, stance, keys })
}

/// A posture by its name, or where the joints are.
fn posture_of(value: Value<'_>) -> Result<RigKeyPosture, ReadError> {
    if value.as_text().is_some() {
        return Ok(RigKeyPosture::Named(value.text()?.to_owned(), value.place()));
    }
    let mut table = value.table("a posture")?;
    let joints = parse::motions(&mut table)?;
    table.finish()?;
    Ok(RigKeyPosture::Here(RigPosture { name: String::new(), joints }))
}

fn key(mut table: Table<'_>) -> Result<RigKey, ReadError> {
    let place = table.place().clone();
    let (corner, swing) = match table.get("corner") {
        Some(value) => {
            let corner = value.text()?;
            let known = CORNERS.iter().position(|known| *known == corner);
            (Some(known.ok_or_else(|| value.wrong(CORNERS.join(", ")))?), Vec2::ZERO)
        }
        None => {
            let [x, y] = table.need("swing")?.exactly("two angles, about x and about y")?;
            (None, Vec2::new(x.angle()?, y.angle()?))
        }
    };
    let posture = match table.get("posture") {
        Some(value) => posture_of(value)?,
        None => RigKeyPosture::Here(RigPosture { name: String::new(), joints: parse::motions(&mut table)? }),
    };
    let mut values = KeyValues::default();
    let angle = |value: Option<Value<'_>>, default: f64| value.map_or(Ok(default), |v| v.angle());
    values.swivel = angle(table.get("swivel"), values.swivel)?;
    if let Some(range) = table.get("range") {
        let [low, high] = range.range()?;
        values.range = (low.angle()?, high.angle()?);
    }
    values.step = angle(table.get("step"), values.step)?;
    values.growth = table.get("growth").map_or(Ok(values.growth), |v| v.number())?;
    if let Some(weight) = table.get("weight") {
        let mut table = weight.table("a weight")?;
        let number = |value: Option<Value<'_>>, default: f64| value.map_or(Ok(default), |v| v.number());
        values.start = number(table.get("start"), values.start)?;
        values.full = number(table.get("full"), values.full)?;
        values.stretch = number(table.get("stretch"), values.stretch)?;
        table.finish()?;
    }
    table.finish()?;
    Ok(RigKey { place, corner, swing, posture, values })
}

impl RigBehaviour {
    /// The behaviour on its skeleton. `pose` makes a pose of a posture's joints.
    pub(super) fn build(
        &self,
        skeleton: &Skeleton,
        postures: &[(String, Pose)],
        pose: &dyn Fn(&RigPosture) -> Result<Pose, ReadError>,
    ) -> Result<Behaviour, ReadError> {
        let find = |posture: &RigKeyPosture| match posture {
            RigKeyPosture::Here(posture) => pose(posture),
            RigKeyPosture::Named(name, place) => {
                let found = postures.iter().find(|(known, _)| known == name);
                found.map(|(_, pose)| pose.clone()).ok_or_else(|| {
                    let near = suggest::did_you_mean(name, postures.iter().map(|(n, _)| n.as_str()));
                    let expected = format!("the name of a posture of this file{near}");
                    ReadError::new(place.clone(), format!("no posture {}", quoted(name)), expected)
                })
            }
        };
        // The engine numbers the outer keys first; places follow that order.
        let rest = Pose::rest(skeleton);
        let mut keys: Vec<KeyPosture> = (0..CORNERS.len())
            .map(|_| KeyPosture { swing: Vec2::ZERO, pose: rest.clone(), values: KeyValues::default() })
            .collect();
        let mut places = vec![self.place.clone(); CORNERS.len()];
        for key in &self.keys {
            let built = KeyPosture { swing: key.swing, pose: find(&key.posture)?, values: key.values };
            match key.corner {
                Some(corner) => {
                    keys[corner] = built;
                    places[corner] = key.place.clone();
                }
                None => {
                    keys.push(built);
                    places.push(key.place.clone());
                }
            }
        }
        let wrong = |error: RigError| {
            let number = match error {
                RigError::Key { key, .. } => Some(key),
                _ => None,
            };
            let place = number.and_then(|i| places.get(i)).unwrap_or(&self.place).clone();
            let found = format!("behaviour '{}': {error}", self.name);
            ReadError::new(place, found, "keys that make a swing plane")
        };
        let mut behaviour =
            Behaviour::from_keys(self.name.clone(), self.side, skeleton, keys).map_err(wrong)?;
        let stance = self.stance.as_ref().map(find).transpose()?;
        behaviour.set_stance(stance).map_err(wrong)?;
        Ok(behaviour)
    }
}

/// The lines of a behaviour.
pub fn lines(asset: &Asset, behaviour: &Behaviour) -> Result<String, WriteError> {
    let mut out = String::new();
    let mut line = |text: String| {
        out.push_str(&text);
        out.push('\n');
    };
    line("\n[[behaviour]]".into());
    line(format!("name = {}", text::string(behaviour.name())));
    line(format!("side = {}", text::string(word(behaviour.side()))));
    if let Some(stance) = behaviour.stance() {
        match named(asset, stance) {
            Some(name) => line(format!("stance = {}", text::string(name))),
            None => {
                line("\n[behaviour.stance]".into());
                line(write::motion_lines(&asset.skeleton, stance, "behaviour.stance")?);
            }
        }
    }
    for (i, key) in behaviour.keys().iter().enumerate() {
        line("\n[[behaviour.key]]".into());
        match CORNERS.get(i) {
            Some(corner) => line(format!("corner = {}", text::string(corner))),
            None => line(format!("swing = [{}, {}]", angle_text(key.swing.x), angle_text(key.swing.y))),
        }
        let name = named(asset, &key.pose);
        if let Some(name) = name {
            line(format!("posture = {}", text::string(name)));
        }
        line(value_lines(&key.values));
        if name.is_none() {
            line(write::motion_lines(&asset.skeleton, &key.pose, "behaviour.key")?);
        }
    }
    // Blank lines come in where a part has nothing to say.
    Ok(out.replace("\n\n\n", "\n\n"))
}

fn value_lines(values: &KeyValues) -> String {
    let default = KeyValues::default();
    let mut out = String::new();
    // Writing to a String does not fail.
    if values.swivel != default.swivel {
        let _ = writeln!(out, "swivel = {}", angle_text(values.swivel));
    }
    if values.range != default.range {
        let _ = writeln!(out, "range = [{}, {}]", angle_text(values.range.0), angle_text(values.range.1));
    }
    if values.step != default.step {
        let _ = writeln!(out, "step = {}", angle_text(values.step));
    }
    if values.growth != default.growth {
        let _ = writeln!(out, "growth = {}", text::number(values.growth));
    }
    let weight = |values: &KeyValues| [values.start, values.full, values.stretch];
    if weight(values) != weight(&default) {
        let [start, full, stretch] = weight(values).map(text::number);
        let _ = writeln!(out, "weight = {{ start = {start}, full = {full}, stretch = {stretch} }}");
    }
    out.trim_end().to_owned()
}

/// The named posture that is exactly this one.
fn named<'a>(asset: &'a Asset, pose: &Pose) -> Option<&'a str> {
    asset.postures.iter().find(|(_, known)| known == pose).map(|(name, _)| name.as_str())
}

const fn word(side: Side) -> &'static str {
    match side {
        Side::Left => "left",
        Side::Right => "right",
    }
}

/// Refuses two behaviours of one name for one side.
pub fn unique(behaviours: &[RigBehaviour]) -> Result<(), ReadError> {
    for (i, b) in behaviours.iter().enumerate() {
        let same = |a: &&RigBehaviour| a.name == b.name && a.side == b.side;
        if let Some(first) = behaviours[..i].iter().find(same) {
            let found = format!(
                "a second behaviour '{}' for the {} arm (the first is at {})",
                b.name,
                word(b.side),
                first.place
            );
            return Err(ReadError::new(b.place.clone(), found, "one behaviour of a name for each arm"));
        }
    }
    Ok(())
}
