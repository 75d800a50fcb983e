//! The behaviours that come with sinew, for any rig whose parts are known.
//!
//! A behaviour is designed once, in words of anatomy (how far the trunk bends and
//! turns, how far the hips sink, where the other arm hangs), as a list of
//! directions with what the body does there; [`Style::behaviour`] makes key
//! postures of it for a skeleton. Bends are spread over however many joints the
//! spine has and kept within their limits.
//!
//! * **plain**: leans and turns towards the goal as far as the reach needs, sinks
//!   at the hips and knees for low goals, raises the shoulder for high ones, looks
//!   where the hand goes.
//! * **tired**: slumped already while standing; bends from the back rather than
//!   from the knees, lets head and shoulders hang and turns little.
//! * **two-handed**: square to the goal. The trunk bends without leaning to a side and turns only
//!   as far as the goal stands to one; the other arm comes along.
//!
//! Directions are given by how far to the arm's own side of straight ahead they
//! are (`outwards`, negative across the body) and how far up, in degrees.

use alloc::vec::Vec;

use super::behaviour::{Behaviour, BehaviourError, KeyPosture};
use super::frame::{sign, swing_at};
use super::plane::OUTER;
use super::values::{DistanceWeight, KeyValues, SearchValues};
use crate::analytic::{Limb, LimbGoal, Swivel};
use crate::math::*;
use crate::pose::{ModelPose, Pose};
use crate::skeleton::humanoid::{Facing, HumanoidBone, HumanoidMap, Side};
use crate::skeleton::{JointId, JointKind, Skeleton};

/// One of the behaviours that come with sinew.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Style {
    /// Leans, turns and sinks towards the goal.
    #[default]
    Plain,
    /// Slumped, with head and shoulders hanging.
    Tired,
    /// Square to the goal, the other hand comes along.
    TwoHanded,
}

impl Style {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Plain, Self::Tired, Self::TwoHanded];

    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Tired => "tired",
            Self::TwoHanded => "two-handed",
        }
    }

    /// The style of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|style| style.name() == name)
    }

    /// The behaviour for an arm of a body; `None` if the map does not know where
    /// the character faces.
    pub fn behaviour(self, skeleton: &Skeleton, map: &HumanoidMap, side: Side) -> Option<Behaviour> {
        let facing = map.facing()?;
        let shaper = Shaper::new(skeleton, map, facing, side);
        self.keys(&shaper, skeleton, side).ok()
    }

    fn keys(self, shaper: &Shaper<'_>, skeleton: &Skeleton, side: Side) -> Result<Behaviour, BehaviourError> {
        let table = match self {
            Self::Plain => PLAIN,
            Self::Tired => TIRED,
            Self::TwoHanded => TWO_HANDED,
        };
        let (outer, inner) = table.split_at(OUTER.len());
        // The outer keys stand at the corners: (low or high) × (across or outwards).
        let mut keys: Vec<KeyPosture> = OUTER
            .iter()
            .map(|corner| {
                // A negative turn about x lifts; a turn about y goes towards x, the left.
                let (high, outwards) = (corner.x < 0.0, (corner.y > 0.0) == (side == Side::Left));
                let key = &outer[usize::from(high) * 2 + usize::from(outwards)];
                KeyPosture { swing: *corner, pose: shaper.posture(key), values: key.values() }
            })
            .collect();
        keys.extend(inner.iter().map(|key| KeyPosture {
            swing: swing_at(side, key.outwards.to_radians(), key.up.to_radians()),
            pose: shaper.posture(key),
            values: key.values(),
        }));
        let mut behaviour = Behaviour::from_keys(self.name(), side, skeleton, keys)?;
        if self == Self::Tired {
            let mut stance = shaper.posture(&TIRED_STANCE);
            shaper.arm(&mut stance, &TIRED_STANCE, side);
            behaviour.set_stance(Some(stance))?;
        }
        Ok(behaviour)
    }
}

