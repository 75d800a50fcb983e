//! The walker's promises, on every ground, for two legs and for eight: what is
//! planted stays planted, nothing is under the ground, limits hold, and nothing
//! that a player or a terrain does makes it fail.

#![allow(clippy::unwrap_used, clippy::panic)]

#[cfg(sinew_f64)]
extern crate sinew_f64 as sinew;

#[path = "support/counting.rs"]
mod counting;

use sinew::body::walk::{FootState, Ground, LegSolver, Terrain, WalkInput, WalkOptions, Walker};
use sinew::error::RigError;
use sinew::math::Real;
use sinew::{ModelPose, Pose, Skeleton, SolverSpec, Vec3, rigs};

const AHEAD: WalkInput = WalkInput { speed: 1.0, turn: 0.0 };
const STAND: WalkInput = WalkInput { speed: 0.0, turn: 0.0 };
const FRAME: Real = 1.0 / 60.0;

/// Heel and toes in the frame of each foot's joint, from a flat stance.
fn soles(skeleton: &Skeleton) -> Vec<[Vec3; 2]> {
    let mut pose = Pose::rest(skeleton);
    let mut walker = Walker::new(skeleton, WalkOptions::default(), &Ground::Flat).unwrap();
    walker.step(skeleton, &Ground::Flat, STAND, FRAME, &mut pose);
    let model = ModelPose::new(skeleton, &pose);
    let sole = |f: &FootState| {
        let into = model.transform(f.joint).inverse();
        [into.transform_point(f.heel), into.transform_point(f.toe)]
    };
    walker.feet().iter().map(sole).collect()
}

/// Walks and checks every frame; returns the walker and whether it stands.
fn walk(
    skeleton: &Skeleton,
    ground: &Ground,
    solver: impl Fn(usize) -> LegSolver,
    inputs: &[(usize, WalkInput)],
    slack: Real,
) -> (Walker, bool) {
    let soles = soles(skeleton);
    let mut walker = Walker::new(skeleton, WalkOptions::default(), ground).unwrap();
    let mut pose = Pose::rest(skeleton);
    let mut before: Vec<(FootState, [Vec3; 2])> = Vec::new();
    let mut frame = 0;
    let mut stands = false;
    for &(count, input) in inputs {
        for _ in 0..count {
            walker.set_options(WalkOptions { solver: solver(frame), ..WalkOptions::default() });
            stands = walker.step(skeleton, ground, input, FRAME, &mut pose).standing;
            frame += 1;
            assert!(pose.is_finite());
            assert_eq!(pose.worst_violation(skeleton), None, "frame {frame}");
            let model = ModelPose::new(skeleton, &pose);
            let now: Vec<(FootState, [Vec3; 2])> = walker
                .feet()
                .iter()
                .zip(&soles)
                .map(|(f, sole)| (*f, sole.map(|p| model.transform(f.joint).transform_point(p))))
                .collect();
            for (i, (foot, points)) in now.iter().enumerate() {
                for p in points {
                    let under = ground.height(p.x, p.z) - p.y;
                    assert!(under < slack, "frame {frame} foot {i}: {under} under the ground");
                }
                let Some((last, at)) = before.get(i) else { continue };
                if foot.heel_planted && last.heel_planted {
                    assert!(points[0].distance(at[0]) < slack, "frame {frame} foot {i}: the heel slips");
                }
                if foot.toe_planted && last.toe_planted {
                    let moved = points[1].distance(at[1]);
                    assert!(moved < slack, "frame {frame} foot {i}: the toes slip by {moved}");
                }
            }
            before = now;
        }
    }
    (walker, stands)
}

#[test]
fn it_walks_stops_and_stands_on_every_ground() {
    let human = rigs::by_name("humanoid").unwrap();
    let hills = Ground::hills(3, 0.35, 8.0);
    for ground in [Ground::Flat, Ground::Slope { grade: 0.15 }, Ground::STAIRS, hills] {
        let left = WalkInput { speed: 0.8, turn: 0.5 };
        let plan = [(300, AHEAD), (200, left), (240, STAND)];
        let (walker, stands) = walk(&human, &ground, |_| LegSolver::Limb, &plan, 1.0e-3);
        assert!(stands, "{ground:?}");
        assert!(walker.place().z > 2.0, "{ground:?} {}", walker.place());
    }
}

/// On a stair the place where a foot belongs may be no good; it once stepped for
/// ever to get there.
#[test]
fn it_stands_still_in_the_middle_of_a_flight_of_stairs() {
    let human = rigs::by_name("humanoid").unwrap();
    let slowly = WalkInput { speed: 0.9, turn: 0.0 };
    for count in [270, 300, 330, 345] {
        let plan = [(count, slowly), (180, STAND)];
        let (walker, stands) = walk(&human, &Ground::STAIRS, |_| LegSolver::Limb, &plan, 1.0e-3);
        assert!(stands && walker.place().y > 0.3, "{count} {}", walker.place());
    }
}

