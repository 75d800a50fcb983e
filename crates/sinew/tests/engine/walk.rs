//! The walker's promises, on every ground, for two legs and for eight: what is
//! planted stays planted, nothing is under the ground, limits hold, and nothing
//! that a player or a terrain does makes it fail.

use crate::{counting, numbers};
use sinew::body::walk::{
    Blocked, FootState, Ground, LegSolver, Obstacle, Terrain, WalkDrive, WalkInput, WalkOptions,
    WalkVelocity, Walker,
};
use sinew::error::RigError;
use sinew::math::Real;
use sinew::{ModelPose, Pose, Skeleton, SolverSpec, Vec3, rigs};

pub const AHEAD: WalkInput = WalkInput { speed: 1.0, turn: 0.0 };
pub const STAND: WalkInput = WalkInput { speed: 0.0, turn: 0.0 };
pub const FRAME: Real = 1.0 / 60.0;

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

/// A foot whose ankle is at its limit was put back on its toes four times and left there, 1 to 4 mm off; on
/// a cross slope an edge of it was 8 mm in the ground; and the first frame held back a heel that nothing had shown yet.
#[test]
fn feet_stay_in_their_places_on_steep_slopes_whatever_the_stick_does() {
    let human = rigs::by_name("humanoid").unwrap();
    let soles = soles(&human);
    for (grade, seed) in [(0.35, 1), (0.35, 2), (-0.35, 3), (-0.35, 4)] {
        let ground = Ground::Slope { grade };
        let mut walker = Walker::new(&human, WalkOptions::default(), &ground).unwrap();
        let mut pose = Pose::rest(&human);
        let mut random = numbers::Numbers::new(seed);
        for _ in 0..16 {
            let turn = random.between(-1.0, 1.0);
            let input = WalkInput { speed: random.between(0.0, 1.0), turn };
            for frame in 0..30 {
                let report = walker.step(&human, &ground, input, FRAME, &mut pose);
                assert!(report.slip < 5.0e-4, "{grade} {seed} frame {frame}: {report}");
                let model = ModelPose::new(&human, &pose);
                for (foot, [heel, _]) in walker.feet().iter().zip(&soles) {
                    for side in [-0.035, 0.0, 0.035] {
                        let edge = model.transform(foot.joint).transform_point(*heel + Vec3::X * side);
                        let under = ground.height(edge.x, edge.z) - edge.y;
                        assert!(under < 3.0e-3, "{grade} {seed} frame {frame}: {under} under the ground");
                    }
                }
            }
        }
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

/// Arms were once measured on the rig with the held root, which is another one to the limb, and
/// hung still; T-posed characters walked with their arms out.
/// Bodies on many legs stayed level on stairs, and legs that their joints keep from being straight
/// were counted on at their full length: feet were 9 and 14 mm off their places.
#[test]
fn animals_stand_in_their_places_on_stairs() {
    for name in ["quadruped", "spider"] {
        let rig = rigs::by_name(name).unwrap();
        let mut walker = Walker::new(&rig, WalkOptions::default(), &Ground::STAIRS).unwrap();
        let mut pose = Pose::rest(&rig);
        for frame in 0..900 {
            let report = walker.step(&rig, &Ground::STAIRS, AHEAD, FRAME, &mut pose);
            assert!(report.slip < 1.0e-3, "{name} frame {frame}: {report}");
        }
        assert!(walker.place().y > 0.1, "{name}: {}", walker.place());
    }
}

#[test]
fn arms_swing_against_the_legs() {
    let human = rigs::by_name("humanoid").unwrap();
    let [arm, leg] = ["l_shoulder", "l_hip"].map(|name| human.find(name).unwrap());
    let mut walker = Walker::new(&human, WalkOptions::default(), &Ground::Flat).unwrap();
    let mut pose = Pose::rest(&human);
    let (mut least, mut most, mut against) = (0.0 as Real, 0.0 as Real, 0.0);
    for frame in 0..300 {
        walker.step(&human, &Ground::Flat, AHEAD, FRAME, &mut pose);
        if frame > 120 {
            let pitch = |id| 2.0 * pose.rotation(id).x;
            (least, most) = (least.min(pitch(arm)), most.max(pitch(arm)));
            against += pitch(arm) * pitch(leg);
        }
    }
    assert!(most - least > 0.3, "{least} to {most}");
    assert!(against < 0.0, "{against}");
}

/// The forelegs of a quadruped were once taken to begin at its spine, which both then bent.
#[test]
fn a_quadruped_stands_where_it_stands() {
    let animal = rigs::by_name("quadruped").unwrap();
    let turn = WalkInput { speed: 0.7, turn: -0.6 };
    for ground in [Ground::Flat, Ground::hills(3, 0.2, 8.0)] {
        let mut walker = Walker::new(&animal, WalkOptions::default(), &ground).unwrap();
        let mut pose = Pose::rest(&animal);
        for (count, input) in [(240, AHEAD), (200, turn), (200, STAND)] {
            for _ in 0..count {
                let report = walker.step(&animal, &ground, input, FRAME, &mut pose);
                assert!(report.slip < 2.0e-3, "{ground:?}: {report}");
            }
        }
        assert!(walker.feet().len() == 4 && walker.place().z > 0.2, "{}", walker.place());
    }
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

/// Random input: speed and turn change every 0.1 to 0.8 seconds, from nothing to full.
fn wiggled(seed: u64, seconds: Real) -> Vec<(usize, WalkInput)> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 40) as Real / (1u64 << 24) as Real
    };
    let mut plan = Vec::new();
    let mut time = 0.0;
    while time < seconds {
        let speed = [0.0, 0.3, 0.7, 1.0, random()][(random() * 4.99) as usize];
        let turn = [0.0, 0.0, -1.0, 1.0, 2.0 * random() - 1.0][(random() * 4.99) as usize];
        let frames = 6 + (42.0 * random()) as usize;
        plan.push((frames, WalkInput { speed, turn }));
        time += frames as Real * FRAME;
    }
    plan
}

