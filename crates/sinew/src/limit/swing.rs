//! Where a bone may point: regions of the unit sphere.
//!
//! A shape sees nothing but unit directions in the limit's frame, whose z axis
//! is the direction of the bone when the joint stands at the limit's centre.
//! It says which directions are allowed, which allowed one is nearest, and how
//! far the edge is. "Near" is the angle on the sphere for cones, polygons and
//! Kusudamas; an ellipse measures in its swing plane and a spline along its
//! meridians, because their edges are defined there (each says why).
//!
//! # Insets
//! Every region can be shrunk by an angle. It never shrinks so far that it
//! would fall apart or vanish: each shape knows its widest inset
//! ([`SwingShape::widest_inset`]), and greater ones count as that. So a soft
//! zone that is wider than the narrow part of a region does not tear the
//! region in two.

use alloc::vec::Vec;

use super::{Cone, Kusudama, LimitError, SLACK, SphericalPolygon, SwingEllipse, SwingSpline, soft};
use crate::math::*;

/// A region of the unit sphere, in the limit's frame.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields))]
pub enum SwingShape {
    /// The whole sphere.
    #[default]
    Free,
    /// A circle about z.
    Cone(Cone),
    /// An ellipse in the swing plane (Kallmann 2007, eq. 7).
    Ellipse(SwingEllipse),
    /// Corners joined by great arcs.
    Polygon(SphericalPolygon),
    /// A smooth closed curve about z (SIK, eq. 3).
    Spline(SwingSpline),
    /// Cones and the ways between them (EWBIK, sections 9 and 10).
    Kusudama(Kusudama),
}

/// Calls the same method of whichever shape it is.
macro_rules! each {
    ($shape:expr, $free:expr, $s:ident => $call:expr) => {
        match $shape {
            Self::Free => $free,
            Self::Cone($s) => $call,
            Self::Ellipse($s) => $call,
            Self::Polygon($s) => $call,
            Self::Spline($s) => $call,
            Self::Kusudama($s) => $call,
        }
    };
}

impl SwingShape {
    /// A word for people.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Free => "twist",
            Self::Cone(_) => "cone",
            Self::Ellipse(_) => "ellipse",
            Self::Polygon(_) => "polygon",
            Self::Spline(_) => "spline",
            Self::Kusudama(_) => "kusudama",
        }
    }

    /// The nearest direction of the region shrunk by `inset`, or `None` if
    /// `direction` lies in it.
    #[inline]
    pub fn project(&self, direction: Vec3, inset: Real) -> Option<Vec3> {
        self.project_within(direction, inset, SLACK)
    }

    /// The same, where directions up to `slack` outside count as inside.
    #[inline]
    pub(super) fn project_within(&self, direction: Vec3, inset: Real, slack: Real) -> Option<Vec3> {
        each!(self, None, s => s.project(direction, inset, slack))
    }

    /// The angle to the edge: positive inside, negative outside, infinite if
    /// there is none.
    pub fn edge_distance(&self, direction: Vec3) -> Real {
        each!(self, Real::INFINITY, s => s.edge_distance(direction))
    }

    /// About how far inside of the edge a unit direction lies, in radians; negative outside, one if
    /// there is no edge. Exact on the edge, smooth beside it, and quicker to ask than
    /// [`edge_distance`](Self::edge_distance).
    #[inline(always)]
    pub(crate) fn margin(&self, direction: Vec3) -> Real {
        match self {
            Self::Free => 1.0,
            Self::Cone(s) => s.margin(direction),
            Self::Ellipse(s) => s.margin(direction),
            Self::Kusudama(s) => s.margin(direction),
            other => other.edge_distance(direction),
        }
    }

    /// Whether the edge, and with it the margin, is smooth enough for a coarse scan.
    pub(crate) fn is_smooth(&self) -> bool {
        matches!(self, Self::Free | Self::Cone(_) | Self::Ellipse(_))
    }

    /// Whether a direction is within by a hair and more, seen without trigonometry. Not all that are are seen to be.
    #[inline]
    pub(super) fn surely_holds(&self, direction: Vec3) -> bool {
        match self {
            Self::Free => true,
            Self::Cone(s) => s.margin(direction) > HAIR,
            Self::Ellipse(s) => s.margin(direction) > HAIR,
            Self::Spline(s) => s.surely_holds(direction),
            Self::Kusudama(s) => s.surely_holds(direction),
            Self::Polygon(_) => false,
        }
    }

    /// The greatest angle by which the region can shrink and stay whole.
    pub fn widest_inset(&self) -> Real {
        each!(self, Real::INFINITY, s => s.widest_inset())
    }

    /// `direction` as a soft zone of this width lets it be, or `None` if it
    /// lies further inside than the zone reaches.
    #[inline]
    pub fn soften(&self, direction: Vec3, zone: Real) -> Option<Vec3> {
        self.soften_within(direction, zone, SLACK)
    }

    #[inline]
    pub(super) fn soften_within(&self, direction: Vec3, zone: Real, slack: Real) -> Option<Vec3> {
        let zone = zone.min(self.widest_inset());
        if zone <= 0.0 {
            return self.project_within(direction, 0.0, slack);
        }
        if let Self::Ellipse(s) = self {
            return s.soften(direction, zone, slack);
        }
        let rim = self.project_within(direction, zone, slack)?;
        let depth = rotation::angle_between(rim, direction);
        let side = direction_or(direction - rim * rim.dot(direction), any_perpendicular(rim));
        let (sin, cos) = soft::held_back(depth, zone).sin_cos();
        Some((rim * cos + side * sin).normalize())
    }

    /// Closed curves of unit directions around the region, each with about
    /// `segments` points.
    pub fn outline(&self, segments: usize) -> Vec<Vec<Vec3>> {
        each!(self, Vec::new(), s => s.outline(segments))
    }

    pub(super) fn check(&mut self) -> Result<(), LimitError> {
        each!(self, Ok(()), s => s.check())
    }
}

macro_rules! shape_from {
    ($($variant:ident($shape:ty)),* $(,)?) => {$(
        impl From<$shape> for SwingShape {
            fn from(shape: $shape) -> Self {
                Self::$variant(shape)
            }
        }
    )*};
}
shape_from!(
    Cone(Cone),
    Ellipse(SwingEllipse),
    Polygon(SphericalPolygon),
    Spline(SwingSpline),
    Kusudama(Kusudama),
);

/// A unit direction from an author's vector, or an error that names it.
pub(super) fn checked_direction(v: Vec3, what: &'static str) -> Result<Vec3, LimitError> {
    let length = v.length();
    if !length.is_finite() {
        Err(LimitError::NotFinite)
    } else if length <= ROUNDING {
        Err(LimitError::NoDirection(what))
    } else {
        Ok(unit_vector(v))
    }
}

/// The same for a rotation.
pub(super) fn checked_rotation(q: Quat, what: &'static str) -> Result<Quat, LimitError> {
    let squared = q.length_squared();
    if !squared.is_finite() {
        Err(LimitError::NotFinite)
    } else if squared < ROUNDING {
        Err(LimitError::NoDirection(what))
    } else {
        Ok(unit_rotation(q))
    }
}