#[test]
fn solvers_can_be_switched_in_mid_stride() {
    let human = rigs::by_name("humanoid").unwrap();
    let by_turns =
        |frame: usize| [LegSolver::Half, LegSolver::Full, LegSolver::Hybrid, LegSolver::Limb][frame / 25 % 4];
    let (_, stands) = walk(&human, &Ground::Flat, by_turns, &[(400, AHEAD), (200, STAND)], 1.0e-3);
    assert!(stands);
}

#[test]
fn a_spider_walks_on_the_same_clock() {
    let spider = rigs::by_name("spider").unwrap();
    let turn = WalkInput { speed: 1.0, turn: 0.5 };
    let plan = [(300, AHEAD), (200, turn), (300, STAND)];
    let (walker, stands) = walk(&spider, &Ground::Flat, |_| LegSolver::Half, &plan, 1.0e-3);
    assert!(stands && walker.feet().len() == 8);
    assert!(walker.place().z > 0.3, "{}", walker.place());
}

#[test]
fn a_biped_without_toes_walks() {
    let mut builder = rigs::by_name("humanoid").unwrap().to_builder();
    builder
        .joints
        .retain(|j| !["subtalar", "midtarsal", "metatarsal"].iter().any(|part| j.name.contains(part)));
    // Parents are indices, so the legs' new places have to be found again.
    let human = rigs::by_name("humanoid").unwrap();
    let index = |name: &str| builder.joints.iter().position(|j| j.name == name);
    let parents: Vec<Option<usize>> = builder
        .joints
        .iter()
        .map(|j| human.parent(human.find(&j.name).unwrap()).and_then(|p| index(human.joint(p).name())))
        .collect();
    for (joint, parent) in builder.joints.iter_mut().zip(parents) {
        joint.parent = parent;
    }
    let stump = builder.build().unwrap();
    assert!(stump.find("l_metatarsal").is_none());
    let (walker, stands) =
        walk(&stump, &Ground::Flat, |_| LegSolver::Limb, &[(240, AHEAD), (200, STAND)], 1.0e-3);
    assert!(stands && walker.place().z > 2.0);
}

#[test]
fn frame_rates_agree() {
    let human = rigs::by_name("humanoid").unwrap();
    let input = WalkInput { speed: 0.9, turn: 0.2 };
    let places = [30.0, 60.0, 144.0].map(|rate: Real| {
        let mut walker = Walker::new(&human, WalkOptions::default(), &Ground::Flat).unwrap();
        let mut pose = Pose::rest(&human);
        for _ in 0..(10.0 * rate) as usize {
            walker.step(&human, &Ground::Flat, input, 1.0 / rate, &mut pose);
        }
        walker.place()
    });
    assert!(places[0].distance(places[1]) < 0.01 && places[2].distance(places[1]) < 0.01, "{places:?}");
}

#[test]
fn nothing_a_player_or_a_terrain_does_makes_it_fail() {
    let human = rigs::by_name("humanoid").unwrap();
    let terrain = |x: Real, z: Real| if x > 0.3 { Real::NAN } else { (50.0 * z).sin() * 3.0 };
    let mut walker = Walker::new(&human, WalkOptions::default(), &terrain).unwrap();
    let mut pose = Pose::rest(&human);
    for (speed, turn, seconds) in [
        (Real::NAN, Real::INFINITY, FRAME),
        (1.0, 1.0, Real::NAN),
        (9.0, -9.0, 0.5),
        (1.0, 0.0, 1.0e9),
        (1.0, 0.3, -4.0),
        (0.0, 1.0, 0.2),
    ] {
        for _ in 0..30 {
            walker.step(&human, &terrain, WalkInput { speed, turn }, seconds, &mut pose);
            assert!(pose.is_finite(), "{speed} {turn} {seconds}");
            assert_eq!(pose.worst_violation(&human), None);
        }
    }
    // Another skeleton's pose is left alone.
    let arm = rigs::by_name("arm").unwrap();
    let mut other = Pose::rest(&arm);
    walker.step(&human, &terrain, AHEAD, FRAME, &mut other);
    assert_eq!(other, Pose::rest(&arm));
}

#[test]
fn a_rig_that_cannot_walk_says_why() {
    let refused = |name: &str| {
        let rig = rigs::by_name(name).unwrap();
        Walker::new(&rig, WalkOptions::default(), &Ground::Flat).err()
    };
    assert!(matches!(refused("arm"), Some(RigError::WrongKind { .. })));
    assert!(matches!(refused("erik-c"), Some(RigError::WrongKind { .. })));
}

