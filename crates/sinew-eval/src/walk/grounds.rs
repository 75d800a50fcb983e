//! The grounds of the experiment: what a walker meets in a game.

use sinew::body::walk::{Ground, Terrain};
use sinew::math::Real;

/// A ground with its name.
pub struct Named {
    pub name: String,
    pub ground: Box<dyn Terrain>,
}

/// Where the obstacles are, along z.
const AHEAD: Real = 2.0;
/// A block of rubble, and the highest of them, in metres.
const BLOCK: Real = 0.3;
const RUBBLE: Real = 0.08;

/// All of them, with so many random hills from this seed on.
pub fn all(hills: u64, seed: u64) -> Vec<Named> {
    let mut grounds = Vec::new();
    let mut add = |name: &str, ground: Box<dyn Terrain>| grounds.push(Named { name: name.into(), ground });
    add("flat", Box::new(Ground::Flat));
    for (name, grade) in [
        ("slope up 15 %", 0.15),
        ("slope down 15 %", -0.15),
        ("slope up 35 %", 0.35),
        ("slope down 35 %", -0.35),
    ] {
        add(name, Box::new(Ground::Slope { grade }));
    }
    for (name, grade) in [("cross slope 15 %", 0.15), ("cross slope 35 %", 0.35)] {
        add(name, Box::new(move |x: Real, _: Real| grade * x));
    }
    add("stairs up, then down", Box::new(Ground::STAIRS));
    // A rise below zero is a pit: the stairs go down first.
    add("stairs down, then up", Box::new(Ground::Steps { start: 1.5, rise: -0.16, tread: 0.32, count: 8 }));
    add("steep stairs", Box::new(Ground::Steps { start: 1.5, rise: 0.2, tread: 0.28, count: 8 }));
    add("kerb", Box::new(|_: Real, z: Real| if z > AHEAD { 0.12 } else { 0.0 }));
    add("ditch", Box::new(|_: Real, z: Real| if (AHEAD..AHEAD + 0.3).contains(&z) { -0.5 } else { 0.0 }));
    add("wall", Box::new(|_: Real, z: Real| if z > AHEAD { 2.0 } else { 0.0 }));
    add("rubble", Box::new(rubble(seed)));
    for seed in seed..seed.saturating_add(hills) {
        add(&format!("hills {seed}"), Box::new(Ground::hills(seed, 0.35, 8.0)));
    }
    grounds
}

/// Blocks of random heights with level ground where the walk begins.
fn rubble(seed: u64) -> impl Fn(Real, Real) -> Real {
    move |x, z| {
        if x.hypot(z) < 0.8 {
            return 0.0;
        }
        let place = |v: Real| (v / BLOCK).floor() as i64 as u64;
        let bits = mixed(seed ^ mixed(place(x) ^ mixed(place(z))));
        RUBBLE * (bits >> 40) as Real / (1u64 << 24) as Real
    }
}

/// Bits that look like chance (SplitMix64): a height must be the same whenever it is asked for.
fn mixed(bits: u64) -> u64 {
    let mut z = bits.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
