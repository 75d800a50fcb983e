//! One step of damped least squares, with some coordinates held.
//!
//! Both ways below solve the same problem: the step `δ` of all columns that
//! makes `Σ |e − J δ|² + λ Σ δᵢ² / wᵢ` least, where `wᵢ` is the column's
//! weight (how willing the joint is) and some of the `δᵢ` are given numbers.
//!
//! **One goal**: `J` has three or six rows, so the dual form is small:
//! `(J W Jᵀ + λ) y = e`, then `δ = W Jᵀ y`, as Levenberg and Marquardt's step
//! is usually written for a manipulator.
//!
//! **Several goals on a tree**: the columns of a joint act alike on everything
//! below it, which makes this a quadratic problem on the tree, and Bellman's
//! recursion solves it in one pass up and one pass down, in time linear in the
//! number of joints. On the way up each node carries the least cost of all that
//! hangs below as a quadratic of the node's twist `V` (a 6×6 matrix `P` and a
//! vector `b`, the cost being `½ Vᵀ P V − bᵀ V`); eliminating a column `s` with
//! damping `λ/w` is
//!
//! ```text
//! U = P s,  d = sᵀ U + λ/w,  P ← P − U Uᵀ / d,  b ← b − U (sᵀ b) / d
//! ```
//!
//! and on the way down `δ = (sᵀ b − Uᵀ V) / d`, `V ← V + s δ`. This is the
//! articulated-body recursion of dynamics (Featherstone 1983) with the goals'
//! weights in the place of inertia. A column that is held at `c` only shifts:
//! `b ← b − U c`.
//!
//! A posture can draw the coordinates as well ([`Draw`]): one more quadratic term
//! for each, which both ways take in without more work.
//!
//! Twists are taken about a reference near the skeleton, so that a character a
//! kilometre away from the origin loses no digits.

use alloc::vec::Vec;

use super::active_set::Coordinate;
use super::articulation::{Articulation, Column, NO_NODE};
use super::goal_rows::{GoalRows, RowKinds};
use crate::linalg;
use crate::math::*;

/// What draws the coordinates besides the goals: each costs `weight` times its
/// burden times its squared distance from `toward` (a step, in the columns as
/// they are taken). It adds to the damping and to the right side.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Draw<'a> {
    pub toward: &'a [Real],
    pub burdens: &'a [Real],
    pub weight: Real,
}

impl Draw<'_> {
    pub const NONE: Self = Draw { toward: &[], burdens: &[], weight: 0.0 };

    /// Where a coordinate is drawn, and how strongly.
    #[inline]
    fn on(&self, coordinate: usize) -> (Real, Real) {
        match (self.toward.get(coordinate), self.burdens.get(coordinate)) {
            (Some(toward), Some(burden)) => (*toward, self.weight * burden),
            _ => (0.0, 0.0),
        }
    }
}

/// A twist, or what is dual to it: angular part first.
type Six = [Real; 6];

/// The scratch of a step and its result.
#[derive(Debug, Clone)]
pub(crate) struct StepSolver {
    /// The step of every column.
    pub step: Vec<Real>,
    /// What still pulls at a held column after the step; meaningless elsewhere.
    pub pull: Vec<Real>,
    method: Method,
}

#[derive(Debug, Clone)]
enum Method {
    Dual { columns: Vec<Six>, kinds: RowKinds },
    Tree(Tree),
}

/// The storage of the recursion.
#[derive(Debug, Clone)]
struct Tree {
    nodes: Vec<TreeNode>,
    /// The goals' parts of `P` and `b`, for nodes that carry goals or branch.
    loads: Vec<Quadratic>,
    /// The same with what came up from below.
    sums: Vec<Quadratic>,
    eliminated: Vec<Eliminated>,
    twists: Vec<Six>,
    /// `b` of the slots and the drives of the columns, while a force is answered.
    answers: Vec<Six>,
    drives: Vec<Real>,
    /// The slot of each site's node.
    site_slots: Vec<u32>,
}

