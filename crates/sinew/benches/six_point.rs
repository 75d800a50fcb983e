//! A frame of the whole body from six points, as published and with what is added, and from three.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use sinew::body::six_point::{Point, SixPoint, SixPointOptions, Trackers};
use sinew::rigs::{SwingModel, humanoid};
use sinew::skeleton::humanoid::{HumanoidMap, Side};
use sinew::{ModelPose, Quat, Vec3};

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

/// A headset and two controllers, with the head's and the hands' orientations and without, for one body and for a
/// thousand that each do something else.
fn three_points(c: &mut Criterion) {
    let skeleton = humanoid(SwingModel::Spline);
    let map = HumanoidMap::find(&skeleton);
    let Ok(body) = SixPoint::new(&skeleton, &map, SixPointOptions::default()) else { return };
    let rest = ModelPose::rest(&skeleton);
    let three = [Point::Head, Point::Wrist(Side::Left), Point::Wrist(Side::Right)];
    let frame = |time: f32, oriented: bool| {
        let mut frame = Trackers::default();
        let turn = Quat::from_rotation_y(0.6 * time.sin());
        for (i, point) in three.into_iter().enumerate() {
            let Some(joint) = body.joint(point) else { continue };
            let wave = 0.15 * (2.0 * time + i as f32).sin();
            // Elbows bent, hands in front: within reach at every moment.
            let own = match i {
                0 => rest.position(joint) - Vec3::Y * (0.03 + 0.2 * (0.7 * time).sin().abs()),
                _ => Vec3::new(0.2 * (3.0 - 2.0 * i as f32), 1.1 + wave, 0.35),
            };
            // Hands point forwards, thumbs inwards, and sway by up to half a radian.
            let side = if i == 1 { 1.0 } else { -1.0 };
            let sway = Quat::from_rotation_x(0.5 * (1.3 * time + i as f32).sin());
            let own_turn = if i == 0 { Quat::IDENTITY } else { sway * Quat::from_rotation_y(-side * 1.4) };
            let at = turn * own + Vec3::new(0.4 * (0.9 * time).sin(), 0.0, 0.8 * (0.6 * time).cos());
            frame.set(point, Some(at), oriented.then(|| turn * own_turn * rest.rotation(joint)));
        }
        frame
    };
    for (name, oriented) in [("positions", false), ("with orientations", true)] {
        let frames: Vec<Trackers> = (0..2048).map(|i| frame(i as f32 / 90.0, oriented)).collect();
        let mut one = body.clone();
        let mut pose = body.relaxed().clone();
        let mut i = 0;
        c.bench_function(&format!("three points, {name}"), |b| {
            b.iter(|| {
                i = (i + 1) % frames.len();
                black_box(one.solve(&skeleton, &frames[i], 1.0 / 90.0, &mut pose))
            });
        });
        let mut crowd: Vec<_> = (0..1000).map(|_| (body.clone(), body.relaxed().clone())).collect();
        let mut i = 0;
        c.bench_function(&format!("three points, {name}, a thousand bodies"), |b| {
            b.iter(|| {
                i += 1;
                for (k, (body, pose)) in crowd.iter_mut().enumerate() {
                    black_box(body.solve(&skeleton, &frames[(i + 2 * k) % frames.len()], 1.0 / 90.0, pose));
                }
            });
        });
    }
}

criterion_group!(benches, six_point, three_points);
criterion_main!(benches);
