//! A character that walks over any ground, after Meredith & Maddock's MovingIK.
//!
//! ```text
//! input (stick, velocity, root) ─► course: where the body goes        walk/course.rs
//!                           │        blocked: where it has to stop      walk/blocked.rs
//!         whose turn it is ─┼─► steps: where each foot stands or flies  walk/steps.rs
//!                           │     flight: its way through the air       walk/flight.rs
//!                           ▼
//!                        hips, as high as the legs will allow           walk/hips.rs
//!                           ▼
//!                        feet (heel, pitch, roll, heading)              walk/foot.rs
//!                           ▼
//!                        legs by inverse kinematics, arms, spine        walk/show.rs: leg.rs, upper.rs
//! ```
//!
//! # The two layers
//! The *control layer* turns the player's input into a place and a heading that
//! move on arcs (eq. 1.16-1.18). The *animation layer* moves the feet: legs have their turns in
//! two groups, of which one flies along the stride curve of eq. 1.15 over whatever is in its way
//! while the other stands: first on the heel while the toes come down (stage b of Table 1.3),
//! then flat, then on the toes as the heel rises (stage a).
//!
//! # Nothing is taken by surprise
//! A flight is planned from lift-off to landing, and again when the stick or the ground change
//! its goal. The hips look a step ahead and begin to sink before a leg is stretched. The body in
//! turn waits for its feet: it goes on no faster than they can follow, and does not turn further
//! away from a foot than its hip can. A foot lands as soon as its leg gets to its place.
//!
//! A flight has a clock of its own: it goes faster where the body got faster than the step was
//! planned for, and slower where the foot would fall. A body on more than two legs leans with the
//! plane through its feet.
//!
//! # What is planted stays planted
//! A foot on the ground has a heel and toes that do not move; hips and heel rise
//! are chosen so that the leg reaches them, the hips going as high as the legs
//! allow and the heel rising no more than it must. Where the ankle cannot turn the foot as the
//! ground has it, the point on which it stands still stays in its place. Only the place of the
//! toes is kept through the whole of a stance, as in the paper.
//!
//! # Time
//! The state advances by ticks of a fixed length, and a frame shows the state at
//! its own time: the same input gives the same walk at any frame rate.
//!
//! # Past the paper
//! Feet look for places on stairs where heel and toes find ground, and rise over
//! what is in their way. A walker with any number of legs takes the same turns;
//! eight legs in two groups are a spider. Standing feet step home by themselves
//! when the body has turned away from them.
//!
//! A stick below zero walks backwards, a velocity goes any way, and past the fastest walk (a
//! Froude number of 0.3) it runs: one group leaves before the other one lands. A root that
//! something else moves is followed by the feet.
//!
//! # Blocked is an outcome
//! Before a wall, a step too high, a drop and a slope too steep it stops as it would for the
//! stick, stands, and [`WalkReport::blocked`] says what is in the way. Where something else moves
//! the body, that is left to whatever it is.
//!
//! # Degenerate cases
//! Input that is not a number counts as none. Ground that is too far below for whoever is moved
//! there is walked over with the feet as near to it as the legs reach.

mod blocked;
pub(super) mod course;
mod flight;
pub(super) mod foot;
mod glide;
mod hips;
pub(super) mod leg;
mod options;
mod report;
pub(super) mod rig;
mod show;
mod steps;
pub(super) mod stride;
pub(super) mod terrain;
mod upper;

use alloc::vec::Vec;

pub use blocked::{Blocked, Obstacle};
pub use course::{WalkDrive, WalkInput, WalkVelocity};
pub use leg::LegSolver;
pub use options::WalkOptions;
pub use report::{FootState, WalkReport};
pub use terrain::{Ground, Relief, Terrain};

