//! MovingIK: the two stages of Table 1.3 over and over.
//!
//! (a) The hips go on, the heel of the foot behind goes through the air to where the stride ends, and of
//! the foot in front only the toes remain planted. (b) The heel that has landed stays, its toes come down,
//! and the hips go on by as much as the toes were high.
//!
//! # Readings
//! * Hips go half a stride in the whole cycle: taken as in stage (a) alone, they would leave the feet behind by
//!   what they go in stage (b), again in every cycle.
//! * The toes are anchored at their joint; with six rows the toes themselves stay level.
//! * Of the ideal height of the hips the paper says that it comes from the floor and the leg; here it is the
//!   height at rest less a part of the leg, because a straight leg has a singular matrix.
//! * A foot that has to be put on the floor at its other end (the floor checks) is turned about the end that
//!   stands; the ankle then has a place, which the Jacobian is asked for.

use std::f32::consts::PI;
use std::time::Instant;

use sinew::body::walk::{Terrain, WalkInput};
use sinew::math::{Quat, Real, Vec3, rotation};
use sinew::{JointId, ModelPose, Pose, Skeleton};

use super::chain::{Angle, Chain, Link, OUTER, Task};

/// Which Jacobians are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Three rows for both feet.
    Half,
    /// Six rows for both.
    Full,
    /// Six for the leading foot, three for the toes that trail.
    Hybrid,
}

impl Mode {
    /// Its name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Half => "half",
            Self::Full => "full",
            Self::Hybrid => "hybrid",
        }
    }
}

/// What the solves took.
#[derive(Debug, Clone, Copy, Default)]
pub struct Cost {
    pub solves: u64,
    pub iterations: u64,
    pub halvings: u64,
    /// How many ended at the ceiling of iterations.
    pub ceilings: u64,
    pub seconds: f64,
}

impl Cost {
    /// Both together.
    pub fn plus(&self, other: &Self) -> Self {
        Self {
            solves: self.solves + other.solves,
            iterations: self.iterations + other.iterations,
            halvings: self.halvings + other.halvings,
            ceilings: self.ceilings + other.ceilings,
            seconds: self.seconds + other.seconds,
        }
    }
}

/// Joints of a chain.
const KNEE: usize = 1;
const ANKLE: usize = 2;
const TOES: usize = 3;
/// The knee's angle.
const BEND: usize = 3;

/// Seconds of stage (a); parts of the leg: how high a heel is lifted, how far the hips are lowered and go up
/// and down; radians: how far the toes point up at the heel strike and the pelvis turns; the narrowest turn,
/// in leg lengths.
const STRIDE_TIME: Real = 0.4;
const LIFT: Real = 0.1;
const LOWER: Real = 0.05;
const BOB: Real = 0.01;
const STRIKE: Real = 0.3;
const PELVIS: Real = 0.06;
const RADIUS: Real = 1.5;
/// How much of a step the ankle of the trailing foot takes: its heel is not to leave the ground too quickly.
const TRAILING_ANKLE: Real = 0.5;
/// Slower sticks than this are none, and shorter stages than this take no time.
const STILL: Real = 0.05;
const SHORT: Real = 1.0e-4;

/// A leg with its chain.
struct Leg {
    joints: [JointId; 4],
    /// The model's turns of the joints at rest.
    rests: [Quat; 4],
    chain: Chain,
    /// Where it begins, from the hips, and its heel from the ankle.
    base: Vec3,
    heel: Vec3,
    /// Where toes (their joint) and heel are planted.
    toes_at: Vec3,
    heel_at: Vec3,
    /// How its foot was turned when the stage began.
    turn: Quat,
}

/// Where the body was when a stage began, and where it goes.
struct Stage {
    /// Whether the toes come down (stage b).
    lands: bool,
    time: Real,
    length: Real,
    /// How far the hips go.
    way: Real,
    /// How far the heel goes, where it starts and how high the ground is where it lands.
    stride: Real,
    heel: Vec3,
    landing: Real,
    hips: Vec3,
    /// The height at which the hips end.
    height: Real,
    heading: Real,
    /// One over the radius of the arc, to the left.
    bend: Real,
    yaw: (Real, Real),
}