#[derive(Debug, Clone, Copy)]
struct TreeNode {
    parent: u32,
    first: usize,
    end: usize,
    /// Where the node's own sum is kept, if it carries goals or branches.
    slot: u32,
    /// Where to leave the cost of what is below; [`CARRY`] for the node before.
    leave: u32,
}

const CARRY: u32 = u32::MAX;
const NO_SLOT: u32 = u32::MAX;

/// `½ Vᵀ P V − bᵀ V`.
#[derive(Debug, Clone, Copy)]
struct Quadratic {
    p: [Six; 6],
    b: Six,
}

impl Quadratic {
    const ZERO: Self = Self { p: [[0.0; 6]; 6], b: [0.0; 6] };

    #[inline]
    fn add(&mut self, other: &Self) {
        for i in 0..6 {
            for j in 0..6 {
                self.p[i][j] += other.p[i][j];
            }
            self.b[i] += other.b[i];
        }
    }
}

#[derive(Debug, Clone, Copy)]
struct Eliminated {
    /// `P s`.
    u: Six,
    /// `sᵀ b`, and what draws it elsewhere.
    drive: Real,
    /// `1 / d`.
    inverse: Real,
}

impl StepSolver {
    /// With `coupled` for problems that have rows over several nodes (`solver/coupling.rs`),
    /// whatever the number of goals.
    pub(crate) fn new(articulation: &Articulation, kinds: &[RowKinds], coupled: bool) -> Self {
        let n = articulation.columns;
        let method = match kinds {
            [one] if !coupled => Method::Dual { columns: alloc::vec![[0.0; 6]; n], kinds: *one },
            _ => Method::Tree(Tree::new(articulation)),
        };
        Self { step: alloc::vec![0.0; n], pull: alloc::vec![0.0; n], method }
    }

    /// Takes in the goals at a new pose.
    pub(crate) fn load(&mut self, rows: &[GoalRows], reference: Vec3) {
        if let Method::Tree(tree) = &mut self.method {
            tree.load(rows, reference);
        }
    }

    /// Computes the step.
    #[inline]
    pub(crate) fn solve(
        &mut self,
        coordinates: &[Coordinate],
        rows: &[GoalRows],
        reference: Vec3,
        damping: Real,
        draw: Draw,
    ) {
        let Self { step, pull, method } = self;
        match method {
            Method::Dual { columns, kinds } => {
                let Some(rows) = rows.first() else { return };
                match (kinds.position, kinds.orientation) {
                    (true, true) => {
                        dual(coordinates, columns, rows, reference, damping, draw, step, pull, |v, w| {
                            let [a, b] = rows.apply(v, w);
                            [a.x, a.y, a.z, b.x, b.y, b.z]
                        })
                    }
                    (true, false) => {
                        dual(coordinates, columns, rows, reference, damping, draw, step, pull, |v, _| {
                            let a = rows.position * v;
                            [a.x, a.y, a.z]
                        })
                    }
                    _ => dual(coordinates, columns, rows, reference, damping, draw, step, pull, |v, w| {
                        let [_, b] = rows.apply(v, w);
                        [b.x, b.y, b.z]
                    }),
                }
            }
            Method::Tree(tree) => tree.solve(coordinates, damping, draw, step, pull),
        }
    }

    /// How the last step moves the point of a node's body at `at`, relative to the reference of twists.
    #[inline]
    pub(crate) fn velocity(&self, node: u32, at: Vec3) -> Vec3 {
        match &self.method {
            Method::Tree(tree) => tree
                .twists
                .get(node as usize)
                .map_or(Vec3::ZERO, |v| Vec3::new(v[3], v[4], v[5]) + Vec3::new(v[0], v[1], v[2]).cross(at)),
            Method::Dual { .. } => Vec3::ZERO,
        }
    }

