//! Documents made at random, shared by several tests.
#![allow(dead_code)] // each test binary uses its own part

use glam::DVec3;
use proptest::prelude::*;
use sinew_io::bvh::{Axis, BvhDocument, BvhJoint, Channel};

/// The channels of a joint: any order of three turns, fewer, none, with and
/// without places.
fn channels() -> impl Strategy<Value = Vec<Channel>> {
    let axes = Just(Axis::ALL.to_vec()).prop_shuffle();
    let count = prop_oneof![6 => Just(3usize), 1 => Just(0usize), 1 => Just(1usize), 1 => Just(2usize)];
    (axes, count, any::<bool>(), prop_oneof![4 => Just(false), 1 => Just(true)]).prop_map(
        |(axes, count, places_first, places)| {
            let turns = axes[..count].iter().map(|&axis| Channel::Rotation(axis));
            let places = Axis::ALL.into_iter().filter(|_| places).map(Channel::Position);
            if places_first { places.chain(turns).collect() } else { turns.chain(places).collect() }
        },
    )
}

fn vector(size: f64) -> impl Strategy<Value = DVec3> {
    prop_oneof![
        5 => prop::array::uniform3(-size..size).prop_map(DVec3::from),
        1 => Just(DVec3::ZERO),
    ]
}

fn joint() -> impl Strategy<Value = (usize, BvhJoint)> {
    let name = "[A-Za-z_:. -]{0,12}[A-Za-z0-9]";
    (any::<prop::sample::Index>(), name, vector(40.0), channels(), vector(20.0)).prop_map(
        |(parent, name, offset, channels, site)| {
            let parent = parent.index(1 << 20);
            (parent, BvhJoint { name, parent: None, offset, channels, end_sites: vec![site] })
        },
    )
}

/// A tree of up to twelve joints and up to eight frames. Joints stand depth
/// first, and every leaf has an End Site, as files have it.
pub fn document() -> impl Strategy<Value = BvhDocument> {
    (prop::collection::vec(joint(), 1..12), 0usize..8, any::<u64>()).prop_map(|(joints, frames, seed)| {
        let joints = depth_first(joints);
        let mut random = Random(seed);
        let values = (0..frames)
            .flat_map(|_| joints.iter().flat_map(|joint| joint.channels.clone()))
            .map(|channel| match channel {
                Channel::Position(_) => random.between(-90.0, 90.0),
                // Gimbal lock and whole turns come up too.
                Channel::Rotation(_) if random.next().is_multiple_of(8) => {
                    90.0 * random.between(-4.0, 4.0).round()
                }
                Channel::Rotation(_) => random.between(-400.0, 400.0),
            })
            .collect();
        BvhDocument { joints, frame_time: 1.0 / 120.0, values, notes: Vec::new() }
    })
}

fn depth_first(made: Vec<(usize, BvhJoint)>) -> Vec<BvhJoint> {
    let parents: Vec<Option<usize>> =
        made.iter().enumerate().map(|(i, (parent, _))| (i > 0).then(|| parent % i.max(1))).collect();
    let mut order = Vec::new();
    let mut stack = vec![0];
    while let Some(i) = stack.pop() {
        order.push(i);
        stack.extend((0..made.len()).rev().filter(|&child| parents[child] == Some(i)));
    }
    let place = |old: usize| order.iter().position(|&o| o == old).unwrap();
    order
        .iter()
        .map(|&old| {
            let mut joint = made[old].1.clone();
            joint.name = format!("{} {old}", joint.name.trim());
            joint.parent = parents[old].map(place);
            if parents.contains(&Some(old)) {
                joint.end_sites.clear();
            }
            joint
        })
        .collect()
}

/// Numbers at random, the same for the same seed.
pub struct Random(pub u64);

impl Random {
    /// The next sixty-four bits (splitmix64).
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from `low` to `high`.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}
