//! The nodes of a document as checked trees: every index in range, one parent
//! each, no circles, every transform finite.
//!
//! Nothing below walks the nodes before this has passed, and nothing walks
//! them by recursion: the order here has parents before their children.

use glam::{DAffine3, DMat3, DMat4, DQuat, DVec3};

use sinew_f64::math::rotation::angle;

use super::document::{Document, Node};
use crate::Note;
use crate::error::{Place, ReadError};

/// The most nodes that a file may have.
const MOST_NODES: usize = 100_000;

/// A rotation whose length is this far from one is worth a note.
const SLACK: f64 = 1.0e-3;

/// The transform of a node to its parent, as the file gives it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Local {
    Parts(Parts),
    /// Any matrix, sheared ones included.
    Matrix(DAffine3),
}

/// A transform in parts: scale first, then turn, then shift.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Parts {
    pub translation: DVec3,
    pub rotation: DQuat,
    pub scale: DVec3,
}

impl Parts {
    pub fn affine(&self) -> DAffine3 {
        DAffine3::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }
}

impl Local {
    pub fn affine(&self) -> DAffine3 {
        match self {
            Self::Parts(parts) => parts.affine(),
            Self::Matrix(matrix) => *matrix,
        }
    }

    /// Whether it is another one but for rounding.
    pub fn is_near(&self, other: &Self) -> bool {
        const NEAR: f64 = 1.0e-9;
        match (self, other) {
            (Self::Parts(a), Self::Parts(b)) => {
                let size = 1.0 + a.translation.length();
                (a.translation - b.translation).length() <= NEAR * size
                    && angle(a.rotation.inverse() * b.rotation) <= NEAR
                    && (a.scale - b.scale).length() <= NEAR * (1.0 + a.scale.length())
            }
            _ => {
                let (a, b) = (self.affine(), other.affine());
                let size = a.to_cols_array().into_iter().fold(1.0, |most: f64, x| most.max(x.abs()));
                a.abs_diff_eq(b, NEAR * size)
            }
        }
    }

    /// In parts, as animation wants it; `None` for a matrix that has shear.
    pub fn parts(&self) -> Option<Parts> {
        match self {
            Self::Parts(parts) => Some(*parts),
            Self::Matrix(matrix) => {
                let (scale, rotation, translation) = matrix.to_scale_rotation_translation();
                let parts = Parts { translation, rotation, scale };
                let size = matrix.matrix3.to_cols_array().into_iter().fold(0.0, |a: f64, b| a.max(b.abs()));
                let same = parts.affine().matrix3.abs_diff_eq(matrix.matrix3, size * 1.0e-5);
                (same && rotation.is_finite()).then_some(parts)
            }
        }
    }
}

/// The nodes as trees.
#[derive(Debug)]
pub(super) struct Forest {
    pub parents: Vec<Option<usize>>,
    pub locals: Vec<Local>,
    /// Every node, depth first: parents before children, a tree after the other.
    pub order: Vec<usize>,
    /// Where each node stands in `order`, and one past the last node below it.
    runs: Vec<(usize, usize)>,
    /// The top of the tree that each node is in.
    tops: Vec<usize>,
}

impl Forest {
    pub fn new(document: &Document, notes: &mut Vec<Note>) -> Result<Self, ReadError> {
        let nodes = &document.nodes;
        if nodes.len() > MOST_NODES {
            let found = format!("{} nodes", nodes.len());
            return Err(ReadError::new(Place::Path("nodes".into()), found, format!("at most {MOST_NODES}")));
        }
        let parents = parents(nodes)?;
        let (order, runs) = depth_first(nodes, &parents)?;
        let mut uneven = Vec::new();
        let mut locals = Vec::with_capacity(nodes.len());
        for (i, node) in nodes.iter().enumerate() {
            let (local, length) = local(node, &format!("nodes[{i}]"))?;
            if (length - 1.0).abs() > SLACK {
                uneven.push((i, length));
            }
            locals.push(local);
        }
        if let Some((first, length)) = uneven.first() {
            let count = uneven.len();
            notes.push(Note::new(format!(
                "{count} rotations were not of length one and were made so, first nodes[{first}].rotation of length {length:.4}"
            )));
        }
        let mut tops: Vec<usize> = (0..nodes.len()).collect();
        for &node in &order {
            if let Some(parent) = parents[node] {
                tops[node] = tops[parent];
            }
        }
        Ok(Self { parents, locals, order, runs, tops })
    }

