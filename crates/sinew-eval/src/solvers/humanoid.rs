//! Many goals within anatomical limits.
//!
//! A random pose within the limits gives the goals: position and orientation
//! of pelvis, head, wrists and ankles. Each solver starts from the rest pose.
//! A pose counts when all six goals are within a millimetre and half a degree.
//! Two kinds of poses: anywhere within the limits, and near their edges, where a
//! random third of the joints stands within two degrees of one.

use std::time::Instant;

use sinew::math::Real;
use sinew::{Goal, GoalSet, JointId, ModelPose, Pose, Skeleton};

use super::Contender;
use crate::sample;
use crate::stats;
use crate::table::{Cell, Table};

/// What to run.
#[derive(Debug, Clone)]
pub struct HumanoidOptions {
    /// How many poses.
    pub poses: usize,
    /// Where the random poses start.
    pub seed: u64,
    /// The solvers, in the table's order.
    pub solvers: Vec<Contender>,
    /// Whether a third of the joints stands near an edge of its limit.
    pub near_edges: bool,
}

/// A millimetre and half a degree.
pub(super) const NEAR: (Real, Real) = (1.0e-3, 0.5 * std::f64::consts::PI as Real / 180.0);

/// How far from rest a pelvis is, in metres.
const TRAVEL: f64 = 0.5;

/// How near to an edge a joint stands, in radians.
const EDGE: f64 = 2.0 * std::f64::consts::PI / 180.0;

/// The six joints that carry goals, by their H-Anim names.
pub const SIX: [&str; 6] = ["HumanoidRoot", "skullbase", "l_wrist", "r_wrist", "l_ankle", "r_ankle"];

/// Goals for the six joints as a pose has them.
pub(super) fn six_goals(skeleton: &Skeleton, pose: &Pose) -> GoalSet {
    let joints: Vec<JointId> = SIX.iter().filter_map(|name| skeleton.find(name)).collect();
    let model = ModelPose::new(skeleton, pose);
    joints.iter().map(|&j| Goal::pose(j, model.transform(j))).collect()
}

/// Runs every solver on the same poses. `tick` is called after each pose of each solver.
pub fn run(options: &HumanoidOptions, skeleton: &Skeleton, mut tick: impl FnMut()) -> Table {
    let mut random = sample::generator(options.seed);
    let sampler = sample::PoseSampler::new(skeleton);
    let problems: Vec<GoalSet> = (0..options.poses)
        .map(|_| {
            let mut pose = sampler.draw(&mut random, TRAVEL);
            if options.near_edges {
                sampler.press(&mut pose, &mut random, 1.0 / 3.0, EDGE);
            }
            six_goals(skeleton, &pose)
        })
        .collect();
    let place = if options.near_edges { " near the limits' edges" } else { "" };
    let mut table = Table::new(
        format!("Six poses at once{place} on {} ({} joints)", skeleton.name(), skeleton.len()),
        &[
            "solver",
            "met %",
            "position mm",
            "p95 mm",
            "orientation °",
            "p95 °",
            "over limit rad",
            "attempts",
            "sweeps",
            "median µs",
            "p95 µs",
            "worst µs",
            "most frequent cause",
        ],
    );
    for solver in &options.solvers {
        table.row(run_one(solver, skeleton, &problems, &mut tick));
    }
    let edges = if options.near_edges { ", a third of the joints within 2° of an edge" } else { "" };
    table.note(format!(
        "{} random poses within the limits{edges}, seed {}; start: rest pose; met: all six within 1 mm and 0.5°",
        options.poses, options.seed
    ));
    table.note(
        "position and orientation: mean over poses of the worst goal; attempts and sweeps: means; sweeps are \
         the iterations of all attempts; one thread, f32",
    );
    table.note(
        "ewbik published: section 8 as printed, in which the root does not travel; these pelvises have",
    );
    table
}

fn run_one(
    contender: &Contender,
    skeleton: &Skeleton,
    problems: &[GoalSet],
    tick: &mut impl FnMut(),
) -> Vec<Cell> {
    let (mut met, mut over) = (0usize, 0.0f64);
    let (mut position, mut orientation) = (Vec::new(), Vec::new());
    let (mut attempts, mut sweeps, mut times) = (Vec::new(), Vec::new(), Vec::new());
    let mut causes: Vec<(&'static str, usize)> = Vec::new();
    let Some(mut solver) = problems.first().and_then(|goals| contender.spec.build(skeleton, goals).ok())
    else {
        return vec![contender.name.as_str().into(), "cannot honour these goals".into()];
    };
    let rest = Pose::rest(skeleton);
    let mut pose = rest.clone();
    for goals in problems {
        pose.copy_from(&rest);
        let start = Instant::now();
        let report = solver.solve(skeleton, goals, &mut pose);
        times.push(start.elapsed().as_secs_f64() * 1.0e6);
        let (p, o) = (report.position_error(), report.orientation_error());
        met += usize::from(p <= NEAR.0 && o <= NEAR.1);
        position.push(f64::from(p) * 1.0e3);
        orientation.push(f64::from(o).to_degrees());
        attempts.push(f64::from(report.attempts));
        sweeps.push(f64::from(report.iterations));
        over = over.max(pose.worst_violation(skeleton).map_or(0.0, |(_, v)| f64::from(v)));
        if let Some(cause) = report.cause.as_ref().map(|cause| cause.name()) {
            match causes.iter_mut().find(|(name, _)| *name == cause) {
                Some((_, count)) => *count += 1,
                None => causes.push((cause, 1)),
            }
        }
        tick();
    }
    causes.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    vec![
        contender.name.as_str().into(),
        Cell::number(100.0 * met as f64 / problems.len().max(1) as f64, 1),
        Cell::number(stats::mean(&position), 3),
        Cell::number(stats::percentile(&position, 0.95), 3),
        Cell::number(stats::mean(&orientation), 3),
        Cell::number(stats::percentile(&orientation, 0.95), 3),
        Cell::number(over, 6),
        Cell::number(stats::mean(&attempts), 1),
        Cell::number(stats::mean(&sweeps), 1),
        Cell::number(stats::median(&times), 1),
        Cell::number(stats::percentile(&times, 0.95), 1),
        Cell::number(stats::largest(&times), 1),
        causes.first().map_or("—".into(), |(name, count)| format!("{name} ({count})").into()),
    ]
}
