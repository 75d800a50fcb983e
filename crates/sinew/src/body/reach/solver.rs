//! From a target of the hand to a posture of the whole body.

mod arm;
mod blend;
mod go_on;
mod lean;
#[cfg(feature = "collision")]
mod planning;
mod posture;
mod published;
mod report;

use alloc::vec::Vec;

#[cfg(feature = "collision")]
pub(super) use planning::place_plainly;
pub use report::ReachReport;

use self::arm::Arm;
use self::blend::Posed;
use super::behaviour::Behaviour;
use super::frame::SwingFrame;
use super::plane::PlaneWeights;
#[cfg(feature = "collision")]
use super::surroundings::Surroundings;
use super::values::KeyValues;
use super::whole_body::WholeBody;
use crate::analytic::{Limb, LimbFollower, LimbFollowerOptions, LimbGoal, LimbReport};
use crate::error::RigError;
use crate::goal::{GoalId, Target};
use crate::math::*;
use crate::pose::{ModelPose, Pose};
use crate::report::{Cause, Status};
use crate::skeleton::humanoid::{HumanoidMap, Side};
use crate::skeleton::{JointId, Skeleton};

/// How a [`ReachSolver`] works.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ReachOptions {
    /// The right hand's share where both hands have a target and their behaviours pose
    /// the same joint: 0.5 is the mean, more is a right-handed character.
    pub right_share: Real,
    /// How fast the arms go on from the last solve. What would be a jump (the elbow has to go
    /// round an obstacle, or over to the other side of a limit) is made over several solves, with
    /// the hand off its goal meanwhile and the report saying so. With `None` every solve is by
    /// itself, whatever was before.
    pub follow: Option<LimbFollowerOptions>,
    /// Whether the legs hold the feet where the initial posture has them.
    pub hold_feet: bool,
    /// How often to halve between a posture that fails (a foot lost, a body in
    /// contact) and one that does not.
    pub refinements: u32,
    /// Whether to work as the paper does and no further: every solve by itself, the elbow's swivel angle
    /// as the paper counts and searches it, and the body's part in it by the behaviours' weight alone;
    /// see the [module](super).
    pub published: bool,
}

crate::report::show_fields!(ReachOptions);

impl Default for ReachOptions {
    fn default() -> Self {
        let follow = Some(LimbFollowerOptions::default());
        Self { right_share: 0.5, follow, hold_feet: true, refinements: 5, published: false }
    }
}

impl ReachOptions {
    /// As the paper has it.
    pub fn published() -> Self {
        Self { published: true, follow: None, ..Self::default() }
    }
}

#[derive(Debug, Clone)]
struct Leg {
    limb: Limb,
    /// Where the initial posture has the foot.
    foot: Transform,
}

/// What the whole body went on for, and what came of it for each hand.
type Settled = ([Option<LimbGoal>; 2], [Option<LimbReport>; 2]);

/// What a hand wants of the body.
#[derive(Debug, Clone, Copy)]
struct Wish {
    target: LimbGoal,
    swing: Vec2,
    weights: PlaneWeights,
    values: KeyValues,
    /// The paper's u, before corrections.
    weight: Real,
    /// This hand's part of the joints that both hands' behaviours pose.
    share: Real,
}

