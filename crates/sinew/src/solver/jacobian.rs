//! The Jacobian family: solvers that take the same matrix and differ in how
//! they invert it.
//!
//! With `J` the [`Jacobian`] of the goals and `e` their error, every iteration
//! makes a step `δ` of the joints' coordinates:
//!
//! | method | step | source |
//! |---|---|---|
//! | [`Transpose`](JacobianMethod::Transpose) | `α Jᵀ e`, `α = ⟨e, J Jᵀ e⟩ / |J Jᵀ e|²` | Wolovich & Elliott 1984; `α` of Buss 2004 |
//! | [`PseudoInverse`](JacobianMethod::PseudoInverse) | `J⁺ e` | Whitney 1969 |
//! | [`Dls`](JacobianMethod::Dls) | `Jᵀ (J Jᵀ + λ²)⁻¹ e` | Wampler 1986, Nakamura & Hanafusa 1986 |
//! | [`DlsSvd`](JacobianMethod::DlsSvd) | the same by singular values, `λ` from the smallest | Maciejewski & Klein 1988; Ribeiro & Paiva 2019, eq. 15 |
//! | [`Sdls`](JacobianMethod::Sdls) | each singular direction clamped by itself | Buss & Kim 2005 |
//!
//! Common to all: errors are cut to a length that a linear model can be trusted
//! with, steps to an angle, limits are held by projection after the step
//! (cropping), and since none of these is a descent the best pose seen is what
//! is returned. A joint's stiffness scales its columns, so that it moves less.
//!
//! What the goals leave free is drawn to a posture if the goals have one (null-space
//! attraction, Liégeois 1977): `δ + (I − J⁺J) z`, with `z` a part of the way to
//! the posture.
//!
//! [`half`] is the solver of Meredith & Maddock 2004, which is built differently.

pub mod half;
mod matrix;
pub(crate) mod steps;

use alloc::vec::Vec;

use super::active_set::ActiveSet;
use super::articulation::{Articulation, Motion};
use super::driver::{Method, Progress, Request};
use super::frame::{Abilities, SolveFrame, Stop};
use super::goal_rows::RowKinds;
use super::place::Place;
use crate::error::RigError;
use crate::goal::GoalSet;
use crate::math::*;
use crate::pose::Pose;
use crate::report::Tolerance;
use crate::skeleton::Skeleton;

pub use matrix::Jacobian;
pub(crate) use matrix::fill;
use steps::Steps;

/// How the Jacobian is inverted.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum JacobianMethod {
    /// Along the gradient, with the best length of a linear model.
    Transpose,
    /// The least step that a linear model says is right.
    PseudoInverse,
    /// The same with one damping for all directions.
    Dls {
        /// `λ`, in metres of error per radian of joint.
        damping: Real,
    },
    /// By singular values, damped only as much as the smallest asks for.
    DlsSvd {
        /// The longest step that may come of an error: `b_max` of eq. 15, in radians.
        bound: Real,
    },
    /// Each singular direction clamped by how far it moves the effectors.
    Sdls {
        /// The most that a joint turns in one iteration, in radians.
        clamp: Real,
    },
}

/// How a solver of the family works.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct JacobianOptions {
    /// How the Jacobian is inverted.
    pub method: JacobianMethod,
    /// Near enough.
    pub tolerance: Tolerance,
    /// The most iterations of one solve.
    pub iterations: u32,
    /// The most of one goal's error that one iteration goes for, as a part of
    /// the skeleton's size.
    pub reach: Real,
    /// The most that a joint moves in one iteration, in radians (or metres).
    pub step: Real,
    /// Which part of the way to the posture one iteration goes, where the goals
    /// leave it free. Nothing without a [`PostureGoal`](crate::goal::PostureGoal).
    pub attraction: Real,
}

crate::report::show_fields!(JacobianOptions);

impl JacobianOptions {
    /// The options that suit a method.
    pub const fn new(method: JacobianMethod) -> Self {
        let iterations = match method {
            // Gradients creep.
            JacobianMethod::Transpose => 1000,
            _ => 200,
        };
        Self {
            method,
            tolerance: Tolerance { position: 1.0e-4, orientation: 1.0e-4 },
            iterations,
            reach: 0.4,
            step: 0.6,
            attraction: 0.2,
        }
    }
}

impl Default for JacobianOptions {
    fn default() -> Self {
        Self::new(JacobianMethod::Dls { damping: 0.1 })
    }
}

