//! What every solver does before its iterations and after them.
//!
//! Before: see that the skeleton, the goals and the pose are those the solver was
//! built for, mend numbers that are none, find out which joints the active goals can
//! move and bring these within their limits, put aside goals that ask for nothing, and
//! draw targets that lie out of reach in to where they can just be met. After: put back
//! every bit of what no active goal moves, measure the returned pose by forward
//! kinematics and say what stood in the way. Solvers differ only in between.
//!
//! Shifts of joints that cannot slide are part of the pose and not of the problem: a
//! file may animate them, and forward kinematics takes them as they are.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::articulation::Articulation;
use super::descent::Descent;
use super::diagnose::{self, Shell};
use super::guards::Guards;
use super::turn;
use crate::error::RigError;
use crate::goal::{Effector, Goal, GoalId, GoalSet, Mimic, PostureGoal, Target};
use crate::math::*;
use crate::pose::{ModelPose, Pose};
use crate::report::{Cause, GoalResidual, SolveReport, Status, Tolerance};
use crate::skeleton::{JointId, Skeleton};

/// Why a solver stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop {
    /// Every goal is met.
    Converged,
    /// Nothing moved any more.
    Stalled,
    /// The iterations were used up.
    Iterations,
    /// The caller's clock ran out.
    Expired,
}

/// Goals that begin within this are followed rather than searched for: about
/// what a hand moves between two frames, with room to spare. A solver that
/// looks for poses elsewhere does so only for goals that begin further away.
pub(crate) const FOLLOWED: Tolerance = Tolerance { position: 0.1, orientation: 0.3 };

/// What a solver can do besides meeting goals of one priority.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Abilities {
    /// The solver's name, for refusals.
    pub name: &'static str,
    /// Whether it honours priorities.
    pub priorities: bool,
    /// Whether it can be drawn to a posture.
    pub posture: bool,
    /// Whether it takes what whole bodies and robots need besides: goals relative to a joint,
    /// contacts, and bounds on the whole body.
    pub whole_body: bool,
}

/// The state that a solver keeps between frames, whatever its method.
#[derive(Debug, Clone)]
pub(crate) struct SolveFrame {
    /// The pose in model space; up to date when the iterations begin.
    pub model: ModelPose,
    /// The last report.
    pub report: SolveReport,
    /// How near is near enough.
    pub tolerance: Tolerance,
    /// The goals as the iterations should see them.
    working: Vec<Goal>,
    /// How near is near enough to each target as it was drawn in; see `tolerance_of`.
    near: Vec<Tolerance>,
    /// The longest way from the root along the bones at rest: what positions are rounded by.
    extent: Real,
    /// For each goal whether it is active and its target can be used this frame.
    usable: Vec<bool>,
    /// What the solver was built for.
    built_for: Vec<Goal>,
    mimics: Vec<Mimic>,
    fingerprint: u64,
    has_posture: bool,
    /// For each joint the largest influence of a usable goal that can move it.
    influences: Vec<Real>,
    /// The pose as it was given, mended.
    given: Pose,
    /// What brings effectors a part of the way, and all of it for the solver that is made of
    /// it. There but while it is at work, when it needs the rest of the frame.
    pub descent: Option<Box<Descent>>,
    /// The bounds on the whole body.
    guards: Guards,
    /// How far each joint may move from `tied` in this solve, if a speed bounds it, and that
    /// pose: the one given, within its limits.
    reaches: Vec<Real>,
    tied: Pose,
    is_tied: bool,
    has_speed: bool,
    /// Room for a solve from the rest pose.
    spare: Pose,
    mended: Option<JointId>,
    out_of_reach: bool,
    faded: bool,
    /// Whether a joint that the goals move was given outside of its limit.
    outside: bool,
}

