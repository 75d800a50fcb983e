//! The body as far as a target needs it: the descent that goes on where a behaviour stops.
//!
//! A behaviour says how a body likes to reach, and the arm then reaches exactly. Where that leaves
//! the hand short (the arm is too short, a limit keeps the orientation from it), the whole body goes on
//! by one mechanism of the engine: the damped descent of the robust solver (`solver/nearby.rs`), from one start and
//! without restarts, with
//!
//! * the hands at their targets,
//! * the feet planted, as firm goals (a body without legs keeps its hips),
//! * the centre of mass over the feet ([`BalanceGoal`]),
//! * and what is left free drawn to the behaviour's posture ([`PostureGoal`]): the style.
//!
//! [`WholeBody::attain`] is that step: from this pose, drawn to this posture, the hands exactly at
//! their targets, the feet planted, in balance. It has no memory, so that whoever plans a motion may
//! call it for any frame.
//!
//! With the feature `collision` the body keeps clear of itself: where the descent leads a reaching arm
//! into the trunk, it is made once more from the same start with that as a bound
//! ([`ClearanceGoal`](crate::goal::ClearanceGoal)). Most descents touch nothing, and measuring the
//! distances of all parts in every step costs more than all the rest. What touches in the posture that
//! the body reaches from may go on touching. Where there is no way to stay clear the first answer stays: who
//! must not touch anything asks [`Surroundings`](super::Surroundings), which say what it is.
//!
//! # Continuity
//! With the hand short by a little the posture changes by a little, so that a target that leaves
//! what the behaviour reaches makes no jump. A caller that starts each frame from the last frame's
//! answer stays on one branch.

#[cfg(feature = "collision")]
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::analytic::{Limb, LimbGoal};
#[cfg(feature = "collision")]
use crate::collision::{CollisionBody, CollisionQuery, CollisionScene};
use crate::error::RigError;
#[cfg(feature = "collision")]
use crate::goal::ClearanceGoal;
use crate::goal::{BalanceGoal, Goal, GoalId, GoalSet, PostureGoal, Target};
use crate::math::*;
use crate::pose::{ModelPose, Pose};
use crate::report::{SolveReport, Tolerance};
use crate::skeleton::humanoid::{Facing, HumanoidBone, HumanoidMap, masses};
use crate::skeleton::{JointId, Skeleton};
use crate::solver::GoalSolver;
use crate::solver::nearby::{Nearby, NearbyOptions};

/// How much more a foot counts than a hand, so that a target that cannot be had does not drag the feet:
/// they give way by a ten-thousandth of what the hand is short.
const FIRM: Real = 10.0;
/// A sole, in parts of the leg's length: before the ankle, behind it and to each side. For a leg
/// of 85 cm that is a foot of 25 cm, 9 cm wide.
const SOLE: [Real; 3] = [0.21, 0.07, 0.055];
/// How strongly the style draws.
const STYLE: Real = PostureGoal::NATURAL;
/// Two steps towards hands and style together tell which joints should move; after that the hands alone
/// count, and a target that can be had takes some five steps.
const OPTIONS: NearbyOptions = NearbyOptions {
    tolerance: Tolerance { position: 1.0e-4, orientation: 1.0e-4 },
    drawn: 2,
    steps: 24,
    brief: true,
};

/// Among obstacles it takes more, and past them steps gain little for a while.
#[cfg(feature = "collision")]
const AMONG_STEPS: u32 = 60;

/// And its hands and feet are so near to their places that they stay within the tolerance of limbs when
/// the other ones are put right: an arm that is at its limits cannot make up for what it is off.
#[cfg(feature = "collision")]
const CLOSELY: Tolerance = Tolerance { position: 2.0e-5, orientation: 2.0e-5 };

/// A hand that is nearer than this to its target, in metres and weighted radians, has found the way there.
#[cfg(feature = "collision")]
const NEARLY: Real = 0.01;

/// The whole body's descent; see the [module](self).
#[derive(Debug, Clone)]
pub(super) struct WholeBody {
    /// The problems, by which hands reach: the joints of an idle arm are no part of one.
    asked: [Asked; 4],
    /// For each planted foot the corners of its sole, in the frame of its joint.
    soles: Vec<(JointId, [Vec3; 4])>,
    /// What no hand can leave: balls about planted joints, with the hand, where the joint stands and the radius.
    shells: Vec<Shell>,
    #[cfg(feature = "collision")]
    clear: Clear,
}

