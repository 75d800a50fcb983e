//! The general solvers: every `SolverSpec` on an arm of seven hinges with one
//! pose to reach, a chain of twenty balls with one point, and the humanoid with
//! six poses. Beside the whole solve stand its stages: forward kinematics, and a
//! solve that is ended by its clock after no iteration (checks, measurement and
//! diagnosis) and after one (the rows of the Jacobian, and the step).
//!
//! `cargo bench -p sinew --bench solvers -- humanoid/robust`
#![allow(clippy::unwrap_used, missing_docs)]

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use sinew::{Goal, GoalSet, JointId, ModelPose, Pose, Skeleton, SolverSpec, Target, rigs};

#[path = "../tests/support/numbers.rs"]
mod numbers;

use numbers::Numbers;

/// How many problems of each sort: enough that none is a special case.
const COUNT: usize = 32;

/// A rig, what should be where, and where each solve starts.
struct Problem {
    name: &'static str,
    skeleton: Skeleton,
    goals: GoalSet,
    targets: Vec<Vec<Target>>,
    start: Pose,
}

impl Problem {
    /// Targets that poses within the limits reach.
    fn new(name: &'static str, rig: &str, effectors: &[&str], oriented: bool) -> Self {
        let skeleton = rigs::by_name(rig).unwrap();
        let effectors: Vec<JointId> = effectors.iter().map(|name| skeleton.find(name).unwrap()).collect();
        let mut numbers = Numbers::new(1);
        let mut targets = || -> Vec<Target> {
            let model = ModelPose::new(&skeleton, &numbers.pose(&skeleton, 0.6));
            let target = |&j: &JointId| match oriented {
                true => Target::Pose(model.transform(j)),
                false => Target::Position(model.position(j)),
            };
            effectors.iter().map(target).collect()
        };
        let targets: Vec<Vec<Target>> = (0..COUNT).map(|_| targets()).collect();
        let goals = effectors
            .iter()
            .zip(&targets[0])
            .map(|(&joint, &target)| Goal::new(sinew::Effector::at(joint), target))
            .collect();
        let start = numbers.pose(&skeleton, 0.1);
        Self { name, skeleton, goals, targets, start }
    }

    fn all() -> [Self; 3] {
        let six = ["sacroiliac", "skullbase", "l_wrist", "r_wrist", "l_ankle", "r_ankle"];
        [
            Self::new("arm of 7", "arm", &["flange"], true),
            Self::new("chain of 20", "chain:20", &["tip"], false),
            Self::new("humanoid, six poses", "humanoid", &six, true),
        ]
    }

    /// Times solves that end after so many iterations, if a number is given.
    fn bench(&self, c: &mut Criterion, group: &str, spec: SolverSpec, iterations: Option<u32>) {
        let mut goals = self.goals.clone();
        let ids: Vec<_> = goals.iter().map(|(id, _)| id).collect();
        let mut solver = spec.build(&self.skeleton, &goals).unwrap();
        let mut pose = self.start.clone();
        let mut group = c.benchmark_group(format!("{}, {group}", self.name));
        group.throughput(Throughput::Elements(COUNT as u64));
        group.bench_function(BenchmarkId::from_parameter(spec.name()), |b| {
            b.iter(|| {
                for targets in &self.targets {
                    for (&id, &target) in ids.iter().zip(targets) {
                        goals.set_target(id, target);
                    }
                    pose.copy_from(&self.start);
                    let mut asked = 0;
                    let mut expired = || {
                        asked += 1;
                        iterations.is_some_and(|most| asked > most)
                    };
                    solver.solve_until(&self.skeleton, &goals, &mut pose, &mut expired);
                }
                black_box(&pose);
            });
        });
        group.finish();
    }
}

fn whole(c: &mut Criterion) {
    for problem in Problem::all() {
        for spec in SolverSpec::all() {
            problem.bench(c, "whole solve", spec, None);
        }
    }
}

fn stages(c: &mut Criterion) {
    for problem in Problem::all() {
        let mut model = ModelPose::rest(&problem.skeleton);
        let mut group = c.benchmark_group(format!("{}, forward kinematics", problem.name));
        group.throughput(Throughput::Elements(problem.skeleton.len() as u64));
        group.bench_function("per joint", |b| {
            b.iter(|| model.update(black_box(&problem.skeleton), black_box(&problem.start)));
        });
        group.finish();
        for spec in SolverSpec::all() {
            problem.bench(c, "no iteration", spec, Some(0));
            problem.bench(c, "one iteration", spec, Some(1));
        }
    }
}

/// Samples are few because the slowest solvers take milliseconds.
fn quick() -> Criterion {
    Criterion::default()
        .sample_size(10)
        .warm_up_time(std::time::Duration::from_millis(200))
        .measurement_time(std::time::Duration::from_millis(800))
}

criterion_group! { name = benches; config = quick(); targets = whole, stages }
criterion_main!(benches);
