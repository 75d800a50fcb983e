//! EWBIK: every bone turns so that all effectors below it come as near to
//! their targets as that one turn can bring them (Gjoni).
//!
//! One iteration goes over the joints from the tips to the root. For each, the
//! goals that hang on it, positions and orientations alike, become pairs of
//! points about the joint's origin, and Wahba's problem for these pairs has a
//! closed solution (sections 3-6; [`crate::math::superpose`]). The result is
//! clamped by the damping, brought within the joint's limit, and kept if it
//! makes nothing worse (section 11).
//!
//! # Segmentation
//! A bone may be solved only after everything below it (section 7). The
//! skeleton's order is depth first, so walking it backwards is such an order,
//! and the segments of the paper are the runs of joints that share the same
//! list of goals. While the walk is under way no origin above the current joint
//! has moved yet, so one forward kinematics a sweep is enough: turning a joint
//! only carries the effectors below it along. That makes a sweep linear in the
//! number of joints times the goals on each.
//!
//! # Scale of the basis
//! An orientation is six points around the effector at some distance; summed up
//! they are the frame's axes weighted by that distance squared, which is how
//! they are added here. Section 8 takes the larger of one unit and the distance
//! of the target from the bone, so that far targets do not drown orientations:
//! [`BasisScale::Reach`]. (The document scales effector bases about the target's
//! origin in step 2b; that is a slip, an effector's basis belongs about the
//! effector.)
//!
//! # The guard
//! Each bone weighs orientation against position by its own distance, so a
//! turn that is good for one bone's measure may be bad by another's, and the
//! pose can swing to and fro. The guard measures by the goals' own weights,
//! the same for all bones, and drops a turn that raises that sum. With it the
//! error never rises from one iteration or frame to the next while the targets
//! stand still.
//!
//! # Past the paper
//! - Hinges and universal joints turn by the best angle about their own axes
//!   instead of the best free rotation projected onto them.
//! - Where a limit takes so much of a turn that the guard drops it, the same
//!   turn is tried again at half and at a quarter of its size.
//! - [`acceleration`](EwbikOptions::acceleration): coordinate descent creeps
//!   along narrow valleys; every few sweeps the pose is pushed on along the
//!   change of the last sweep, further each time it pays, and pulled back when
//!   it does not.

use alloc::vec::Vec;

use super::GoalSolver;
use super::frame::{SolveFrame, Stop};
use super::turn::{self, Pivot};
use crate::goal::{GoalError, GoalSet};
use crate::math::superpose::Superposition;
use crate::math::*;
use crate::pose::Pose;
use crate::report::{SolveReport, Tolerance};
use crate::skeleton::{JointId, Skeleton};

/// How far out an orientation's points are put.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum BasisScale {
    /// At the distance of the target from the bone, and at least this far, in
    /// metres (section 8; the document's least is one unit).
    Reach {
        /// The least distance.
        least: Real,
    },
    /// At this distance everywhere, in metres: every bone then lowers the same sum.
    Fixed(Real),
}

impl BasisScale {
    /// The squared distance for a target this far (squared) from the bone.
    #[inline]
    pub fn squared_length(self, reach_squared: Real) -> Real {
        match self {
            Self::Reach { least } => reach_squared.max(least * least),
            Self::Fixed(length) => length * length,
        }
    }
}

/// How EWBIK works.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct EwbikOptions {
    /// Near enough.
    pub tolerance: Tolerance,
    /// The most sweeps over the skeleton in one solve.
    pub iterations: u32,
    /// The most that a bone turns in one sweep, in radians. Smaller is smoother
    /// and slower; half a turn is no damping.
    pub damping: Real,
    /// How far out an orientation's points are put.
    pub basis: BasisScale,
    /// Whether a turn that raises the error is dropped (section 11).
    pub guard: bool,
    /// Whether a free root may travel; it may always turn.
    pub root_travels: bool,
    /// Push the pose on along the last sweep's change while that pays.
    pub acceleration: bool,
}

impl Default for EwbikOptions {
    fn default() -> Self {
        Self {
            tolerance: Tolerance::default(),
            iterations: 200,
            damping: PI,
            basis: BasisScale::Reach { least: 0.1 },
            guard: true,
            root_travels: true,
            acceleration: true,
        }
    }
}

