//! Forward kinematics of a task's model, for making tasks and for judging answers.
//!
//! It shares nothing with the engine: matrices instead of quaternions, the file's own tree instead
//! of a skeleton. A fault in the engine's kinematics cannot hide in the score.

use std::collections::HashMap;

use anyhow::{Context, Result, bail, ensure};

use super::format::{JointFile, ModelFile};

/// Three rows of three.
pub(super) type Matrix = [[f64; 3]; 3];

const IDENTITY: Matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// A frame: how it is turned, and where it stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Frame {
    pub turn: Matrix,
    pub at: [f64; 3],
}

impl Frame {
    const IDENTITY: Self = Self { turn: IDENTITY, at: [0.0; 3] };

    /// The frame that a row of position and quaternion (x y z w) says.
    pub(super) fn of_row(row: &[f64]) -> Result<Self> {
        ensure!(row.len() == 7, "expected 7 numbers for a pose, found {}", row.len());
        Ok(Self { turn: of_quaternion(&row[3..])?, at: [row[0], row[1], row[2]] })
    }

    /// Position, then quaternion x y z w.
    pub(super) fn row(&self) -> [f64; 7] {
        let [x, y, z, w] = quaternion(&self.turn);
        [self.at[0], self.at[1], self.at[2], x, y, z, w]
    }

    fn then(&self, next: &Self) -> Self {
        let carried = apply(&self.turn, next.at);
        Self { turn: product(&self.turn, &next.turn), at: add(self.at, carried) }
    }

    /// Metres and radians to another frame.
    pub(super) fn apart(&self, other: &Self) -> (f64, f64) {
        let distance = length(add(self.at, other.at.map(|x| -x)));
        let turn = product(&transposed(&other.turn), &self.turn);
        let skew = [turn[2][1] - turn[1][2], turn[0][2] - turn[2][0], turn[1][0] - turn[0][1]];
        let trace = turn[0][0] + turn[1][1] + turn[2][2];
        (distance, (0.5 * length(skew)).atan2(0.5 * (trace - 1.0)))
    }
}

/// What a joint of the file can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Motion {
    Fixed,
    Revolute,
    Prismatic,
    Ball,
    Free,
}

impl Motion {
    /// How many numbers the file has for it.
    pub(super) fn width(self) -> usize {
        match self {
            Self::Fixed => 0,
            Self::Revolute | Self::Prismatic => 1,
            Self::Ball => 4,
            Self::Free => 7,
        }
    }
}

/// One joint of the tree.
pub(super) struct Node {
    pub motion: Motion,
    pub limit: Option<[f64; 2]>,
    /// Where its numbers begin.
    pub first: usize,
    parent: usize,
    rest: Frame,
    axis: [f64; 3],
}

/// The tree of a model, parents first.
pub(super) struct Tree {
    pub nodes: Vec<Node>,
    /// The frame's place of every link; 0 is the base.
    links: HashMap<String, usize>,
    /// How many numbers a pose has.
    pub width: usize,
}

impl Tree {
    pub(super) fn new(model: &ModelFile) -> Result<Self> {
        let mut links = HashMap::from([(model.base.clone(), 0)]);
        let (mut nodes, mut width) = (Vec::new(), 0);
        for joint in &model.joints {
            let node = Node::new(joint, &links, width)?;
            width += node.motion.width();
            nodes.push(node);
            links.insert(joint.child.clone(), nodes.len());
        }
        Ok(Self { nodes, links, width })
    }

    /// The place of a link among the frames.
    pub(super) fn link(&self, name: &str) -> Result<usize> {
        self.links.get(name).copied().with_context(|| format!("no link '{name}'"))
    }

    /// Where every link is: the base, then the child of every joint.
    pub(super) fn frames(&self, coordinates: &[f64]) -> Result<Vec<Frame>> {
        ensure!(
            coordinates.len() == self.width,
            "expected {} numbers for a pose, found {}",
            self.width,
            coordinates.len()
        );
        let mut frames = vec![Frame::IDENTITY];
        for node in &self.nodes {
            let own = &coordinates[node.first..node.first + node.motion.width()];
            let moved = match node.motion {
                Motion::Fixed => Frame::IDENTITY,
                Motion::Revolute => Frame { turn: about(node.axis, own[0]), at: [0.0; 3] },
                Motion::Prismatic => Frame { turn: IDENTITY, at: node.axis.map(|x| x * own[0]) },
                Motion::Ball => Frame { turn: of_quaternion(own)?, at: [0.0; 3] },
                Motion::Free => Frame::of_row(own)?,
            };
            let placed = frames[node.parent].then(&node.rest).then(&moved);
            frames.push(placed);
        }
        Ok(frames)
    }
}