/// A ball that a hand cannot leave.
#[derive(Debug, Clone)]
struct Shell {
    side: usize,
    planted: JointId,
    centre: Vec3,
    radius: Real,
}

/// What is asked of the body for some hands.
#[derive(Debug, Clone)]
struct Asked {
    goals: GoalSet,
    hands: [Option<GoalId>; 2],
    /// What stays where it is, with the joint.
    planted: Vec<(GoalId, JointId)>,
    solver: Nearby,
    /// The same with the body kept clear of itself.
    #[cfg(feature = "collision")]
    clear: Nearby,
}

/// The place of a problem in [`WholeBody::asked`].
fn set_of(reaching: [bool; 2]) -> usize {
    usize::from(reaching[0]) | usize::from(reaching[1]) << 1
}

impl Asked {
    fn new(
        skeleton: &Skeleton,
        arms: [Option<&Limb>; 2],
        held: &[JointId],
        balance: Option<&BalanceGoal>,
        #[cfg(feature = "collision")] clearance: &ClearanceGoal,
    ) -> Result<Self, RigError> {
        let rest = ModelPose::rest(skeleton);
        let mut goals = GoalSet::new();
        let hands = arms.map(|arm| {
            let end = arm?.joints().end;
            Some(goals.add(Goal::pose(end, rest.transform(end))))
        });
        let firmly = |&joint: &JointId| {
            (goals.add(Goal::pose(joint, rest.transform(joint)).weights(FIRM, FIRM)), joint)
        };
        let planted = held.iter().map(firmly).collect();
        goals.set_balance(balance.cloned());
        goals.set_posture(Some(PostureGoal::new(Pose::rest(skeleton), STYLE)));
        #[cfg(feature = "collision")]
        let clear = {
            goals.set_clearance(Some(clearance.clone()));
            let solver = Nearby::new(skeleton, &goals, OPTIONS)?;
            goals.set_clearance(None);
            solver
        };
        Ok(Self {
            solver: Nearby::new(skeleton, &goals, OPTIONS)?,
            goals,
            hands,
            planted,
            #[cfg(feature = "collision")]
            clear,
        })
    }

    /// Asks for hands at their targets and, where `drawn`, for this style.
    fn ask(&mut self, targets: [Option<LimbGoal>; 2], style: &Pose, drawn: bool) {
        for (goal, target) in self.hands.iter().zip(targets) {
            let Some(goal) = *goal else { continue };
            self.goals.set_enabled(goal, target.is_some());
            if let Some(target) = target {
                let turned = target.orientation.is_some();
                let rotation = target.orientation.unwrap_or(Quat::IDENTITY);
                self.goals.set_target(goal, Target::Pose(Transform::new(target.position, rotation)));
                self.goals.set_weights(goal, 1.0, if turned { TURN } else { 0.0 });
            }
        }
        if let Some(posture) = self.goals.posture_mut() {
            posture.pose.copy_from(style);
            posture.weight = if drawn { STYLE } else { 0.0 };
        }
    }
}

/// What keeps the body clear of itself.
#[cfg(feature = "collision")]
#[derive(Debug, Clone)]
struct Clear {
    goal: ClearanceGoal,
    query: CollisionQuery,
    /// The body's parts, whatever the posture that it reaches from.
    body: Arc<CollisionBody>,
    /// The parts of each arm.
    arms: [Vec<usize>; 2],
    model: ModelPose,
    start: Pose,
    /// What was found without the bound.
    found: Pose,
}

#[cfg(feature = "collision")]
impl Clear {
    /// Accepts what touches in the posture that the body reaches from.
    fn stand(&mut self, model: &ModelPose) {
        let mut body = CollisionBody::clone(&self.body);
        self.query.place(&body, model);
        self.query.accept_own(&mut body);
        self.goal.body = Arc::new(body);
    }

    /// Whether an arm that reaches touches another part of the body.
    fn touches(&mut self, skeleton: &Skeleton, pose: &Pose, reaching: [bool; 2]) -> bool {
        let Self { goal, query, arms, model, .. } = self;
        model.update(skeleton, pose);
        query.place(&goal.body, model);
        let mut arms = arms.iter().zip(reaching).filter(|(_, reaches)| *reaches);
        arms.any(|(parts, _)| query.first_contact(&goal.body, &goal.scene, parts).is_some())
    }
}

