//! Where the nodes are, and what of that a rigid skeleton can hold; both ways.
//!
//! glTF nodes have scale, also a different one along each axis, and matrix
//! nodes have shear; joints have neither. So every frame is worked out as the
//! file has it, with whole matrices from the top of the tree down, and each
//! joint then takes its place and the rotation nearest to its matrix from
//! there. Its motion is what leads from its rest transform to that. A scale
//! that is the same along all axes ends up in the offsets; under one that is
//! not, bones change length as they turn, which the joints' shifts hold. Joint
//! places are therefore right in every frame, whatever the file does.
//!
//! [`Stage::locals_for`] goes the other way: which transforms of the nodes put
//! the joints where a pose has them. A node that would be read as it should be
//! already is left alone, so what did not change keeps its digits.

use std::collections::HashMap;

use glam::{DAffine3, DMat3, DQuat, DVec3};
use sinew_f64::math::rotation::angle;
use sinew_f64::{JointId, Skeleton, Transform};

use super::forest::{Forest, Local, Parts, nearest_rotation};
use super::rig::Rig;
use crate::Note;
use crate::error::{Place, ReadError, quoted};

/// What may lie between a joint and its node, beside the node's own transform.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fitting {
    /// The node's transform at rest, where the file has it in another pose.
    pub rest: Option<Local>,
    /// The joint's frame in the node's: our own files turn the nodes so that +Y
    /// points along the bones.
    pub frame: DQuat,
}

impl Default for Fitting {
    fn default() -> Self {
        Self { rest: None, frame: DQuat::IDENTITY }
    }
}

/// The nodes to work out, parents before children: those of the joints and
/// those above them.
#[derive(Debug, Clone)]
pub(super) struct Stage {
    /// The document's index of each.
    nodes: Vec<usize>,
    /// Where each of the document's nodes stands in `nodes`.
    place: HashMap<usize, usize>,
    /// Each one's parent, as an index into `nodes`.
    parents: Vec<Option<usize>>,
    /// Where each joint of the rig stands in `nodes`. `None` is a joint of our
    /// own that joins several trees.
    joints: Vec<Option<usize>>,
    joint_parents: Vec<Option<usize>>,
    /// Each joint's frame in its node's.
    frames: Vec<DQuat>,
    /// The nodes' transforms in the rest pose.
    rest: Vec<Local>,
    /// The nodes' transforms as the file has them: the pose that viewers show.
    shown: Vec<Local>,
    /// Put in front of everything: a model that faces the wrong way is turned.
    front: DAffine3,
}

/// Where every node of a stage is.
pub(super) struct World {
    pub matrices: Vec<DAffine3>,
    turns: Vec<DQuat>,
}

/// Whether a transform is not finite, or so large that the single-precision
/// engine would lose it.
pub(super) fn is_lost(matrix: &DAffine3) -> bool {
    const FAR: f64 = 1.0e37;
    // A NaN is not within the range either.
    !matrix.to_cols_array().iter().all(|number| number.abs() < FAR)
}

impl Stage {
    /// `fittings` has one for each joint of the rig.
    pub fn new(forest: &Forest, rig: &Rig, fittings: &[Fitting], turned: DQuat) -> Self {
        let mut above = Vec::new();
        let mut next = rig.nodes[0].and_then(|root| forest.parents[root]);
        while let Some(node) = next {
            above.push(node);
            next = forest.parents[node];
        }
        above.reverse();
        let nodes: Vec<usize> = above.into_iter().chain(rig.nodes.iter().flatten().copied()).collect();
        let place: HashMap<usize, usize> = nodes.iter().enumerate().map(|(i, &node)| (node, i)).collect();
        let parent = |&node: &usize| forest.parents[node].and_then(|parent| place.get(&parent).copied());
        let shown: Vec<Local> = nodes.iter().map(|&node| forest.locals[node]).collect();
        let joints: Vec<_> =
            rig.nodes.iter().map(|node| node.and_then(|node| place.get(&node).copied())).collect();
        let mut rest = shown.clone();
        for (joint, fitting) in joints.iter().zip(fittings) {
            if let (Some(node), Some(local)) = (*joint, fitting.rest) {
                rest[node] = local;
            }
        }
        Self {
            parents: nodes.iter().map(parent).collect(),
            joints,
            joint_parents: rig.parents.clone(),
            frames: fittings.iter().map(|fitting| fitting.frame).collect(),
            rest,
            shown,
            front: DAffine3::from_quat(turned),
            nodes,
            place,
        }
    }