impl SolveFrame {
    /// Checks the goals and sizes everything.
    pub(crate) fn new(
        skeleton: &Skeleton,
        goals: &GoalSet,
        tolerance: Tolerance,
        abilities: Abilities,
    ) -> Result<Self, RigError> {
        goals.check(skeleton)?;
        let solver = abilities.name;
        let ranked = goals.as_slice().iter().position(|g| g.priority > 0);
        if let Some(goal) = ranked.filter(|_| !abilities.priorities) {
            return Err(RigError::NotSupported { goal, solver, what: "a priority" });
        }
        if !abilities.whole_body {
            if let Some(what) = goals.bound() {
                return Err(RigError::NoBound { solver, what });
            }
            for (goal, g) in goals.as_slice().iter().enumerate() {
                let refused = |what| Err(RigError::NotSupported { goal, solver, what });
                if g.relative_to.is_some() {
                    return refused("a target relative to another joint");
                }
                if matches!(g.target, Target::Contact { .. }) {
                    return refused("a contact");
                }
            }
        }
        if goals.posture().is_some() && !abilities.posture {
            return Err(RigError::NoPosture { solver });
        }
        let articulation = Articulation::new(skeleton, goals);
        let mut guards = Guards::new(skeleton, goals, &articulation);
        let descent = Descent::new(skeleton, goals, articulation, &guards);
        guards.end();
        Ok(Self {
            descent: Some(Box::new(descent)),
            guards,
            reaches: alloc::vec![Real::INFINITY; skeleton.len()],
            tied: Pose::rest(skeleton),
            is_tied: false,
            has_speed: goals.speed().is_some(),
            model: ModelPose::rest(skeleton),
            report: SolveReport::for_goals(goals.len()),
            tolerance,
            working: goals.as_slice().to_vec(),
            near: alloc::vec![tolerance; goals.len()],
            extent: extent(skeleton),
            usable: alloc::vec![true; goals.len()],
            built_for: goals.as_slice().to_vec(),
            mimics: goals.mimics().to_vec(),
            fingerprint: skeleton.fingerprint(),
            has_posture: goals.posture().is_some(),
            influences: alloc::vec![0.0; skeleton.len()],
            given: Pose::rest(skeleton),
            spare: Pose::rest(skeleton),
            mended: None,
            out_of_reach: false,
            faded: false,
            outside: false,
        })
    }

    /// Prepares a solve: afterwards the pose is finite, the model pose is its forward
    /// kinematics and the goals are as the iterations should see them. `false` means that
    /// the skeleton, the pose or the goals belong to another problem; the report says so
    /// already.
    pub(crate) fn begin(&mut self, skeleton: &Skeleton, goals: &GoalSet, pose: &mut Pose) -> bool {
        self.report.iterations = 0;
        self.report.attempts = 1;
        self.report.cause = None;
        let asked = goals.as_slice().iter().zip(&self.built_for);
        let kept = |g: &Goal, built: &Goal| {
            g.effector == built.effector
                && g.relative_to == built.relative_to
                && g.target.same_kind(&built.target)
        };
        let same = skeleton.fingerprint() == self.fingerprint
            && goals.len() == self.built_for.len()
            && pose.len() == skeleton.len()
            && asked.into_iter().all(|(g, built)| kept(g, built))
            && goals.posture().is_none_or(|p| self.has_posture && p.is_valid(skeleton))
            && goals.bad_bound(skeleton).is_none()
            && (self.has_speed || goals.speed().is_none())
            && goals.mimics() == self.mimics
            && !self.guards.foreign(goals);
        if !same {
            self.report.status = Status::NotReached;
            self.report.cause = Some(Cause::Mismatch);
            self.report.residuals.fill(GoalResidual::UNKNOWN);
            return false;
        }
        self.mended = pose.mend();
        self.model.update(skeleton, pose);
        self.given.copy_from(pose);
        if let Some(descent) = &self.descent {
            self.guards.begin(goals, &descent.articulation, &self.model);
        }
        self.is_tied = goals.speed().is_some();
        self.reaches.fill(Real::INFINITY);
        if let Some(speed) = goals.speed() {
            for (joint, reach) in self.reaches.iter_mut().enumerate() {
                *reach = speed.reach(joint);
            }
        }
        self.influences.fill(0.0);
        self.out_of_reach = false;
        self.faded = false;
        for (i, goal) in goals.as_slice().iter().enumerate() {
            let influence = if goal.influence.is_finite() { goal.influence.clamp(0.0, 1.0) } else { 0.0 };
            self.usable[i] = goal.is_active() && influence > 0.0 && goal.is_valid();
            self.working[i] = *goal;
            if !self.usable[i] {
                continue;
            }
            self.faded |= influence < 1.0;
            self.draw_in(i, skeleton);
            for end in [Some(goal.effector.joint), goal.relative_to].into_iter().flatten() {
                for joint in skeleton.ancestors(end).filter(|&joint| goal.is_moved_by(skeleton, joint)) {
                    let most = &mut self.influences[joint.index()];
                    *most = most.max(influence);
                }
            }
        }
        for mimic in goals.mimics().iter().rev() {
            let most = self.influences[mimic.joint.index()];
            let source = &mut self.influences[mimic.source.index()];
            *source = source.max(most);
        }
        let mut moved = false;
        for mimic in goals.mimics().iter().filter(|m| self.influences[m.source.index()] > 0.0) {
            moved |= mimic.apply(skeleton, pose);
        }
        if moved {
            self.model.update(skeleton, pose);
        }
        true
    }

