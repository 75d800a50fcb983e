//! The regions of a swing, in and out, without a list of their shapes.
//!
//! A region is what serde makes of the engine's [`SwingShape`], spelled for
//! people by three rules: `swing` is its kind, and its fields are keys beside
//! that; a number by itself is an angle, in degrees unless it says otherwise;
//! three numbers in brackets are a direction.

use std::fmt::{self, Display};

use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{self, Deserialize, Deserializer, IntoDeserializer, Visitor};
use serde_json::Value as Json;
use sinew_f64::Vec3;
use sinew_f64::limit::SwingShape;

use super::quantity::angle_text;
use super::table::{Table, Value};
use super::text;
use crate::ReadError;
use crate::error::Place;

/// Reads a region: all keys of the table that nobody has asked for are its own.
pub fn read(table: &mut Table<'_>, kind: Value<'_>) -> Result<SwingShape, ReadError> {
    let mut places = Vec::new();
    let mut fields = vec![("kind".to_owned(), Field::Text(kind.text()?.to_owned()))];
    for (name, place, value) in table.others() {
        places.push((name.to_owned(), place));
        fields.push((name.to_owned(), field(value, &mut places)?));
    }
    let place_of = |key: &str| places.iter().find(|(name, _)| name == key).map(|(_, place)| place.clone());
    let shape = SwingShape::deserialize(Field::Table(fields)).map_err(|misfit| match misfit {
        Misfit::Missing(key) => table.without(key),
        Misfit::Unknown(key, known) => {
            let place = place_of(&key).unwrap_or_else(|| kind.place());
            table.stranger(&key, place, known)
        }
        Misfit::Kind(known) => kind.wrong(format!("one of {}", known.join(", "))),
        Misfit::Value { found, expected } => ReadError::new(kind.place(), found, expected),
    })?;
    // serde passes over the fields of a kind that has none.
    let document = serde_json::to_value(&shape).unwrap_or_default();
    match table.others_taken().find(|key| document.get(key).is_none()) {
        Some(key) => Err(table.stranger(key, place_of(key).unwrap_or_else(|| kind.place()), &[])),
        None => Ok(shape),
    }
}

/// The keys of a region and their values.
pub fn lines(shape: &SwingShape) -> Vec<(String, String)> {
    // A shape of finite numbers always has a document.
    let document = serde_json::to_value(shape).unwrap_or_default();
    let kind = document.get("kind").and_then(Json::as_str).unwrap_or_default();
    let mut lines = vec![("swing".to_owned(), text::string(kind))];
    for (key, value) in document.as_object().into_iter().flatten().filter(|(key, _)| *key != "kind") {
        lines.extend(value_text(value).map(|value| (key.clone(), value)));
    }
    lines
}

/// A value of a document as the file spells it; `None` for one that is not there.
fn value_text(value: &Json) -> Option<String> {
    match value {
        Json::Number(number) => Some(angle_text(number.as_f64()?)),
        Json::Array(list) => Some(match direction(list) {
            Some(direction) => text::vector(direction),
            None => {
                format!("[\n  {},\n]", list.iter().filter_map(value_text).collect::<Vec<_>>().join(",\n  "))
            }
        }),
        Json::Object(fields) => {
            let pair = |(key, value): (&String, &Json)| Some(format!("{key} = {}", value_text(value)?));
            Some(format!("{{ {} }}", fields.iter().filter_map(pair).collect::<Vec<_>>().join(", ")))
        }
        Json::String(word) => Some(text::string(word)),
        Json::Bool(_) | Json::Null => None,
    }
}

fn direction(list: &[Json]) -> Option<Vec3> {
    let [x, y, z] = list else { return None };
    Some(Vec3::new(x.as_f64()?, y.as_f64()?, z.as_f64()?))
}

/// A value of the file with its meaning: angles are in radians.
enum Field {
    Text(String),
    Angle(f64),
    Direction(Vec3),
    List(Vec<Field>),
    Table(Vec<(String, Field)>),
}

/// Reads a value; the keys of tables in it are added to `places`.
fn field(value: Value<'_>, places: &mut Vec<(String, Place)>) -> Result<Field, ReadError> {
    if let Ok(table) = value.table("a table") {
        let pairs = table.names().into_iter().map(|(name, place, value)| {
            places.push((name.to_owned(), place));
            Ok((name.to_owned(), field(value, places)?))
        });
        return Ok(Field::Table(pairs.collect::<Result<_, ReadError>>()?));
    }
    let Ok(list) = value.array("") else { return Ok(Field::Angle(value.angle()?)) };
    if list.first().is_some_and(|first| first.number().is_ok()) {
        return Ok(Field::Direction(value.direction()?));
    }
    let list: Result<_, ReadError> = list.into_iter().map(|value| field(value, places)).collect();
    Ok(Field::List(list?))
}

impl<'de> Deserializer<'de> for Field {
    type Error = Misfit;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match self {
            Self::Text(text) => visitor.visit_string(text),
            Self::Angle(angle) => visitor.visit_f64(angle),
            Self::Direction(direction) => {
                visitor.visit_seq(SeqDeserializer::new(direction.to_array().into_iter()))
            }
            Self::List(list) => visitor.visit_seq(SeqDeserializer::new(list.into_iter())),
            Self::Table(fields) => visitor.visit_map(MapDeserializer::new(fields.into_iter())),
        }
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

impl<'de> IntoDeserializer<'de, Misfit> for Field {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// What keeps a table from being a region.
#[derive(Debug)]
enum Misfit {
    Missing(&'static str),
    Unknown(String, &'static [&'static str]),
    Kind(&'static [&'static str]),
    Value { found: String, expected: String },
}

impl Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

impl std::error::Error for Misfit {}

impl de::Error for Misfit {
    fn custom<T: Display>(message: T) -> Self {
        Self::Value { found: message.to_string(), expected: "a region for a swing".to_owned() }
    }

    fn invalid_type(found: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        let found = match found {
            de::Unexpected::Float(_) => "an angle".to_owned(),
            de::Unexpected::Seq => "a list".to_owned(),
            de::Unexpected::Map => "a table".to_owned(),
            other => other.to_string(),
        };
        let expected = expected.to_string();
        Self::Value { found, expected: if expected == "f64" { "an angle".to_owned() } else { expected } }
    }

    fn missing_field(field: &'static str) -> Self {
        Self::Missing(field)
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        Self::Unknown(field.to_owned(), expected)
    }

    fn unknown_variant(_: &str, expected: &'static [&'static str]) -> Self {
        Self::Kind(expected)
    }
}
