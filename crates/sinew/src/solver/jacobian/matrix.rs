//! The matrix itself.

use alloc::vec::Vec;

use super::super::active_set::{ActiveSet, Coordinate};
use super::super::articulation::Articulation;
use super::super::goal_rows::RowKinds;
use super::super::place::Place;
use crate::error::RigError;
use crate::goal::GoalSet;
use crate::math::*;
use crate::pose::Pose;
use crate::skeleton::{JointId, Skeleton};

/// How the goals' errors change with the joints' coordinates.
///
/// A column belongs to one degree of freedom of a joint above an effector: the
/// angle of a hinge, the two of a universal joint, turns about a ball's own
/// three axes, the way of a prismatic joint, the shift (in its rest frame) and
/// the turns of a free one. A goal has three rows for a position and three for
/// an orientation or an aim, with its weights. A step `δ` lessens the
/// [`error`](Self::error) by about `J δ`.
///
/// ```
/// use sinew::solver::jacobian::Jacobian;
/// use sinew::{Goal, GoalSet, Pose, Vec3};
/// let skeleton = sinew::rigs::chain(2, 1.0);
/// let goals = GoalSet::from_iter([Goal::position(skeleton.find("tip").unwrap(), Vec3::X)]);
/// let mut jacobian = Jacobian::new(&skeleton, &goals)?;
/// jacobian.update(&goals, &Pose::rest(&skeleton));
/// // The tip is a metre above the root; turning the root about z moves it along −x.
/// assert_eq!((jacobian.rows(), jacobian.get(0, 2)), (3, -1.0));
/// # Ok::<(), sinew::error::RigError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Jacobian {
    articulation: Articulation,
    place: Place,
    active: ActiveSet,
    kinds: Vec<RowKinds>,
    values: Vec<Real>,
    error: Vec<Real>,
    joints: Vec<(JointId, usize)>,
}

impl Jacobian {
    /// Sizes the matrix for a skeleton and goals.
    pub fn new(skeleton: &Skeleton, goals: &GoalSet) -> Result<Self, RigError> {
        goals.check(skeleton)?;
        let articulation = Articulation::new(skeleton, goals);
        let kinds: Vec<RowKinds> = goals.as_slice().iter().map(RowKinds::of).collect();
        let rows: usize = kinds.iter().map(|k| k.count()).sum();
        let joints = articulation
            .nodes
            .iter()
            .flat_map(|n| (0..n.count).map(move |k| (JointId(n.joint as u32), k)))
            .collect();
        Ok(Self {
            place: Place::new(&articulation),
            active: ActiveSet::new(&articulation),
            values: alloc::vec![0.0; rows * articulation.columns],
            error: alloc::vec![0.0; rows],
            articulation,
            kinds,
            joints,
        })
    }

    /// Computes the matrix and the error at a pose. Goals or a pose of another
    /// problem change nothing.
    pub fn update(&mut self, goals: &GoalSet, pose: &Pose) {
        let enough = self.articulation.nodes.iter().all(|n| n.joint < pose.len());
        if goals.len() != self.kinds.len() || !enough {
            return;
        }
        self.articulation.take_folded(pose);
        self.articulation.read(pose, &mut self.place.motions);
        self.articulation.forward(&self.place.motions, &mut self.place.frames);
        for (i, (goal, rows)) in goals.as_slice().iter().zip(&mut self.place.rows).enumerate() {
            *rows = self.articulation.goal_rows(i, goal, &self.place.frames);
        }
        self.active.linearise(&self.articulation, &self.place);
        let Self { articulation, place, active, kinds, values, error, .. } = self;
        fill(articulation, place, &active.coordinates, kinds, values, error);
    }

    /// Three for each position and each orientation.
    pub fn rows(&self) -> usize {
        self.error.len()
    }

    /// One for each degree of freedom above an effector.
    pub fn columns(&self) -> usize {
        self.articulation.columns
    }

    /// One element.
    pub fn get(&self, row: usize, column: usize) -> Real {
        self.values[row * self.articulation.columns + column]
    }

    /// All elements, row after row.
    pub fn as_slice(&self) -> &[Real] {
        &self.values
    }

    /// What is missing, weighted: towards the target.
    pub fn error(&self) -> &[Real] {
        &self.error
    }

    /// The joint of a column, and which of its degrees of freedom.
    pub fn joint(&self, column: usize) -> (JointId, usize) {
        self.joints[column]
    }

    /// Makes a step of all columns from the pose of the last
    /// [`update`](Self::update). Limits are not looked at.
    pub fn step(&self, step: &[Real], pose: &mut Pose) {
        if step.len() != self.columns() || self.articulation.nodes.iter().any(|n| n.joint >= pose.len()) {
            return;
        }
        for (i, node) in self.articulation.nodes.iter().enumerate() {
            let own = &step[node.first..node.first + node.count];
            let moved = self.articulation.stepped(i, &self.place.motions[i], own);
            pose.rotations[node.joint] = moved.rotation;
            pose.translations[node.joint] = moved.translation;
        }
    }
}

/// Writes the rows of all goals, and their errors, for these columns. Columns
/// that do not move an effector have zeros in its rows.
pub(crate) fn fill(
    articulation: &Articulation,
    place: &Place,
    coordinates: &[Coordinate],
    kinds: &[RowKinds],
    values: &mut [Real],
    error: &mut [Real],
) {
    let columns = articulation.columns;
    let reference = place.reference();
    values.fill(0.0);
    let mut row = 0;
    for (goal, (rows, kinds)) in place.rows.iter().zip(kinds).enumerate() {
        let at = rows.at - reference;
        articulation.each_column(goal, |c, sign| {
            let column = &coordinates[c].column;
            let parts = rows.apply(column.velocity(at), column.angular);
            let mut r = row;
            for (part, on) in parts.iter().zip([kinds.position, kinds.orientation]) {
                if on {
                    for (k, x) in part.to_array().into_iter().enumerate() {
                        values[(r + k) * columns + c] += sign * x;
                    }
                    r += 3;
                }
            }
        });
        for (part, on) in rows.error.iter().zip([kinds.position, kinds.orientation]) {
            if on {
                error[row..row + 3].copy_from_slice(&part.to_array());
                row += 3;
            }
        }
    }
    // What a joint that follows moves, the joint that it follows moves.
    for follow in articulation.follows.iter().rev() {
        let (own, source) = articulation.follow_columns(follow);
        for values in values.chunks_exact_mut(columns) {
            values[source] += follow.multiplier * values[own];
            values[own] = 0.0;
        }
    }
}