    /// Draws a goal's target in if it is out of reach.
    fn draw_in(&mut self, goal: usize, skeleton: &Skeleton) {
        let drawn = draw_in(&mut self.working[goal], skeleton, &self.model, self.tolerance);
        let too_far = drawn > 0.0 && drawn >= self.tolerance.position;
        self.out_of_reach |= too_far;
        let left = self.tolerance.position - if too_far { 0.0 } else { drawn };
        let size = self.extent + self.working[goal].target.position().map_or(0.0, Vec3::length);
        self.near[goal] = Tolerance {
            position: less_rounding(left, size),
            orientation: less_rounding(self.tolerance.orientation, 1.0),
        };
    }

    /// How near is near enough to a goal's target as it was drawn in, so that it is within
    /// the tolerance of the target itself if that can be had. The iterations and the report
    /// compute the same place in another order: what the iterations call near enough is so by
    /// more than the rounding, or a goal they have just met is reported as missed.
    #[inline]
    pub(crate) fn tolerance_of(&self, goal: usize) -> Tolerance {
        self.near[goal]
    }

    /// Whether nothing has to be done: the pose given meets every goal that asks for anything.
    /// Asked of the targets as they are and not as drawn in, so that a limb which an
    /// animation has stretched straight may stay so.
    pub(crate) fn is_done(&mut self, goals: &GoalSet) -> bool {
        let kept = self.look_at_bounds();
        kept && goals
            .as_slice()
            .iter()
            .zip(&self.usable)
            .all(|(goal, usable)| !usable || GoalResidual::measure(goal, &self.model).within(self.tolerance))
    }

    /// The bounds on the whole body.
    #[inline]
    pub(crate) fn guards(&self) -> &Guards {
        &self.guards
    }

    /// Measures the bounds on the model pose; whether all are kept.
    fn look_at_bounds(&mut self) -> bool {
        let Some(descent) = &mut self.descent else { return true };
        descent.look_at(&self.guards, &self.model);
        descent.now.watch.worst().is_none()
    }

    /// Brings the joints that the goals can move within their limits.
    pub(crate) fn bring_within_limits(&mut self, skeleton: &Skeleton, pose: &mut Pose) {
        self.outside = false;
        for (i, joint) in skeleton.joints().iter().enumerate() {
            if self.influences[i] > 0.0 && turn::moves(joint) {
                let (q, t) = (pose.rotations[i], pose.translations[i]);
                let (inside, shift) = (joint.project(q), joint.project_translation(t));
                if (inside, shift) != (q, t) {
                    pose.rotations[i] = inside;
                    pose.translations[i] = shift;
                    self.outside = true;
                }
            }
        }
        if self.outside {
            self.model.update(skeleton, pose);
        }
        if self.has_speed {
            self.tied.copy_from(pose);
        }
    }

