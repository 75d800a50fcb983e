//! The rig that a connection works on.

mod describe;
pub(crate) mod library;
pub(crate) mod load;

use std::sync::Arc;

use sinew_f64::skeleton::humanoid::HumanoidMap;
use sinew_f64::{JointId, ModelPose, Pose, Vec3};
use sinew_io::Asset;

use crate::wire::{Placed, RigSource};
use library::Loaded;

/// A rig with what is found out about it once.
#[derive(Debug, Clone)]
pub struct Rig {
    /// The skeleton, its motions, postures and behaviours; edits are made here.
    pub asset: Asset,
    /// Which joint is what in a humanoid.
    pub map: HumanoidMap,
    /// Points of its skin, by the joints that carry them: where its soles are.
    pub skin: Vec<(JointId, Vec3)>,
    /// Where it came from.
    pub source: RigSource,
    /// Rises with every edit of the skeleton, so that solvers know to be built anew.
    pub edition: u32,
    /// What it shares with other tabs that show the same file.
    _held: Option<Arc<Loaded>>,
}

impl Rig {
    /// Takes an asset.
    pub fn new(asset: Asset, source: RigSource) -> Self {
        let (map, skin) = (asset.humanoid(), asset.skin());
        Self { asset, map, skin, source, edition: 0, _held: None }
    }

    /// Takes a file that other tabs may show too, and holds on to it.
    fn sharing(loaded: Arc<Loaded>, source: RigSource) -> Self {
        Self { _held: Some(loaded.clone()), ..Self::new(loaded.asset().clone(), source) }
    }

    /// The pose to begin with: the file's own, within the limits.
    pub fn opening_pose(&self) -> Pose {
        let mut pose = self.asset.opening_pose();
        pose.project(&self.asset.skeleton);
        pose
    }

    /// A pose in model space, as the page draws it.
    pub fn placed(&self, pose: &Pose) -> Placed {
        let model = ModelPose::new(&self.asset.skeleton, pose);
        Placed {
            positions: model.positions().iter().flat_map(|p| p.to_array()).map(|x| x as f32).collect(),
            rotations: model.rotations().iter().flat_map(|q| q.to_array()).map(|x| x as f32).collect(),
        }
    }
}
