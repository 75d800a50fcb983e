//! How long each shape of limit takes to project a rotation that is inside and
//! one that is outside, and to soften. EWBIK asks thousands of times a frame.
#![allow(clippy::unwrap_used, missing_docs)]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use sinew::limit::*;
use sinew::math::{Quat, Vec3, rotation};
use sinew::{JointKind, JointLimit};

fn limits() -> Vec<(&'static str, JointKind, JointLimit)> {
    let v = Vec3::new;
    let ball = |name, swing: SwingShape| {
        let limit = SwingTwistLimit::along(v(0.36, 0.48, -0.8), Vec3::X).swing(swing);
        (name, JointKind::Ball, JointLimit::from(limit))
    };
    let ring = (0..8).map(|i| {
        let (s, c) = (i as sinew::Real * 0.785).sin_cos();
        v(0.8 * c, 0.6 * s, 1.0)
    });
    let axis = Vec3::Y;
    let ranges = [AngleRange::new(-0.6, 0.9), AngleRange::new(-0.4, 0.7), AngleRange::new(-0.3, 1.1)];
    let cone = SwingTwistLimit::along(v(0.36, 0.48, -0.8), Vec3::X).swing(Cone::new(0.8)).twist(-0.5, 0.5);
    let universal = JointKind::Universal { first: Vec3::X, second: Vec3::Y };
    vec![
        ("hinge", JointKind::Hinge { axis }, JointLimit::hinge(axis, -0.4, 1.9)),
        ("universal", universal, UniversalLimit::new([Vec3::X, Vec3::Y], ranges[0], ranges[1]).into()),
        ("euler", JointKind::Ball, EulerLimit::new(EulerOrder::Zxy, ranges).into()),
        ball("cone", Cone::new(0.8).into()),
        ("cone and twist", JointKind::Ball, cone.into()),
        ball("ellipse", SwingEllipse::new(1.2, 0.5).into()),
        ball("polygon of 8", SphericalPolygon::new(ring).into()),
        ball(
            "spline of 6",
            SwingSpline::new((0..6).map(|i| (i as sinew::Real, 0.6 + 0.1 * (i % 3) as sinew::Real))).into(),
        ),
        ball("kusudama of 1", Kusudama::new([(v(0.0, 0.2, 1.0), 0.5)]).into()),
        ball(
            "kusudama of 4",
            Kusudama::new([
                (v(0.0, 0.2, 1.0), 0.5),
                (v(1.0, 0.3, 0.4), 0.3),
                (v(0.4, 1.0, 0.3), 0.4),
                (v(-0.6, 0.6, 0.5), 0.2),
            ])
            .into(),
        ),
    ]
}

/// A thousand rotations of which all are inside, or all outside.
fn rotations(kind: JointKind, limit: &JointLimit, inside: bool) -> Vec<Quat> {
    let some = |i: usize| {
        let t = i as sinew::Real;
        rotation::exp(Vec3::new((t * 0.7).sin(), (t * 1.3).cos(), (t * 0.31).sin()) * 2.2)
    };
    let all = (0..).map(some).map(|q| to_kind(kind, q));
    all.map(|q| if inside { limit.project_inset(q, 0.05).unwrap_or(q) } else { q })
        .filter(|&q| (limit.violation(q) == 0.0) == inside)
        .take(1000)
        .collect()
}

/// Each figure is for a thousand rotations: microseconds there are nanoseconds each.
fn project(c: &mut Criterion) {
    for (name, kind, limit) in limits() {
        let limit = limit.checked(kind).unwrap();
        let soft = limit.clone().soft(0.1);
        let mut group = c.benchmark_group(name);
        group.sample_size(30);
        let (inside, outside) = (rotations(kind, &limit, true), rotations(kind, &limit, false));
        // What a solver's step leaves: a few degrees from the edge.
        let just_outside: Vec<Quat> = outside
            .iter()
            .map(|&q| limit.project(q))
            .zip(&outside)
            .map(|(p, q)| {
                (p * rotation::exp(rotation::log(p.conjugate() * *q).clamp_length_max(0.05))).normalize()
            })
            .map(|q| to_kind(kind, q))
            .collect();
        for (place, list) in [("inside", &inside), ("just outside", &just_outside), ("outside", &outside)] {
            group.bench_function(format!("project a thousand {place}"), |b| {
                b.iter(|| list.iter().fold(0.0, |sum, &q| sum + black_box(&limit).project(black_box(q)).w))
            });
        }
        group.bench_function("soften a thousand", |b| {
            b.iter(|| just_outside.iter().fold(0.0, |sum, &q| sum + black_box(&soft).soften(black_box(q)).w))
        });
        group.finish();
    }
}

criterion_group!(benches, project);
criterion_main!(benches);
