//! A whole body from six points: pelvis, head, wrists and ankles.
//!
//! Sequential IK (Unzueta, Peinado, Boulic and Suescun, "Full-body performance
//! animation with Sequential Inverse Kinematics", 2008): the parts of the body
//! are posed one after the other, each in closed form from what is known by then.
//!
//! 1. The turn of the pelvis about the line to the head, from wrists, ankles and
//!    the frame before (`six_point/pelvis.rs`).
//! 2. The spine, from the distance of pelvis and head (`six_point/spine.rs`, Alg.
//!    2 and 3): its shape, its joints' limits, then the turn that puts the head
//!    in its direction; what is missing or too much is split between both ends. Chest, knees and elbows
//!    that are seen, and limbs that are too short, turn its parts (`six_point/fit.rs`).
//! 3. Legs from the ankles, clavicles from the wrists (`six_point/clavicle.rs`,
//!    Alg. 4), arms from the wrists (Alg. 5, by [`Limb`]), elbows out of the torso.
//!
//! Before all that, `six_point/calibration.rs` makes a person's trackers the rig's joints (`six_point/mounts.rs` finds how they
//! are mounted), `six_point/guard.rs` decides
//! what of the trackers is believed, those that were lost fade in when they come back (`six_point/returning.rs`),
//! and `six_point/fill.rs` makes up what nobody tracks: feet that step, a pelvis over them and a heading
//! (`six_point/stance.rs`, `six_point/foot.rs`). Noisy trackers are filtered by
//! `six_point/steady.rs`. Arms and legs are [`LimbFollower`]s, which keep elbows and knees from
//! jumping.
//!
//! # Spaces
//! The *body's frame* has x to the left, y up and z forwards, whatever the rig's
//! axes are; [`Facing`] says where they lie at rest. A joint's turn is kept as its
//! body frame `G`: what the body's frame at rest has become there. Bones are rest
//! vectors of the body's frame turned by `G`, so no axis of a joint is assumed.
//!
//! # Beyond the paper
//! [`SixPointOptions::paper`] has the paper's steps and weights, with limbs, spine and checks of
//! our own; `sinew-motion` has the method as it is printed. The default adds a chest
//! that turns against the pelvis, a pelvis that tilts with the legs, a spine that
//! bends the way it is curved at rest, and a neutral limb whose undefined direction lies behind the
//! body; the gain of each is measured by `sinew eval sik`. Trackers with an
//! orientation are honoured, and three to eleven points will do.
//!
//! # Bounds
//! At the default options: a point that is used goes no faster than 24 m/s besides the body's own
//! motion, the pelvis turns about the spine at no more than 36 rad/s, an elbow or a knee swivels
//! at no more than 12 rad/s of its own, and no joint of an arm or a leg turns faster than 48 rad/s
//! where a limit or its tracker pushes it, besides what wrist or ankle carry it along. Limits always
//! hold, unless [`LimbFollowerOptions::give`] is above zero: then a shoulder or a hip gives by up to
//! that where elbow or knee would jump otherwise.
//!
//! All of these are per second, and so is everything that the body remembers: the same motion at
//! another frame rate gives the same body. A time step of zero, a negative one or one that is not a
//! number counts as a microsecond.
//!
//! ```
//! use sinew::body::six_point::{Point, SixPoint, SixPointOptions, Trackers};
//! use sinew::rigs::{SwingModel, humanoid};
//! use sinew::skeleton::humanoid::{HumanoidMap, Side};
//! use sinew::{ModelPose, Pose, Vec3};
//!
//! let skeleton = humanoid(SwingModel::Ellipse);
//! let map = HumanoidMap::find(&skeleton);
//! let mut body = SixPoint::new(&skeleton, &map, SixPointOptions::default())?;
//! let mut pose = body.relaxed().clone();
//! // The rest pose's own points, with one hand raised.
//! let rest = ModelPose::rest(&skeleton);
//! let mut frame = body.points_of(&rest);
//! let hand = rest.position(body.joint(Point::Wrist(Side::Left)).unwrap());
//! frame = frame.with(Point::Wrist(Side::Left), hand + Vec3::new(-0.1, 0.4, 0.3));
//! let report = body.solve(&skeleton, &frame, 1.0 / 90.0, &mut pose);
//! assert!(report.arm(Side::Left).reached());
//! # Ok::<(), sinew::error::RigError>(())
//! ```

