//! From double to single precision; [`widen`](crate::widen) goes the other way.
//!
//! Files are read in `f64`, since a transform chain in `f32` would cost digits
//! that the file has; the engine that characters run on works in `f32`.
//! [`single`](crate::single) reads files for it straight away.
//!
//! ```
//! let skeleton = sinew_f64::rigs::chain(5, 0.2);
//! let narrowed = sinew_io::narrow::skeleton(&skeleton)?;
//! assert_eq!(narrowed.len(), skeleton.len());
//! # Ok::<(), sinew::skeleton::BuildError>(())
//! ```

use glam::{DQuat, DVec3, Quat, Vec3};

crate::precision::conversions!(sinew_f64 => sinew, f32, DVec3 => Vec3 by as_vec3, DQuat => Quat by as_quat);

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_f64::limit as from;
    use sinew_f64::math::rotation::exp;
    use sinew_f64::{JointDef, JointKind, JointLimit, ModelPose, Pose, SkeletonBuilder};

    /// One joint of every kind with every limit that fits it.
    fn menagerie() -> sinew_f64::Skeleton {
        let range = from::AngleRange::new(-0.4, 0.9);
        let turned = exp(DVec3::new(0.3, -0.2, 0.5));
        let swing = |shape: from::SwingShape| -> JointLimit {
            let mut limit = from::SwingTwistLimit::along(DVec3::new(0.6, 0.8, 0.0), DVec3::Z);
            limit.swing = shape;
            limit.twist = Some(range);
            limit.rest = exp(DVec3::new(0.05, 0.02, 0.0));
            limit.into()
        };
        let corners = [(0.9, 0.1), (-0.2, 0.8), (-0.7, -0.6), (0.3, -0.9)];
        let corners = corners.map(|(x, y)| DVec3::new(x, y, 1.0).normalize());
        let knots = (0..6).map(|i| (f64::from(i) * 1.04, 0.6 + 0.2 * f64::from(i % 3)));
        let cones = [(DVec3::Z, 0.4), (DVec3::new(0.8, 0.1, 0.7), 0.3)];
        let universal = JointKind::Universal { first: DVec3::X, second: DVec3::Z };
        let euler = from::EulerLimit::new(from::EulerOrder::Zxy, [range; 3]).in_frame(turned);
        let joints: Vec<(JointKind, JointLimit)> = vec![
            (JointKind::Free, JointLimit::None),
            (JointKind::Fixed, JointLimit::None),
            (JointKind::Hinge { axis: DVec3::Y }, JointLimit::hinge(DVec3::Y, -0.4, 0.9).soft(0.1)),
            (universal, from::UniversalLimit::new([DVec3::X, DVec3::Z], range, range).into()),
            (JointKind::Prismatic { axis: DVec3::X }, JointLimit::prismatic(DVec3::X, -0.1, 0.2)),
            (JointKind::Ball, euler.into()),
            (JointKind::Ball, swing(from::SwingShape::Free)),
            (JointKind::Ball, swing(from::SwingShape::Cone(from::Cone::new(0.7)))),
            (JointKind::Ball, swing(from::SwingShape::Ellipse(from::SwingEllipse::new(0.5, 0.9)))),
            (JointKind::Ball, swing(from::SwingShape::Polygon(from::SphericalPolygon::new(corners)))),
            (JointKind::Ball, swing(from::SwingShape::Spline(from::SwingSpline::new(knots)))),
            (JointKind::Ball, swing(from::SwingShape::Kusudama(from::Kusudama::new(cones)))),
        ];
        let mut builder = SkeletonBuilder::new("menagerie");
        for (i, (kind, limit)) in joints.into_iter().enumerate() {
            let mut def = JointDef::new(format!("j{i}")).at(DVec3::new(0.1, 0.3, -0.2)).turned(turned);
            def = def.kind(kind).limit(limit).stiffness(0.25).tip(DVec3::Y);
            def.parent = i.checked_sub(1);
            builder.add(def);
        }
        builder.build().unwrap()
    }

    #[test]
    fn every_kind_and_limit_comes_through() {
        let wide = menagerie();
        let narrowed = skeleton(&wide).unwrap();
        assert_eq!(narrowed.name(), "menagerie");
        let close = |a: f64, b: f32| (a - f64::from(b)).abs() < 2e-5;
        for (a, b) in wide.joints().iter().zip(narrowed.joints()) {
            assert_eq!((a.name(), a.kind().name()), (b.name(), b.kind().name()));
            assert_eq!(a.limit().name(), b.limit().name());
            assert!(close(a.stiffness(), b.stiffness()) && close(a.limit().soft_zone, b.limit().soft_zone));
            assert_eq!(a.tip().map(vector), b.tip());
            // The same rotations are allowed, and the same ones are held.
            for i in 0..200 {
                let t = f64::from(i);
                let v = DVec3::new((t * 0.37).sin(), (t * 0.73).cos(), (t * 1.1).sin()) * 1.3;
                let (wanted, wanted_narrow) = (exp(v), rotation(exp(v)));
                let (held, held_narrow) = (a.project(wanted), b.project(wanted_narrow));
                let off = rotation(held).conjugate() * held_narrow;
                let apart = Vec3::new(off.x, off.y, off.z).length() * 2.0;
                assert!(apart < 2e-3, "{} {i}: {apart}", a.limit().name());
                let slid = a.project_translation(v);
                assert!((vector(slid) - b.project_translation(vector(v))).length() < 1e-5);
            }
        }
    }

    #[test]
    fn poses_stand_at_the_same_places() {
        let wide = menagerie();
        let narrowed = skeleton(&wide).unwrap();
        let mut posed = Pose::rest(&wide);
        for id in wide.ids() {
            let t = id.index() as f64;
            posed.set_rotation(id, exp(DVec3::new(t.sin(), t.cos(), 0.3)));
            posed.set_translation(id, DVec3::new(0.01 * t, 0.0, -0.02));
        }
        let posed_narrow = pose(&narrowed, &posed);
        let places = ModelPose::new(&wide, &posed);
        let places_narrow = sinew::ModelPose::new(&narrowed, &posed_narrow);
        for (a, b) in places.positions().iter().zip(places_narrow.positions()) {
            assert!((vector(*a) - *b).length() < 1e-5);
        }
    }

    #[test]
    fn what_was_narrowed_is_widened_to_the_same_joints() {
        let narrowed = skeleton(&menagerie()).unwrap();
        let wide = crate::widen::skeleton(&narrowed).unwrap();
        let again = skeleton(&wide).unwrap();
        for (a, b) in narrowed.joints().iter().zip(again.joints()) {
            assert_eq!(
                (a.name(), a.kind().name(), a.limit().name()),
                (b.name(), b.kind().name(), b.limit().name())
            );
            assert!((a.rest().translation - b.rest().translation).length() < 1e-6);
        }
        let goal_wide = sinew_f64::Goal::position(wide.id(3).unwrap(), DVec3::X).influence(0.5).priority(2);
        let narrow_goal = goal(&narrowed, &goal_wide).unwrap();
        assert_eq!(crate::widen::goal(&wide, &narrow_goal), Some(goal_wide));
    }
}
