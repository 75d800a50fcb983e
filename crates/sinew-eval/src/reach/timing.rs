//! How long a solve takes, in single precision, beside the paper's figures.
//!
//! Goals are those of random allowed poses of the humanoid, with position and
//! orientation, so that all of them can be reached. "Clamp" are those whose
//! preferred swivel angle a limit forbids. Each list is gone through many times
//! and the quickest time kept, since anything else that runs only adds to it: the mean is that of
//! a whole list, median and 95 % are of its goals, each timed by itself without what the clock takes.

use std::hint::black_box;
use std::time::Instant;

use sinew::analytic::{Limb, Swivel, TwoBone, TwoBoneOptions};
use sinew::math::{Quat, Real, Vec3};
use sinew::rigs::{SwingModel, humanoid};
use sinew::skeleton::humanoid::{HumanoidMap, Side};
use sinew::{Cause, ModelPose, Pose, Target};

use crate::sample;
use crate::table::{Cell, Table};

/// How many goals, and how often they are gone through.
const GOALS: usize = 4000;
const ROUNDS: usize = 25;

/// The quickest of many rounds, in nanoseconds for one of `count`.
fn quickest(count: usize, mut round: impl FnMut()) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let clock = Instant::now();
        round();
        best = best.min(clock.elapsed().as_nanos() as f64 / count.max(1) as f64);
    }
    best
}

/// The time of one goal out of many, in nanoseconds.
struct Spread {
    mean: f64,
    /// Median and 95 %, where each is long enough for a clock.
    each: Option<[f64; 2]>,
}

/// Solves every goal by itself, and all of them in a row.
fn spread(goals: &[Target], mut solve: impl FnMut(&Target)) -> Spread {
    let mean = quickest(goals.len(), || goals.iter().for_each(&mut solve));
    let clock = (0..1000).map(|_| Instant::now().elapsed().as_nanos()).min().unwrap_or(0) as f64;
    let mut each = vec![f64::INFINITY; goals.len()];
    for _ in 0..ROUNDS {
        for (goal, best) in goals.iter().zip(&mut each) {
            let start = Instant::now();
            solve(goal);
            *best = best.min(start.elapsed().as_nanos() as f64 - clock);
        }
    }
    each.sort_by(f64::total_cmp);
    let at = |part: f64| each.get((part * (each.len().max(1) - 1) as f64) as usize).copied().unwrap_or(0.0);
    Spread { mean, each: Some([at(0.5), at(0.95)]) }
}

/// Times limbs and two bones.
pub fn run(seed: u64) -> Table {
    let mut table = Table::new(
        "Time of one solve in f32, nanoseconds",
        &["what", "goals", "mean", "median", "95 %", "aim", "the paper (Pentium 4)"],
    );
    let mut row = |what: String, goals: usize, time: Spread, asked: Option<f64>, paper: &str| {
        let asked = asked.map_or("".into(), |a| format!("≤ {a:.0}").into());
        let each = |i: usize| time.each.map_or("".into(), |each| Cell::number(each[i], 0));
        table.row(vec![
            what.into(),
            Cell::number(goals as f64, 0),
            Cell::number(time.mean, 1),
            each(0),
            each(1),
            asked,
            paper.into(),
        ]);
    };
    two_bone(seed, &mut row);
    let skeleton = humanoid(SwingModel::Ellipse);
    let map = HumanoidMap::find(&skeleton);
    let sampler = sample::PoseSampler::new(&skeleton);
    let mut random = sample::generator(seed);
    let limbs =
        [("arm", Limb::arm(&skeleton, &map, Side::Right)), ("leg", Limb::leg(&skeleton, &map, Side::Left))];
    for (name, limb) in limbs {
        let Ok(limb) = limb else { continue };
        let end = limb.joints().end;
        let rest = ModelPose::rest(&skeleton);
        let mut pose = Pose::rest(&skeleton);
        let own = [limb.joints().upper, limb.joints().lower, end];
        let goals: Vec<Target> = (0..GOALS)
            .map(|_| {
                // Of these three alone: the narrow joints of a spine take longer to draw than all the rest.
                let mut posed = Pose::rest(&skeleton);
                for j in own {
                    posed.set_rotation(j, sampler.rotation(j, &mut random).unwrap_or(Quat::IDENTITY));
                }
                posed.project(&skeleton);
                Target::Pose(ModelPose::new(&skeleton, &posed).transform(end))
            })
            .collect();
        let (free, held): (Vec<Target>, Vec<Target>) = goals
            .iter()
            .partition(|goal| limb.solve(&skeleton, &rest, goal, Swivel::default(), &mut pose).swivel == 0.0);
        let mut time = |list: &[Target]| {
            spread(list, |goal| {
                black_box(limb.solve(&skeleton, &rest, black_box(goal), Swivel::default(), &mut pose));
            })
        };
        let paper = "50 000 for a whole body, no search; 100 000 with search";
        let all = time(&goals);
        row(format!("{name}, orientation and clamp"), goals.len(), all, Some(250.0), paper);
        row(format!("{name}, preferred swivel allowed"), free.len(), time(&free), None, "");
        row(format!("{name}, swivel clamped by a limit"), held.len(), time(&held), None, "");
        // Anywhere within and beyond reach, turned any way: what is refused gets the nearest pose.
        let base = rest.position(limb.joints().upper);
        let anywhere: Vec<(Target, Option<Cause>)> = (0..GOALS / 4)
            .map(|_| {
                let way = sample::between(&mut random, 0.05, 1.3) * limb.reach().1;
                let position = base + sample::direction(&mut random) * way;
                let goal = Target::from_parts(position, Some(sample::any_rotation(&mut random)));
                (goal, limb.solve(&skeleton, &rest, &goal, Swivel::default(), &mut pose).outcome.cause)
            })
            .collect();
        let mut refused = |what: &str, is: fn(&Option<Cause>) -> bool| {
            let list: Vec<Target> = anywhere.iter().filter(|(_, o)| is(o)).map(|(goal, _)| *goal).collect();
            let time = spread(&list, |goal| {
                black_box(limb.solve(&skeleton, &rest, black_box(goal), Swivel::default(), &mut pose));
            });
            row(format!("{name}, {what}, nearest pose"), list.len(), time, None, "");
        };
        refused("out of reach", |o| matches!(o, Some(Cause::OutOfReach { .. } | Cause::TooClose { .. })));
        refused("blocked by a limit", |o| matches!(o, Some(Cause::Limit { .. })));
    }
    table.note(format!("seed {seed}; the quickest of {ROUNDS} rounds over all goals, one thread"));
    table
}

fn two_bone(seed: u64, row: &mut impl FnMut(String, usize, Spread, Option<f64>, &str)) {
    let mut random = sample::generator(seed);
    let bend: Real = (-30.0 as Real).to_radians();
    let end = Vec3::new(0.3 + 0.25 * bend.cos(), 0.25 * bend.sin(), 0.0);
    let Ok(limb) = TwoBone::new(Vec3::X * 0.3, end, Vec3::Z, &TwoBoneOptions::default()) else { return };
    let targets: Vec<(Vec3, Vec3)> = (0..10 * GOALS)
        .map(|_| {
            let way = sample::between(&mut random, 0.06, 0.54);
            (sample::direction(&mut random) * way, sample::direction(&mut random))
        })
        .collect();
    let mean = quickest(targets.len(), || {
        for (target, pole) in &targets {
            black_box(limb.solve(*target, *pole));
        }
    });
    row("two bones and a pole".into(), targets.len(), Spread { mean, each: None }, Some(60.0), "");
}