/// A solver of the Jacobian family; see the module's docs.
#[derive(Debug, Clone)]
pub(crate) struct JacobianSolver {
    options: JacobianOptions,
    frame: SolveFrame,
    articulation: Articulation,
    kinds: Vec<RowKinds>,
    place: Place,
    next: Vec<Motion>,
    best: Vec<Motion>,
    posture: Vec<Motion>,
    active: ActiveSet,
    steps: Steps,
    /// The longest error of a goal that one iteration goes for.
    reach: Real,
}

impl JacobianSolver {
    /// Builds the solver for a skeleton and goals.
    pub(crate) fn new(
        skeleton: &Skeleton,
        goals: &GoalSet,
        options: JacobianOptions,
    ) -> Result<Self, RigError> {
        let abilities =
            Abilities { name: "the Jacobian family", priorities: false, posture: true, whole_body: false };
        let frame = SolveFrame::new(skeleton, goals, options.tolerance, abilities)?;
        let articulation = Articulation::new(skeleton, goals);
        let kinds: Vec<RowKinds> = goals.as_slice().iter().map(RowKinds::of).collect();
        let nodes = articulation.nodes.len();
        Ok(Self {
            reach: options.reach * size(skeleton),
            options,
            frame,
            place: Place::new(&articulation),
            next: alloc::vec![Motion::REST; nodes],
            best: alloc::vec![Motion::REST; nodes],
            posture: alloc::vec![Motion::REST; nodes],
            active: ActiveSet::new(&articulation),
            steps: Steps::new(&articulation, &kinds, options.method),
            articulation,
            kinds,
        })
    }
}

/// The largest extent of the skeleton at rest: what "far" means on it.
pub(crate) fn size(skeleton: &Skeleton) -> Real {
    let mut sum: Real = 0.0;
    let mut longest: Real = 0.0;
    let mut reach = alloc::vec![0.0; skeleton.len()];
    for id in skeleton.ids() {
        let up = skeleton.parent(id).map_or(0.0, |p| reach[p.index()]);
        let own = if skeleton.parent(id).is_some() { skeleton.bone_length(id) } else { 0.0 };
        reach[id.index()] = up + own;
        sum += own;
        longest = longest.max(up + own);
    }
    if longest > TINY { longest.min(sum) } else { 1.0 }
}

impl Method for JacobianSolver {
    fn frame(&mut self) -> &mut SolveFrame {
        &mut self.frame
    }

    fn iterate(&mut self, request: Request<'_>, pose: &mut Pose) -> (u32, Stop) {
        let Request { skeleton, goals, expired, .. } = request;
        let Self { options, frame, articulation, kinds, place, next, best, posture, active, steps, reach } =
            self;
        let drawn = frame.posture(goals);
        if let Some(goal) = drawn {
            articulation.read(&goal.pose, posture);
        }
        articulation.take_folded(pose);
        articulation.read(pose, &mut place.motions);
        place.update(articulation, frame);
        best.copy_from_slice(&place.motions);
        let mut best_met = place.met;
        let mut progress = Progress::new(place.cost, options.iterations, PATIENCE, GAIN, expired);
        // Falls while steps do not pay, and shortens them.
        let mut caution: Real = 1.0;
        let stop = loop {
            if let Err(stop) = progress.begin(place.met) {
                break stop;
            }
            active.linearise(articulation, place);
            steps.load(articulation, place, &active.coordinates, kinds, *reach * caution);
            steps.step(options.method);
            if let Some(goal) = drawn {
                steps.attract(articulation, &place.motions, posture, goal, options.attraction);
            }
            steps.finish(options.step * caution);
            active.advance(articulation, skeleton, &place.motions, &steps.step, next);
            core::mem::swap(&mut place.motions, next);
            place.update(articulation, frame);
            // Not a descent: it may rise for a while and still get there.
            let better = progress.end(place.cost);
            caution = if progress.idle == 0 { (caution * 1.5).min(1.0) } else { caution * 0.8 };
            if better || (place.met && !best_met) {
                best_met = place.met;
                best.copy_from_slice(&place.motions);
            }
        };
        articulation.write(best, pose);
        (progress.iterations, stop)
    }
}

/// So many iterations without a better pose are a rest.
const PATIENCE: u32 = 25;
/// An iteration that gains less than this part of the error has gained nothing.
const GAIN: Real = 1.0e-3;