    /// What a force along each column adds to the last step, and to what pulls at held columns.
    pub(crate) fn respond(
        &mut self,
        coordinates: &[Coordinate],
        force: &[Real],
        step: &mut [Real],
        pull: &mut [Real],
    ) {
        match &mut self.method {
            Method::Dual { .. } => {
                step.fill(0.0);
                pull.fill(0.0);
            }
            Method::Tree(tree) => tree.respond(coordinates, force, step, pull),
        }
    }
}

/// The step for one goal; `project` gives the goal's rows applied to a velocity
/// and an angular velocity of the effector.
#[allow(clippy::too_many_arguments)] // parts of one struct, borrowed apart
#[inline]
fn dual<const M: usize>(
    coordinates: &[Coordinate],
    columns: &mut [Six],
    rows: &GoalRows,
    reference: Vec3,
    damping: Real,
    draw: Draw,
    step: &mut [Real],
    pull: &mut [Real],
    project: impl Fn(Vec3, Vec3) -> [Real; M],
) {
    let at = rows.at - reference;
    let mut matrix = [[0.0; M]; M];
    let mut error = [0.0; M];
    let all = [
        rows.error[0].x,
        rows.error[0].y,
        rows.error[0].z,
        rows.error[1].x,
        rows.error[1].y,
        rows.error[1].z,
    ];
    // A goal without a position has only its last three rows.
    let skip = if M == 3 && rows.position == Vec3::ZERO { 3 } else { 0 };
    error.copy_from_slice(&all[skip..skip + M]);
    for i in 0..M {
        matrix[i][i] = damping;
    }
    for (i, (coordinate, kept)) in coordinates.iter().zip(columns.iter_mut()).enumerate() {
        let column = coordinate.column;
        let j = project(column.velocity(at), column.angular);
        kept[..M].copy_from_slice(&j);
        match coordinate.held {
            None => {
                let (willing, drawn) = drawn(coordinate, damping, draw.on(i));
                for r in 0..M {
                    let scaled = j[r] * willing;
                    for c in 0..=r {
                        matrix[r][c] += scaled * j[c];
                    }
                }
                if drawn != 0.0 {
                    for r in 0..M {
                        error[r] -= j[r] * drawn;
                    }
                }
            }
            Some(value) => {
                for r in 0..M {
                    error[r] -= j[r] * value;
                }
            }
        }
    }
    linalg::solve_positive(&mut matrix, &mut error);
    for (i, (coordinate, kept)) in coordinates.iter().zip(columns.iter()).enumerate() {
        let mut along = 0.0;
        for r in 0..M {
            along += kept[r] * error[r];
        }
        match coordinate.held {
            None => {
                let (willing, drawn) = drawn(coordinate, damping, draw.on(i));
                step[i] = along * willing + drawn;
            }
            Some(value) => {
                let (toward, strength) = draw.on(i);
                step[i] = value;
                pull[i] = along * damping + strength * (toward - value);
            }
        }
    }
}

/// A coordinate that is drawn somewhere, as one that is not: how willing it is
/// then, and the step that it makes by itself.
#[inline]
fn drawn(coordinate: &Coordinate, damping: Real, (toward, strength): (Real, Real)) -> (Real, Real) {
    if strength == 0.0 {
        return (coordinate.weight, 0.0);
    }
    let inverse = 1.0 / (damping / coordinate.weight + strength);
    (damping * inverse, strength * toward * inverse)
}

