//! Puts the body at places of a way and says what is wrong there.

use alloc::vec::Vec;

use super::{COMFORTABLE, ReachPlan, ReachPlanOptions};
use crate::analytic::{Limb, LimbGoal, LimbReport, Swivel};
use crate::body::reach::solver::{ReachReport, ReachSolver};
use crate::body::reach::surroundings::Surroundings;
use crate::collision::{Contact, Touched};
use crate::goal::Target;
use crate::math::*;
use crate::pose::{ModelPose, Pose};
use crate::report::{Cause, Status};
use crate::skeleton::Skeleton;
use crate::skeleton::humanoid::Side;

/// Knots of a straight way: three to a frame of a motion of one second.
pub(super) const KNOTS: usize = 96;
/// A joint that turns by more than this from one knot to the next jumps, in radians.
pub(super) const JUMP: Real = 0.3;
/// Between two tests for contact no joint moves further than this, in metres.
const FINE: Real = 6.0e-3;
/// How often a step between knots is halved for that.
pub(super) const HALVINGS: u32 = 4;

/// A place on the way: where the hands are, how the elbows stand, and how much of the end posture
/// the body has taken.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Place {
    pub hands: [LimbGoal; 2],
    pub swivels: [Real; 2],
    pub body: Real,
}

impl Place {
    /// The place that lies a part of the way to another.
    pub fn towards(&self, other: &Self, part: Real) -> Self {
        let hand = |i: usize| {
            let (a, b) = (self.hands[i], other.hands[i]);
            let orientation = match (a.orientation, b.orientation) {
                (Some(p), Some(q)) => Some(p.slerp(rotation::same_side(q, p), part)),
                _ => None,
            };
            LimbGoal { position: a.position.lerp(b.position, part), orientation }
        };
        let swivel = |i: usize| self.swivels[i] + wrap_angle(other.swivels[i] - self.swivels[i]) * part;
        Self {
            hands: [hand(0), hand(1)],
            swivels: [swivel(0), swivel(1)],
            body: self.body + (other.body - self.body) * part,
        }
    }
}

/// Why the body cannot be at a place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Blocked {
    Touches(Contact),
    /// An arm or a leg is too short there, or a limit forbids it.
    Short,
    /// The joints would jump on the way there.
    Jumps,
}

/// A way that was found.
pub(super) struct Way {
    pub knots: Vec<Pose>,
    pub places: Vec<Place>,
    pub straight: bool,
}

pub(super) struct Planner<'a> {
    pub skeleton: &'a Skeleton,
    pub solver: ReachSolver,
    pub targets: &'a [(Side, Target)],
    pub around: Option<&'a mut Surroundings>,
    pub options: ReachPlanOptions,
    /// The arms that reach, in the order in which they are solved.
    pub sides: Vec<usize>,
    pub arms: [Option<Limb>; 2],
    feet: [Option<(Limb, Transform)>; 2],
    /// Where the hands are at the start and should be at the end.
    pub from: [Transform; 2],
    pub to: [LimbGoal; 2],
    /// The swivel angles at the start.
    pub first: [Real; 2],
    pub start: Pose,
    /// The body at the place that was asked for last.
    pub pose: Pose,
    pub model: ModelPose,
    pub reports: [Option<LimbReport>; 2],
    /// What is said if there is no way.
    pub report: ReachReport,
    /// The first contact with an obstacle, and the first with the body itself, that stood in a way.
    met: [Option<Contact>; 2],
    pub tests: u32,
    /// Whether the body met itself or an obstacle on the last straight way that was tried.
    pub met_itself: bool,
    pub met_scene: bool,
    /// The quickest way so far of those that are not quick, and what is said of it.
    pub slow: Option<(Way, ReachReport)>,
}

