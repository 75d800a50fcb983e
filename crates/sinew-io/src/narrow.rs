//! From double to single precision.
//!
//! Files are read in `f64`, since a transform chain in `f32` would cost digits
//! that the file has; the engine that characters run on works in `f32`.
//!
//! Every match and every struct here is taken apart completely, so a new joint
//! kind, a new shape of limit or a new field does not compile until it is
//! thought of.

use glam::{DQuat, DVec3, Quat, Vec3};
use sinew::limit as to;
use sinew_f64::limit as from;

/// A vector in single precision.
pub fn vector(v: DVec3) -> Vec3 {
    v.as_vec3()
}

/// A rotation in single precision, unit again after rounding.
pub fn rotation(q: DQuat) -> Quat {
    q.as_quat().normalize()
}

/// A transform in single precision.
pub fn transform(t: sinew_f64::Transform) -> sinew::Transform {
    let sinew_f64::Transform { translation, rotation: turn } = t;
    sinew::Transform { translation: vector(translation), rotation: rotation(turn) }
}

/// A skeleton in single precision. Its joints keep their order, so a joint has
/// the same index in both.
///
/// Fails only where a number is beyond `f32`, which no body reaches.
///
/// ```
/// let skeleton = sinew_f64::rigs::chain(5, 0.2);
/// let narrowed = sinew_io::narrow::skeleton(&skeleton)?;
/// assert_eq!(narrowed.len(), skeleton.len());
/// # Ok::<(), sinew::skeleton::BuildError>(())
/// ```
pub fn skeleton(skeleton: &sinew_f64::Skeleton) -> Result<sinew::Skeleton, sinew::skeleton::BuildError> {
    let sinew_f64::SkeletonBuilder { name, joints } = skeleton.to_builder();
    sinew::SkeletonBuilder { name, joints: joints.into_iter().map(joint).collect() }.build()
}

/// A joint, on its way to a skeleton, in single precision.
pub fn joint(joint: sinew_f64::JointDef) -> sinew::JointDef {
    let sinew_f64::JointDef { name, parent, rest, kind: can, limit: may, tip, stiffness } = joint;
    sinew::JointDef {
        name,
        parent,
        rest: transform(rest),
        kind: kind(can),
        limit: limit(&may),
        tip: tip.map(vector),
        stiffness: stiffness as f32,
    }
}

/// A pose in single precision, of the skeleton that [`skeleton`] made from the
/// pose's own. Joints that only one of the two has stay at rest or fall away.
pub fn pose(skeleton: &sinew::Skeleton, pose: &sinew_f64::Pose) -> sinew::Pose {
    let mut narrowed = sinew::Pose::rest(skeleton);
    for (id, (&turn, &shift)) in skeleton.ids().zip(pose.rotations().iter().zip(pose.translations())) {
        narrowed.set_rotation(id, rotation(turn));
        narrowed.set_translation(id, vector(shift));
    }
    narrowed
}

/// A joint kind in single precision.
pub fn kind(kind: sinew_f64::JointKind) -> sinew::JointKind {
    use sinew::JointKind as To;
    use sinew_f64::JointKind as From;
    match kind {
        From::Fixed => To::Fixed,
        From::Hinge { axis } => To::Hinge { axis: vector(axis) },
        From::Universal { first, second } => To::Universal { first: vector(first), second: vector(second) },
        From::Ball => To::Ball,
        From::Prismatic { axis } => To::Prismatic { axis: vector(axis) },
        From::Free => To::Free,
    }
}

/// A limit in single precision.
pub fn limit(limit: &sinew_f64::JointLimit) -> sinew::JointLimit {
    let sinew_f64::JointLimit { shape, soft_zone } = limit;
    sinew::JointLimit { shape: limit_shape(shape), soft_zone: *soft_zone as f32 }
}

fn limit_shape(shape: &from::LimitShape) -> to::LimitShape {
    match shape {
        from::LimitShape::None => to::LimitShape::None,
        from::LimitShape::Hinge(limit) => {
            let from::HingeLimit { axis, range: allowed } = *limit;
            to::LimitShape::Hinge(to::HingeLimit { axis: vector(axis), range: range(allowed) })
        }
        from::LimitShape::Universal(limit) => {
            let from::UniversalLimit { axes, ranges } = *limit;
            to::LimitShape::Universal(to::UniversalLimit {
                axes: axes.map(vector),
                ranges: ranges.map(range),
            })
        }
        from::LimitShape::Euler(limit) => {
            let from::EulerLimit { frame, order, ranges } = *limit;
            to::LimitShape::Euler(to::EulerLimit {
                frame: rotation(frame),
                order: euler_order(order),
                ranges: ranges.map(range),
            })
        }
        from::LimitShape::SwingTwist(limit) => {
            let from::SwingTwistLimit { frame, rest, swing: region, twist } = limit;
            to::LimitShape::SwingTwist(to::SwingTwistLimit {
                frame: rotation(*frame),
                rest: rotation(*rest),
                swing: swing(region),
                twist: twist.map(range),
            })
        }
        from::LimitShape::Prismatic(limit) => {
            let from::PrismaticLimit { axis, min, max } = *limit;
            to::LimitShape::Prismatic(to::PrismaticLimit {
                axis: vector(axis),
                min: min as f32,
                max: max as f32,
            })
        }
    }
}

fn range(range: from::AngleRange) -> to::AngleRange {
    let from::AngleRange { min, max } = range;
    to::AngleRange { min: min as f32, max: max as f32 }
}

fn euler_order(order: from::EulerOrder) -> to::EulerOrder {
    match order {
        from::EulerOrder::Xyz => to::EulerOrder::Xyz,
        from::EulerOrder::Xzy => to::EulerOrder::Xzy,
        from::EulerOrder::Yxz => to::EulerOrder::Yxz,
        from::EulerOrder::Yzx => to::EulerOrder::Yzx,
        from::EulerOrder::Zxy => to::EulerOrder::Zxy,
        from::EulerOrder::Zyx => to::EulerOrder::Zyx,
    }
}

fn swing(shape: &from::SwingShape) -> to::SwingShape {
    match shape {
        from::SwingShape::Free => to::SwingShape::Free,
        from::SwingShape::Cone(from::Cone { radius }) => {
            to::SwingShape::Cone(to::Cone { radius: *radius as f32 })
        }
        from::SwingShape::Ellipse(from::SwingEllipse { x, y }) => {
            to::SwingShape::Ellipse(to::SwingEllipse { x: *x as f32, y: *y as f32 })
        }
        from::SwingShape::Polygon(polygon) => {
            to::SwingShape::Polygon(to::SphericalPolygon::new(polygon.vertices().iter().map(|&v| vector(v))))
        }
        from::SwingShape::Spline(spline) => {
            let knot = |&from::SplineKnot { circumduction, amplitude }| to::SplineKnot {
                circumduction: circumduction as f32,
                amplitude: amplitude as f32,
            };
            to::SwingShape::Spline(to::SwingSpline::from_knots(spline.knots().iter().map(knot).collect()))
        }
        from::SwingShape::Kusudama(kusudama) => {
            let cone = |&from::KusudamaCone { axis, radius, tangent }| to::KusudamaCone {
                axis: vector(axis),
                radius: radius as f32,
                tangent: tangent.map(|tangent| tangent as f32),
            };
            to::SwingShape::Kusudama(to::Kusudama::from_cones(kusudama.cones().iter().map(cone).collect()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
}
