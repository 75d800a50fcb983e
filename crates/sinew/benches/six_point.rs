//! A frame of the whole body from six points and from three, with and without orientations, for each kind of limit,
//! and a thousand and ten thousand bodies a frame.
//!
//! All trackers move as a person does, with nothing out of reach (`tests/support/performance.rs`); how many hands
//! were met is printed, since what cannot be had takes longer than what can.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sinew::body::six_point::{Point, SixPoint, SixPointOptions, Trackers};
use sinew::crowd::{Crowd, available_threads};
use sinew::skeleton::humanoid::{HumanoidMap, Side};
use sinew::{Pose, Skeleton};

#[path = "../tests/support/performance.rs"]
mod performance;

use performance::{HEADSET_AND_HANDS, RATE, perform, rigs, seen};

/// How far apart in the performance two bodies of a crowd are, in frames.
const APART: usize = 37;

fn body(rig: &Skeleton, options: SixPointOptions) -> (SixPoint, Pose) {
    let body = SixPoint::new(rig, &HumanoidMap::find(rig), options).expect("the rig has a body");
    let pose = body.relaxed().clone();
    (body, pose)
}

/// The part of the hands that are met, in percent.
fn met(rig: &Skeleton, frames: &[Trackers]) -> f32 {
    let (mut body, mut pose) = body(rig, SixPointOptions::default());
    let mut reached = 0;
    for frame in frames {
        let report = body.solve(rig, frame, 1.0 / RATE, &mut pose);
        reached += Side::BOTH.into_iter().filter(|&side| report.arm(side).reached()).count();
    }
    50.0 * reached as f32 / frames.len() as f32
}

fn frames(c: &mut Criterion) {
    for (kind, rig) in rigs() {
        let performance = perform(&rig);
        for (name, points, oriented) in [
            ("six points", &Point::SIX[..], false),
            ("six points with orientations", &Point::SIX[..], true),
            ("three points", &HEADSET_AND_HANDS[..], false),
            ("three points with orientations", &HEADSET_AND_HANDS[..], true),
        ] {
            let frames = seen(&performance, points, oriented);
            eprintln!("{name}, {kind}: {:.1} % of the hands are met", met(&rig, &frames));
            timed(c, &format!("{name}, {kind}"), &rig, SixPointOptions::default(), &frames);
        }
    }
}

/// One body through a performance, round and round: all of it at once, since a frame takes more or less by what is done.
fn timed(c: &mut Criterion, name: &str, rig: &Skeleton, options: SixPointOptions, frames: &[Trackers]) {
    let (mut body, mut pose) = body(rig, options);
    let mut i = 0;
    c.bench_function(name, |b| {
        b.iter(|| {
            i = (i + 1) % frames.len();
            black_box(body.solve(rig, &frames[i], 1.0 / RATE, &mut pose))
        });
    });
}

fn paper(c: &mut Criterion) {
    for (kind, rig) in rigs().into_iter().filter(|(kind, _)| *kind == "splines") {
        let frames = seen(&perform(&rig), &Point::SIX, false);
        timed(
            c,
            &format!("six points by the paper's weights, {kind}"),
            &rig,
            SixPointOptions::paper(),
            &frames,
        );
    }
}

/// A thousand bodies that are each elsewhere in the performance.
fn crowds(c: &mut Criterion) {
    for (kind, rig) in rigs() {
        let performance = perform(&rig);
        for (name, points, oriented) in [
            ("six points", &Point::SIX[..], false),
            ("three points", &HEADSET_AND_HANDS[..], false),
            ("three points with orientations", &HEADSET_AND_HANDS[..], true),
        ] {
            let frames = seen(&performance, points, oriented);
            // Copies share what was measured of the rig.
            let mut crowd = vec![body(&rig, SixPointOptions::default()); 1000];
            let mut i = 0;
            let mut group = c.benchmark_group("a thousand bodies");
            group.sample_size(20);
            group.bench_function(format!("{name}, {kind}"), |b| {
                b.iter(|| {
                    i += 1;
                    for (k, (body, pose)) in crowd.iter_mut().enumerate() {
                        let frame = &frames[(i + APART * k) % frames.len()];
                        black_box(body.solve(&rig, frame, 1.0 / RATE, pose));
                    }
                });
            });
        }
    }
}

/// More bodies than any cache holds, on one thread and, with the feature `parallel`, on all.
fn large_crowds(c: &mut Criterion) {
    const COUNT: usize = 10_000;
    for (kind, rig) in rigs() {
        let frames = seen(&perform(&rig), &Point::SIX, false);
        let mut bodies = vec![body(&rig, SixPointOptions::default()); COUNT];
        let mut threads = vec![1, available_threads()];
        threads.dedup();
        for threads in threads {
            let mut crowd = Crowd::new((), threads);
            let mut i = 0;
            let mut group = c.benchmark_group("ten thousand bodies");
            group.sample_size(20).throughput(Throughput::Elements(COUNT as u64));
            group.bench_function(format!("six points, {kind}, threads: {threads}"), |b| {
                b.iter(|| {
                    i += 1;
                    crowd.run(&mut bodies, |(), k, (body, pose)| {
                        let frame = &frames[(i + APART * k) % frames.len()];
                        black_box(body.solve(&rig, frame, 1.0 / RATE, pose));
                    });
                });
            });
        }
    }
}

criterion_group!(benches, frames, paper, crowds, large_crowds);
criterion_main!(benches);
