//! Tables and values of a TOML file, with their places.
//!
//! A [`Table`] remembers which keys were asked for; [`Table::finish`] refuses
//! the others, so a key that is misspelt or belongs elsewhere is never passed
//! over in silence.

use sinew_f64::math::rotation;
use sinew_f64::{Quat, Vec3};
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::quantity::{Quantity, Unit};
use crate::error::{Place, ReadError, quoted};
use crate::lines::Lines;
use crate::suggest;

/// The largest number: a rig of a million kilometres. Beyond it, sums of
/// offsets could leave what single precision holds.
pub const MOST: f64 = 1.0e9;

/// A value with the key or place it has.
#[derive(Clone, Copy)]
pub struct Value<'a> {
    lines: &'a Lines<'a>,
    value: &'a Spanned<DeValue<'a>>,
}

/// A table, some of whose keys have been asked for.
pub struct Table<'a> {
    lines: &'a Lines<'a>,
    what: &'static str,
    place: Place,
    entries: Vec<(&'a Spanned<DeString<'a>>, &'a Spanned<DeValue<'a>>)>,
    asked: Vec<&'static str>,
    /// Keys that were handed out without being asked for by name.
    others: Vec<&'a str>,
}

impl<'a> Table<'a> {
    /// The whole document.
    pub fn document(table: &'a Spanned<DeTable<'a>>, lines: &'a Lines<'a>) -> Self {
        Self::new(table.get_ref(), Place::File, lines, "the file")
    }

    fn new(table: &'a DeTable<'a>, place: Place, lines: &'a Lines<'a>, what: &'static str) -> Self {
        let mut entries: Vec<_> = table.iter().collect();
        // In the file's order, which the parser's sorted map has lost.
        entries.sort_by_key(|(key, _)| key.span().start);
        Self { lines, what, place, entries, asked: Vec::new(), others: Vec::new() }
    }

    /// Where the table begins.
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// The value of a key, if there is one.
    pub fn get(&mut self, key: &'static str) -> Option<Value<'a>> {
        self.asked.push(key);
        let (_, value) = self.entries.iter().find(|(k, _)| k.get_ref() == key)?;
        Some(Value { lines: self.lines, value })
    }

    /// The value of a key that must be there.
    pub fn need(&mut self, key: &'static str) -> Result<Value<'a>, ReadError> {
        self.get(key).ok_or_else(|| self.without(key))
    }

    /// The error of a key that must be there and is not.
    pub fn without(&self, key: &str) -> ReadError {
        let found = format!("{} without '{key}'", self.what);
        ReadError::new(self.place.clone(), found, format!("{key} = …"))
    }

    /// All keys that nobody has asked for, with their places and values, for keys that only
    /// somebody else knows.
    pub fn others(&mut self) -> Vec<(&'a str, Place, Value<'a>)> {
        let lines = self.lines;
        let others: Vec<_> = self
            .entries
            .iter()
            .filter(|(key, _)| !self.asked.contains(&key.get_ref().as_ref()))
            .map(|(key, value)| {
                (key.get_ref().as_ref(), lines.place(key.span().start), Value { lines, value })
            })
            .collect();
        self.others = others.iter().map(|(name, ..)| *name).collect();
        others
    }

    /// The names that [`others`](Self::others) handed out.
    pub fn others_taken(&self) -> impl Iterator<Item = &'a str> {
        self.others.iter().copied()
    }

    /// All keys with their places and values, for tables whose keys are names.
    pub fn names(self) -> Vec<(&'a str, Place, Value<'a>)> {
        let Self { lines, entries, .. } = self;
        entries
            .into_iter()
            .map(|(key, value)| {
                (key.get_ref().as_ref(), lines.place(key.span().start), Value { lines, value })
            })
            .collect()
    }

    /// Refuses keys that nobody asked for.
    pub fn finish(self) -> Result<(), ReadError> {
        let known = |key: &str| self.asked.contains(&key) || self.others.contains(&key);
        match self.entries.iter().find(|(key, _)| !known(key.get_ref().as_ref())) {
            None => Ok(()),
            Some((key, _)) => {
                let place = self.lines.place(key.span().start);
                Err(self.stranger(key.get_ref().as_ref(), place, &[]))
            }
        }
    }

    /// The error of a key that the table does not have; `more` are known besides those that were asked for.
    pub fn stranger(&self, name: &str, place: Place, more: &[&'static str]) -> ReadError {
        let mut known = self.asked.clone();
        known.extend(more);
        known.dedup();
        let near = suggest::did_you_mean(name, known.iter().copied());
        let found = format!("the key {} in {}", quoted(name), self.what);
        ReadError::new(place, found, format!("one of {}{near}", known.join(", ")))
    }
}

impl<'a> Value<'a> {
    /// Where the value begins.
    pub fn place(&self) -> Place {
        self.lines.place(self.value.span().start)
    }

    /// An error about the value.
    pub fn wrong(&self, expected: impl Into<String>) -> ReadError {
        let found = match self.value.get_ref() {
            DeValue::String(text) => format!("the text {}", quoted(text)),
            DeValue::Integer(number) => format!("the number {}", quoted(&number.to_string())),
            DeValue::Float(number) => format!("the number {}", quoted(number.as_str())),
            DeValue::Boolean(truth) => truth.to_string(),
            DeValue::Datetime(date) => format!("the date {date}"),
            DeValue::Array(array) => format!("an array of {}", array.len()),
            DeValue::Table(_) => "a table".to_owned(),
        };
        ReadError::new(self.place(), found, expected)
    }

    /// The text, if it is one.
    pub fn as_text(&self) -> Option<&'a str> {
        match self.value.get_ref() {
            DeValue::String(text) => Some(text.as_ref()),
            _ => None,
        }
    }

    /// The text.
    pub fn text(&self) -> Result<&'a str, ReadError> {
        self.as_text().ok_or_else(|| self.wrong("a text in quotes"))
    }