impl WholeBody {
    /// For a body with these arms and legs. The feet are planted where the rest pose has them until
    /// [`plant`](Self::plant) says otherwise.
    pub fn new(
        skeleton: &Skeleton,
        map: &HumanoidMap,
        facing: Facing,
        arms: [Option<&Limb>; 2],
        legs: [Option<&Limb>; 2],
    ) -> Result<Self, RigError> {
        let rest = ModelPose::rest(skeleton);
        let feet = legs.into_iter().flatten();
        let soles: Vec<_> = feet.map(|leg| (leg.joints().end, sole(leg, &rest, facing))).collect();
        let mut held: Vec<JointId> = soles.iter().map(|(foot, _)| *foot).collect();
        if held.is_empty() {
            held.push(map.get(HumanoidBone::Hips).unwrap_or(skeleton.root()));
        }
        let mut shells = Vec::new();
        for (side, arm) in arms.into_iter().enumerate() {
            let Some(arm) = arm else { continue };
            for &planted in &held {
                // A hinge may let a limb stretch further than its bones at rest are apart.
                let leg = legs.into_iter().flatten().find(|leg| leg.joints().end == planted);
                let (from, own) = leg.map_or((planted, 0.0), |leg| (leg.joints().upper, leg.reach().1));
                let trunk = length_between(skeleton, &rest, from, arm.joints().upper);
                let radius = own + trunk + arm.reach().1;
                shells.push(Shell { side, planted, centre: rest.position(planted), radius });
            }
        }
        let corners = soles.iter().flat_map(|(_, corners)| *corners);
        let support: Vec<Vec3> = corners.collect();
        let balance = (!support.is_empty()).then(|| {
            let masses = masses(skeleton, map);
            BalanceGoal { masses, support, up: facing.up, margin: 0.0 }
        });
        #[cfg(feature = "collision")]
        let clear = {
            let body = Arc::new(CollisionBody::from_rig(skeleton, map));
            let own = |arm: Option<&Limb>| {
                arm.map_or(Vec::new(), |arm| body.parts_below(skeleton, arm.joints().upper))
            };
            let (arms, query) = (arms.map(own), CollisionQuery::new(&body));
            let goal =
                ClearanceGoal { body: body.clone(), scene: Arc::new(CollisionScene::new()), distance: 0.0 };
            let (start, found) = (Pose::rest(skeleton), Pose::rest(skeleton));
            Clear { goal, query, body, arms, model: rest.clone(), start, found }
        };
        let asked = |reaching: [bool; 2]| {
            let arms = [0, 1].map(|side| arms[side].filter(|_| reaching[side]));
            Asked::new(
                skeleton,
                arms,
                &held,
                balance.as_ref(),
                #[cfg(feature = "collision")]
                &clear.goal,
            )
        };
        // In the order of `set_of`.
        let asked =
            [asked([false, false])?, asked([true, false])?, asked([false, true])?, asked([true, true])?];
        let mut body = Self {
            asked,
            soles,
            shells,
            #[cfg(feature = "collision")]
            clear,
        };
        body.plant(&rest);
        Ok(body)
    }

    /// Plants the feet where a pose has them.
    pub fn plant(&mut self, model: &ModelPose) {
        for asked in &mut self.asked {
            for &(goal, joint) in &asked.planted {
                asked.goals.set_target(goal, Target::Pose(model.transform(joint)));
            }
            let Some(balance) = asked.goals.balance_mut() else { continue };
            let corners = self.soles.iter().flat_map(|(foot, corners)| {
                let frame = model.transform(*foot);
                corners.map(|corner| frame.transform_point(corner))
            });
            for (place, corner) in balance.support.iter_mut().zip(corners) {
                *place = corner;
            }
        }
        for shell in &mut self.shells {
            shell.centre = model.position(shell.planted);
        }
        #[cfg(feature = "collision")]
        self.clear.stand(model);
    }

    /// Whether a target is further from a planted joint than leg, trunk and arm in one line are long.
    pub fn is_beyond(&self, targets: &[Option<LimbGoal>; 2]) -> bool {
        self.shells.iter().any(|shell| {
            let wanted = targets[shell.side].map(|target| target.position);
            wanted.is_some_and(|wanted| wanted.distance(shell.centre) > shell.radius)
        })
    }