/// The EWBIK solver; see the module's docs.
#[derive(Debug, Clone)]
pub struct Ewbik {
    options: EwbikOptions,
    frame: SolveFrame,
    /// The joints that move and have goals below them, tips first.
    joints: Vec<SweepJoint>,
    /// The goals of each joint, one run after another.
    goal_lists: Vec<u32>,
    /// Where the effectors stand, kept up to date within a sweep.
    effectors: Vec<Transform>,
    /// The pose before the last sweep, and the one to fall back to.
    previous: Pose,
    kept: Pose,
}

#[derive(Debug, Clone, Copy)]
struct SweepJoint {
    id: JointId,
    goals: (u32, u32),
}

impl Ewbik {
    /// Builds the solver for a skeleton and goals.
    pub fn new(skeleton: &Skeleton, goals: &GoalSet, options: EwbikOptions) -> Result<Self, GoalError> {
        let frame = SolveFrame::new(skeleton, goals, options.tolerance)?;
        let mut joints = Vec::new();
        let mut goal_lists = Vec::new();
        for id in skeleton.ids().rev().filter(|&id| turn::moves(skeleton.joint(id))) {
            let start = goal_lists.len() as u32;
            let below = goals.iter().filter(|(_, g)| skeleton.is_ancestor(id, g.effector.joint));
            goal_lists.extend(below.map(|(g, _)| g.0));
            let end = goal_lists.len() as u32;
            if end > start {
                joints.push(SweepJoint { id, goals: (start, end) });
            }
        }
        Ok(Self {
            options,
            frame,
            joints,
            goal_lists,
            effectors: alloc::vec![Transform::IDENTITY; goals.len()],
            previous: Pose::rest(skeleton),
            kept: Pose::rest(skeleton),
        })
    }

    /// Forward kinematics of the pose, and the sum that the guard watches.
    fn locate(&mut self, skeleton: &Skeleton, pose: &Pose) -> Real {
        self.frame.model.update(skeleton, pose);
        for (effector, goal) in self.effectors.iter_mut().zip(self.frame.goals()) {
            *effector = goal.effector.transform(&self.frame.model);
        }
        self.frame.cost(|g| self.effectors[g])
    }

    /// One walk from the tips to the root.
    fn sweep(&mut self, skeleton: &Skeleton, pose: &mut Pose) {
        for k in 0..self.joints.len() {
            let SweepJoint { id, goals: (start, end) } = self.joints[k];
            let list = &self.goal_lists[start as usize..end as usize];
            let joint = skeleton.joint(id);
            let travels = joint.kind().slides() && self.options.root_travels;
            let origin = self.frame.model.position(id);
            let pivot = match travels {
                true => mean_pivot(&self.frame, list, &self.effectors, origin),
                false => Pivot::at(origin),
            };
            let mut sums = Superposition::EMPTY;
            let mut before = 0.0;
            for &g in list {
                let g = g as usize;
                if self.frame.usable(g) {
                    let goal = self.frame.goal(g);
                    turn::add_goal(&mut sums, goal, self.effectors[g], pivot, self.options.basis);
                    before += turn::cost(goal, self.effectors[g]);
                }
            }
            if joint.stiffness() > 0.0 {
                sums.add_rest(sums.bound * joint.stiffness() / (1.0 - joint.stiffness()));
            }
            // Positions of about a metre carry this much rounding into the sum; a
            // guard without it would hold a nearly straight chain fast.
            let allowed = before + ROUNDING * (before + before.sqrt());
            let frame = self.frame.model.rest_frame(skeleton, id);
            let now = pose.rotation(id);
            let shift_now = pose.translation(id);
            let mut step = self.options.damping;
            for attempt in 0..3 {
                let next = turn::best_rotation(joint, &sums, frame, now, step);
                let turned = turn::model_turn(frame, now, next);
                let mut shift = shift_now;
                if travels {
                    // The turn is about the origin; the travel brings the means together.
                    let carried = origin + turned * (pivot.effectors - origin);
                    let wanted = shift_now + frame.conjugate() * (pivot.targets - carried);
                    shift = joint.project_translation(wanted);
                }
                let travel = frame * (shift - shift_now);
                let moved = |e: Transform| {
                    Transform::new(origin + turned * (e.translation - origin) + travel, turned * e.rotation)
                };
                let mut after = 0.0;
                if self.options.guard {
                    for &g in list {
                        let g = g as usize;
                        if self.frame.usable(g) {
                            after += turn::cost(self.frame.goal(g), moved(self.effectors[g]));
                        }
                    }
                }
                if after <= allowed {
                    pose.set_rotation(id, next);
                    pose.set_translation(id, shift);
                    for &g in list {
                        let e = &mut self.effectors[g as usize];
                        *e = moved(*e);
                    }
                    break;
                }
                // The limit took too much of it, or the bone's own measure
                // disagrees with the whole: a smaller turn may still help.
                let size = rotation::angle(sums.best_rotation()).min(step);
                step = size * 0.5;
                if attempt == 2 || step <= ROUNDING {
                    break;
                }
            }
        }
    }
}