    /// The text, which must not be empty.
    pub fn name(&self) -> Result<&'a str, ReadError> {
        self.text().and_then(|text| if text.is_empty() { Err(self.wrong("a name")) } else { Ok(text) })
    }

    /// The finite number, if it is one.
    fn as_number(&self) -> Option<f64> {
        let number = match self.value.get_ref() {
            DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix()).ok()? as f64,
            DeValue::Float(number) => number.as_str().parse().ok()?,
            _ => return None,
        };
        (number.abs() <= MOST).then_some(number)
    }

    /// The finite number.
    pub fn number(&self) -> Result<f64, ReadError> {
        self.as_number().ok_or_else(|| self.wrong("a finite number, up to 1e9"))
    }

    /// The number within bounds.
    pub fn number_within(&self, low: f64, high: f64) -> Result<f64, ReadError> {
        let number = self.number()?;
        let expected = || {
            if high.is_finite() {
                format!("a number from {low} to {high}")
            } else {
                format!("a number from {low} up")
            }
        };
        if (low..=high).contains(&number) { Ok(number) } else { Err(self.wrong(expected())) }
    }

    /// The whole number.
    pub fn whole(&self) -> Result<u32, ReadError> {
        let whole = match self.value.get_ref() {
            DeValue::Integer(number) => u32::from_str_radix(number.as_str(), number.radix()).ok(),
            _ => None,
        };
        whole.ok_or_else(|| self.wrong("a whole number that is not negative"))
    }

    /// The number with its unit.
    pub fn quantity(&self) -> Result<Quantity, ReadError> {
        let place = self.place();
        let quantity = match (self.as_number(), self.as_text()) {
            (Some(number), _) => Some(Quantity { number, unit: Unit::Usual, place }),
            (_, Some(text)) => Quantity::from_text(text, place),
            _ => None,
        };
        quantity.ok_or_else(|| self.wrong("a number, or a number with its unit such as \"0.5 rad\""))
    }

    /// The angle in radians.
    pub fn angle(&self) -> Result<f64, ReadError> {
        self.quantity()?.angle()
    }

    /// How many elements it has, if it is an array.
    pub fn len(&self) -> Option<usize> {
        match self.value.get_ref() {
            DeValue::Array(array) => Some(array.len()),
            _ => None,
        }
    }

    /// The elements of an array.
    pub fn array(&self, expected: &str) -> Result<Vec<Value<'a>>, ReadError> {
        match self.value.get_ref() {
            DeValue::Array(array) => {
                Ok(array.iter().map(|value| Value { lines: self.lines, value }).collect())
            }
            _ => Err(self.wrong(expected)),
        }
    }

    /// An array of exactly `N`.
    pub fn exactly<const N: usize>(&self, expected: &str) -> Result<[Value<'a>; N], ReadError> {
        self.array(expected)?.try_into().map_err(|_| self.wrong(expected))
    }

    /// Three finite numbers.
    pub fn vector(&self) -> Result<Vec3, ReadError> {
        let [x, y, z] = self.exactly("three numbers: [x, y, z]")?;
        Ok(Vec3::new(x.number()?, y.number()?, z.number()?))
    }

    /// Three finite numbers that are a direction.
    pub fn direction(&self) -> Result<Vec3, ReadError> {
        let vector = self.vector()?;
        let length = vector.length();
        if length > 1.0e-9 && length.is_finite() {
            Ok(vector)
        } else {
            Err(self.wrong("a vector with a direction"))
        }
    }

    /// A lower and an upper end; which unit they have, the joint decides.
    pub fn range(&self) -> Result<[Quantity; 2], ReadError> {
        let [low, high] = self.exactly("two numbers: [min, max]")?;
        Ok([low.quantity()?, high.quantity()?])
    }

    /// A table; `what` is how errors call it.
    pub fn table(&self, what: &'static str) -> Result<Table<'a>, ReadError> {
        match self.value.get_ref() {
            DeValue::Table(table) => Ok(Table::new(table, self.place(), self.lines, what)),
            _ => Err(self.wrong(format!("{what}, which is a table"))),
        }
    }

    /// The tables of an array of tables.
    pub fn tables(&self, what: &'static str) -> Result<Vec<Table<'a>>, ReadError> {
        self.array("an array of tables, written [[…]]")?.iter().map(|value| value.table(what)).collect()
    }

    /// A rotation: a quaternion, an axis and an angle, or Euler angles.
    pub fn rotation(&self) -> Result<Quat, ReadError> {
        const EXPECTED: &str =
            "a rotation: [x, y, z, w], { axis = …, angle = … } or { euler = …, angles = … }";
        if self.len().is_some() {
            let [x, y, z, w] = self.exactly(EXPECTED)?;
            let q = Quat::from_xyzw(x.number()?, y.number()?, z.number()?, w.number()?);
            return unit(q).ok_or_else(|| self.wrong("a quaternion of length 1: [x, y, z, w]"));
        }
        let mut table = self.table("a rotation").map_err(|_| self.wrong(EXPECTED))?;
        let rotation = if let Some(order) = table.get("euler") {
            let order = super::limit::euler_order(order)?;
            let [a, b, c] = table.need("angles")?.exactly("three angles, in the order of the turns")?;
            order.to_quat([a.angle()?, b.angle()?, c.angle()?])
        } else {
            let axis = table.need("axis")?.direction()?;
            rotation::about(unit_axis(axis), table.need("angle")?.angle()?)
        };
        table.finish()?;
        Ok(rotation)
    }
}

/// The quaternion made unit, and left alone bit for bit where it is; `None`
/// where it is too far from unit to be meant as a rotation.
fn unit(q: Quat) -> Option<Quat> {
    let off = (q.length_squared() - 1.0).abs();
    if off <= 8.0 * f64::EPSILON {
        Some(q)
    } else if off < 1.0e-2 {
        Some(q.normalize())
    } else {
        None
    }
}

/// The axis made unit, and left alone bit for bit where it is.
pub fn unit_axis(axis: Vec3) -> Vec3 {
    if (axis.length_squared() - 1.0).abs() <= 8.0 * f64::EPSILON { axis } else { axis.normalize() }
}
