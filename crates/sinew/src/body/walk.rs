//! A character that walks over any ground, after Meredith & Maddock's MovingIK.
//!
//! ```text
//! input (speed, turn) ──► course: where the body goes                  walk/course.rs
//!                           │
//!        clock of the gait ─┼─► steps: where each foot stands or flies  walk/steps.rs
//!                           ▼
//!                        hips, feet (heel, pitch, heading)              walk/foot.rs
//!                           ▼
//!                        legs by inverse kinematics, arms, spine        walk/leg.rs, walk/upper.rs
//! ```
//!
//! # The two layers
//! The *control layer* turns the player's input into a place and a heading that
//! move on arcs (eq. 1.16-1.18). The *animation layer* moves the feet: one clock
//! runs through a cycle in which each leg has its share in the air, along the
//! stride curve of eq. 1.15 skewed to the ground, and the rest on the ground,
//! first on the heel while the toes come down (stage b of Table 1.3), then flat,
//! then on the toes as the heel rises (stage a).
//!
//! # What is planted stays planted
//! A foot on the ground has a heel and toes that do not move; hips and heel rise
//! are chosen so that the leg reaches them, the hips going as high as the legs
//! allow and the heel rising no more than it must. The joints then follow
//! exactly. Only the place of the toes is kept through the whole of a stance, as
//! in the paper.
//!
//! # Time
//! The state advances by ticks of a fixed length, and a frame shows the state at
//! its own time: the same input gives the same walk at any frame rate.
//!
//! # Past the paper
//! Feet look for places on stairs where heel and toes find ground, and rise over
//! what is in their way. A walker with any number of legs runs on the same clock;
//! eight legs in two groups are a spider. Standing feet step home by themselves
//! when the body has turned away from them.
//!
//! # Degenerate cases
//! Input that is not a number counts as none. Ground that is too steep or too far
//! below is walked over with the feet as near to it as the legs reach.

mod course;
mod foot;
mod leg;
mod rig;
mod steps;
mod stride;
mod terrain;
mod upper;

use alloc::vec::Vec;

pub use course::WalkInput;
pub use leg::LegSolver;
pub use terrain::{Ground, Relief, Terrain};

use self::course::{Course, Pace, turned};
use self::foot::{FootPose, rise_to_reach};
use self::rig::WalkRig;
use self::steps::Steps;
use self::stride::ease;
use self::terrain::Finite;
use self::upper::Carriage;
use crate::error::RigError;
use crate::goal::GoalId;
use crate::math::*;
use crate::pose::{ModelPose, Pose};
use crate::report::{Cause, Status};
use crate::skeleton::humanoid::HumanoidMap;
use crate::skeleton::{JointId, Skeleton};

/// How a character walks. Lengths are parts of its leg, so that one style fits all sizes.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct WalkOptions {
    /// How the legs are solved.
    pub solver: LegSolver,
    /// Leg lengths a second at full speed.
    pub speed: Real,
    /// Radians a second at full turn.
    pub turn: Real,
    /// The longest step, from foot to foot, in leg lengths.
    pub stride: Real,
    /// How high a foot is lifted on even ground, in leg lengths.
    pub lift: Real,
    /// How far the hips go up and down, and from side to side, in leg lengths.
    pub bob: Real,
    /// From side to side.
    pub sway: Real,
    /// How far the toes point up when the heel lands at full speed, in radians.
    pub strike: Real,
    /// How far the heel has risen when the toes leave the ground, in radians.
    pub push: Real,
    /// How far the pelvis turns towards the leg ahead, in radians.
    pub pelvis: Real,
    /// How much the arms swing; zero leaves them to others.
    pub arms: Real,
    /// How far the trunk leans forwards at full speed, in radians.
    pub lean: Real,
}

crate::report::show_fields!(WalkOptions);

impl Default for WalkOptions {
    fn default() -> Self {
        Self {
            solver: LegSolver::default(),
            speed: 1.65,
            turn: 1.0,
            stride: 0.62,
            lift: 0.11,
            bob: 0.015,
            sway: 0.02,
            strike: 0.3,
            push: 0.6,
            pelvis: 0.08,
            arms: 1.0,
            lean: 0.05,
        }
    }
}

/// A tick of the state, in seconds.
const TICK: Real = 1.0 / 240.0;
/// The most ticks that one frame makes up for: a long pause is not walked after.
const MOST_TICKS: u32 = 480;
/// How far a leg is stretched at the most: at full stretch a small move of the
/// hips would be a large one of the knee.
const STRETCH: Real = 0.992;
/// The most that a heel rises on its toes, in radians, and what of it the hips
/// count on.
const MOST_RISE: Real = 1.0;
const LENT_RISE: Real = 0.8;

