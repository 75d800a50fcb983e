//! How far joints can move: one algebra for every solver.
//!
//! A [`JointLimit`] is a set of allowed rotations, relative to the rest pose,
//! and answers the same four questions whatever its shape: the nearest allowed
//! rotation ([`project`](JointLimit::project)), by how much a rotation lies
//! outside ([`violation`](JointLimit::violation)), how far it is from the edge
//! ([`edge_distance`](JointLimit::edge_distance)) and what the edge looks like
//! ([`outlines`](JointLimit::outlines)).
//!
//! Every shape can be asked with an *inset*: the same set with its edge moved
//! inwards by an angle. That one extra number gives the soft zone for all of
//! them (see [`soften`](JointLimit::soften)).
//!
//! # The contract
//! Projection is idempotent bit for bit, lands inside, returns what is inside
//! already as it came, ignores the sign of the quaternion, is finite everywhere,
//! and moves continuously except on the *ambiguous set*, where two parts of the
//! edge are equally near: no continuous map onto a region leaves the region
//! alone everywhere else. `tests/engine/limits.rs` holds every shape to it, and holds
//! each to what "near" means for it:
//!
//! | shape | nearest in | ambiguous |
//! |---|---|---|
//! | hinge | the angle on its circle | the middle of the gap |
//! | universal, Euler box | the rotation | equally near rotations of the box |
//! | cone, polygon, Kusudama | the bone's direction | straight back; equally near parts of the edge |
//! | ellipse | the swing plane | straight back |
//! | spline | the meridian | straight back |
//! | twist | its angle, after the swing | the middle of the gap |
//!
//! "Inside" forgives [`SLACK`], a few roundings, so that a rotation that was
//! put on the edge counts as inside when it is looked at again.
//!
//! # Files
//! A limit that is read from a file, or whose parts were changed, works after
//! [`checked`](JointLimit::checked), which also says what is wrong with it;
//! building a skeleton does that. What follows from a shape's parts is never
//! written.
//!
//! What the feature `serde` makes of a [`JointLimit`] is the one document of a
//! limit: the studio's messages, `sinew info --json` and the extras of a glTF
//! file hold it as it is, and a rig file spells it for people. Angles are in
//! radians and `kind` names the shape, of the limit and of its swing:
//!
//! ```json
//! { "soft_zone": 0.1, "shape": { "kind": "swing_twist", "frame": [0, 0, 0, 1], "rest": [0, 0, 0, 1],
//!   "swing": { "kind": "cone", "radius": 0.8 }, "twist": { "min": -0.5, "max": 0.5 } } }
//! ```

/// A shape that was made from a list: files hold the list and two shapes are the same if their
/// lists are; the rest follows from it.
macro_rules! made_from_list {
    ($shape:ident, $list:ident: $item:ty, $make:path) => {
        #[cfg(feature = "serde")]
        #[derive(serde::Serialize, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Parts {
            $list: Vec<$item>,
        }

        #[cfg(feature = "serde")]
        impl From<Parts> for $shape {
            fn from(parts: Parts) -> Self {
                $make(parts.$list)
            }
        }

        #[cfg(feature = "serde")]
        impl From<$shape> for Parts {
            fn from(shape: $shape) -> Self {
                Self { $list: shape.$list }
            }
        }

        impl PartialEq for $shape {
            fn eq(&self, other: &Self) -> bool {
                self.$list == other.$list
            }
        }
    };
}
use made_from_list;

pub(crate) mod beyond;
mod cone;
mod ellipse;
pub mod euler;
mod hinge;
pub mod kusudama;
mod path;
mod polygon;
mod prismatic;
pub(crate) mod probe;
pub mod range;
mod soft;
mod spline;
mod swing;
pub mod swing_twist;
pub(crate) mod turning;
mod universal;

use alloc::vec::Vec;

use crate::math::*;
use crate::skeleton::JointKind;

pub use self::swing_twist::SwingTwistLimit;
pub use cone::Cone;
pub use ellipse::SwingEllipse;
pub use euler::{EulerLimit, EulerOrder};
pub use hinge::HingeLimit;
pub use kusudama::{Kusudama, KusudamaCone};
pub use polygon::SphericalPolygon;
pub use prismatic::PrismaticLimit;
pub use range::AngleRange;
pub use spline::{SplineKnot, SwingSpline};
pub use swing::SwingShape;
pub use universal::{UniversalLimit, universal_angles};

/// Radians beyond the edge that still count as inside.
pub const SLACK: Real = ROUNDING * 4.0;

