//! Golden results: what every solver answers to seeded problems, kept in
//! `golden/single.txt` and `golden/double.txt`.
//!
//! A change that was not meant to change results must leave these files alone.
//! After one that was, write them anew, and look at the difference before it is
//! committed:
//!
//! ```sh
//! SINEW_GOLDEN=write cargo test -p sinew -p sinew-f64 --test engine golden::
//! ```
//!
//! # The hash
//! All poses of a problem become two numbers: sums of the poses' values with
//! random weights. Such a hash is linear. A rounding that differs between
//! processors or mathematics libraries moves it by as little, whereas a hash of
//! rounded bits would be another one as soon as a single value crosses the edge
//! of its grid. A change of size `d` anywhere moves it by about `d`, divided by
//! the root of the count; that both numbers hide it is improbable. Within one
//! run the results must agree to the bit.

#![allow(clippy::useless_conversion)]

use crate::people;
use std::fmt::Write;

use sinew::analytic::{Aim, AimOptions, Limb, Swivel, TwoBone, TwoBoneOptions};
use sinew::body::reach::{ReachOptions, ReachSolver, Style};
use sinew::body::six_point::SixPointOptions;
use sinew::body::walk::{Ground, WalkInput, WalkOptions, Walker};
use sinew::filter::{FilterOptions, MotionFilter};
use sinew::math::Real;
use sinew::rigs::{self, ErikRobot, SwingModel};
use sinew::skeleton::humanoid::{HumanoidMap, Side};
use sinew::solver::erik::{Erik, ErikOptions};
use sinew::{Goal, GoalSet, ModelPose, Pose, Quat, Skeleton, SolverSpec, Target, Vec3};

use crate::numbers::Numbers;

/// How far a hash may be from the golden one.
const TOLERANCE: f64 = if cfg!(sinew_f64) { 1.0e-7 } else { 2.0e-4 };
const GOLDEN: &str =
    if cfg!(sinew_f64) { include_str!("golden/double.txt") } else { include_str!("golden/single.txt") };
const FILE: &str = if cfg!(sinew_f64) { "double.txt" } else { "single.txt" };

/// Weighted sums of everything that was added, and its bits.
struct Hash {
    weights: Numbers,
    sums: [f64; 2],
    count: usize,
    bits: u64,
}

impl Hash {
    fn new() -> Self {
        Self { weights: Numbers::new(0x601d), sums: [0.0; 2], count: 0, bits: 0xcbf2_9ce4_8422_2325 }
    }

    fn number(&mut self, value: Real) {
        assert!(value.is_finite());
        for sum in &mut self.sums {
            *sum += f64::from(value) * f64::from(self.weights.within(1.0));
        }
        self.count += 1;
        // FNV-1a.
        self.bits = (self.bits ^ f64::from(value).to_bits()).wrapping_mul(0x100_0000_01b3);
    }

    fn vector(&mut self, v: Vec3) {
        v.to_array().into_iter().for_each(|x| self.number(x));
    }

    /// By what it does to two axes, since a quaternion's sign says nothing.
    fn rotation(&mut self, q: Quat) {
        self.vector(q * Vec3::X);
        self.vector(q * Vec3::Y);
    }

    fn pose(&mut self, pose: &Pose) {
        pose.rotations().iter().for_each(|&q| self.rotation(q));
        pose.translations().iter().for_each(|&v| self.vector(v));
    }

    fn values(&self) -> [f64; 2] {
        self.sums.map(|sum| sum / (self.count.max(1) as f64).sqrt())
    }
}

/// A problem: its name, and what solves it.
type Problem = (String, Box<dyn Fn(&mut Hash)>);

fn general(list: &mut Vec<Problem>) {
    const SIX: [&str; 6] = ["l_wrist", "r_wrist", "l_ankle", "r_ankle", "skullbase", "sacroiliac"];
    for spec in SolverSpec::all() {
        for (rig, effectors, oriented) in [
            ("arm", &["flange"][..], true),
            ("chain:20", &["tip"][..], false),
            ("humanoid", &SIX[..], false),
            ("humanoid:kusudama", &SIX[..2], true),
        ] {
            let solve = move |hash: &mut Hash| {
                let skeleton = rigs::by_name(rig).unwrap();
                let mut numbers = Numbers::new(skeleton.len() as u64);
                for _ in 0..3 {
                    let model = ModelPose::new(&skeleton, &numbers.pose(&skeleton, 0.7));
                    let goals: GoalSet = effectors
                        .iter()
                        .map(|name| skeleton.find(name).unwrap())
                        .map(|j| match oriented {
                            true => Goal::pose(j, model.transform(j)),
                            false => Goal::position(j, model.position(j)),
                        })
                        .collect();
                    let mut pose = numbers.pose(&skeleton, 0.2);
                    spec.build(&skeleton, &goals).unwrap().solve(&skeleton, &goals, &mut pose);
                    hash.pose(&pose);
                }
            };
            list.push((format!("{} {rig}", spec.name()), Box::new(solve)));
        }
    }
}