/// A planted foot that is further from its place, in metres, is not in it.
const PLANTED: Real = 1.0e-3;
/// How often a foot in the air is lifted over the ground that it would touch.
const LIFTS: usize = 8;
/// A rise over a leg's length that is walked at full speed, and how much slower
/// every further one makes it.
const GENTLE: Real = 0.12;
const CARE: Real = 4.0;

/// A foot at one moment, in model space.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FootState {
    /// The joint that carries it.
    pub joint: JointId,
    /// Where the heel should be, and whether it is planted there.
    pub heel: Vec3,
    /// Whether the heel is on the ground and stays where it is.
    pub heel_planted: bool,
    /// Where the toes should be.
    pub toe: Vec3,
    /// Whether the toes are on the ground and stay where they are.
    pub toe_planted: bool,
}

/// What came of a frame.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WalkReport {
    /// Whether every planted foot stands in its place, within a millimetre.
    pub status: Status,
    /// Why the worst planted foot does not. Goals are numbered as [`Walker::feet`] are.
    pub cause: Option<Cause>,
    /// The iterations of all legs together; none for the analytic limb.
    pub iterations: u32,
    /// How far the worst planted foot is from its place, in metres.
    pub slip: Real,
    /// Whether the character stands on all feet and goes nowhere.
    pub standing: bool,
}

impl core::fmt::Display for WalkReport {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}", if self.standing { "stands" } else { "walks" })?;
        write!(f, ", worst planted foot {:.3} mm off", self.slip * 1.0e3)?;
        self.cause.iter().try_for_each(|cause| write!(f, ": {cause}"))
    }
}

/// A walking character; see the [module](self).
#[derive(Debug, Clone)]
pub struct Walker {
    options: WalkOptions,
    rig: WalkRig,
    state: State,
    /// Room for the steps while a look ahead moves them, and the course as shown.
    spare: Steps,
    shown: Course,
    /// Time that is not a whole tick yet.
    left_over: Real,
    model: ModelPose,
    feet: Vec<FootState>,
    goals: Vec<FootPose>,
    /// What stood in each foot's way.
    causes: Vec<Option<Cause>>,
    fingerprint: u64,
}

/// All that changes from tick to tick.
#[derive(Debug, Clone)]
struct State {
    course: Course,
    steps: Steps,
    /// The ground that the hips follow.
    ground: Real,
}

