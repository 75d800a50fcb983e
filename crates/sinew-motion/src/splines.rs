//! The limits of section 7 of the paper (Unzueta et al. 2008) for a recorded skeleton: a spline of
//! the greatest swing all round, and a range of twist.
//!
//! ASF files limit Euler angles. A spline is laid round the directions that the box of angles
//! lets the bone take, about their middle; the twist is what the box allows near that middle, as the
//! paper takes one range for all swings. A spline cannot have a corner, so the two differ
//! there. Other limits stay as they are.

use sinew::limit::{EulerLimit, LimitShape, SwingSpline, SwingTwistLimit};
use sinew::math::{Vec3, rotation};
use sinew::{JointKind, JointLimit, Skeleton};

/// Angles sampled on each axis of the box.
const SAMPLES: usize = 17;
/// Knots of a spline.
const KNOTS: usize = 12;
/// A spline has some width everywhere, in radians.
const LEAST: f32 = 0.05;
/// How near to the middle the twist is measured, in radians.
const NEAR: f32 = 0.35;

/// The skeleton with its boxes of Euler angles replaced.
pub fn with_splines(skeleton: &Skeleton) -> anyhow::Result<Skeleton> {
    let mut builder = skeleton.to_builder();
    for joint in skeleton.ids() {
        let LimitShape::Euler(limit) = &skeleton.joint(joint).limit().shape else { continue };
        if skeleton.joint(joint).kind() != JointKind::Ball {
            continue;
        }
        let child = skeleton.children(joint).map(|c| skeleton.joint(c).rest().translation);
        let bone = child.max_by(|a, b| a.length().total_cmp(&b.length())).unwrap_or(Vec3::Y);
        builder.joints[joint.index()].limit = fitted(limit, bone.normalize_or(Vec3::Y));
    }
    Ok(builder.build()?)
}

fn fitted(limit: &EulerLimit, bone: Vec3) -> JointLimit {
    let place = |axis: usize, i: usize| {
        let range = limit.ranges[axis];
        range.min + (range.max - range.min) * i as f32 / (SAMPLES - 1) as f32
    };
    let samples: Vec<_> = (0..SAMPLES * SAMPLES * SAMPLES)
        .map(|i| [i % SAMPLES, i / SAMPLES % SAMPLES, i / (SAMPLES * SAMPLES)])
        .map(|i| limit.to_quat([0, 1, 2].map(|axis| place(axis, i[axis]))))
        .collect();
    let middle = limit.to_quat(limit.ranges.map(|range| range.middle()));
    let right = bone.any_orthonormal_vector();
    let shape = SwingTwistLimit::centred(bone, (middle * bone).normalize(), right);
    let step = core::f32::consts::TAU / KNOTS as f32;
    let mut widest = [LEAST; KNOTS];
    let mut twist: Option<(f32, f32)> = None;
    for q in samples {
        let seen = shape.to_frame(q);
        let direction = seen * Vec3::Z;
        let swing = rotation::angle_between(direction, Vec3::Z);
        let sector = (direction.y.atan2(direction.x) / step).round().rem_euclid(KNOTS as f32) as usize;
        widest[sector % KNOTS] = widest[sector % KNOTS].max(swing.min(core::f32::consts::PI));
        if swing < NEAR {
            let angle = rotation::angle_about(Vec3::Z, seen);
            let (low, high) = twist.unwrap_or((angle, angle));
            twist = Some((low.min(angle), high.max(angle)));
        }
    }
    let knots = widest.iter().enumerate().map(|(i, &amplitude)| (step * i as f32, amplitude));
    let shape = shape.swing(SwingSpline::new(knots));
    let (low, high) = twist.unwrap_or((0.0, 0.0));
    shape.twist(low, high).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew::limit::{AngleRange, EulerOrder};

    #[test]
    fn a_spline_holds_what_the_box_held_and_little_more() {
        let ranges = [AngleRange::new(-0.4, 1.2), AngleRange::new(-0.5, 0.5), AngleRange::new(-0.8, 0.3)];
        let limit = EulerLimit::new(EulerOrder::Xyz, ranges);
        let spline = fitted(&limit, -Vec3::Y);
        for i in 0..1000 {
            let part = |k: i32| (i * k % 1000) as f32 / 999.0;
            let at = |axis: usize, p: f32| ranges[axis].min + (ranges[axis].max - ranges[axis].min) * p;
            let q = limit.to_quat([at(0, part(7)), at(1, part(13)), at(2, part(29))]);
            assert!(spline.violation(q) < 0.5, "{q} by {}", spline.violation(q));
        }
        // A swing well beyond the box, each way.
        for far in
            [rotation::about(Vec3::X, 1.8), rotation::about(Vec3::X, -1.2), rotation::about(Vec3::Z, 1.0)]
        {
            assert!(spline.violation(far) > 0.2, "{far}");
        }
    }
}