    /// Goes from `pose` to one that has the hands at their targets, the feet planted and the centre
    /// of mass over them, with `drawn` near to `style` as far as these leave it free. A pose that has
    /// all of it stays.
    pub fn attain(
        &mut self,
        skeleton: &Skeleton,
        targets: [Option<LimbGoal>; 2],
        style: &Pose,
        drawn: bool,
        pose: &mut Pose,
    ) -> &SolveReport {
        let reaching = targets.map(|target| target.is_some());
        let asked = &mut self.asked[set_of(reaching)];
        asked.ask(targets, style, drawn);
        #[cfg(feature = "collision")]
        self.clear.start.copy_from(pose);
        asked.solver.solve(skeleton, &asked.goals, pose);
        #[cfg(feature = "collision")]
        {
            let clear = &mut self.clear;
            let hands = asked.hands;
            let is_met = |report: &SolveReport| {
                let off = |goal: GoalId| {
                    let residual = report.residuals[goal.index()];
                    residual.position + TURN * residual.orientation
                };
                hands.iter().flatten().all(|&goal| off(goal) < NEARLY)
            };
            // With a bound more the body does not come nearer than without it.
            if is_met(asked.solver.report()) && clear.touches(skeleton, pose, reaching) {
                clear.found.copy_from(pose);
                pose.copy_from(&clear.start);
                asked.goals.set_clearance(Some(clear.goal.clone()));
                asked.clear.solve(skeleton, &asked.goals, pose);
                asked.goals.set_clearance(None);
                if is_met(asked.clear.report()) {
                    return asked.clear.report();
                }
                pose.copy_from(&clear.found);
            }
        }
        asked.solver.report()
    }

    /// What [`attain_among`](Self::attain_among) needs for these hands and what is to be kept clear of. Allocates.
    #[cfg(feature = "collision")]
    pub fn among(
        &mut self,
        skeleton: &Skeleton,
        reaching: [bool; 2],
        goal: ClearanceGoal,
    ) -> Result<Among, RigError> {
        let goals = &mut self.asked[set_of(reaching)].goals;
        goals.set_clearance(Some(goal.clone()));
        let options = NearbyOptions { steps: AMONG_STEPS, tolerance: CLOSELY, brief: false, ..OPTIONS };
        let solver = Nearby::new(skeleton, goals, options);
        goals.set_clearance(None);
        Ok(Among { solver: solver?, goal, reaching })
    }

    /// [`attain`](Self::attain) with everything that is kept clear of as a bound from the first step.
    #[cfg(feature = "collision")]
    pub fn attain_among<'a>(
        &mut self,
        skeleton: &Skeleton,
        targets: [Option<LimbGoal>; 2],
        style: &Pose,
        among: &'a mut Among,
        pose: &mut Pose,
    ) -> &'a SolveReport {
        let asked = &mut self.asked[set_of(among.reaching)];
        asked.ask(targets, style, true);
        asked.goals.set_clearance(Some(among.goal.clone()));
        among.solver.solve(skeleton, &asked.goals, pose);
        asked.goals.set_clearance(None);
        among.solver.report()
    }
}

/// A descent of the body among obstacles.
#[cfg(feature = "collision")]
#[derive(Debug, Clone)]
pub(super) struct Among {
    solver: Nearby,
    goal: ClearanceGoal,
    reaching: [bool; 2],
}

/// How much a radian of the hand's orientation counts beside a metre of its position.
const TURN: Real = 0.5;

/// How long the joints' way from one joint to another is, through the nearest that is above both.
fn length_between(skeleton: &Skeleton, rest: &ModelPose, a: JointId, b: JointId) -> Real {
    let up = |from: JointId, other: JointId| -> Real {
        let own = skeleton.ancestors(from).take_while(|&joint| !skeleton.is_ancestor(joint, other));
        own.filter_map(|joint| {
            let parent = skeleton.parent(joint)?;
            Some(rest.position(joint).distance(rest.position(parent)))
        })
        .sum()
    };
    up(a, b) + up(b, a)
}

/// The corners of a sole in the frame of its ankle, as the character stands at rest.
fn sole(leg: &Limb, rest: &ModelPose, facing: Facing) -> [Vec3; 4] {
    let (upper, lower) = leg.lengths();
    let [before, behind, aside] = SOLE.map(|part| part * (upper + lower));
    let ankle = rest.transform(leg.joints().end);
    [(-aside, -behind), (aside, -behind), (aside, before), (-aside, before)].map(|(x, z)| {
        let corner = ankle.translation + facing.left * x + facing.forward * z;
        ankle.inverse().transform_point(corner)
    })
}
