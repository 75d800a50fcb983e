//! The motions that are reconstructed: recorded ones from a folder, or those
//! that the project makes.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use sinew::skeleton::humanoid::HumanoidMap;
use sinew::{JointId, JointKind, ModelPose, Pose, Skeleton, Vec3};

/// A skeleton and a motion of it, in single precision.
pub struct Sequence {
    /// What tables call it.
    pub name: String,
    /// The skeleton.
    pub skeleton: Skeleton,
    /// Who is who.
    pub map: HumanoidMap,
    /// The recorded poses.
    pub frames: Vec<Pose>,
    /// Seconds from one frame to the next.
    pub frame_time: f64,
    /// Whether the heading should rather stay than follow (the paper's weights
    /// for its playground).
    pub rigid: bool,
    /// The place in the paper's Table 1.
    pub published: Option<usize>,
}

/// No hand is faster than this, in metres a second.
const FASTEST: f64 = 24.0;

/// Whether the first frame is no part of the motion, by where points are in it and in the second: many files open with a
/// T-pose (all CMU conversions to BVH do), from which no body comes to the second frame in time.
pub(crate) fn opens_apart(mut points: impl Iterator<Item = (Vec3, Vec3)>, frame_time: f64) -> bool {
    let most = (FASTEST * frame_time) as f32;
    points.any(|(first, second)| first.distance(second) > most)
}

/// The paper's three, as the CMU database calls them.
const PUBLISHED: [(&str, &str); 3] = [("17_10", "boxing"), ("90_05", "jump kick"), ("01_03", "playground")];

impl Sequence {
    /// Reads one motion file.
    pub fn read(path: &Path) -> Result<Self> {
        let file = sinew_io::read_file(path)?;
        let frame_time = file.motions.first().map_or(0.0, |motion| motion.frame_time);
        let asset = sinew_io::single::Asset::new(&file)?;
        let map = asset.humanoid();
        let mut motions = asset.motions.into_iter();
        let motion = motions.next().with_context(|| format!("{} holds no motion", path.display()))?;
        let (skeleton, frames) = (asset.skeleton, motion.frames);
        let is_bvh = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("bvh"));
        let stem = path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
        let published = PUBLISHED.iter().position(|(file, _)| *file == stem).filter(|_| !is_bvh);
        let mut sequence = Self {
            name: published.map_or(stem, |i| PUBLISHED[i].1.to_owned()),
            map,
            skeleton,
            frames,
            frame_time,
            rigid: published == Some(2),
            published,
        };
        sequence.drop_opening();
        Ok(sequence)
    }

    /// Leaves out a first frame that is no part of the motion, such as the T-pose at the origin that many recordings
    /// open with.
    pub fn drop_opening(&mut self) {
        if let [first, second, _, ..] = &self.frames[..]
            && self.opens_apart(first, second)
        {
            self.frames.remove(0);
        }
    }

    /// Whether a motion that begins with these poses opens with one that is no part of it.
    pub(crate) fn opens_apart(&self, first: &Pose, second: &Pose) -> bool {
        let [first, second] = [first, second].map(|pose| ModelPose::new(&self.skeleton, pose));
        let joints = self.compared().into_iter();
        opens_apart(joints.map(|joint| (first.position(joint), second.position(joint))), self.frame_time)
    }

    /// Every motion of a body in a folder and the folder `asfamc` in it: the
    /// paper's three where they are, else all.
    pub fn folder(folder: &Path, everything: bool) -> Result<Vec<Self>> {
        let mut files = motions_in(folder)?;
        if let Ok(more) = motions_in(&folder.join("asfamc")) {
            files.extend(more);
        }
        let stem = |p: &PathBuf| p.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        let mut published = Vec::new();
        for (name, _) in PUBLISHED {
            published.extend(files.iter().find(|p| is_amc(p) && stem(p) == name).cloned());
        }
        let chosen = if published.is_empty() || everything { files } else { published };
        if chosen.is_empty() {
            bail!("{} holds no motion (.amc with its .asf, .bvh, .glb)", folder.display());
        }
        chosen.iter().map(|p| Self::read(p).with_context(|| p.display().to_string())).collect()
    }

    /// Seconds from one frame to the next if only every `stride`-th is taken.
    pub fn time_step(&self, stride: usize) -> f32 {
        (self.frame_time * stride.max(1) as f64) as f32
    }

    /// The joints that are compared: all that move, but those below wrists,
    /// ankles and head.
    pub fn compared(&self) -> Vec<JointId> {
        let ends: Vec<JointId> = [
            sinew::skeleton::humanoid::HumanoidBone::Hand(sinew::skeleton::humanoid::Side::Left),
            sinew::skeleton::humanoid::HumanoidBone::Hand(sinew::skeleton::humanoid::Side::Right),
            sinew::skeleton::humanoid::HumanoidBone::Foot(sinew::skeleton::humanoid::Side::Left),
            sinew::skeleton::humanoid::HumanoidBone::Foot(sinew::skeleton::humanoid::Side::Right),
            sinew::skeleton::humanoid::HumanoidBone::Head,
        ]
        .into_iter()
        .filter_map(|bone| self.map.get(bone))
        .collect();
        let below = |j: JointId| ends.iter().any(|&end| end != j && self.skeleton.is_ancestor(end, j));
        self.skeleton
            .ids()
            .filter(|&j| self.skeleton.joint(j).kind() != JointKind::Fixed && !below(j))
            .collect()
    }

    /// The frames in model space.
    pub fn model(&self, frame: usize) -> ModelPose {
        ModelPose::new(&self.skeleton, &self.frames[frame])
    }
}

fn is_amc(path: &Path) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case("amc"))
}

fn motions_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries
        .filter_map(|e| e.ok().map(|e| e.path()))
        .filter(|p| {
            let ending = p.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase();
            matches!(ending.as_str(), "amc" | "bvh" | "glb")
        })
        .collect();
    files.sort();
    Ok(files)
}