impl Tree {
    fn new(articulation: &Articulation) -> Self {
        let nodes = &articulation.nodes;
        let mut slots = alloc::vec![NO_SLOT; nodes.len()];
        let mut count = 0;
        let mut need = |slot: &mut u32| {
            if *slot == NO_SLOT {
                *slot = count;
                count += 1;
            }
        };
        for site in &articulation.sites {
            if let Some(slot) = slots.get_mut(site.node as usize) {
                need(slot);
            }
        }
        // Depth-first order: a child that does not follow its parent directly
        // hangs on a branch.
        for (i, node) in nodes.iter().enumerate() {
            if node.parent != NO_NODE && node.parent as usize + 1 != i {
                need(&mut slots[node.parent as usize]);
            }
        }
        let tree_nodes = nodes
            .iter()
            .enumerate()
            .map(|(i, node)| TreeNode {
                parent: node.parent,
                first: node.first,
                end: node.first + node.count,
                slot: slots[i],
                leave: if node.parent == NO_NODE || node.parent as usize + 1 == i {
                    CARRY
                } else {
                    slots[node.parent as usize]
                },
            })
            .collect();
        Self {
            nodes: tree_nodes,
            loads: alloc::vec![Quadratic::ZERO; count as usize],
            sums: alloc::vec![Quadratic::ZERO; count as usize],
            eliminated: alloc::vec![
                Eliminated { u: [0.0; 6], drive: 0.0, inverse: 0.0 };
                articulation.columns
            ],
            twists: alloc::vec![[0.0; 6]; nodes.len()],
            answers: alloc::vec![[0.0; 6]; count as usize],
            drives: alloc::vec![0.0; articulation.columns],
            site_slots: articulation
                .sites
                .iter()
                .map(|site| slots.get(site.node as usize).copied().unwrap_or(NO_SLOT))
                .collect(),
        }
    }

    fn load(&mut self, rows: &[GoalRows], reference: Vec3) {
        self.loads.fill(Quadratic::ZERO);
        // A goal relative to another joint hangs on two nodes, and is coupled.
        for (rows, &slot) in rows.iter().zip(&self.site_slots).filter(|(rows, _)| rows.view.is_none()) {
            let Some(load) = self.loads.get_mut(slot as usize) else { continue };
            let at = rows.at - reference;
            // The rows as functions of the twist about the reference, one
            // column of the twist at a time.
            let mut lines = [[0.0; 6]; 6];
            for k in 0..6 {
                let mut unit = [0.0; 6];
                unit[k] = 1.0;
                let angular = Vec3::new(unit[0], unit[1], unit[2]);
                let linear = Vec3::new(unit[3], unit[4], unit[5]);
                let [a, b] = rows.apply(linear + angular.cross(at), angular);
                let column = [a.x, a.y, a.z, b.x, b.y, b.z];
                for r in 0..6 {
                    lines[r][k] = column[r];
                }
            }
            let error = [
                rows.error[0].x,
                rows.error[0].y,
                rows.error[0].z,
                rows.error[1].x,
                rows.error[1].y,
                rows.error[1].z,
            ];
            for r in 0..6 {
                let line = lines[r];
                for i in 0..6 {
                    for j in 0..6 {
                        load.p[i][j] += line[i] * line[j];
                    }
                    load.b[i] += line[i] * error[r];
                }
            }
        }
    }