/// The walker.
pub struct MovingIk {
    mode: Mode,
    legs: [Leg; 2],
    root: (JointId, Vec3, Quat),
    leg_length: Real,
    /// How high the joint of the toes is over the ground, and the hips.
    toes_height: Real,
    stand: Real,
    hips: Vec3,
    heading: Real,
    yaw: Real,
    /// The leg that swings, and what the hips went in the last stage (b).
    swings: usize,
    landed: Real,
    stage: Option<Stage>,
    /// What all solves took.
    pub cost: Cost,
}

impl MovingIk {
    /// Standing on the ground; `None` if the rig has no legs of H-Anim's names.
    pub fn new(skeleton: &Skeleton, mode: Mode, ground: &dyn Terrain) -> Option<Self> {
        let model = ModelPose::rest(skeleton);
        let root = skeleton.root();
        let at = model.position(root);
        let find = |side: &str, name: &str| skeleton.find(&format!("{side}_{name}"));
        let leg = |side: &str| -> Option<Leg> {
            let joints =
                [find(side, "hip")?, find(side, "knee")?, find(side, "ankle")?, find(side, "metatarsal")?];
            let places = joints.map(|j| model.position(j));
            let (x, y, z) = (Vec3::X, Vec3::Y, Vec3::Z);
            // Flexion about the axis to the left is below zero for a thigh that goes ahead.
            let angles = vec![
                Angle::new(x, -120.0, 40.0),
                Angle::new(z, -35.0, 35.0),
                Angle::new(y, -25.0, 25.0),
                Angle::new(x, 0.0, 150.0),
                Angle::new(x, -40.0, 55.0),
                Angle::new(z, -25.0, 25.0),
                Angle::new(y, -20.0, 20.0),
                Angle::new(x, -60.0, 20.0),
            ];
            let ranges = [0..3, 3..4, 4..7, 7..8];
            let links = ranges.into_iter().enumerate().map(|(i, angles)| Link {
                offset: if i == 0 { places[0] - at } else { places[i] - places[i - 1] },
                angles,
            });
            let heel = Vec3::new(0.0, -places[ANKLE].y, -0.3 * (places[TOES].z - places[ANKLE].z));
            Some(Leg {
                joints,
                rests: joints.map(|j| model.rotation(j)),
                chain: Chain { links: links.collect(), angles },
                base: places[0] - at,
                heel,
                toes_at: places[TOES],
                heel_at: places[ANKLE] + heel,
                turn: Quat::IDENTITY,
            })
        };
        let legs = [leg("l")?, leg("r")?];
        let bones = [KNEE, ANKLE].map(|i| legs[0].chain.links[i].offset.length());
        let leg_length = bones.iter().sum::<Real>();
        let mut walker = Self {
            mode,
            root: (root, at, model.rotation(root)),
            leg_length,
            toes_height: legs[0].toes_at.y,
            stand: at.y - LOWER * leg_length,
            hips: at,
            heading: 0.0,
            yaw: 0.0,
            swings: 1,
            landed: 0.0,
            stage: None,
            cost: Cost::default(),
            legs,
        };
        walker.hips.y = walker.stand + ground.height(at.x, at.z);
        for leg in 0..2 {
            for plant in [&mut walker.legs[leg].toes_at, &mut walker.legs[leg].heel_at] {
                plant.y += ground.height(plant.x, plant.z);
            }
            // A knee that is bent knows which way.
            walker.legs[leg].chain.angles[BEND].set(0.3);
            walker.put_foot(leg, false, 1.0);
        }
        Some(walker)
    }

    /// Weighs what the right knee takes of a step.
    pub fn stiffen_right_knee(&mut self, weight: Real) {
        self.legs[1].chain.angles[BEND].weight = weight;
    }

    /// How far the knees are bent, in radians.
    pub fn knees(&self) -> [Real; 2] {
        self.legs.each_ref().map(|leg| leg.chain.angles[BEND].value)
    }

