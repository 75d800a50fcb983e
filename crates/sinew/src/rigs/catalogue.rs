//! The rigs by name.

use alloc::string::{String, ToString};

use super::{ErikRobot, SwingModel, erik};
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
    build: fn(&[&str]) -> Result<Skeleton, String>,
}

impl RigInfo {
    /// The rig with its default parameters.
    pub fn build(&self) -> Skeleton {
        // The defaults are those of the table below and are built in a test.
        (self.build)(&[]).unwrap_or_else(|_| super::chain(1, 1.0))
    }
}

/// Why a name does not give a rig.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RigNameError {
    /// No rig has this name.
    #[error("there is no rig called '{name}'; there are {known}")]
    Unknown {
        /// The name that was asked for.
        name: String,
        /// The names there are.
        known: String,
    },
    /// What follows the name does not fit the rig.
    #[error("rig '{name}': {problem}")]
    BadParameter {
        /// The rig.
        name: String,
        /// What is wrong.
        problem: String,
    },
}

/// Every rig that the project makes, in the order in which to show them.
pub fn all() -> &'static [RigInfo] {
    const fn rig(
        name: &'static str,
        parameters: &'static str,
        description: &'static str,
        build: fn(&[&str]) -> Result<Skeleton, String>,
    ) -> RigInfo {
        RigInfo { name, parameters, description, build }
    }
    const RIGS: &[RigInfo] = &[
        rig(
            "humanoid",
            ":SWING",
            "an H-Anim human of 34 joints; SWING is ellipse, spline or kusudama",
            |p| Ok(super::humanoid(swing_model(p)?)),
        ),
        rig("humanoid-hands", ":SWING", "the same with all fingers, eyes and jaw: 61 joints", |p| {
            Ok(super::humanoid_with_hands(swing_model(p)?))
        }),
        rig("erik-a", "", "ERIK's robot A: 3 hinges Y-X-Y, ±90°", |p| no_more(p, || erik(ErikRobot::A))),
        rig("erik-b", "", "ERIK's robot B: 4 hinges Y-X-Z-Y, ±180°", |p| no_more(p, || erik(ErikRobot::B))),
        rig("erik-c", "", "ERIK's robot C: 5 hinges Y-X-X-Z-Y, ±90°", |p| {
            no_more(p, || erik(ErikRobot::C))
        }),
        rig("erik-d", "", "ERIK's robot D: 5 hinges Y-X-Z-X-Y, ±180°", |p| {
            no_more(p, || erik(ErikRobot::D))
        }),
        rig("erik-e", "", "ERIK's robot E: 5 hinges Y-X-Z-X-Y, ±90°", |p| {
            no_more(p, || erik(ErikRobot::E))
        }),
        rig("erik-f", "", "ERIK's robot F: 6 hinges Y-X-X-Z-X-Y, ±90°", |p| {
            no_more(p, || erik(ErikRobot::F))
        }),
        rig("erik-g", "", "ERIK's robot G: 8 hinges Y-X-Z-X-Y-X-Z-Y, ±90°", |p| {
            no_more(p, || erik(ErikRobot::G))
        }),
        rig("arm", "", "a robot arm of seven hinges: spherical shoulder, elbow, spherical wrist", |p| {
            no_more(p, super::arm)
        }),
        rig("spider", "", "a spider: eight legs of four hinges", |p| no_more(p, super::spider)),
        rig("quadruped", "", "a dog-like animal with spine, neck, tail and four legs", |p| {
            no_more(p, super::quadruped)
        }),
        rig("chain", ":BONES:LENGTH", "a straight chain of free ball joints (10 bones, 1 m)", |p| {
            let (bones, length) = bones_and_length(p, 10)?;
            Ok(super::chain(bones, length))
        }),
        rig(
            "snake",
            ":HINGES:LENGTH",
            "a snake that stands up: hinges that bend forward and aside in turn (10 hinges, 1 m)",
            |p| {
                let (hinges, length) = bones_and_length(p, 10)?;
                Ok(super::snake(hinges, length))
            },
        ),
        rig(
            "tentacle",
            ":BONES:LENGTH",
            "a tapered tentacle that bends 30° at each joint (18 bones, 1 m)",
            |p| {
                let (bones, length) = bones_and_length(p, 18)?;
                Ok(super::tentacle(bones, length))
            },
        ),
    ];
    RIGS
}

/// The rig with this name, which may carry parameters after colons: `spider`,
/// `chain:20`, `tentacle:30:2.5`. Capitals do not matter, and `_` is as good as `-`.
///
/// ```
/// let chain = sinew::rigs::by_name("chain:20")?;
/// assert_eq!(chain.len(), 21);
/// assert!(sinew::rigs::by_name("unicorn").is_err());
/// # Ok::<(), sinew::rigs::RigNameError>(())
/// ```
pub fn by_name(name: &str) -> Result<Skeleton, RigNameError> {
    let wanted = name.trim().to_lowercase().replace('_', "-");
    let mut parts = wanted.split(':');
    let base = parts.next().unwrap_or_default();
    let mut parameters: [&str; 3] = [""; 3];
    let mut count = 0;
    for part in parts {
        // More than a rig can take is as wrong as one too many.
        if count < parameters.len() {
            parameters[count] = part;
            count += 1;
        }
    }
    let Some(rig) = all().iter().find(|rig| rig.name == base) else {
        let known: alloc::vec::Vec<&str> = all().iter().map(|rig| rig.name).collect();
        return Err(RigNameError::Unknown { name: name.trim().to_string(), known: known.join(", ") });
    };
    (rig.build)(&parameters[..count])
        .map_err(|problem| RigNameError::BadParameter { name: rig.name.to_string(), problem })
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
