//! A chain of balls laid along an arc to its target.
//!
//! A long chain meets nearly every point from anywhere. What is slow is to draw out its last bends, for a point
//! near the end of its reach, and to find a side to bend to, for one on its own line. An arc whose chord is
//! the way to the target has the right bend from the start: with the half angle `x` of the arc, the chord is the part
//! `sin x / x` of its length.

use super::super::articulation::{Articulation, Motion};
use crate::math::*;
use crate::skeleton::JointKind;

/// Whether the nodes are such a chain.
pub(super) fn is_chain(articulation: &Articulation) -> bool {
    let nodes = &articulation.nodes;
    let ball = nodes.iter().all(|node| node.kind == JointKind::Ball && node.count == 3);
    let in_line = nodes.iter().skip(1).enumerate().all(|(i, node)| node.parent as usize == i);
    ball && in_line && articulation.sites.first().is_some_and(|site| site.node as usize + 1 == nodes.len())
}

/// Lays the chain to a point. `frames` is scratch.
pub(super) fn lay(
    articulation: &Articulation,
    target: Vec3,
    motions: &mut [Motion],
    frames: &mut [Transform],
) {
    let nodes = &articulation.nodes;
    motions.fill(Motion::REST);
    articulation.forward(motions, frames);
    let tip = articulation.effector(0, frames).translation;
    let place = |frames: &[Transform], i: usize| frames.get(i).map_or(tip, |f| f.translation);
    let length: Real = (0..nodes.len()).map(|i| place(frames, i).distance(place(frames, i + 1))).sum();
    let Some(base) = frames.first().map(|f| f.translation) else { return };
    let way = target - base;
    if length <= TINY {
        return;
    }
    let half = half_angle((way.length() / length).min(1.0));
    let forward = direction_or(way, Vec3::X);
    let axis = any_perpendicular(forward);
    let mut gone = 0.0;
    for i in 0..nodes.len() {
        frames[i] = nodes[i].frame(&Motion::REST, frames);
        let next = match nodes.get(i + 1) {
            Some(next) => next.frame(&Motion::REST, frames).translation,
            None => articulation.effector(0, frames).translation,
        };
        let bone = next - frames[i].translation;
        let part = bone.length() / length;
        let wanted = rotation::about(axis, half * (1.0 - 2.0 * (gone + 0.5 * part))) * forward;
        gone += part;
        let turn = rotation::between(direction_or(bone, wanted), wanted, axis);
        let own = frames[i].rotation;
        motions[i].rotation = (own.conjugate() * turn * own).normalize();
        frames[i] = nodes[i].frame(&motions[i], frames);
    }
}

/// The angle x from 0 to π with `sin x / x` equal to this part.
fn half_angle(part: Real) -> Real {
    let (mut low, mut high) = (0.0, PI);
    for _ in 0..24 {
        let x = 0.5 * (low + high);
        if x.sin() > part * x { low = x } else { high = x }
    }
    0.5 * (low + high)
}