    /// The node and everything below it, parents first.
    pub fn below(&self, node: usize) -> &[usize] {
        let (start, end) = self.runs[node];
        &self.order[start..end]
    }

    /// Whether `ancestor` is `node` or above it.
    pub fn is_above(&self, ancestor: usize, node: usize) -> bool {
        let (start, end) = self.runs[ancestor];
        (start..end).contains(&self.runs[node].0)
    }

    /// The top of the tree that the node is in.
    pub fn top(&self, node: usize) -> usize {
        self.tops[node]
    }
}

fn parents(nodes: &[Node]) -> Result<Vec<Option<usize>>, ReadError> {
    let mut parents: Vec<Option<usize>> = vec![None; nodes.len()];
    for (i, node) in nodes.iter().enumerate() {
        for (k, &child) in node.children.iter().enumerate() {
            let place = || Place::Path(format!("nodes[{i}].children[{k}]"));
            if child >= nodes.len() {
                let expected = format!("one of the file's {} nodes", nodes.len());
                return Err(ReadError::new(place(), format!("node {child}"), expected));
            }
            if child == i {
                return Err(ReadError::new(place(), format!("node {i} as its own child"), "a tree of nodes"));
            }
            if let Some(other) = parents[child] {
                let found = format!("node {child}, which is a child of node {other} already");
                return Err(ReadError::new(place(), found, "a tree, in which every node has one parent"));
            }
            parents[child] = Some(i);
        }
    }
    Ok(parents)
}

type Runs = Vec<(usize, usize)>;

/// The nodes depth first and each one's run in that order. With one parent
/// each, a node that is not reached from a top lies on a circle.
fn depth_first(nodes: &[Node], parents: &[Option<usize>]) -> Result<(Vec<usize>, Runs), ReadError> {
    let mut order = Vec::with_capacity(nodes.len());
    let mut runs = vec![(usize::MAX, 0); nodes.len()];
    let mut stack: Vec<usize> = (0..nodes.len()).rev().filter(|&node| parents[node].is_none()).collect();
    while let Some(node) = stack.pop() {
        runs[node] = (order.len(), order.len() + 1);
        order.push(node);
        stack.extend(nodes[node].children.iter().rev());
    }
    if let Some(lost) = runs.iter().position(|run| run.0 == usize::MAX) {
        return Err(ReadError::new(
            Place::Path(format!("nodes[{lost}].children")),
            format!("a circle: node {lost} lies below or on it"),
            "a tree of nodes",
        ));
    }
    for &node in order.iter().rev() {
        if let Some(parent) = parents[node] {
            runs[parent].1 = runs[parent].1.max(runs[node].1);
        }
    }
    Ok((order, runs))
}

