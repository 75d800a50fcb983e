//! The ten methods of the paper's comparison, set up as its section 9 says, on the engine's own
//! solvers, and sequential IK as it is printed (`published.rs`).
//!
//! Every method starts from the same estimate of the pelvis. Those on Jacobians
//! see the skeleton with the pelvis held and the points in its frame; after every
//! iteration the error of the spine's ends is split between them. An iteration that gains less than a
//! millimetre is the last, as is one that comes within a centimetre, and the twentieth. Limits are those
//! of the skeleton. All methods with analytic limbs but the printed one have the same
//! bound on how fast elbows and knees swivel.

use anyhow::Result;
use sinew::analytic::{Limb, LimbFollower, Swivel};
use sinew::body::six_point::{Point, SixPoint, SixPointOptions, SixPointReport, Trackers};
use sinew::filter::NoiseOptions;
use sinew::goal::PostureGoal;
use sinew::math::{Quat, Transform, Vec3, rotation};
use sinew::report::Tolerance;
use sinew::skeleton::humanoid::{HumanoidBone, LimbJoints, Side};
use sinew::solver::ccd::CcdOptions;
use sinew::solver::jacobian::{JacobianMethod, JacobianOptions};
use sinew::solver::priority::PriorityOptions;
use sinew::{
    Goal, GoalId, GoalSet, JointId, JointKind, ModelPose, Pose, Skeleton, SkeletonBuilder, SolveReport,
    Solver, SolverSpec, Target,
};

use crate::Sequence;
use crate::published::Published;

/// A method of the comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Kulpa, Multon and Arnaldi 2005.
    Kma,
    /// Cyclic coordinate descent, part by part.
    Ccd,
    /// The Jacobian's transpose.
    Transpose,
    /// Its pseudo-inverse.
    PseudoInverse,
    /// Damped least squares.
    Dls,
    /// Damped by singular values.
    DlsSvd,
    /// Selectively damped.
    Sdls,
    /// Prioritised: pelvis, ankles, wrists, head, then a relaxed posture.
    Pik,
    /// Sequential IK as printed, slips mended.
    SikPaper,
    /// Sequential IK with our repairs: exact limbs that do not jump, a spine in closed form.
    Sik,
    /// Its trunk, with limbs by least swing and twist.
    Tgbsik,
    /// Sequential IK with what sinew adds, from the same six positions.
    SikPlus,
}

impl Method {
    /// In the order of the paper's Table 1, the transpose with its family, and ours last.
    pub const ALL: [Self; 12] = [
        Self::Kma,
        Self::Ccd,
        Self::Transpose,
        Self::PseudoInverse,
        Self::Dls,
        Self::DlsSvd,
        Self::Sdls,
        Self::Pik,
        Self::SikPaper,
        Self::Sik,
        Self::Tgbsik,
        Self::SikPlus,
    ];

