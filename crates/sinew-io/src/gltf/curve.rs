//! One property of one node over time, in the three ways that glTF has to go
//! from one key to the next (specification, appendix C).

use std::rc::Rc;

use glam::{DQuat, DVec3, DVec4};

use super::accessor::Buffers;
use super::document::{Interpolation, Sampler};
use crate::error::{Place, ReadError};

/// A property of a node that moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Property {
    Translation,
    Rotation,
    Scale,
}

/// Keys and what happens between them.
#[derive(Debug, Clone)]
pub(super) struct Curve {
    pub times: Rc<[f64]>,
    /// A value for each key; with cubic splines an incoming tangent, a value
    /// and an outgoing tangent.
    values: Rc<[f64]>,
    interpolation: Interpolation,
    is_rotation: bool,
}

impl Curve {
    /// Reads and checks the keys of a sampler.
    pub fn read(
        sampler: &Sampler,
        property: Property,
        path: &str,
        buffers: &mut Buffers<'_>,
    ) -> Result<Self, ReadError> {
        let is_rotation = property == Property::Rotation;
        let (shape, width) = if is_rotation { ("VEC4", 4) } else { ("VEC3", 3) };
        let times = buffers.values(sampler.input, "SCALAR", &format!("{path}.input"))?;
        let values = buffers.values(sampler.output, shape, &format!("{path}.output"))?;
        if let Some(k) = (1..times.len()).find(|&k| times[k] < times[k - 1]) {
            return Err(ReadError::new(
                Place::Path(format!("{path}.input")),
                format!("time {} after time {}", times[k], times[k - 1]),
                "times that go up",
            ));
        }
        let each = if sampler.interpolation == Interpolation::CubicSpline { 3 } else { 1 };
        if values.len() != times.len() * width * each {
            return Err(ReadError::new(
                Place::Path(format!("{path}.output")),
                format!("{} values for {} keys", values.len() / width, times.len()),
                format!("{each} for each key"),
            ));
        }
        let curve = Self { times, values, interpolation: sampler.interpolation, is_rotation };
        if is_rotation && let Some(k) = (0..curve.times.len()).find(|&k| curve.value(k).length() < 1.0e-6) {
            return Err(ReadError::new(
                Place::Path(format!("{path}.output")),
                format!("a rotation of length zero at key {k}"),
                "unit quaternions",
            ));
        }
        Ok(curve)
    }

    pub fn is_smooth(&self) -> bool {
        self.interpolation == Interpolation::CubicSpline
    }

    /// The value at a time, as a vector. `cursor` is the key from which the
    /// search goes on; times must not go down between calls. A time within
    /// `snap` of a key is that key's: frames lie on keys but for rounding, and
    /// a step must not come a frame late.
    pub fn at(&self, time: f64, snap: f64, cursor: &mut usize) -> DVec4 {
        let last = self.times.len() - 1;
        while *cursor < last && self.times[*cursor + 1] <= time + snap {
            *cursor += 1;
        }
        let k = *cursor;
        let next = (k + 1).min(last);
        let span = self.times[next] - self.times[k];
        if k == next || time <= self.times[k] + snap || span <= 0.0 {
            return self.unit(self.value(k));
        }
        let s = ((time - self.times[k]) / span).clamp(0.0, 1.0);
        let (a, b) = (self.value(k), self.value(next));
        match self.interpolation {
            Interpolation::Step => self.unit(a),
            Interpolation::Linear if self.is_rotation => {
                let a = DQuat::from_vec4(a).normalize();
                let b = DQuat::from_vec4(b).normalize();
                a.slerp(b, s).into()
            }
            Interpolation::Linear => a.lerp(b, s),
            Interpolation::CubicSpline => {
                let (leaving, arriving) = (self.part(k, 2) * span, self.part(next, 0) * span);
                let (s2, s3) = (s * s, s * s * s);
                let mixed = a * (2.0 * s3 - 3.0 * s2 + 1.0)
                    + leaving * (s3 - 2.0 * s2 + s)
                    + b * (3.0 * s2 - 2.0 * s3)
                    + arriving * (s3 - s2);
                self.unit(mixed)
            }
        }
    }

    /// The value at a key.
    fn value(&self, key: usize) -> DVec4 {
        self.part(key, usize::from(self.is_smooth()))
    }

    /// One of the three values that a cubic key has.
    fn part(&self, key: usize, part: usize) -> DVec4 {
        let each = if self.is_smooth() { 3 } else { 1 };
        let width = if self.is_rotation { 4 } else { 3 };
        let at = (key * each + part) * width;
        let v = &self.values[at..at + width];
        DVec4::new(v[0], v[1], v[2], if self.is_rotation { v[3] } else { 0.0 })
    }

    /// A rotation made unit, also where a spline passes through zero.
    fn unit(&self, value: DVec4) -> DVec4 {
        match self.is_rotation {
            true => value.try_normalize().unwrap_or(DVec4::W),
            false => value,
        }
    }

    /// The greatest difference of a key from a value, over its size.
    pub fn greatest_change_from(&self, value: DVec3) -> f64 {
        let size = value.abs().max_element().max(1.0e-6);
        (0..self.times.len())
            .map(|k| (self.value(k).truncate() - value).abs().max_element() / size)
            .fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(interpolation: Interpolation, times: &[f64], values: &[[f64; 3]]) -> Curve {
        Curve {
            times: times.into(),
            values: values.iter().flatten().copied().collect::<Vec<_>>().into(),
            interpolation,
            is_rotation: false,
        }
    }

    fn x(curve: &Curve, time: f64) -> f64 {
        curve.at(time, 1e-6, &mut 0).x
    }

    #[test]
    fn steps_lines_and_splines() {
        let (a, b) = ([0.0; 3], [8.0; 3]);
        let line = curve(Interpolation::Linear, &[1.0, 3.0], &[a, b]);
        assert_eq!([0.0, 1.0, 1.5, 3.0, 9.0].map(|t| x(&line, t)), [0.0, 0.0, 2.0, 8.0, 8.0]);
        let step = curve(Interpolation::Step, &[1.0, 3.0], &[a, b]);
        assert_eq!([0.0, 2.9, 3.0 - 1e-8, 3.0].map(|t| x(&step, t)), [0.0, 0.0, 8.0, 8.0]);
        // With level tangents the middle is the mean, with a leaving tangent
        // of 1 per second over 2 seconds it is 2·1/8 higher.
        let spline = curve(Interpolation::CubicSpline, &[1.0, 3.0], &[a, a, a, a, b, a]);
        assert_eq!(x(&spline, 2.0), 4.0);
        let spline = curve(Interpolation::CubicSpline, &[1.0, 3.0], &[a, a, [1.0; 3], a, b, a]);
        assert_eq!(x(&spline, 2.0), 4.25);
    }

    #[test]
    fn one_key_is_constant() {
        let one = curve(Interpolation::Linear, &[2.0], &[[5.0; 3]]);
        assert_eq!([0.0, 2.0, 4.0].map(|t| x(&one, t)), [5.0; 3]);
    }
}