impl Node {
    fn new(joint: &JointFile, links: &HashMap<String, usize>, first: usize) -> Result<Self> {
        let motion = match joint.kind.as_str() {
            "fixed" => Motion::Fixed,
            "revolute" => Motion::Revolute,
            "prismatic" => Motion::Prismatic,
            "ball" => Motion::Ball,
            "free" => Motion::Free,
            other => bail!("joint '{}': unknown type '{other}'", joint.name),
        };
        let axis = joint.axis.unwrap_or([0.0, 0.0, 1.0]);
        let size = length(axis);
        ensure!(size > 0.0, "joint '{}': axis has no direction", joint.name);
        let parent = links.get(&joint.parent).copied();
        Ok(Self {
            motion,
            limit: joint.limit,
            first,
            parent: parent.with_context(|| format!("joint '{}': no link '{}'", joint.name, joint.parent))?,
            rest: Frame { turn: of_quaternion(&joint.origin.q)?, at: joint.origin.p },
            axis: axis.map(|x| x / size),
        })
    }
}

pub(super) fn add(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub(super) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn length(a: [f64; 3]) -> f64 {
    dot(a, a).sqrt()
}

fn apply(m: &Matrix, v: [f64; 3]) -> [f64; 3] {
    m.map(|row| dot(row, v))
}

fn transposed(m: &Matrix) -> Matrix {
    [0, 1, 2].map(|i| [0, 1, 2].map(|j| m[j][i]))
}

pub(super) fn product(a: &Matrix, b: &Matrix) -> Matrix {
    let columns = transposed(b);
    a.map(|row| columns.map(|column| dot(row, column)))
}

/// The rotation about a unit axis (Rodrigues).
pub(super) fn about([x, y, z]: [f64; 3], angle: f64) -> Matrix {
    let (s, c) = angle.sin_cos();
    let k = 1.0 - c;
    [
        [c + x * x * k, x * y * k - z * s, x * z * k + y * s],
        [y * x * k + z * s, c + y * y * k, y * z * k - x * s],
        [z * x * k - y * s, z * y * k + x * s, c + z * z * k],
    ]
}

/// The rotation of a quaternion x y z w of any length but zero.
pub(super) fn of_quaternion(q: &[f64]) -> Result<Matrix> {
    let [x, y, z, w] = q else { bail!("expected 4 numbers for a quaternion, found {}", q.len()) };
    let n = x * x + y * y + z * z + w * w;
    ensure!(n.is_finite() && n > 0.0, "a quaternion is zero or not finite");
    let s = 2.0 / n;
    Ok([
        [1.0 - s * (y * y + z * z), s * (x * y - z * w), s * (x * z + y * w)],
        [s * (x * y + z * w), 1.0 - s * (x * x + z * z), s * (y * z - x * w)],
        [s * (x * z - y * w), s * (y * z + x * w), 1.0 - s * (x * x + y * y)],
    ])
}

/// The quaternion x y z w of a rotation, by its largest part.
pub(super) fn quaternion(m: &Matrix) -> [f64; 4] {
    let trace = m[0][0] + m[1][1] + m[2][2];
    let q = if trace > 0.0 {
        let s = 2.0 * (trace + 1.0).sqrt();
        [(m[2][1] - m[1][2]) / s, (m[0][2] - m[2][0]) / s, (m[1][0] - m[0][1]) / s, 0.25 * s]
    } else {
        let i = (0..3).max_by(|&a, &b| m[a][a].total_cmp(&m[b][b])).unwrap_or(0);
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        let s = 2.0 * (1.0 + m[i][i] - m[j][j] - m[k][k]).max(0.0).sqrt();
        let mut q = [0.0; 4];
        q[i] = 0.25 * s;
        q[j] = (m[j][i] + m[i][j]) / s;
        q[k] = (m[k][i] + m[i][k]) / s;
        q[3] = (m[k][j] - m[j][k]) / s;
        q
    };
    let n = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    q.map(|x| x / n)
}

/// Turns about x, y and z of the frame before, in this order: roll, pitch and yaw of URDF.
pub(super) fn of_angles([roll, pitch, yaw]: [f64; 3]) -> Matrix {
    let (x, y, z) =
        (about([1.0, 0.0, 0.0], roll), about([0.0, 1.0, 0.0], pitch), about([0.0, 0.0, 1.0], yaw));
    product(&z, &product(&y, &x))
}
