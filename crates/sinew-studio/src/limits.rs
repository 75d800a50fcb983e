//! Limits as documents: what they are, what they look like, where to take hold.
//!
//! The page only draws and says where a handle was dragged to; the geometry is
//! here, and the outlines are those of the code that solves.

mod handles;

use std::f64::consts::{PI, TAU};

use sinew_f64::limit::{LimitComponent, LimitShape, Outline, SwingShape, SwingTwistLimit};
use sinew_f64::skeleton::Joint;
use sinew_f64::{JointKind, JointLimit, Vec3};

use crate::wire::{LimitDocument, LimitOutline, REGION_COLUMNS, REGION_DEPTH, REGION_ROWS};

pub use handles::{added, dragged, handles, removed};

/// Pieces of an outline.
const SEGMENTS: usize = 96;
/// More handles than this nobody drags: a corner or a knot has one, a cone two, a twist two more.
const MOST_HANDLES: usize = 514;

/// The limit of a joint, as the page shows and edits it.
pub fn document(joint: &Joint) -> LimitDocument {
    let limit = joint.limit();
    LimitDocument {
        shape: limit.shape.clone(),
        soft_zone: limit.soft_zone,
        outlines: limit.outlines(SEGMENTS).into_iter().map(outline).collect(),
        handles: handles(limit),
        region: region(limit),
    }
}

/// How far inside of its edge a swing lets each direction of a grid be; see the document.
fn region(limit: &JointLimit) -> Option<String> {
    let LimitShape::SwingTwist(SwingTwistLimit { swing, .. }) = &limit.shape else { return None };
    if let SwingShape::Free = swing {
        return None;
    }
    let mut text = String::with_capacity(2 * REGION_ROWS * REGION_COLUMNS);
    for row in 0..REGION_ROWS {
        let (away, along) = (PI * row as f64 / (REGION_ROWS - 1) as f64).sin_cos();
        for column in 0..REGION_COLUMNS {
            let (y, x) = (TAU * column as f64 / REGION_COLUMNS as f64).sin_cos();
            let inside = swing.edge_distance(Vec3::new(away * x, away * y, along));
            let steps = (inside / REGION_DEPTH).clamp(-1.0, 1.0) * 127.0;
            // The engine's distances are numbers; what was none would be the edge.
            text += &format!("{:02x}", 128 + steps as i32);
        }
    }
    Some(text)
}

/// The engine's limit for a joint of this kind, or what is wrong with it. An axis of zero stands
/// for the joint's own: a page that gives a free hinge its first limit does not know it.
pub fn from_document(document: &LimitDocument, kind: JointKind) -> Result<JointLimit, String> {
    let mut limit = JointLimit { shape: document.shape.clone(), soft_zone: document.soft_zone };
    match (&mut limit.shape, kind) {
        (LimitShape::Hinge(limit), JointKind::Hinge { axis }) if limit.axis == Vec3::ZERO => {
            limit.axis = axis;
        }
        (LimitShape::Prismatic(limit), JointKind::Prismatic { axis }) if limit.axis == Vec3::ZERO => {
            limit.axis = axis;
        }
        (LimitShape::Universal(limit), JointKind::Universal { first, second })
            if limit.axes == [Vec3::ZERO; 2] =>
        {
            limit.axes = [first, second];
        }
        _ => {}
    }
    let handles = handles(&limit).len();
    if handles > MOST_HANDLES {
        return Err(format!("a limit with {handles} handles has more than {MOST_HANDLES}"));
    }
    limit.checked(kind).map_err(|error| error.to_string())
}

fn outline(outline: Outline) -> LimitOutline {
    let component = match outline.component {
        LimitComponent::Angle => "angle",
        LimitComponent::Swing => "swing",
        LimitComponent::Twist => "twist",
        LimitComponent::Euler(_) => "euler",
        LimitComponent::Displacement => "displacement",
    };
    LimitOutline {
        component: component.into(),
        points: outline.points.iter().flat_map(|p| p.to_array()).map(|x| x as f32).collect(),
        closed: outline.closed,
    }
}

#[cfg(test)]
mod tests {
    use sinew_f64::limit::{AngleRange, Cone, HingeLimit, SphericalPolygon, SwingTwistLimit};

    use super::*;

    fn shaped(limit: JointLimit) -> LimitDocument {
        let JointLimit { shape, soft_zone } = limit;
        LimitDocument { shape, soft_zone, outlines: Vec::new(), handles: Vec::new(), region: None }
    }

    /// The page once sent a zero axis for a free hinge's first limit and was refused, so that such
    /// a joint could not be given one.
    #[test]
    fn a_free_hinge_gets_a_limit_about_its_own_axis() {
        let shape = LimitShape::Hinge(HingeLimit { axis: Vec3::ZERO, range: AngleRange::new(-0.5, 1.0) });
        let document = shaped(JointLimit { shape, soft_zone: 0.0 });
        let limit = from_document(&document, JointKind::Hinge { axis: Vec3::Y }).unwrap();
        assert!(matches!(limit.shape, LimitShape::Hinge(HingeLimit { axis: Vec3::Y, .. })), "{limit:?}");
        assert!(from_document(&document, JointKind::Ball).is_err());
    }

    #[test]
    fn what_is_allowed_is_told_from_what_is_not() {
        let limit: JointLimit = SwingTwistLimit::along(Vec3::Y, Vec3::X).swing(Cone::new(0.5 * PI)).into();
        let text = region(&limit).unwrap();
        assert_eq!(text.len(), 2 * REGION_ROWS * REGION_COLUMNS);
        let row = |row: usize| &text[2 * REGION_COLUMNS * row..][..2 * REGION_COLUMNS];
        // A cone of half the sphere: its edge is the row in the middle.
        assert_eq!(row(0), "ff".repeat(REGION_COLUMNS));
        assert_eq!(row(16), "80".repeat(REGION_COLUMNS));
        assert_eq!(row(REGION_ROWS - 1), "01".repeat(REGION_COLUMNS));
        let depth = |at: usize| i32::from_str_radix(&row(at)[..2], 16).unwrap() - 128;
        let step = PI / 32.0 / REGION_DEPTH * 127.0;
        assert!((f64::from(depth(14)) - 2.0 * step).abs() < 1.0 && depth(18) == -depth(14));
        assert!(region(&JointLimit::hinge(Vec3::X, 0.0, 1.0)).is_none());
    }

    #[test]
    fn nobody_sends_a_limit_of_a_thousand_corners() {
        let polygon = |corners: u32| {
            let turn = |i: u32| f64::from(i) / f64::from(corners) * std::f64::consts::TAU;
            let corner = |i: u32| Vec3::new(turn(i).cos(), turn(i).sin(), 1.0).normalize();
            let swing = SphericalPolygon::new((0..corners).map(corner));
            from_document(
                &shaped(SwingTwistLimit::along(Vec3::Y, Vec3::X).swing(swing).into()),
                JointKind::Ball,
            )
        };
        assert!(polygon(200).is_ok());
        assert!(polygon(1000).unwrap_err().contains("1000 handles"));
    }
}
