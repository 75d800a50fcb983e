//! Cyclic coordinate descent: one goal and one joint at a time.
//!
//! For each goal in turn, every joint between its effector and the root makes
//! the motion that is best for that goal alone (`solver/turn.rs`), from the tip to the
//! root (Wang & Chen 1991) or from the root to the tip ("backward" coordinate
//! descent, which bends the joints near the root first). Orientation goals take
//! part in the same step as further pairs of vectors.
//!
//! With several goals the joints that they share are pulled to and fro, so the
//! pose with the least error seen is kept and returned. That, and not more, is
//! what CCD can do about conflicts; EWBIK gives a shared joint all its goals at
//! once.
//!
//! Going tip to root, no origin above the current joint has moved yet; going
//! root to tip, everything below has moved by one rigid motion, which is
//! carried along. Either way a walk is linear in the length of the chain.

use alloc::vec::Vec;

use super::driver::{Method, Progress, Request};
use super::ewbik::BasisScale;
use super::frame::{Abilities, SolveFrame, Stop};
use super::turn::{self, Pivot};
use crate::error::RigError;
use crate::goal::{Goal, GoalSet};
use crate::math::superpose::Superposition;
use crate::math::*;
use crate::pose::Pose;
use crate::report::Tolerance;
use crate::skeleton::{JointId, Skeleton};

/// How CCD works.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct CcdOptions {
    /// Near enough.
    pub tolerance: Tolerance,
    /// The most walks over the goals in one solve.
    pub iterations: u32,
    /// From the root down, instead of from the effector up as the classic goes.
    pub root_first: bool,
    /// The most that a joint turns in one step, in radians.
    pub damping: Real,
    /// How far out an orientation's points are put.
    pub basis: BasisScale,
    /// Whether a free root may travel.
    pub root_travels: bool,
}

crate::report::show_fields!(CcdOptions);

impl Default for CcdOptions {
    fn default() -> Self {
        Self {
            tolerance: Tolerance::default(),
            iterations: 200,
            root_first: false,
            damping: PI,
            basis: BasisScale::Reach { least: 0.1 },
            root_travels: true,
        }
    }
}

/// The CCD solver; see the module's docs.
#[derive(Debug, Clone)]
pub(crate) struct Ccd {
    options: CcdOptions,
    frame: SolveFrame,
    /// For each goal its place and the joints that move it, in the order of the walk.
    walks: Vec<(usize, Vec<JointId>)>,
    best: Pose,
}

impl Ccd {
    /// Builds the solver for a skeleton and goals.
    pub(crate) fn new(skeleton: &Skeleton, goals: &GoalSet, options: CcdOptions) -> Result<Self, RigError> {
        let abilities = Abilities { name: "CCD", priorities: false, posture: false, whole_body: false };
        let frame = SolveFrame::new(skeleton, goals, options.tolerance, abilities)?;
        let walks = goals
            .iter()
            .map(|(id, goal)| {
                let mut chain: Vec<JointId> = skeleton
                    .ancestors(goal.effector.joint)
                    .filter(|&j| turn::moves(skeleton.joint(j)))
                    .collect();
                if options.root_first {
                    chain.reverse();
                }
                (id.index(), chain)
            })
            .collect();
        Ok(Self { options, frame, walks, best: Pose::rest(skeleton) })
    }

    /// Moves the joints of one walk for its goal. The model pose must be up to
    /// date and is stale afterwards.
    fn walk(&self, skeleton: &Skeleton, goal: &Goal, chain: &[JointId], pose: &mut Pose) {
        let model = &self.frame.model;
        let mut effector = goal.effector.transform(model);
        // What the joints already passed have done to those still to come;
        // nothing, when the walk goes upwards.
        let mut carried = Transform::IDENTITY;
        for &id in chain {
            let joint = skeleton.joint(id);
            let origin = carried.transform_point(model.position(id));
            let frame = carried.rotation * model.rest_frame(skeleton, id);
            let mut sums = Superposition::EMPTY;
            turn::add_goal(&mut sums, goal, effector, Pivot::at(origin), self.options.basis);
            if joint.stiffness() > 0.0 {
                sums.add_rest(sums.bound * joint.stiffness() / (1.0 - joint.stiffness()));
            }
            let now = pose.rotation(id);
            let next = turn::best_rotation(joint, &sums, frame, now, self.options.damping);
            let turned = turn::model_turn(frame, now, next);
            pose.set_rotation(id, next);
            let mut motion = Transform::new(origin - turned * origin, turned);
            if joint.kind().slides() && self.options.root_travels {
                let now = pose.translation(id);
                let error = turn::wanted_position(goal, effector)
                    .map_or(Vec3::ZERO, |wanted| wanted - motion.transform_point(effector.translation));
                let next = joint.project_translation(now + frame.conjugate() * error);
                pose.set_translation(id, next);
                motion.translation += frame * (next - now);
            }
            effector = motion * effector;
            effector.rotation = effector.rotation.normalize();
            if self.options.root_first {
                carried = motion * carried;
                carried.rotation = carried.rotation.normalize();
            }
        }
    }

    /// Where a goal's effector stands on the model pose.
    fn effector(&self, goal: usize) -> Transform {
        self.frame.effector(goal).transform(&self.frame.model)
    }
}

impl Method for Ccd {
    fn frame(&mut self) -> &mut SolveFrame {
        &mut self.frame
    }

    fn iterate(&mut self, request: Request<'_>, pose: &mut Pose) -> (u32, Stop) {
        let Request { skeleton, expired, .. } = request;
        self.best.copy_from(pose);
        let error = self.frame.cost(|g| self.effector(g));
        let mut progress = Progress::new(error, self.options.iterations, PATIENCE, STILL, expired);
        let stop = loop {
            let met = self.frame.all_met(|g| self.effector(g));
            if met {
                self.best.copy_from(pose);
            }
            if let Err(stop) = progress.begin(met) {
                break stop;
            }
            for k in 0..self.walks.len() {
                let (goal, chain) = &self.walks[k];
                if self.frame.usable(*goal) {
                    self.walk(skeleton, self.frame.goal(*goal), chain, pose);
                    self.frame.model.update(skeleton, pose);
                }
            }
            if progress.end(self.frame.cost(|g| self.effector(g))) {
                self.best.copy_from(pose);
            }
        };
        pose.copy_from(&self.best);
        (progress.iterations, stop)
    }
}

/// So many walks without a gain are a rest.
const PATIENCE: u32 = 16;
/// A walk that gains less than this part of the error has stood still.
const STILL: Real = 1.0e-4;