/// What of a joint's motion a limit stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum LimitComponent {
    /// The angle of a hinge.
    Angle,
    /// The direction of the bone.
    Swing,
    /// The turn about the bone.
    Twist,
    /// One angle of an Euler box or of a universal joint: 0, 1 or 2 in its order.
    Euler(u8),
    /// The way along a prismatic joint.
    Displacement,
}

/// Why the numbers of a limit do not make one.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LimitError {
    /// A number is NaN or infinite.
    #[error("it holds a number that is not finite")]
    NotFinite,
    /// The lower bound lies above the upper one.
    #[error("its lower bound {min} lies above its upper bound {max}")]
    Empty {
        /// The lower bound.
        min: Real,
        /// The upper bound.
        max: Real,
    },
    /// A radius or width is outside of what makes sense.
    #[error("{what} is {value}; it must lie between {low} and {high}")]
    OutOfRange {
        /// The parameter.
        what: &'static str,
        /// Its value.
        value: Real,
        /// The least it may be.
        low: Real,
        /// The most it may be.
        high: Real,
    },
    /// An axis or direction is zero.
    #[error("{0} has no direction")]
    NoDirection(&'static str),
    /// Too few points or cones to make a shape.
    #[error("{what} needs at least {least}, and got {got}")]
    TooFew {
        /// What there are too few of.
        what: &'static str,
        /// The least that will do.
        least: usize,
        /// How many there are.
        got: usize,
    },
    /// Points in an order or place that makes no shape.
    #[error("{0}")]
    BadShape(&'static str),
    /// The limit speaks of motions that the joint's kind does not have.
    #[error("a {limit} limit does not fit a {kind} joint")]
    WrongKind {
        /// What the limit is for.
        limit: &'static str,
        /// What the joint is.
        kind: &'static str,
    },
}

/// The shape of a limit; see [`JointLimit`].
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields))]
pub enum LimitShape {
    /// Anything goes.
    #[default]
    None,
    /// A range of angles about one axis.
    Hinge(HingeLimit),
    /// Ranges for the two angles of a universal joint.
    Universal(UniversalLimit),
    /// Ranges for three Euler angles.
    Euler(EulerLimit),
    /// A region for the bone's direction and a range for the turn about it.
    SwingTwist(SwingTwistLimit),
    /// A range of distances along one axis.
    Prismatic(PrismaticLimit),
}

/// The set of motions that a joint is allowed, relative to its rest pose.
///
/// ```
/// use sinew::{JointLimit, Vec3, math::rotation};
/// let knee = JointLimit::hinge(Vec3::X, 0.0, 2.5);
/// let bent_back = rotation::exp(Vec3::X * -0.4);
/// assert!((knee.violation(bent_back) - 0.4).abs() < 1e-6);
/// assert!(rotation::angle(knee.project(bent_back)) < 1e-6);
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct JointLimit {
    /// The allowed region.
    pub shape: LimitShape,
    /// How wide a band inside the edge pushes back, in radians (metres for a
    /// prismatic joint). Zero is a hard limit.
    pub soft_zone: Real,
}

/// A curve that shows where a limit ends, in the joint's rest frame. Points
/// are unit directions, except for a prismatic joint where they are places.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Outline {
    /// What the curve bounds.
    pub component: LimitComponent,
    /// The curve's points in order.
    pub points: Vec<Vec3>,
    /// Whether the last point joins the first.
    pub closed: bool,
}

impl JointLimit {
    /// No limit.
    #[allow(non_upper_case_globals)] // reads like the enum variant it stands for
    pub const None: Self = Self { shape: LimitShape::None, soft_zone: 0.0 };

    /// A range of angles about an axis.
    pub fn hinge(axis: Vec3, min: Real, max: Real) -> Self {
        HingeLimit { axis, range: AngleRange { min, max } }.into()
    }

    /// A range of distances along an axis.
    pub fn prismatic(axis: Vec3, min: Real, max: Real) -> Self {
        PrismaticLimit { axis, min, max }.into()
    }

    /// The same region with a band inside its edge that pushes back.
    pub fn soft(mut self, zone: Real) -> Self {
        self.soft_zone = zone;
        self
    }

    /// Whether there is nothing to hold.
    pub fn is_none(&self) -> bool {
        matches!(self.shape, LimitShape::None)
    }

