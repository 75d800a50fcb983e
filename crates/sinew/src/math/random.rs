//! Random numbers from a seed, for restarts.
//!
//! Our own dozen lines because the engine is `no_std`, must give the same bits
//! everywhere and for ever, and needs nothing more than a stream of numbers.

use super::*;

/// SplitMix64 (Steele, Lea & Flood 2014): one multiplication deep, and every
/// seed is a good one.
#[derive(Debug, Clone)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in [0, 1), with the bits that both precisions hold exactly.
    pub(crate) fn unit(&mut self) -> Real {
        (self.next() >> 40) as Real / (1u64 << 24) as Real
    }

    /// A number between two others.
    pub(crate) fn between(&mut self, low: Real, high: Real) -> Real {
        low + (high - low) * self.unit()
    }

    /// A vector in a cube about the origin.
    pub(crate) fn vector(&mut self, half: Real) -> Vec3 {
        Vec3::new(self.between(-half, half), self.between(-half, half), self.between(-half, half))
    }
}