impl<'a> Planner<'a> {
    pub fn new(
        skeleton: &'a Skeleton,
        solver: &ReachSolver,
        targets: &'a [(Side, Target)],
        around: Option<&'a mut Surroundings>,
        options: &ReachPlanOptions,
    ) -> Self {
        let solver = solver.without_memory();
        let start = solver.initial().clone();
        let model = solver.initial_model().clone();
        let nowhere = LimbGoal { position: Vec3::ZERO, orientation: None };
        let (mut from, mut to) = ([Transform::IDENTITY; 2], [nowhere; 2]);
        let mut sides = Vec::new();
        for side in solver.sides() {
            let Some(goal) = solver.hand_goal(targets, side) else { continue };
            let Some(arm) = solver.arm(side) else { continue };
            from[side as usize] = model.transform(arm.joints().end);
            to[side as usize] = goal;
            sides.push(side as usize);
        }
        let arms =
            Side::BOTH.map(|side| solver.arm(side).filter(|_| sides.contains(&(side as usize))).cloned());
        let mut planner = Self {
            skeleton,
            targets,
            around,
            options: *options,
            sides,
            arms,
            feet: solver.held_feet(),
            from,
            to,
            first: [0.0; 2],
            pose: start.clone(),
            start,
            model,
            reports: [None; 2],
            report: ReachReport::new(),
            met: [None; 2],
            tests: 0,
            met_itself: false,
            met_scene: false,
            slow: None,
            solver,
        };
        for side in planner.sides.clone() {
            let goal = LimbGoal { position: planner.from[side].translation, orientation: None };
            if let Some(arm) = &planner.arms[side] {
                let at = arm.solve(skeleton, &planner.model, &goal.target(), Swivel::Last, &mut planner.pose);
                planner.first[side] = at.swivel;
            }
        }
        planner
    }

    /// The place at this part of the straight way, with the orientation of the hands along the
    /// shortest turn or left to the arm.
    pub fn on_line(&self, part: Real, oriented: bool) -> Place {
        let hand = |i: usize| {
            let along = self.to[i].target().part_of_the_way(self.from[i], part);
            let goal = LimbGoal::new(&along, || self.from[i]);
            LimbGoal { orientation: goal.orientation.filter(|_| oriented), ..goal }
        };
        Place { hands: [hand(0), hand(1)], swivels: self.first, body: part }
    }

    /// Whether any hand should be turned in some way.
    pub fn is_oriented(&self) -> bool {
        self.sides.iter().any(|&side| self.to[side].orientation.is_some())
    }

    /// Poses everything but the reaching arms with this part of an end posture.
    pub fn place_body(&mut self, end: &Pose, part: Real) -> Result<(), Blocked> {
        self.pose.blend(&self.start, end, part);
        self.settle_body()
    }

    /// Holds the feet of the pose as it is and tests all but the reaching arms.
    pub fn settle_body(&mut self) -> Result<(), Blocked> {
        self.model.update(self.skeleton, &self.pose);
        for (leg, foot) in self.feet.iter().flatten() {
            let report =
                leg.solve(self.skeleton, &self.model, &Target::Pose(*foot), Swivel::Last, &mut self.pose);
            if !report.reached() {
                return Err(Blocked::Short);
            }
            self.model.update_below(self.skeleton, &self.pose, leg.joints().upper);
        }
        let reaching = [0, 1].map(|side| self.arms[side].is_some());
        let Some(around) = &mut self.around else { return Ok(()) };
        self.tests += 1;
        around.begin();
        match around.body_contact(&self.model, reaching) {
            Some(contact) => Err(Blocked::Touches(contact)),
            None => Ok(()),
        }
    }

    /// Poses an arm, with the body in its place.
    pub fn place_arm(&mut self, side: usize, goal: &LimbGoal, swivel: Real) -> Result<Real, Blocked> {
        self.place_arm_at(side, goal, Swivel::Preferred(swivel))
    }

    fn place_arm_at(&mut self, side: usize, goal: &LimbGoal, swivel: Swivel) -> Result<Real, Blocked> {
        let Some(arm) = &self.arms[side] else { return Ok(0.0) };
        let report = arm.solve(self.skeleton, &self.model, &goal.target(), swivel, &mut self.pose);
        if !report.reached() {
            return Err(Blocked::Short);
        }
        self.reports[side] = Some(report);
        let joints = arm.joints();
        self.model.update_below(self.skeleton, &self.pose, joints.upper);
        match self.arm_contact(side) {
            Some(contact) => Err(Blocked::Touches(contact)),
            None => Ok(report.swivel),
        }
    }

    fn arm_contact(&mut self, side: usize) -> Option<Contact> {
        let joints = self.arms[side].as_ref()?.joints();
        let around = self.around.as_mut()?;
        self.tests += 1;
        let placed = [joints.upper, joints.lower, joints.end].map(|joint| self.model.transform(joint));
        let contact = around.arm_contact(side, &placed);
        if contact.is_none() {
            around.place_arm(side, &self.model);
        }
        contact
    }

