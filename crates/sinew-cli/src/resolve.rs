//! From what was typed to what is meant: rigs and files by name, motions by
//! name or number, options for the readers.

use std::path::Path;

use anyhow::{Result, anyhow};
use sinew_f64::error::RigError;
use sinew_f64::skeleton::humanoid::{HumanoidBone, HumanoidMap};
use sinew_f64::{JointId, Quat, rigs};
use sinew_io::asf::AsfOptions;
use sinew_io::bvh::{BvhOptions, UpAxis};
use sinew_io::urdf::UrdfOptions;
use sinew_io::{Asset, Format, Motion, ReadOptions, read_file_with};

use crate::arguments::{ReadArguments, Up};
use crate::describe;
use crate::failure::usage;
use crate::memory;
use crate::progress::Progress;

/// Where an asset came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// Embedded in sinew, under this name.
    Rig(String),
    /// A file, as it was typed.
    File(String),
}

impl Origin {
    /// As it was typed.
    pub fn name(&self) -> &str {
        match self {
            Self::Rig(name) | Self::File(name) => name,
        }
    }

    /// The file's name without its folder, or the rig's, for people to read.
    pub fn title(&self) -> String {
        let name = self.name();
        describe::name(Path::new(name).file_name().and_then(|n| n.to_str()).unwrap_or(name))
    }
}

/// A rig or a file, read.
#[derive(Debug, Clone)]
pub struct Input {
    /// Where it came from.
    pub origin: Origin,
    /// What it holds.
    pub asset: Asset,
}

impl Input {
    /// Finds what RIG|FILE means and reads it. A file of that name wins.
    pub fn open(name: &str, read: &ReadArguments) -> Result<Self> {
        let mut input = Self::read(name, read)?;
        for text in &read.map {
            let role = input.role(text).map_err(|why| usage(format!("--map {text}: {why}")))?;
            input.asset.roles.push(role);
        }
        Ok(input)
    }

    /// A part of a human body and its joint, from PART=JOINT. It comes after what the file says, and so
    /// replaces it.
    fn role(&self, text: &str) -> Result<(String, JointId)> {
        let (part, joint) = text.split_once('=').ok_or_else(|| anyhow!("expected PART=JOINT"))?;
        let bone: HumanoidBone = part.trim().parse()?;
        let found = self.asset.find(joint.trim());
        let missing = || anyhow!("{} has no joint '{}'", self.origin.name(), joint.trim());
        Ok((bone.name().to_string(), found.ok_or_else(missing)?))
    }