/// What a body does for goals in one direction. Angles in degrees.
#[derive(Debug, Clone, Copy)]
struct Design {
    outwards: Real,
    up: Real,
    /// The spine: forwards, to the arm's side, and the arm's shoulder forwards.
    bend: Real,
    lean: Real,
    turn: Real,
    /// The pelvis: forwards, and the arm's hip forwards.
    bow: Real,
    pivot: Real,
    /// The hips: down, back and to the arm's side, in shares of the leg's length.
    sink: Real,
    back: Real,
    shift: Real,
    /// Neck and head: forwards (down), and to the arm's side.
    nod: Real,
    look: Real,
    /// The arm's collarbone: up and forwards.
    lift: Real,
    reach: Real,
    /// The other arm: forwards, to its side, and the elbow's bend.
    swing: Real,
    spread: Real,
    fold: Real,
    /// The arm's preferred swivel.
    swivel: Real,
}

impl Design {
    const fn at(outwards: Real, up: Real) -> Self {
        Self {
            outwards,
            up,
            bend: 0.0,
            lean: 0.0,
            turn: 0.0,
            bow: 0.0,
            pivot: 0.0,
            sink: 0.0,
            back: 0.0,
            shift: 0.0,
            nod: 0.0,
            look: 0.0,
            lift: 0.0,
            reach: 0.0,
            swing: 0.0,
            spread: 4.0,
            fold: 12.0,
            swivel: 0.0,
        }
    }

    const fn spine(self, bend: Real, lean: Real, turn: Real) -> Self {
        Self { bend, lean, turn, ..self }
    }
    const fn pelvis(self, bow: Real, pivot: Real) -> Self {
        Self { bow, pivot, ..self }
    }
    const fn hips(self, sink: Real, back: Real, shift: Real) -> Self {
        Self { sink, back, shift, ..self }
    }
    const fn head(self, nod: Real, look: Real) -> Self {
        Self { nod, look, ..self }
    }
    const fn collarbone(self, lift: Real, reach: Real) -> Self {
        Self { lift, reach, ..self }
    }
    const fn other_arm(self, swing: Real, spread: Real, fold: Real) -> Self {
        Self { swing, spread, fold, ..self }
    }
    const fn swivel(self, swivel: Real) -> Self {
        Self { swivel, ..self }
    }

    /// What the arm can reach alone should not need a bow, least of all below the
    /// shoulder, where the hand hangs: the lower, the later the body takes part.
    fn values(&self) -> KeyValues {
        let low = (-self.up / 70.0).clamp(0.0, 1.0);
        KeyValues {
            search: SearchValues { swivel: self.swivel.to_radians(), ..SearchValues::default() },
            weight: DistanceWeight {
                start: 0.35 + 0.67 * low,
                full: 1.55 + 0.6 * low,
                stretch: 0.96 + 0.04 * low,
            },
        }
    }
}

