//! Where a free root should stand before a descent begins.
//!
//! A root that has half a turn to go takes all limbs with it, and on the way they are drawn to
//! targets on the other side of the body, into minima that only another start leaves. So it is put
//! there at once: where a goal of its own wants it, or else where the effectors as they stand now,
//! taken as one rigid body, lie nearest to their targets.

use super::super::articulation::{Articulation, NO_NODE};
use super::super::frame::SolveFrame;
use super::super::place::Place;
use crate::goal::Target;
use crate::math::superpose::Superposition;
use crate::math::*;
use crate::skeleton::{JointKind, Skeleton};

/// How much a radian of an orientation counts beside a metre of a position: a limb's length away.
const TURN: Real = 0.1;

/// Moves the free roots of a place.
pub(super) fn place(articulation: &Articulation, skeleton: &Skeleton, frame: &SolveFrame, place: &mut Place) {
    articulation.forward(&place.motions, &mut place.frames);
    for (i, node) in articulation.nodes.iter().enumerate() {
        if node.kind != JointKind::Free || node.parent != NO_NODE {
            continue;
        }
        let Some(wanted) = wanted(articulation, frame, i, place) else { continue };
        let local = node.before.inverse() * wanted;
        let mut motion = place.motions[i];
        (motion.rotation, motion.translation) = (local.rotation.normalize(), local.translation);
        if motion.rotation.is_finite() && motion.translation.is_finite() {
            place.motions[i] = articulation.held(skeleton, i, &motion).unwrap_or(motion);
        }
    }
}

/// Where a root should stand.
fn wanted(articulation: &Articulation, frame: &SolveFrame, root: usize, place: &Place) -> Option<Transform> {
    let goals = || {
        let all = frame.goals().iter().zip(&articulation.sites).enumerate();
        all.filter(|(i, (goal, site))| {
            frame.usable(*i) && goal.relative_to.is_none() && hangs_on(articulation, site.node, root)
        })
        .map(|(i, (goal, site))| (i, goal, site))
    };
    let own = goals().find_map(|(_, goal, site)| match goal.target {
        Target::Pose(pose) if site.node as usize == root => Some(pose * site.offset.inverse()),
        _ => None,
    });
    if own.is_some() {
        return own;
    }
    let (mut count, mut from, mut to) = (0.0, Vec3::ZERO, Vec3::ZERO);
    for (i, goal, _) in goals() {
        if let Some(point) = goal.target.position() {
            from += articulation.effector(i, &place.frames).translation;
            to += point;
            count += 1.0;
        }
    }
    if count == 0.0 {
        return None;
    }
    let (from, to) = (from / count, to / count);
    let mut fit = Superposition::EMPTY;
    for (i, goal, _) in goals() {
        let now = articulation.effector(i, &place.frames);
        if let Some(point) = goal.target.position() {
            fit.add(now.translation - from, point - to, 1.0);
        }
        if let Some(turn) = goal.target.orientation(now) {
            fit.add_frames(now.rotation, turn, Vec3::splat(TURN * TURN));
        }
    }
    let turn = fit.best_rotation();
    let now = place.frames[root];
    Some(Transform::new(to + turn * (now.translation - from), turn * now.rotation))
}

fn hangs_on(articulation: &Articulation, mut node: u32, root: usize) -> bool {
    while let Some(n) = articulation.nodes.get(node as usize) {
        if node as usize == root {
            return true;
        }
        node = n.parent;
    }
    false
}