/// Reaches with the whole body: built for a skeleton, called every frame, where it
/// cannot fail, allocate or panic; see the [module](super).
///
/// ```
/// use sinew::body::reach::{ReachOptions, ReachSolver, Style};
/// use sinew::skeleton::humanoid::{HumanoidMap, Side};
/// use sinew::{ModelPose, Pose, Target, Vec3, rigs};
/// let human = rigs::humanoid(rigs::SwingModel::Ellipse);
/// let map = HumanoidMap::find(&human);
/// let mut pose = Pose::rest(&human);
/// let mut solver = ReachSolver::new(&human, &map, &pose, ReachOptions::default())?;
/// for side in Side::BOTH {
///     solver.set_behaviour(Style::Plain.behaviour(&human, &map, side).unwrap())?;
/// }
/// // A cup on a low table, further than the arm is long.
/// let cup = Vec3::new(-0.2, 0.7, 0.6);
/// let targets = [(Side::Right, Target::Position(cup))];
/// assert!(solver.solve(&human, &targets, 1.0 / 60.0, &mut pose).reached());
/// let wrist = human.find("r_wrist").unwrap();
/// assert!(ModelPose::new(&human, &pose).position(wrist).distance(cup) < 1e-4);
/// # Ok::<(), sinew::error::RigError>(())
/// ```
#[derive(Debug, Clone)]
pub struct ReachSolver {
    fingerprint: u64,
    arms: [Option<Arm>; 2],
    legs: [Option<Leg>; 2],
    /// The leg that was the last not to hold its foot.
    weaker_leg: usize,
    options: ReachOptions,
    initial: Pose,
    initial_model: ModelPose,
    /// The posture under construction and where it puts the joints.
    pose: Pose,
    model: ModelPose,
    /// The joints that any behaviour may pose: all but those that legs decide.
    joints: Vec<Posed>,
    /// Those of them that one does.
    posed: Vec<Posed>,
    /// The joints that carry arms and legs, in runs: all that solving those needs to know.
    carriers: Vec<core::ops::Range<usize>>,
    report: ReachReport,
    /// How much of the posture the last solve kept; `None` if there was none.
    kept: Option<Real>,
    /// What goes on where the behaviours stop.
    whole_body: WholeBody,
    /// Where the whole body went on to in the last solve, and whether it did.
    gone: Pose,
    goes_on: bool,
    /// Whether a hand was short all the same.
    refused: bool,
    /// The last solve's pose, and by how much the targets' own way since then turns the arms.
    last: Pose,
    moved: Real,
    /// The posture of the behaviours, while the whole body goes on from it, and what it went on for and
    /// came to, which holds as long as nothing changes.
    style: Pose,
    settled: Option<Settled>,
    settled_style: Pose,
    /// What a descent has found, while the arms make up for the last bit.
    found: Pose,
    /// The time step of this solve, in seconds.
    dt: Real,
}

