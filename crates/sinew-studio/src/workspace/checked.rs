//! What the page sends is checked before it is used: a person can be told what
//! is wrong with it, the engine is never asked nonsense.

use std::ops::RangeInclusive;

use sinew_f64::{JointId, Quat, Skeleton, Vec3};

use crate::wire::{Q, V3};

/// Further away than this, in metres, nothing is dragged on purpose.
const FARTHEST: f64 = 1.0e4;

/// A number within a range.
pub fn number(what: &str, value: f64, range: RangeInclusive<f64>) -> Result<f64, String> {
    if range.contains(&value) {
        return Ok(value);
    }
    Err(format!("{what} is {value}; it goes from {} to {}", range.start(), range.end()))
}

/// A place that is somewhere.
pub fn place(what: &str, [x, y, z]: V3) -> Result<Vec3, String> {
    let place = Vec3::new(x, y, z);
    if place.is_finite() && place.abs().max_element() <= FARTHEST {
        return Ok(place);
    }
    Err(format!("{what} is at {x}, {y}, {z}, which is nowhere near"))
}

/// A rotation: any quaternion that has a direction.
pub fn rotation(what: &str, [x, y, z, w]: Q) -> Result<Quat, String> {
    let length = (x * x + y * y + z * z + w * w).sqrt();
    if length.is_finite() && length > 1.0e-6 {
        return Ok(Quat::from_xyzw(x / length, y / length, z / length, w / length));
    }
    Err(format!("{what} is turned by {x}, {y}, {z}, {w}, which is no rotation"))
}

/// A joint by its place in the rig.
pub fn joint(what: &str, skeleton: &Skeleton, index: u32) -> Result<JointId, String> {
    skeleton
        .id(index as usize)
        .ok_or_else(|| format!("{what} is joint {index}, but the rig has {} joints", skeleton.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nonsense_is_refused_in_words() {
        assert!(number("the speed", f64::NAN, 0.0..=1.0).unwrap_err().contains("the speed is NaN"));
        assert!(number("x", -0.1, 0.0..=1.0).unwrap_err().contains("from 0 to 1"));
        assert!(place("p", [0.0, f64::INFINITY, 0.0]).is_err() && place("p", [0.0, 0.0, 1.0e9]).is_err());
        assert!(rotation("q", [0.0; 4]).is_err() && rotation("q", [f64::NAN, 0.0, 0.0, 1.0]).is_err());
        assert!(rotation("q", [1.0e200, 0.0, 0.0, 0.0]).is_err());
        let turned = rotation("q", [0.0, 0.0, 0.0, -5.0]).unwrap();
        assert_eq!(turned.w, -1.0);
        let rig = sinew_f64::rigs::arm();
        assert!(joint("the eye", &rig, u32::MAX).unwrap_err().contains("the rig has"));
    }
}
