//! The half and the full Jacobian of Meredith & Maddock 2004.
//!
//! One chain at a time, by the pseudo-inverse, with the inverse of the small
//! square matrix `J Jᵀ` written out: in closed form for three rows (the *half*
//! Jacobian, a position), by LU decomposition for six (the *full* one, position
//! and orientation). An iteration is the seven steps of their algorithm:
//!
//! 1. `dX`, what is missing;
//! 2. `J` by cross products with the joints' axes (eq. 1.12-1.14);
//! 3. `J⁺ = Jᵀ (J Jᵀ)⁻¹` (eq. 1.6);
//! 4. the error of the pseudo-inverse, `|(I − J J⁺) dX|` (eq. 1.7);
//! 5. while that is too large, halve `dX`, at most 20 times;
//! 6. step by `J⁺ dX`, cropped at the limits;
//! 7. forward kinematics: near enough, or again, at most 200 times. The best
//!    pose seen is returned.
//!
//! Weights per bone are the joints' stiffness, which scales the columns.
//!
//! # The penultimate link
//! Where the last joint has all its freedom (a ball without a limit), a pose
//! needs no full Jacobian: the wanted orientation says where that joint has to
//! be, the half Jacobian brings it there, and then it is turned as wanted.
//! [`JacobianSize::Hybrid`] does so where it can, takes the full Jacobian for
//! other poses and the half one for everything of three rows, as their walker
//! does for leading and trailing feet.
//!
//! # Degenerate cases
//! On a straight or folded chain, and always with fewer freedoms than rows,
//! `J Jᵀ` is singular. There the paper relies on its error test; but what a
//! singular matrix cannot give no halving brings near, and the solver would
//! stand still. So a singular matrix gets a little on its diagonal and goes
//! without the test. Near such a place the exact inverse gives steps that are
//! far too long: no joint turns more than [`HalfOptions::step`] in one
//! iteration, and less after iterations that did not pay. A step to which the
//! matrix is blind (a target along a straight chain) stays zero, and the solver
//! stalls.
//!
//! Several goals are several chains, solved one after another in each
//! iteration.

use alloc::vec::Vec;

use super::super::articulation::{Articulation, Bound, Column, MAX_COLUMNS, Motion, NO_NODE};
use super::super::driver::{Method, Progress, Request};
use super::super::frame::{Abilities, SolveFrame, Stop};
use super::super::goal_rows::RowKinds;
use super::super::place::Place;
use crate::error::RigError;
use crate::goal::{Goal, GoalSet, Target};
use crate::linalg::{inverse, inverse3};
use crate::math::*;
use crate::pose::Pose;
use crate::report::Tolerance;
use crate::skeleton::{JointKind, Skeleton};

/// How many rows the Jacobian has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum JacobianSize {
    /// Three, always; a pose is refused unless the last joint has all its freedom.
    Half,
    /// Six for a pose, always.
    Full,
    /// Three where that is enough, six elsewhere.
    #[default]
    Hybrid,
}

/// How the solver of Meredith & Maddock works.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct HalfOptions {
    /// Half, full, or each where it fits.
    pub size: JacobianSize,
    /// Near enough.
    pub tolerance: Tolerance,
    /// The most outer loops; 200 in the paper.
    pub iterations: u32,
    /// The most halvings of `dX` in one of them; 20 in the paper.
    pub halvings: u32,
    /// The largest error of the pseudo-inverse that is let pass, in metres.
    pub inverse_error: Real,
    /// The most that a joint turns in one iteration, in radians.
    pub step: Real,
    /// Which part of the way to the posture one iteration goes, where the goals leave it
    /// free. Nothing without a [`PostureGoal`](crate::goal::PostureGoal).
    pub attraction: Real,
}

crate::report::show_fields!(HalfOptions);

impl Default for HalfOptions {
    fn default() -> Self {
        Self {
            size: JacobianSize::Hybrid,
            tolerance: Tolerance::default(),
            iterations: 200,
            halvings: 20,
            inverse_error: 1.0e-3,
            step: 0.7,
            attraction: 0.2,
        }
    }
}

/// The solver; see the module's docs.
#[derive(Debug, Clone)]
pub(crate) struct HalfJacobian {
    options: HalfOptions,
    frame: SolveFrame,
    articulation: Articulation,
    chains: Vec<Chain>,
    place: Place,
    best: Vec<Motion>,
    posture: Vec<Motion>,
    /// The part of the way to the posture that an iteration goes; zero without one.
    pull: Vec<Real>,
    half: Scratch<3>,
    full: Scratch<6>,
}

