//! Forward kinematics: time per joint for skeletons of several sizes, whole and
//! in part. The project promises at most 12 ns a joint for the humanoid of 34.
//!
//! `cargo bench -p sinew --bench forward_kinematics`

#![allow(missing_docs, clippy::print_stdout)] // criterion's macro makes a public function

use std::hint::black_box;
use std::time::Instant;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use sinew::math::rotation;
use sinew::rigs::{self, SwingModel};
use sinew::{ModelPose, Pose, Real, Skeleton, Vec3};

/// A pose with every joint turned, so that no rotation is trivial.
fn bent(skeleton: &Skeleton) -> Pose {
    let mut pose = Pose::rest(skeleton);
    for (i, joint) in skeleton.ids().enumerate() {
        let t = i as Real;
        pose.set_rotation(joint, rotation::exp(Vec3::new(t.sin(), (t * 1.7).cos(), (t * 0.3).sin()) * 0.4));
    }
    pose
}

fn whole_skeletons(c: &mut Criterion) {
    let mut group = c.benchmark_group("forward kinematics");
    for (name, skeleton) in [
        ("arm, 7 hinges", rigs::arm()),
        ("humanoid", rigs::humanoid(SwingModel::Ellipse)),
        ("humanoid with hands", rigs::humanoid_with_hands(SwingModel::Ellipse)),
        ("chain of 1000", rigs::chain(999, 10.0)),
    ] {
        let pose = bent(&skeleton);
        let mut model = ModelPose::rest(&skeleton);
        group.throughput(Throughput::Elements(skeleton.len() as u64));
        group.bench_function(BenchmarkId::new(name, skeleton.len()), |b| {
            b.iter(|| {
                model.update(black_box(&skeleton), black_box(&pose));
                black_box(&model);
            });
        });
    }
    group.finish();
}

/// What one moved joint costs: nothing but what hangs on it.
fn partial_updates(c: &mut Criterion) {
    let skeleton = rigs::humanoid(SwingModel::Ellipse);
    let pose = bent(&skeleton);
    let mut group = c.benchmark_group("update below one joint of the humanoid");
    for name in ["HumanoidRoot", "vt1", "l_shoulder", "l_wrist", "l_metatarsal"] {
        let Some(joint) = skeleton.find(name) else { continue };
        let mut model = ModelPose::new(&skeleton, &pose);
        group.throughput(Throughput::Elements(skeleton.subtree(joint).len() as u64));
        group.bench_function(BenchmarkId::new(name, skeleton.subtree(joint).len()), |b| {
            b.iter(|| {
                model.update_below(black_box(&skeleton), black_box(&pose), black_box(joint));
                black_box(&model);
            });
        });
    }
    group.finish();
}

/// The least time per joint over many short batches. A busy machine stretches
/// criterion's means but not this: some batches run undisturbed.
fn undisturbed(_: &mut Criterion) {
    let skeleton = rigs::humanoid(SwingModel::Ellipse);
    let pose = bent(&skeleton);
    let mut model = ModelPose::rest(&skeleton);
    let mut batch = || {
        let start = Instant::now();
        for _ in 0..64 {
            model.update(black_box(&skeleton), black_box(&pose));
            black_box(&model);
        }
        start.elapsed()
    };
    let least = (0..20_000).map(|_| batch()).min().unwrap_or_default();
    let per_joint = least.as_secs_f64() * 1e9 / (64 * skeleton.len()) as f64;
    println!("humanoid of {} joints, undisturbed: {per_joint:.2} ns a joint (at most 12)", skeleton.len());
}

criterion_group!(benches, whole_skeletons, partial_updates, undisturbed);
criterion_main!(benches);