impl ReachSolver {
    /// A solver for the arms and legs that the map knows. The body reaches from the
    /// initial posture and comes back to it. Without a behaviour the arms reach alone.
    pub fn new(
        skeleton: &Skeleton,
        map: &HumanoidMap,
        initial: &Pose,
        options: ReachOptions,
    ) -> Result<Self, RigError> {
        let mut options = options;
        if options.published {
            options.follow = None;
        }
        let follow = options.follow.unwrap_or_default();
        if !((0.0..=1.0).contains(&options.right_share) && follow.is_valid()) {
            return Err(RigError::BadOption("right_share or follow"));
        }
        let facing = map.facing().ok_or(RigError::NoFacing)?;
        let mut failed = None;
        let arms = Side::BOTH.map(|side| match Limb::arm(skeleton, map, side) {
            Ok(limb) => {
                let shoulder = limb.joints().upper;
                let mut trunk: Vec<_> = skeleton.ancestors(shoulder).skip(1).map(|j| (j, None)).collect();
                trunk.reverse();
                let frame = SwingFrame::new(skeleton, shoulder, facing, side);
                Some(Arm {
                    follower: LimbFollower::new(limb, follow),
                    frame,
                    trunk,
                    behaviour: None,
                    hint: 0,
                    target: None,
                    weight: None,
                    #[cfg(feature = "collision")]
                    detour: None,
                })
            }
            Err(error) => {
                failed = Some(error);
                None
            }
        });
        if let ([None, None], Some(error)) = (&arms, failed) {
            return Err(error);
        }
        let legs = Side::BOTH.map(|side| {
            Limb::leg(skeleton, map, side).ok().map(|limb| Leg { limb, foot: Transform::IDENTITY })
        });
        let limbs = arms.iter().flatten().map(|arm| arm.limb());
        let limbs = limbs.chain(legs.iter().flatten().map(|leg| &leg.limb));
        let mut carriers = alloc::vec![false; skeleton.len()];
        for joint in limbs.flat_map(|limb| skeleton.ancestors(limb.joints().upper).skip(1)) {
            carriers[joint.index()] = true;
        }
        let mut at = 0;
        let runs = carriers.chunk_by(|a, b| a == b).filter_map(|run| {
            at += run.len();
            run[0].then_some(at - run.len()..at)
        });
        let carriers = runs.collect();
        let in_limb = |limb: &Limb, joint: JointId| {
            let joints = limb.joints();
            [joints.upper, joints.lower, joints.end].contains(&joint)
        };
        let of_arm = |joint| (0..2).find(|&i| arms[i].as_ref().is_some_and(|arm| in_limb(arm.limb(), joint)));
        let of_leg = |joint| legs.iter().flatten().any(|leg| in_limb(&leg.limb, joint));
        let joints = skeleton.ids().filter(|&joint| !of_leg(joint));
        let joints = joints.map(|id| Posed::new(id, skeleton.joint(id), of_arm(id))).collect();
        let whole_body = WholeBody::new(
            skeleton,
            map,
            facing,
            arms.each_ref().map(|arm| arm.as_ref().map(Arm::limb)),
            legs.each_ref().map(|leg| leg.as_ref().map(|leg| &leg.limb).filter(|_| options.hold_feet)),
        )?;
        let rest = Pose::rest(skeleton);
        let rest_model = ModelPose::rest(skeleton);
        let mut solver = Self {
            fingerprint: skeleton.fingerprint(),
            arms,
            legs,
            weaker_leg: 0,
            options,
            initial: rest.clone(),
            whole_body,
            gone: rest.clone(),
            goes_on: false,
            refused: false,
            last: rest.clone(),
            moved: 0.0,
            style: rest.clone(),
            settled: None,
            settled_style: rest.clone(),
            found: rest.clone(),
            initial_model: rest_model.clone(),
            pose: rest,
            model: rest_model,
            joints,
            posed: Vec::new(),
            carriers,
            report: ReachReport::new(),
            kept: None,
            dt: time_step(0.0),
        };
        solver.set_initial(skeleton, initial)?;
        Ok(solver)
    }

    /// Reaches from another posture from now on, with the feet where it has them.
    pub fn set_initial(&mut self, skeleton: &Skeleton, initial: &Pose) -> Result<(), RigError> {
        if initial.len() != skeleton.len() || self.initial.len() != initial.len() || !initial.is_finite() {
            return Err(RigError::Foreign("the initial posture".into()));
        }
        self.initial.copy_from(initial);
        self.initial_model.update(skeleton, initial);
        for posed in self.joints.iter_mut().chain(&mut self.posed) {
            posed.start_from(initial);
        }
        for leg in self.legs.iter_mut().flatten() {
            leg.foot = self.initial_model.transform(leg.limb.joints().end);
        }
        self.whole_body.plant(&self.initial_model);
        self.forget();
        Ok(())
    }

    /// The posture that is reached from.
    pub fn initial(&self) -> &Pose {
        &self.initial
    }

    /// The same in model space.
    pub fn initial_model(&self) -> &ModelPose {
        &self.initial_model
    }

    /// Begins anew: arms start from the initial posture and may go anywhere at once.
    pub fn forget(&mut self) {
        for arm in self.arms.iter_mut().flatten() {
            arm.follower.forget();
        }
        self.kept = None;
        self.goes_on = false;
        self.settled = None;
    }

