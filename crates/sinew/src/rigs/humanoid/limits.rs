//! How far the joints of a human move, in degrees, and who measured it.
//!
//! # Sources
//! - *AAOS*: American Academy of Orthopaedic Surgeons, *Joint Motion: Method of
//!   Measuring and Recording* (1965), the normal ranges.
//! - *AMA*: American Medical Association, *Guides to the Evaluation of Permanent
//!   Impairment*, 3rd ed. (1988).
//! - *Kapandji*: I. A. Kapandji, *The Physiology of the Joints*, vols. 1-3.
//! - *White & Panjabi*: *Clinical Biomechanics of the Spine*, 2nd ed. (1990), the
//!   representative values per level of the spine.
//! - *Inman*: Inman, Saunders & Abbott, "Observations on the function of the
//!   shoulder joint" (1944).
//! - *Lee*: Lee et al., "Differences in eye movement range based on age and gaze
//!   direction", Eye 33 (2019).
//!
//! # What a joint stands for
//! One joint of the rig often stands for several of the body, and then has their
//! ranges together. `vl5` is L5-S1 to L3-4, `vl1` is L2-3 to T10-11, `vt6` is T9-10
//! to T5-6, `vt1` is T4-5 to T1-2, `vc4` is C7-T1 to C3-4, `skullbase` C2-3 to the
//! skull; the ranges are the sums of White & Panjabi's levels, and their flexion
//! and extension, which they give as one, are divided as Kapandji divides them
//! for the region (lumbar 60 to 35, thoracic 45 to 25, lower neck 40 to 75, head
//! about even).
//!
//! The shoulder stands for the glenohumeral and the acromioclavicular joint,
//! which together raise the arm by about 120° + 20°; the sternoclavicular joint
//! adds the 40° that make a raised arm (Inman). The ankle stands for the
//! talocrural and the subtalar joint, and `subtalar` is fixed. The forearm's
//! rotation is part of the elbow.
//!
//! # Regions
//! Flexion and side are the widths of an elliptic region for the bone's
//! direction. It is centred in the middle of both ranges, so a range is reached in
//! full with the other coordinate at its own middle, and a few degrees less at
//! zero. Twist is measured from that centre.

use crate::math::*;

/// A range in degrees: how far to the negative and to the positive side.
pub(super) type Degrees = (Real, Real);

/// What a ball joint may do. The signs are those of the left side; the right is
/// its mirror image.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct BallRange {
    /// Extension (negative) to flexion: bending forwards.
    pub flexion: Degrees,
    /// Towards the body's middle (negative) to away from it.
    pub side: Degrees,
    /// About the bone, from the joint outwards: for arms and legs outwards
    /// (negative) to inwards.
    pub twist: Degrees,
}

const fn ball(flexion: Degrees, side: Degrees, twist: Degrees) -> BallRange {
    BallRange { flexion, side, twist }
}

/// L5-S1 17°, L4-5 16°, L3-4 15° of flexion and extension; 3°, 6°, 8° to a side;
/// 1°, 2°, 2° of rotation (White & Panjabi).
pub(super) const VL5: BallRange = ball((-17.5, 30.5), (-17.0, 17.0), (-5.0, 5.0));
/// L2-3 14°, L1-2 12°, T12-L1 12°, T11-12 12°, T10-11 9°; 6°, 6°, 8°, 9°, 7° to a
/// side; 2° each of rotation (White & Panjabi).
pub(super) const VL1: BallRange = ball((-21.5, 37.5), (-36.0, 36.0), (-10.0, 10.0));
/// T9-10 to T7-8 6° each, T6-7 5°, T5-6 4°; 6° each to a side; 4°, 6°, 7°, 7°, 8° of
/// rotation (White & Panjabi).
pub(super) const VT6: BallRange = ball((-9.5, 17.5), (-30.0, 30.0), (-32.0, 32.0));
/// T4-5 to T1-2 4° each; 6°, 5°, 6°, 5° to a side; 8°, 8°, 8°, 9° of rotation (White &
/// Panjabi).
pub(super) const VT1: BallRange = ball((-6.0, 10.0), (-22.0, 22.0), (-33.0, 33.0));
/// C7-T1 9°, C6-7 17°, C5-6 20°, C4-5 20°, C3-4 15°; 4°, 7°, 8°, 11°, 11° to a side;
/// 2°, 6°, 7°, 7°, 7° of rotation (White & Panjabi).
pub(super) const VC4: BallRange = ball((-53.0, 28.0), (-41.0, 41.0), (-29.0, 29.0));
/// C2-3 10°, C1-2 20°, C0-1 25°; 10°, 5°, 5° to a side; 3°, 40°, 5° of rotation
/// (White & Panjabi).
pub(super) const SKULLBASE: BallRange = ball((-30.0, 25.0), (-20.0, 20.0), (-48.0, 48.0));

