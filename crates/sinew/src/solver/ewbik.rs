//! EWBIK: every bone turns so that all effectors below it come as near to
//! their targets as that one turn can bring them (Gjoni).
//!
//! One iteration goes over the joints from the tips to the root. For each, the
//! goals that hang on it, positions and orientations alike, become pairs of
//! points about the joint's origin, and Wahba's problem for these pairs has a
//! closed solution (sections 3-6; `math/superpose.rs`). The result is
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
//! of the target from the bone, so that far targets do not drown orientations.
//! Six points about an origin also count six times for where it is: with all seven
//! the orientation's squared error weighs 4/7 of what it does by the goal's weights.
//! [`BasisScale::SevenPoints`] is that, [`BasisScale::Reach`] has the distance and
//! the goal's weights. (The document scales effector bases about the target's
//! origin in step 2b; that is a slip, an effector's basis belongs about the
//! effector.)
//!
//! # The guard
//! Each bone weighs orientation against position by its own distance, so a
//! turn that is good for one bone's measure may be bad by another's, and the
//! pose can swing to and fro. The published guard (section 11) drops a turn that its
//! limit has made worse for the bone's own points. Ours measures by the goals' weights,
//! the same for all bones, and drops a turn that raises that sum. With it the
//! error never rises from one iteration or frame to the next while the targets
//! stand still.
//!
//! # Damping
//! Undamped, the bones next to the tip make the whole way before those above them are
//! asked, and a chain of twenty bones that reaches for a point half its length away folds its end
//! over. Clamped to a few degrees a sweep the turn is shared by all. That is why the default
//! is damped.
//!
//! # Past the paper
//! [`EwbikOptions::published`] is section 8 and nothing else. What is added to it are options:
//! - [`own_axes`](EwbikOptions::own_axes): hinges and universal joints turn by the best angle
//!   about their own axes instead of the best free rotation projected onto them.
//! - [`smaller_turns`](EwbikOptions::smaller_turns): where a limit takes so much of a turn that
//!   the guard drops it, the same turn is tried again at half and at a quarter of its size.
//! - [`root_travels`](EwbikOptions::root_travels): a free root goes where the mean of its
//!   effectors is that of their targets.
//! - [`root_first`](EwbikOptions::root_first): it does so once before the first sweep.
//!   Otherwise the limbs of a body that has turned round fold themselves into corners before the
//!   body has followed.
//! - [`orientation_falloff`](EwbikOptions::orientation_falloff): a shoulder that
//!   weighs the hand's orientation fully hardly dares to move the hand, since
//!   no single joint can shift a hand and keep its orientation. The joints in
//!   between can set the orientation right afterwards, so while the goals are
//!   far, bones further up weigh it less (*approach*). Near the goals, and at
//!   the end, all weigh alike and the guard holds (*settle*).
//! - [`escapes`](EwbikOptions::escapes): what is still stuck begins again with
//!   the joints of the unmet goals moved elsewhere, and is believed only if it
//!   then meets every goal, so that a target that is followed never makes the
//!   pose jump for a mere improvement.
//! - [`acceleration`](EwbikOptions::acceleration): coordinate descent creeps
//!   along narrow valleys. Anderson's method looks at the last few sweeps and
//!   guesses where they lead; the guess is kept if it is better.
//!
//! The best pose of all sweeps is returned, as by every solver, also by the published method.

mod momentum;
mod options;

use alloc::vec::Vec;

use super::driver::{Effort, Method, Progress, Request};
use super::frame::{Abilities, FOLLOWED, SolveFrame, Stop};
use super::turn::{self, Pivot};
use crate::error::RigError;
use crate::goal::GoalSet;
use crate::math::random::Random;
use crate::math::superpose::Superposition;
use crate::math::*;
use crate::pose::Pose;
use crate::skeleton::{JointId, JointKind, Skeleton};

use momentum::Momentum;
pub use options::{BasisScale, EwbikOptions};