    /// A node for every joint of a skeleton, in its order, whose frames have the
    /// joints' in them.
    pub fn of_skeleton(skeleton: &Skeleton, frames: Vec<DQuat>) -> Self {
        let rest = |id: JointId| {
            let above = skeleton.parent(id).map_or(DQuat::IDENTITY, |parent| frames[parent.index()]);
            let Transform { translation, rotation } = skeleton.joint(id).rest();
            let rotation = (above * rotation * frames[id.index()].inverse()).normalize();
            Local::Parts(Parts { translation: above * translation, rotation, scale: DVec3::ONE })
        };
        let rest: Vec<Local> = skeleton.ids().map(rest).collect();
        let parents: Vec<_> = skeleton.ids().map(|id| skeleton.parent(id).map(JointId::index)).collect();
        let count = skeleton.len();
        Self {
            nodes: (0..count).collect(),
            place: (0..count).map(|i| (i, i)).collect(),
            joints: (0..count).map(Some).collect(),
            joint_parents: parents.clone(),
            parents,
            shown: rest.clone(),
            rest,
            frames,
            front: DAffine3::IDENTITY,
        }
    }

    /// The same with the joints in another order: `order[i]` is the new place
    /// of joint `i`.
    pub fn reordered(mut self, order: &[usize]) -> Self {
        let before = (self.joints.clone(), self.joint_parents.clone(), self.frames.clone());
        for (i, &to) in order.iter().enumerate() {
            self.joints[to] = before.0[i];
            self.joint_parents[to] = before.1[i].map(|parent| order[parent]);
            self.frames[to] = before.2[i];
        }
        self
    }

    /// The document's node of a joint.
    pub fn node_of(&self, joint: usize) -> Option<usize> {
        self.joints.get(joint).copied().flatten().map(|node| self.nodes[node])
    }

    /// Where a joint's node stands in the stage.
    pub fn joint_place(&self, joint: usize) -> Option<usize> {
        self.joints.get(joint).copied().flatten()
    }

    /// The joint's frame in its node's.
    pub fn frame_of(&self, joint: usize) -> DQuat {
        self.frames[joint]
    }

    /// The same nodes with another rest pose.
    pub fn with_rest(&self, rest: Vec<Local>) -> Self {
        Self { rest, ..self.clone() }
    }

    /// The nodes' transforms at rest.
    pub fn rest_locals(&self) -> &[Local] {
        &self.rest
    }

    /// Where a node of the document stands in the stage.
    pub fn place_of(&self, node: usize) -> Option<usize> {
        self.place.get(&node).copied()
    }

    /// The document's node at a place of the stage.
    pub fn node_at(&self, place: usize) -> usize {
        self.nodes[place]
    }

    /// The nodes' transforms as the file has them.
    pub fn shown(&self) -> &[Local] {
        &self.shown
    }

    /// Whether the file has the nodes in another pose than at rest.
    pub fn is_posed(&self) -> bool {
        self.rest != self.shown
    }

    /// The transform of a node at rest, where the file has it in another pose.
    pub fn rest_of(&self, place: usize) -> Local {
        self.rest[place]
    }

    /// What stands above the root joint, in model space: the transforms of the
    /// nodes above its node, and the half turn of a VRM 0.x.
    pub fn above_root(&self) -> DAffine3 {
        let root = self.joints.first().copied().flatten();
        let mut matrix = DAffine3::IDENTITY;
        let mut next = root.and_then(|root| self.parents[root]);
        while let Some(node) = next {
            matrix = self.shown[node].affine() * matrix;
            next = self.parents[node];
        }
        self.front * matrix
    }

    pub fn world(&self, locals: &[Local]) -> World {
        let count = self.nodes.len();
        let mut world = World { matrices: Vec::with_capacity(count), turns: Vec::with_capacity(count) };
        for (i, local) in locals.iter().enumerate() {
            let (above, turn) = self.parent_in(&world, i);
            let (matrix, turn) = placed(above, turn, local);
            world.matrices.push(matrix);
            world.turns.push(turn);
        }
        world
    }

    fn parent_in(&self, world: &World, node: usize) -> (DAffine3, DQuat) {
        match self.parents[node] {
            Some(parent) => (world.matrices[parent], world.turns[parent]),
            None => (self.front, DQuat::from_mat3(&self.front.matrix3)),
        }
    }

    /// Each joint's transform to its parent joint.
    pub fn joint_locals(&self, world: &World) -> Vec<Transform> {
        let rigid = |joint: usize| match self.joints[joint] {
            Some(node) => {
                Transform::new(world.matrices[node].translation, world.turns[node] * self.frames[joint])
            }
            None => Transform::IDENTITY,
        };
        (0..self.joints.len())
            .map(|joint| match self.joint_parents[joint] {
                Some(parent) => rigid(parent).inverse() * rigid(joint),
                None => rigid(joint),
            })
            .collect()
    }