/// The toes of the full Jacobian were up to 10 mm in the ground: they were bent for another knee than the one that it found.
/// The heels of the half one slid by 3 mm: its knee pointed elsewhere than its foot, whose ankle then could not turn it.
#[test]
fn all_solvers_have_knees_and_toes_where_the_limb_has_them() {
    let human = rigs::by_name("humanoid").unwrap();
    let joints = |name: &str| ["l", "r"].map(|side| human.find(&format!("{side}_{name}")).unwrap());
    let (knees, toes) = (joints("knee"), joints("metatarsal"));
    let ground = Ground::Slope { grade: 0.15 };
    for solver in [LegSolver::Half, LegSolver::Full, LegSolver::Hybrid] {
        let mut both = [LegSolver::Limb, solver].map(|solver| {
            let options = WalkOptions { solver, ..WalkOptions::default() };
            (Walker::new(&human, options, &ground).unwrap(), Pose::rest(&human))
        });
        for (frames, input) in wiggled(11, 8.0) {
            for _ in 0..frames {
                let [limb, own] = both.each_mut().map(|(walker, pose)| {
                    let report = walker.step(&human, &ground, input, FRAME, pose);
                    assert!(report.slip < 1.0e-3, "{solver:?}: {report}");
                    ModelPose::new(&human, pose)
                });
                for (&knee, &toe) in knees.iter().zip(&toes) {
                    let apart = limb.position(knee).distance(own.position(knee));
                    assert!(apart < 0.03, "{solver:?}: a knee {apart} m away");
                    let tip = own.transform(toe).transform_point(human.joint(toe).tip().unwrap());
                    let under = ground.height(tip.x, tip.z) - tip.y;
                    assert!(under < 5.0e-3, "{solver:?}: toes {under} m under the ground");
                }
            }
        }
    }
}

