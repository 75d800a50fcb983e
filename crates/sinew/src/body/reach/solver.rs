//! From a target of the hand to a posture of the whole body.

mod lean;
mod report;

use alloc::vec::Vec;

pub use report::{HandReport, ReachReport, ReachTarget, ReachTargets};

use super::behaviour::Behaviour;
use super::frame::SwingFrame;
use super::plane::PlaneWeights;
#[cfg(feature = "collision")]
use super::surroundings::Surroundings;
use super::values::KeyValues;
use crate::analytic::{Limb, LimbError, LimbGoal, LimbOutcome, LimbReport, Swivel};
#[cfg(feature = "collision")]
use crate::collision::Contact;
use crate::goal::GoalId;
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
    /// How far a swivel may go from that of the last solve towards what the behaviour
    /// prefers, in radians; `None` takes the preferred one at once, whatever was before.
    /// The default, 7° a solve, brings an elbow round in a second at 30 frames.
    pub swivel_step: Option<Real>,
    /// Whether the legs hold the feet where the initial posture has them.
    pub hold_feet: bool,
    /// How often to halve between a posture that fails (a foot lost, a body in
    /// contact) and one that does not.
    pub refinements: u32,
}

impl Default for ReachOptions {
    fn default() -> Self {
        Self { right_share: 0.5, swivel_step: Some(0.12), hold_feet: true, refinements: 5 }
    }
}

/// Why a body cannot reach.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ReachError {
    /// Neither arm is there.
    #[error("no arm to reach with: {0}")]
    NoArm(LimbError),
    /// The map cannot say which way the character faces.
    #[error("it is not known which way the character faces")]
    NoFacing,
    /// A behaviour is for another skeleton.
    #[error("the behaviour '{0}' is not of this skeleton")]
    Behaviour(alloc::string::String),
    /// The initial posture is not of this skeleton, or not finite.
    #[error("the initial posture is not of this skeleton, or not finite")]
    Initial,
    /// An option is out of its range.
    #[error("the right hand's share must be between 0 and 1, and steps above 0")]
    Option,
}

#[derive(Debug, Clone)]
struct Arm {
    limb: Limb,
    frame: SwingFrame,
    /// From the root to the shoulder, which is all that moves it, each with its place
    /// among the posed joints.
    trunk: Vec<(JointId, Option<usize>)>,
    behaviour: Option<Behaviour>,
    /// Where the last walk on the swing plane ended.
    hint: u32,
    swivel: Option<Real>,
}

impl Arm {
    /// The target pulled onto the sphere of the stretched arm, and by how much. A
    /// goal that the limb can have keeps the elbow's swivel, which no longer matters to the
    /// distance there and would be free to wander.
    fn within_reach(&self, skeleton: &Skeleton, model: &ModelPose, target: &ReachTarget) -> (LimbGoal, Real) {
        let goal = target.goal();
        let shoulder = self.frame.shoulder;
        let rest = skeleton.joint(shoulder).rest().translation;
        let base = model.transform(self.frame.carrier).point(rest);
        let way = goal.position - base;
        let (distance, most) = (way.length(), self.limb.reach().1 * (1.0 - 1.0e-5));
        let beyond = distance - self.limb.reach().1;
        // Below the tolerance it is no matter.
        if beyond <= self.limb.tolerance().position {
            return (goal, 0.0);
        }
        (LimbGoal { position: base + way * (most / distance), ..goal }, beyond)
    }
}

/// What came of a goal that was pulled, as it is for the target itself, with the hand
/// at `hand`.
fn measured(mut report: LimbReport, beyond: Real, target: &ReachTarget, hand: Transform) -> LimbReport {
    report.residual.position = hand.translation.distance(target.position);
    report.residual.orientation =
        target.orientation.map_or(0.0, |q| rotation::angle(hand.rotation.conjugate() * q));
    if beyond > 0.0 && report.outcome == LimbOutcome::Reached {
        report.outcome = LimbOutcome::OutOfReach { by: beyond };
    }
    report
}

#[derive(Debug, Clone)]
struct Leg {
    limb: Limb,
    /// Where the initial posture has the foot.
    foot: Transform,
}

