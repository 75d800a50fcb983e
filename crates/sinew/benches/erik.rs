//! How long ERIK takes a sample: the paper's robots C and G over random
//! postures and targets, as published and with what is past the paper.
#![allow(clippy::unwrap_used, missing_docs)]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sinew::rigs::{self, ErikRobot};
use sinew::solver::erik::{Erik, ErikOptions};
use sinew::{Goal, Pose, Quat, Real, Target};

#[path = "../tests/support/numbers.rs"]
mod numbers;

use numbers::Numbers;

fn samples(c: &mut Criterion) {
    const COUNT: usize = 500;
    let mut group = c.benchmark_group("erik");
    group.throughput(Throughput::Elements(COUNT as u64));
    for robot in [ErikRobot::C, ErikRobot::G] {
        let skeleton = rigs::erik(robot);
        let end = [Goal::orientation(skeleton.find("endpoint").unwrap(), Quat::IDENTITY)];
        let mut numbers = Numbers::new(1);
        let given: Vec<(Pose, Quat)> = (0..COUNT)
            .map(|_| {
                let count = robot.axes().len();
                let mut angles = vec![0.0; count];
                angles[1..count - 1].iter_mut().for_each(|a| *a = numbers.within(robot.range()));
                let mut posture = Pose::rest(&skeleton);
                posture.set_coordinates(&skeleton, &angles).unwrap();
                let mut angle = || numbers.within(std::f64::consts::PI as Real);
                let turn = Quat::from_rotation_y(angle())
                    * Quat::from_rotation_x(angle())
                    * Quat::from_rotation_z(angle());
                (posture, turn)
            })
            .collect();
        for (name, options) in [("published", ErikOptions::published()), ("refined", ErikOptions::default())]
        {
            let mut erik = Erik::new(&skeleton, &end, options).unwrap();
            let mut pose = Pose::rest(&skeleton);
            group.bench_function(format!("{robot:?} {name}, {COUNT} samples"), |b| {
                b.iter(|| {
                    for (posture, turn) in &given {
                        erik.solve(&skeleton, posture, &[Target::Orientation(*turn)], &mut pose);
                    }
                    black_box(&pose);
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, samples);
criterion_main!(benches);