mod build;
mod calibration;
mod clavicle;
mod fill;
mod fit;
mod foot;
mod guard;
mod limbs;
mod mounts;
mod options;
mod pelvis;
mod points;
mod report;
mod returning;
mod spine;
mod stance;
mod steady;
#[cfg(feature = "collision")]
mod torso;
mod trunk;

use alloc::sync::Arc;
use alloc::vec::Vec;

pub use calibration::Calibration;
pub use options::{HeadingWeights, SixPointOptions};
pub use points::{Point, Trackers};
pub use report::{SixPointReport, Source};

use self::foot::Foot;
use self::guard::{Bounds, Guard};
use self::returning::TurnsBack;
use self::spine::Arch;
use self::steady::Steady;
#[cfg(feature = "collision")]
use self::torso::Torso;
#[allow(unused_imports)] // named in the docs
use crate::analytic::LimbFollowerOptions;
use crate::analytic::{Limb, LimbFollower};
use crate::limit::probe::LimitProbe;
use crate::math::*;
use crate::pose::{ModelPose, Pose};
#[allow(unused_imports)] // named in the docs
use crate::skeleton::humanoid::{Facing, Side};
use crate::skeleton::{JointId, Skeleton};

/// How fast the plane in which the spine bends follows a motion: by a turn of a
/// sixth of a radian it has come half the way.
const PLANE_GAIN: Real = 6.0;

/// A joint of the spine, from the hips to the head.
#[derive(Debug, Clone)]
struct Vertebra {
    joint: JointId,
    /// Its model rotation at rest, as the body sees it: `G` times it is its
    /// rotation now.
    seen: Quat,
    /// How much of the chest's turn against the pelvis it has.
    twist: Real,
    /// Its limit, where that can be asked quickly whether it holds.
    probe: Option<LimitProbe>,
}

/// An arm or a leg with what leads up to it.
#[derive(Debug, Clone)]
struct Branch {
    follower: LimbFollower,
    /// The wanted swivel angle.
    swivel: Real,
    /// The joints above the base, below the spine, from above to below.
    above: Arc<[JointId]>,
    /// The joint that may turn to bring the shoulder nearer, one of `above`.
    clavicle: Option<JointId>,
    /// How far the limb reaches.
    reach: Real,
}

impl Branch {
    fn limb(&self) -> &Limb {
        self.follower.limb()
    }
}

/// What is kept from frame to frame.
#[derive(Debug, Clone, Copy)]
struct Memory {
    /// The direction from pelvis to head.
    up: Vec3,
    /// Left, of pelvis and chest.
    left: Vec3,
    chest_left: Vec3,
    /// The axis about which the spine bends, as the body sees it.
    axis: Vec3,
    /// By how much it is bent, see [`Arch`].
    bend: Real,
    /// The middle between pelvis and head, and how fast it goes.
    middle: Vec3,
    velocity: Vec3,
    started: bool,
}

/// What was measured of the rig, and how it is to be moved. It never changes.
#[derive(Debug)]
struct Rig {
    options: SixPointOptions,
    joints: [Option<JointId>; Point::COUNT],
    fingerprint: u64,
    joint_count: usize,
    /// The body's frame at rest, in model space.
    frame: Quat,
    /// The joint that carries the whole body, and the hips' place seen from it.
    carrier: JointId,
    to_carrier_parent: Transform,
    from_hips: Transform,
    /// Between the carrier and the hips; they keep their rest.
    lead: Vec<JointId>,
    spine: Vec<Vertebra>,
    arch: Arch,
    /// The chest's place in the spine.
    chest_at: usize,
    /// Where the chest rests, seen from the pelvis with the head above it.
    chest_at_rest: Vec3,
    /// Where in the spine the arms hang, and the shoulders seen from there at rest.
    arms_at: usize,
    shoulders: [Vec3; 2],
    feet: [Foot; 2],
    bounds: Bounds,
    relaxed: Pose,
}