/// The way from the root to one effector.
#[derive(Debug, Clone)]
struct Chain {
    /// Its nodes, the effector's first.
    nodes: Vec<u32>,
    rows: ChainRows,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum ChainRows {
    Position,
    Orientation,
    Pose,
    /// The position of the last node, whose orientation is then set. The
    /// transform is from the effector's frame to the node's.
    Penultimate {
        node: u32,
        offset: Transform,
    },
}

#[derive(Debug, Clone)]
struct Scratch<const M: usize> {
    columns: Vec<[Real; M]>,
    inverse: Vec<[Real; M]>,
}

impl<const M: usize> Scratch<M> {
    fn new(columns: usize) -> Self {
        Self { columns: alloc::vec![[0.0; M]; columns], inverse: alloc::vec![[0.0; M]; columns] }
    }
}

impl HalfJacobian {
    /// Builds the solver for a skeleton and goals.
    pub(crate) fn new(skeleton: &Skeleton, goals: &GoalSet, options: HalfOptions) -> Result<Self, RigError> {
        let abilities =
            Abilities { name: "the half Jacobian", priorities: false, posture: true, whole_body: false };
        let frame = SolveFrame::new(skeleton, goals, options.tolerance, abilities)?;
        let articulation = Articulation::new(skeleton, goals);
        let chains = goals
            .as_slice()
            .iter()
            .enumerate()
            .map(|(i, goal)| Chain::new(&articulation, i, goal, options.size))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Self {
            options,
            frame,
            place: Place::new(&articulation),
            best: alloc::vec![Motion::REST; articulation.nodes.len()],
            posture: alloc::vec![Motion::REST; articulation.nodes.len()],
            pull: alloc::vec![0.0; articulation.columns],
            half: Scratch::new(articulation.columns),
            full: Scratch::new(articulation.columns),
            articulation,
            chains,
        })
    }

    /// One outer loop: a step of every chain.
    fn sweep(&mut self, skeleton: &Skeleton, caution: Real) {
        for i in 0..self.chains.len() {
            if i > 0 {
                // The chains before have moved what this one may hang on.
                self.place.update(&self.articulation, &self.frame);
            }
            if !self.frame.usable(i) || self.place.each_met[i] {
                continue;
            }
            let Self { options, frame, articulation, chains, place, half, full, pull, .. } = self;
            let chain = &chains[i];
            let goal = frame.goal(i);
            let rows = place.rows[i];
            let largest = options.step * caution;
            let mut at_work = AtWork { skeleton, articulation, place, pull, options, largest };
            // Weights may have been taken off one of the two since it was built.
            let wanted = match (chain.rows, goal.asks()) {
                (ChainRows::Pose, (true, false)) => ChainRows::Position,
                (ChainRows::Pose, (false, true)) => ChainRows::Orientation,
                (rows, _) => rows,
            };
            match wanted {
                ChainRows::Position => {
                    let apply = |v: Vec3, _| (rows.position * v).to_array();
                    chain.step(&mut at_work, half, rows.at, rows.error[0].to_array(), inverse3, apply);
                }
                ChainRows::Orientation => {
                    let apply = |v: Vec3, w: Vec3| rows.apply(v, w)[1].to_array();
                    chain.step(&mut at_work, half, rows.at, rows.error[1].to_array(), inverse3, apply);
                }
                ChainRows::Pose => {
                    let apply = |v: Vec3, w: Vec3| six(rows.apply(v, w));
                    chain.step(&mut at_work, full, rows.at, six(rows.error), inverse, apply);
                }
                ChainRows::Penultimate { node, offset } => {
                    let Target::Pose(wanted) = goal.target else { continue };
                    let wanted = wanted * offset;
                    let at = at_work.place.frames[node as usize].translation;
                    let weight = goal.position_weight;
                    let error = ((wanted.translation - at) * weight).to_array();
                    let apply = |v: Vec3, _| (v * weight).to_array();
                    chain.step(&mut at_work, half, at, error, inverse3, apply);
                    chain.turn_last(articulation, place, node, wanted.rotation);
                }
            }
        }
    }
}

/// What the step of a chain works on: parts of the solver, borrowed apart.
struct AtWork<'a> {
    skeleton: &'a Skeleton,
    articulation: &'a Articulation,
    place: &'a mut Place,
    pull: &'a [Real],
    options: &'a HalfOptions,
    /// The most that a joint turns.
    largest: Real,
}

