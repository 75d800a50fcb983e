//! The walker on every ground, and its times beside the paper's (Meredith &
//! Maddock 2004, Table 1.4).
//!
//! What the plants promise is measured on the pose that comes out: heel and toes
//! are points of the foot's joint, taken from a flat stance, and wherever the
//! walker says that one is planted it may not have moved since the frame before,
//! nor be under the ground.

use std::time::Instant;

use sinew::body::walk::{FootState, Ground, LegSolver, Terrain, WalkInput, Walker};
use sinew::math::{Real, rotation};
use sinew::{ModelPose, Pose, Skeleton, Vec3};

use crate::table::{Cell, Table};

/// What to run.
#[derive(Debug, Clone, Copy)]
pub struct WalkOptions {
    /// How long each walk is.
    pub seconds: f64,
    /// How many random terrains.
    pub hills: u64,
    /// Where they start.
    pub seed: u64,
}

/// Frames a second of the walks that are measured.
const RATE: f64 = 60.0;
/// The time at the end in which the walker may come to a stand.
const STOPPING: f64 = 4.0;
/// Straight on, to the left, to the right.
const TURNS: [(&str, Real); 3] = [("straight", 0.0), ("left", 0.4), ("right", -0.4)];
/// Microseconds an iteration, mean iterations, frames a second on a flat floor
/// (Pentium 4, 1.4 GHz).
const PAPER: [(LegSolver, &str); 3] = [
    (LegSolver::Half, "13 µs, 18, 260 fps"),
    (LegSolver::Full, "31 µs, 180, 95 fps"),
    (LegSolver::Hybrid, "—"),
];

/// The grounds of the experiment.
fn grounds(options: &WalkOptions) -> Vec<(String, Ground)> {
    let mut grounds = vec![
        ("flat".to_string(), Ground::Flat),
        ("slope up 15 %".to_string(), Ground::Slope { grade: 0.15 }),
        ("slope down 15 %".to_string(), Ground::Slope { grade: -0.15 }),
        ("stairs".to_string(), Ground::STAIRS),
    ];
    for seed in options.seed..options.seed + options.hills {
        grounds.push((format!("hills {seed}"), Ground::hills(seed, 0.35, 8.0)));
    }
    grounds
}

/// How many walks [`run`] makes.
pub fn steps(options: &WalkOptions) -> usize {
    grounds(options).len() * TURNS.len() + LegSolver::ALL.len() + 3
}

/// Runs everything; `tick` is called after each walk. `None` if the humanoid cannot walk.
pub fn run(options: &WalkOptions, mut tick: impl FnMut()) -> Option<Vec<Table>> {
    let skeleton = sinew::rigs::by_name("humanoid").ok()?;
    let mut plants = Table::new(
        "Walking by the analytic limb: what is planted stays planted",
        &[
            "ground",
            "path",
            "heel moved mm",
            "toes moved mm",
            "under ground mm",
            "over limit rad",
            "largest turn °",
            "joint",
            "stands at the end",
        ],
    );
    for (name, ground) in grounds(options) {
        for (path, turn) in TURNS {
            let walk = follow(&skeleton, &ground, turn, options.seconds, RATE, LegSolver::Limb)?;
            plants.row(vec![
                name.as_str().into(),
                path.into(),
                Cell::number(f64::from(walk.heel) * 1e3, 3),
                Cell::number(f64::from(walk.toe) * 1e3, 3),
                Cell::number(f64::from(walk.under) * 1e3, 3),
                Cell::number(f64::from(walk.over), 6),
                Cell::number(f64::from(walk.turn).to_degrees(), 1),
                walk.joint.as_str().into(),
                if walk.stands { "yes" } else { "no" }.into(),
            ]);
            tick();
        }
    }
    plants.note(format!(
        "{} s each at {RATE} frames a second, full speed, then {STOPPING} s to stop; f32",
        options.seconds
    ));
    plants.note(
        "moved: the most from one frame to the next while planted; turn: of a joint from frame to frame",
    );

    let mut times = Table::new(
        "Legs by every solver on a flat floor (Table 1.4)",
        &["solver", "iterations a frame", "µs a frame", "frames a second", "toes moved mm", "paper"],
    );
    for solver in LegSolver::ALL {
        let walk = follow(&skeleton, &Ground::Flat, 0.0, options.seconds.min(20.0), RATE, solver)?;
        let paper = PAPER.iter().find(|p| p.0 == solver).map_or("—", |p| p.1);
        times.row(vec![
            solver.name().into(),
            Cell::number(walk.iterations, 1),
            Cell::number(walk.micros, 2),
            Cell::number(1.0e6 / walk.micros.max(1e-9), 0),
            Cell::number(f64::from(walk.toe) * 1e3, 3),
            paper.into(),
        ]);
        tick();
    }
    times.note(
        "the whole frame: course, steps, hips, two legs, spine and arms; the median frame; one thread, f32",
    );

    let mut rates = Table::new(
        "The same walk at different frame rates",
        &["frames a second", "x m", "z m", "apart from 60 mm"],
    );
    let mut walks = Vec::new();
    for rate in [30.0, 60.0, 144.0] {
        walks.push((
            rate,
            follow(&skeleton, &Ground::Flat, 0.3, options.seconds, rate, LegSolver::Limb)?.place,
        ));
        tick();
    }
    let middle = walks[1].1;
    for (rate, place) in walks {
        rates.row(vec![
            Cell::number(rate, 0),
            Cell::number(f64::from(place.x), 4),
            Cell::number(f64::from(place.z), 4),
            Cell::number(f64::from(place.distance(middle)) * 1e3, 2),
        ]);
    }
    let leg = crate::solvers::half_full::run(&skeleton);
    Some(vec![plants, times, leg, rates])
}

