//! Limits as documents: what they are, what they look like, and where to take hold of them.

use serde::{Deserialize, Serialize};
use sinew_f64::limit::LimitShape;

use super::V3;

#[cfg(test)]
pub(super) mod page;

/// A joint's limit: the engine's own document of it, with what it looks like.
/// The page may send it back whole; outlines and handles are the server's and
/// are ignored then.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct LimitDocument {
    /// The allowed region.
    #[cfg_attr(test, ts(as = "page::LimitShape"))]
    pub shape: LimitShape,
    /// The band inside the edge that pushes back, in radians.
    pub soft_zone: f64,
    /// What the edge looks like.
    #[serde(default)]
    pub outlines: Vec<LimitOutline>,
    /// Where to take hold of it.
    #[serde(default)]
    pub handles: Vec<Handle>,
    /// Of a swing: how far inside of its edge each direction of a grid is, to shade what is allowed.
    /// Two hexadecimal digits each: 80 on the edge, more inside, 127 steps for [`REGION_DEPTH`]. Row after
    /// row from the limit's z to its opposite, [`REGION_ROWS`] of them with both; each of
    /// [`REGION_COLUMNS`] directions around z, from x towards y.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub region: Option<String>,
}

/// See [`LimitDocument::region`].
pub const REGION_ROWS: usize = 33;
/// See [`LimitDocument::region`].
pub const REGION_COLUMNS: usize = 64;
/// In radians; what is further inside or outside is not told apart.
pub const REGION_DEPTH: f64 = 0.5;

/// A curve of the edge, in the joint's rest frame.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LimitOutline {
    /// What it bounds: angle, swing, twist, euler, displacement.
    pub component: String,
    /// x, y, z of each point: unit directions, or places for a slide.
    pub points: Vec<f32>,
    /// Whether the last joins the first.
    pub closed: bool,
}

/// A point to take hold of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum HandleKind {
    /// Moves a cone, a corner or a knot.
    Point,
    /// Widens or narrows.
    Rim,
    /// Moves an end of a range.
    End,
}