/// The first four are the outer keys: low across, low outwards, high across, high
/// outwards, all of them behind the body.
const PLAIN: &[Design] = &[
    Design::at(180.0, -45.0).spine(4.0, 4.0, -22.0).pelvis(4.0, -8.0).head(5.0, 25.0),
    Design::at(180.0, -45.0).spine(8.0, 12.0, -32.0).pelvis(4.0, -14.0).head(8.0, 40.0),
    Design::at(180.0, 45.0)
        .spine(-4.0, -4.0, -22.0)
        .pelvis(0.0, -8.0)
        .head(-10.0, 25.0)
        .collarbone(15.0, -8.0),
    Design::at(180.0, 45.0)
        .spine(-6.0, 0.0, -32.0)
        .pelvis(0.0, -14.0)
        .head(-12.0, 40.0)
        .collarbone(15.0, -10.0),
    // Level: ahead, across, to the side, behind the side.
    Design::at(0.0, 0.0)
        .spine(26.0, 0.0, 22.0)
        .pelvis(12.0, 8.0)
        .hips(0.03, 0.03, 0.0)
        .head(-20.0, 0.0)
        .collarbone(3.0, 16.0)
        .other_arm(18.0, 6.0, 18.0),
    Design::at(-55.0, 0.0)
        .spine(18.0, -6.0, 40.0)
        .pelvis(8.0, 16.0)
        .hips(0.02, 0.02, 0.0)
        .head(-12.0, -28.0)
        .collarbone(3.0, 22.0)
        .other_arm(6.0, 14.0, 22.0),
    Design::at(75.0, 0.0)
        .spine(6.0, 26.0, -10.0)
        .pelvis(2.0, -6.0)
        .hips(0.02, 0.0, 0.05)
        .head(-4.0, 45.0)
        .collarbone(6.0, 0.0)
        .other_arm(6.0, 18.0, 16.0),
    Design::at(125.0, -5.0)
        .spine(4.0, 12.0, -42.0)
        .pelvis(2.0, -18.0)
        .hips(0.02, 0.0, 0.02)
        .head(2.0, 60.0)
        .collarbone(3.0, -16.0)
        .other_arm(24.0, 6.0, 26.0),
    // Low: the hips go back and down, the knees bend.
    Design::at(0.0, -42.0)
        .spine(38.0, 4.0, 18.0)
        .pelvis(30.0, 6.0)
        .hips(0.09, 0.10, 0.0)
        .head(-24.0, 0.0)
        .collarbone(-3.0, 12.0)
        .other_arm(56.0, 6.0, 14.0),
    Design::at(-50.0, -42.0)
        .spine(36.0, -4.0, 36.0)
        .pelvis(22.0, 14.0)
        .hips(0.07, 0.08, 0.0)
        .head(-10.0, -22.0)
        .collarbone(-2.0, 18.0)
        .other_arm(44.0, 14.0, 18.0),
    Design::at(75.0, -45.0)
        .spine(16.0, 34.0, -6.0)
        .pelvis(10.0, -4.0)
        .hips(0.07, 0.04, 0.05)
        .head(4.0, 38.0)
        .collarbone(-4.0, 2.0)
        .other_arm(22.0, 24.0, 18.0),
    Design::at(0.0, -72.0)
        .spine(52.0, 6.0, 14.0)
        .pelvis(58.0, 4.0)
        .hips(0.26, 0.19, 0.0)
        .head(-26.0, 0.0)
        .collarbone(-4.0, 10.0)
        .other_arm(84.0, 8.0, 16.0),
    Design::at(100.0, -72.0)
        .spine(30.0, 34.0, 0.0)
        .pelvis(24.0, -4.0)
        .hips(0.14, 0.11, 0.03)
        .head(0.0, 24.0)
        .collarbone(-5.0, 0.0)
        .other_arm(46.0, 18.0, 18.0),
    // Beside the leg, where the hand hangs: nothing until it has to go lower.
    Design::at(0.0, -90.0)
        .spine(42.0, 22.0, 6.0)
        .pelvis(44.0, 0.0)
        .hips(0.22, 0.16, 0.02)
        .head(-16.0, 10.0)
        .collarbone(-5.0, 4.0)
        .other_arm(66.0, 14.0, 16.0),
    // High: the shoulder goes up, the trunk stretches away from it.
    Design::at(5.0, 45.0)
        .spine(6.0, -6.0, 16.0)
        .pelvis(4.0, 6.0)
        .head(-24.0, 4.0)
        .collarbone(24.0, 8.0)
        .other_arm(6.0, 8.0, 14.0),
    Design::at(-50.0, 45.0)
        .spine(4.0, -8.0, 34.0)
        .pelvis(2.0, 12.0)
        .head(-22.0, -20.0)
        .collarbone(22.0, 14.0)
        .other_arm(2.0, 10.0, 16.0),
    Design::at(85.0, 45.0)
        .spine(-2.0, 8.0, -10.0)
        .pelvis(0.0, -4.0)
        .head(-22.0, 38.0)
        .collarbone(24.0, -4.0)
        .other_arm(4.0, 10.0, 14.0),
    Design::at(20.0, 80.0)
        .spine(-6.0, -14.0, 6.0)
        .head(-30.0, 8.0)
        .collarbone(34.0, 0.0)
        .other_arm(0.0, 8.0, 10.0),
];