    /// Whether an active goal can move a joint, by its place in the skeleton.
    pub(crate) fn moves(&self, joint: usize) -> bool {
        self.influences[joint] > 0.0
    }

    /// Whether speeds are bounded.
    pub(crate) fn is_tied(&self) -> bool {
        self.is_tied
    }

    /// Bounds how far the nodes of a problem move in this solve.
    pub(crate) fn tie(&self, articulation: &mut Articulation) {
        articulation.tie(&self.reaches, &self.tied);
    }

    /// Whether a goal asks for a part of the way only.
    pub(crate) fn is_faded(&self) -> bool {
        self.faded
    }

    /// Whether a joint that the goals can move was given outside of its limit.
    pub(crate) fn was_outside(&self) -> bool {
        self.outside
    }

    /// Goes from the solved pose back towards the one given, joint by joint by the largest
    /// influence on it, and takes for targets what lies a part of the way from where the
    /// effectors were given to where they are in the solution, met or not.
    pub(crate) fn fade(&mut self, skeleton: &Skeleton, goals: &GoalSet, pose: &mut Pose) {
        self.model.update(skeleton, pose);
        for goal in &mut self.working {
            goal.target = goal.target.met_at(goal.standing(&self.model));
        }
        self.model.update(skeleton, &self.given);
        for (i, goal) in goals.as_slice().iter().enumerate() {
            if self.usable[i] {
                let now = goal.standing(&self.model);
                self.working[i].target = self.working[i].target.part_of_the_way(now, goal.influence);
                self.draw_in(i, skeleton);
            }
        }
        for (i, &part) in self.influences.iter().enumerate() {
            if part > 0.0 && part < 1.0 {
                let (from, to) = (self.given.rotations[i], pose.rotations[i]);
                pose.rotations[i] = skeleton.joints()[i].along_the_limit(from, to, part);
                let (from, to) = (self.given.translations[i], pose.translations[i]);
                // Not `lerp`, which rounds a shift that nothing has moved.
                pose.translations[i] = from + (to - from) * part;
            }
        }
        self.model.update(skeleton, pose);
    }

