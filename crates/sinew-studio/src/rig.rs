//! The rig that a connection works on.

pub(crate) mod body;
mod describe;
mod fitting;
pub(crate) mod library;
pub(crate) mod load;
pub(crate) mod motions;
pub(crate) mod things;

use std::sync::Arc;

use sinew_f64::math::rotation;
use sinew_f64::skeleton::humanoid::HumanoidMap;
use sinew_f64::{JointId, JointKind, JointLimit, ModelPose, Pose, Quat, Transform, Vec3};
use sinew_io::Asset;

use crate::wire::{Fitting, MeshDescription, Placed, RigSource};
use things::Things;

/// A rig with what is found out about it once.
#[derive(Debug, Clone)]
pub struct Rig {
    /// The skeleton, its motions, postures and behaviours; edits are made here.
    pub asset: Asset,
    /// Which joint is what in a humanoid.
    pub map: HumanoidMap,
    /// Points of its skin, by the joints that carry them: where its soles are.
    pub skin: Vec<(JointId, Vec3)>,
    /// How many of the motions are its file's own.
    pub own_motions: usize,
    /// Where it came from.
    pub source: RigSource,
    /// How it was taken from there.
    pub fitting: Fitting,
    /// What the page can fetch and draw of it.
    pub mesh: Option<MeshDescription>,
    /// The limits that it got from anatomy, as they were.
    pub anatomy: Vec<(JointId, JointLimit)>,
    /// Rises with every edit of the skeleton, so that solvers know to be built anew.
    pub edition: u32,
    /// Files that its scenes have brought in: ground and obstacles.
    pub things: Things,
    /// What it shares with other tabs that show the same file.
    held: Option<Arc<Asset>>,
}

impl Rig {
    /// Takes an asset.
    pub fn new(asset: Asset, source: RigSource) -> Self {
        let (map, skin) = (asset.humanoid(), asset.skin());
        let own_motions = asset.motions.len();
        let fitting = Fitting::default();
        Self {
            asset,
            map,
            skin,
            own_motions,
            source,
            fitting,
            mesh: None,
            anatomy: Vec::new(),
            edition: 0,
            things: Things::default(),
            held: None,
        }
    }

    /// Takes a file that other tabs may show too, and holds on to it.
    fn sharing(loaded: Arc<Asset>, source: RigSource) -> Self {
        Self { held: Some(loaded.clone()), ..Self::new((*loaded).clone(), source) }
    }

    /// The pose to begin with: the file's own, within the limits.
    pub fn opening_pose(&self) -> Pose {
        let mut pose = self.asset.opening_pose();
        pose.project(&self.asset.skeleton);
        pose
    }

    /// A pose that the page has drawn, within kinds and limits.
    pub fn stood(&self, placed: &Placed) -> Result<Pose, String> {
        let skeleton = &self.asset.skeleton;
        let (positions, rotations) = (&placed.positions, &placed.rotations);
        if positions.len() != 3 * skeleton.len() || rotations.len() != 4 * skeleton.len() {
            return Err(format!("the pose is not one of {} joints", skeleton.len()));
        }
        let at = |id: JointId| {
            let (p, q) = (&positions[3 * id.index()..][..3], &rotations[4 * id.index()..][..4]);
            let turn = Quat::from_xyzw(q[0].into(), q[1].into(), q[2].into(), q[3].into());
            let place = Vec3::new(p[0].into(), p[1].into(), p[2].into());
            Transform::new(place, rotation::normalize_or_identity(turn))
        };
        let mut pose = Pose::rest(skeleton);
        for id in skeleton.ids() {
            let joint = skeleton.joint(id);
            let local = joint.parent().map_or_else(|| at(id), |parent| at(parent).inverse() * at(id));
            pose.set_local(skeleton, id, local);
            // Rounding is no motion: what cannot slide stays where it is.
            if !matches!(joint.kind(), JointKind::Prismatic { .. } | JointKind::Free) {
                pose.set_translation(id, Vec3::ZERO);
            }
        }
        if pose.mend().is_some() {
            return Err("the pose has numbers that are none".into());
        }
        Ok(pose)
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
