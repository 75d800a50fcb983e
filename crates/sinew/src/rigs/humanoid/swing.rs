//! One region for a bone's direction in three versions.
//!
//! The ellipse is the definition. The spline goes through 24 of its points,
//! evenly spaced about the centre. The Kusudama is a row of cones along the
//! ellipse's long axis, each as wide as fits inside, the outermost touching its
//! ends; rows of more cones are tried until none of a ring of points of the
//! ellipse's edge is further than [`COARSENESS`] from the Kusudama's.
//!
//! Edges agree within 0.2° (spline) and 1° (Kusudama) everywhere, for every joint
//! of the humanoids; the test `the_three_swing_models_agree` measures it.

use alloc::vec::Vec;

use crate::limit::{Kusudama, SwingEllipse, SwingShape, SwingSpline};
use crate::math::*;

/// In which form a humanoid's swing limits are. All three describe the same
/// regions: their edges lie within 1° of each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum SwingModel {
    /// Ellipses in the swing plane (Kallmann 2007, eq. 7).
    #[default]
    Ellipse,
    /// Cubic splines of the swing's amplitude (Unzueta et al. 2008, section 7).
    Spline,
    /// Kusudamas (Gjoni, EWBIK, sections 9 and 10).
    Kusudama,
}

impl SwingModel {
    /// All three.
    pub const ALL: [Self; 3] = [Self::Ellipse, Self::Spline, Self::Kusudama];

    /// A word for people.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ellipse => "ellipse",
            Self::Spline => "spline",
            Self::Kusudama => "kusudama",
        }
    }
}

/// The Kusudamas may miss the ellipses' edges by this much, in radians: one degree.
const COARSENESS: Real = PI / 180.0;
/// No more cones than this, whatever is missed.
const MOST_CONES: usize = 11;
const SPLINE_KNOTS: usize = 24;
/// Points of the edge at which the cones are fitted.
const EDGE_POINTS: usize = 128;

/// The region in the form of the model.
pub(super) fn shape(model: SwingModel, ellipse: SwingEllipse) -> SwingShape {
    match model {
        SwingModel::Ellipse => ellipse.into(),
        SwingModel::Spline => spline(ellipse).into(),
        SwingModel::Kusudama => kusudama(ellipse).into(),
    }
}

/// How far the bone may lean in the direction `angle`, from the frame's x axis to
/// its y axis. Leaning towards x is a turn about y.
fn amplitude(ellipse: SwingEllipse, angle: Real) -> Real {
    let (sin, cos) = angle.sin_cos();
    ellipse.amplitude(Vec2::new(-sin, cos))
}

fn spline(ellipse: SwingEllipse) -> SwingSpline {
    let angles = (0..SPLINE_KNOTS).map(|i| TAU * i as Real / SPLINE_KNOTS as Real - PI);
    SwingSpline::new(angles.map(|angle| (angle, amplitude(ellipse, angle))))
}

fn kusudama(ellipse: SwingEllipse) -> Kusudama {
    let edge: Vec<Vec3> = (0..EDGE_POINTS)
        .map(|i| {
            let angle = TAU * i as Real / EDGE_POINTS as Real;
            let (sin, cos) = angle.sin_cos();
            let (s, c) = amplitude(ellipse, angle).sin_cos();
            Vec3::new(cos * s, sin * s, c)
        })
        .collect();
    // Along the long axis, `at` radians from the middle.
    let long_is_x = ellipse.y >= ellipse.x;
    let direction = |at: Real| {
        let (s, c) = at.sin_cos();
        if long_is_x { Vec3::new(s, 0.0, c) } else { Vec3::new(0.0, s, c) }
    };
    let long = ellipse.x.max(ellipse.y);
    let room = |at: Real| {
        let axis = direction(at);
        edge.iter().map(|e| rotation::angle_between(axis, *e)).fold(PI, Real::min)
    };
    // The outermost cone that still touches the end of the ellipse and nothing
    // else: nearer to the end than this the end is the nearest point of the edge.
    let (mut inner, mut outer) = (0.0, long);
    for _ in 0..24 {
        let middle = 0.5 * (inner + outer);
        if room(middle) < long - middle - COARSENESS * 0.1 { inner = middle } else { outer = middle }
    }
    let mut best = Kusudama::new([(Vec3::Z, room(0.0))]);
    let mut cones = 1;
    while cones < MOST_CONES && missed(&best, &edge) > COARSENESS {
        cones += 2;
        let places = (0..cones).map(|i| outer * (2.0 * i as Real / (cones - 1) as Real - 1.0));
        best = Kusudama::new(places.map(|at| (direction(at), room(at))));
    }
    best
}

/// How far the ellipse's edge lies beyond the Kusudama's at most. The cones are
/// inside of the ellipse, so nothing is missed the other way, but for the little
/// that the ways between them cut off or add.
fn missed(kusudama: &Kusudama, edge: &[Vec3]) -> Real {
    let shape = SwingShape::from(kusudama.clone());
    edge.iter().map(|e| shape.edge_distance(*e).abs()).fold(0.0, Real::max)
}