    /// The posture to be drawn to, if there is one.
    pub(crate) fn posture<'a>(&self, goals: &'a GoalSet) -> Option<&'a PostureGoal> {
        goals.posture().filter(|posture| posture.weight > 0.0)
    }

    /// The pose given with the joints that the goals can move at rest, lent to a solve from
    /// there; the model pose is that of it.
    pub(crate) fn take_rest(&mut self, skeleton: &Skeleton) -> Pose {
        let empty = Pose { rotations: Vec::new(), translations: Vec::new() };
        let mut rest = core::mem::replace(&mut self.spare, empty);
        rest.copy_from(&self.given);
        for (i, joint) in skeleton.joints().iter().enumerate() {
            if self.influences[i] > 0.0 && turn::moves(joint) {
                rest.rotations[i] = joint.project(Quat::IDENTITY);
            }
        }
        self.model.update(skeleton, &rest);
        rest
    }

    /// Takes back what [`take_rest`](Self::take_rest) lent.
    pub(crate) fn give_back(&mut self, pose: Pose) {
        self.spare = pose;
    }

    /// A goal as the iterations should see it: with its target drawn in where
    /// it lies out of reach.
    #[inline]
    pub(crate) fn goal(&self, index: usize) -> &Goal {
        &self.working[index]
    }

    /// All goals as the iterations should see them.
    #[inline]
    pub(crate) fn goals(&self) -> &[Goal] {
        &self.working
    }

    /// The sum of the squared errors of all usable goals, whose effectors stand
    /// where `effector` says.
    pub(crate) fn cost(&self, effector: impl Fn(usize) -> Transform) -> Real {
        let usable = self.working.iter().enumerate().filter(|(i, _)| self.usable[*i]);
        usable.map(|(i, goal)| goal.squared_error(effector(i))).sum()
    }

    /// Whether a goal is active and its target can be used this frame.
    #[inline]
    pub(crate) fn usable(&self, goal: usize) -> bool {
        self.usable[goal]
    }

    /// The effector of a goal.
    #[inline]
    pub(crate) fn effector(&self, goal: usize) -> Effector {
        self.built_for[goal].effector
    }

    /// Where the effector of a goal stands in the model pose, in the space of the goal's target.
    #[inline]
    pub(crate) fn standing(&self, goal: usize) -> Transform {
        self.built_for[goal].standing(&self.model)
    }

    /// Whether every usable goal is met by effectors that stand where `effector` says.
    pub(crate) fn all_met(&self, effector: impl Fn(usize) -> Transform) -> bool {
        (0..self.working.len()).all(|i| self.met(i, effector(i)))
    }

    /// Whether every usable goal is as near as this.
    pub(crate) fn all_within(&self, tolerance: Tolerance, effector: impl Fn(usize) -> Transform) -> bool {
        (0..self.working.len()).all(|i| self.within(tolerance, i, effector(i)))
    }

    /// Whether a goal is met by an effector that stands here; one that cannot
    /// be used wants nothing.
    pub(crate) fn met(&self, goal: usize, effector: Transform) -> bool {
        self.within(self.tolerance_of(goal), goal, effector)
    }

    fn within(&self, tolerance: Tolerance, goal: usize, effector: Transform) -> bool {
        !self.usable[goal] || GoalResidual::measure_at(&self.working[goal], effector).within(tolerance)
    }

    /// Whether some target lies so far out of reach that nothing comes within the tolerance of it.
    pub(crate) fn any_out_of_reach(&self) -> bool {
        self.out_of_reach
    }

    /// Measures the returned pose and fills in the report.
    pub(crate) fn finish(
        &mut self,
        skeleton: &Skeleton,
        goals: &GoalSet,
        pose: &mut Pose,
        iterations: u32,
        stop: Stop,
    ) -> &SolveReport {
        if !pose.is_finite() {
            // No solver does this; if one ever did, the promise still holds.
            pose.copy_from(&self.given);
        }
        for (i, joint) in skeleton.joints().iter().enumerate() {
            if self.influences[i] == 0.0 || !turn::moves(joint) {
                pose.rotations[i] = self.given.rotations[i];
                pose.translations[i] = self.given.translations[i];
            }
        }
        for mimic in goals.mimics() {
            if self.influences[mimic.source.index()] > 0.0 {
                mimic.apply(skeleton, pose);
            }
        }
        self.model.update(skeleton, pose);
        self.report.iterations = iterations;
        self.look_at_bounds();
        let worst = self.report.measure(goals, &self.model, self.tolerance);
        let unusable = goals.iter().find(|(id, goal)| goal.is_active() && !self.usable[id.index()]);
        for ((residual, &usable), goal) in
            self.report.residuals.iter_mut().zip(&self.usable).zip(goals.as_slice())
        {
            if !usable && !goal.is_valid() {
                *residual = GoalResidual::UNKNOWN;
            }
        }
        self.report.status = Status::NotReached;
        self.report.cause = if let Some((goal, _)) = unusable {
            Some(Cause::NotFinite { goal })
        } else if let Some(broken) = self.broken_bound(worst) {
            Some(broken)
        } else if let Some(goal) = worst {
            Some(self.why(skeleton, goals, pose, goal, stop))
        } else {
            self.report.status = Status::Reached;
            let outside = || self.left_outside(skeleton, pose);
            self.mended.map(|joint| Cause::Mended { joint }).or_else(outside)
        };
        &self.report
    }

    /// Lets go of what belongs to the caller, after a solve.
    pub(crate) fn end(&mut self) {
        self.guards.end();
    }

    /// The bound on the whole body that the model pose breaks most.
    fn broken_bound(&self, goal: Option<GoalId>) -> Option<Cause> {
        let worst = self.descent.as_ref()?.now.watch.worst()?;
        Some(self.guards.cause(worst, goal))
    }

    fn why(&mut self, skeleton: &Skeleton, goals: &GoalSet, pose: &Pose, goal: GoalId, stop: Stop) -> Cause {
        if goals.get(goal).is_some_and(|g| g.influence < 1.0) {
            return Cause::Faded { goal };
        }
        let bound = match (&mut self.descent, goals.get(goal)) {
            (Some(descent), Some(g)) if goals.bound().is_some() => {
                descent.articulation.tie(&self.reaches, &self.tied);
                descent.pressed(&self.guards, pose, goal, g)
            }
            _ => None,
        };
        diagnose::cause(skeleton, goals, pose, &self.model, goal, self.tolerance, stop, 0.0, bound)
    }

    /// The joint that no goal moves and that was given furthest outside of its limit.
    fn left_outside(&self, skeleton: &Skeleton, pose: &Pose) -> Option<Cause> {
        pose.worst_violation(skeleton).map(|(joint, by)| Cause::OutsideLimit { joint, by })
    }
}