    /// Walks on.
    pub fn step(&mut self, ground: &dyn Terrain, input: WalkInput, seconds: Real) {
        let mut left = seconds;
        loop {
            if self.stage.is_none() {
                self.stage = self.begin(ground, input);
            }
            let Some(stage) = &mut self.stage else { return };
            let time = left.min(stage.length - stage.time);
            stage.time += time;
            left -= time;
            self.move_body(ground);
            let ended = self.stage.as_ref().is_some_and(|s| s.length - s.time <= SHORT);
            if !ended {
                return;
            }
            self.end(ground);
            if left <= SHORT {
                return;
            }
        }
    }

    /// Writes the pose; joints of the upper body are left as they are.
    pub fn show(&self, skeleton: &Skeleton, pose: &mut Pose) {
        let (root, rest, turn) = self.root;
        let base = self.base();
        debug_assert_eq!(root, skeleton.root());
        pose.set_rotation(root, (turn.conjugate() * base.1 * turn).normalize());
        pose.set_translation(root, turn.conjugate() * (base.0 - rest));
        for leg in &self.legs {
            for (i, (&joint, &rest)) in leg.joints.iter().zip(&leg.rests).enumerate() {
                pose.set_rotation(joint, (rest.conjugate() * leg.chain.turn(i) * rest).normalize());
            }
        }
    }

    /// Where the hips are, and how they are turned.
    fn base(&self) -> (Vec3, Quat) {
        (self.hips, rotation::about(Vec3::Y, self.heading + self.yaw))
    }

    /// Stage (a), if the stick asks for one.
    fn begin(&mut self, ground: &dyn Terrain, input: WalkInput) -> Option<Stage> {
        let speed = input.speed.clamp(0.0, 1.0);
        if speed.is_nan() || speed < STILL {
            return None;
        }
        let base = self.base();
        let ahead = rotation::about(Vec3::Y, self.heading) * Vec3::Z;
        let leg = &mut self.legs[self.swings];
        let (heel, turn) = leg.chain.point(base, ANKLE, leg.heel);
        leg.turn = turn;
        // Half the leg, and what the leg trails behind the hips.
        let hip = base.0 + base.1 * leg.base;
        let trails = (hip - heel).dot(ahead).max(0.0);
        let stride = speed * (0.5 * self.leg_length + trails);
        let bend = input.turn.clamp(-1.0, 1.0) / (RADIUS * self.leg_length);
        let way = (0.5 * stride - self.landed).max(0.2 * stride);
        let mut stage = Stage {
            lands: false,
            time: 0.0,
            length: STRIDE_TIME,
            way,
            stride,
            heel,
            landing: 0.0,
            hips: self.hips,
            height: 0.0,
            heading: self.heading,
            bend,
            yaw: (self.yaw, if self.swings == 0 { -PELVIS } else { PELVIS } * speed),
        };
        let lands = stage.along(heel, stride);
        stage.landing = ground.height(lands.x, lands.z);
        let hips = stage.along(self.hips, way);
        stage.height = self.stand + ground.height(hips.x, hips.z);
        Some(stage)
    }

    /// What follows a stage: (b) after (a), the other foot after (b).
    fn end(&mut self, ground: &dyn Terrain) {
        let Some(stage) = self.stage.take() else { return };
        let base = self.base();
        let swings = self.swings;
        if stage.lands {
            let leg = &mut self.legs[swings];
            let (toes, _) = leg.chain.point(base, TOES, Vec3::ZERO);
            leg.toes_at = Vec3::new(toes.x, ground.height(toes.x, toes.z) + self.toes_height, toes.z);
            self.swings = 1 - swings;
            return;
        }
        let leg = &mut self.legs[swings];
        let lands = stage.along(stage.heel, stage.stride);
        leg.heel_at = Vec3::new(lands.x, stage.landing, lands.z);
        let (toes, turn) = leg.chain.point(base, TOES, Vec3::ZERO);
        leg.turn = turn * leg.chain.turn(TOES).conjugate();
        let high = (toes.y - self.toes_height - ground.height(toes.x, toes.z)).max(0.0);
        self.landed = high;
        let ahead = stage.along(self.hips, high) - self.hips;
        let hips = self.hips + ahead;
        self.stage = Some(Stage {
            lands: true,
            time: 0.0,
            // As fast as in stage (a).
            length: high * STRIDE_TIME / stage.way.max(SHORT) + SHORT,
            way: high,
            hips: self.hips,
            heading: self.heading,
            height: self.stand + ground.height(hips.x, hips.z),
            yaw: (self.yaw, self.yaw),
            ..stage
        });
    }