    /// As the tables and the command call it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Kma => "kma",
            Self::Ccd => "ccd",
            Self::Transpose => "transpose",
            Self::PseudoInverse => "pseudo-inverse",
            Self::Dls => "dls",
            Self::DlsSvd => "dls-svd",
            Self::Sdls => "sdls",
            Self::Pik => "pik",
            Self::SikPaper => "sik-paper",
            Self::Sik => "sik",
            Self::Tgbsik => "tgbsik",
            Self::SikPlus => "sik+",
        }
    }

    /// What it is, for people.
    pub const fn summary(self) -> &'static str {
        match self {
            Self::Kma => "Kulpa, Multon and Arnaldi: the spine by descent, limbs in fixed planes",
            Self::Ccd => "cyclic coordinate descent, part by part",
            Self::Transpose => "the Jacobian's transpose",
            Self::PseudoInverse => "the Jacobian's pseudo-inverse",
            Self::Dls => "damped least squares",
            Self::DlsSvd => "least squares damped by singular values",
            Self::Sdls => "selectively damped least squares",
            Self::Pik => "priorities: ankles, wrists, head, then a relaxed posture",
            Self::SikPaper => "sequential IK as printed, slips mended",
            Self::Sik => "sequential IK with limbs that are exact and do not jump",
            Self::Tgbsik => "sequential IK's trunk, limbs by least swing and twist",
            Self::SikPlus => "sequential IK with what sinew adds",
        }
    }

    /// The method of this name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|m| m.name() == name)
    }

    /// What the paper's Table 1 has: position errors of boxing, jump kick and
    /// playground, orientation errors, milliseconds a frame.
    pub const fn published(self) -> Option<[[f64; 3]; 3]> {
        Some(match self {
            Self::Kma => [[0.0281, 0.0256, 0.0295], [0.2524, 0.3175, 0.3452], [1.11, 1.02, 1.13]],
            Self::Ccd => [[0.0316, 0.0292, 0.0275], [0.4376, 0.4651, 0.4606], [0.87, 1.02, 0.78]],
            Self::PseudoInverse => {
                [[0.0303, 0.0260, 0.0275], [0.3157, 0.3413, 0.3786], [17.46, 22.36, 14.87]]
            }
            Self::Dls => [[0.0325, 0.0291, 0.0256], [0.3115, 0.3331, 0.3492], [11.45, 8.31, 8.28]],
            Self::DlsSvd => [[0.0325, 0.0293, 0.0257], [0.3113, 0.3336, 0.3495], [20.63, 15.71, 14.42]],
            Self::Sdls => [[0.0293, 0.0245, 0.0265], [0.3060, 0.3119, 0.3626], [15.38, 17.09, 12.82]],
            Self::Pik => [[0.0283, 0.0247, 0.0240], [0.3256, 0.3447, 0.3472], [28.56, 39.54, 28.40]],
            Self::SikPaper => [[0.0265, 0.0213, 0.0261], [0.2508, 0.2849, 0.3469], [0.44, 0.45, 0.43]],
            Self::Tgbsik => [[0.0312, 0.0208, 0.0266], [0.2937, 0.2912, 0.3475], [1.89, 1.92, 1.90]],
            Self::Transpose | Self::Sik | Self::SikPlus => return None,
        })
    }

    /// The method made ready for a skeleton.
    pub fn build(self, sequence: &Sequence) -> Result<Reconstruction> {
        self.build_filtered(sequence, 0.0)
    }

    /// The same with noise of this standard deviation filtered, in metres; zero filters nothing.
    pub fn build_filtered(self, sequence: &Sequence, noise: f64) -> Result<Reconstruction> {
        let paper = if sequence.rigid { SixPointOptions::paper_rigid() } else { SixPointOptions::paper() };
        let mut options = if self == Self::SikPlus { SixPointOptions::default() } else { paper };
        options.noise = (noise > 0.0).then(|| NoiseOptions::new(noise as f32));
        let body = SixPoint::new(&sequence.skeleton, &sequence.map, options)?;
        Reconstruction::new(self, sequence, body)
    }
}

/// Tolerance and iterations of section 9: a centimetre, twenty rounds, and none more after one that gains
/// less than a millimetre.
const NEAR: Tolerance = Tolerance { position: 0.01, orientation: 0.01 };
const ROUNDS: u32 = 20;
const GAIN: f32 = 0.001;
/// So near that a solve goes on to its last round.
const MET: Tolerance = Tolerance { position: 1.0e-6, orientation: 1.0e-6 };

/// A part of the body as a skeleton of its own, solved by CCD.
struct Strand {
    skeleton: Skeleton,
    joints: Vec<JointId>,
    goals: GoalSet,
    solver: Solver,
    pose: Pose,
}

impl Strand {
    /// `joints` follow each other downwards; the last carries the point.
    fn new(skeleton: &Skeleton, joints: Vec<JointId>) -> Result<Self> {
        let all = skeleton.to_builder();
        let mut builder = SkeletonBuilder::new("part");
        for (i, joint) in joints.iter().enumerate() {
            let mut def = all.joints[joint.index()].clone();
            def.parent = i.checked_sub(1);
            if i == 0 {
                def.rest = Transform::IDENTITY;
            }
            builder.add(def);
        }
        let part = builder.build()?;
        let end = part.id(part.len() - 1).unwrap_or_else(|| part.root());
        let mut goals = GoalSet::default();
        goals.add(Goal::position(end, Vec3::ZERO));
        let options = CcdOptions { tolerance: NEAR, iterations: 1, ..CcdOptions::default() };
        let solver = SolverSpec::Ccd(options).build(&part, &goals)?;
        Ok(Self { pose: Pose::rest(&part), skeleton: part, joints, goals, solver })
    }