/// Flexion 120°, extension 30°, abduction 45°, adduction 30°, rotation 45° either
/// way (AAOS).
pub(super) const HIP: BallRange = ball((-30.0, 120.0), (-30.0, 45.0), (-45.0, 45.0));
/// Straight to 150° (AMA; AAOS has 135°, Kapandji 160° passively).
pub(super) const KNEE: Degrees = (0.0, 150.0);
/// Plantar flexion 50°, dorsiflexion 20° (AAOS); 10° of the foot outwards and
/// inwards; as twist about the foot's length inversion 35°, eversion 15° (AAOS,
/// of the whole foot).
pub(super) const ANKLE: BallRange = ball((-50.0, 20.0), (-10.0, 10.0), (-35.0, 15.0));
/// The arch of the foot gives 5° down and 10° up. Ours: the literature counts it
/// with the ankle.
pub(super) const MIDTARSAL: Degrees = (-5.0, 10.0);
/// Flexion 45°, extension 70° of the great toe's first joint (AAOS).
pub(super) const METATARSAL: Degrees = (-45.0, 70.0);

/// Protraction and retraction 30° (Kapandji); elevation 40°, depression 10°
/// (Inman, Kapandji); axial rotation 40° backwards (Inman).
pub(super) const STERNOCLAVICULAR: BallRange = ball((-30.0, 30.0), (-10.0, 40.0), (-40.0, 10.0));
/// The shoulder's region is no product of two ranges at the side of the body: its
/// middle lies 50° forwards of sideways and 55° up from hanging, and it
/// reaches 95° up and down from there and 85° across. With the arm hanging that
/// is 141° of flexion, 45° of extension (Kapandji 45° to 50°), 134° of abduction,
/// 49° of adduction (Kapandji 30° to 45°, in front of the trunk), and from the
/// arm held sideways 133° forwards and 33° backwards (Kapandji 140° and 30° to 40°).
pub(super) const SHOULDER: ShoulderRange = ShoulderRange {
    forwards: 50.0,
    up: 55.0,
    raise: 95.0,
    across: 85.0,
    // Kapandji: external rotation 80°, internal 95°, at the side of the body.
    twist: (-80.0, 95.0),
};
/// Straight to 150° (AAOS).
pub(super) const ELBOW: Degrees = (0.0, 150.0);
/// Supination 80°, pronation 80°, from the thumb pointing forwards (AAOS).
pub(super) const FOREARM: Degrees = (-80.0, 80.0);
/// Extension 70°, flexion 80°; as sideways ulnar deviation 30°, radial 20° (AAOS).
/// The joint does not turn about the forearm; 5° are play.
pub(super) const WRIST: BallRange = ball((-70.0, 80.0), (-30.0, 20.0), (-5.0, 5.0));

/// Extension 45°, flexion 90° of a knuckle (AAOS).
pub(super) const KNUCKLE: Degrees = (-45.0, 90.0);
/// A finger spreads by 20° to either side (Kapandji).
pub(super) const SPREAD: Degrees = (-20.0, 20.0);
/// The middle joint of a finger: 100° (AAOS).
pub(super) const FINGER_MIDDLE: Degrees = (0.0, 100.0);
/// The last joint of a finger: 90° (AAOS).
pub(super) const FINGER_END: Degrees = (0.0, 90.0);
/// The saddle joint of the thumb: extension 20°, flexion 15°; abduction 70° from
/// the hand's edge, of which the rest has half (AAOS).
pub(super) const THUMB_SADDLE: BallRange = ball((-20.0, 15.0), (-35.0, 35.0), (-15.0, 15.0));
/// The thumb's knuckle: 50° (AAOS).
pub(super) const THUMB_MIDDLE: Degrees = (0.0, 50.0);
/// The thumb's last joint: extension 20°, flexion 80° (AAOS).
pub(super) const THUMB_END: Degrees = (-20.0, 80.0);

/// An eye turns up by 28°, down by 47°, outwards and inwards by 44° (Lee); it
/// rolls by 5°.
pub(super) const EYE: BallRange = ball((-28.0, 47.0), (-44.0, 44.0), (-5.0, 5.0));
/// The jaw opens by 30°. Ours, from an opening of some 50 mm.
pub(super) const JAW: Degrees = (0.0, 30.0);

/// The region of the upper arm, see [`SHOULDER`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ShoulderRange {
    /// Of the region's middle: from sideways to forwards, in degrees.
    pub forwards: Real,
    /// Of the region's middle: from hanging down upwards, in degrees.
    pub up: Real,
    /// How far the arm goes up and down from the middle.
    pub raise: Real,
    /// How far the arm goes across from the middle.
    pub across: Real,
    /// Outwards (negative) to inwards.
    pub twist: Degrees,
}