    /// Poses the whole body at a place on the way to an end posture.
    pub fn place(&mut self, end: &Pose, place: &Place) -> Result<(), Blocked> {
        self.place_body(end, place.body)?;
        for i in 0..self.sides.len() {
            let side = self.sides[i];
            self.place_arm(side, &place.hands[side], place.swivels[side])?;
        }
        Ok(())
    }

    /// The swivel angles at which the arms stand after they were placed, those of the place where they
    /// were not.
    pub fn swivels(&self, place: &Place) -> [Real; 2] {
        [0, 1].map(|i| {
            self.reports[i].filter(|_| self.arms[i].is_some()).map_or(place.swivels[i], |r| r.swivel)
        })
    }

    /// Tests the arms as they stand in the pose.
    pub fn place_blended(&mut self, end: &Pose, part: Real) -> Result<(), Blocked> {
        self.place_body(end, part)?;
        for i in 0..self.sides.len() {
            if let Some(contact) = self.arm_contact(self.sides[i]) {
                return Err(Blocked::Touches(contact));
            }
        }
        Ok(())
    }

    /// Puts feet and hands of a pose that nearly has them there in their places.
    pub fn place_nearly(&mut self, pose: &Pose, place: &Place) -> Result<(), Blocked> {
        self.pose.copy_from(pose);
        self.settle_body()?;
        for i in 0..self.sides.len() {
            let side = self.sides[i];
            self.place_arm_at(side, &place.hands[side], Swivel::Last)?;
        }
        Ok(())
    }

    /// Whether the step between two knots is free, as sampling the plan goes there: in the middle of it
    /// too, and so on until no joint moves further than a little.
    pub fn between_knots(
        &mut self,
        (a, b): (&Pose, &Pose),
        (from, to): (&Place, &Place),
        moved: Real,
        halvings: u32,
    ) -> Result<(), Blocked> {
        if moved <= FINE || halvings == 0 || self.around.is_none() {
            return Ok(());
        }
        let place = from.towards(to, 0.5);
        let mut middle = a.clone();
        middle.blend(a, b, 0.5);
        match self.place_nearly(&middle, &place) {
            Ok(()) => middle.copy_from(&self.pose),
            // At the edge of a limit the blend of two knots is off by a hair and stays so.
            Err(Blocked::Short) => self.test(&middle)?,
            Err(blocked) => return Err(blocked),
        }
        self.between_knots((a, &middle), (from, &place), 0.5 * moved, halvings - 1)?;
        self.between_knots((&middle, b), (&place, to), 0.5 * moved, halvings - 1)
    }

    /// Tests a pose as it is.
    fn test(&mut self, pose: &Pose) -> Result<(), Blocked> {
        self.model.update(self.skeleton, pose);
        let reaching = [0, 1].map(|side| self.arms[side].is_some());
        let Some(around) = &mut self.around else { return Ok(()) };
        self.tests += 1;
        around.begin();
        let mut contact = around.body_contact(&self.model, reaching);
        for i in 0..self.sides.len() {
            contact = contact.or_else(|| self.arm_contact(self.sides[i]));
        }
        contact.map_or(Ok(()), |contact| Err(Blocked::Touches(contact)))
    }

    /// Whether anything stood in a way.
    pub fn has_met(&self) -> bool {
        self.met.iter().any(Option::is_some)
    }

    /// Remembers what the pose touches, whether or not its feet and hands are in their places.
    pub fn look(&mut self) {
        let pose = self.pose.clone();
        if let Err(blocked) = self.test(&pose) {
            self.note(blocked);
        }
    }

    /// Remembers what stood in the way.
    pub fn note(&mut self, blocked: Blocked) {
        if let Blocked::Touches(contact) = blocked {
            let of_body = matches!(contact.with, Touched::Part(_));
            self.met_itself |= of_body;
            self.met_scene |= !of_body;
            self.met[usize::from(of_body)].get_or_insert(contact);
        }
    }

    /// The poses at places, if all of them are free, none jumps from the last, and the steps between
    /// them are free as well.
    pub fn follow(&mut self, end: &Pose, places: &[Place]) -> Result<Vec<Pose>, (usize, Blocked)> {
        let mut knots: Vec<Pose> = Vec::with_capacity(places.len());
        let mut before: Vec<Vec3> = Vec::new();
        for (i, place) in places.iter().enumerate() {
            self.place(end, place).map_err(|blocked| (i, blocked))?;
            let now = self.pose.clone();
            let positions = self.model.positions().to_vec();
            if let Some(last) = knots.last() {
                if largest_turn(last, &now) > JUMP {
                    return Err((i, Blocked::Jumps));
                }
                if self.around.is_some() {
                    let moved = largest_move(&before, &positions);
                    self.between(end, &places[i - 1], place, moved, HALVINGS)
                        .map_err(|blocked| (i, blocked))?;
                }
            }
            before = positions;
            knots.push(now);
        }
        Ok(knots)
    }