/// The transform of a node, checked, and the length that its rotation had.
pub(super) fn local(node: &Node, path: &str) -> Result<(Local, f64), ReadError> {
    let place = |field: &str| Place::Path(format!("{path}.{field}"));
    // Numbers that only double precision can hold would overflow further on.
    let check = |field: &str, values: &[f64]| match values
        .iter()
        .find(|v| v.is_nan() || v.abs() >= f32::MAX as f64)
    {
        Some(bad) => Err(ReadError::new(place(field), format!("the number {bad}"), "finite numbers")),
        None => Ok(()),
    };
    if let Some(matrix) = node.matrix {
        check("matrix", &matrix)?;
        let besides = [
            ("translation", node.translation.is_some_and(|v| v != [0.0; 3])),
            ("rotation", node.rotation.is_some_and(|v| v != [0.0, 0.0, 0.0, 1.0])),
            ("scale", node.scale.is_some_and(|v| v != [1.0; 3])),
        ];
        if let Some((field, _)) = besides.iter().find(|(_, there)| *there) {
            let found = format!("a matrix and a {field}");
            return Err(ReadError::new(Place::Path(path.into()), found, "either of them"));
        }
        let matrix = DMat4::from_cols_array(&matrix);
        let last = matrix.row(3);
        if !last.abs_diff_eq(glam::DVec4::W, 1.0e-5) {
            let found = format!("a last row of {last}");
            return Err(ReadError::new(place("matrix"), found, "0 0 0 1: a matrix without projection"));
        }
        return Ok((Local::Matrix(DAffine3::from_mat4(matrix)), 1.0));
    }
    let translation = node.translation.unwrap_or([0.0; 3]);
    let rotation = node.rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]);
    let scale = node.scale.unwrap_or([1.0; 3]);
    check("translation", &translation)?;
    check("rotation", &rotation)?;
    check("scale", &scale)?;
    let rotation = DQuat::from_array(rotation);
    let length = rotation.length();
    if length < 1.0e-6 {
        let found = format!("{:?}, of length zero", rotation.to_array());
        return Err(ReadError::new(place("rotation"), found, "a unit quaternion"));
    }
    let rotation = rotation.normalize();
    let parts = Parts { translation: translation.into(), rotation, scale: scale.into() };
    Ok((Local::Parts(parts), length))
}