    /// Moves the part of the pose; `frame` is the first joint's rest frame in model space.
    fn solve(&mut self, frame: Transform, target: Vec3, pose: &mut Pose) {
        for (i, joint) in self.joints.iter().enumerate() {
            if let Some(id) = self.skeleton.id(i) {
                self.pose.set_rotation(id, pose.rotation(*joint));
            }
        }
        let seen = frame.inverse().transform_point(target);
        let goal = self.goals.iter().next().map(|(id, _)| id);
        if let Some(goal) = goal {
            self.goals.set_target(goal, Target::Position(seen));
        }
        let mut left = f32::MAX;
        for _ in 0..ROUNDS {
            let report = self.solver.solve(&self.skeleton, &self.goals, &mut self.pose);
            if is_enough(report, &mut left) {
                break;
            }
        }
        for (i, joint) in self.joints.iter().enumerate() {
            if let Some(id) = self.skeleton.id(i) {
                pose.set_rotation(*joint, self.pose.rotation(id));
            }
        }
    }
}

/// What a method works with besides the estimate of the pelvis.
enum Engine {
    Sequential,
    Printed(Published),
    Strands {
        spine: Strand,
        limbs: Vec<(Strand, Point)>,
    },
    Kulpa {
        spine: Strand,
        limbs: Vec<(LimbFollower, Point, Vec3)>,
    },
    Tolani {
        limbs: Vec<(LimbFollower, Point)>,
    },
    Held {
        rest: Transform,
        ids: Vec<GoalId>,
        skeleton: Skeleton,
        goals: GoalSet,
        points: Vec<Point>,
        solver: Solver,
        /// How often the solver is asked at the most: for one iteration, or, if it has priorities, for all.
        rounds: u32,
    },
}

/// A method at work on one sequence. Frames must come in order.
pub struct Reconstruction {
    engine: Engine,
    /// Sequential IK: the whole of it, or the estimate that the others start from.
    pub body: SixPoint,
    hips: JointId,
    head: JointId,
    model: ModelPose,
}