/// A tolerance less what rounding may add to an error of things of that size.
fn less_rounding(tolerance: Real, size: Real) -> Real {
    tolerance - (ROUNDING * size).min(0.1 * tolerance)
}

/// What rounding adds to a place or a turn, as a part of its size.
const ROUNDING: Real = 8.0 * Real::EPSILON;

/// The longest way from the root along the bones at rest.
fn extent(skeleton: &Skeleton) -> Real {
    let mut ways = alloc::vec![0.0; skeleton.len()];
    let mut longest: Real = 0.0;
    for id in skeleton.ids() {
        let joint = skeleton.joint(id);
        let before = joint.parent().map_or(0.0, |parent| ways[parent.index()]);
        ways[id.index()] = before + joint.rest().translation.length();
        longest = longest.max(ways[id.index()]);
    }
    longest
}

/// Moves a target that lies beyond the stretched chain, or nearer than the
/// folded one, to just inside of what can be reached.
///
/// A chain that is drawn out straight has no direction to bend: when the target
/// comes back, it stays straight until rounding bends it somewhere, and pops.
/// A part of the tolerance short of straight it always keeps a bend, and what it
/// keeps is too little to count as an error.
///
/// Returns how far it was moved.
fn draw_in(goal: &mut Goal, skeleton: &Skeleton, model: &ModelPose, tolerance: Tolerance) -> Real {
    let wanted = match goal.target.position() {
        // Where a moving frame has it, nothing is known of its reach.
        _ if goal.relative_to.is_some() => return 0.0,
        Some(p) if p.is_finite() && goal.position_axes.min_element() > 0.0 => p,
        _ => return 0.0,
    };
    let Some(shell) = Shell::of(skeleton, model, goal) else { return 0.0 };
    let slack = (SHORT * tolerance.position).min(0.1 * (shell.outer - shell.inner));
    let away = wanted - shell.centre;
    let distance = away.length();
    let reachable = distance.max(shell.inner + slack).min(shell.outer - slack);
    if reachable == distance || distance <= TINY {
        return 0.0;
    }
    let drawn = shell.centre + away * (reachable / distance);
    goal.target = match goal.target {
        Target::Pose(pose) => Target::Pose(Transform::new(drawn, pose.rotation)),
        Target::Contact { axis, normal, .. } => Target::Contact { axis, at: drawn, normal },
        _ => Target::Position(drawn),
    };
    drawn.distance(wanted)
}

/// How far short of straight a chain stays, as a part of the tolerance.
const SHORT: Real = 0.9;
