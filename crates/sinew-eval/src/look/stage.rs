//! What is looked at: paths in front of a rig.

use std::f64::consts::TAU;

use sinew_f64::{ModelPose, Vec3};
use sinew_io::Asset;
use sinew_motion::look::Eye;

use crate::sample::{between, generator};

/// How a target moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Path {
    /// Upright, so many rounds a second.
    Circle(f64),
    /// A lying eight.
    Eight,
    /// From place to place, and there for [`HOLD`].
    Jumps,
    /// A slow circle, seen badly.
    Noise,
}

impl Path {
    pub(super) const ALL: [Self; 7] = [
        Self::Circle(0.1),
        Self::Circle(0.2),
        Self::Circle(0.3),
        Self::Circle(0.5),
        Self::Eight,
        Self::Jumps,
        Self::Noise,
    ];

    pub(super) fn name(self) -> String {
        match self {
            Self::Circle(rounds) => format!("circle, {rounds} Hz"),
            Self::Eight => "eight, 0.2 Hz".into(),
            Self::Jumps => "jumps".into(),
            Self::Noise => "noise".into(),
        }
    }
}

/// Where paths lie, and how large they are.
#[derive(Debug, Clone)]
pub(super) struct Stage {
    middle: Vec3,
    radius: f64,
    /// For jumps and noise: numbers between -1 and 1.
    numbers: Vec<[f64; 2]>,
}

/// How long a target that jumps stays, in seconds: until the slowest character has arrived.
pub(super) const HOLD: f64 = 2.5;
/// How much of the radius noise is.
const NOISE: f64 = 0.03;

impl Stage {
    /// In front of the rig, twice its size away, not quite in the middle; the seed says where.
    pub(super) fn new(asset: &Asset, eye: &Eye, seed: u64) -> Self {
        let model = ModelPose::new(&asset.skeleton, &asset.opening_pose());
        let from = eye.sights(&model).first().map_or(Vec3::Y, |sight| sight.0);
        let away = 2.0 * super::pictures::size(&model);
        let mut random = generator(seed);
        let mut number = |low, high| f64::from(between(&mut random, low, high));
        let aside = Vec3::new(number(-0.15, 0.15), number(-0.1, 0.1), 1.0);
        let radius = away * number(0.15, 0.5);
        let numbers = (0..4096).map(|_| [number(-1.0, 1.0), number(-1.0, 1.0)]).collect();
        Self { middle: from + aside * away, radius, numbers }
    }

    pub(super) fn at(&self, path: Path, time: f64) -> Vec3 {
        let number = |i: usize| self.numbers[i % self.numbers.len()];
        let turn = |rounds: f64| (TAU * rounds * time).sin_cos();
        let [x, y] = match path {
            Path::Circle(rounds) => {
                let (s, c) = turn(rounds);
                [c, s]
            }
            Path::Eight => [turn(0.2).0, 0.5 * turn(0.4).0],
            Path::Jumps => number(((time + 1.0e-6) / HOLD) as usize),
            Path::Noise => {
                let ((s, c), n) = (turn(0.2), number((time * super::RATE).round() as usize));
                [c + NOISE * n[0], s + NOISE * n[1]]
            }
        };
        self.middle + Vec3::new(x, y, 0.0) * self.radius
    }
}
