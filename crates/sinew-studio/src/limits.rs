//! Limits as documents: what they are, what they look like, where to take hold.
//!
//! The page only draws and says where a handle was dragged to; the geometry is
//! here, and the outlines are those of the code that solves.

mod handles;

use sinew_f64::limit::{LimitComponent, LimitShape, Outline};
use sinew_f64::skeleton::Joint;
use sinew_f64::{JointKind, JointLimit, Vec3};

use crate::wire::{LimitDocument, LimitOutline};

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
    }
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
    use sinew_f64::limit::{AngleRange, HingeLimit, SphericalPolygon, SwingTwistLimit};

    use super::*;

    fn shaped(limit: JointLimit) -> LimitDocument {
        let JointLimit { shape, soft_zone } = limit;
        LimitDocument { shape, soft_zone, outlines: Vec::new(), handles: Vec::new() }
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