#[test]
fn walking_does_not_allocate() {
    let human = rigs::by_name("humanoid").unwrap();
    for solver in LegSolver::ALL {
        let options = WalkOptions { solver, ..WalkOptions::default() };
        let mut walker = Walker::new(&human, options, &Ground::STAIRS).unwrap();
        let mut pose = Pose::rest(&human);
        let before = counting::allocations();
        for _ in 0..120 {
            walker.step(&human, &Ground::STAIRS, AHEAD, FRAME, &mut pose);
        }
        assert_eq!(counting::allocations(), before, "{}", solver.name());
    }
}

/// The legs of a walker hang on a root that is held. The solvers once forgot
/// where such a root had been moved to, and solved for a body at the origin.
#[test]
fn a_held_root_keeps_its_place_for_every_solver() {
    let mut builder = rigs::by_name("humanoid").unwrap().to_builder();
    builder.joints[0].stiffness = 1.0;
    let human = builder.build().unwrap();
    let wrist = human.find("r_wrist").unwrap();
    let mut away = Pose::rest(&human);
    away.set_translation(human.root(), Vec3::new(1.0, 0.2, -3.0));
    let at = ModelPose::new(&human, &away).position(wrist) + Vec3::new(-0.1, 0.15, 0.1);
    let goals = [sinew::Goal::position(wrist, at)].into_iter().collect();
    for spec in SolverSpec::all().filter(|s| s.name() != "fabrik") {
        let mut pose = away.clone();
        let report = spec.build(&human, &goals).unwrap().solve(&human, &goals, &mut pose).clone();
        assert!(report.position_error() < 2.0e-3, "{}: {}", spec.name(), report.position_error());
        assert_eq!(pose.translation(human.root()), away.translation(human.root()));
    }
}

#[test]
fn stairs_go_up_and_down_again() {
    let stairs = Ground::Steps { start: 1.0, rise: 0.2, tread: 0.3, count: 3 };
    let heights = [0.9, 1.1, 1.4, 1.7, 2.5, 2.9, 3.2, 3.5, 3.8, 9.0].map(|z| stairs.height(0.0, z));
    let wanted = [0.0, 0.2, 0.4, 0.6, 0.6, 0.6, 0.4, 0.2, 0.0, 0.0];
    for (got, wanted) in heights.into_iter().zip(wanted) {
        assert!((got - wanted).abs() < 1e-5, "{heights:?}");
    }
}

#[test]
fn a_mesh_a_grid_and_a_slope_agree() {
    let height = |x: Real, z: Real| 0.1 * x + 0.2 * z;
    let mut triangles = Vec::new();
    let mut grid = Vec::new();
    for row in 0..11 {
        for column in 0..11 {
            let at = |c: usize, r: usize| {
                let (x, z) = (c as Real - 5.0, r as Real - 5.0);
                Vec3::new(x, height(x, z), z)
            };
            grid.push(at(column, row).y);
            if row < 10 && column < 10 {
                let (a, b) = (at(column, row), at(column + 1, row));
                let (c, d) = (at(column, row + 1), at(column + 1, row + 1));
                triangles.extend([[a, b, c], [b, d, c]]);
            }
        }
    }
    let mesh = Ground::mesh(&triangles, -9.0);
    let map = Ground::map(11, grid, 1.0).unwrap();
    for (x, z) in [(0.3, 0.7), (-4.9, 4.9), (2.0, -3.0), (0.0, 0.0)] {
        assert!((mesh.height(x, z) - height(x, z)).abs() < 1e-4, "{x} {z} {}", mesh.height(x, z));
        assert!((map.height(x, z) - height(x, z)).abs() < 1e-4, "{x} {z}");
    }
    assert_eq!(mesh.height(50.0, 0.0), -9.0);
    assert_eq!(Ground::mesh(&[], 1.0).height(0.0, 0.0), 1.0);
    assert!(Ground::map(3, vec![0.0; 4], 1.0).is_none());
}

#[test]
fn hills_start_at_zero_and_repeat_for_a_seed() {
    let hills = Ground::hills(4, 0.5, 6.0);
    assert_eq!(hills, Ground::hills(4, 0.5, 6.0));
    assert_ne!(hills.height(1.0, 2.0), Ground::hills(5, 0.5, 6.0).height(1.0, 2.0));
    assert_eq!(hills.height(0.0, 0.0), 0.0);
    let steepest = (0..2000)
        .map(|i| {
            let (x, z) = (i as Real * 0.37, (i % 91) as Real * 0.53);
            (hills.height(x + 0.01, z) - hills.height(x, z)).abs() / 0.01
        })
        .fold(0.0, Real::max);
    assert!(steepest < 1.0, "{steepest}");
}