/// What was seen on a walk.
struct Walk {
    heel: Real,
    toe: Real,
    under: Real,
    over: Real,
    turn: Real,
    joint: String,
    stands: bool,
    place: Vec3,
    iterations: f64,
    micros: f64,
}

/// Heel and toes in the frame of each foot's joint, from a flat stance.
fn soles(skeleton: &Skeleton) -> Option<Vec<[Vec3; 2]>> {
    let mut pose = Pose::rest(skeleton);
    let mut walker = Walker::new(skeleton, Default::default(), &Ground::Flat).ok()?;
    walker.step(skeleton, &Ground::Flat, WalkInput::default(), 0.01, &mut pose);
    let model = ModelPose::new(skeleton, &pose);
    let sole = |foot: &FootState| {
        let into = model.transform(foot.joint).inverse();
        [into.transform_point(foot.heel), into.transform_point(foot.toe)]
    };
    Some(walker.feet().iter().map(sole).collect())
}

fn follow(
    skeleton: &Skeleton,
    ground: &Ground,
    turn: Real,
    seconds: f64,
    rate: f64,
    solver: LegSolver,
) -> Option<Walk> {
    let soles = soles(skeleton)?;
    let options = sinew::body::walk::WalkOptions { solver, ..Default::default() };
    let mut walker = Walker::new(skeleton, options, ground).ok()?;
    let mut pose = Pose::rest(skeleton);
    let mut last = pose.clone();
    let mut before: Vec<(FootState, [Vec3; 2])> = Vec::new();
    let mut walk = Walk {
        heel: 0.0,
        toe: 0.0,
        under: 0.0,
        over: 0.0,
        turn: 0.0,
        joint: String::new(),
        stands: false,
        place: Vec3::ZERO,
        iterations: 0.0,
        micros: 0.0,
    };
    let frames = (seconds * rate).round() as usize;
    let (mut times, mut iterations) = (Vec::with_capacity(frames), 0.0);
    for frame in 0..frames {
        let walks = (frame as f64) < (seconds - STOPPING) * rate;
        let input = if walks { WalkInput { speed: 1.0, turn } } else { WalkInput::default() };
        let start = Instant::now();
        let report = walker.step(skeleton, ground, input, (1.0 / rate) as Real, &mut pose);
        times.push(start.elapsed().as_secs_f64() * 1e6);
        iterations += f64::from(report.iterations);
        walk.stands = report.standing;
        let model = ModelPose::new(skeleton, &pose);
        let mut now = Vec::with_capacity(soles.len());
        for (foot, sole) in walker.feet().iter().zip(&soles) {
            let points = sole.map(|p| model.transform(foot.joint).transform_point(p));
            for p in points {
                walk.under = walk.under.max(ground.height(p.x, p.z) - p.y);
            }
            now.push((*foot, points));
        }
        for ((foot, points), (foot_before, points_before)) in now.iter().zip(&before) {
            if foot.heel_planted && foot_before.heel_planted {
                walk.heel = walk.heel.max(points[0].distance(points_before[0]));
            }
            if foot.toe_planted && foot_before.toe_planted {
                walk.toe = walk.toe.max(points[1].distance(points_before[1]));
            }
        }
        before = now;
        walk.over = walk.over.max(pose.worst_violation(skeleton).map_or(0.0, |(_, v)| v));
        for joint in skeleton.ids().filter(|j| skeleton.parent(*j).is_some() && frame > 0) {
            let turned = rotation::angle(last.rotation(joint).conjugate() * pose.rotation(joint));
            if turned > walk.turn {
                walk.turn = turned;
                walk.joint = skeleton.joint(joint).name().to_string();
            }
        }
        last.copy_from(&pose);
    }
    walk.place = walker.place();
    walk.iterations = iterations / frames.max(1) as f64;
    walk.micros = crate::stats::median(&times);
    Some(walk)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_walk_over_every_ground_keeps_its_promises() {
        let skeleton = sinew::rigs::by_name("humanoid").unwrap();
        let options = WalkOptions { seconds: 12.0, hills: 2, seed: 7 };
        for (name, ground) in grounds(&options) {
            for (path, turn) in TURNS {
                let walk = follow(&skeleton, &ground, turn, 12.0, 60.0, LegSolver::Limb).unwrap();
                let worst = walk.heel.max(walk.toe).max(walk.under);
                assert!(worst <= 1.0e-3, "{name} {path}: {} {} {}", walk.heel, walk.toe, walk.under);
                assert!(walk.over <= 1.0e-4 && walk.stands, "{name} {path}: {}", walk.over);
            }
        }
    }
}