/// A frame between two ticks may show a foot off the ground that stands again in the state that is kept. It then left with
/// another pitch than the one that was shown, and its knee turned by 20 degrees.
#[test]
fn a_foot_leaves_as_it_was_shown_at_any_frame_rate() {
    let human = rigs::by_name("humanoid").unwrap();
    let ground = Ground::Slope { grade: 0.15 };
    for rate in [60.0, 100.0] {
        let mut walker = Walker::new(&human, WalkOptions::default(), &ground).unwrap();
        let mut pose = Pose::rest(&human);
        // The rest pose does not stand on a slope.
        walker.step(&human, &ground, STAND, 1.0 / rate, &mut pose);
        for (frames, input) in wiggled(12, 10.0) {
            for _ in 0..(frames as Real * FRAME * rate) as usize {
                let last = pose.clone();
                walker.step(&human, &ground, input, 1.0 / rate, &mut pose);
                for id in human.ids() {
                    let angle =
                        2.0 * last.rotation(id).dot(pose.rotation(id)).abs().min(1.0).acos().to_degrees();
                    assert!(angle * rate / 60.0 < 17.0, "{rate}: {} {angle}°", human.joint(id).name());
                }
            }
        }
    }
}

/// A wiggled stick once dropped the hips by 0.3 m, left the legs crossed for a second and turned
/// a knee by 50 degrees in a frame: flights were planned when a foot left and never again, and
/// the hips hung on whichever leg was stretched.
#[test]
fn a_wiggled_stick_moves_nothing_too_fast() {
    let human = rigs::by_name("humanoid").unwrap();
    let root = human.root();
    let balls = ["l_metatarsal", "r_metatarsal"].map(|name| human.find(name).unwrap());
    // The largest turn of a joint a frame in degrees, and how far the hips may sink.
    for (ground, turn, sink) in [(Ground::Flat, 15.0, 0.12), (Ground::STAIRS, 20.0, 0.3)] {
        for seed in 1..=4 {
            let mut walker = Walker::new(&human, WalkOptions::default(), &ground).unwrap();
            let mut pose = Pose::rest(&human);
            let mut hips: Vec<Vec3> = Vec::new();
            let (mut last, mut crossed, mut first) = (None::<Pose>, 0, 0.0);
            for (frames, input) in wiggled(seed, 12.0) {
                for _ in 0..frames {
                    let report = walker.step(&human, &ground, input, FRAME, &mut pose);
                    assert!(report.slip < 2.0e-3, "{ground:?} {seed}: {report}");
                    let frame = hips.len();
                    if let Some(last) = &last {
                        for id in human.ids() {
                            let (a, b) = (last.rotation(id), pose.rotation(id));
                            let angle = 2.0 * a.dot(b).abs().min(1.0).acos().to_degrees();
                            let name = human.joint(id).name();
                            assert!(angle < turn, "{ground:?} {seed} frame {frame}: {name} {angle}°");
                        }
                    }
                    let model = ModelPose::new(&human, &pose);
                    hips.push(model.position(root));
                    if let [.., a, b, c] = hips[..] {
                        let change = (a - b * 2.0 + c).length() / (FRAME * FRAME);
                        assert!(change < 16.0, "{ground:?} {seed} frame {frame}: {change} m/s²");
                    }
                    let over = hips[frame].y - ground.height(hips[frame].x, hips[frame].z);
                    first = if frame == 0 { over } else { first };
                    assert!(first - over < sink, "{ground:?} {seed} frame {frame}: {over}");
                    let left = model.rotation(root) * Vec3::X;
                    let apart = model.position(balls[0]) - model.position(balls[1]);
                    crossed = if apart.dot(left) < -0.03 { crossed + 1 } else { 0 };
                    assert!(crossed < 13, "{ground:?} {seed} frame {frame}: crossed");
                    last = Some(pose.clone());
                }
            }
        }
    }
}

