//! Feet planted over any animation, on any ground.
//!
//! An animation has its own contacts: a foot that is slow and near the ground stands on it. A
//! [`FootPlanter`] finds them, holds what stands in its place, puts it on the ground that is there and
//! not on the one that the animation was made on, tilts it as the ground is, and moves the hips so that the
//! legs get to their feet.
//!
//! ```text
//! animated pose ──► contacts: heel and toes of every foot            plant/contact.rs
//!                     │
//!                     ▼
//!                   where they stand on the new ground               plant/stance.rs
//!                     ▼
//!                   feet on their ways from plant to plant           plant/track.rs
//!                     ▼
//!                   hips, as high as the legs will allow             plant/clip.rs
//!                     ▼
//!                   legs, changed as little as can be                plant/leg.rs
//! ```
//!
//! # Whole clips
//! [`FootPlanter::plant_clip`] knows what comes: what a foot has slid by fades in before it lands,
//! hips begin to sink before a leg is stretched, and feet are lifted over steps in time.
//!
//! # Frame by frame
//! [`FootPlanter::plant`] knows only what was: a foot locks where it is when the animation sets it down, and what
//! keeps it away from the animation fades when it leaves (`plant/live.rs`). Soles are those of the rest pose, or
//! those of an animation that [`FootPlanter::measure`] was shown.
//!
//! # Degenerate cases
//! * A clip in which no foot ever stands still is left as it is, raised by nothing.
//! * A foot whose place is out of reach, with the hips as low as they may be, stands as near to it as its
//!   leg gets; [`PlantSummary::drift`] tells.
//! * Poses that are not finite are mended first. A clip of another skeleton is left alone.

mod clip;
mod contact;
mod foot;
mod leg;
mod live;
mod smooth;
mod stance;
mod track;

use alloc::vec::Vec;
use core::ops::Range;

pub use self::live::PlantFrame;

use self::foot::PlantFoot;
use self::live::{LiveFoot, Spring};
use crate::error::RigError;
use crate::math::*;
use crate::pose::{ModelPose, Pose};
use crate::skeleton::humanoid::HumanoidMap;
use crate::skeleton::{JointId, Skeleton};

/// What counts as a contact, and what may be done for it. Lengths are parts of the leg, so
/// that the same numbers fit all sizes.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct PlantOptions {
    /// A point of the sole that is slower than this stands, in leg lengths a second.
    pub speed: Real,
    /// Unless it is higher than this over the animation's own ground, in leg lengths.
    pub height: Real,
    /// Over how many seconds a planted foot fades in and out.
    pub fade: Real,
    /// How far the hips may be lowered for the legs' sake, in leg lengths.
    pub lower: Real,
    /// How much of it is done, from 0 (the animation as it is) to 1.
    pub influence: Real,
    /// How high the ground is that the animation was made on, in metres; `None` finds it out.
    pub level: Option<Real>,
}

impl Default for PlantOptions {
    fn default() -> Self {
        Self { speed: 0.3, height: 0.06, fade: 0.25, lower: 0.4, influence: 1.0, level: None }
    }
}

/// What of a foot stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum FootPart {
    /// Its heel.
    Heel,
    /// Its toes, or all of a foot that has no sole.
    Toe,
}

/// A part of a foot that stands on the ground for some frames.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Contact {
    /// Which foot, in the order of [`FootPlanter::feet`].
    pub foot: usize,
    /// The joint that carries the part.
    pub joint: JointId,
    /// What of it stands.
    pub part: FootPart,
    /// In which frames.
    pub frames: Range<usize>,
    /// Where it stands: the heel under the sole, the toes at their joint.
    pub place: Vec3,
    /// How far it is from there at the most, in metres.
    pub drift: Real,
}

/// What came of a clip.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PlantSummary {
    /// All contacts, by the frame in which they begin.
    pub contacts: Vec<Contact>,
    /// How high the ground of the recording is, in metres.
    pub level: Real,
    /// The greatest drift of a contact, in metres.
    pub drift: Real,
    /// How deep a joint or tip of a foot is under the ground at the most, in metres.
    pub depth: Real,
    /// How far the hips went down at the most, in metres.
    pub lowered: Real,
}

/// Plants feet; see the [module](self).
#[derive(Debug, Clone)]
pub struct FootPlanter {
    options: PlantOptions,
    feet: Vec<PlantFoot>,
    model: ModelPose,
    fingerprint: u64,
    /// How high the animation's ground is.
    level: Real,
    /// What frame by frame is remembered.
    live: Vec<LiveFoot>,
    hips: Spring,
}

impl FootPlanter {
    /// For a rig with a free root: a humanoid with two legs, or else legs that end on the ground at rest.
    pub fn new(skeleton: &Skeleton, options: PlantOptions) -> Result<Self, RigError> {
        Self::with_map(skeleton, &HumanoidMap::find(skeleton), options)
    }

    /// The same, for a body whose parts are known.
    pub fn with_map(skeleton: &Skeleton, map: &HumanoidMap, options: PlantOptions) -> Result<Self, RigError> {
        let feet = PlantFoot::find(skeleton, map)?;
        Ok(Self {
            options,
            live: alloc::vec![LiveFoot::NEW; feet.len()],
            feet,
            model: ModelPose::rest(skeleton),
            fingerprint: skeleton.fingerprint(),
            level: 0.0,
            hips: Spring::REST,
        })
    }

    /// What counts as a contact, and what may be done for it.
    pub fn options(&self) -> &PlantOptions {
        &self.options
    }

    /// Changes that, also between frames: an influence that fades is the game's to fade.
    pub fn set_options(&mut self, options: PlantOptions) {
        self.options = options;
    }

    /// The joints that carry the feet.
    pub fn feet(&self) -> impl ExactSizeIterator<Item = JointId> + '_ {
        self.feet.iter().map(|foot| foot.effector.joint)
    }

    fn leg_length(&self) -> Real {
        self.feet.iter().map(|f| f.length).sum::<Real>() / self.feet.len().max(1) as Real
    }

    /// Moves the whole body up.
    fn move_root(&self, skeleton: &Skeleton, up: Real, pose: &mut Pose) {
        let root = skeleton.root();
        let shift = skeleton.joint(root).rest().rotation.conjugate() * (Vec3::Y * up);
        pose.set_translation(root, pose.translation(root) + shift);
    }
}