/// How a tired character stands.
const TIRED_STANCE: Design = Design::at(0.0, -90.0)
    .spine(24.0, 2.0, 0.0)
    .pelvis(-6.0, 0.0)
    .hips(0.02, -0.01, 0.0)
    .head(26.0, 0.0)
    .collarbone(-5.0, 8.0)
    .other_arm(12.0, 3.0, 8.0);

const TIRED: &[Design] = &[
    Design::at(180.0, -45.0).spine(26.0, 2.0, -8.0).head(28.0, 8.0).other_arm(12.0, 3.0, 8.0),
    Design::at(180.0, -45.0)
        .spine(28.0, 8.0, -16.0)
        .pelvis(0.0, -8.0)
        .head(28.0, 16.0)
        .other_arm(14.0, 3.0, 8.0),
    Design::at(180.0, 45.0).spine(18.0, -2.0, -8.0).head(16.0, 8.0).other_arm(10.0, 3.0, 8.0),
    Design::at(180.0, 45.0)
        .spine(18.0, 0.0, -16.0)
        .pelvis(0.0, -8.0)
        .head(16.0, 14.0)
        .other_arm(10.0, 3.0, 8.0),
    Design::at(0.0, 0.0)
        .spine(46.0, 4.0, 14.0)
        .pelvis(8.0, 4.0)
        .hips(0.03, 0.03, 0.0)
        .head(14.0, 0.0)
        .collarbone(-6.0, 14.0)
        .other_arm(38.0, 3.0, 8.0)
        .swivel(-6.0),
    Design::at(-55.0, 0.0)
        .spine(40.0, -4.0, 28.0)
        .pelvis(6.0, 8.0)
        .hips(0.03, 0.02, 0.0)
        .head(18.0, -10.0)
        .collarbone(-5.0, 18.0)
        .other_arm(30.0, 4.0, 8.0)
        .swivel(-6.0),
    Design::at(75.0, 0.0)
        .spine(30.0, 24.0, -8.0)
        .pelvis(0.0, -4.0)
        .hips(0.02, 0.0, 0.05)
        .head(22.0, 16.0)
        .collarbone(-4.0, 2.0)
        .other_arm(26.0, 6.0, 8.0),
    Design::at(125.0, -5.0)
        .spine(30.0, 12.0, -30.0)
        .pelvis(0.0, -14.0)
        .head(24.0, 22.0)
        .collarbone(-4.0, -10.0)
        .other_arm(30.0, 4.0, 8.0),
    Design::at(0.0, -42.0)
        .spine(62.0, 6.0, 10.0)
        .pelvis(26.0, 2.0)
        .hips(0.04, 0.07, 0.0)
        .head(16.0, 0.0)
        .collarbone(-8.0, 12.0)
        .other_arm(66.0, 3.0, 8.0),
    Design::at(-50.0, -42.0)
        .spine(56.0, -2.0, 24.0)
        .pelvis(20.0, 8.0)
        .hips(0.04, 0.06, 0.0)
        .head(18.0, -10.0)
        .collarbone(-6.0, 16.0)
        .other_arm(52.0, 5.0, 8.0),
    Design::at(75.0, -45.0)
        .spine(38.0, 34.0, -4.0)
        .pelvis(10.0, -4.0)
        .hips(0.05, 0.04, 0.05)
        .head(22.0, 14.0)
        .collarbone(-8.0, 2.0)
        .other_arm(36.0, 8.0, 8.0),
    Design::at(0.0, -72.0)
        .spine(74.0, 6.0, 8.0)
        .pelvis(58.0, 2.0)
        .hips(0.10, 0.15, 0.0)
        .head(14.0, 0.0)
        .collarbone(-8.0, 10.0)
        .other_arm(88.0, 4.0, 8.0),
    Design::at(100.0, -72.0)
        .spine(52.0, 32.0, 0.0)
        .pelvis(26.0, -4.0)
        .hips(0.11, 0.09, 0.03)
        .head(18.0, 8.0)
        .collarbone(-8.0, 0.0)
        .other_arm(58.0, 6.0, 8.0),
    Design::at(0.0, -90.0)
        .spine(64.0, 20.0, 4.0)
        .pelvis(44.0, 0.0)
        .hips(0.10, 0.12, 0.02)
        .head(16.0, 4.0)
        .collarbone(-8.0, 4.0)
        .other_arm(76.0, 5.0, 8.0),
    Design::at(5.0, 45.0)
        .spine(22.0, -6.0, 14.0)
        .pelvis(2.0, 4.0)
        .head(4.0, 2.0)
        .collarbone(14.0, 8.0)
        .other_arm(18.0, 3.0, 8.0)
        .swivel(-8.0),
    Design::at(-50.0, 45.0)
        .spine(20.0, -8.0, 26.0)
        .pelvis(2.0, 8.0)
        .head(6.0, -8.0)
        .collarbone(14.0, 12.0)
        .other_arm(16.0, 4.0, 8.0),
    Design::at(85.0, 45.0)
        .spine(16.0, 6.0, -8.0)
        .head(6.0, 14.0)
        .collarbone(14.0, -2.0)
        .other_arm(14.0, 4.0, 8.0),
    Design::at(20.0, 80.0)
        .spine(10.0, -14.0, 6.0)
        .head(0.0, 4.0)
        .collarbone(26.0, 0.0)
        .other_arm(8.0, 4.0, 8.0),
];

