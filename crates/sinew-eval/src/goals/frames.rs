//! Six poses followed frame after frame, with every bound on: task T4 with all that a body needs.
//!
//! Every joint swings smoothly about the middle of its range, as in T4; the goals are the six poses
//! of that motion. The centre of mass is kept over the hull of both soles, joints within their
//! drives' speeds, the body clear of itself. Swung as far as in T4 a body is seldom in balance and often
//! in its own way, so that goals and bounds exclude each other in nearly all frames. The same
//! swings made smaller, until every frame is in balance and clear, are what a body can do.

use std::f64::consts::TAU;
use std::time::Instant;

use rand::Rng;
use sinew::collision::{CollisionQuery, CollisionScene};
use sinew::math::{Quat, Real, Vec3, rotation};
use sinew::{Goal, GoalId, GoalSet, JointKind, ModelPose, Pose, SolverSpec, Target};

use super::Body;
use crate::sample::{self, PoseSampler};
use crate::stats;
use crate::table::{Cell, Table};

/// Frames a second.
const RATE: Real = 60.0;
/// How far joints swing, in radians: as a part of what the limit leaves about the middle.
const SWING: f64 = 0.5;

/// Which bounds a run keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Bounds {
    balance: bool,
    speed: bool,
    clear: bool,
}

/// Follows `frames` frames on each body, with each bound alone and with all.
pub fn run(bodies: &[Body], frames: usize, seed: u64, mut tick: impl FnMut()) -> Table {
    let mut table = Table::new(
        "Six poses followed at 60 Hz with bounds on the whole body",
        &[
            "body",
            "motion",
            "possible %",
            "bounds",
            "met %",
            "median µs",
            "p95 µs",
            "worst µs",
            "iterations",
            "beyond speed",
            "off balance",
            "most frequent cause",
        ],
    );
    let none = Bounds { balance: false, speed: false, clear: false };
    let kinds = [
        ("none", none),
        ("balance", Bounds { balance: true, ..none }),
        ("speed", Bounds { speed: true, ..none }),
        ("clear", Bounds { clear: true, ..none }),
        ("all", Bounds { balance: true, speed: true, clear: true }),
    ];
    for body in bodies {
        for (motion, what) in [(motion(body, frames, seed, 1.0), "as in T4"), smaller(body, frames, seed)] {
            let possible = format!("{:.1}", 100.0 * kept(body, &motion));
            for (name, bounds) in kinds {
                table.row(follow(body, &motion, [what, &possible, name], bounds));
                tick();
            }
        }
    }
    table.note(format!(
        "{frames} frames, seed {seed}; possible: frames whose pose is in balance and clear of itself, so that a solver could meet them; smaller: the same swings, by as much smaller as it takes for all of them to be so, or a twentieth; beyond speed: how often a joint moved more than its drive's speed × 1/60 s, counted whether or not speeds are bounded, so that it says something of rows with the bound only (the others show what the bound is for); least time of 3 runs per frame; robust that follows, f32, one thread"
    ));
    table
}

/// The largest of the same motions in which every frame keeps the bounds, or the smallest.
fn smaller(body: &Body, frames: usize, seed: u64) -> (Vec<Pose>, &'static str) {
    let mut last = Vec::new();
    for i in 1..20 {
        last = motion(body, frames, seed, 1.0 - 0.05 * i as Real);
        if kept(body, &last) == 1.0 {
            break;
        }
    }
    (last, "smaller")
}

/// The part of a motion's frames that are in balance and clear of themselves.
fn kept(body: &Body, motion: &[Pose]) -> Real {
    let scene = CollisionScene::new();
    let mut query = CollisionQuery::new(&body.parts);
    let keeps = motion.iter().filter(|pose| {
        let model = ModelPose::new(&body.skeleton, pose);
        query.place(&body.parts, &model);
        body.balance(body.feet(&model), 0.25, 0.12).clearance(&model) > 0.0
            && query.first_contact(&body.parts, &scene, query.all_parts()).is_none()
    });
    keeps.count() as Real / motion.len().max(1) as Real
}

/// Smooth motion of every joint about a standing pose, as a part of the way from rest.
fn motion(body: &Body, frames: usize, seed: u64, part: Real) -> Vec<Pose> {
    let mut random = sample::generator(seed);
    let skeleton = &body.skeleton;
    // The middle of what the limits allow, found as the mean of what is drawn.
    let sampler = PoseSampler::new(skeleton);
    let drawn: Vec<Pose> = (0..64).map(|_| sampler.draw(&mut random, 0.0)).collect();
    let mut wave = |amplitude: f64| Wave::new(&mut random, amplitude);
    let waves: Vec<([Wave; 3], Vec3)> = skeleton
        .ids()
        .map(|id| {
            let mean: Vec3 =
                drawn.iter().map(|pose| rotation::log(pose.rotation(id))).sum::<Vec3>() / drawn.len() as Real;
            let spread = drawn
                .iter()
                .map(|pose| (rotation::log(pose.rotation(id)) - mean).length())
                .fold(0.0, Real::max);
            let free = skeleton.joint(id).kind() == JointKind::Free;
            let amplitude = if free { 0.25 } else { (SWING * f64::from(spread)).min(SWING) };
            // Half of the way to the middle: a body that stands, not one that floats.
            ([(); 3].map(|()| wave(amplitude)), if free { Vec3::ZERO } else { mean * 0.5 })
        })
        .collect();
    (0..frames)
        .map(|frame| {
            let t = frame as f64 / f64::from(RATE);
            let mut pose = Pose::rest(skeleton);
            for (id, (waves, middle)) in skeleton.ids().zip(&waves) {
                let joint = skeleton.joint(id);
                let turn = Vec3::from_array(waves.map(|wave| wave.at(t) as Real)) * part;
                let middle = *middle * part;
                let q = match joint.kind() {
                    JointKind::Hinge { axis } => rotation::about(axis, axis.dot(middle) + turn.x),
                    JointKind::Ball | JointKind::Free | JointKind::Universal { .. } => {
                        rotation::exp(middle + turn)
                    }
                    _ => Quat::IDENTITY,
                };
                pose.set_rotation(id, q);
                if joint.kind() == JointKind::Free {
                    pose.set_translation(id, turn * 0.3);
                }
            }
            pose.project(skeleton);
            pose
        })
        .collect()
}

