//! Limits as documents: what they are, what they look like, and where to take hold of them.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{Q, V3};

/// A joint's limit. The page may send it back whole; outlines and handles are
/// the server's and are ignored then.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct LimitDocument {
    /// The allowed region.
    pub shape: LimitShape,
    /// The band inside the edge that pushes back, in radians.
    pub soft_zone: f64,
    /// What the edge looks like.
    #[serde(default)]
    pub outlines: Vec<LimitOutline>,
    /// Where to take hold of it.
    #[serde(default)]
    pub handles: Vec<Handle>,
}

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
        /// Metres.
        range: Range,
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

/// A curve of the edge, in the joint's rest frame.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct LimitOutline {
    /// What it bounds: angle, swing, twist, euler, displacement.
    pub component: String,
    /// x, y, z of each point: unit directions, or places for a slide.
    pub points: Vec<f32>,
    /// Whether the last joins the first.
    pub closed: bool,
}

/// A point to take hold of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Handle {
    /// What it does.
    pub kind: HandleKind,
    /// The direction that it shows, in the joint's rest frame.
    pub at: V3,
    /// Words for a tool tip.
    pub label: String,
    /// Whether its point can be taken away.
    pub removable: bool,
}

/// What dragging a handle does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum HandleKind {
    /// Moves a cone, a corner or a knot.
    Point,
    /// Widens or narrows.
    Rim,
    /// Moves an end of a range.
    End,
}