    /// A word for people.
    pub fn name(&self) -> &'static str {
        match &self.shape {
            LimitShape::None => "none",
            LimitShape::Hinge(_) => "hinge",
            LimitShape::Universal(_) => "universal",
            LimitShape::Euler(_) => "euler",
            LimitShape::SwingTwist(l) => l.swing.name(),
            LimitShape::Prismatic(_) => "prismatic",
        }
    }

    /// The nearest allowed rotation. What is allowed already comes back bit for bit.
    #[inline]
    pub fn project(&self, q: Quat) -> Quat {
        self.project_inset(q, 0.0).unwrap_or(q)
    }

    /// The nearest rotation of the region shrunk by `inset` radians, or `None`
    /// if `q` lies in it already.
    #[inline]
    pub fn project_inset(&self, q: Quat, inset: Real) -> Option<Quat> {
        match &self.shape {
            LimitShape::None | LimitShape::Prismatic(_) => None,
            LimitShape::Hinge(l) => l.project(q, inset),
            LimitShape::Universal(l) => l.project(q, inset),
            LimitShape::Euler(l) => l.project(q, inset),
            LimitShape::SwingTwist(l) => l.project(q, inset),
        }
    }

    /// The nearest allowed distance along a prismatic joint.
    #[inline]
    pub fn project_displacement(&self, d: Real) -> Real {
        match &self.shape {
            LimitShape::Prismatic(l) => l.project(d, 0.0),
            _ => d,
        }
    }

    /// By how much a displacement lies outside, in metres, zero inside.
    pub fn displacement_violation(&self, d: Real) -> Real {
        (d - self.project_displacement(d)).abs()
    }

    /// The way from a displacement to the nearer end, in metres: positive
    /// inside, negative outside, infinite where nothing is limited.
    pub fn displacement_edge_distance(&self, d: Real) -> Real {
        match &self.shape {
            LimitShape::Prismatic(l) => l.edge_distance(d),
            _ => Real::INFINITY,
        }
    }

    /// A displacement as the soft zone lets it be; see [`soften`](Self::soften).
    pub fn soften_displacement(&self, d: Real) -> Real {
        match &self.shape {
            LimitShape::Prismatic(l) => l.soften(d, self.soft_zone),
            _ => d,
        }
    }

    /// The way by which the soft zone pushes a displacement back; see
    /// [`push_back`](Self::push_back).
    pub fn displacement_push_back(&self, d: Real) -> Real {
        match &self.shape {
            LimitShape::Prismatic(l) => l.project(d, self.soft_zone) - d,
            _ => 0.0,
        }
    }

    /// The angle from `q` to the nearest allowed rotation, zero inside.
    pub fn violation(&self, q: Quat) -> Real {
        match self.project_inset(q, 0.0) {
            Some(inside) => rotation::angle(inside.conjugate() * q),
            None => 0.0,
        }
    }

    /// The angle to the edge: positive inside, negative outside, infinite
    /// where nothing is limited.
    pub fn edge_distance(&self, q: Quat) -> Real {
        self.nearest_component(q).map_or(Real::INFINITY, |(_, d)| d)
    }

    /// About how far inside of the edge a rotation is, in radians: negative outside, at most one. Exact on the edge,
    /// and quicker than [`violation`](Self::violation) where that takes a search.
    pub(crate) fn margin(&self, q: Quat) -> Real {
        if let LimitShape::Euler(limit) = &self.shape
            && let Some(margin) = limit.margin(q)
        {
            return margin.min(1.0);
        }
        let outside = self.violation(q);
        if outside > 0.0 { -outside } else { self.edge_distance(q).clamp(0.0, 1.0) }
    }

    /// The component that is closest to its edge, or furthest beyond it, and
    /// the angle to that edge (negative outside).
    pub fn nearest_component(&self, q: Quat) -> Option<(LimitComponent, Real)> {
        let (component, distance) = match &self.shape {
            LimitShape::None | LimitShape::Prismatic(_) => None,
            LimitShape::Hinge(l) => l.nearest_component(q),
            LimitShape::Universal(l) => l.nearest_component(q),
            LimitShape::Euler(l) => l.nearest_component(q),
            LimitShape::SwingTwist(l) => l.nearest_component(q),
        }?;
        // Near gimbal lock, or with the bone straight back, a rounding of the
        // rotation is many of its angles; projection knows what counts.
        let inside = distance < 0.0 && self.project_inset(q, 0.0).is_none();
        Some((component, if inside { 0.0 } else { distance }))
    }

    /// `q` as the soft zone lets it be: unchanged further than the zone from
    /// the edge, then held back more and more, so that the edge is approached
    /// and never passed however far `q` goes. Smooth at the zone's inner rim.
    /// A hard limit projects.
    pub fn soften(&self, q: Quat) -> Quat {
        let zone = self.soft_zone;
        if zone <= 0.0 {
            return self.project(q);
        }
        match &self.shape {
            LimitShape::None | LimitShape::Prismatic(_) => q,
            LimitShape::Hinge(l) => l.soften(q, zone).unwrap_or(q),
            LimitShape::SwingTwist(l) => l.soften(q, zone).unwrap_or(q),
            LimitShape::Universal(_) | LimitShape::Euler(_) => self.soften_rotation(q, zone),
        }
    }

    /// Held back along the shortest rotation from the rim, for shapes whose
    /// angles are not good enough near gimbal lock to hold each by itself.
    fn soften_rotation(&self, q: Quat, zone: Real) -> Quat {
        let Some(rim) = self.project_inset(q, zone) else { return q };
        let excess = rotation::log(rim.conjugate() * q);
        let depth = excess.length();
        if depth <= TINY {
            return q;
        }
        let held = soft::held_back(depth, zone);
        let softened = rim * rotation::exp(excess * (held / depth));
        self.project(softened.normalize())
    }

    /// The rotation vector by which the soft zone pushes `q` back inside, zero
    /// outside of the zone; grows smoothly from its inner rim. In the joint's
    /// own frame: `q · exp(push)` is further inside.
    pub fn push_back(&self, q: Quat) -> Vec3 {
        match self.project_inset(q, self.soft_zone) {
            Some(rim) => rotation::log(q.conjugate() * rim),
            None => Vec3::ZERO,
        }
    }

    /// The curves that bound the region, each with about `segments` pieces.
    pub fn outlines(&self, segments: usize) -> Vec<Outline> {
        let segments = segments.clamp(8, 4096);
        match &self.shape {
            LimitShape::None => Vec::new(),
            LimitShape::Hinge(l) => l.outlines(segments),
            LimitShape::Universal(l) => l.outlines(segments),
            LimitShape::Euler(l) => l.outlines(segments),
            LimitShape::SwingTwist(l) => l.outlines(segments),
            LimitShape::Prismatic(l) => l.outlines(),
        }
    }

    /// The limit with its derived numbers computed, or what is wrong with it
    /// for a joint of this kind. The skeleton's builder calls it.
    pub fn checked(mut self, kind: JointKind) -> Result<Self, LimitError> {
        let wrong = |limit| LimitError::WrongKind { limit, kind: kind.name() };
        let zone = self.soft_zone;
        if !(0.0..=PI).contains(&zone) {
            return Err(LimitError::OutOfRange { what: "the soft zone", value: zone, low: 0.0, high: PI });
        }
        match (&mut self.shape, kind) {
            (LimitShape::None, _) => {}
            (LimitShape::Hinge(l), JointKind::Hinge { axis }) => l.check(axis)?,
            (LimitShape::Universal(l), JointKind::Universal { first, second }) => l.check(first, second)?,
            (LimitShape::Euler(l), JointKind::Ball | JointKind::Free) => l.check()?,
            (LimitShape::SwingTwist(l), JointKind::Ball | JointKind::Free) => l.check()?,
            (LimitShape::Prismatic(l), JointKind::Prismatic { axis }) => l.check(axis)?,
            (LimitShape::Hinge(_), _) => return Err(wrong("hinge")),
            (LimitShape::Universal(_), _) => return Err(wrong("universal")),
            (LimitShape::Euler(_), _) => return Err(wrong("Euler")),
            (LimitShape::SwingTwist(_), _) => return Err(wrong("swing-twist")),
            (LimitShape::Prismatic(_), _) => return Err(wrong("prismatic")),
        }
        Ok(self)
    }
}