/// What a hand wants of the body.
#[derive(Debug, Clone, Copy)]
struct Wish {
    target: ReachTarget,
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
/// use sinew::body::reach::{ReachOptions, ReachSolver, ReachTarget, ReachTargets, Style};
/// use sinew::skeleton::humanoid::{HumanoidMap, Side};
/// use sinew::{ModelPose, Pose, Vec3, rigs};
/// let human = rigs::humanoid(rigs::SwingModel::Ellipse);
/// let map = HumanoidMap::find(&human);
/// let mut pose = Pose::rest(&human);
/// let mut solver = ReachSolver::new(&human, &map, &pose, ReachOptions::default())?;
/// for side in Side::BOTH {
///     solver.set_behaviour(Style::Plain.behaviour(&human, &map, side).unwrap())?;
/// }
/// // A cup on a low table, further than the arm is long.
/// let cup = Vec3::new(-0.2, 0.7, 0.6);
/// let targets = ReachTargets::one(Side::Right, ReachTarget::position(cup));
/// assert!(solver.solve(&human, &targets, &mut pose).reached());
/// let wrist = human.find("r_wrist").unwrap();
/// assert!(ModelPose::new(&human, &pose).position(wrist).distance(cup) < 1e-4);
/// # Ok::<(), sinew::body::reach::ReachError>(())
/// ```
#[derive(Debug, Clone)]
pub struct ReachSolver {
    arms: [Option<Arm>; 2],
    legs: [Option<Leg>; 2],
    options: ReachOptions,
    initial: Pose,
    initial_model: ModelPose,
    /// The posture under construction and where it puts the joints.
    pose: Pose,
    model: ModelPose,
    /// The joints that any behaviour poses, but for those that limbs decide.
    posed: Vec<Posed>,
    /// What the keys say of each of them in this solve, by side: weighted sums of
    /// rotations, which are not unit, and of translations.
    keyed: Vec<[(Quat, Vec3); 2]>,
    report: ReachReport,
}

/// A joint that behaviours pose.
#[derive(Debug, Clone, Copy)]
struct Posed {
    joint: JointId,
    /// Whether the left and the right arm's behaviour poses it.
    by: [bool; 2],
    /// The arm that it belongs to, which leaves it alone while it reaches.
    of_arm: Option<usize>,
}

impl ReachSolver {
    /// A solver for the arms and legs that the map knows. The body reaches from the
    /// initial posture and comes back to it. Without a behaviour the arms reach alone.
    pub fn new(
        skeleton: &Skeleton,
        map: &HumanoidMap,
        initial: &Pose,
        options: ReachOptions,
    ) -> Result<Self, ReachError> {
        let step = options.swivel_step.unwrap_or(1.0);
        if !((0.0..=1.0).contains(&options.right_share) && step > 0.0 && step.is_finite()) {
            return Err(ReachError::Option);
        }
        let facing = map.facing().ok_or(ReachError::NoFacing)?;
        let mut failed = None;
        let arms = Side::BOTH.map(|side| match Limb::arm(skeleton, map, side) {
            Ok(limb) => {
                let shoulder = limb.joints().upper;
                let mut trunk: Vec<_> = skeleton.ancestors(shoulder).skip(1).map(|j| (j, None)).collect();
                trunk.reverse();
                let frame = SwingFrame::new(skeleton, shoulder, facing, side);
                Some(Arm { limb, frame, trunk, behaviour: None, hint: 0, swivel: None })
            }
            Err(error) => {
                failed = Some(error);
                None
            }
        });
        if let ([None, None], Some(error)) = (&arms, failed) {
            return Err(ReachError::NoArm(error));
        }
        let legs = Side::BOTH.map(|side| {
            Limb::leg(skeleton, map, side).ok().map(|limb| Leg { limb, foot: Transform::IDENTITY })
        });
        let rest = Pose::rest(skeleton);
        let rest_model = ModelPose::rest(skeleton);
        let mut solver = Self {
            arms,
            legs,
            options,
            initial: rest.clone(),
            initial_model: rest_model.clone(),
            pose: rest,
            model: rest_model,
            posed: Vec::new(),
            keyed: Vec::new(),
            report: ReachReport::new(),
        };
        solver.set_initial(skeleton, initial)?;
        Ok(solver)
    }

