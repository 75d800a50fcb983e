//! How a body is made of its points.

use crate::analytic::LimbFollowerOptions;
use crate::filter::NoiseOptions;
use crate::math::*;

/// How much each cue says of where left is, about the line from pelvis to head.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct HeadingWeights {
    /// From the right wrist to the left, the paper's w1.
    pub wrists: Real,
    /// From the right ankle to the left, the paper's w2.
    pub ankles: Real,
    /// How long what was seen before counts, in seconds: cues that add up to the weight `w` are
    /// followed with the time constant `memory / w`. Zero follows them at once. This is the
    /// paper's w3, whose 1 at 120 frames a second is about 9 ms.
    pub memory: Real,
    /// That the wrists are in front rather than behind.
    pub front: Real,
    /// That ankles are apart fore and aft rather than sideways, by as much as they are apart at all: a
    /// stride is longer than it is wide. Zero is the paper's.
    pub stride: Real,
    /// That bodies go forwards or backwards rather than sideways, by as much as they go at all. Zero is
    /// the paper's.
    pub travel: Real,
}

/// How a body is made of its points; see the [module](super).
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SixPointOptions {
    /// What turns the pelvis.
    pub pelvis: HeadingWeights,
    /// What turns the chest against the pelvis; `None` leaves the spine without
    /// twist, as the paper does.
    pub chest: Option<HeadingWeights>,
    /// Below this distance in metres a pair of points says less and less of where
    /// left is; zero is the paper's.
    pub near: Real,
    /// How much wrists or ankles still count that point to the other side while the
    /// other pair does not: they are crossed, as of a body that lies with a leg over the other. One is
    /// the paper's.
    pub crossed: Real,
    /// How much of the pelvis' tilt comes from the legs, from 0 (the paper:
    /// none, it stands on the line to the head) to 1.
    pub tilt: Real,
    /// Whether the spine bends to the side to which it is curved at rest when pelvis and head come
    /// closer. The paper bends it in the plane in which the line from pelvis to head turns, and
    /// where that does not turn in the plane of the frame before (Alg. 2).
    pub bend_naturally: bool,
    /// Whether pelvis, spine and chest turn towards a wrist or an ankle that its limb alone does not
    /// reach.
    pub trunk_follows: bool,
    /// The wanted swivel angles of arms and legs from the neutral, outwards.
    pub swivels: [Real; 2],
    /// How fast arms and legs follow wrists and ankles. Limits hold unless
    /// [`give`](LimbFollowerOptions::give) says otherwise.
    pub limbs: LimbFollowerOptions,
    /// Whether the elbows are kept out of the torso (section 8). Needs the feature `collision`;
    /// without it they are not.
    pub elbows_out: bool,
    /// How fast a point may go beside the others, in metres a second. One that goes faster is
    /// followed at this speed. A fast punch goes at 10 and a kick at 15.
    pub point_speed: Real,
    /// How far beyond the reach of its limb a wrist or an ankle may be, and by
    /// how much the spine may be stretched, as a part of the reach, before the
    /// point cannot be right.
    pub stretch: Real,
    /// After how many seconds without a change of any bit a point is frozen, if the rest of the
    /// body moved by more than a hand's breadth meanwhile.
    pub frozen: Real,
    /// How fast the pelvis may turn about the spine, in radians a second. 36 is half a turn in a
    /// tenth of a second, beyond any turn on the spot.
    pub turn_speed: Real,
    /// How noisy the trackers are; `None` takes them at their word.
    pub noise: Option<NoiseOptions>,
    /// How high the floor is on which feet stand that nobody tracks, in metres over the one that the rest pose
    /// stands on. `None`: that one; if the first head that is seen is at no height over it at which a
    /// head is, the one through the origin; and if not over that either, where the body would stand
    /// under it.
    pub ground: Option<Real>,
}

crate::report::show_fields!(SixPointOptions);

/// Wrists and ankles are recorded motion and go as fast as they like. An elbow comes round in a
/// quarter of a second, and a jump that limits make of half a turn takes a fifteenth.
const LIMBS: LimbFollowerOptions =
    LimbFollowerOptions { swivel_speed: 12.0, joint_speed: 48.0, top_speed: None, give: 0.0 };

/// The ways of the paper, at once.
const FOLLOWED: HeadingWeights =
    HeadingWeights { wrists: 1.0, ankles: 1.0, memory: 0.0, front: 0.0, stride: 0.0, travel: 0.0 };

impl SixPointOptions {
    /// The paper's steps with the weights of the boxing and the jump kick (1, 1, 0). Not as printed:
    /// the neutral limb lies in the middle of where human limbs go, so that its undefined
    /// direction is behind the body and not straight up, elbows and knees do not jump, and the
    /// guard and the swivel search are there.
    pub fn paper() -> Self {
        Self {
            pelvis: FOLLOWED,
            chest: None,
            near: 0.0,
            crossed: 1.0,
            tilt: 0.0,
            bend_naturally: false,
            trunk_follows: false,
            swivels: [0.0; 2],
            ..Self::default()
        }
    }

    /// The same with the weights of the playground (0.1, 0.1, 1).
    pub fn paper_rigid() -> Self {
        let pelvis = HeadingWeights { wrists: 0.1, ankles: 0.1, memory: 0.009, ..FOLLOWED };
        Self { pelvis, ..Self::paper() }
    }
}

impl Default for SixPointOptions {
    /// Chosen from what bodies do, then set to round numbers near the best over
    /// motions of six kinds (boxing, dance, picking up, two walks and a reaching
    /// motion of our own) and tried on ten others, the paper's jump kick and
    /// playground among them; the last rounding had all of them in sight.
    /// docs/papers.md has both halves.
    ///
    /// * In a gait wrists and ankles swing against each other, so that as cues of the
    ///   heading they cancel if they weigh about the same; the chest goes rather with
    ///   the arms, the pelvis with the legs.
    /// * A stride is longer than it is wide, and people go where they face. The weights of headings are the
    ///   likeliest of twelve recordings' halves: each half's own do as well on the other.
    /// * A heading settles within a tenth of a second.
    /// * The pelvis stands on the legs more than it hangs on the spine.
    fn default() -> Self {
        Self {
            pelvis: HeadingWeights {
                wrists: 0.45,
                ankles: 0.4,
                memory: 0.011,
                front: 0.4,
                stride: 0.2,
                travel: 0.3,
            },
            chest: Some(HeadingWeights {
                wrists: 0.6,
                ankles: 0.25,
                memory: 0.011,
                front: 0.25,
                stride: 0.2,
                travel: 0.3,
            }),
            near: 0.65,
            crossed: 0.1,
            tilt: 0.75,
            bend_naturally: true,
            trunk_follows: true,
            swivels: [0.1, 0.0],
            limbs: LIMBS,
            elbows_out: true,
            point_speed: 24.0,
            stretch: 0.35,
            frozen: 0.05,
            turn_speed: 36.0,
            noise: None,
            ground: None,
        }
    }
}
