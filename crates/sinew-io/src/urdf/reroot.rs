//! Another link as the root.
//!
//! Let L₀ be the new root and L₁ … Lₖ the links from there up to the old root,
//! with joint i between Lᵢ₋₁ (its child) and Lᵢ (its parent). The file says
//! `Lᵢ₋₁ in Lᵢ = Oᵢ · Mᵢ(q)`: the origin, then the motion. Turned round, joint i
//! has to read as an origin followed by a motion again, from Lᵢ₋₁ to Lᵢ, and
//! `(Oᵢ Mᵢ)⁻¹ = Mᵢ⁻¹ Oᵢ⁻¹` has them the wrong way about. So Lᵢ is given a new
//! frame, `Lᵢ' = Lᵢ · Oᵢ`, which stands where the joint is. Then
//!
//! ```text
//! Lᵢ' in Lᵢ₋₁' = Oᵢ₋₁⁻¹ · Mᵢ⁻¹        (O₀ is the identity)
//! ```
//!
//! which is an origin `Oᵢ₋₁⁻¹` and the inverse motion. A hinge or a slide
//! inverts its motion by turning its axis over, so `q` keeps its meaning, and
//! with it limits, mimics and recorded values. Joints that hang from Lᵢ besides
//! keep their place by `Oᵢ⁻¹` before their origin, and [`UrdfLink::frame`]
//! remembers `Oᵢ⁻¹`, where the file's own frame is.
//!
//! A planar joint turns first and slides after once it is reversed; a floating
//! or spherical joint has the inverse value.
//!
//! [`UrdfLink::frame`]: super::UrdfLink::frame

use super::document::*;
use super::tree::Tree;
use crate::error::{Place, ReadError, quoted};
use crate::{Note, suggest};

/// The same robot with another link as its root; what is fixed in the world
/// then is that link. The joints keep their names, values and limits.
pub fn reroot(document: &UrdfDocument, link: &str) -> Result<UrdfDocument, ReadError> {
    let tree = Tree::new(document)?;
    let Some(new_root) = document.links.iter().position(|l| l.name == link) else {
        let near = suggest::did_you_mean(link, document.links.iter().map(|l| l.name.as_str()));
        let expected = format!("the name of a link as the new root{near}");
        return Err(ReadError::new(Place::File, format!("no link {}", quoted(link)), expected));
    };

    let mut rerooted = document.clone();
    let mut origin_below = sinew_f64::Transform::IDENTITY;
    let mut at = new_root;
    while let Some(joint) = tree.joint_above[at] {
        let above = tree.parent[joint];
        let old = &document.joints[joint];
        let turned = &mut rerooted.joints[joint];
        std::mem::swap(&mut turned.parent, &mut turned.child);
        turned.origin = origin_below.inverse();
        turned.axis = -turned.axis;
        turned.reversed = !turned.reversed;

        let back = old.origin.inverse();
        for sibling in tree.joints_below[above].iter().filter(|j| **j != joint) {
            // The next joint of the path is above this link, not below it, so
            // these are exactly those that keep hanging from it.
            let origin = &mut rerooted.joints[*sibling].origin;
            *origin = back * *origin;
        }
        let frame = &mut rerooted.links[above].frame;
        *frame = back * *frame;
        if matches!(old.kind, UrdfJointKind::Floating | UrdfJointKind::Spherical) {
            let text = format!("joint '{}' is reversed: its value is the inverse of the file's", old.name);
            rerooted.notes.push(Note::new(text));
        }
        origin_below = old.origin;
        at = above;
    }
    if at != new_root {
        let (old, new) = (&document.links[at].name, link);
        rerooted.notes.push(Note::new(format!("the root is link '{new}' instead of '{old}'")));
    }
    Ok(rerooted)
}