    /// Reaches from another posture from now on, with the feet where it has them.
    pub fn set_initial(&mut self, skeleton: &Skeleton, initial: &Pose) -> Result<(), ReachError> {
        if initial.len() != skeleton.len() || self.initial.len() != initial.len() || !initial.is_finite() {
            return Err(ReachError::Initial);
        }
        self.initial.copy_from(initial);
        self.initial_model.update(skeleton, initial);
        for leg in self.legs.iter_mut().flatten() {
            leg.foot = self.initial_model.transform(leg.limb.joints().end);
        }
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

    /// Begins anew: elbows start from the initial posture.
    pub fn forget(&mut self) {
        for arm in self.arms.iter_mut().flatten() {
            arm.swivel = None;
        }
    }

    /// Takes a behaviour for the arm that it is for.
    pub fn set_behaviour(&mut self, behaviour: Behaviour) -> Result<(), ReachError> {
        if behaviour.keys().iter().any(|key| key.pose.len() != self.initial.len()) {
            return Err(ReachError::Behaviour(behaviour.name().into()));
        }
        let Some(arm) = &mut self.arms[behaviour.side() as usize] else { return Ok(()) };
        arm.behaviour = Some(behaviour);
        arm.hint = 0;
        self.posed = self.find_posed();
        self.keyed.resize(self.posed.len(), [(Quat::IDENTITY, Vec3::ZERO); 2]);
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
        self.arms[side as usize].as_ref().map(|arm| &arm.limb)
    }

    /// The frame in which targets of a side are swings.
    pub fn frame(&self, side: Side) -> Option<SwingFrame> {
        self.arms[side as usize].as_ref().map(|arm| arm.frame)
    }

    fn find_posed(&self) -> Vec<Posed> {
        let poses = |side: usize, joint: JointId| {
            let behaviour = self.arms[side].as_ref().and_then(|arm| arm.behaviour.as_ref());
            behaviour.is_some_and(|b| b.joints().contains(&joint))
        };
        let in_limb = |limb: &Limb, joint: JointId| {
            let joints = limb.joints();
            [joints.upper, joints.lower, joints.end].contains(&joint)
        };
        (0..self.initial.len() as u32)
            .map(JointId)
            .map(|joint| Posed {
                joint,
                by: [poses(0, joint), poses(1, joint)],
                of_arm: (0..2)
                    .find(|&side| self.arms[side].as_ref().is_some_and(|arm| in_limb(&arm.limb, joint))),
            })
            .filter(|posed| posed.by != [false; 2])
            .filter(|posed| !self.legs.iter().flatten().any(|leg| in_limb(&leg.limb, posed.joint)))
            .collect()
    }

    /// Sets the pose to one that reaches the targets as well as it can, and says
    /// what came of it. What `pose` was does not matter: the body reaches from
    /// the initial posture. The skeleton must be the one that the solver was built for.
    pub fn solve(&mut self, skeleton: &Skeleton, targets: &ReachTargets, pose: &mut Pose) -> &ReachReport {
        self.report = ReachReport::new();
        let Some(mut wishes) = self.wishes(skeleton, targets, pose) else { return &self.report };
        let kept = self.pose_body(skeleton, &mut wishes);
        self.report.kept = kept;
        for side in self.order() {
            if let Some(wish) = wishes[side as usize] {
                self.reach_alone(skeleton, side as usize, &wish, kept);
            }
        }
        self.finish(targets, pose);
        &self.report
    }

    /// The same among things that must not be touched: the body takes part less,
    /// down to not at all, until it is free, and the arm's swivel is searched.
    #[cfg(feature = "collision")]
    pub fn solve_among(
        &mut self,
        skeleton: &Skeleton,
        targets: &ReachTargets,
        surroundings: &mut Surroundings,
        pose: &mut Pose,
    ) -> &ReachReport {
        self.report = ReachReport::new();
        let Some(mut wishes) = self.wishes(skeleton, targets, pose) else { return &self.report };
        let mut kept = self.pose_body(skeleton, &mut wishes);
        let reaching = wishes.map(|wish| wish.is_some());
        self.report.tests += 1;
        if let Some(contact) = surroundings.body_contact(&self.model, reaching) {
            kept = self.withdraw(skeleton, &wishes, surroundings, kept, contact);
        }
        self.report.kept = kept;
        for side in self.order() {
            if let Some(wish) = wishes[side as usize] {
                self.reach_among(skeleton, side as usize, &wish, kept, surroundings);
            }
        }
        self.finish(targets, pose);
        &self.report
    }

    /// The preferred hand first: the other makes way.
    fn order(&self) -> [Side; 2] {
        if self.options.right_share >= 0.5 { [Side::Right, Side::Left] } else { [Side::Left, Side::Right] }
    }

    /// What the hands want, or `None` if nothing sensible is asked; then the report says so.
    fn wishes(
        &mut self,
        skeleton: &Skeleton,
        targets: &ReachTargets,
        pose: &Pose,
    ) -> Option<[Option<Wish>; 2]> {
        if skeleton.len() != self.initial.len() || pose.len() != self.initial.len() {
            self.report.cause = Some(Cause::Mismatch);
            return None;
        }
        let both = targets.left.is_some() && targets.right.is_some();
        let mut wishes = [None; 2];
        for side in Side::BOTH {
            let Some(target) = targets.get(side) else { continue };
            let goal = GoalId(side as u32);
            if !target.position.is_finite() || target.orientation.is_some_and(|q| !q.is_finite()) {
                self.report.cause = Some(Cause::NotFinite { goal: Some(goal) });
                return None;
            }
            let Some(arm) = &mut self.arms[side as usize] else {
                self.report.cause = Some(Cause::NoFreedom { goal });
                return None;
            };
            let (swing, distance) = arm.frame.swing_to(&self.initial_model, target.position);
            let plane = arm.behaviour.as_ref().map(Behaviour::plane);
            let weights = plane.map_or(PlaneWeights::NONE, |plane| plane.weights(swing, arm.hint));
            arm.hint = weights.triangle;
            let values = arm.behaviour.as_ref().map_or(KeyValues::default(), |b| b.values(&weights));
            let weight = match &arm.behaviour {
                Some(_) => values.weight.at(distance, arm.limb.reach().1),
                None => 0.0,
            };
            let share = match (both, side) {
                (false, _) => 1.0,
                (true, Side::Right) => self.options.right_share,
                (true, Side::Left) => 1.0 - self.options.right_share,
            };
            wishes[side as usize] = Some(Wish { target: *target, swing, weights, values, weight, share });
        }
        if wishes.iter().all(Option::is_none) {
            // Nobody wants anything: the initial posture is right.
            self.report.status = Status::Reached;
        }
        Some(wishes)
    }

    /// Blends the keys for every posed joint, once a solve.
    fn blend_keys(&mut self, wishes: &[Option<Wish>; 2]) {
        for (posed, keyed) in self.posed.iter().zip(&mut self.keyed) {
            for side in 0..2 {
                let (Some(wish), Some(arm), true) = (&wishes[side], &self.arms[side], posed.by[side]) else {
                    continue;
                };
                if let Some(behaviour) = &arm.behaviour {
                    let near = self.initial.rotations[posed.joint.index()];
                    keyed[side] = behaviour.blended(&wish.weights, posed.joint, near);
                }
            }
        }
    }

    /// The blended motion of one posed joint when `kept` of the weights counts.
    #[inline]
    fn blended(
        &self,
        skeleton: &Skeleton,
        wishes: &[Option<Wish>; 2],
        place: usize,
        kept: Real,
        within_limits: bool,
    ) -> (Quat, Vec3) {
        let posed = self.posed[place];
        let index = posed.joint.index();
        let start = (self.initial.rotations[index], self.initial.translations[index]);
        let share = |side: usize| match &wishes[side] {
            Some(wish) if posed.by[side] => (wish.share, wish.weight * kept),
            _ => (0.0, 0.0),
        };
        let shares = [share(0), share(1)];
        let total = shares[0].0 + shares[1].0;
        if total <= TINY {
            return start;
        }
        let mut rest = 0.0;
        let mut q = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
        let mut t = Vec3::ZERO;
        for ((share, weight), (key_q, key_t)) in shares.into_iter().zip(self.keyed[place]) {
            if share > 0.0 {
                let share = share / total;
                q += key_q * (share * weight);
                t += key_t * (share * weight);
                rest += share * (1.0 - weight);
            }
        }
        let q = rotation::normalize_or_identity(q + start.0 * rest);
        let t = t + start.1 * rest;
        if !within_limits {
            return (q, t);
        }
        let joint = skeleton.joint(posed.joint);
        (joint.project(q), joint.project_translation(t))
    }

    /// Poses trunk, head, other arm and legs, and returns how much of the
    /// weights was kept so that the feet stay.
    fn pose_body(&mut self, skeleton: &Skeleton, wishes: &mut [Option<Wish>; 2]) -> Real {
        self.blend_keys(wishes);
        self.lean_further(skeleton, wishes);
        self.pose_trunk(skeleton, wishes, 1.0);
        if self.pose_legs(skeleton, wishes, 1.0) {
            return 1.0;
        }
        self.largest_kept(skeleton, wishes, 1.0, |_| true)
    }

    /// The largest part below `most`, found by going down in quarters and then by halving,
    /// at which the feet hold and `fine` agrees; zero if there is none. The body is posed so.
    fn largest_kept(
        &mut self,
        skeleton: &Skeleton,
        wishes: &[Option<Wish>; 2],
        most: Real,
        mut fine: impl FnMut(&mut Self) -> bool,
    ) -> Real {
        let mut bad = most;
        let mut good = 0.0;
        for quarter in [0.75, 0.5, 0.25] {
            let kept = most * quarter;
            if self.pose_body_at(skeleton, wishes, kept) && fine(self) {
                good = kept;
                break;
            }
            bad = kept;
        }
        let mut posed = good;
        for _ in 0..self.options.refinements.min(24) {
            let kept = 0.5 * (good + bad);
            posed = kept;
            if self.pose_body_at(skeleton, wishes, kept) && fine(self) {
                good = kept;
            } else {
                bad = kept;
            }
        }
        if posed != good || good == 0.0 {
            self.pose_body_at(skeleton, wishes, good);
        }
        good
    }

    /// Poses the body with this part of the weights; whether the feet hold.
    fn pose_body_at(&mut self, skeleton: &Skeleton, wishes: &[Option<Wish>; 2], kept: Real) -> bool {
        self.pose_trunk(skeleton, wishes, kept);
        self.pose_legs(skeleton, wishes, kept)
    }

    /// Poses everything but the limbs that are solved.
    fn pose_trunk(&mut self, skeleton: &Skeleton, wishes: &[Option<Wish>; 2], kept: Real) {
        self.pose.copy_from(&self.initial);
        for i in 0..self.posed.len() {
            let posed = self.posed[i];
            // An arm that reaches is solved, not posed.
            if posed.of_arm.is_some_and(|arm| wishes[arm].is_some()) {
                continue;
            }
            let (q, t) = self.blended(skeleton, wishes, i, kept, true);
            self.pose.rotations[posed.joint.index()] = q;
            self.pose.translations[posed.joint.index()] = t;
        }
        self.model.update(skeleton, &self.pose);
    }

    /// Puts the feet where the initial posture has them; whether they hold.
    fn pose_legs(&mut self, skeleton: &Skeleton, wishes: &[Option<Wish>; 2], kept: Real) -> bool {
        self.report.feet = 0.0;
        // With nothing of a posture the legs are right as they are.
        if !self.options.hold_feet || wishes.iter().flatten().all(|wish| wish.weight * kept <= 0.0) {
            return true;
        }
        let mut hold = true;
        for leg in self.legs.iter().flatten() {
            let goal = LimbGoal::pose(leg.foot);
            let report = leg.limb.solve(skeleton, &self.model, &goal, Swivel::Last, &mut self.pose);
            self.report.feet = self.report.feet.max(report.residual.position);
            hold &= report.reached();
            self.model.update_below(skeleton, &self.pose, leg.limb.joints().upper);
        }
        hold
    }

    /// Takes less of the posture until the body is free of contact.
    #[cfg(feature = "collision")]
    fn withdraw(
        &mut self,
        skeleton: &Skeleton,
        wishes: &[Option<Wish>; 2],
        surroundings: &mut Surroundings,
        kept: Real,
        contact: Contact,
    ) -> Real {
        let reaching = wishes.map(|wish| wish.is_some());
        let mut last = contact;
        let kept = self.largest_kept(skeleton, wishes, kept, |solver| {
            solver.report.tests += 1;
            let found = surroundings.body_contact(&solver.model, reaching);
            last = found.unwrap_or(last);
            found.is_none()
        });
        // The parts stand where they were tested last; put them where the body is.
        let still = surroundings.body_contact(&self.model, reaching);
        if let Some(contact) = still {
            self.report.contact = Some(contact);
            self.report.cause = Some(surroundings.cause(&contact));
        }
        kept
    }

    /// The swivel to start from.
    fn wanted(&self, side: usize, wish: &Wish) -> Swivel {
        let preferred = wish.values.search.swivel;
        let last = self.arms[side].as_ref().and_then(|arm| arm.swivel);
        match (self.options.swivel_step, last) {
            (None, _) => Swivel::Preferred(preferred),
            (Some(_), None) => Swivel::Last,
            (Some(step), Some(last)) => {
                Swivel::Preferred(last + wrap_angle(preferred - last).clamp(-step, step))
            }
        }
    }

    fn reach_alone(&mut self, skeleton: &Skeleton, side: usize, wish: &Wish, kept: Real) {
        let swivel = self.wanted(side, wish);
        let Some(arm) = &mut self.arms[side] else { return };
        let (goal, beyond) = arm.within_reach(skeleton, &self.model, &wish.target);
        let limb = arm.limb.solve(skeleton, &self.model, &goal, swivel, &mut self.pose);
        self.model.update_below(skeleton, &self.pose, arm.limb.joints().upper);
        let hand = self.model.transform(arm.limb.joints().end);
        let limb = measured(limb, beyond, &wish.target, hand);
        arm.swivel = Some(limb.swivel);
        self.report.hands[side] = Some(HandReport { limb, swing: wish.swing, weight: wish.weight * kept });
    }

    #[cfg(feature = "collision")]
    fn reach_among(
        &mut self,
        skeleton: &Skeleton,
        side: usize,
        wish: &Wish,
        kept: Real,
        surroundings: &mut Surroundings,
    ) {
        let swivel = self.wanted(side, wish);
        let Some(arm) = &mut self.arms[side] else { return };
        let mut touched = None;
        let (goal, beyond) = arm.within_reach(skeleton, &self.model, &wish.target);
        let limb = arm.limb.solve_avoiding(
            skeleton,
            &self.model,
            &goal,
            swivel,
            &wish.values.search.search(),
            |posed| {
                let contact = surroundings.arm_contact(side, posed)?;
                // The first is at the pose that was wanted; what later tries meet
                // is not what stands in its way.
                touched.get_or_insert(contact);
                Some(surroundings.limb_contact(&contact))
            },
            &mut self.pose,
        );
        self.model.update_below(skeleton, &self.pose, arm.limb.joints().upper);
        let limb = measured(limb, beyond, &wish.target, self.model.transform(arm.limb.joints().end));
        arm.swivel = Some(limb.swivel);
        self.report.tests += limb.tests;
        if matches!(limb.outcome, LimbOutcome::Collision(_)) && self.report.contact.is_none() {
            self.report.contact = touched;
        }
        // The other hand, if it comes after, has to see where this one ended.
        surroundings.place_arm(side, &self.model);
        self.report.hands[side] = Some(HandReport { limb, swing: wish.swing, weight: wish.weight * kept });
    }

    /// Hands out the posture and says what came of it.
    fn finish(&mut self, targets: &ReachTargets, pose: &mut Pose) {
        pose.copy_from(&self.pose);
        let mut reached = self.report.cause.is_none();
        for side in self.order() {
            if targets.get(side).is_none() {
                continue;
            }
            let Some(hand) = &self.report.hands[side as usize] else { continue };
            reached &= hand.limb.reached();
            if self.report.cause.is_none() {
                self.report.cause = hand.limb.outcome.cause(GoalId(side as u32));
            }
        }
        self.report.status = if reached { Status::Reached } else { Status::NotReached };
    }
}
