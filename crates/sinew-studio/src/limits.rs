//! Limits as documents: what they are, what they look like, where to take hold.
//!
//! The page only draws and says where a handle was dragged to; the geometry is
//! here, and the outlines are those of the code that solves.

mod convert;
mod handles;

use sinew_f64::limit::{LimitComponent, Outline};
use sinew_f64::skeleton::Joint;

use crate::wire::{LimitDocument, LimitOutline};

pub use convert::{from_document, shape};
pub use handles::{added, dragged, handles, removed};

/// Pieces of an outline.
const SEGMENTS: usize = 96;

/// The limit of a joint, as the page shows and edits it.
pub fn document(joint: &Joint) -> LimitDocument {
    let limit = joint.limit();
    LimitDocument {
        shape: shape(limit),
        soft_zone: limit.soft_zone,
        outlines: limit.outlines(SEGMENTS).into_iter().map(outline).collect(),
        handles: handles(limit),
    }
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