/// A place and a turn, without the scale and shear that the file may have:
/// the rotation nearest to the matrix (its polar factor).
///
/// A mirroring matrix has no rotation near it; it is taken as a mirroring of
/// the node's own x axis under a rotation, which turns as rigidly as the
/// original does. `None` where the matrix is flat.
pub(super) fn nearest_rotation(matrix: DMat3) -> Option<DQuat> {
    let size = matrix.x_axis.length().max(matrix.y_axis.length()).max(matrix.z_axis.length());
    if !(size > 1.0e-30 && size.is_finite()) {
        return None;
    }
    let mut m = matrix * (1.0 / size);
    if m.determinant() < 0.0 {
        m.x_axis = -m.x_axis;
    }
    // Most nodes are not scaled, or evenly, and have their rotation at once.
    let (a, b, c) = (m.x_axis, m.y_axis, m.z_axis);
    let lengths = DVec3::new(a.length_squared(), b.length_squared(), c.length_squared());
    let across = DVec3::new(a.dot(b), b.dot(c), c.dot(a));
    if across.abs().max_element() < 1.0e-14 && (lengths - lengths.x).abs().max_element() < 1.0e-14 {
        return Some(DQuat::from_mat3(&(m * (1.0 / lengths.x.sqrt()))).normalize());
    }
    // Newton's iteration for the polar factor (Higham 1986): quadratic from
    // anywhere that is not flat, and one step for what is nearly a rotation.
    for _ in 0..60 {
        let determinant = m.determinant();
        if determinant < 1.0e-12 {
            return None;
        }
        let next = (m + m.inverse().transpose()) * 0.5;
        let change = next - m;
        m = next;
        if change.to_cols_array().iter().all(|c| c.abs() < 1.0e-14) {
            break;
        }
    }
    let q = DQuat::from_mat3(&m).normalize();
    q.is_finite().then_some(q)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forest(nodes: &str) -> Result<(Forest, Vec<Note>), ReadError> {
        let json = format!(r#"{{"asset":{{"version":"2.0"}},"nodes":{nodes}}}"#);
        let document = super::super::document::parse(json.as_bytes())?;
        let mut notes = Vec::new();
        Ok((Forest::new(&document, &mut notes)?, notes))
    }

    fn refused(nodes: &str, path: &str) {
        let error = forest(nodes).unwrap_err();
        assert_eq!(error.place, Place::Path(path.into()), "{nodes}: {error}");
    }

    #[test]
    fn what_is_not_a_forest_is_refused_with_its_place() {
        refused(r#"[{"children":[7]}]"#, "nodes[0].children[0]");
        refused(r#"[{"children":[0]}]"#, "nodes[0].children[0]");
        refused(r#"[{"children":[1]},{"children":[0]}]"#, "nodes[0].children");
        refused(r#"[{},{"children":[2]},{"children":[1]}]"#, "nodes[1].children");
        refused(r#"[{"children":[2]},{"children":[2]},{}]"#, "nodes[1].children[0]");
        refused(r#"[{"children":[1,1]},{}]"#, "nodes[0].children[1]");
    }

    #[test]
    fn bad_transforms_are_refused_with_their_place() {
        refused(r#"[{"translation":[1e300,0,0]}]"#, "nodes[0].translation");
        refused(r#"[{},{"rotation":[0,0,0,0]}]"#, "nodes[1].rotation");
        refused(r#"[{"matrix":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,2]}]"#, "nodes[0].matrix");
        refused(r#"[{"matrix":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],"scale":[2,1,1]}]"#, "nodes[0]");
        let (forest, notes) = forest(r#"[{"rotation":[1,1,1,1]}]"#).unwrap();
        assert!(notes[0].0.contains("nodes[0].rotation"));
        assert_eq!(forest.locals[0].parts().unwrap().rotation, DQuat::from_xyzw(0.5, 0.5, 0.5, 0.5));
    }

    #[test]
    fn runs_hold_what_is_below() {
        let (forest, _) =
            forest(r#"[{},{"children":[4,0]},{"children":[3]},{},{"children":[5]},{}]"#).unwrap();
        assert_eq!(forest.below(1), [1, 4, 5, 0]);
        assert!(forest.is_above(4, 5) && !forest.is_above(4, 0) && forest.is_above(2, 2));
        assert_eq!(forest.top(5), 1);
    }

    #[test]
    fn a_long_chain_does_not_overflow_the_stack() {
        let count = 60_000;
        let mut nodes: Vec<String> = (1..count).map(|i| format!(r#"{{"children":[{i}]}}"#)).collect();
        nodes.push("{}".into());
        let (forest, _) = forest(&format!("[{}]", nodes.join(","))).unwrap();
        assert_eq!(forest.below(0).len(), count);
    }

    #[test]
    fn the_nearest_rotation_ignores_scale_and_mirroring() {
        let turn = DQuat::from_scaled_axis(DVec3::new(0.4, -1.1, 0.7));
        let r = DMat3::from_quat(turn);
        let close = |m: DMat3, what| {
            let q = nearest_rotation(m).unwrap();
            assert!(q.dot(turn).abs() > 1.0 - 1e-12, "{what}: {q}");
        };
        close(r * 0.01, "uniform");
        close(r * DMat3::from_diagonal(DVec3::new(2.0, 0.1, 30.0)), "along the axes");
        close(r * DMat3::from_diagonal(DVec3::new(-1.0, 1.0, 1.0)), "mirrored");
        assert_eq!(nearest_rotation(DMat3::ZERO), None);
        assert_eq!(nearest_rotation(DMat3::from_diagonal(DVec3::new(1.0, 1.0, 0.0))), None);
    }

    #[test]
    fn a_matrix_comes_apart_unless_it_has_shear() {
        let parts = Parts {
            translation: DVec3::new(1.0, 2.0, 3.0),
            rotation: DQuat::from_rotation_x(0.4),
            scale: DVec3::new(1.0, 2.0, 0.5),
        };
        let again = Local::Matrix(parts.affine()).parts().unwrap();
        assert!(again.affine().abs_diff_eq(parts.affine(), 1e-12));
        let shear = DMat3::from_cols(DVec3::X, DVec3::new(0.5, 1.0, 0.0), DVec3::Z);
        assert_eq!(Local::Matrix(DAffine3::from_mat3(shear)).parts(), None);
    }
}