const TWO_HANDED: &[Design] = &[
    Design::at(180.0, -45.0)
        .spine(6.0, 0.0, -30.0)
        .pelvis(4.0, -16.0)
        .head(6.0, 30.0)
        .other_arm(45.0, 4.0, 45.0),
    Design::at(180.0, -45.0)
        .spine(8.0, 0.0, -40.0)
        .pelvis(4.0, -22.0)
        .head(8.0, 45.0)
        .other_arm(45.0, 4.0, 45.0),
    Design::at(180.0, 45.0)
        .spine(-4.0, 0.0, -30.0)
        .pelvis(0.0, -16.0)
        .head(-8.0, 30.0)
        .other_arm(60.0, 4.0, 45.0),
    Design::at(180.0, 45.0)
        .spine(-4.0, 0.0, -40.0)
        .pelvis(0.0, -22.0)
        .head(-8.0, 45.0)
        .other_arm(60.0, 4.0, 45.0),
    Design::at(-8.0, 0.0)
        .spine(34.0, 0.0, 0.0)
        .pelvis(18.0, 0.0)
        .hips(0.04, 0.06, 0.0)
        .head(-26.0, 0.0)
        .collarbone(2.0, 18.0)
        .other_arm(110.0, 2.0, 10.0),
    Design::at(-60.0, 0.0)
        .spine(26.0, 0.0, 34.0)
        .pelvis(12.0, 18.0)
        .hips(0.03, 0.04, 0.0)
        .head(-18.0, -22.0)
        .collarbone(2.0, 18.0)
        .other_arm(90.0, 6.0, 20.0),
    Design::at(55.0, 0.0)
        .spine(22.0, 0.0, -36.0)
        .pelvis(10.0, -20.0)
        .hips(0.03, 0.03, 0.0)
        .head(-14.0, 26.0)
        .collarbone(3.0, 6.0)
        .other_arm(95.0, -20.0, 20.0),
    Design::at(120.0, 0.0)
        .spine(10.0, 0.0, -50.0)
        .pelvis(4.0, -30.0)
        .hips(0.02, 0.02, 0.0)
        .head(-4.0, 45.0)
        .collarbone(3.0, -6.0)
        .other_arm(80.0, -25.0, 30.0),
    Design::at(-8.0, -42.0)
        .spine(42.0, 0.0, 0.0)
        .pelvis(34.0, 0.0)
        .hips(0.11, 0.12, 0.0)
        .head(-22.0, 0.0)
        .collarbone(-3.0, 14.0)
        .other_arm(80.0, 2.0, 10.0),
    Design::at(-55.0, -42.0)
        .spine(38.0, 0.0, 30.0)
        .pelvis(26.0, 16.0)
        .hips(0.09, 0.10, 0.0)
        .head(-16.0, -18.0)
        .collarbone(-2.0, 14.0)
        .other_arm(70.0, 6.0, 16.0),
    Design::at(55.0, -42.0)
        .spine(36.0, 0.0, -30.0)
        .pelvis(24.0, -16.0)
        .hips(0.09, 0.09, 0.0)
        .head(-12.0, 20.0)
        .collarbone(-2.0, 6.0)
        .other_arm(72.0, -14.0, 16.0),
    Design::at(0.0, -72.0)
        .spine(54.0, 0.0, 0.0)
        .pelvis(60.0, 0.0)
        .hips(0.26, 0.19, 0.0)
        .head(-20.0, 0.0)
        .collarbone(-4.0, 12.0)
        .other_arm(75.0, 2.0, 10.0),
    Design::at(100.0, -72.0)
        .spine(36.0, 0.0, -26.0)
        .pelvis(34.0, -16.0)
        .hips(0.15, 0.13, 0.0)
        .head(-8.0, 18.0)
        .collarbone(-4.0, 2.0)
        .other_arm(60.0, -12.0, 18.0),
    Design::at(0.0, -90.0)
        .spine(46.0, 0.0, -12.0)
        .pelvis(48.0, -8.0)
        .hips(0.22, 0.16, 0.0)
        .head(-14.0, 9.0)
        .collarbone(-4.0, 6.0)
        .other_arm(68.0, -4.0, 14.0),
    Design::at(-8.0, 45.0)
        .spine(6.0, 0.0, 0.0)
        .pelvis(6.0, 0.0)
        .head(-26.0, 0.0)
        .collarbone(24.0, 8.0)
        .other_arm(140.0, 4.0, 14.0),
    Design::at(-55.0, 45.0)
        .spine(4.0, 0.0, 30.0)
        .pelvis(4.0, 14.0)
        .head(-22.0, -18.0)
        .collarbone(22.0, 8.0)
        .other_arm(125.0, 6.0, 18.0),
    Design::at(60.0, 45.0)
        .spine(2.0, 0.0, -30.0)
        .pelvis(2.0, -16.0)
        .head(-22.0, 22.0)
        .collarbone(24.0, 0.0)
        .other_arm(125.0, -14.0, 18.0),
    Design::at(10.0, 80.0)
        .spine(-8.0, 0.0, 0.0)
        .head(-32.0, 0.0)
        .collarbone(32.0, 0.0)
        .other_arm(150.0, 6.0, 16.0),
];