impl Reconstruction {
    fn new(method: Method, sequence: &Sequence, body: SixPoint) -> Result<Self> {
        let (skeleton, map) = (&sequence.skeleton, &sequence.map);
        let joint = |p: Point| body.joint(p).unwrap_or_else(|| skeleton.root());
        let (hips, head) = (joint(Point::Pelvis), joint(Point::Head));
        let spine_joints =
            || -> Vec<JointId> { map.spine().iter().chain(map.neck()).copied().chain([head]).collect() };
        let limbs = || -> Result<Vec<(LimbFollower, Point)>> {
            let mut limbs = Vec::new();
            let follower = |limb| LimbFollower::new(limb, body.options().limbs);
            for side in [Side::Left, Side::Right] {
                limbs.push((follower(Limb::leg(skeleton, map, side)?), Point::Ankle(side)));
                limbs.push((follower(Limb::arm(skeleton, map, side)?), Point::Wrist(side)));
            }
            Ok(limbs)
        };
        let held = |method: Option<JacobianMethod>| -> Result<Engine> {
            let mut builder = skeleton.to_builder();
            for def in &mut builder.joints {
                if def.kind == JointKind::Free {
                    def.kind = JointKind::Fixed;
                }
            }
            // The hips' rest at the origin: the points are given in the hips' frame.
            let held = builder.build()?;
            let points: Vec<Point> = Point::SIX.into_iter().filter(|p| *p != Point::Pelvis).collect();
            let mut goals = GoalSet::default();
            for point in &points {
                let level = match point {
                    Point::Ankle(_) => 0,
                    Point::Wrist(_) => 1,
                    _ => 2,
                };
                let priority = if method.is_some() { 0 } else { level };
                goals.add(Goal::position(joint(*point), Vec3::ZERO).priority(priority));
            }
            let solver = match method {
                Some(method) => {
                    let options =
                        JacobianOptions { tolerance: NEAR, iterations: 1, ..JacobianOptions::new(method) };
                    SolverSpec::Jacobian(options).build(&held, &goals)?
                }
                None => {
                    let options = PriorityOptions {
                        // The posture attracts also once all goals are met, which ends a solve.
                        tolerance: MET,
                        iterations: ROUNDS,
                        attraction: 0.1,
                        ..PriorityOptions::default()
                    };
                    goals.set_posture(Some(PostureGoal::new(standing(sequence)?, 1.0)));
                    SolverSpec::Priority(options).build(&held, &goals)?
                }
            };
            let rest = ModelPose::rest(&held).transform(hips);
            let ids = goals.iter().map(|(id, _)| id).collect();
            // What attracts to the posture is no gain that the points would show.
            let rounds = if method.is_some() { ROUNDS } else { 2 };
            Ok(Engine::Held { rest, ids, skeleton: held, goals, points, solver, rounds })
        };
        let engine = match method {
            Method::Sik | Method::SikPlus => Engine::Sequential,
            Method::SikPaper => Engine::Printed(Published::new(sequence)?),
            Method::Tgbsik => Engine::Tolani { limbs: limbs()? },
            Method::Kma => {
                // Elbows towards the body's −y, knees towards its +z, in the hips' frame.
                let side = |p: Point| if matches!(p, Point::Wrist(_)) { -Vec3::Y } else { Vec3::Z };
                let limbs = limbs()?.into_iter().map(|(l, p)| (l, p, body_axis(sequence, hips, side(p))));
                Engine::Kulpa { spine: Strand::new(skeleton, spine_joints())?, limbs: limbs.collect() }
            }
            Method::Ccd => {
                let mut parts = Vec::new();
                for side in [Side::Left, Side::Right] {
                    if let Some(LimbJoints { upper, lower, end }) = map.leg(side) {
                        parts.push((Strand::new(skeleton, vec![upper, lower, end])?, Point::Ankle(side)));
                    }
                    if let Some(LimbJoints { upper, lower, end }) = map.arm(side) {
                        let mut chain = vec![upper, lower, end];
                        let clavicle = map.get(HumanoidBone::Shoulder(side));
                        if let Some(clavicle) = clavicle.filter(|c| skeleton.parent(upper) == Some(*c)) {
                            chain.insert(0, clavicle);
                        }
                        parts.push((Strand::new(skeleton, chain)?, Point::Wrist(side)));
                    }
                }
                Engine::Strands { spine: Strand::new(skeleton, spine_joints())?, limbs: parts }
            }
            Method::Transpose => held(Some(JacobianMethod::Transpose))?,
            Method::PseudoInverse => held(Some(JacobianMethod::PseudoInverse))?,
            // The paper's 75 is in the units of its own program; this is the
            // engine's own, in metres a radian.
            Method::Dls => held(Some(JacobianMethod::Dls { damping: 0.1 }))?,
            Method::DlsSvd => held(Some(JacobianMethod::DlsSvd { bound: 1.5 }))?,
            Method::Sdls => held(Some(JacobianMethod::Sdls { clamp: 0.7 }))?,
            Method::Pik => held(None)?,
        };
        Ok(Self { engine, body, hips, head, model: ModelPose::rest(skeleton) })
    }

    /// Where a sequence starts: standing, arms and legs a little bent.
    pub fn start(&self, sequence: &Sequence) -> Result<Pose> {
        match self.engine {
            Engine::Held { .. } | Engine::Strands { .. } => standing(sequence),
            _ => Ok(self.body.relaxed().clone()),
        }
    }