/// The solver; see the [module](self). Built once for a skeleton; a frame cannot
/// fail, allocate or panic.
///
/// Copies share what was measured of the rig: in a crowd it stays in the cache, and each body brings only what it
/// remembers. That is read all at once when a frame begins, see `math/lines.rs`.
#[derive(Debug, Clone)]
pub struct SixPoint {
    rig: Arc<Rig>,
    /// How the joints of the spine are turned.
    turns: Vec<Quat>,
    /// How the parts of the trunk were turned in the frame before.
    fitted: [Vec3; fit::PARTS],
    arms: [Branch; 2],
    legs: [Branch; 2],
    guard: Guard,
    memory: Memory,
    model: ModelPose,
    #[cfg(feature = "collision")]
    torso: Option<Torso>,
    turns_back: TurnsBack,
    steady: Steady,
    calibration: Calibration,
}

impl SixPoint {
    /// The options it was built with.
    pub fn options(&self) -> &SixPointOptions {
        &self.rig.options
    }

    /// The joint of a point, if the body has it.
    pub fn joint(&self, point: Point) -> Option<JointId> {
        self.rig.joints[point.index()]
    }

    /// The arm or leg that ends in a point.
    pub fn limb(&self, point: Point) -> Option<&Limb> {
        match point {
            Point::Wrist(side) | Point::Elbow(side) => Some(self.arms[side as usize].limb()),
            Point::Ankle(side) | Point::Knee(side) => Some(self.legs[side as usize].limb()),
            _ => None,
        }
    }

    /// The points' joints of a pose: what trackers on them would say.
    pub fn points_of(&self, model: &ModelPose) -> Trackers {
        let mut trackers = Trackers::default();
        for point in Point::SIX {
            if let Some(joint) = self.joint(point).filter(|j| j.index() < model.positions().len()) {
                trackers = trackers.with(point, model.position(joint));
            }
        }
        trackers
    }

    /// The pose to start from: the rest within its limits. Joints that no point
    /// tells of (hands, feet, fingers) stay as the pose given has them.
    pub fn relaxed(&self) -> &Pose {
        &self.rig.relaxed
    }

    /// The height by which errors are divided: shin, thigh, pelvis, torso and neck.
    pub fn height(&self) -> Real {
        let leg = |b: &Branch| b.limb().lengths().0 + b.limb().lengths().1;
        let hips = self.rig.bounds.hips;
        0.5 * (leg(&self.legs[0]) + leg(&self.legs[1]))
            + hips
            + self.rig.arch.bones.iter().map(|b| b.length()).sum::<Real>()
    }

    /// Forgets the frames before: the next one is the first.
    pub fn reset(&mut self) {
        self.guard = Guard::new(self.rig.bounds.pelvis);
        self.turns_back = TurnsBack::default();
        self.steady = Steady::default();
        for branch in self.arms.iter_mut().chain(&mut self.legs) {
            branch.follower.forget();
        }
        self.memory = Memory::at_rest(self.rig.frame);
        self.fitted = Default::default();
    }

    /// Where the body's parts stand after the last frame. Joints below wrists,
    /// ankles and head are stale.
    pub fn model(&self) -> &ModelPose {
        &self.model
    }

    /// Poses the body by one frame of tracked points, `dt` seconds after the frame before; how
    /// long ago does not matter to the first one.
    pub fn solve(
        &mut self,
        skeleton: &Skeleton,
        trackers: &Trackers,
        dt: Real,
        pose: &mut Pose,
    ) -> SixPointReport {
        let mut report = SixPointReport::NOTHING;
        if skeleton.fingerprint() != self.rig.fingerprint || pose.len() != self.rig.joint_count {
            return report;
        }
        core::hint::black_box(self.read() + pose.read());
        let dt = time_step(dt);
        // Copied only where something changes: they are half a kilobyte.
        let (joints, used, filtered);
        let mut trackers = trackers;
        let turned = trackers.are_turned();
        if self.calibration.changes(turned) {
            joints = self.calibration.joints(trackers);
            trackers = &joints;
        }
        if !self.turns_back.leaves(turned) {
            let body = self.memory.started.then(|| self.memory.body());
            let now = |point: Point| self.rig.joints[point.index()].map(|joint| self.model.rotation(joint));
            used = self.turns_back.take(trackers, body, now, dt);
            trackers = &used;
        }
        let mut points = self.believed(trackers, dt, &mut report.sources);
        if let Some(noise) = &self.rig.options.noise {
            filtered = self.steady.take(trackers, noise, dt, &mut points);
            trackers = &filtered;
        }
        report.spine = self.trunk(skeleton, trackers, &points, dt, pose);
        self.limbs(skeleton, trackers, &points, dt, pose, &mut report);
        report.conclude();
        report
    }