    /// The body in the middle of a stage.
    fn move_body(&mut self, ground: &dyn Terrain) {
        let Some(stage) = self.stage.take() else { return };
        let part = (stage.time / stage.length.max(SHORT)).clamp(0.0, 1.0);
        let way = stage.way * part;
        let bob = if stage.lands { 0.0 } else { BOB * self.leg_length * (PI * part).sin() };
        self.hips = stage.along(stage.hips, way);
        self.hips.y = stage.hips.y + (stage.height - stage.hips.y) * part + bob;
        self.heading = stage.heading + way * stage.bend;
        self.yaw = stage.yaw.0 + (stage.yaw.1 - stage.yaw.0) * part;
        let (swings, trails) = (self.swings, 1 - self.swings);
        if stage.lands {
            self.legs[swings].toes_at = self.toes_down(swings, ground);
            self.put_foot(swings, true, part);
        } else {
            self.swing(swings, &stage, part, ground);
        }
        self.anchor(trails, ground);
        self.stage = Some(stage);
    }

    /// The heel on its way (Eq. 1.15), skewed to the heights at both ends.
    fn swing(&mut self, leg: usize, stage: &Stage, part: Real, ground: &dyn Terrain) {
        let x = 3.0 * PI * part;
        let curve = 0.5 * if x <= PI { 1.0 - x.cos() } else { 1.0 - (0.5 * (PI + x)).cos() };
        let mut place = stage.along(stage.heel, stage.stride * part);
        place.y = stage.heel.y + (stage.landing - stage.heel.y) * part + LIFT * self.leg_length * curve;
        let base = self.base();
        let heading = rotation::about(Vec3::Y, stage.heading + stage.stride * stage.bend * part);
        let strike = heading * rotation::about(Vec3::X, -STRIKE);
        let wanted = self.legs[leg].turn.slerp(strike, part);
        let turn = (self.mode != Mode::Half).then_some(wanted);
        let point = self.legs[leg].heel;
        self.weigh_ankle(leg, 1.0);
        self.level_toes(leg);
        self.solve(leg, Task { link: ANKLE, point, place, turn });
        // The toes of the leading foot may be in the floor.
        let (toes, _) = self.legs[leg].chain.point(base, TOES, Vec3::ZERO);
        let floor = ground.height(toes.x, toes.z) + self.toes_height;
        if toes.y < floor {
            let leg_now = &mut self.legs[leg];
            (leg_now.heel_at, _) = leg_now.chain.point(base, ANKLE, point);
            let kept = leg_now.toes_at;
            leg_now.toes_at = Vec3::new(toes.x, floor, toes.z);
            self.put_foot(leg, true, 1.0);
            self.legs[leg].toes_at = kept;
        }
    }

    /// Anchors the toes of the foot behind; its heel may not be in the floor.
    fn anchor(&mut self, leg: usize, ground: &dyn Terrain) {
        let place = self.legs[leg].toes_at;
        let base = self.base();
        let (_, foot) = self.legs[leg].chain.point(base, ANKLE, Vec3::ZERO);
        let ahead = foot * Vec3::Z;
        let level = rotation::about(Vec3::Y, ahead.x.atan2(ahead.z));
        self.weigh_ankle(leg, TRAILING_ANKLE);
        let turn = (self.mode == Mode::Full).then_some(level);
        self.solve(leg, Task { link: TOES, point: Vec3::ZERO, place, turn });
        if turn.is_none() {
            self.level_toes(leg);
        }
        let (heel, _) = self.legs[leg].chain.point(base, ANKLE, self.legs[leg].heel);
        let floor = ground.height(heel.x, heel.z);
        if heel.y < floor {
            self.legs[leg].heel_at = Vec3::new(heel.x, floor, heel.z);
            self.put_foot(leg, false, 1.0);
        }
    }