    /// Takes a behaviour for the arm that it is for.
    pub fn set_behaviour(&mut self, behaviour: Behaviour) -> Result<(), RigError> {
        if behaviour.keys().iter().any(|key| key.pose.len() != self.initial.len()) {
            return Err(RigError::Foreign(alloc::format!("the behaviour '{}'", behaviour.name())));
        }
        let Some(arm) = &mut self.arms[behaviour.side() as usize] else { return Ok(()) };
        arm.behaviour = Some(behaviour);
        arm.hint = 0;
        self.posed = self.find_posed();
        for arm in self.arms.iter_mut().flatten() {
            for (joint, place) in &mut arm.trunk {
                *place = self.posed.iter().position(|posed| posed.joint == *joint);
            }
        }
        Ok(())
    }

    /// The behaviour of an arm.
    pub fn behaviour(&self, side: Side) -> Option<&Behaviour> {
        self.arms[side as usize].as_ref()?.behaviour.as_ref()
    }

    /// The arm of a side, if the skeleton has one.
    pub fn arm(&self, side: Side) -> Option<&Limb> {
        self.arms[side as usize].as_ref().map(Arm::limb)
    }

    fn find_posed(&self) -> Vec<Posed> {
        let mut posed = self.joints.clone();
        for (side, arm) in self.arms.iter().enumerate() {
            let Some(behaviour) = arm.as_ref().and_then(|arm| arm.behaviour.as_ref()) else { continue };
            for joint in &mut posed {
                joint.take_keys(side, behaviour);
            }
        }
        posed.retain(|joint| joint.by != [false; 2]);
        posed
    }

    /// Sets the pose to one that reaches the targets as well as it can, `dt` seconds after the
    /// last solve, and says what came of it. A target is where a hand's joint, the wrist, should
    /// be in model space; one without a point leaves the wrist where the initial posture has it. A
    /// hand without a target belongs to the body's posture. What `pose` was does not matter: the
    /// body reaches from the initial posture. The skeleton must be the one that the solver was built for. A time step
    /// of zero, a negative one or one that is not a number counts as a microsecond; how long ago
    /// the last solve was does not matter to the first one.
    pub fn solve(
        &mut self,
        skeleton: &Skeleton,
        targets: &[(Side, Target)],
        dt: Real,
        pose: &mut Pose,
    ) -> &ReachReport {
        let Some((wishes, kept)) = self.begin(skeleton, targets, dt, pose) else { return &self.report };
        for side in self.order() {
            match &wishes[side as usize] {
                Some(wish) => self.reach_alone(skeleton, side as usize, wish, kept),
                None => self.let_go(skeleton, side as usize),
            }
        }
        self.go_on(skeleton, &wishes);
        self.end(targets, kept, pose);
        &self.report
    }

    /// The same among things that must not be touched: the body takes part less,
    /// down to not at all, until it is free, and the arm's swivel is searched.
    #[cfg(feature = "collision")]
    pub fn solve_among(
        &mut self,
        skeleton: &Skeleton,
        targets: &[(Side, Target)],
        surroundings: &mut Surroundings,
        dt: Real,
        pose: &mut Pose,
    ) -> &ReachReport {
        let Some((wishes, mut kept)) = self.begin(skeleton, targets, dt, pose) else { return &self.report };
        self.report.tests += 1;
        self.model.update(skeleton, &self.pose);
        if surroundings.body_contact(&self.model, wishes.map(|wish| wish.is_some())).is_some() {
            kept = self.withdraw(skeleton, &wishes, surroundings, kept);
        }
        for side in self.order() {
            match &wishes[side as usize] {
                Some(wish) => self.reach_among(skeleton, side as usize, wish, kept, surroundings),
                None => self.let_go(skeleton, side as usize),
            }
        }
        if self.go_on(skeleton, &wishes) {
            self.keep_clear(skeleton, &wishes, surroundings);
        }
        self.end(targets, kept, pose);
        &self.report
    }

    /// What the hands want and how much of the posture is kept, with the body posed so; `None` if
    /// nothing sensible is asked.
    fn begin(
        &mut self,
        skeleton: &Skeleton,
        targets: &[(Side, Target)],
        dt: Real,
        pose: &Pose,
    ) -> Option<([Option<Wish>; 2], Real)> {
        self.report = ReachReport::new();
        self.dt = time_step(dt);
        let mut wishes = self.wishes(skeleton, targets, pose)?;
        let kept = self.pose_body(skeleton, &mut wishes);
        Some((wishes, kept))
    }