    fn between(
        &mut self,
        end: &Pose,
        a: &Place,
        b: &Place,
        moved: Real,
        halvings: u32,
    ) -> Result<(), Blocked> {
        if moved <= FINE || halvings == 0 {
            return Ok(());
        }
        let middle = a.towards(b, 0.5);
        self.place(end, &middle)?;
        self.between(end, a, &middle, 0.5 * moved, halvings - 1)?;
        self.between(end, &middle, b, 0.5 * moved, halvings - 1)
    }

    /// Makes the plan of what was found.
    pub fn finish(self, way: Option<Way>, restore: Option<Vec<(usize, usize, Real)>>) -> ReachPlan {
        let mut report = self.report.clone();
        report.tests = self.tests;
        let (knots, places, straight) = match way {
            Some(way) => (way.knots, way.places, way.straight),
            None => {
                self.refuse(&mut report);
                (alloc::vec![self.start.clone()], Vec::new(), false)
            }
        };
        if let (Some(around), Some(accepted)) = (self.around, restore) {
            around.restore(accepted);
        }
        let fastest = fastest_turn(&knots);
        let mut model = self.model;
        let mut hands: Vec<[Vec3; 2]> = Vec::with_capacity(knots.len());
        for knot in &knots {
            model.update(self.skeleton, knot);
            let hand =
                |i: usize| self.arms[i].as_ref().map_or(Vec3::ZERO, |arm| model.position(arm.joints().end));
            hands.push([hand(0), hand(1)]);
        }
        let length = |i: usize| hands.windows(2).map(|pair| pair[0][i].distance(pair[1][i])).sum::<Real>();
        ReachPlan {
            fingerprint: self.skeleton.fingerprint(),
            places,
            arms: self.arms,
            feet: self.feet,
            report,
            straight,
            length: length(0).max(length(1)),
            fastest,
            model,
            between: self.start,
            knots,
        }
    }

    /// Says why the body stands still. A solver that knows why it cannot is right; otherwise
    /// it is what was met on the ways that were tried, an obstacle before the body itself.
    fn refuse(&self, report: &mut ReachReport) {
        if !report.reached() {
            return;
        }
        report.status = Status::NotReached;
        let contact = self.met[0].or(self.met[1]);
        report.contact = contact;
        report.cause = match (contact, &self.around) {
            (Some(contact), Some(around)) => Some(around.cause(&contact)),
            _ => self.sides.first().map(|&side| Cause::Stalled { goal: crate::goal::GoalId(side as u32) }),
        };
        for &side in &self.sides {
            let Some(hand) = &mut report.hands[side] else { continue };
            let (from, to) = (self.from[side], self.to[side]);
            hand.outcome.status = Status::NotReached;
            hand.outcome.cause = report.cause;
            hand.outcome.residual.position = from.translation.distance(to.position);
            hand.outcome.residual.orientation =
                to.orientation.map_or(0.0, |q| rotation::angle(from.rotation.conjugate() * q));
        }
    }
}

/// By how much the joint turns that turns most.
pub(super) fn largest_turn(a: &Pose, b: &Pose) -> Real {
    let turns = a.rotations().iter().zip(b.rotations());
    // The least cosine is that of the largest turn, and saves all other arcs.
    let least = turns.map(|(p, q)| p.dot(*q).abs()).fold(1.0, Real::min);
    2.0 * least.min(1.0).acos()
}

/// The turn of the fastest joint at its fastest over these knots, for the whole duration.
fn fastest_turn(knots: &[Pose]) -> Real {
    let turns = knots.windows(2).map(|pair| largest_turn(&pair[0], &pair[1]));
    turns.fold(0.0, Real::max) * knots.len().saturating_sub(1) as Real
}

/// In how many seconds these knots can be gone through such that no joint is faster than it likes.
pub(super) fn shortest_duration(knots: &[Pose]) -> Real {
    fastest_turn(knots) / COMFORTABLE
}

pub(super) fn largest_move(a: &[Vec3], b: &[Vec3]) -> Real {
    a.iter().zip(b).map(|(p, q)| p.distance_squared(*q)).fold(0.0, Real::max).sqrt()
}
