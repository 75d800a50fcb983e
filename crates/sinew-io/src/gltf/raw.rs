//! JSON that is carried through: an object whose members keep their order and
//! their text, so that what is not changed is not touched, to the last digit.

use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};

use crate::WriteError;

/// A JSON object, its values as text.
#[derive(Debug, Clone, Default)]
pub(super) struct RawObject(Vec<(String, Box<RawValue>)>);

impl RawObject {
    pub fn parse(json: &RawValue) -> Result<Self, WriteError> {
        serde_json::from_str(json.get()).map_err(failed)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn get(&self, key: &str) -> Option<&RawValue> {
        self.0.iter().find(|(name, _)| name == key).map(|(_, value)| &**value)
    }

    /// A member as a type, if it is there and is one.
    pub fn read<'a, T: Deserialize<'a>>(&'a self, key: &str) -> Option<T> {
        serde_json::from_str(self.get(key)?.get()).ok()
    }

    /// Sets a member, at its old place or at the end.
    pub fn set(&mut self, key: &str, value: &impl Serialize) -> Result<(), WriteError> {
        let value = raw(value)?;
        match self.0.iter_mut().find(|(name, _)| name == key) {
            Some((_, old)) => *old = value,
            None => self.0.push((key.into(), value)),
        }
        Ok(())
    }

    /// All members. Looking each up by its name would take the square of their number.
    pub fn members(&self) -> impl Iterator<Item = (&str, &RawValue)> {
        self.0.iter().map(|(name, value)| (&**name, &**value))
    }

    /// Changes the members that are indices.
    pub fn renumber(&mut self, renumber: &mut dyn FnMut(usize) -> usize) -> Result<(), WriteError> {
        for (_, value) in &mut self.0 {
            if let Ok(old) = serde_json::from_str::<usize>(value.get()) {
                let new = renumber(old);
                if new != old {
                    *value = raw(&new)?;
                }
            }
        }
        Ok(())
    }

    pub fn remove(&mut self, key: &str) {
        self.0.retain(|(name, _)| name != key);
    }
}

pub(super) fn raw(value: &impl Serialize) -> Result<Box<RawValue>, WriteError> {
    to_raw_value(value).map_err(failed)
}

pub(super) fn failed(error: serde_json::Error) -> WriteError {
    WriteError::new("the JSON document", error.to_string())
}

impl Serialize for RawObject {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (key, value) in &self.0 {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for RawObject {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = RawObject;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<RawObject, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(RawObject(members))
            }
        }
        deserializer.deserialize_map(Members)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_and_digits_stay() {
        let text = r#"{"z":[1.10, 2e0],"a":{"y":1,"x":  0.30000000000000004},"b":null}"#;
        let mut object: RawObject = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&object).unwrap(), text);
        object.set("a", &7).unwrap();
        object.set("new", &[1.5]).unwrap();
        object.remove("b");
        assert_eq!(serde_json::to_string(&object).unwrap(), r#"{"z":[1.10, 2e0],"a":7,"new":[1.5]}"#);
        assert_eq!(object.read::<i32>("a"), Some(7));
        assert_eq!(object.read::<i32>("z"), None);
    }
}