impl Walker {
    /// A walker for a rig: a humanoid with two legs, or else any rig with a free
    /// root and legs that end on the ground. It stands where the rig rests.
    ///
    /// ```
    /// use sinew::body::walk::{Ground, WalkInput, WalkOptions, Walker};
    /// let human = sinew::rigs::by_name("humanoid")?;
    /// let mut walker = Walker::new(&human, WalkOptions::default(), &Ground::Flat)?;
    /// let mut pose = sinew::Pose::rest(&human);
    /// for _ in 0..60 {
    ///     let input = WalkInput { speed: 1.0, turn: 0.0 };
    ///     let report = walker.step(&human, &Ground::Flat, input, 1.0 / 60.0, &mut pose);
    ///     assert!(report.slip < 1e-3);
    /// }
    /// assert!(walker.place().z > 0.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(skeleton: &Skeleton, options: WalkOptions, terrain: &dyn Terrain) -> Result<Self, RigError> {
        Self::with_map(skeleton, &HumanoidMap::find(skeleton), options, terrain)
    }

    /// The same, for a body whose parts are known.
    pub fn with_map(
        skeleton: &Skeleton,
        map: &HumanoidMap,
        options: WalkOptions,
        terrain: &dyn Terrain,
    ) -> Result<Self, RigError> {
        let terrain = &Finite(terrain);
        let rig = WalkRig::new(skeleton, map)?;
        let course = Course { place: Vec2::new(rig.hips.x, rig.hips.z), heading: 0.0, speed: 0.0, turn: 0.0 };
        let steps = Steps::new(&rig, terrain, &course);
        let spare = steps.clone();
        let state = State { course, ground: steps.ground(), steps };
        let feet = rig.feet.iter().map(|f| FootState {
            joint: f.leg.effector.joint,
            heel: f.sole.heel,
            heel_planted: true,
            toe: f.sole.toe,
            toe_planted: true,
        });
        Ok(Self {
            options,
            state,
            spare,
            shown: course,
            left_over: 0.0,
            model: ModelPose::rest(skeleton),
            feet: feet.collect(),
            goals: Vec::with_capacity(rig.feet.len()),
            causes: alloc::vec![None; rig.feet.len()],
            fingerprint: skeleton.fingerprint(),
            rig,
        })
    }

    /// Changes how it walks, also in mid-stride.
    pub fn set_options(&mut self, options: WalkOptions) {
        self.options = options;
    }

    /// How it walks.
    pub fn options(&self) -> &WalkOptions {
        &self.options
    }

    /// How fast it walks at full speed on even ground, in metres a second.
    pub fn full_speed(&self) -> Real {
        self.pace().speed
    }

    /// Where the body is, on the ground.
    pub fn place(&self) -> Vec3 {
        let p = self.shown.place;
        Vec3::new(p.x, self.state.ground, p.y)
    }

    /// Where the body faces: radians to the left from where it faces at rest.
    pub fn heading(&self) -> Real {
        self.shown.heading
    }

    /// The feet of the last frame.
    pub fn feet(&self) -> &[FootState] {
        &self.feet
    }

    /// Walks on for `seconds` and writes the pose of the whole body. Joints that
    /// walking does not use (fingers, head) are left as they are.
    pub fn step(
        &mut self,
        skeleton: &Skeleton,
        terrain: &dyn Terrain,
        input: WalkInput,
        seconds: Real,
        pose: &mut Pose,
    ) -> WalkReport {
        if skeleton.fingerprint() != self.fingerprint || pose.len() != skeleton.len() {
            let (status, cause) = (Status::NotReached, Some(Cause::Mismatch));
            return WalkReport { status, cause, iterations: 0, slip: 0.0, standing: false };
        }
        let terrain = &Finite(terrain);
        let input = input.sane();
        self.left_over += if seconds.is_finite() { seconds.max(0.0) } else { 0.0 };
        let mut ticks = 0;
        while self.left_over >= TICK && ticks < MOST_TICKS {
            self.advance(terrain, input, TICK);
            self.left_over -= TICK;
            ticks += 1;
        }
        if ticks == MOST_TICKS {
            self.left_over = 0.0;
        }
        // The rest of the time is shown but not kept, so that it cannot add up
        // differently at other frame rates.
        let (course, ground) = (self.state.course, self.state.ground);
        self.spare.copy_from(&self.state.steps);
        if self.left_over > 0.0 {
            self.advance(terrain, input, self.left_over);
        }
        let report = self.show(skeleton, terrain, pose);
        self.shown = self.state.course;
        (self.state.course, self.state.ground) = (course, ground);
        self.state.steps.copy_from(&self.spare);
        report
    }

    /// Steep ground is walked more slowly, in shorter steps: on stairs a tread at
    /// a time.
    fn careful(&self, terrain: &dyn Terrain, input: WalkInput) -> WalkInput {
        let Course { place, heading, .. } = self.state.course;
        let ahead = turned(self.rig.ahead, heading) * self.rig.leg_length;
        let height = |along: Real| {
            let p = place + ahead * along;
            terrain.height(p.x, p.y)
        };
        let heights = [-0.5, -0.1, 0.3, 0.7].map(height);
        let steepest = heights.windows(2).map(|w| (w[1] - w[0]).abs()).fold(0.0, Real::max);
        let whole = (heights[3] - heights[0]).abs();
        let grade = (whole.max(steepest) / self.rig.leg_length - GENTLE).max(0.0);
        WalkInput { speed: input.speed / (1.0 + CARE * grade), ..input }
    }

    fn pace(&self) -> Pace {
        let speed = self.options.speed.max(0.0) * self.rig.leg_length * self.rig.stride;
        let turn = self.options.turn * self.rig.stride.sqrt();
        Pace { speed, turn, speed_change: 1.5 * speed.max(0.1), turn_change: 4.0 }
    }

    fn advance(&mut self, terrain: &dyn Terrain, input: WalkInput, time: Real) {
        let pace = self.pace();
        let input = self.careful(terrain, input);
        self.state.course.advance(input, &pace, self.rig.ahead, time);
        // The hips follow the ground under the feet, a little behind.
        let wanted = self.state.steps.ground();
        self.state.ground += (wanted - self.state.ground) * (1.0 - (-time * 14.0).exp());
        // A foot that lifts off starts where it really is.
        let leaving = self.state.steps.tick(&self.rig, &self.options, &pace, &self.state.course, input, time);
        if let Some(leg) = leaving {
            let hips = self.hips();
            self.rig.stand(hips);
            let from = self.fitted(leg, hips, true);
            let State { course, steps, .. } = &mut self.state;
            steps.lift_off(leg, from, &self.rig, &self.options, &pace, (course, input), terrain);
        }
    }

    /// How fast it walks, as a part of full speed.
    fn effort(&self) -> Real {
        (self.state.course.speed / self.pace().speed.max(TINY)).clamp(0.0, 1.0)
    }

    /// How far the first leg's foot is ahead of the second's, from -1 to 1.
    fn ahead(&self) -> Real {
        let [a, b] = [0, 1].map(|i| self.state.steps.foot(i, &self.rig, &self.options).heel);
        let ahead = turned(self.rig.ahead, self.state.course.heading);
        let between = Vec2::new(a.x - b.x, a.z - b.z).dot(ahead);
        (between / (0.7 * self.options.stride * self.rig.leg_length).max(TINY)).clamp(-1.0, 1.0)
    }

    /// Where the hips go: over the course, as high as the legs allow.
    fn hips(&self) -> Transform {
        let State { course, steps, ground } = &self.state;
        let rig = &self.rig;
        let effort = self.effort();
        let mut turn = course.heading;
        let mut place = course.place;
        let mut height = ground + rig.hips.y;
        if rig.is_biped() {
            turn -= self.options.pelvis * effort * self.ahead();
            let phase = steps.clock() * TAU;
            let sway = self.options.sway * effort * rig.leg_length * (phase - 0.4 * PI).cos();
            place += turned(Vec2::new(rig.left.x, rig.left.z), course.heading) * -sway;
            let bob = self.options.bob * rig.leg_length * effort;
            height += bob * (2.0 * phase + 0.6).cos() - bob - 0.01 * rig.leg_length * effort;
        }
        let rotation = rotation::about(Vec3::Y, turn);
        let mut hips = Transform::new(Vec3::new(place.x, height, place.y), rotation);
        // Soft, so that the hips do not stop dead where the last leg is stretched.
        let mut room = Real::INFINITY;
        for (i, foot) in rig.feet.iter().enumerate() {
            let base = hips.transform_point(foot.base);
            let ankle = match steps.standing_plant(i) {
                Some(plant) if foot.sole.length() > TINY && steps.has_rolled(i) => {
                    let wanted = steps.foot(i, rig, &self.options).pitch - plant.slope;
                    // Only a foot that is left behind lends its heel.
                    let ahead = turned(rig.ahead, course.heading);
                    let behind = Vec2::new(base.x - plant.toe.x, base.z - plant.toe.z).dot(ahead);
                    let lent = steps.may_rise(i) * ease(behind / (0.15 * rig.leg_length));
                    let rise = wanted.max(LENT_RISE * lent);
                    FootPose::on_toes(plant, &foot.sole, rise).ankle(&foot.sole)
                }
                _ => steps.foot(i, rig, &self.options).ankle(&foot.sole),
            };
            let reach = foot.reach * STRETCH;
            let across = Vec2::new(base.x - ankle.x, base.z - ankle.z).length();
            let up = (reach * reach - across * across).max(0.0).sqrt();
            room = room.min(ankle.y + up - base.y);
        }
        if room.is_finite() {
            let soft = 0.02 * rig.leg_length;
            let over = -room;
            // Zero well inside, `over` well outside, a parabola between.
            let give = if over <= -soft {
                0.0
            } else if over >= soft {
                over
            } else {
                (over + soft) * (over + soft) / (4.0 * soft)
            };
            hips.translation.y -= give;
        }
        hips
    }

    /// A foot as the gait wants it, with the heel as high as the leg and the
    /// ankle need it.
    fn fitted(&mut self, leg: usize, hips: Transform, by_limits: bool) -> FootPose {
        let steps = &self.state.steps;
        let wanted = steps.foot(leg, &self.rig, &self.options);
        let foot = &self.rig.feet[leg];
        let sole = foot.sole;
        let Some(&plant) = steps.standing_plant(leg).filter(|_| sole.length() > TINY) else {
            return wanted;
        };
        if !steps.has_rolled(leg) {
            return wanted;
        }
        let base = hips.transform_point(foot.base);
        let least = wanted.pitch - plant.slope;
        let rise = rise_to_reach(&sole, &plant, base, foot.reach * STRETCH, least, MOST_RISE);
        let rise = match by_limits {
            true => self.rig.rise_within_limits(leg, &plant, rise, MOST_RISE),
            false => rise,
        };
        FootPose::on_toes(&plant, &sole, rise)
    }

    /// Writes the pose of the state.
    fn show(&mut self, skeleton: &Skeleton, terrain: &dyn Terrain, pose: &mut Pose) -> WalkReport {
        let hips = self.hips();
        self.rig.stand(hips);
        self.goals.clear();
        // The analytic limb says itself when an ankle cannot turn as it should;
        // for the others it is found out beforehand.
        let exact = self.options.solver == LegSolver::Limb;
        for i in 0..self.rig.feet.len() {
            let mut goal = self.fitted(i, hips, !exact);
            let sole = &self.rig.feet[i].sole;
            if self.state.steps.standing_plant(i).is_none() {
                goal = goal.above(terrain, sole);
            }
            self.goals.push(goal);
        }
        self.rig.place_root(skeleton, hips, pose);
        let effort = self.effort();
        let carriage = if self.rig.is_biped() {
            let ahead = self.ahead();
            Carriage {
                ahead: ahead * ease(effort * 2.0),
                pelvis: -self.options.pelvis * effort * ahead,
                arms: self.options.arms,
                lean: self.options.lean * effort,
            }
        } else {
            Carriage { ahead: 0.0, pelvis: 0.0, arms: 0.0, lean: 0.0 }
        };
        if let Some(upper) = &self.rig.upper {
            upper.turn(skeleton, &carriage, self.rig.left, pose);
        }
        self.model.update(skeleton, pose);
        let (status, standing) = (Status::Reached, self.state.steps.stands());
        let mut report = WalkReport { status, cause: None, iterations: 0, slip: 0.0, standing };
        for i in 0..self.rig.feet.len() {
            let foot = &self.rig.feet[i];
            let goal = self.goals[i];
            let leads = self.state.steps.leads(i);
            if let Some((toes, frame)) = foot.toes {
                let planted = self.state.steps.standing_plant(i);
                let up = goal.pitch - planted.map_or(0.0, |p| p.slope);
                let bend = rotation::about(self.rig.left, -up.max(0.0));
                let bend = skeleton.joint(toes).project((frame.conjugate() * bend * frame).normalize());
                pose.set_rotation(toes, bend);
            }
            let solver = self.options.solver;
            for _ in 0..LIFTS {
                let foot = &mut self.rig.feet[i];
                let wanted = (self.goals[i].ankle(&foot.sole), self.goals[i].rotation(&foot.sole));
                let solved = foot.leg.solve(&self.rig.held, &mut self.model, wanted, solver, leads, pose);
                report.iterations += solved.iterations;
                self.causes[i] = solved.cause;
                if self.state.steps.standing_plant(i).is_some() {
                    if solved.aligned {
                        break;
                    }
                    let higher = self.fitted(i, hips, true);
                    if higher == self.goals[i] {
                        break;
                    }
                    self.goals[i] = higher;
                    continue;
                }
                // A foot whose ankle cannot turn as it should hangs lower than it should.
                let under = foot.leg.under(skeleton, &mut self.model, &foot.sole, terrain, pose);
                if under <= 0.0 {
                    break;
                }
                self.goals[i].heel.y += under;
            }
        }
        if let Some(upper) = &self.rig.upper {
            let facing = (hips.rotation, self.rig.left);
            upper.swing_arms(skeleton, &self.model, &carriage, facing, pose);
        }
        self.model.update(skeleton, pose);
        for (i, (foot, state)) in self.rig.feet.iter().zip(&mut self.feet).enumerate() {
            let goal = self.goals[i];
            let planted = self.state.steps.standing_plant(i);
            state.heel = goal.heel;
            state.toe = goal.toe(&foot.sole);
            state.heel_planted = planted.is_some_and(|p| p.heel.distance(goal.heel) < 1.0e-4);
            state.toe_planted = planted.is_some_and(|p| p.toe.distance(state.toe) < 1.0e-4);
            if planted.is_some() {
                let at = foot.leg.effector.transform(&self.model).translation;
                let slip = at.distance(goal.ankle(&foot.sole));
                if slip > PLANTED.max(report.slip) {
                    report.status = Status::NotReached;
                    report.cause = self.causes[i].map(|cause| cause.of_goal(GoalId(i as u32)));
                }
                report.slip = report.slip.max(slip);
            }
        }
        report
    }
}