fn closed_forms(list: &mut Vec<Problem>) {
    for (name, model) in
        [("ellipse", SwingModel::Ellipse), ("spline", SwingModel::Spline), ("kusudama", SwingModel::Kusudama)]
    {
        for arm in [true, false] {
            let solve = move |hash: &mut Hash| {
                let skeleton = rigs::humanoid(model);
                let map = HumanoidMap::find(&skeleton);
                let limb = if arm { Limb::arm } else { Limb::leg };
                let limb = limb(&skeleton, &map, Side::Left).unwrap();
                let rest = ModelPose::rest(&skeleton);
                let mut numbers = Numbers::new(3);
                for round in 0..40 {
                    let end = limb.joints().end;
                    let at = ModelPose::new(&skeleton, &numbers.pose(&skeleton, 1.0)).transform(end);
                    let goal =
                        if round % 2 == 0 { Target::Pose(at) } else { Target::Position(at.translation) };
                    let mut pose = Pose::rest(&skeleton);
                    limb.solve(&skeleton, &rest, &goal, Swivel::default(), &mut pose);
                    hash.pose(&pose);
                }
            };
            list.push((format!("limb {} {name}", if arm { "arm" } else { "leg" }), Box::new(solve)));
        }
    }
    list.push((
        "two-bone".into(),
        Box::new(|hash| {
            let end = Vec3::new(0.5165, -0.125, 0.0);
            let limb = TwoBone::new(Vec3::X * 0.3, end, Vec3::Z, &TwoBoneOptions::default()).unwrap();
            let mut numbers = Numbers::new(5);
            for _ in 0..100 {
                let (target, pole) = (numbers.vector() * 0.4, numbers.direction());
                let solved = limb.solve(target, pole);
                let (mid, end) = limb.place(&solved);
                hash.vector(mid);
                hash.vector(end);
            }
        }),
    ));
    list.push((
        "aim".into(),
        Box::new(|hash| {
            let skeleton = rigs::humanoid(SwingModel::Ellipse);
            let joints = [("vc4", 1.0), ("skullbase", 2.0)].map(|(n, w)| (skeleton.find(n).unwrap(), w));
            let mut aim = Aim::new(&skeleton, &joints, Vec3::Z, Vec3::ZERO, &AimOptions::default()).unwrap();
            let mut numbers = Numbers::new(6);
            for _ in 0..20 {
                let mut pose = Pose::rest(&skeleton);
                let model = ModelPose::rest(&skeleton);
                let at = Vec3::new(0.0, 1.6, 1.0) + numbers.vector() * 0.8;
                aim.solve(&skeleton, &model, at, 1.0, &mut pose);
                hash.pose(&pose);
            }
        }),
    ));
}

fn bodies(list: &mut Vec<Problem>) {
    for (name, options) in [("paper", SixPointOptions::paper()), ("default", SixPointOptions::default())] {
        let solve = move |hash: &mut Hash| {
            let skeleton = rigs::humanoid(SwingModel::Spline);
            let rest = ModelPose::rest(&skeleton);
            let mut body = people::body(&skeleton, options);
            let mut pose = Pose::rest(&skeleton);
            for frame in 0..60 {
                let trackers = people::walking(&body, &rest, frame as Real / 60.0);
                body.solve(&skeleton, &trackers, 1.0 / 120.0, &mut pose);
                hash.pose(&pose);
            }
        };
        list.push((format!("six-points {name}"), Box::new(solve)));
    }
    list.push((
        "reach".into(),
        Box::new(|hash| {
            let skeleton = rigs::humanoid(SwingModel::Ellipse);
            let map = HumanoidMap::find(&skeleton);
            let rest = Pose::rest(&skeleton);
            let mut solver = ReachSolver::new(&skeleton, &map, &rest, ReachOptions::default()).unwrap();
            for side in Side::BOTH {
                solver.set_behaviour(Style::Plain.behaviour(&skeleton, &map, side).unwrap()).unwrap();
            }
            let mut numbers = Numbers::new(7);
            let mut pose = Pose::rest(&skeleton);
            for _ in 0..20 {
                let at = Vec3::new(-0.3, 1.2, 0.45) + numbers.vector() * 0.3;
                solver.forget();
                solver.solve(&skeleton, &[(Side::Right, Target::Position(at))], 1.0 / 30.0, &mut pose);
                hash.pose(&pose);
            }
        }),
    ));
    for rig in ["humanoid", "spider"] {
        let solve = move |hash: &mut Hash| {
            let skeleton = rigs::by_name(rig).unwrap();
            let ground = Ground::hills(4, 0.2, 3.0);
            let mut walker = Walker::new(&skeleton, WalkOptions::default(), &ground).unwrap();
            let mut pose = Pose::rest(&skeleton);
            for frame in 0..120 {
                let input = WalkInput { speed: 1.0, turn: if frame < 60 { 0.0 } else { 0.5 } };
                walker.step(&skeleton, &ground, input, 1.0 / 60.0, &mut pose);
                hash.pose(&pose);
            }
        };
        list.push((format!("walk {rig}"), Box::new(solve)));
    }
}