    /// The transforms of the nodes that put the joints at these places in model
    /// space, one for each joint. A node that is read so already keeps its
    /// transform in `from`.
    pub fn locals_for(&self, wanted: &[Transform], from: &[Local]) -> Vec<Local> {
        let mut joint_of = vec![None; self.nodes.len()];
        for (joint, node) in self.joints.iter().enumerate() {
            if let Some(node) = node {
                joint_of[*node] = Some(joint);
            }
        }
        let count = self.nodes.len();
        let mut world = World { matrices: Vec::with_capacity(count), turns: Vec::with_capacity(count) };
        let mut locals = from.to_vec();
        for i in 0..count {
            let (above, above_turn) = self.parent_in(&world, i);
            let (mut matrix, mut turn) = placed(above, above_turn, &locals[i]);
            if let Some(joint) = joint_of[i] {
                let goal = wanted[joint];
                let goal = Transform::new(goal.translation, goal.rotation * self.frames[joint].inverse());
                let near = 1.0e-9 * (1.0 + goal.translation.length());
                let shifted = (matrix.translation - goal.translation).length() > near;
                let turned = angle(turn.inverse() * goal.rotation) > 1.0e-9;
                if shifted || turned {
                    locals[i] = fitted(above, above_turn, &locals[i], goal, (shifted, turned));
                    (matrix, turn) = placed(above, above_turn, &locals[i]);
                }
            }
            world.matrices.push(matrix);
            world.turns.push(turn);
        }
        locals
    }

    /// The joints' rest transforms, and for each what makes a point of its
    /// node a point of the joint. Notes what scale there was.
    pub fn rest(&self, names: &[String], notes: &mut Vec<Note>) -> Result<Rest, ReadError> {
        let world = self.world(&self.rest);
        let mut unscaled = Vec::new();
        let (mut scaled, mut uneven, mut mirrored) = (Vec::new(), Vec::new(), Vec::new());
        for (joint, &node) in self.joints.iter().enumerate() {
            let Some(node) = node else {
                unscaled.push(DMat3::IDENTITY);
                continue;
            };
            let matrix = world.matrices[node];
            if is_lost(&matrix) {
                let place = Place::Path(format!("nodes[{}]", self.nodes[node]));
                return Err(ReadError::new(
                    place,
                    "a place too far away for numbers",
                    "a place near the origin",
                ));
            }
            let own = DMat3::from_quat(world.turns[node].inverse()) * matrix.matrix3;
            let name = &names[joint];
            let size = own.determinant().abs().cbrt();
            let mirror = own.determinant() < 0.0;
            let mut even = DMat3::from_diagonal(DVec3::splat(size));
            if mirror {
                even.x_axis = -even.x_axis;
                mirrored.push(name);
            }
            if size < 1.0e-9 || !own.abs_diff_eq(even, size * 1.0e-3) {
                uneven.push(name);
            } else if (size - 1.0).abs() > 1.0e-3 {
                scaled.push((name, size));
            }
            let frame = DMat3::from_quat(self.frames[joint]);
            unscaled.push(frame.transpose() * own * frame);
        }
        if let Some((first, size)) = scaled.first() {
            let count = scaled.len();
            notes.push(Note::new(format!(
                "the scale of {count} joints is now in their offsets (first {}, {size:.4})",
                quoted(first)
            )));
        }
        if let Some(first) = uneven.first() {
            let count = uneven.len();
            notes.push(Note::new(format!(
                "{count} joints have a scale that differs along the axes, or shear (first {}): their places are kept, their shape is not",
                quoted(first)
            )));
        }
        if let Some(first) = mirrored.first() {
            let count = mirrored.len();
            notes.push(Note::new(format!(
                "{count} joints were mirrored (first {}); their x axis is reversed",
                quoted(first)
            )));
        }
        let matrices =
            self.joints.iter().map(|n| n.map_or(DAffine3::IDENTITY, |n| world.matrices[n])).collect();
        Ok(Rest { transforms: self.joint_locals(&world), unscaled, matrices })
    }
}

/// The rest pose of a rig.
pub(super) struct Rest {
    /// Each joint's transform to its parent joint.
    pub transforms: Vec<Transform>,
    /// What makes a vector in the joint's axes at the node's scale one in metres.
    pub unscaled: Vec<DMat3>,
    /// From each node's frame to the model, as the file has it.
    pub matrices: Vec<DAffine3>,
}

/// Where a node is below its parent, and how it is turned.
fn placed(above: DAffine3, above_turn: DQuat, local: &Local) -> (DAffine3, DQuat) {
    let matrix = above * local.affine();
    // A node that is scaled to nothing still turns: as its own rotation says,
    // below its parent's.
    let own = || match local {
        Local::Parts(parts) => parts.rotation,
        Local::Matrix(_) => DQuat::IDENTITY,
    };
    (matrix, nearest_rotation(matrix.matrix3).unwrap_or_else(|| above_turn * own()))
}

