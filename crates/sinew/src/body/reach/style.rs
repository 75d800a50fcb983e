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

mod design;
mod shaper;

use self::design::{Design, PLAIN, STANDING, TIRED, TIRED_STANCE, TWO_HANDED};
use self::shaper::Shaper;
use super::behaviour::{Behaviour, KeyPosture};
use super::frame::swing_at;
use super::plane::OUTER;
use crate::error::RigError;
use crate::math::*;
use crate::pose::Pose;
use crate::skeleton::Skeleton;
use crate::skeleton::humanoid::{HumanoidMap, Side};

/// How a character stands that is about to reach: as it rests, but with its arms hanging where it rests in
/// a T-pose or an A-pose: beside the body, with the feature `collision` as far aside as its hips and thighs
/// need. As it rests if the map does not know where it faces.
///
/// ```
/// use sinew::body::reach::standing;
/// use sinew::skeleton::humanoid::HumanoidMap;
/// use sinew::{Pose, rigs};
/// let human = rigs::humanoid(Default::default());
/// // Its arms hang already.
/// assert_eq!(standing(&human, &HumanoidMap::find(&human)), Pose::rest(&human));
/// ```
pub fn standing(skeleton: &Skeleton, map: &HumanoidMap) -> Pose {
    let mut pose = Pose::rest(skeleton);
    let Some(facing) = map.facing() else { return pose };
    let relaxed = Design::new(&STANDING);
    let shaper = Shaper::new(skeleton, map, facing, Side::Right);
    for side in Side::BOTH.into_iter().filter(|&side| shaper.rests_raised(side)) {
        shaper.arm(&mut pose, &relaxed, side);
    }
    pose
}

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

    fn keys(self, shaper: &Shaper<'_>, skeleton: &Skeleton, side: Side) -> Result<Behaviour, RigError> {
        let table = match self {
            Self::Plain => PLAIN,
            Self::Tired => TIRED,
            Self::TwoHanded => TWO_HANDED,
        };
        let table = table.map(|row| Design::new(&row));
        let key = |swing, design: &Design| KeyPosture {
            swing,
            pose: shaper.posture(design),
            values: design.values(),
        };
        let (outer, inner) = table.split_at(OUTER.len());
        // The outer keys stand at the corners: (low or high) × (across or outwards).
        let outer = OUTER.iter().map(|corner| {
            // A negative turn about x lifts; a turn about y goes towards x, the left.
            let (high, outwards) = (corner.x < 0.0, (corner.y > 0.0) == (side == Side::Left));
            key(*corner, &outer[usize::from(high) * 2 + usize::from(outwards)])
        });
        let inner = inner.iter().map(|design| {
            let [outwards, up] = design.direction.map(Real::to_radians);
            key(swing_at(side, outwards, up), design)
        });
        let keys = outer.chain(inner).collect();
        let mut behaviour = Behaviour::from_keys(self.name(), side, skeleton, keys)?;
        if self == Self::Tired {
            let stance_design = Design::new(&TIRED_STANCE);
            let mut stance = shaper.posture(&stance_design);
            shaper.arm(&mut stance, &stance_design, side);
            behaviour.set_stance(Some(stance))?;
        }
        Ok(behaviour)
    }
}
