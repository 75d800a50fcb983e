//! How long the closed forms take: two bones and a pole, an arm and a leg with
//! orientation, with the preferred swivel angle allowed and with one that a limit
//! forbids. Kallmann 2007, on a Pentium 4 of 3 GHz: 0.05 ms for a whole body
//! without search, 0.1 ms with the swivel search.
#![allow(clippy::unwrap_used, missing_docs)]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sinew::analytic::{Aim, AimOptions, Limb, Swivel, TwoBone, TwoBoneOptions};
use sinew::limit::to_kind;
use sinew::math::{Real, Vec3, rotation};
use sinew::rigs::{SwingModel, humanoid};
use sinew::skeleton::humanoid::{HumanoidMap, Side};
use sinew::{ModelPose, Pose, Skeleton, Target};

/// A thousand goals of each figure: microseconds there are nanoseconds each.
const COUNT: usize = 1000;

fn direction(i: usize) -> Vec3 {
    let t = i as Real;
    Vec3::new((t * 0.7).sin(), (t * 1.3).cos(), (t * 0.31).sin() + 0.01).normalize()
}

fn two_bone(c: &mut Criterion) {
    let end = Vec3::new(0.5165, -0.125, 0.0);
    let limb = TwoBone::new(Vec3::X * 0.3, end, Vec3::Z, &TwoBoneOptions::default()).unwrap();
    let targets: Vec<(Vec3, Vec3)> = (0..COUNT)
        .map(|i| (direction(i) * (0.06 + 0.48 * (i as Real / COUNT as Real)), direction(i * 7 + 3)))
        .collect();
    let mut group = c.benchmark_group("two bones (asked: 60 ns; ozz-animation 182 ns)");
    group.throughput(Throughput::Elements(COUNT as u64));
    group.bench_function("a thousand", |b| {
        b.iter(|| targets.iter().for_each(|(t, p)| _ = black_box(limb.solve(black_box(*t), *p))))
    });
    group.finish();
}

/// Goals that allowed poses reach: as they come, and apart by whether the neutral swivel is allowed.
fn goals(skeleton: &Skeleton, limb: &Limb) -> [Vec<Target>; 3] {
    let joints = limb.joints();
    let rest = ModelPose::rest(skeleton);
    let mut scratch = Pose::rest(skeleton);
    let mut lists = [Vec::new(), Vec::new(), Vec::new()];
    let mut i = 0;
    while lists.iter().any(|l| l.len() < COUNT) && i < 1_000_000 {
        let mut pose = Pose::rest(skeleton);
        for j in [joints.upper, joints.lower, joints.end] {
            let joint = skeleton.joint(j);
            let allowed = loop {
                i += 1;
                let q =
                    to_kind(joint.kind(), rotation::exp(direction(i) * (2.6 * (i as Real * 0.618).fract())));
                if joint.limit().violation(q) == 0.0 {
                    break q;
                }
            };
            pose.set_rotation(j, allowed);
        }
        let goal = Target::Pose(ModelPose::new(skeleton, &pose).transform(joints.end));
        let report = limb.solve(skeleton, &rest, &goal, Swivel::default(), &mut scratch);
        for list in [0, if report.swivel == 0.0 { 1 } else { 2 }] {
            if lists[list].len() < COUNT {
                lists[list].push(goal);
            }
        }
    }
    lists
}

fn limbs(c: &mut Criterion) {
    let skeleton = humanoid(SwingModel::Ellipse);
    let map = HumanoidMap::find(&skeleton);
    let rest = ModelPose::rest(&skeleton);
    for (name, limb) in [
        ("arm", Limb::arm(&skeleton, &map, Side::Right).unwrap()),
        ("leg", Limb::leg(&skeleton, &map, Side::Left).unwrap()),
    ] {
        let [all, free, clamped] = goals(&skeleton, &limb);
        let mut group =
            c.benchmark_group(format!("{name} with orientation (asked: 250 ns; paper: 50 µs a body)"));
        for (what, list) in
            [("as they come", &all), ("preferred swivel", &free), ("clamped by a limit", &clamped)]
        {
            group.throughput(Throughput::Elements(list.len() as u64));
            let mut pose = Pose::rest(&skeleton);
            group.bench_function(format!("a thousand, {what}"), |b| {
                b.iter(|| {
                    for goal in list {
                        black_box(limb.solve(
                            &skeleton,
                            &rest,
                            black_box(goal),
                            Swivel::default(),
                            &mut pose,
                        ));
                    }
                })
            });
        }
        group.finish();
    }
}

fn look(c: &mut Criterion) {
    let skeleton = humanoid(SwingModel::Ellipse);
    let joints = [("vc4", 1.0), ("skullbase", 2.0)].map(|(n, w)| (skeleton.find(n).unwrap(), w));
    let mut aim = Aim::new(&skeleton, &joints, Vec3::Z, Vec3::ZERO, &AimOptions::default()).unwrap();
    let rest = Pose::rest(&skeleton);
    let model = ModelPose::rest(&skeleton);
    c.bench_function("a look with neck and head", |b| {
        b.iter(|| {
            let mut pose = rest.clone();
            aim.solve(&skeleton, &model, black_box(Vec3::new(0.8, 1.9, 1.5)), 1.0, &mut pose)
        })
    });
}

criterion_group!(benches, two_bone, limbs, look);
criterion_main!(benches);