    fn solve(
        &mut self,
        coordinates: &[Coordinate],
        damping: Real,
        draw: Draw,
        step: &mut [Real],
        pull: &mut [Real],
    ) {
        self.sums.copy_from_slice(&self.loads);
        let mut carried = Quadratic::ZERO;
        for node in self.nodes.iter().rev() {
            if let Some(sum) = self.sums.get(node.slot as usize) {
                carried.add(sum);
            }
            for c in (node.first..node.end).rev() {
                let coordinate = &coordinates[c];
                let s = six(coordinate.column);
                let u = multiply(&carried.p, &s);
                let (toward, strength) = draw.on(c);
                let drive = dot(&s, &carried.b) + strength * toward;
                let mut inverse = 0.0;
                match coordinate.held {
                    None => {
                        let own = damping / coordinate.weight + strength;
                        // Rounding may push sᵀPs below zero where nothing is
                        // left to gain; the damping keeps the quotient sane.
                        inverse = 1.0 / (dot(&s, &u).max(0.0) + own);
                        let share = drive * inverse;
                        for i in 0..6 {
                            let scaled = u[i] * inverse;
                            for j in 0..6 {
                                carried.p[i][j] -= scaled * u[j];
                            }
                            carried.b[i] -= u[i] * share;
                        }
                    }
                    Some(value) => {
                        for i in 0..6 {
                            carried.b[i] -= u[i] * value;
                        }
                    }
                }
                self.eliminated[c] = Eliminated { u, drive, inverse };
            }
            if node.leave != CARRY {
                self.sums[node.leave as usize].add(&carried);
                carried = Quadratic::ZERO;
            } else if node.parent == NO_NODE {
                carried = Quadratic::ZERO;
            }
        }
        for i in 0..self.nodes.len() {
            let node = self.nodes[i];
            let mut twist = self.twists.get(node.parent as usize).copied().unwrap_or([0.0; 6]);
            for c in node.first..node.end {
                let coordinate = &coordinates[c];
                let gone = &self.eliminated[c];
                let moved = match coordinate.held {
                    None => (gone.drive - dot(&gone.u, &twist)) * gone.inverse,
                    Some(value) => value,
                };
                let s = six(coordinate.column);
                for k in 0..6 {
                    twist[k] += s[k] * moved;
                }
                step[c] = moved;
                if coordinate.held.is_some() {
                    // The later columns of the same node are not in it yet;
                    // for a node that is held they are held as well.
                    pull[c] = gone.drive - dot(&gone.u, &twist) - draw.on(c).1 * moved;
                }
            }
            self.twists[i] = twist;
        }
    }

    /// The same recursion for other drives, with the matrices of the last
    /// [`solve`](Self::solve): held columns stay.
    fn respond(&mut self, coordinates: &[Coordinate], force: &[Real], step: &mut [Real], pull: &mut [Real]) {
        self.answers.fill([0.0; 6]);
        let mut carried = [0.0; 6];
        for node in self.nodes.iter().rev() {
            if let Some(sum) = self.answers.get(node.slot as usize) {
                for k in 0..6 {
                    carried[k] += sum[k];
                }
            }
            for c in (node.first..node.end).rev() {
                let gone = &self.eliminated[c];
                let drive = dot(&six(coordinates[c].column), &carried) + force[c];
                self.drives[c] = drive;
                // Zero for a held column.
                let share = drive * gone.inverse;
                for k in 0..6 {
                    carried[k] -= gone.u[k] * share;
                }
            }
            if node.leave != CARRY {
                let sum = &mut self.answers[node.leave as usize];
                for k in 0..6 {
                    sum[k] += carried[k];
                }
                carried = [0.0; 6];
            } else if node.parent == NO_NODE {
                carried = [0.0; 6];
            }
        }
        for i in 0..self.nodes.len() {
            let node = self.nodes[i];
            let mut twist = self.twists.get(node.parent as usize).copied().unwrap_or([0.0; 6]);
            for c in node.first..node.end {
                let gone = &self.eliminated[c];
                let left = self.drives[c] - dot(&gone.u, &twist);
                let moved = left * gone.inverse;
                step[c] = moved;
                pull[c] = left;
                if moved != 0.0 {
                    let s = six(coordinates[c].column);
                    for k in 0..6 {
                        twist[k] += s[k] * moved;
                    }
                }
            }
            self.twists[i] = twist;
        }
    }
}

#[inline]
fn six(column: Column) -> Six {
    let (a, l) = (column.angular, column.linear);
    [a.x, a.y, a.z, l.x, l.y, l.z]
}

#[inline]
fn dot(a: &Six, b: &Six) -> Real {
    let mut sum = 0.0;
    for i in 0..6 {
        sum += a[i] * b[i];
    }
    sum
}

#[inline]
fn multiply(p: &[Six; 6], s: &Six) -> Six {
    // By columns, which for a symmetric matrix are its rows: sums of scaled
    // rows vectorise, dot products do not.
    let mut out = [0.0; 6];
    for i in 0..6 {
        for j in 0..6 {
            out[j] += p[i][j] * s[i];
        }
    }
    out
}