/// Makes postures of designs, for one skeleton and arm.
struct Shaper<'a> {
    skeleton: &'a Skeleton,
    map: &'a HumanoidMap,
    facing: Facing,
    side: Side,
    rest: ModelPose,
    /// The joint that moves the whole body, and what moves the pelvis.
    mover: Option<JointId>,
    hips: Option<JointId>,
    leg: Real,
}

impl<'a> Shaper<'a> {
    fn new(skeleton: &'a Skeleton, map: &'a HumanoidMap, facing: Facing, side: Side) -> Self {
        let rest = ModelPose::rest(skeleton);
        let hips = map.get(HumanoidBone::Hips);
        let free = |joint: &JointId| skeleton.joint(*joint).kind() == JointKind::Free;
        let mover = hips.and_then(|hips| skeleton.ancestors(hips).find(free));
        let leg = map.leg(side).map_or(0.0, |leg| {
            let at = |j| rest.position(j);
            at(leg.upper).distance(at(leg.lower)) + at(leg.lower).distance(at(leg.end))
        });
        Self { skeleton, map, facing, side, rest, mover, hips, leg }
    }

    fn posture(&self, design: &Design) -> Pose {
        let mut pose = Pose::rest(self.skeleton);
        let Facing { left, up, forward, .. } = self.facing;
        // On the left a lean to the arm's side and a turn of its shoulder forwards
        // are the other way round about the axes.
        let s = -sign(self.side);
        let turned = |bend: Real, lean: Real, turn: Real| {
            (left * bend + forward * (lean * s) + up * (turn * s)) * (PI / 180.0)
        };

        let spine = self.map.spine();
        let n = spine.len() as Real;
        for (i, &joint) in spine.iter().enumerate() {
            // The lumbar joints bend most and turn least, the thoracic ones the other way.
            let (low, high) = (n - i as Real, i as Real + 0.5);
            let bends = low / (0.5 * n * (n + 1.0));
            let turns = high / (0.5 * n * n);
            self.turn(&mut pose, joint, turned(design.bend * bends, design.lean / n, design.turn * turns));
        }
        let neck: Vec<JointId> =
            self.map.neck().iter().copied().chain(self.map.get(HumanoidBone::Head)).collect();
        for &joint in &neck {
            let share = 1.0 / neck.len() as Real;
            // Looking to the arm's side turns the face the way that takes the
            // arm's shoulder back.
            self.turn(&mut pose, joint, turned(design.nod * share, 0.0, -design.look * share));
        }
        if let Some(collarbone) = self.map.get(HumanoidBone::Shoulder(self.side)) {
            self.turn(&mut pose, collarbone, turned(0.0, -design.lift, design.reach));
        }
        self.arm(&mut pose, design, self.side.other());
        self.pelvis(&mut pose, design, rotation::exp(turned(design.bow, 0.0, design.pivot)));
        self.legs(&mut pose);
        pose
    }

