//! The half against the full Jacobian on a leg (Meredith & Maddock 2004, Table 1.4).
//!
//! The leg of the humanoid with its hips held is brought to poses of its own,
//! by three rows (the ankle's place) and by six (its orientation too). The
//! time of an iteration is the slope of the time of a solve over its
//! iterations: each target is solved with a small and with a large number of
//! iterations that no tolerance ends early, so that what comes before and after
//! them falls out.

use std::time::Instant;

use sinew::math::{Real, Vec3, rotation};
use sinew::report::Tolerance;
use sinew::solver::jacobian::half::{HalfOptions, JacobianSize};
use sinew::{Effector, Goal, GoalSet, JointId, ModelPose, Pose, Skeleton, Solver, SolverSpec, Target};

use crate::stats;
use crate::table::{Cell, Table};

/// Iterations of the short and the long run.
const RUNS: (u32, u32) = (2, 22);
const TARGETS: usize = 200;
/// Each target is timed so often and the least time kept: what is above it is
/// other programs.
const REPEATS: usize = 30;
/// What the paper measured: microseconds an iteration (Pentium 4, 1.4 GHz),
/// and mean iterations of a step of the walk.
const PAPER: [(f64, f64); 2] = [(13.0, 18.0), (31.0, 180.0)];

/// Times both on the left leg of a humanoid.
pub fn run(humanoid: &Skeleton) -> Table {
    let mut table = Table::new(
        format!("Half against full Jacobian on a leg of {}", humanoid.name()),
        &[
            "Jacobian",
            "reached %",
            "iterations",
            "ns an iteration",
            "times the half",
            "paper: µs",
            "paper: times the half",
        ],
    );
    let Some(leg) = Leg::new(humanoid) else {
        table.note("this rig has no left leg of H-Anim names");
        return table;
    };
    let mut half = 0.0;
    for ((name, size), paper) in
        [("half", JacobianSize::Half), ("full", JacobianSize::Full)].into_iter().zip(PAPER)
    {
        let (reached, iterations) = leg.solve(size);
        let time = leg.iteration_time(size);
        if size == JacobianSize::Half {
            half = time;
        }
        table.row(vec![
            name.into(),
            Cell::number(100.0 * reached, 1),
            Cell::number(iterations, 1),
            Cell::number(time, 0),
            Cell::number(time / half, 2),
            Cell::number(paper.0, 0),
            Cell::number(paper.0 / PAPER[0].0, 2),
        ]);
    }
    table.note(format!(
        "{TARGETS} targets from poses of the leg, start at rest; an iteration: slope between {} and {} of them, \
         least of {REPEATS} runs; one thread, f32",
        RUNS.0, RUNS.1
    ));
    table
}

/// The leg and its targets.
struct Leg {
    skeleton: Skeleton,
    ankle: JointId,
    poses: Vec<Pose>,
}

impl Leg {
    fn new(humanoid: &Skeleton) -> Option<Self> {
        let mut builder = humanoid.to_builder();
        builder.joints.first_mut()?.stiffness = 1.0;
        let skeleton = builder.build().ok()?;
        let (hip, knee) = (skeleton.find("l_hip")?, skeleton.find("l_knee")?);
        let ankle = skeleton.find("l_ankle")?;
        let poses = (0..TARGETS).map(|k| {
            let a = k as Real * 0.37;
            let mut pose = Pose::rest(&skeleton);
            let thigh = Vec3::new(-0.4 + 0.4 * a.sin(), 0.2 * a.cos(), 0.1);
            pose.set_rotation(hip, rotation::exp(thigh));
            pose.set_rotation(knee, rotation::about(Vec3::X, 0.5 + 0.4 * (a * 1.3).sin()));
            pose.project(&skeleton);
            pose
        });
        let poses = poses.collect();
        Some(Self { skeleton, ankle, poses })
    }

    fn target(&self, size: JacobianSize, pose: &Pose) -> Target {
        let at = ModelPose::new(&self.skeleton, pose).transform(self.ankle);
        match size {
            JacobianSize::Half => Target::Position(at.translation),
            _ => Target::Pose(at),
        }
    }

    fn solver(&self, options: HalfOptions) -> Option<(Solver, GoalSet, sinew::GoalId)> {
        let mut goals = GoalSet::new();
        let target = self.target(options.size, self.poses.first()?);
        let id = goals.add(Goal::new(Effector::at(self.ankle), target));
        Some((SolverSpec::HalfJacobian(options).build(&self.skeleton, &goals).ok()?, goals, id))
    }

    /// How many of the targets are reached, and the mean iterations.
    fn solve(&self, size: JacobianSize) -> (f64, f64) {
        let options = HalfOptions { size, ..HalfOptions::default() };
        let Some((mut solver, mut goals, id)) = self.solver(options) else { return (0.0, 0.0) };
        let (mut reached, mut iterations) = (0, Vec::new());
        for wanted in &self.poses {
            goals.set_target(id, self.target(size, wanted));
            let mut pose = Pose::rest(&self.skeleton);
            let report = solver.solve(&self.skeleton, &goals, &mut pose);
            reached += usize::from(report.reached());
            iterations.push(f64::from(report.iterations));
        }
        (reached as f64 / self.poses.len() as f64, stats::mean(&iterations))
    }

    /// Nanoseconds of one iteration.
    fn iteration_time(&self, size: JacobianSize) -> f64 {
        let never = Tolerance { position: -1.0, orientation: -1.0 };
        let runs = [RUNS.0, RUNS.1].map(|iterations| {
            self.solver(HalfOptions { size, iterations, tolerance: never, ..HalfOptions::default() })
        });
        let [Some((mut short, mut goals, id)), Some((mut long, ..))] = runs else { return 0.0 };
        let mut least = vec![[f64::INFINITY; 2]; self.poses.len()];
        for _ in 0..REPEATS {
            for (wanted, least) in self.poses.iter().zip(&mut least) {
                goals.set_target(id, self.target(size, wanted));
                for (solver, least) in [&mut short, &mut long].into_iter().zip(least) {
                    let mut pose = Pose::rest(&self.skeleton);
                    let start = Instant::now();
                    solver.solve(&self.skeleton, &goals, &mut pose);
                    *least = least.min(start.elapsed().as_nanos() as f64);
                }
            }
        }
        let slopes: Vec<f64> = least.iter().map(|[a, b]| (b - a) / f64::from(RUNS.1 - RUNS.0)).collect();
        stats::mean(&slopes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_reach_the_poses_of_the_leg() {
        let leg = Leg::new(&sinew::rigs::by_name("humanoid").unwrap()).unwrap();
        for size in [JacobianSize::Half, JacobianSize::Full] {
            let (reached, iterations) = leg.solve(size);
            assert!(reached == 1.0, "{size:?} {reached}");
            // 4.56 and 4.57: the half Jacobian needs no more of them, which is what speaks for it.
            assert!((4.2..4.9).contains(&iterations), "{size:?} {iterations}");
        }
    }
}
