//! Bounds on the whole body: `sinew eval goals`.
//!
//! | file | question |
//! |---|---|
//! | [`balance`] | does the mass stay over the feet, and what does that cost a reaching hand? |
//! | [`clear`] | are six poses met without the body touching itself, and how fast? |
//! | [`frames`] | what does a frame cost with balance, speeds and clearance all on? |
//! | [`stick`] | does anything jump while a random stick pulls at the goals? |

pub mod balance;
pub mod clear;
pub mod frames;
pub mod stick;

use std::sync::Arc;

use anyhow::{Context, Result};
use sinew::collision::{CollisionBody, CollisionScene};
use sinew::goal::{BalanceGoal, ClearanceGoal, PointMass, SpeedGoal};
use sinew::math::{Real, Vec3};
use sinew::skeleton::humanoid::{HumanoidBone, HumanoidMap, Side, masses};
use sinew::{JointId, JointKind, ModelPose, Skeleton, rigs};
use sinew_io::Asset;

/// A body with six joints that carry goals.
#[derive(Debug, Clone)]
pub struct Body {
    /// What it is called.
    pub name: String,
    /// Its joints; the root is free.
    pub skeleton: Skeleton,
    /// Pelvis, head, hands and feet, left before right.
    pub six: [JointId; 6],
    /// What each joint weighs.
    pub masses: Vec<PointMass>,
    /// How fast each joint may move, in rad/s or m/s.
    pub speeds: Vec<Real>,
    /// Its parts.
    pub parts: Arc<CollisionBody>,
}

/// A joint of the character turns no faster than this: a quick arm.
const CHARACTER_SPEED: Real = 12.0;

impl Body {
    /// The embedded humanoid, with masses from anatomy.
    pub fn humanoid() -> Result<Self> {
        let skeleton = rigs::humanoid(rigs::SwingModel::Ellipse);
        let map = HumanoidMap::find(&skeleton);
        let masses = masses(&skeleton, &map);
        let mut speeds = vec![CHARACTER_SPEED; skeleton.len()];
        speeds[0] = Real::INFINITY;
        Self::new("humanoid", skeleton, &map, masses, speeds)
    }

    /// A robot from a file, hung up by a free root, with its masses and speeds.
    pub fn robot(asset: &Asset) -> Result<Self> {
        let plain = sinew_io::narrow::skeleton(&asset.skeleton)?;
        let mut builder = plain.to_builder();
        builder.joints.first_mut().context("a robot without joints")?.kind = JointKind::Free;
        let skeleton = builder.build()?;
        let map = HumanoidMap::find(&skeleton);
        let masses = match asset.point_masses() {
            Some(found) => found.iter().map(sinew_io::narrow::mass).collect(),
            None => masses(&skeleton, &map),
        };
        let mut speeds = vec![Real::INFINITY; skeleton.len()];
        for drive in &asset.drives {
            if let Some(speed) = drive.velocity {
                speeds[drive.joint.index()] = speed as Real;
            }
        }
        let name = skeleton.name().to_owned();
        Self::new(&name, skeleton, &map, masses, speeds)
    }

    fn new(
        name: &str,
        skeleton: Skeleton,
        map: &HumanoidMap,
        masses: Vec<PointMass>,
        speeds: Vec<Real>,
    ) -> Result<Self> {
        // Of a limb in several joints, the last one before it divides.
        let last = |mut joint: JointId| loop {
            let mut below = skeleton.children(joint);
            match (below.next(), below.next()) {
                (Some(next), None) if skeleton.joint(next).kind() != JointKind::Fixed => joint = next,
                _ => break joint,
            }
        };
        let bone = |bone| map.get(bone).map(last).with_context(|| format!("{name} has no {bone}"));
        let six = [
            skeleton.id(0).context("no joints")?,
            bone(HumanoidBone::Head)?,
            bone(HumanoidBone::Hand(Side::Left))?,
            bone(HumanoidBone::Hand(Side::Right))?,
            bone(HumanoidBone::Foot(Side::Left))?,
            bone(HumanoidBone::Foot(Side::Right))?,
        ];
        let parts = Arc::new(CollisionBody::from_rig(&skeleton, map));
        Ok(Self { name: name.into(), skeleton, six, masses, speeds, parts })
    }

    /// Its parts clear of each other.
    pub fn clearance(&self) -> ClearanceGoal {
        ClearanceGoal { body: Arc::clone(&self.parts), scene: Arc::new(CollisionScene::new()), distance: 0.0 }
    }

    /// Its mass over soles of `length` by `width` under feet that stand like this.
    pub fn balance(&self, feet: [Vec3; 2], length: Real, width: Real) -> BalanceGoal {
        let half = 0.5 * width;
        // The ankle is a quarter of the sole from the heel.
        let (back, front) = (0.25 * length, 0.75 * length);
        let corners = [[-half, -back], [half, -back], [half, front], [-half, front]];
        let sole = |foot: Vec3| corners.map(|[x, z]| foot + Vec3::new(x, 0.0, z));
        BalanceGoal {
            masses: self.masses.clone(),
            support: feet.map(sole).concat(),
            up: Vec3::Y,
            margin: 0.0,
        }
    }

    /// Its joints no faster than their drives.
    pub fn speed(&self, time_step: Real) -> SpeedGoal {
        SpeedGoal { speeds: self.speeds.clone(), time_step }
    }

    /// Where its feet are in a pose.
    pub fn feet(&self, model: &ModelPose) -> [Vec3; 2] {
        [self.six[4], self.six[5]].map(|foot| model.position(foot))
    }
}