    /// Poses one frame, starting from the pose of the frame before, `dt` seconds ago.
    pub fn solve(
        &mut self,
        sequence: &Sequence,
        trackers: &Trackers,
        dt: f32,
        pose: &mut Pose,
    ) -> Option<SixPointReport> {
        let skeleton = &sequence.skeleton;
        let at = |p: Point| trackers.position(p).unwrap_or_default();
        match &mut self.engine {
            Engine::Sequential => {
                return Some(self.body.solve(skeleton, trackers, dt, pose));
            }
            Engine::Printed(printed) => printed.solve(trackers, pose),
            Engine::Tolani { limbs } => {
                self.body.solve_trunk(skeleton, trackers, dt, pose);
                for (limb, point) in limbs {
                    let (model, goal) = (self.body.model(), Target::Position(at(*point)));
                    let swivel = least_turned(limb.limb(), skeleton, model, &goal, pose);
                    limb.solve(skeleton, model, &goal, Swivel::Preferred(swivel), dt, pose);
                }
            }
            Engine::Kulpa { spine, limbs } => {
                let hips = self.body.estimate_pelvis(trackers, dt);
                for joint in &spine.joints {
                    pose.set_rotation(*joint, Quat::IDENTITY);
                }
                place(skeleton, self.hips, hips, pose, &mut self.model);
                spread(skeleton, spine, self.hips, self.head, at(Point::Head), pose, &mut self.model);
                let frame = hips.rotation;
                for (limb, point, side) in limbs {
                    let base = self.model.position(limb.limb().joints().upper);
                    let pole = base + frame * *side;
                    let goal = Target::Position(at(*point));
                    limb.solve(skeleton, &self.model, &goal, Swivel::Pole(pole), dt, pose);
                }
            }
            Engine::Strands { spine, limbs } => {
                let hips = self.body.estimate_pelvis(trackers, dt);
                place(skeleton, self.hips, hips, pose, &mut self.model);
                spread(skeleton, spine, self.hips, self.head, at(Point::Head), pose, &mut self.model);
                for (strand, point) in limbs {
                    let first = strand.joints[0];
                    let frame =
                        Transform::new(self.model.position(first), self.model.rest_frame(skeleton, first));
                    strand.solve(frame, at(*point), pose);
                }
            }
            Engine::Held { rest, ids, skeleton: held, goals, points, solver, rounds } => {
                let rest = *rest;
                let mut hips = self.body.estimate_pelvis(trackers, dt);
                pose.set_rotation(self.hips, Quat::IDENTITY);
                pose.set_translation(self.hips, Vec3::ZERO);
                let mut left = f32::MAX;
                for _ in 0..*rounds {
                    let back = rest * hips.inverse();
                    for (&id, point) in ids.iter().zip(points.iter()) {
                        goals.set_target(id, Target::Position(back.transform_point(at(*point))));
                    }
                    let report = solver.solve(held, goals, pose);
                    self.model.update(held, pose);
                    // What the head misses along the spine, split between both ends.
                    let head = (hips * rest.inverse()).transform_point(self.model.position(self.head));
                    let line = (at(Point::Head) - hips.translation).normalize_or_zero();
                    let missing = (at(Point::Head) - head).dot(line);
                    if is_enough(report, &mut left) {
                        break;
                    }
                    hips.translation += line * (0.5 * missing);
                }
                let motion = rest.inverse() * hips;
                let local = skeleton.joint(self.hips).rest() * motion;
                pose.set_local(skeleton, self.hips, local);
            }
        }
        None
    }
}

/// Whether every point is near, or all of them together came nearer by less than the gain that is worth another
/// iteration. `left` is by how much they were missed before.
fn is_enough(report: &SolveReport, left: &mut f32) -> bool {
    let misses = || report.residuals.iter().map(|residual| residual.position);
    let sum: f32 = misses().sum();
    let gained = *left - sum;
    *left = sum;
    gained < GAIN || misses().all(|miss| miss < NEAR.position)
}

/// Puts the hips' joint there.
fn place(skeleton: &Skeleton, hips: JointId, at: Transform, pose: &mut Pose, model: &mut ModelPose) {
    let above = skeleton.parent(hips).map_or(Transform::IDENTITY, |p| model.transform(p));
    pose.set_local(skeleton, hips, above.inverse() * at);
    model.update(skeleton, pose);
}

/// The spine by CCD, then half of what is missing at either end.
fn spread(
    skeleton: &Skeleton,
    spine: &mut Strand,
    hips: JointId,
    head: JointId,
    goal: Vec3,
    pose: &mut Pose,
    model: &mut ModelPose,
) {
    let first = spine.joints[0];
    let frame = Transform::new(model.position(first), model.rest_frame(skeleton, first));
    spine.solve(frame, goal, pose);
    model.update(skeleton, pose);
    let line = (goal - model.position(hips)).normalize_or_zero();
    let missing = (goal - model.position(head)).dot(line);
    let mut at = model.transform(hips);
    at.translation += line * (0.5 * missing);
    place(skeleton, hips, at, pose, model);
}

/// A direction of the body's frame (x left, y up, z forwards) in the hips' own frame.
fn body_axis(sequence: &Sequence, hips: JointId, axis: Vec3) -> Vec3 {
    let rest = ModelPose::rest(&sequence.skeleton).rotation(hips);
    sequence
        .map
        .facing()
        .map_or(axis, |f| rest.conjugate() * (f.left * axis.x + f.up * axis.y + f.forward * axis.z))
}