/// The EWBIK solver; see the module's docs.
#[derive(Debug, Clone)]
pub(crate) struct Ewbik {
    options: EwbikOptions,
    frame: SolveFrame,
    /// The joints that move and have goals below them, tips first.
    joints: Vec<SweepJoint>,
    /// The goals of each joint, one run after another.
    goal_lists: Vec<u32>,
    /// For each entry of the lists, how many joints lie between, and what that
    /// leaves of an orientation's weight in this attempt.
    joints_between: Vec<u32>,
    fades: Vec<Real>,
    /// Where the effectors stand, kept up to date within a sweep.
    effectors: Vec<Transform>,
    /// The pose before the last sweep, and the one after it.
    previous: Pose,
    swept: Pose,
    momentum: Momentum,
    /// The best pose without an escape.
    best: Pose,
    /// The best pose of all attempts, from which the next one goes elsewhere.
    nearest: Pose,
}

#[derive(Debug, Clone, Copy)]
struct SweepJoint {
    id: JointId,
    goals: (u32, u32),
}

impl Ewbik {
    /// Builds the solver for a skeleton and goals.
    pub(crate) fn new(skeleton: &Skeleton, goals: &GoalSet, options: EwbikOptions) -> Result<Self, RigError> {
        let abilities = Abilities { name: "EWBIK", priorities: false, posture: false, whole_body: false };
        let frame = SolveFrame::new(skeleton, goals, options.tolerance, abilities)?;
        let mut joints = Vec::new();
        let mut goal_lists = Vec::new();
        let mut joints_between: Vec<u32> = Vec::new();
        for id in skeleton.ids().rev().filter(|&id| turn::moves(skeleton.joint(id))) {
            let start = goal_lists.len() as u32;
            let below = goals.iter().filter(|(_, g)| skeleton.is_ancestor(id, g.effector.joint));
            goal_lists.extend(below.clone().map(|(g, _)| g.0));
            joints_between.extend(below.map(|(_, g)| {
                let below = skeleton.ancestors(g.effector.joint).take_while(|&j| j != id);
                below.filter(|&j| turn::moves(skeleton.joint(j))).count() as u32
            }));
            let end = goal_lists.len() as u32;
            if end > start {
                joints.push(SweepJoint { id, goals: (start, end) });
            }
        }
        let momentum = Momentum::new(skeleton, joints.iter().map(|j: &SweepJoint| j.id));
        Ok(Self {
            options,
            frame,
            joints,
            fades: alloc::vec![1.0; joints_between.len()],
            goal_lists,
            joints_between,
            effectors: alloc::vec![Transform::IDENTITY; goals.len()],
            previous: Pose::rest(skeleton),
            swept: Pose::rest(skeleton),
            momentum,
            best: Pose::rest(skeleton),
            nearest: Pose::rest(skeleton),
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
    fn sweep(&mut self, skeleton: &Skeleton, pose: &mut Pose, phase: Phase) {
        for k in 0..self.joints.len() {
            self.turn_joint(skeleton, pose, k, phase, self.options.damping);
        }
    }

    /// The best motion of one joint for all goals below it, turning by no more than the damping.
    fn turn_joint(&mut self, skeleton: &Skeleton, pose: &mut Pose, k: usize, phase: Phase, damping: Real) {
        let options = self.options;
        let guard = options.guard && phase == Phase::Settle;
        let SweepJoint { id, goals: (start, end) } = self.joints[k];
        let list = &self.goal_lists[start as usize..end as usize];
        let joint = skeleton.joint(id);
        let travels = joint.kind().slides() && options.root_travels;
        let origin = self.frame.model.position(id);
        let pivot = match travels {
            true => mean_pivot(&self.frame, list, &self.effectors, origin),
            false => Pivot::at(origin),
        };
        let mut sums = Superposition::EMPTY;
        let mut before = 0.0;
        for (&g, &fade) in list.iter().zip(&self.fades[start as usize..end as usize]) {
            let g = g as usize;
            if self.frame.usable(g) {
                let goal = self.frame.goal(g);
                let fade = if phase == Phase::Approach { fade } else { 1.0 };
                let faded = crate::Goal { orientation_weight: goal.orientation_weight * fade, ..*goal };
                turn::add_goal(&mut sums, &faded, self.effectors[g], pivot, options.basis);
                before += goal.squared_error(self.effectors[g]);
            }
        }
        // Positions of about a metre carry this much rounding into the sum; a
        // guard without it would hold a nearly straight chain fast.
        let allowed = before + ROUNDING * (before + before.sqrt());
        let frame = self.frame.model.rest_frame(skeleton, id);
        let now = pose.rotation(id);
        let shift_now = pose.translation(id);
        let mut step = damping * (1.0 - joint.stiffness());
        for attempt in 0..=options.smaller_turns {
            let next = match options.own_axes {
                true => turn::best_rotation(joint, &sums, frame, now, step),
                false => turn::best_free_rotation(joint, &sums, frame, now, step),
            };
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
            let dropped = guard
                && match options.basis {
                    BasisScale::SevenPoints if !travels => sums.is_worse_after(turned),
                    _ => {
                        let usable = list.iter().map(|&g| g as usize).filter(|&g| self.frame.usable(g));
                        let after = |g| self.frame.goal(g).squared_error(moved(self.effectors[g]));
                        let after: Real = usable.map(after).sum();
                        after.is_nan() || after > allowed
                    }
                };
            if !dropped {
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
            step = rotation::angle(sums.best_rotation()).min(step) * 0.5;
            if attempt == options.smaller_turns || step <= ROUNDING {
                break;
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

impl Method for Ewbik {
    fn frame(&mut self) -> &mut SolveFrame {
        &mut self.frame
    }

    fn iterate(&mut self, request: Request<'_>, pose: &mut Pose) -> (u32, Stop) {
        let Request { skeleton, effort, expired, .. } = request;
        let start = self.locate(skeleton, pose);
        self.best.copy_from(pose);
        self.nearest.copy_from(pose);
        let (mut best_total, mut nearest_total) = (start, start);
        let far = !self.frame.all_within(FOLLOWED, |g| self.effectors[g]);
        let mut attempt = 0;
        let mut random = Random(self.options.seed);
        let mut iterations = 0;
        let most = ((WORK / self.goal_lists.len().max(1)) as u32).max(FEWEST);
        let stop = loop {
            // The first attempt begins where the caller left the pose; near its
            // goals it settles at once, and approaches only if that is not enough.
            let phases: &[Phase] = match (attempt, far) {
                _ if self.options.orientation_falloff >= 1.0 => &[Phase::Settle],
                (0, false) => &[Phase::Settle, Phase::Approach, Phase::Settle],
                (0, true) => &[Phase::Approach, Phase::Settle],
                _ => &[Phase::Approach],
            };
            // Attempts differ also in how bold the approach is.
            let falloff =
                (self.options.orientation_falloff * BOLDNESS[attempt as usize % BOLDNESS.len()]).min(1.0);
            for (fade, &between) in self.fades.iter_mut().zip(&self.joints_between) {
                *fade = falloff.powi(between as i32);
            }
            // A body that has turned round goes after its goals before its limbs do.
            if self.options.root_first && (far || attempt > 0) {
                self.move_root(skeleton, pose);
            }
            let mut stop = Stop::Stalled;
            let granted = self.options.iterations.min(most - iterations);
            let mut left = granted;
            for &phase in phases {
                stop = self.run(skeleton, pose, phase, &mut left, expired);
                let total = self.frame.cost(|g| self.effectors[g]);
                if total < nearest_total {
                    nearest_total = total;
                    self.nearest.copy_from(pose);
                }
                // Whether the goals are met is asked of each error, the total is their sum: an attempt
                // that missed one of them by a little may have the lower one.
                if stop == Stop::Converged || (attempt == 0 && total < best_total) {
                    best_total = total;
                    self.best.copy_from(pose);
                } else if attempt == 0 {
                    pose.copy_from(&self.best);
                    self.locate(skeleton, pose);
                }
                if stop != Stop::Stalled {
                    break;
                }
            }
            iterations += granted - left;
            let stays = effort == Effort::Follow || !far || self.frame.any_out_of_reach();
            let give_up = stays || attempt >= self.options.escapes || iterations >= most;
            if matches!(stop, Stop::Converged | Stop::Expired) || give_up {
                break stop;
            }
            attempt += 1;
            self.frame.report.attempts += 1;
            self.scatter(skeleton, pose, attempt, &mut random);
        };
        pose.copy_from(&self.best);
        (iterations, stop)
    }
}

impl Ewbik {
    /// Sweeps until the goals are met, nothing gains any more, or the budget ends.
    fn run(
        &mut self,
        skeleton: &Skeleton,
        pose: &mut Pose,
        phase: Phase,
        left: &mut u32,
        expired: &mut dyn FnMut() -> bool,
    ) -> Stop {
        let total = self.locate(skeleton, pose);
        let mut progress = Progress::new(total, *left, PATIENCE, STILL, expired);
        let mut refused = 0;
        self.momentum.reset();
        loop {
            if let Err(stop) = progress.begin(self.frame.all_met(|g| self.effectors[g])) {
                *left -= progress.iterations;
                return stop;
            }
            self.previous.copy_from(pose);
            self.sweep(skeleton, pose, phase);
            let mut swept = self.locate(skeleton, pose);
            if self.options.acceleration {
                self.swept.copy_from(pose);
                if self.momentum.advance(skeleton, &self.previous, &self.swept, pose) {
                    let pushed = self.locate(skeleton, pose);
                    if pushed < swept {
                        swept = pushed;
                        refused = 0;
                    } else {
                        pose.copy_from(&self.swept);
                        swept = self.locate(skeleton, pose);
                        refused += 1;
                        if refused >= 2 {
                            self.momentum.reset();
                            refused = 0;
                        }
                    }
                }
            }
            // The approach may rise on its way; only the lowest so far counts.
            progress.end(swept);
        }
    }

    /// Brings a free root to its goals with everything below it held.
    fn move_root(&mut self, skeleton: &Skeleton, pose: &mut Pose) {
        let root = self.joints.len().wrapping_sub(1);
        if self.joints.get(root).is_some_and(|joint| skeleton.joint(joint.id).kind() == JointKind::Free) {
            self.locate(skeleton, pose);
            self.turn_joint(skeleton, pose, root, Phase::Approach, PI);
        }
    }

    /// Puts the joints of unmet goals elsewhere within their limits, from the
    /// nearest pose so far: by turns those that no met goal hangs on, and all of them.
    fn scatter(&mut self, skeleton: &Skeleton, pose: &mut Pose, attempt: u32, random: &mut Random) {
        pose.copy_from(&self.nearest);
        self.locate(skeleton, pose);
        let met = |frame: &SolveFrame, g: u32| frame.met(g as usize, self.effectors[g as usize]);
        for joint in &self.joints {
            let list = &self.goal_lists[joint.goals.0 as usize..joint.goals.1 as usize];
            let unmet = list.iter().any(|&g| !met(&self.frame, g));
            let alone = list.iter().all(|&g| !met(&self.frame, g));
            let kind = skeleton.joint(joint.id).kind();
            if unmet && (alone || attempt.is_multiple_of(2)) && !kind.slides() {
                let elsewhere = rotation::exp(random.vector(1.3));
                pose.set_rotation(joint.id, skeleton.joint(joint.id).project(elsewhere));
            }
        }
    }
}

/// What a run of sweeps is for; see the module's docs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Approach,
    Settle,
}

/// Factors on the falloff, attempt after attempt: less is bolder.
const BOLDNESS: [Real; 3] = [1.0, 1.8, 1.35];

/// A sweep that gains less than this part of the error has stood still.
const STILL: Real = 1.0e-4;

/// Turns of a joint for a goal that one solve may spend, all sweeps of all attempts together: some tenths of a
/// second, whatever the size of the rig. A body with six goals sweeps 40 000 times for it, which
/// no attempts have used up yet; a chain of a thousand bones 2000 times.
const WORK: usize = 2_000_000;
/// And at least so many sweeps.
const FEWEST: u32 = 20;

/// So many sweeps without a gain are a rest.
const PATIENCE: u32 = 8;