macro_rules! shape_from {
    ($($variant:ident($limit:ty)),* $(,)?) => {$(
        impl From<$limit> for JointLimit {
            fn from(limit: $limit) -> Self {
                Self { shape: LimitShape::$variant(limit), soft_zone: 0.0 }
            }
        }
    )*};
}
shape_from!(
    Hinge(HingeLimit),
    Universal(UniversalLimit),
    Euler(EulerLimit),
    SwingTwist(SwingTwistLimit),
    Prismatic(PrismaticLimit),
);

/// The nearest rotation that a joint of this kind can make at all. What it can
/// make comes back bit for bit.
pub fn to_kind(kind: JointKind, q: Quat) -> Quat {
    match kind {
        JointKind::Fixed | JointKind::Prismatic { .. } => Quat::IDENTITY,
        JointKind::Hinge { axis } => {
            if hinge::off_axis(axis, q) <= SLACK {
                q
            } else {
                rotation::about(axis, rotation::angle_about(axis, q))
            }
        }
        JointKind::Universal { first, second } => {
            if universal::off_surface(first, second, q) <= SLACK {
                return q;
            }
            let (a, b) = universal_angles(first, second, q);
            rotation::about(first, a) * rotation::about(second, b)
        }
        JointKind::Ball | JointKind::Free => q,
    }
}
