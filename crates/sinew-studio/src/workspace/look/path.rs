//! Points that move by themselves, in front of the character and as large as it.

use std::f64::consts::TAU;

use sinew_f64::{ModelPose, Skeleton, Vec3};

use crate::wire::LookPath;

/// Where the paths are: sized by the rig at rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stage {
    middle: Vec3,
    size: f64,
}

/// The corners that are jumped to: across, so that every jump is long.
const CORNERS: [[f64; 2]; 4] = [[-1.0, -1.0], [1.0, 1.0], [-1.0, 1.0], [1.0, -1.0]];

impl Stage {
    pub fn new(skeleton: &Skeleton) -> Self {
        let model = ModelPose::rest(skeleton);
        let start = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        let (low, high) = model.positions().iter().fold(start, |(l, h), p| (l.min(*p), h.max(*p)));
        let size = (high - low).max_element().max(0.05);
        // At the height of the upper body: characters look down and up to it alike.
        let height = low.y + 0.65 * (high.y - low.y);
        let middle = Vec3::new(0.5 * (low.x + high.x), height, 0.5 * (low.z + high.z));
        Self { middle: middle + Vec3::Z * size, size }
    }

    /// Where the point is after so many rounds.
    pub fn at(&self, path: LookPath, rounds: f64) -> Vec3 {
        let rounds = rounds.rem_euclid(1.0);
        let (s, c) = (TAU * rounds).sin_cos();
        let from_middle = match path {
            LookPath::Circle => Vec3::new(s, c, 0.0) * 0.5,
            LookPath::Eight => Vec3::new(0.8 * s, 0.0, 0.5 * (2.0 * TAU * rounds).sin()),
            LookPath::Jumps => {
                let [x, y] = CORNERS[((4.0 * rounds) as usize).min(3)];
                Vec3::new(0.5 * x, 0.35 * y, 0.0)
            }
        };
        self.middle + from_middle * self.size
    }
}