use self::blocked::Stop;
use self::course::{Course, Pace, Wish};
use self::foot::FootPose;
use self::hips::Hips;
use self::rig::WalkRig;
use self::steps::{Steps, Walk};
use self::stride::ease;
use self::terrain::Finite;
use crate::error::RigError;
use crate::math::*;
use crate::pose::{ModelPose, Pose};
use crate::report::{Cause, Status};
use crate::skeleton::humanoid::HumanoidMap;
use crate::skeleton::{JointId, Skeleton};
use crate::solver::room::Room;

/// A tick of the state, in seconds.
const TICK: Real = 1.0 / 240.0;
/// What of a tick is a whole one: what rounding took from a frame is not shown apart from it.
const WHOLE: Real = 1.0 - 1.0e-4;
/// The most ticks that one frame makes up for: a long pause is not walked after.
const MOST_TICKS: u32 = 480;
/// What of a heel's rise on its toes the hips count on, in radians.
const LENT_RISE: Real = 0.8;
/// A rise over a leg's length that is walked at full speed, and how much slower
/// every further one makes it.
const GENTLE: Real = 0.12;
const CARE: Real = 4.0;

/// How far the body turns away from a foot that stands, in radians, before it waits for it, and
/// where it stops.
const TWIST: (Real, Real) = (0.35, 0.7);
/// How near its feet may come to each other aside, in leg lengths, before it turns less in the direction that brings
/// them nearer, and where it turns least, and how much that is: on stairs no better place may be left for the feet.
const CROSSES: (Real, Real) = (0.0, 0.05);
const LEAST_TURN: Real = 0.1;
/// A small turn that tells which direction that is, in radians.
const NUDGE: Real = 1.0e-2;
/// How low the legs may keep the hips, in leg lengths, before the body waits for its feet; at
/// twice that it stops.
const LOW: Real = 0.09;
/// What of its turning it leaves then: legs that are bent that far twist little.
const WAITS_TURNING: Real = 0.6;

/// The Froude number of the fastest walk, for the acceleration of gravity in metres a second
/// squared. People walk up to a half (Alexander 1989), with longer strides than the hips of most
/// rigs allow.
const FROUDE: Real = 0.3;
const GRAVITY: Real = 9.81;
/// How often the way ahead is looked at, in seconds.
const LOOK_AHEAD: Real = 1.0 / 60.0;
/// The part of the wanted speed under which a body that an obstacle slows down is blocked.
const HELD_UP: Real = 0.5;

/// A walking character; see the [module](self).
#[derive(Debug, Clone)]
pub struct Walker {
    options: WalkOptions,
    rig: WalkRig,
    state: State,
    /// Room for the steps while a look ahead moves them, and the course as shown.
    spare: Steps,
    shown: Course,
    /// Time that is not a whole tick yet, and time since the last frame.
    left_over: Real,
    since_shown: Real,
    model: ModelPose,
    feet: Vec<FootState>,
    goals: Room<FootPose>,
    /// What stood in each foot's way.
    causes: Vec<Option<Cause>>,
    fingerprint: u64,
}

/// All that changes from tick to tick.
#[derive(Debug, Clone)]
struct State {
    course: Course,
    steps: Steps,
    hips: Hips,
    way: Way,
}