/// The transform of a node that puts it at `goal` in model space, below a
/// parent at `above`. Its scale and shear stay; so does its shift or its turn
/// where only the other is to change.
fn fitted(
    above: DAffine3,
    above_turn: DQuat,
    local: &Local,
    goal: Transform,
    (shifted, turned): (bool, bool),
) -> Local {
    let before = local.affine();
    let size = above.matrix3.determinant().abs().cbrt();
    // Below a parent that is scaled to nothing, every shift is the same.
    let shift = if shifted && size > 1.0e-12 {
        above.inverse().transform_point3(goal.translation)
    } else {
        before.translation
    };
    let sound = |translation: DVec3| if translation.is_finite() { translation } else { before.translation };
    match local.parts() {
        Some(parts) => {
            let stretch = DMat3::from_diagonal(parts.scale);
            let rotation = if turned {
                turn_under(above.matrix3, above_turn, parts.rotation, stretch, goal.rotation)
            } else {
                parts.rotation
            };
            Local::Parts(Parts { translation: sound(shift), rotation, scale: parts.scale })
        }
        None => {
            let turn = nearest_rotation(before.matrix3).unwrap_or(DQuat::IDENTITY);
            let stretch = DMat3::from_quat(turn.inverse()) * before.matrix3;
            let rotation = turn_under(above.matrix3, above_turn, turn, stretch, goal.rotation);
            let matrix3 = DMat3::from_quat(rotation) * stretch;
            Local::Matrix(DAffine3 { matrix3, translation: sound(shift) })
        }
    }
}

/// The rotation R for which `nearest_rotation(P · R · K)` is the goal.
///
/// With a parent P that scales evenly this is one division. Otherwise the
/// rotation nearest to a product is no product of rotations, and R is found by
/// turning by what is missing, again and again; each time the rest shrinks by
/// about how uneven the parent is.
fn turn_under(parent: DMat3, parent_turn: DQuat, from: DQuat, stretch: DMat3, goal: DQuat) -> DQuat {
    // A mirroring is one of the x axis ([`nearest_rotation`]): with F = diag(−1, 1, 1),
    // P·R·K = (P·F)·(F·R·F)·(F·K), and a product that mirrors is read as itself times F.
    let flip = DMat3::from_diagonal(DVec3::new(-1.0, 1.0, 1.0));
    let flipped = |q: DQuat| DQuat::from_xyzw(q.x, -q.y, -q.z, q.w);
    let mirrored = parent.determinant() < 0.0;
    let (parent, mut stretch) = if mirrored { (parent * flip, flip * stretch) } else { (parent, stretch) };
    if stretch.determinant() < 0.0 {
        stretch *= flip;
    }
    let (Some(turn), Some(own)) = (nearest_rotation(parent), nearest_rotation(stretch)) else {
        // Scaled to nothing: read as the parent's turn times the node's own.
        return parent_turn.inverse() * goal;
    };
    let mut best = (f64::INFINITY, from);
    let mut rotation = (turn.inverse() * goal * own.inverse()).normalize();
    for _ in 0..60 {
        let Some(now) = nearest_rotation(parent * DMat3::from_quat(rotation) * stretch) else { break };
        let missing = goal * now.inverse();
        let off = angle(missing);
        if off < best.0 {
            best = (off, rotation);
        }
        if off < 1.0e-13 {
            break;
        }
        rotation = (turn.inverse() * missing * turn * rotation).normalize();
    }
    if mirrored { flipped(best.1) } else { best.1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_is_found_under_any_parent() {
        let turn = |x, y, z| DQuat::from_scaled_axis(DVec3::new(x, y, z));
        let scales = [
            DVec3::ONE,
            DVec3::splat(0.01),
            DVec3::new(1.0, 2.0, 1.0),
            DVec3::new(-1.0, 1.0, 1.0),
            DVec3::new(1.0, -2.0, 1.5),
            DVec3::new(-1.0, -1.0, -1.0),
            DVec3::new(-1.0, -1.0, 1.0),
        ];
        for outer in scales {
            for inner in scales {
                let parent = DMat3::from_quat(turn(0.3, -1.0, 0.4)) * DMat3::from_diagonal(outer);
                let stretch = DMat3::from_diagonal(inner);
                for goal in [DQuat::IDENTITY, turn(1.0, 0.2, -0.4), turn(-2.0, 1.0, 0.3)] {
                    let found = turn_under(parent, DQuat::IDENTITY, DQuat::IDENTITY, stretch, goal);
                    let read = nearest_rotation(parent * DMat3::from_quat(found) * stretch).unwrap();
                    let off = angle(read.inverse() * goal);
                    assert!(off < 1e-9, "{outer} {inner}: {off}");
                }
            }
        }
    }
}
