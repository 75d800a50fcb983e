//! From text to a message, or words about what is wrong with it.

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::wire::{
    BehaviourEdit, BodyScene, ClientMessage, Fitting, LimitDocument, LookScene, PoseScene, ReachScene,
    RigSource, WalkScene,
};

/// Beyond this no number of a message makes sense, and the page's single
/// precision would begin to lose it.
const LARGEST_NUMBER: f64 = 1.0e10;

/// Reads a message. JSON has no NaN and no infinity, and numbers that are
/// nearly infinite are refused with their place.
pub fn understand(text: &str) -> Result<ClientMessage, String> {
    let value: Value = serde_json::from_str(text).map_err(|e| format!("the message is not JSON: {e}"))?;
    if let Some(place) = monstrous(&value, String::new()) {
        return Err(format!("{place} is beyond all measure"));
    }
    ClientMessage::deserialize_from(&value).map_err(|error| explained(&value, &error.to_string()))
}

trait FromValue: Sized {
    fn deserialize_from(value: &Value) -> Result<Self, serde_json::Error>;
}

impl<T: DeserializeOwned> FromValue for T {
    fn deserialize_from(value: &Value) -> Result<Self, serde_json::Error> {
        T::deserialize(value)
    }
}

/// Where a number is too large, if one is. `stamp` is the page's own clock.
fn monstrous(value: &Value, place: String) -> Option<String> {
    match value {
        Value::Number(n) => n.as_f64().is_none_or(|n| n.abs() > LARGEST_NUMBER).then_some(place),
        Value::Array(list) => {
            list.iter().enumerate().find_map(|(i, v)| monstrous(v, format!("{place}[{i}]")))
        }
        Value::Object(map) => map.iter().filter(|(key, _)| *key != "stamp").find_map(|(key, v)| {
            let dot = if place.is_empty() { "" } else { "." };
            monstrous(v, format!("{place}{dot}{}", short(key)))
        }),
        _ => None,
    }
}

fn short(text: &str) -> String {
    text.chars().take(40).flat_map(char::escape_debug).collect()
}

/// The error with its place. A tagged message is read in two goes, which loses
/// the path, so the part that has a shape of its own is read once more by itself.
fn explained(value: &Value, error: &str) -> String {
    fn place<T: DeserializeOwned>(value: &Value, key: &str) -> Option<String> {
        let part = value.get(key)?;
        let error = serde_path_to_error::deserialize::<_, T>(part).err()?;
        let path = error.path().to_string();
        let path = if path == "." { key.to_string() } else { format!("{key}.{path}") };
        Some(format!("{}: {}", short(&path), error.inner()))
    }
    let kind = value.get("type").and_then(Value::as_str).unwrap_or_default();
    let exact = match kind {
        "pose" => place::<PoseScene>(value, "scene"),
        "reach" => place::<ReachScene>(value, "scene"),
        "body" => place::<BodyScene>(value, "scene"),
        "look" => place::<LookScene>(value, "scene"),
        "walk" => place::<WalkScene>(value, "scene"),
        "load" => place::<RigSource>(value, "rig").or_else(|| place::<Option<Fitting>>(value, "fitting")),
        "set_limit" => place::<LimitDocument>(value, "limit"),
        "edit_behaviour" => place::<BehaviourEdit>(value, "edit"),
        _ => None,
    };
    let words = exact.unwrap_or_else(|| error.to_string());
    let words: String = words.chars().take(500).collect();
    if kind.is_empty() {
        format!("the message: {words}")
    } else {
        format!("the message '{}': {words}", short(kind))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_named_with_their_place() {
        let said = |text: &str| understand(text).unwrap_err();
        assert!(said("{").starts_with("the message is not JSON: EOF"));
        assert!(said("[]").starts_with("the message: "), "{}", said("[]"));
        assert!(said("{\"type\":\"dance\"}").contains("unknown variant `dance`"));
        let scene = "{\"type\":\"pose\",\"input\":1,\"scene\":{\"goals\":[{\"id\":7}]}}";
        assert!(said(scene).contains("scene.goals[0].id: invalid type"), "{}", said(scene));
        let drag =
            "{\"type\":\"drag\",\"input\":1,\"target\":\"a\",\"position\":[0,1e999,0],\"rotation\":null}";
        assert!(said(drag).contains("number out of range"), "{}", said(drag));
        let far = drag.replace("1e999", "1e300");
        assert_eq!(said(&far), "position[1] is beyond all measure");
        let none = drag.replace("1e999", "null");
        assert!(said(&none).contains("invalid type: null"), "{}", said(&none));
        assert!(understand("{\"type\":\"ping\",\"stamp\":1.7e12}").is_ok());
        assert!(said(&format!("{}1{}", "[".repeat(9000), "]".repeat(9000))).contains("recursion"));
    }
}