/// The weighted means of the effectors and of their targets; the joint's
/// origin on both sides if no goal asks for a position.
fn mean_pivot(frame: &SolveFrame, list: &[u32], effectors: &[Transform], origin: Vec3) -> Pivot {
    let (mut e, mut t, mut total) = (Vec3::ZERO, Vec3::ZERO, 0.0);
    for &g in list {
        let g = g as usize;
        let goal = frame.goal(g);
        if !frame.usable(g) {
            continue;
        }
        if let Some(wanted) = turn::wanted_position(goal, effectors[g]) {
            let weight = goal.position_weight * goal.position_weight;
            e += effectors[g].translation * weight;
            t += wanted * weight;
            total += weight;
        }
    }
    if total > 0.0 { Pivot { effectors: e / total, targets: t / total } } else { Pivot::at(origin) }
}

impl GoalSolver for Ewbik {
    fn solve_until(
        &mut self,
        skeleton: &Skeleton,
        goals: &GoalSet,
        pose: &mut Pose,
        expired: &mut dyn FnMut() -> bool,
    ) -> &SolveReport {
        if !self.frame.begin(skeleton, goals, pose) {
            return &self.frame.report;
        }
        let mut stop = Stop::Iterations;
        let mut iterations = 0;
        let mut total = self.locate(skeleton, pose);
        let mut idle = 0;
        let mut stretch: Real = 1.0;
        loop {
            if self.frame.all_met(|g| self.effectors[g]) {
                stop = Stop::Converged;
                break;
            }
            if iterations >= self.options.iterations {
                break;
            }
            if expired() {
                stop = Stop::Expired;
                break;
            }
            self.previous.copy_from(pose);
            self.sweep(skeleton, pose);
            iterations += 1;
            let mut swept = self.locate(skeleton, pose);
            if self.options.acceleration && iterations % 2 == 0 {
                self.kept.copy_from(pose);
                extrapolate(skeleton, &self.previous, pose, stretch);
                let pushed = self.locate(skeleton, pose);
                if pushed < swept {
                    swept = pushed;
                    stretch = (stretch * 1.6).min(40.0);
                } else {
                    pose.copy_from(&self.kept);
                    swept = self.locate(skeleton, pose);
                    stretch = (stretch * 0.4).max(0.5);
                }
            }
            let gained = total - swept;
            idle = if gained <= STILL * total { idle + 1 } else { 0 };
            total = swept;
            if idle >= 8 {
                stop = Stop::Stalled;
                break;
            }
        }
        self.frame.finish(skeleton, goals, pose, iterations, stop)
    }
}

/// A sweep that gains less than this part of the error has stood still.
const STILL: Real = 1.0e-4;

/// Moves every joint on along its way from `before` to the pose, by `stretch`
/// times that way again, within its limit.
fn extrapolate(skeleton: &Skeleton, before: &Pose, pose: &mut Pose, stretch: Real) {
    for id in skeleton.ids() {
        let (a, b) = (before.rotation(id), pose.rotation(id));
        if a == b && before.translation(id) == pose.translation(id) {
            continue;
        }
        let joint = skeleton.joint(id);
        let way = rotation::log(b * a.conjugate());
        let further = (rotation::exp(way * stretch) * b).normalize();
        pose.set_rotation(id, joint.project(further));
        let shift = pose.translation(id);
        let further = shift + (shift - before.translation(id)) * stretch;
        pose.set_translation(id, joint.project_translation(further));
    }
}