    fn read(name: &str, read: &ReadArguments) -> Result<Self> {
        let options = read_options(read)?;
        if Path::new(name).exists() {
            let _progress = Progress::after_a_second(format!("reading {name}"));
            let asset = read_file_with(name, &options)?;
            check_options_apply(name, asset.source.format, read)?;
            return Ok(Self { origin: Origin::File(name.to_string()), asset });
        }
        match rigs::by_name(name) {
            Ok(skeleton) => {
                if let Some((option, _)) = given(read).first() {
                    return Err(usage(format!("{option} is about files, and '{name}' is an embedded rig")));
                }
                Ok(Self { origin: Origin::Rig(name.to_string()), asset: Asset::new(skeleton) })
            }
            Err(RigError::Unknown { .. }) if looks_like_a_file(name) => {
                Err(anyhow!("{name}: there is no such file"))
            }
            Err(error @ RigError::Unknown { .. }) => {
                Err(anyhow!("{error}; and there is no file of that name"))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// The parts of a human body: as the file says, the others as they are found.
    pub fn humanoid(&self) -> HumanoidMap {
        let _progress = Progress::after_a_second("looking for human parts");
        self.asset.humanoid()
    }

    /// The place of a motion in the asset, by its name or its number from 1.
    pub fn motion(&self, wanted: &str) -> Result<usize> {
        let motions = &self.asset.motions;
        let by_name = motions.iter().position(|m| m.name == wanted);
        let number = wanted.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
        by_name.or(number.filter(|n| *n < motions.len())).ok_or_else(|| {
            let name = self.origin.name();
            match motions.len() {
                0 => anyhow!("{name} has no motion"),
                count => {
                    anyhow!("{name} has no motion '{wanted}'; it has {count}: {}", motion_names(motions))
                }
            }
        })
    }
}

/// The first names of motions, or their numbers where they have none.
fn motion_names(motions: &[Motion]) -> String {
    const MOST: usize = 12;
    let mut names: Vec<String> = motions
        .iter()
        .enumerate()
        .take(MOST)
        .map(|(i, m)| if m.name.is_empty() { (i + 1).to_string() } else { format!("'{}'", m.name) })
        .collect();
    if motions.len() > MOST {
        names.push("…".into());
    }
    names.join(", ")
}

fn looks_like_a_file(name: &str) -> bool {
    name.contains(['/', '\\']) || Format::from_name(name).is_some()
}

/// The options that were given, with the formats that they mean something to.
fn given(read: &ReadArguments) -> Vec<(&'static str, &'static [Format])> {
    let options: [(&str, bool, &[Format]); 4] = [
        ("--scale", read.scale.is_some(), &[Format::Bvh, Format::Asf, Format::Amc]),
        ("--up", read.up.is_some(), &[Format::Bvh, Format::Urdf]),
        ("--rate", read.rate.is_some(), &[Format::Amc]),
        ("--root", read.root.is_some(), &[Format::Urdf]),
    ];
    options
        .into_iter()
        .filter(|(_, is_given, _)| *is_given)
        .map(|(name, _, formats)| (name, formats))
        .collect()
}

/// An option that a format has no use for is refused: it would do nothing.
fn check_options_apply(name: &str, format: Option<Format>, read: &ReadArguments) -> Result<()> {
    let Some(format) = format else { return Ok(()) };
    for (option, formats) in given(read) {
        if !formats.contains(&format) {
            let for_which: Vec<String> = formats.iter().map(ToString::to_string).collect();
            let for_which = for_which.join(", ");
            return Err(usage(format!("{option} is for {for_which} files, and {name} is a {format} file")));
        }
    }
    Ok(())
}

fn read_options(read: &ReadArguments) -> Result<ReadOptions> {
    for (option, value, what) in [("--scale", read.scale, "metres"), ("--rate", read.rate, "frames a second")]
    {
        if let Some(value) = value.filter(|v| !(v.is_finite() && *v > 0.0)) {
            return Err(usage(format!("{option} {value}: expected a number of {what} above zero")));
        }
    }
    let up = read.up.map(|up| match up {
        Up::Y => UpAxis::Y,
        Up::Z => UpAxis::Z,
    });
    let budget = memory::budget();
    Ok(ReadOptions {
        budget,
        bvh: BvhOptions { scale: read.scale, up, budget },
        asf: AsfOptions { scale: read.scale, frame_time: read.rate.map(|rate| 1.0 / rate), budget },
        urdf: UrdfOptions {
            root: read.root.clone(),
            axes: match read.up {
                Some(Up::Y) => Quat::IDENTITY,
                Some(Up::Z) | None => UrdfOptions::default().axes,
            },
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn as_it_is() -> ReadArguments {
        ReadArguments::default()
    }

    #[test]
    fn rigs_are_found_and_what_is_neither_says_so() {
        assert_eq!(Input::open("chain:4", &as_it_is()).unwrap().asset.skeleton.len(), 5);
        let error = |name: &str| Input::open(name, &as_it_is()).unwrap_err().to_string();
        assert!(error("unicorn").contains("there is no rig 'unicorn'"));
        assert!(error("no/such.bvh").contains("there is no such file"));
        assert!(error("chain:many").contains("'many' is not a number of bones"));
    }

    #[test]
    fn options_that_mean_nothing_here_are_refused() {
        let scaled = ReadArguments { scale: Some(2.0), ..as_it_is() };
        assert!(Input::open("spider", &scaled).unwrap_err().is::<crate::failure::Usage>());
        let senseless = ReadArguments { scale: Some(-1.0), ..as_it_is() };
        assert!(read_options(&senseless).unwrap_err().is::<crate::failure::Usage>());
        let rooted = ReadArguments { root: Some("base".into()), ..as_it_is() };
        let error = check_options_apply("walk.bvh", Some(Format::Bvh), &rooted).unwrap_err();
        assert_eq!(error.to_string(), "--root is for URDF files, and walk.bvh is a BVH file");
        assert!(check_options_apply("lamp.urdf", Some(Format::Urdf), &rooted).is_ok());
    }

    #[test]
    fn parts_of_a_body_are_taken_as_they_are_given() {
        let given =
            |map: &str| Input::open("humanoid", &ReadArguments { map: vec![map.into()], ..as_it_is() });
        let input = given("rightHand=r_elbow").unwrap();
        let elbow = input.asset.skeleton.find("r_elbow");
        assert_eq!(input.humanoid().get("rightHand".parse().unwrap()), elbow);
        for (map, why) in
            [("rightHand", "expected PART=JOINT"), ("paw=r_elbow", "paw"), ("rightHand=paw", "'paw'")]
        {
            let error = given(map).unwrap_err();
            assert!(error.is::<crate::failure::Usage>() && error.to_string().contains(why), "{error}");
        }
    }

    #[test]
    fn a_motion_that_is_missing_is_named() {
        let input = Input::open("spider", &as_it_is()).unwrap();
        assert_eq!(input.motion("1").unwrap_err().to_string(), "spider has no motion");
    }
}