fn six(parts: [Vec3; 2]) -> [Real; 6] {
    let [a, b] = parts;
    [a.x, a.y, a.z, b.x, b.y, b.z]
}

impl Chain {
    fn new(
        articulation: &Articulation,
        goal_index: usize,
        goal: &Goal,
        size: JacobianSize,
    ) -> Result<Self, RigError> {
        let kinds = RowKinds::of(goal);
        let site = articulation.sites[goal_index];
        let mut nodes = Vec::new();
        let mut node = site.node;
        while node != NO_NODE {
            nodes.push(node);
            node = articulation.nodes[node as usize].parent;
        }
        let last_is_free = articulation
            .nodes
            .get(site.node as usize)
            .is_some_and(|n| n.kind == JointKind::Ball && n.bound == Bound::Free && n.mobility == 1.0);
        let whole = goal.position_axes == Vec3::ONE && goal.orientation_axes == Vec3::ONE;
        let rows = match (kinds.position, kinds.orientation) {
            (true, false) => {
                // A joint does not move its own origin.
                let mut offset = site.offset.translation;
                while let Some(n) = nodes.first().map(|&i| &articulation.nodes[i as usize])
                    && offset == Vec3::ZERO
                    && !n.kind.slides()
                {
                    offset = n.before.translation;
                    nodes.remove(0);
                }
                ChainRows::Position
            }
            (false, _) => ChainRows::Orientation,
            (true, true) if size != JacobianSize::Full && last_is_free && whole => {
                nodes.remove(0);
                ChainRows::Penultimate { node: site.node, offset: site.offset.inverse() }
            }
            (true, true) if size == JacobianSize::Half => {
                return Err(RigError::NotSupported {
                    goal: goal_index,
                    solver: "the half Jacobian",
                    what: "a pose whose last joint has not all its freedom",
                });
            }
            (true, true) => ChainRows::Pose,
        };
        Ok(Self { nodes, rows })
    }

    /// Steps 1 to 6 for this chain.
    #[inline]
    fn step<const M: usize>(
        &self,
        at_work: &mut AtWork<'_>,
        scratch: &mut Scratch<M>,
        at: Vec3,
        mut missing: [Real; M],
        invert: impl Fn(&[[Real; M]; M]) -> Option<[[Real; M]; M]>,
        apply: impl Fn(Vec3, Vec3) -> [Real; M],
    ) {
        let AtWork { skeleton, articulation, place, pull, options, largest: most } = at_work;
        let mut columns = [Column::ZERO; MAX_COLUMNS];
        let mut count = 0;
        for &node in &self.nodes {
            let n = &articulation.nodes[node as usize];
            // About the effector itself: the linear part is its velocity.
            articulation.node_columns(node as usize, &place.motions, &place.frames, at, &mut columns);
            for column in &columns[..n.count] {
                let j = apply(column.linear, column.angular);
                scratch.columns[count] = j.map(|x| x * n.mobility);
                count += 1;
            }
        }
        let jacobian = &scratch.columns[..count];
        let mut square = [[0.0; M]; M];
        for j in jacobian {
            for r in 0..M {
                for c in 0..M {
                    square[r][c] += j[r] * j[c];
                }
            }
        }
        let exact = invert(&square);
        let Some(inverted) = exact.or_else(|| invert(&ridged(&square))) else { return };
        let pseudo = &mut scratch.inverse[..count];
        for (p, j) in pseudo.iter_mut().zip(jacobian) {
            for c in 0..M {
                p[c] = (0..M).map(|r| j[r] * inverted[r][c]).sum();
            }
        }
        // I − J J⁺, which would be zero if the inverse were exact.
        let mut wrong = [[0.0; M]; M];
        for r in 0..M {
            wrong[r][r] = 1.0;
        }
        for (p, j) in pseudo.iter().zip(jacobian) {
            for r in 0..M {
                for c in 0..M {
                    wrong[r][c] -= j[r] * p[c];
                }
            }
        }
        let halvings = if exact.is_some() { options.halvings } else { 0 };
        for _ in 0..halvings {
            let mut squared = 0.0;
            for r in 0..M {
                let e: Real = (0..M).map(|c| wrong[r][c] * missing[c]).sum();
                squared += e * e;
            }
            if squared <= options.inverse_error * options.inverse_error {
                break;
            }
            missing = missing.map(|x| 0.5 * x);
        }
        // What the goal leaves free goes to the posture: δ = J⁺ e + (I − J⁺ J) z, which is
        // z + J⁺ (e − J z).
        let own = self.nodes.iter().flat_map(|&node| {
            let n = &articulation.nodes[node as usize];
            n.first..n.first + n.count
        });
        for (c, j) in own.clone().zip(jacobian) {
            for r in 0..M {
                missing[r] -= j[r] * pull[c];
            }
        }
        let mut largest: Real = 0.0;
        let step = |p: &[Real; M]| -> Real { (0..M).map(|c| p[c] * missing[c]).sum() };
        for ((p, j), c) in pseudo.iter().zip(&mut scratch.columns).zip(own) {
            // The columns are of no more use, so their first place keeps the step.
            j[0] = pull[c] + step(p);
            largest = largest.max(j[0].abs());
        }
        if !largest.is_finite() {
            return;
        }
        let shorter = if largest > *most { *most / largest } else { 1.0 };
        let mut next = 0;
        for &node in &self.nodes {
            let i = node as usize;
            let n = &articulation.nodes[i];
            let mut own = [0.0; MAX_COLUMNS];
            for k in 0..n.count {
                own[k] = scratch.columns[next + k][0] * shorter * n.mobility;
            }
            next += n.count;
            let moved = articulation.stepped(i, &place.motions[i], &own[..n.count]);
            place.motions[i] = articulation.held(skeleton, i, &moved).unwrap_or(moved);
        }
    }