/// The relaxed standing pose of the paper's PIK: arms down, elbows backwards and
/// knees forwards, both a little bent.
fn standing(sequence: &Sequence) -> Result<Pose> {
    let (skeleton, map) = (&sequence.skeleton, &sequence.map);
    let mut body = SixPoint::new(skeleton, map, SixPointOptions::paper())?;
    let rest = ModelPose::rest(skeleton);
    let mut trackers = body.points_of(&rest);
    if let Some(facing) = map.facing() {
        for side in [Side::Left, Side::Right] {
            if let (Some(arm), Some(leg)) = (map.arm(side), map.leg(side)) {
                let length = |j: LimbJoints| {
                    rest.position(j.upper).distance(rest.position(j.lower))
                        + rest.position(j.lower).distance(rest.position(j.end))
                };
                let wrist =
                    rest.position(arm.upper) - facing.up * (0.95 * length(arm)) + facing.forward * 0.05;
                let ankle = rest.position(leg.upper) - facing.up * (0.97 * length(leg));
                trackers = trackers.with(Point::Wrist(side), wrist).with(Point::Ankle(side), ankle);
            }
        }
    }
    let mut pose = body.relaxed().clone();
    body.solve(skeleton, &trackers, sequence.time_step(1), &mut pose);
    Ok(pose)
}

/// The swivel angle at which swing² + twist² of the base, from its neutral, is
/// least over the whole circle: a coarse scan, then fine steps about the best. The limb is placed
/// once and then turned about the line to its goal.
fn least_turned(limb: &Limb, skeleton: &Skeleton, model: &ModelPose, goal: &Target, pose: &Pose) -> f32 {
    let joint = limb.joints().upper;
    let frame = limb.neutral().conjugate() * model.rest_frame(skeleton, joint).conjugate();
    let bone = skeleton.joint(limb.joints().lower).rest().translation.normalize_or_zero();
    let Some(([base, _, end], _)) = limb.at_swivel(skeleton, model, goal, 0.0, pose) else { return 0.0 };
    let axis = (end.translation - base.translation).normalize_or_zero();
    let cost = |angle: f32| {
        let turn = frame * rotation::about(axis, angle) * base.rotation;
        let twist = rotation::angle_about(bone, turn);
        let swing = rotation::angle_between(turn * bone, bone);
        swing * swing + twist * twist
    };
    let least = |from: f32, step: f32, count: i32| {
        let angles = (-count..=count).map(|i| from + step * i as f32);
        angles.map(|angle| (cost(angle), angle)).min_by(|a, b| a.0.total_cmp(&b.0)).map_or(from, |a| a.1)
    };
    least(least(0.0, 0.1, 31), 0.01, 9)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use sinew::rigs::{SwingModel, humanoid};
    use sinew::skeleton::humanoid::HumanoidMap;

    use super::*;

    /// The scan over swivel angles turns the arm instead of placing it at each: it must be the same arm.
    #[test]
    fn an_arm_turned_about_the_line_to_its_goal_is_the_arm_at_that_swivel() {
        let skeleton = humanoid(SwingModel::Ellipse);
        let map = HumanoidMap::find(&skeleton);
        let model = ModelPose::rest(&skeleton);
        let pose = Pose::rest(&skeleton);
        for side in Side::BOTH {
            for limb in [Limb::arm(&skeleton, &map, side).unwrap(), Limb::leg(&skeleton, &map, side).unwrap()]
            {
                let at = model.position(limb.joints().upper);
                let goal = Target::Position(at + Vec3::new(0.1, -0.25, 0.2));
                let placed = |angle| limb.at_swivel(&skeleton, &model, &goal, angle, &pose).unwrap().0;
                let [base, _, end] = placed(0.0);
                let axis = (end.translation - base.translation).normalize();
                for angle in [-2.0, -0.3, 0.4, 1.7] {
                    let turned = rotation::about(axis, angle) * base.rotation;
                    let off = rotation::angle(turned.conjugate() * placed(angle)[0].rotation);
                    assert!(off < 1.0e-3, "{side:?} at {angle}: {off}");
                }
            }
        }
    }
}
