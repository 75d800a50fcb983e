//! The engine's types from one precision to the other, written once for both ways.
//!
//! Every match and every struct here is taken apart completely, so a new joint
//! kind, a new shape of limit or a new field does not compile until it is
//! thought of.

pub mod narrow;
pub mod widen;

/// The functions of [`narrow`](crate::narrow) or of [`widen`](crate::widen).
macro_rules! conversions {
    (
        $from:ident => $to:ident, $real:ident,
        $from_vector:ident => $vector:ident by $as_vector:ident,
        $from_quat:ident => $quat:ident by $as_quat:ident
    ) => {
        /// A vector.
        pub fn vector(v: $from_vector) -> $vector {
            v.$as_vector()
        }

        /// A rotation, unit again after rounding.
        pub fn rotation(q: $from_quat) -> $quat {
            q.$as_quat().normalize()
        }

        /// A transform.
        pub fn transform(t: $from::Transform) -> $to::Transform {
            let $from::Transform { translation, rotation: turn } = t;
            $to::Transform { translation: vector(translation), rotation: rotation(turn) }
        }

        /// A skeleton. Its joints keep their order, so a joint has the same index in both.
        ///
        /// Fails only where a number is beyond the precision, which no body reaches.
        pub fn skeleton(skeleton: &$from::Skeleton) -> Result<$to::Skeleton, $to::skeleton::BuildError> {
            let $from::SkeletonBuilder { name, joints } = skeleton.to_builder();
            $to::SkeletonBuilder { name, joints: joints.into_iter().map(joint).collect() }.build()
        }

        /// A joint, on its way to a skeleton,.
        pub fn joint(joint: $from::JointDef) -> $to::JointDef {
            let $from::JointDef { name, parent, rest, kind: can, limit: may, tip, stiffness } = joint;
            $to::JointDef {
                name,
                parent,
                rest: transform(rest),
                kind: kind(can),
                limit: limit(&may),
                tip: tip.map(vector),
                stiffness: stiffness as $real,
            }
        }

        /// A pose, of the skeleton that [`skeleton`] made from the
        /// pose's own. Joints that only one of the two has stay at rest or fall away.
        pub fn pose(skeleton: &$to::Skeleton, pose: &$from::Pose) -> $to::Pose {
            let mut narrowed = $to::Pose::rest(skeleton);
            for (id, (&turn, &shift)) in skeleton.ids().zip(pose.rotations().iter().zip(pose.translations()))
            {
                narrowed.set_rotation(id, rotation(turn));
                narrowed.set_translation(id, vector(shift));
            }
            narrowed
        }

        /// A joint kind.
        pub fn kind(kind: $from::JointKind) -> $to::JointKind {
            use $from::JointKind as From;
            use $to::JointKind as To;
            match kind {
                From::Fixed => To::Fixed,
                From::Hinge { axis } => To::Hinge { axis: vector(axis) },
                From::Universal { first, second } => {
                    To::Universal { first: vector(first), second: vector(second) }
                }
                From::Ball => To::Ball,
                From::Prismatic { axis } => To::Prismatic { axis: vector(axis) },
                From::Free => To::Free,
            }
        }

        /// A limit.
        pub fn limit(limit: &$from::JointLimit) -> $to::JointLimit {
            let $from::JointLimit { shape, soft_zone } = limit;
            $to::JointLimit { shape: limit_shape(shape), soft_zone: *soft_zone as $real }
        }

        fn limit_shape(shape: &$from::limit::LimitShape) -> $to::limit::LimitShape {
            match shape {
                $from::limit::LimitShape::None => $to::limit::LimitShape::None,
                $from::limit::LimitShape::Hinge(limit) => {
                    let $from::limit::HingeLimit { axis, range: allowed } = *limit;
                    $to::limit::LimitShape::Hinge($to::limit::HingeLimit {
                        axis: vector(axis),
                        range: range(allowed),
                    })
                }
                $from::limit::LimitShape::Universal(limit) => {
                    let $from::limit::UniversalLimit { axes, ranges } = *limit;
                    $to::limit::LimitShape::Universal($to::limit::UniversalLimit {
                        axes: axes.map(vector),
                        ranges: ranges.map(range),
                    })
                }
                $from::limit::LimitShape::Euler(limit) => {
                    let $from::limit::EulerLimit { frame, order, ranges } = *limit;
                    $to::limit::LimitShape::Euler($to::limit::EulerLimit {
                        frame: rotation(frame),
                        order: euler_order(order),
                        ranges: ranges.map(range),
                    })
                }
                $from::limit::LimitShape::SwingTwist(limit) => {
                    let $from::limit::SwingTwistLimit { frame, rest, swing: region, twist } = limit;
                    $to::limit::LimitShape::SwingTwist($to::limit::SwingTwistLimit {
                        frame: rotation(*frame),
                        rest: rotation(*rest),
                        swing: swing(region),
                        twist: twist.map(range),
                    })
                }
                $from::limit::LimitShape::Prismatic(limit) => {
                    let $from::limit::PrismaticLimit { axis, min, max } = *limit;
                    $to::limit::LimitShape::Prismatic($to::limit::PrismaticLimit {
                        axis: vector(axis),
                        min: min as $real,
                        max: max as $real,
                    })
                }
            }
        }

        fn range(range: $from::limit::AngleRange) -> $to::limit::AngleRange {
            let $from::limit::AngleRange { min, max } = range;
            $to::limit::AngleRange { min: min as $real, max: max as $real }
        }

        fn euler_order(order: $from::limit::EulerOrder) -> $to::limit::EulerOrder {
            match order {
                $from::limit::EulerOrder::Xyz => $to::limit::EulerOrder::Xyz,
                $from::limit::EulerOrder::Xzy => $to::limit::EulerOrder::Xzy,
                $from::limit::EulerOrder::Yxz => $to::limit::EulerOrder::Yxz,
                $from::limit::EulerOrder::Yzx => $to::limit::EulerOrder::Yzx,
                $from::limit::EulerOrder::Zxy => $to::limit::EulerOrder::Zxy,
                $from::limit::EulerOrder::Zyx => $to::limit::EulerOrder::Zyx,
            }
        }

        fn swing(shape: &$from::limit::SwingShape) -> $to::limit::SwingShape {
            match shape {
                $from::limit::SwingShape::Free => $to::limit::SwingShape::Free,
                $from::limit::SwingShape::Cone($from::limit::Cone { radius }) => {
                    $to::limit::SwingShape::Cone($to::limit::Cone { radius: *radius as $real })
                }
                $from::limit::SwingShape::Ellipse($from::limit::SwingEllipse { x, y }) => {
                    $to::limit::SwingShape::Ellipse($to::limit::SwingEllipse {
                        x: *x as $real,
                        y: *y as $real,
                    })
                }
                $from::limit::SwingShape::Polygon(polygon) => $to::limit::SwingShape::Polygon(
                    $to::limit::SphericalPolygon::new(polygon.vertices().iter().map(|&v| vector(v))),
                ),
                $from::limit::SwingShape::Spline(spline) => {
                    let knot =
                        |&$from::limit::SplineKnot { circumduction, amplitude }| $to::limit::SplineKnot {
                            circumduction: circumduction as $real,
                            amplitude: amplitude as $real,
                        };
                    $to::limit::SwingShape::Spline($to::limit::SwingSpline::from_knots(
                        spline.knots().iter().map(knot).collect(),
                    ))
                }
                $from::limit::SwingShape::Kusudama(kusudama) => {
                    let cone =
                        |&$from::limit::KusudamaCone { axis, radius, tangent }| $to::limit::KusudamaCone {
                            axis: vector(axis),
                            radius: radius as $real,
                            tangent: tangent.map(|tangent| tangent as $real),
                        };
                    $to::limit::SwingShape::Kusudama($to::limit::Kusudama::from_cones(
                        kusudama.cones().iter().map(cone).collect(),
                    ))
                }
            }
        }

        /// A joint's id, which is its place in both skeletons; `None` if the skeleton is smaller.
        pub fn id(skeleton: &$to::Skeleton, joint: $from::JointId) -> Option<$to::JointId> {
            skeleton.id(joint.index())
        }

        /// A goal on the skeleton that [`skeleton`] made; `None` if its joint is not in it.
        pub fn goal(skeleton: &$to::Skeleton, goal: &$from::Goal) -> Option<$to::Goal> {
            let $from::Goal {
                effector: $from::Effector { joint, offset },
                target: wanted,
                position_weight,
                orientation_weight,
                position_axes,
                orientation_axes,
                influence,
                enabled,
                priority,
                relative_to,
            } = *goal;
            Some($to::Goal {
                effector: $to::Effector { joint: id(skeleton, joint)?, offset: transform(offset) },
                target: target(wanted),
                position_weight: position_weight as $real,
                orientation_weight: orientation_weight as $real,
                position_axes: vector(position_axes),
                orientation_axes: vector(orientation_axes),
                influence: influence as $real,
                enabled,
                priority,
                relative_to: match relative_to {
                    Some(joint) => Some(id(skeleton, joint)?),
                    None => None,
                },
            })
        }

        /// A mass and its centre.
        pub fn mass(mass: &$from::goal::PointMass) -> $to::goal::PointMass {
            $to::goal::PointMass { mass: mass.mass as $real, centre: vector(mass.centre) }
        }

        /// A target.
        pub fn target(target: $from::Target) -> $to::Target {
            match target {
                $from::Target::Position(p) => $to::Target::Position(vector(p)),
                $from::Target::Orientation(q) => $to::Target::Orientation(rotation(q)),
                $from::Target::Pose(t) => $to::Target::Pose(transform(t)),
                $from::Target::Aim { axis, at } => $to::Target::Aim { axis: vector(axis), at: vector(at) },
                $from::Target::Contact { axis, at, normal } => {
                    let [axis, at, normal] = [axis, at, normal].map(vector);
                    $to::Target::Contact { axis, at, normal }
                }
            }
        }
    };
}

pub(crate) use conversions;
