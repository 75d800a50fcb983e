//! A frame of the whole body from six points: as published, and with what is added.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use sinew::body::six_point::{Point, SixPoint, SixPointOptions, Trackers};
use sinew::rigs::{SwingModel, humanoid};
use sinew::skeleton::humanoid::{HumanoidMap, Side};
use sinew::{ModelPose, Vec3};

fn six_point(c: &mut Criterion) {
    let skeleton = humanoid(SwingModel::Spline);
    let map = HumanoidMap::find(&skeleton);
    for (name, options) in [("published", SixPointOptions::paper()), ("default", SixPointOptions::default())]
    {
        let Ok(mut body) = SixPoint::new(&skeleton, &map, options) else { continue };
        let rest = ModelPose::rest(&skeleton);
        let standing = body.points_of(&rest);
        let frames: Vec<Trackers> = (0..256)
            .map(|i| {
                let (s, c) = (i as f32 * 0.05).sin_cos();
                let mut frame = standing;
                let mut shift = |point: Point, by: Vec3| {
                    if let Some(p) = frame.position(point) {
                        frame = frame.with(point, p + by);
                    }
                };
                shift(Point::Pelvis, Vec3::new(0.0, -0.06, 0.02 * s));
                shift(Point::Head, Vec3::new(0.03 * s, -0.1, 0.08));
                shift(Point::Wrist(Side::Left), Vec3::new(-0.1, -0.1 + 0.2 * s, 0.3));
                shift(Point::Wrist(Side::Right), Vec3::new(0.1, -0.1 + 0.2 * c, 0.3));
                shift(Point::Ankle(Side::Left), Vec3::new(0.0, 0.05, 0.15 * s));
                shift(Point::Ankle(Side::Right), Vec3::new(0.0, 0.05, -0.15 * s));
                frame
            })
            .collect();
        let mut pose = body.relaxed().clone();
        let mut i = 0;
        c.bench_function(&format!("six points, {name}"), |b| {
            b.iter(|| {
                i = (i + 1) % frames.len();
                black_box(body.solve(&skeleton, &frames[i], 1.0 / 120.0, &mut pose))
            });
        });
    }
}

criterion_group!(benches, six_point);
criterion_main!(benches);