    /// Reads what it remembers ahead of its use, see [`lines`](crate::math::lines).
    #[inline]
    fn read(&self) -> Real {
        let branches =
            self.arms.iter().chain(&self.legs).map(|branch| branch.swivel + branch.follower.read());
        let mut sum = self.model.read() + branches.sum::<Real>();
        sum += lines::read(&self.turns, |q| q.x) + lines::read(&self.fitted, |turn| turn.x);
        sum += self.memory.up.x + self.memory.velocity.x + self.guard.read();
        #[cfg(feature = "collision")]
        if let Some(torso) = &self.torso {
            sum += torso.read();
        }
        sum
    }

    /// What is believed of the six points, and where each came from.
    fn believed(&mut self, trackers: &Trackers, dt: Real, sources: &mut [Source; Point::COUNT]) -> [Vec3; 6] {
        let left = |point: Point, vertebra: Option<&Vertebra>| {
            let q = trackers.orientation(point).and_then(unit)?;
            Some(q * vertebra?.seen.conjugate() * Vec3::X)
        };
        let lefts = [left(Point::Head, self.rig.spine.last()), left(Point::Pelvis, self.rig.spine.first())];
        let body = (self.memory.body(), lefts);
        self.guard.take(trackers, body, &self.rig.bounds, &self.rig.options, dt, sources)
    }

    /// The first step alone: where the hips' joint stands and how it is turned, by
    /// the line to the head and where left is. Other methods start from it.
    pub fn estimate_pelvis(&mut self, trackers: &Trackers, dt: Real) -> Transform {
        let dt = time_step(dt);
        let points = self.believed(trackers, dt, &mut [Source::Missing; Point::COUNT]);
        self.memory = self.headings(trackers, &points, dt);
        let seen = self.rig.spine.first().map_or(Quat::IDENTITY, |v| v.seen);
        Transform::new(points[0], (self.memory.body() * seen).normalize())
    }

    /// Poses hips, spine and clavicles and leaves arms and legs to someone else.
    pub fn solve_trunk(&mut self, skeleton: &Skeleton, trackers: &Trackers, dt: Real, pose: &mut Pose) {
        let dt = time_step(dt);
        if skeleton.fingerprint() != self.rig.fingerprint || pose.len() != self.rig.joint_count {
            return;
        }
        let points = self.believed(trackers, dt, &mut [Source::Missing; Point::COUNT]);
        self.trunk(skeleton, trackers, &points, dt, pose);
        for side in 0..2 {
            for &joint in self.legs[side].above.iter() {
                self.model.update_joint(skeleton, pose, joint);
            }
            self.clavicle(skeleton, side, points[2 + side], None, pose);
        }
    }
}

impl Memory {
    fn at_rest(frame: Quat) -> Self {
        let left = frame * Vec3::X;
        let (up, still) = (frame * Vec3::Y, Vec3::ZERO);
        Self {
            up,
            left,
            chest_left: left,
            axis: Vec3::X,
            bend: 0.0,
            middle: still,
            velocity: still,
            started: false,
        }
    }

    /// The body's frame.
    fn body(&self) -> Quat {
        basis(self.left, self.up)
    }
}

/// The rotation whose x and y axes these are; unit and at right angles.
#[inline]
fn basis(left: Vec3, up: Vec3) -> Quat {
    Quat::from_mat3(&Mat3::from_cols(left, up, left.cross(up))).normalize()
}

fn usable(position: Option<Vec3>) -> Option<Vec3> {
    position.filter(|p| p.is_finite() && p.length_squared().is_finite())
}

/// The orientation made unit, if it is one.
fn unit(q: Quat) -> Option<Quat> {
    (q.is_finite() && (q.length_squared() - 1.0).abs() < 0.1).then(|| q.normalize())
}
