//! The engine's limits as types of the page.
//!
//! A message holds the engine's own types, which know nothing of TypeScript.
//! These stand in for them where the page's types are generated, and a test
//! holds them to the same documents.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::wire::{Q, V3};

/// The allowed region.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum LimitShape {
    /// Anything goes.
    None,
    /// A range about one axis.
    Hinge {
        /// The axis, in the joint's rest frame.
        axis: V3,
        /// The range.
        range: Range,
    },
    /// Two ranges.
    Universal {
        /// The axes.
        axes: [V3; 2],
        /// The ranges.
        ranges: [Range; 2],
    },
    /// Three Euler angles.
    Euler {
        /// The frame that the angles are measured in.
        frame: Q,
        /// `xyz` and so on.
        order: String,
        /// The ranges, in that order.
        ranges: [Range; 3],
    },
    /// A region for the bone and a range for the turn about it.
    SwingTwist {
        /// Turns the limit's frame (z along its centre) into the joint's rest frame.
        frame: Q,
        /// How the joint rests in the limit's frame.
        rest: Q,
        /// Where z may point.
        swing: Swing,
        /// The turns about z.
        twist: Option<Range>,
    },
    /// A range of distances.
    Prismatic {
        /// The direction.
        axis: V3,
        /// The least, in metres.
        min: f64,
        /// The most.
        max: f64,
    },
}

/// A region for a direction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Swing {
    /// Anywhere.
    Free,
    /// A circular cone.
    Cone {
        /// Half of its opening.
        radius: f64,
    },
    /// An ellipse.
    Ellipse {
        /// About x.
        x: f64,
        /// About y.
        y: f64,
    },
    /// A polygon on the sphere.
    Polygon {
        /// Directions, in the limit's frame.
        vertices: Vec<V3>,
    },
    /// An amplitude for every direction of swing.
    Spline {
        /// The knots.
        knots: Vec<LimitKnot>,
    },
    /// A sequence of cones and the ways between them.
    Kusudama {
        /// The cones.
        cones: Vec<LimitCone>,
    },
}

/// A range, in radians or metres.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct Range {
    /// The least.
    pub min: f64,
    /// The most.
    pub max: f64,
}

/// A knot of a spline.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct LimitKnot {
    /// The direction of the swing.
    pub circumduction: f64,
    /// How far.
    pub amplitude: f64,
}

/// A cone of a Kusudama.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct LimitCone {
    /// Its axis, in the limit's frame.
    pub axis: V3,
    /// Half of its opening.
    pub radius: f64,
    /// The radius of the way to the next; `null` for the usual.
    pub tangent: Option<f64>,
}

mod tests {
    use sinew_f64::limit::{
        AngleRange, Cone, EulerLimit, EulerOrder, HingeLimit, Kusudama, LimitShape as Shape, PrismaticLimit,
        SphericalPolygon, SwingEllipse, SwingShape, SwingSpline, SwingTwistLimit, UniversalLimit,
    };
    use sinew_f64::{Quat, Vec3};

    use super::*;

    const RANGE: AngleRange = AngleRange::new(-0.5, 1.5);

    /// A limit of the next kind. The match names every kind, so that none is forgotten.
    fn next(shape: &Shape) -> Option<Shape> {
        let swing = |swing| Shape::SwingTwist(SwingTwistLimit::along(Vec3::Y, Vec3::X).swing(swing));
        Some(match shape {
            Shape::None => Shape::Hinge(HingeLimit { axis: Vec3::Y, range: RANGE }),
            Shape::Hinge(_) => Shape::Universal(UniversalLimit::new([Vec3::X, Vec3::Y], RANGE, RANGE)),
            Shape::Universal(_) => {
                let frame = Quat::from_rotation_x(0.5);
                Shape::Euler(EulerLimit { frame, order: EulerOrder::Zxy, ranges: [RANGE; 3] })
            }
            Shape::Euler(_) => Shape::Prismatic(PrismaticLimit { axis: Vec3::Z, min: -0.25, max: 0.5 }),
            Shape::Prismatic(_) => swing(SwingShape::Free),
            Shape::SwingTwist(limit) => swing(match &limit.swing {
                SwingShape::Free => Cone::new(0.5).into(),
                SwingShape::Cone(_) => SwingEllipse::new(0.5, 1.0).into(),
                SwingShape::Ellipse(_) => {
                    let corners = [(1.0, 0.0), (0.0, 1.0), (-1.0, -1.0)];
                    SphericalPolygon::new(corners.map(|(x, y)| Vec3::new(x, y, 1.0).normalize())).into()
                }
                SwingShape::Polygon(_) => SwingSpline::new([(0.0, 1.0), (2.0, 0.5), (4.0, 0.75)]).into(),
                SwingShape::Spline(_) => Kusudama::new([(Vec3::Z, 0.5), (Vec3::X, 0.25)]).into(),
                SwingShape::Kusudama(_) => return None,
            }),
        })
    }

    #[test]
    fn every_limit_of_the_engine_is_one_of_the_page() {
        let mut count = 0;
        for shape in std::iter::successors(Some(Shape::None), next) {
            let document = serde_json::to_value(&shape).unwrap();
            let page: LimitShape = serde_json::from_value(document.clone()).unwrap();
            assert_eq!(serde_json::to_value(page).unwrap(), document);
            assert_eq!(serde_json::from_value::<Shape>(document).unwrap(), shape);
            count += 1;
        }
        assert_eq!(count, 11);
    }
}