/// What is known of the way ahead.
#[derive(Debug, Clone, Copy, Default)]
struct Way {
    /// Seconds until the next look.
    look: Real,
    stop: Option<Stop>,
    blocked: Option<Blocked>,
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
        Self::with_skin(skeleton, map, &[], options, terrain)
    }

    /// The same, for a body whose skin is known: points of it, each with the joint that carries
    /// it and in that joint's frame. The soles are then those of the skin.
    pub fn with_skin(
        skeleton: &Skeleton,
        map: &HumanoidMap,
        skin: &[(JointId, Vec3)],
        options: WalkOptions,
        terrain: &dyn Terrain,
    ) -> Result<Self, RigError> {
        let terrain = &Finite(terrain);
        let rig = WalkRig::new(skeleton, map, skin)?;
        let course = Course::at(Vec2::new(rig.hips.x, rig.hips.z));
        let steps = Steps::new(&rig, terrain, &course);
        let spare = steps.clone();
        let state = State { course, hips: Hips::new(&rig, &course, &steps), steps, way: Way::default() };
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
            since_shown: 0.0,
            model: ModelPose::rest(skeleton),
            feet: feet.collect(),
            goals: Room::new(rig.feet.len()),
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

    /// The length of its legs, in metres, of which its options are parts.
    pub fn leg_length(&self) -> Real {
        self.rig.leg_length
    }

    /// Where the body is, on the ground.
    pub fn place(&self) -> Vec3 {
        let p = self.shown.place;
        Vec3::new(p.x, self.state.steps.ground(), p.y)
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
        drive: impl Into<WalkDrive>,
        seconds: Real,
        pose: &mut Pose,
    ) -> WalkReport {
        if skeleton.fingerprint() != self.fingerprint || pose.len() != skeleton.len() {
            let (status, cause) = (Status::NotReached, Some(Cause::Mismatch));
            return WalkReport { status, cause, iterations: 0, slip: 0.0, standing: false, blocked: None };
        }
        let terrain = &Finite(terrain);
        let span = self.left_over + if seconds.is_finite() { seconds.max(0.0) } else { 0.0 };
        let wish = Wish::new(drive.into(), &self.pace(), &self.state.course, self.rig.ahead, span);
        self.left_over += if seconds.is_finite() { seconds.max(0.0) } else { 0.0 };
        let mut ticks = 0;
        while self.left_over >= WHOLE * TICK && ticks < MOST_TICKS {
            self.advance(terrain, wish, TICK);
            self.left_over = (self.left_over - TICK).max(0.0);
            ticks += 1;
        }
        if ticks == MOST_TICKS {
            self.left_over = 0.0;
        }
        // The rest of the time is shown but not kept, so that it cannot add up
        // differently at other frame rates.
        let (course, hips, way) = (self.state.course, self.state.hips, self.state.way);
        self.spare.copy_from(&self.state.steps);
        if self.left_over > 0.0 {
            self.advance(terrain, wish, self.left_over);
        }
        self.since_shown = if seconds.is_finite() { seconds.max(0.0) } else { 0.0 };
        let report = self.show(skeleton, terrain, pose);
        self.shown = self.state.course;
        (self.state.course, self.state.hips, self.state.way) = (course, hips, way);
        self.state.steps.copy_from(&self.spare);
        self.take_note();
        report
    }

    /// Steep ground is walked more slowly, in shorter steps: on stairs a tread at
    /// a time.
    fn careful(&self, terrain: &dyn Terrain, wish: Wish) -> Wish {
        let Course { place, .. } = self.state.course;
        let leg = self.rig.leg_length;
        let Some(ahead) = self.state.course.direction(wish.velocity, self.rig.ahead) else { return wish };
        // What it stops before is not walked on.
        let far = self.state.way.stop.map_or(Real::MAX, |stop| stop.distance);
        let height = |along: Real| {
            let p = place + ahead * (along * leg).min(far);
            terrain.height(p.x, p.y)
        };
        // What rises or falls more than a step is not walked on, but stopped before or left behind. The
        // samples are so near to each other that no two steps of a stair are between them.
        let most = self.options.climb.max(self.options.drop) * leg;
        let heights = [-0.5, -0.3, -0.1, 0.1, 0.3, 0.5, 0.7].map(height);
        let mut rises: [Real; 6] = [0.0; 6];
        for (rise, ends) in rises.iter_mut().zip(heights.windows(2)) {
            *rise = (ends[1] - ends[0]).clamp(-most, most);
        }
        let whole = rises.iter().sum::<Real>().abs();
        let steepest = rises.chunks(2).map(|two| two.iter().sum::<Real>().abs()).fold(0.0, Real::max);
        let grade = (whole.max(steepest) / leg - GENTLE).max(0.0);
        Wish { velocity: wish.velocity / (1.0 + CARE * grade), ..wish }
    }

    fn pace(&self) -> Pace {
        let speed = self.options.speed.max(0.0) * self.rig.leg_length * self.rig.stride;
        let turn = self.options.turn * self.rig.stride.sqrt();
        let walks = (FROUDE * GRAVITY * self.rig.leg_length).sqrt() * self.rig.stride;
        let runs = self.options.run.max(0.0) * self.rig.leg_length * self.rig.stride;
        let speed_change = 1.5 * speed.min(walks).max(0.1);
        Pace { speed, turn, walks, runs, speed_change, turn_change: 4.0 }
    }

    /// Looks where the way ahead ends, and slows down for it.
    fn stopped(&mut self, terrain: &dyn Terrain, wanted: Wish, pace: &Pace, time: Real) -> Wish {
        let Self { rig, options, state: State { course, way, steps, .. }, .. } = self;
        way.look -= time;
        if way.look <= 0.0 {
            way.look += LOOK_AHEAD;
            let goes = if course.speed() > 0.1 * pace.speed { course.velocity } else { wanted.velocity };
            way.stop = Stop::look(rig, options, (&*course, pace, goes), (terrain, steps.ground()));
        }
        let Some(stop) = &way.stop else {
            way.blocked = None;
            return wanted;
        };
        let velocity = stop.slowed(wanted.velocity, rig, pace, course);
        let held_up = velocity.length() < HELD_UP * wanted.velocity.length();
        way.blocked = held_up.then_some(stop.blocked);
        Wish { velocity, ..wanted }
    }

    fn advance(&mut self, terrain: &dyn Terrain, wanted: Wish, time: Real) {
        let pace = self.pace();
        let mut wish = wanted;
        if wanted.forced {
            self.state.way = Way::default();
        } else {
            wish = self.stopped(terrain, wanted, &pace, time);
            wish = self.careful(terrain, wish);
            // A body does not leave its feet behind.
            let waits = ease((self.state.hips.low - LOW) / LOW);
            wish.velocity *= 1.0 - waits;
            wish.turn *= 1.0 - WAITS_TURNING * waits;
            let twist = self.state.steps.twist(self.state.course.heading, wish.turn);
            wish.turn *= 1.0 - ease((twist - TWIST.0) / (TWIST.1 - TWIST.0));
            if self.rig.is_biped() {
                // A stick that turns back under a long step would cross the legs.
                let apart = |turn: Real| self.state.steps.apart(&self.rig, self.state.course.heading + turn);
                let now = apart(0.0);
                if apart(NUDGE * wish.turn.signum()) < now {
                    let room = now / self.rig.leg_length;
                    let turns = ease((room - CROSSES.0) / (CROSSES.1 - CROSSES.0));
                    wish.turn *= LEAST_TURN + (1.0 - LEAST_TURN) * turns;
                }
            }
        }
        let stop = self.state.way.stop;
        self.state.course.advance(&wish, &pace, self.rig.ahead, time);
        let course = self.state.course;
        let hips = self.state.hips.place(&self.rig, &course);
        let Self { rig, options, state, .. } = self;
        let walk = Walk { rig, options, pace: &pace, course: &course, wish, terrain, hips, stop };
        let leaving = state.steps.tick(&walk, time);
        if leaving.is_some() {
            state.steps.leave(&walk);
        }
        state.hips.advance(rig, options, (&course, &pace, &wish), &state.steps, time);
        // A foot that lifts off starts where it really is.
        let Some(group) = leaving else { return };
        let hips = self.state.hips.place(&self.rig, &course);
        self.rig.stand(hips);
        for foot in 0..self.rig.feet.len() {
            if self.rig.feet[foot].group == group {
                let mut from = self.fitted(foot, hips, true);
                if let Some(plant) = self.state.steps.standing_plant(foot) {
                    from = self.rig.as_turned(foot, plant, from);
                }
                let Self { rig, options, state, .. } = self;
                let walk = Walk { rig, options, pace: &pace, course: &course, wish, terrain, hips, stop };
                state.steps.lift_off(foot, from, &walk);
            }
        }
    }
}
