//! Random numbers of the tests and benches: the same for the same seed, on
//! every machine, and the same numbers at both precisions.
#![allow(dead_code)] // each file uses some of it

use sinew::math::{Quat, Real, Vec3, rotation};
use sinew::{Pose, Skeleton, limit};

/// The engine's own generator, which is not public.
#[path = "../../src/math/random.rs"]
mod random;

/// A stream of numbers from a seed; every seed is a good one.
pub struct Numbers(random::Random);

/// The seeds that a test tries: so many, or as many as the environment variable `SINEW_SEEDS` says.
pub fn seeds(count: u64) -> std::ops::Range<u64> {
    0..std::env::var("SINEW_SEEDS").ok().and_then(|n| n.parse().ok()).unwrap_or(count)
}

impl Numbers {
    pub fn new(seed: u64) -> Self {
        Self(random::Random(seed))
    }

    /// A number in [0, 1).
    pub fn unit(&mut self) -> Real {
        self.0.unit()
    }

    /// A number between two others.
    pub fn between(&mut self, low: Real, high: Real) -> Real {
        self.0.between(low, high)
    }

    /// A number between `-half` and `half`.
    pub fn within(&mut self, half: Real) -> Real {
        self.between(-half, half)
    }

    /// A vector in the cube from -1 to 1.
    pub fn vector(&mut self) -> Vec3 {
        self.0.vector(1.0)
    }

    /// A direction, uniform on the sphere.
    pub fn direction(&mut self) -> Vec3 {
        loop {
            let v = self.vector();
            if v.length() > 0.1 && v.length() < 1.0 {
                return v.normalize();
            }
        }
    }

    /// A rotation whose rotation vector is in the cube of this half width.
    pub fn rotation(&mut self, spread: Real) -> Quat {
        rotation::exp(self.vector() * spread)
    }

    /// A pose within the limits and not pressed against them: a joint turns by
    /// a rotation vector in the cube of this half width where its limit allows one.
    pub fn pose(&mut self, skeleton: &Skeleton, spread: Real) -> Pose {
        let mut pose = Pose::rest(skeleton);
        for id in skeleton.ids() {
            let joint = skeleton.joint(id);
            let draws = (0..60).map(|_| limit::to_kind(joint.kind(), self.rotation(spread)));
            if let Some(allowed) = draws.into_iter().find(|&q| joint.limit().violation(q) == 0.0) {
                pose.set_rotation(id, allowed);
            }
        }
        pose.project(skeleton);
        pose
    }
}