fn postures_and_filter(list: &mut Vec<Problem>) {
    for robot in [ErikRobot::C, ErikRobot::G] {
        for (name, options) in [("published", ErikOptions::published()), ("default", ErikOptions::default())]
        {
            let solve = move |hash: &mut Hash| {
                let skeleton = rigs::erik(robot);
                let end = [Goal::orientation(skeleton.find("endpoint").unwrap(), Quat::IDENTITY)];
                let mut erik = Erik::new(&skeleton, &end, options).unwrap();
                let mut numbers = Numbers::new(8);
                for _ in 0..10 {
                    let posture = numbers.pose(&skeleton, robot.range());
                    let mut pose = Pose::rest(&skeleton);
                    erik.solve(&skeleton, &posture, &[Target::Orientation(numbers.rotation(2.0))], &mut pose);
                    hash.pose(&pose);
                }
            };
            list.push((format!("erik {robot:?} {name}"), Box::new(solve)));
        }
    }
    for (order, name) in [(1, "First"), (2, "Second"), (3, "Third")] {
        let solve = move |hash: &mut Hash| {
            let skeleton: Skeleton = rigs::humanoid(SwingModel::Ellipse);
            let mut numbers = Numbers::new(9);
            let mut shown = Pose::rest(&skeleton);
            let options = FilterOptions { order, ..FilterOptions::default() };
            let mut filter = MotionFilter::new(&skeleton, options, &shown);
            for _ in 0..4 {
                let wanted = numbers.pose(&skeleton, 0.8);
                for _ in 0..15 {
                    filter.step(&skeleton, &wanted, 1.0 / 60.0, &mut shown);
                    hash.pose(&shown);
                }
            }
        };
        list.push((format!("filter {name}"), Box::new(solve)));
    }
}

#[test]
fn every_solver_gives_its_golden_result() {
    let mut problems = Vec::new();
    general(&mut problems);
    closed_forms(&mut problems);
    bodies(&mut problems);
    postures_and_filter(&mut problems);
    let mut table = String::new();
    let mut wrong = String::new();
    for (name, solve) in &problems {
        let [hash, again] = [(); 2].map(|()| {
            let mut hash = Hash::new();
            solve(&mut hash);
            hash
        });
        assert_eq!(hash.bits, again.bits, "{name}: the second time is another result");
        let [a, b] = hash.values();
        let name = name.replace(' ', "/");
        writeln!(table, "{name} {a:.9} {b:.9}").unwrap();
        let golden = GOLDEN.lines().find_map(|line| line.strip_prefix(name.as_str())?.strip_prefix(' '));
        let numbers: Vec<f64> =
            golden.into_iter().flat_map(str::split_whitespace).flat_map(str::parse).collect();
        let close = numbers.len() == 2 && numbers.iter().zip([a, b]).all(|(g, v)| (g - v).abs() <= TOLERANCE);
        if !close {
            writeln!(wrong, "{name}: {a:.9} {b:.9}, golden {}", golden.unwrap_or("none")).unwrap();
        }
    }
    if std::env::var("SINEW_GOLDEN").is_ok_and(|what| what == "write") {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../sinew/tests/engine/golden/");
        std::fs::write(format!("{folder}{FILE}"), table).unwrap();
        return;
    }
    assert_eq!(GOLDEN.lines().count(), problems.len(), "rows of {FILE} that no problem has");
    assert!(wrong.is_empty(), "other results than in {FILE} (write it anew if this was meant):\n{wrong}");
}