    /// Puts the feet back where they rest, so that a posture stands by itself; in
    /// a reach the solver holds them anyway.
    fn legs(&self, pose: &mut Pose) {
        let mut model = ModelPose::new(self.skeleton, pose);
        for side in Side::BOTH {
            let Ok(leg) = Limb::leg(self.skeleton, self.map, side) else { continue };
            let foot = LimbGoal::pose(self.rest.transform(leg.joints().end));
            leg.solve(self.skeleton, &model, &foot, Swivel::Last, pose);
            model.update_below(self.skeleton, pose, leg.joints().upper);
        }
    }

    /// Poses an arm as the design has the other one.
    fn arm(&self, pose: &mut Pose, design: &Design, other: Side) {
        let Facing { left, forward, .. } = self.facing;
        let Some(arm) = self.map.arm(other) else { return };
        let at = |j| self.rest.position(j);
        // From however the arm rests to hanging, then forwards and to its side.
        let bone = direction_or(at(arm.lower) - at(arm.upper), -self.facing.up);
        let out = left * sign(other);
        let (sin, cos) = (design.spread.to_radians()).sin_cos();
        let hanging = -self.facing.up * cos + out * sin;
        let wanted = rotation::about(left, -design.swing.to_radians()) * hanging;
        let turn = rotation::between(bone, wanted, forward);
        self.set_turn(pose, arm.upper, turn);
        let lower = direction_or(at(arm.end) - at(arm.lower), bone);
        // The forearm folds towards the front; in a T-pose that is about another
        // axis than with hanging arms, and `turn` has taken that along.
        let front = turn.conjugate() * (rotation::about(left, -design.swing.to_radians()) * forward);
        let axis = direction_or(lower.cross(front), -left);
        self.set_turn(pose, arm.lower, rotation::about(axis, design.fold.to_radians()));
    }

    fn pelvis(&self, pose: &mut Pose, design: &Design, turn: Quat) {
        let (Some(mover), Some(hips)) = (self.mover, self.hips) else { return };
        let Facing { left, up, forward, .. } = self.facing;
        let shift =
            (-up * design.sink - forward * design.back + left * (design.shift * sign(self.side))) * self.leg;
        self.set_turn(pose, mover, turn);
        // Wherever the mover stands, the hips go to their place.
        let arm = self.rest.position(hips) - self.rest.position(mover);
        let way = arm + shift - turn * arm;
        let frame = self.rest.rest_frame(self.skeleton, mover);
        pose.set_translation(mover, frame.conjugate() * way);
    }

    /// Turns a joint by a rotation vector of the rest pose's model space.
    fn turn(&self, pose: &mut Pose, joint: JointId, by: Vec3) {
        self.set_turn(pose, joint, rotation::exp(by));
    }

    fn set_turn(&self, pose: &mut Pose, joint: JointId, turn: Quat) {
        let frame = self.rest.rotation(joint);
        let wanted = frame.conjugate() * turn * frame;
        pose.set_rotation(joint, self.skeleton.joint(joint).project(wanted.normalize()));
    }
}