    /// Hands out the posture and says what came of it.
    fn end(&mut self, targets: &[(Side, Target)], kept: Real, pose: &mut Pose) {
        self.report.kept = kept;
        self.kept = self.options.follow.map(|_| kept);
        pose.copy_from(&self.pose);
        self.last.copy_from(&self.pose);
        let mut reached = self.report.cause.is_none();
        for side in self.order() {
            let Some(hand) = &self.report.hands[side as usize] else { continue };
            if target_of(targets, side).is_none() {
                continue;
            }
            reached &= hand.reached();
            if self.report.cause.is_none() {
                self.report.cause = hand.outcome.cause.map(|cause| cause.of_goal(GoalId(side as u32)));
            }
        }
        self.report.status = if reached { Status::Reached } else { Status::NotReached };
    }

    /// The preferred hand first: the other makes way.
    fn order(&self) -> [Side; 2] {
        if self.options.right_share >= 0.5 { [Side::Right, Side::Left] } else { [Side::Left, Side::Right] }
    }

    /// What the hands want, or `None` if nothing sensible is asked; then the report says so.
    fn wishes(
        &mut self,
        skeleton: &Skeleton,
        targets: &[(Side, Target)],
        pose: &Pose,
    ) -> Option<[Option<Wish>; 2]> {
        if skeleton.fingerprint() != self.fingerprint || pose.len() != self.initial.len() {
            self.report.cause = Some(Cause::Mismatch);
            return None;
        }
        self.moved = 0.0;
        let both = Side::BOTH.iter().all(|side| target_of(targets, *side).is_some());
        let mut wishes = [None; 2];
        for side in Side::BOTH {
            let Some(target) = target_of(targets, side) else { continue };
            let goal = GoalId(side as u32);
            if !target.is_valid() {
                self.report.cause = Some(Cause::NotFinite { goal });
                return None;
            }
            let Some(arm) = &mut self.arms[side as usize] else {
                self.report.cause = Some(Cause::NoFreedom { goal });
                return None;
            };
            let end = arm.limb().joints().end;
            let target = LimbGoal::new(target, || self.initial_model.transform(end));
            let moved = arm.target.map_or(0.0, |last| last.distance(target.position));
            self.moved = self.moved.max(moved / arm.limb().reach().1.max(TINY));
            // A goal that moved further than the arm is long is no motion but another task.
            if self.moved > 1.0 {
                arm.follower.forget();
                self.kept = None;
                self.goes_on = false;
                self.settled = None;
            }
            arm.target = Some(target.position);
            let (swing, distance) = arm.frame.swing_to(&self.initial_model, target.position);
            let plane = arm.behaviour.as_ref().map(Behaviour::plane);
            let weights = plane.map_or(PlaneWeights::NONE, |plane| plane.weights(swing, arm.hint));
            arm.hint = weights.triangle;
            let values = arm.behaviour.as_ref().map_or(KeyValues::default(), |b| b.values(&weights));
            let weight = match &arm.behaviour {
                Some(_) => values.weight_at(distance, arm.limb().reach().1),
                None => 0.0,
            };
            let share = match (both, side) {
                (false, _) => 1.0,
                (true, Side::Right) => self.options.right_share,
                (true, Side::Left) => 1.0 - self.options.right_share,
            };
            wishes[side as usize] = Some(Wish { target, swing, weights, values, weight, share });
        }
        if wishes.iter().all(Option::is_none) {
            // Nobody wants anything: the initial posture is right.
            self.report.status = Status::Reached;
        }
        Some(wishes)
    }
}

/// The first target of a side.
fn target_of(targets: &[(Side, Target)], side: Side) -> Option<&Target> {
    targets.iter().find(|(of, _)| *of == side).map(|(_, target)| target)
}