/// A sum of three slow sines.
#[derive(Clone, Copy)]
struct Wave([(f64, f64, f64); 3]);

impl Wave {
    fn new(random: &mut impl Rng, amplitude: f64) -> Self {
        Self([0.6, 0.3, 0.1].map(|part| {
            let [rate, phase] =
                [(0.1, 0.35), (0.0, TAU)].map(|(low, high)| sample::between(random, low, high));
            (part * amplitude, f64::from(rate) * TAU, f64::from(phase))
        }))
    }

    fn at(&self, t: f64) -> f64 {
        self.0.iter().map(|(amplitude, rate, phase)| amplitude * (rate * t + phase).sin()).sum()
    }
}

fn follow(body: &Body, motion: &[Pose], names: [&str; 3], bounds: Bounds) -> Vec<Cell> {
    let skeleton = &body.skeleton;
    let Some(first) = motion.first() else { return vec![body.name.as_str().into()] };
    let models: Vec<ModelPose> = motion.iter().map(|pose| ModelPose::new(skeleton, pose)).collect();
    let mut goals = GoalSet::new();
    let ids: Vec<GoalId> =
        body.six.iter().map(|&joint| goals.add(Goal::pose(joint, models[0].transform(joint)))).collect();
    goals.set_balance(bounds.balance.then(|| body.balance(body.feet(&models[0]), 0.25, 0.12)));
    goals.set_speed(bounds.speed.then(|| body.speed(1.0 / RATE)));
    goals.set_clearance(bounds.clear.then(|| body.clearance()));
    let mut solver = match SolverSpec::default().following().build(skeleton, &goals) {
        Ok(solver) => solver,
        Err(error) => return vec![body.name.as_str().into(), error.to_string().into()],
    };
    let mut times = vec![f64::INFINITY; motion.len()];
    let (mut met, mut beyond, mut off, mut iterations) = (0, 0, 0, 0.0);
    let mut causes: Vec<(&'static str, usize)> = Vec::new();
    for run in 0..3 {
        let mut pose = first.clone();
        for (i, model) in models.iter().enumerate() {
            for (id, joint) in ids.iter().zip(body.six) {
                goals.set_target(*id, Target::Pose(model.transform(joint)));
            }
            if let Some(balance) = goals.balance_mut() {
                balance.support = body.balance(body.feet(model), 0.25, 0.12).support;
            }
            let before = pose.clone();
            let clock = Instant::now();
            let report = solver.solve(skeleton, &goals, &mut pose);
            times[i] = times[i].min(clock.elapsed().as_secs_f64() * 1.0e6);
            if run > 0 {
                continue;
            }
            met += usize::from(report.reached());
            iterations += f64::from(report.iterations);
            if let Some(cause) = report.cause.as_ref().map(|cause| cause.name()) {
                match causes.iter_mut().find(|(known, _)| *known == cause) {
                    Some((_, count)) => *count += 1,
                    None => causes.push((cause, 1)),
                }
            }
            beyond += skeleton
                .ids()
                .filter(|&id| {
                    let turn = rotation::angle(before.rotation(id).conjugate() * pose.rotation(id));
                    let slide = before.translation(id).distance(pose.translation(id));
                    turn.max(slide) > body.speeds[id.index()] / RATE + 1.0e-5
                })
                .count();
            let model = ModelPose::new(skeleton, &pose);
            off += usize::from(goals.balance().is_some_and(|balance| balance.clearance(&model) < -1.0e-5));
        }
    }
    causes.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let count = motion.len() as f64;
    vec![
        body.name.as_str().into(),
        names[0].into(),
        names[1].into(),
        names[2].into(),
        Cell::number(100.0 * met as f64 / count, 1),
        Cell::number(stats::median(&times), 1),
        Cell::number(stats::percentile(&times, 0.95), 1),
        Cell::number(stats::largest(&times), 1),
        Cell::number(iterations / count, 1),
        beyond.to_string().into(),
        off.to_string().into(),
        causes.first().map_or("—".into(), |(name, count)| format!("{name} ({count})").into()),
    ]
}
