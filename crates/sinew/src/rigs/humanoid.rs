//! A human of the H-Anim standard, with the limits of anatomy.
//!
//! # Joints
//! [`humanoid`] has 34 joints, as the humanoids of Unzueta et al. 2008 (SIK,
//! section 9) have. The paper names the root (`HumanoidRoot`, `sacroiliac` and
//! `vl5` share a place) and counts 22 joints apart from those beyond wrists and
//! ankles; the choice of the rest is ours, by the names of H-Anim:
//!
//! ```text
//! HumanoidRoot
//! ├─ sacroiliac ─ {l,r}_hip ─ _knee ─ _ankle ─ _subtalar ─ _midtarsal ─ _metatarsal
//! └─ vl5 ─ vl1 ─ vt6 ─ vt1 ─┬─ vc4 ─ skullbase
//!                           └─ {l,r}_sternoclavicular ─ _shoulder ─ _elbow ─ _wrist ─┬─ _thumb1
//!                                                                                    ├─ _index1
//!                                                                                    └─ _pinky1
//! ```
//!
//! [`humanoid_with_hands`] adds the remaining finger joints of VRM's set, eyes
//! and jaw: 61 joints.
//!
//! # Rest
//! The neutral stance of H-Anim: standing, soles on y = 0, facing +Z, arms
//! hanging, palms to the thighs; every frame is aligned with the model's, so a
//! joint's rotation is the same in all of them. A T-pose would make a smaller
//! change of the shoulder for most reaching, but limits are centred away from the
//! bone where the anatomy asks for it, so nothing is gained by it. Knees
//! and elbows are bent by a few degrees, which keeps the rest away from the
//! singularity of a straight limb and says which way they bend.
//!
//! # Sizes
//! A stature of 1.75 m with segment lengths after Drillis & Contini (1966), as
//! tabulated in Winter, *Biomechanics and Motor Control of Human Movement*: upper
//! arm 0.186, forearm 0.146, hand 0.108, ankle height 0.039, knee height 0.285, hip
//! height 0.530, shoulder height 0.818 of stature. Hip joints are 0.176 m apart.
//!
//! # Limits
//! The table of ranges with its sources is in `rigs/humanoid/limits.rs`. Regions for the direction of
//! a bone exist in three versions ([`SwingModel`]) of the same region.

mod body;
mod hands;
mod limits;
mod swing;

pub use swing::SwingModel;

use crate::skeleton::Skeleton;

/// A human of 34 joints after H-Anim, with anatomical limits whose swing regions
/// are of the given kind; see the [module](self).
///
/// ```
/// use sinew::rigs::{SwingModel, humanoid};
/// let human = humanoid(SwingModel::Ellipse);
/// assert_eq!(human.len(), 34);
/// assert!(human.find("l_shoulder").is_some());
/// ```
pub fn humanoid(model: SwingModel) -> Skeleton {
    let mut body = body::Body::new("humanoid", model);
    body.add_trunk_and_limbs();
    for side in body::SIDES {
        hands::add_short_fingers(&mut body, side);
    }
    body.build()
}

/// The [`humanoid`] with all fingers, eyes and jaw: 61 joints.
pub fn humanoid_with_hands(model: SwingModel) -> Skeleton {
    let mut body = body::Body::new("humanoid-hands", model);
    body.add_trunk_and_limbs();
    body.add_face();
    for side in body::SIDES {
        hands::add_fingers(&mut body, side);
    }
    body.build()
}