/// A stick that was let go in mid-step and pushed again sank the hips by 0.13 m: they made room for a heel that would have
/// to stay down until the other foot had left and landed, and it was up all the same, because no ankle bends that far.
#[test]
fn hips_do_not_sink_for_heels_that_may_rise() {
    let human = rigs::by_name("humanoid").unwrap();
    let stick: [(Real, Real, Real); 11] = [
        (0.0, 0.0, 1.0),
        (0.908, 0.287, 0.0),
        (1.359, 1.0, -0.047),
        (1.708, 0.7, -0.104),
        (2.1, 0.3, 0.0),
        (2.231, 0.064, -0.235),
        (2.66, 0.3, 1.0),
        (3.075, 0.7, 0.0),
        (3.204, 0.0, 0.174),
        (3.339, 1.0, 1.0),
        (3.863, 0.7, 0.0),
    ];
    let mut walker = Walker::new(&human, WalkOptions::default(), &Ground::Flat).unwrap();
    let mut pose = Pose::rest(&human);
    let mut first = None;
    for frame in 0..300 {
        let time = frame as Real * FRAME;
        let (_, speed, turn) = *stick.iter().rev().find(|key| key.0 <= time).unwrap();
        let report = walker.step(&human, &Ground::Flat, WalkInput { speed, turn }, FRAME, &mut pose);
        assert!(report.slip < 1.0e-3, "frame {frame}: {report}");
        let over = ModelPose::new(&human, &pose).position(human.root()).y;
        let sunk = *first.get_or_insert(over) - over;
        assert!(sunk < 0.11, "frame {frame}: {sunk}");
    }
}

/// A walker once climbed a wall of two metres without a word.
#[test]
fn it_stops_before_what_it_cannot_walk_on_and_says_what_it_is() {
    let human = rigs::by_name("humanoid").unwrap();
    let block = |length: Real, height: Real| Ground::Block { start: 2.5, length, height };
    let slope = |_: Real, z: Real| 0.9 * (z - 2.5).max(0.0);
    let cases: [(&dyn Terrain, Obstacle); 5] = [
        (&block(0.3, 2.0), Obstacle::Wall),
        (&block(9.0, 0.5), Obstacle::Step),
        (&block(1.0, -1.0), Obstacle::Drop),
        (&block(Real::INFINITY, -3.0), Obstacle::Drop),
        (&slope, Obstacle::Slope),
    ];
    for (ground, by) in cases {
        let mut walker = Walker::new(&human, WalkOptions::default(), ground).unwrap();
        let mut pose = Pose::rest(&human);
        let mut last = walker.step(&human, ground, AHEAD, FRAME, &mut pose);
        for frame in 0..480 {
            last = walker.step(&human, ground, AHEAD, FRAME, &mut pose);
            assert!(last.slip < 1.0e-3, "{by:?} frame {frame}: {last}");
            let model = ModelPose::new(&human, &pose);
            for id in human.ids() {
                let p = model.position(id);
                // Nothing of it is where it cannot go.
                assert!(p.z < 2.55, "{by:?} frame {frame}: {} at {p}", human.joint(id).name());
            }
        }
        let blocked = last.blocked.unwrap_or_else(|| panic!("{by:?}: {last}"));
        assert!(blocked.by == by && (blocked.at.z - 2.5).abs() < 0.12, "{by:?}: {blocked}");
        assert!(last.standing && walker.place().z > 1.5, "{by:?} at {}: {last}", walker.place());
        // The other way is free.
        let back = WalkInput { speed: -1.0, turn: 0.0 };
        for _ in 0..180 {
            last = walker.step(&human, ground, back, FRAME, &mut pose);
        }
        assert!(last.blocked.is_none() && walker.place().z < 1.4, "{by:?} at {}: {last}", walker.place());
    }
}

#[test]
fn limits_are_options_and_what_is_within_them_is_walked_over() {
    let human = rigs::by_name("humanoid").unwrap();
    let block = |length: Real, height: Real| Ground::Block { start: 2.0, length, height };
    let kerb = block(Real::INFINITY, 0.15);
    let plan = [(360, AHEAD), (150, STAND)];
    for ground in [kerb.clone(), block(0.25, -1.0), block(0.1, 0.15), block(Real::INFINITY, -0.2)] {
        let (walker, stands) = walk(&human, &ground, |_| LegSolver::Limb, &plan, 1.0e-3);
        assert!(stands && walker.place().z > 3.0, "{ground:?} {}", walker.place());
    }
    let options = WalkOptions { climb: 0.1, ..WalkOptions::default() };
    let mut walker = Walker::new(&human, options, &kerb).unwrap();
    let mut pose = Pose::rest(&human);
    let blocked: Option<Blocked> =
        (0..360).filter_map(|_| walker.step(&human, &kerb, AHEAD, FRAME, &mut pose).blocked).last();
    assert_eq!(blocked.map(|b| b.by), Some(Obstacle::Step));
    assert!(walker.place().z < 2.0);
}

