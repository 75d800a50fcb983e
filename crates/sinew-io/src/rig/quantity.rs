//! Numbers with a unit: angles in degrees unless they say otherwise.
//!
//! Files hold degrees, because people think in them, and the engine radians. A
//! number of degrees does not exist for every number of radians (the step from
//! one `f64` to the next is up to 1.12 times as wide on the way back), so an
//! angle may also be a text with its unit, such as `"0.5 rad"`, and the writer
//! takes whichever is exact and shorter.

use crate::error::{Place, ReadError, quoted};

/// What a number of a rig file counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Degrees for an angle, metres for a length: what the place asks for.
    Usual,
    /// Degrees, said explicitly.
    Degrees,
    /// Radians.
    Radians,
    /// Metres, said explicitly.
    Metres,
}

/// A number whose meaning depends on the joint that it is about.
#[derive(Debug, Clone, PartialEq)]
pub struct Quantity {
    /// The number as it stands in the file.
    pub number: f64,
    /// The unit that the file gives.
    pub unit: Unit,
    /// Where it stands.
    pub place: Place,
}

impl Quantity {
    /// A number with a unit from a text such as `0.5 rad`.
    pub(super) fn from_text(text: &str, place: Place) -> Option<Self> {
        let text = text.trim();
        let (number, unit) = [("rad", Unit::Radians), ("deg", Unit::Degrees), ("m", Unit::Metres)]
            .into_iter()
            .find_map(|(name, unit)| text.strip_suffix(name).map(|number| (number, unit)))?;
        let number = number.trim().parse::<f64>().ok().filter(|n| n.abs() <= super::table::MOST)?;
        Some(Self { number, unit, place })
    }

    /// The angle in radians.
    pub(super) fn angle(&self) -> Result<f64, ReadError> {
        match self.unit {
            Unit::Usual | Unit::Degrees => Ok(self.number.to_radians()),
            Unit::Radians => Ok(self.number),
            Unit::Metres => Err(self.wrong("an angle: a number of degrees, or a text like \"0.5 rad\"")),
        }
    }

    /// The length in metres.
    pub(super) fn length(&self) -> Result<f64, ReadError> {
        match self.unit {
            Unit::Usual | Unit::Metres => Ok(self.number),
            Unit::Degrees | Unit::Radians => Err(self.wrong("a length in metres")),
        }
    }

    fn wrong(&self, expected: &str) -> ReadError {
        let unit = match self.unit {
            Unit::Usual => "",
            Unit::Degrees => " deg",
            Unit::Radians => " rad",
            Unit::Metres => " m",
        };
        ReadError::new(self.place.clone(), quoted(&format!("{}{unit}", self.number)), expected)
    }
}

/// An angle in radians as the file writes it: read back, it is the same number.
pub(super) fn angle_text(radians: f64) -> String {
    let degrees = radians.to_degrees();
    // The nearest few numbers of degrees; one of them is exact nine times of ten.
    let near = [degrees, degrees.next_up(), degrees.next_down()];
    let rounded = [(degrees * 1.0e6).round() / 1.0e6, degrees.round()];
    let exact = rounded.into_iter().chain(near).filter(|d| d.to_radians() == radians);
    let in_degrees = exact.map(super::text::number).min_by_key(String::len);
    let in_radians = format!("\"{} rad\"", super::text::number(radians));
    match in_degrees {
        Some(degrees) if degrees.len() <= in_radians.len() => degrees,
        _ => in_radians,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn back(text: &str) -> f64 {
        let place = Place::File;
        let quantity = match text.strip_prefix('"') {
            Some(quoted) => Quantity::from_text(quoted.trim_end_matches('"'), place).unwrap(),
            None => Quantity { number: text.parse().unwrap(), unit: Unit::Usual, place },
        };
        quantity.angle().unwrap()
    }

    #[test]
    fn angles_are_written_the_shorter_way() {
        assert_eq!(angle_text(45f64.to_radians()), "45.0");
        assert_eq!(angle_text((-0.1f64).to_radians()), "-0.1");
        assert_eq!(angle_text(std::f64::consts::PI), "180.0");
        assert_eq!(angle_text(2.8973), "\"2.8973 rad\"");
        assert_eq!(angle_text(0.0), "0.0");
    }

    #[test]
    fn units_are_held_to_what_is_asked_for() {
        let quantity = |text: &str| Quantity::from_text(text, Place::Line(3));
        assert_eq!(quantity("30 deg").unwrap().angle().unwrap(), 30f64.to_radians());
        assert_eq!(quantity("0.25m").unwrap().length().unwrap(), 0.25);
        assert!(quantity("1 m").unwrap().angle().is_err() && quantity("1 rad").unwrap().length().is_err());
        assert!(quantity("inf rad").is_none() && quantity("1 turn").is_none() && quantity("rad").is_none());
    }

    proptest! {
        #[test]
        fn angles_come_back_bit_for_bit(radians in prop_oneof![-7.0f64..7.0, any::<f64>()]) {
            prop_assume!(radians.abs() < 1.0e7);
            prop_assert_eq!(back(&angle_text(radians)).to_bits(), radians.to_bits());
        }
    }
}