    fn weigh_ankle(&mut self, leg: usize, weight: Real) {
        let angles = self.legs[leg].chain.links[ANKLE].angles.clone();
        self.legs[leg].chain.angles[angles].iter_mut().for_each(|a| a.weight = weight);
    }

    /// Toes that no row asks for are level with the ground.
    fn level_toes(&mut self, leg: usize) {
        let base = self.base();
        let (_, foot) = self.legs[leg].chain.point(base, ANKLE, Vec3::ZERO);
        let pitch = -(foot * Vec3::Z).y.clamp(-1.0, 1.0).asin();
        let toes = self.legs[leg].chain.links[TOES].angles.start;
        self.legs[leg].chain.angles[toes].set(-pitch);
    }

    /// Where the toes of a foot on its heel are when they are down.
    fn toes_down(&self, leg: usize, ground: &dyn Terrain) -> Vec3 {
        let (toes, _) = self.legs[leg].chain.point(self.base(), TOES, Vec3::ZERO);
        Vec3::new(toes.x, ground.height(toes.x, toes.z) + self.toes_height, toes.z)
    }

    /// A foot between its heel's place and that of its toes: turned about the end that counts so that it points
    /// at the other, from how it was turned before by a part of the way.
    fn put_foot(&mut self, leg: usize, on_heel: bool, part: Real) {
        let base = self.base();
        let own = &self.legs[leg];
        let toes = own.chain.links[TOES].offset;
        let from = if part < 1.0 { own.turn } else { own.chain.point(base, ANKLE, Vec3::ZERO).1 };
        let along = from * (toes - own.heel);
        let wanted = own.toes_at - own.heel_at;
        let turn = rotation::exp(
            rotation::log(rotation::between(along.normalize_or_zero(), wanted.normalize_or_zero(), Vec3::X))
                * part,
        ) * from;
        let (point, at) = if on_heel { (own.heel, own.heel_at) } else { (toes, own.toes_at) };
        let place = at - turn * point;
        let rows = match (self.mode, on_heel) {
            (Mode::Full, _) | (Mode::Hybrid, true) => Some(turn),
            _ => None,
        };
        self.solve(leg, Task { link: ANKLE, point: Vec3::ZERO, place, turn: rows });
        // The ankle, which is free to do so, turns the foot (the penultimate link).
        let own = &mut self.legs[leg];
        let (_, shin) = own.chain.point(base, KNEE, Vec3::ZERO);
        let local = shin.conjugate() * turn;
        let (x, y, z) = (local * Vec3::X, local * Vec3::Y, local * Vec3::Z);
        let euler = [y.z.atan2(y.y), -y.x.clamp(-1.0, 1.0).asin(), z.x.atan2(x.x)];
        let angles = own.chain.links[ANKLE].angles.clone();
        own.chain.angles[angles].iter_mut().zip(euler).for_each(|(angle, value)| angle.set(value));
        self.level_toes(leg);
    }

    fn solve(&mut self, leg: usize, task: Task) {
        let base = self.base();
        let start = Instant::now();
        let effort = self.legs[leg].chain.solve(base, task);
        self.cost.seconds += start.elapsed().as_secs_f64();
        self.cost.solves += 1;
        self.cost.iterations += u64::from(effort.iterations);
        self.cost.halvings += u64::from(effort.halvings);
        self.cost.ceilings += u64::from(effort.iterations >= OUTER);
    }
}

impl Stage {
    /// A place so far along the stage's line or arc (Eq. 1.16-1.18).
    fn along(&self, place: Vec3, way: Real) -> Vec3 {
        let heading = rotation::about(Vec3::Y, self.heading);
        if self.bend.abs() < 1.0e-4 {
            return place + heading * Vec3::Z * way;
        }
        let centre = self.hips + heading * Vec3::X / self.bend;
        let from = Vec3::new(place.x - centre.x, 0.0, place.z - centre.z);
        let turned = rotation::about(Vec3::Y, way * self.bend) * from;
        Vec3::new(centre.x + turned.x, place.y, centre.z + turned.z)
    }
}