/// Every way of going: what is planted stays planted, and the body gets there.
#[test]
fn it_goes_backwards_sideways_and_runs() {
    let human = rigs::by_name("humanoid").unwrap();
    for (ahead, left, least) in [(-0.6, 0.0, 2.0), (0.0, 0.5, 1.8), (0.3, -0.4, 1.5), (2.5, 0.0, 7.5)] {
        let mut walker = Walker::new(&human, WalkOptions::default(), &Ground::Flat).unwrap();
        let mut pose = Pose::rest(&human);
        let velocity = WalkVelocity { ahead, left, turn: 0.0 };
        let mut in_the_air = 0;
        // A run goes further than the limits of its hips for a few frames.
        let most = if ahead > 2.0 { 0.02 } else { 1.0e-3 };
        for frame in 0..240 {
            let report = walker.step(&human, &Ground::Flat, velocity, FRAME, &mut pose);
            assert!(report.slip < most, "{velocity:?} frame {frame}: {report}");
            in_the_air += usize::from(walker.feet().iter().all(|f| !f.heel_planted && !f.toe_planted));
        }
        let (place, wanted) = (walker.place(), Vec3::new(left, 0.0, ahead).normalize());
        assert!(place.dot(wanted) > least, "{velocity:?}: {place}");
        assert!((place - wanted * place.dot(wanted)).length() < 0.05, "{velocity:?}: {place}");
        // Only a run leaves the ground.
        assert_eq!(ahead > 2.0, in_the_air > 20, "{velocity:?}: {in_the_air} frames");
        for _ in 0..240 {
            let stops = walker.step(&human, &Ground::Flat, STAND, FRAME, &mut pose);
            assert!(stops.slip < most, "{velocity:?}: {stops}");
        }
        assert!(walker.step(&human, &Ground::Flat, STAND, FRAME, &mut pose).standing, "{velocity:?}");
    }
}

/// An engine moves the body; it is where it was put, and the feet step along.
#[test]
fn a_root_that_something_else_moves_is_followed() {
    let human = rigs::by_name("humanoid").unwrap();
    let mut walker = Walker::new(&human, WalkOptions::default(), &Ground::Flat).unwrap();
    let mut pose = Pose::rest(&human);
    let mut steps = 0;
    let mut stood = [true; 2];
    for frame in 0..300 {
        let angle = 0.4 * frame as Real * FRAME;
        // A circle of two metres to the left.
        let place = [2.0 - 2.0 * angle.cos(), 2.0 * angle.sin()];
        let drive = WalkDrive::Root { place, heading: angle };
        let report = walker.step(&human, &Ground::Flat, drive, FRAME, &mut pose);
        let at = walker.place();
        assert!((at.x - place[0]).hypot(at.z - place[1]) < 1.0e-3, "frame {frame}: {at} for {place:?}");
        assert!((walker.heading() - angle).abs() < 1.0e-3, "frame {frame}: {}", walker.heading());
        assert!(report.slip < 1.0e-3, "frame {frame}: {report}");
        for (foot, stood) in walker.feet().iter().zip(&mut stood) {
            let stands = foot.heel_planted || foot.toe_planted;
            steps += usize::from(*stood && !stands);
            *stood = stands;
        }
    }
    assert!((6..=14).contains(&steps), "{steps} steps");
    for drive in [
        WalkDrive::Root { place: [Real::NAN, 1.0e30], heading: Real::INFINITY },
        WalkDrive::Root { place: [1.0e30, -1.0e30], heading: 1.0e30 },
        WalkDrive::Velocity(WalkVelocity { ahead: Real::NAN, left: 1.0e30, turn: -1.0e30 }),
    ] {
        for seconds in [FRAME, 0.0, 1.0e-9, 3.0] {
            walker.step(&human, &Ground::Flat, drive, seconds, &mut pose);
            assert!(pose.is_finite(), "{drive:?}");
        }
    }
}
