//! The rigs by name.

use alloc::string::String;
use alloc::vec::Vec;

use super::{ErikRobot, SwingModel, erik};
use crate::error::RigError;
use crate::math::*;
use crate::skeleton::{Skeleton, SkeletonBuilder};

/// One rig of the list: what to call it and what it is.
#[derive(Debug, Clone, Copy)]
pub struct RigInfo {
    /// The name that [`by_name`] knows it by.
    pub name: &'static str,
    /// What may follow the name, such as `:BONES`; empty where nothing may.
    pub parameters: &'static str,
    /// One line for people.
    pub description: &'static str,
    make: Make,
}

/// How a rig is made, by what may follow its name.
#[derive(Debug, Clone, Copy)]
enum Make {
    Plain(fn() -> Skeleton),
    Human(fn(SwingModel) -> Skeleton),
    /// With so many bones unless said otherwise.
    Chain(fn(usize, Real) -> Skeleton, usize),
}
use Make::{Chain, Human, Plain};

impl RigInfo {
    /// The rig with its default parameters.
    pub fn build(&self) -> Skeleton {
        // The defaults are those of the table below and are built in a test.
        self.make.with(&[]).unwrap_or_else(|_| super::chain(1, 1.0))
    }
}

impl Make {
    fn with(self, parameters: &[&str]) -> Result<Skeleton, String> {
        match self {
            Plain(build) => no_more(parameters, build),
            Human(build) => Ok(build(swing_model(parameters)?)),
            Chain(build, bones) => {
                let (bones, length) = bones_and_length(parameters, bones)?;
                Ok(build(bones, length))
            }
        }
    }
}

const fn rig(name: &'static str, parameters: &'static str, description: &'static str, make: Make) -> RigInfo {
    RigInfo { name, parameters, description, make }
}

const RIGS: &[RigInfo] = &[
    rig(
        "humanoid",
        ":SWING",
        "an H-Anim human of 34 joints; SWING is ellipse, spline or kusudama",
        Human(super::humanoid),
    ),
    rig(
        "humanoid-hands",
        ":SWING",
        "the same with all fingers, eyes and jaw: 61 joints",
        Human(super::humanoid_with_hands),
    ),
    rig("erik-a", "", "ERIK's robot A: 3 hinges Y-X-Y, ±90°", Plain(|| erik(ErikRobot::A))),
    rig("erik-b", "", "ERIK's robot B: 4 hinges Y-X-Z-Y, ±180°", Plain(|| erik(ErikRobot::B))),
    rig("erik-c", "", "ERIK's robot C: 5 hinges Y-X-X-Z-Y, ±90°", Plain(|| erik(ErikRobot::C))),
    rig("erik-d", "", "ERIK's robot D: 5 hinges Y-X-Z-X-Y, ±180°", Plain(|| erik(ErikRobot::D))),
    rig("erik-e", "", "ERIK's robot E: 5 hinges Y-X-Z-X-Y, ±90°", Plain(|| erik(ErikRobot::E))),
    rig("erik-f", "", "ERIK's robot F: 6 hinges Y-X-X-Z-X-Y, ±90°", Plain(|| erik(ErikRobot::F))),
    rig("erik-g", "", "ERIK's robot G: 8 hinges Y-X-Z-X-Y-X-Z-Y, ±90°", Plain(|| erik(ErikRobot::G))),
    rig(
        "arm",
        "",
        "a robot arm of seven hinges: spherical shoulder, elbow, spherical wrist",
        Plain(super::arm),
    ),
    rig("spider", "", "a spider: eight legs of four hinges", Plain(super::spider)),
    rig("quadruped", "", "a dog-like animal with spine, neck, tail and four legs", Plain(super::quadruped)),
    rig(
        "chain",
        ":BONES:LENGTH",
        "a straight chain of free ball joints (10 bones, 1 m)",
        Chain(super::chain, 10),
    ),
    rig(
        "snake",
        ":HINGES:LENGTH",
        "a snake that stands up: hinges that bend forward and aside in turn (10 hinges, 1 m)",
        Chain(super::snake, 10),
    ),
    rig(
        "tentacle",
        ":BONES:LENGTH",
        "a tapered tentacle that bends 30° at each joint (18 bones, 1 m)",
        Chain(super::tentacle, 18),
    ),
];

/// Every rig that the project makes, in the order in which to show them.
pub fn all() -> &'static [RigInfo] {
    RIGS
}

/// The rig with this name, which may carry parameters after colons: `spider`,
/// `chain:20`, `tentacle:30:2.5`. Capitals do not matter, and `_` is as good as `-`.
///
/// ```
/// let chain = sinew::rigs::by_name("chain:20")?;
/// assert_eq!(chain.len(), 21);
/// assert!(sinew::rigs::by_name("unicorn").is_err());
/// # Ok::<(), sinew::error::RigError>(())
/// ```
pub fn by_name(name: &str) -> Result<Skeleton, RigError> {
    let wanted = name.trim().to_lowercase().replace('_', "-");
    let mut parts = wanted.split(':');
    let base = parts.next().unwrap_or_default();
    let unknown = || RigError::unknown("rig", name.trim(), RIGS.iter().map(|rig| rig.name));
    let rig = RIGS.iter().find(|rig| rig.name == base).ok_or_else(unknown)?;
    // More than a rig can take is as wrong as one too many.
    let parameters: Vec<&str> = parts.take(3).collect();
    rig.make.with(&parameters).map_err(|problem| RigError::BadParameter {
        what: "rig",
        name: rig.name.into(),
        problem,
    })
}

fn no_more<T>(parameters: &[&str], build: impl FnOnce() -> T) -> Result<T, String> {
    match parameters.first() {
        None => Ok(build()),
        Some(extra) => Err(alloc::format!("it takes no parameter, and got '{extra}'")),
    }
}

fn swing_model(parameters: &[&str]) -> Result<SwingModel, String> {
    let model = match parameters.first() {
        None => SwingModel::default(),
        Some(text) => SwingModel::ALL
            .into_iter()
            .find(|model| model.name() == *text)
            .ok_or_else(|| alloc::format!("'{text}' is not ellipse, spline or kusudama"))?,
    };
    no_more(parameters.get(1..).unwrap_or_default(), || model)
}

fn bones_and_length(parameters: &[&str], default_bones: usize) -> Result<(usize, Real), String> {
    let most = SkeletonBuilder::MAX_JOINTS - 1;
    let bones = match parameters.first() {
        None => default_bones,
        Some(text) => text
            .parse()
            .ok()
            .filter(|bones| (1..=most).contains(bones))
            .ok_or_else(|| alloc::format!("'{text}' is not a number of bones from 1 to {most}"))?,
    };
    let length = match parameters.get(1) {
        None => 1.0,
        Some(text) => text
            .parse()
            .ok()
            .filter(|length: &Real| length.is_finite() && *length > 0.0)
            .ok_or_else(|| alloc::format!("'{text}' is not a length in metres"))?,
    };
    no_more(parameters.get(2..).unwrap_or_default(), || ()).map(|()| (bones, length))
}