    /// Turns the last node as wanted, after the others have moved.
    fn turn_last(&self, articulation: &Articulation, place: &mut Place, node: u32, wanted: Quat) {
        let motions = &mut place.motions;
        // Only the rotations above it are needed.
        let mut above = Quat::IDENTITY;
        for &i in self.nodes.iter().rev() {
            let i = i as usize;
            above = above * articulation.nodes[i].before.rotation * motions[i].rotation;
        }
        let rest = above * articulation.nodes[node as usize].before.rotation;
        motions[node as usize].rotation = (rest.conjugate() * wanted).normalize();
    }
}

/// What a singular matrix gets on its diagonal, as a part of its trace: a
/// hundredth of an extent, squared.
const RIDGE: Real = 1.0e-4;

/// A singular matrix, made regular.
fn ridged<const M: usize>(square: &[[Real; M]; M]) -> [[Real; M]; M] {
    let mut out = *square;
    let trace: Real = (0..M).map(|i| square[i][i]).sum();
    for (i, row) in out.iter_mut().enumerate() {
        row[i] += trace * RIDGE;
    }
    out
}

impl Method for HalfJacobian {
    fn frame(&mut self) -> &mut SolveFrame {
        &mut self.frame
    }

    fn iterate(&mut self, request: Request<'_>, pose: &mut Pose) -> (u32, Stop) {
        let Request { skeleton, goals, expired, .. } = request;
        let drawn = self.frame.posture(goals);
        if let Some(goal) = drawn {
            self.articulation.read(&goal.pose, &mut self.posture);
        }
        self.articulation.take_folded(pose);
        self.articulation.read(pose, &mut self.place.motions);
        self.place.update(&self.articulation, &self.frame);
        self.best.copy_from_slice(&self.place.motions);
        let mut progress = Progress::new(self.place.cost, self.options.iterations, PATIENCE, GAIN, expired);
        let mut caution: Real = 1.0;
        let stop = loop {
            if self.place.met {
                self.best.copy_from_slice(&self.place.motions);
            }
            if let Err(stop) = progress.begin(self.place.met) {
                break stop;
            }
            if let Some(goal) = drawn {
                let Self { articulation, place, posture, pull, .. } = self;
                articulation.way_to(&place.motions, posture, Some(goal), self.options.attraction, pull);
            }
            self.sweep(skeleton, caution);
            self.place.update(&self.articulation, &self.frame);
            let better = progress.end(self.place.cost);
            caution = if progress.idle == 0 { (caution * 1.5).min(1.0) } else { caution * 0.7 };
            if better {
                self.best.copy_from_slice(&self.place.motions);
            }
        };
        self.articulation.write(&self.best, pose);
        (progress.iterations, stop)
    }
}

/// So many iterations without a better pose are a rest.
const PATIENCE: u32 = 30;
/// An iteration that gains less than this part of the error has gained nothing.
const GAIN: Real = 1.0e-3;
