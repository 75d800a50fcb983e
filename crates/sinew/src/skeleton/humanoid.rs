//! Which joint plays which part of a human body.
//!
//! A [`HumanoidMap`] finds the parts of any skeleton that has them, whatever its
//! joints are called: H-Anim, VRM, Unity, Mixamo, CMU, Biped, Blender, Godot and
//! their relatives are read by name (`names.rs`, `by_name.rs`), and where names
//! say nothing the shape of the tree and its symmetry decide (`by_shape.rs`).
//! Hips, spine and neck are not looked up but follow from where arms and legs
//! join (`trunk.rs`): a spine of any number of joints is found, and joints that
//! belong to no bone may stand anywhere in between.
//!
//! The map says what it found and how, and what is missing; it never fails. A
//! robot arm simply has no part of a human.
//!
//! ```
//! use sinew::skeleton::humanoid::{FoundBy, HumanoidBone, HumanoidMap};
//! use sinew::{JointDef, SkeletonBuilder, Vec3};
//! let mut builder = SkeletonBuilder::new("half a character");
//! let hips = builder.add(JointDef::new("mixamorig:Hips").at(Vec3::Y));
//! builder.add(JointDef::new("mixamorig:LeftUpLeg").under(hips).at(Vec3::new(0.1, -0.1, 0.0)));
//! let skeleton = builder.build()?;
//! let map = HumanoidMap::find(&skeleton);
//! assert_eq!(map.get(HumanoidBone::Hips), skeleton.find("mixamorig:Hips"));
//! assert_eq!(map.found_by(HumanoidBone::Hips), Some(FoundBy::Name));
//! assert!(!map.is_complete());
//! assert!(map.missing().any(|bone| bone == HumanoidBone::Head));
//! # Ok::<(), sinew::skeleton::BuildError>(())
//! ```

mod bone;
mod by_name;
mod by_shape;
mod facing;
mod mass;
mod names;
mod trunk;

use alloc::string::String;
use alloc::vec::Vec;

pub use bone::{Finger, HumanoidBone, Phalanx, Side};
pub use facing::Facing;
pub use mass::masses;

use self::names::{Part, Reading};
use self::trunk::Trunk;
use super::{JointId, Skeleton};
use crate::pose::{MirrorMap, ModelPose};

/// How a joint came to its role, or what tells where a character faces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum FoundBy {
    /// By what it is called.
    Name,
    /// By its place in the tree.
    Topology,
    /// It was said, by a file or by the caller.
    Given,
    /// By where the feet point.
    Feet,
    /// By the way that knees or elbows bend.
    Knees,
    /// By nothing: +Z is assumed, the convention of glTF and VRM 1.0.
    Assumed,
}

/// Which joint plays which part of a human body; see the [module](self).
#[derive(Debug, Clone, PartialEq)]
pub struct HumanoidMap {
    slots: Slots,
    trunk: Trunk,
    facing: Option<Facing>,
}

/// The three joints of an arm or a leg.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LimbJoints {
    /// Shoulder or hip.
    pub upper: JointId,
    /// Elbow or knee.
    pub lower: JointId,
    /// Wrist or ankle.
    pub end: JointId,
}

impl HumanoidMap {
    /// Finds the parts by name and, where names say nothing, by topology.
    pub fn find(skeleton: &Skeleton) -> Self {
        Self::with_roles(skeleton, &[])
    }

    /// Takes the roles as they are given and finds the others. A later entry for
    /// the same bone replaces an earlier one; joints of other skeletons are left out.
    pub fn with_roles(skeleton: &Skeleton, roles: &[(HumanoidBone, JointId)]) -> Self {
        let evidence = Evidence::new(skeleton);
        let mut slots = Slots::given(skeleton, roles);
        by_name::assign(&evidence, &mut slots);
        let mut facing_by = FoundBy::Name;
        let limbs_are_open = slots.missing().any(|b| b.side().is_some());
        if limbs_are_open && let Some(by) = by_shape::assign(&evidence, &mut slots) {
            let named = HumanoidBone::required()
                .any(|b| b.side().is_some() && slots.found_by(b).is_some_and(|by| by != FoundBy::Topology));
            facing_by = if named { FoundBy::Name } else { by };
        }
        for side in Side::BOTH {
            by_shape::assign_fingers(&evidence, side, &mut slots);
        }
        Self::finish(&evidence, slots, facing_by)
    }

    /// Takes the roles as they are given and nothing else: what a VRM file leaves
    /// out, it means to leave out. Only the further joints of spine and neck are
    /// found between those given.
    pub fn from_roles(skeleton: &Skeleton, roles: &[(HumanoidBone, JointId)]) -> Self {
        let evidence = Evidence::new(skeleton);
        let given = Slots::given(skeleton, roles);
        let mut map = Self::finish(&evidence, given.clone(), FoundBy::Name);
        map.slots = given;
        map
    }

    fn finish(evidence: &Evidence<'_>, mut slots: Slots, facing_by: FoundBy) -> Self {
        let trunk = trunk::assign(evidence, &mut slots);
        let facing = Facing::new(evidence, &slots, facing_by);
        Self { slots, trunk, facing }
    }

    /// The joint of a bone, if it was found.
    pub fn get(&self, bone: HumanoidBone) -> Option<JointId> {
        self.slots.get(bone)
    }

    /// How the joint of a bone was found.
    pub fn found_by(&self, bone: HumanoidBone) -> Option<FoundBy> {
        self.slots.found_by(bone)
    }

    /// The bone that a joint plays, if any.
    pub fn bone_of(&self, joint: JointId) -> Option<HumanoidBone> {
        HumanoidBone::all().find(|&bone| self.get(bone) == Some(joint))
    }

    /// Every bone that was found, with its joint and how.
    pub fn found(&self) -> impl Iterator<Item = (HumanoidBone, JointId, FoundBy)> + '_ {
        HumanoidBone::all().filter_map(|bone| Some((bone, self.get(bone)?, self.found_by(bone)?)))
    }

    /// The required bones that were not found.
    pub fn missing(&self) -> impl Iterator<Item = HumanoidBone> + '_ {
        self.slots.missing()
    }

    /// Whether every required bone was found.
    pub fn is_complete(&self) -> bool {
        self.missing().next().is_none()
    }

    /// All joints from above the hips up to the one that carries the arms, in
    /// order. Spine, chest and upper chest are among them.
    pub fn spine(&self) -> &[JointId] {
        &self.trunk.spine
    }

    /// All joints between the spine and the head, in order.
    pub fn neck(&self) -> &[JointId] {
        &self.trunk.neck
    }

    /// Shoulder, elbow and wrist, if all were found.
    pub fn arm(&self, side: Side) -> Option<LimbJoints> {
        Some(LimbJoints {
            upper: self.get(HumanoidBone::UpperArm(side))?,
            lower: self.get(HumanoidBone::LowerArm(side))?,
            end: self.get(HumanoidBone::Hand(side))?,
        })
    }

    /// Hip, knee and ankle, if all were found.
    pub fn leg(&self, side: Side) -> Option<LimbJoints> {
        Some(LimbJoints {
            upper: self.get(HumanoidBone::UpperLeg(side))?,
            lower: self.get(HumanoidBone::LowerLeg(side))?,
            end: self.get(HumanoidBone::Foot(side))?,
        })
    }

    /// The joints that share the twist of an arm's or a leg's bone: those between
    /// it and the next bone, and those that hang on it and are called twist or roll.
    pub fn twist_joints(&self, skeleton: &Skeleton, bone: HumanoidBone) -> Vec<JointId> {
        let next = match bone {
            HumanoidBone::UpperArm(side) => HumanoidBone::LowerArm(side),
            HumanoidBone::LowerArm(side) => HumanoidBone::Hand(side),
            HumanoidBone::UpperLeg(side) => HumanoidBone::LowerLeg(side),
            HumanoidBone::LowerLeg(side) => HumanoidBone::Foot(side),
            _ => return Vec::new(),
        };
        let (Some(joint), next) = (self.get(bone), self.get(next)) else { return Vec::new() };
        let chain = next.and_then(|next| skeleton.chain(joint, next));
        let between = |j: JointId| chain.as_ref().is_some_and(|c| c[1..].contains(&j)) && Some(j) != next;
        let on_it = |j: JointId| {
            next.is_none_or(|next| !skeleton.is_ancestor(next, j))
                && names::read(skeleton.joint(j).name()).is_twist
        };
        skeleton
            .subtree(joint)
            .skip(1)
            .filter_map(|i| skeleton.id(i))
            .filter(|&j| between(j) || on_it(j))
            .collect()
    }

    /// Where the character's left, up and forward are at rest; `None` if too
    /// little was found to say.
    pub fn facing(&self) -> Option<Facing> {
        self.facing
    }

    /// Which joint stands opposite which: by the roles, and for the joints
    /// without one by names that differ in nothing but the side.
    pub fn mirror_map(&self, skeleton: &Skeleton) -> MirrorMap {
        let mut pairs = same_name_pairs(skeleton);
        for (bone, joint, _) in self.found().filter(|(b, ..)| b.side() == Some(Side::Left)) {
            if let Some(other) = self.get(bone.mirrored()) {
                pairs.retain(|(l, r)| ![*l, *r].iter().any(|j| *j == joint || *j == other));
                pairs.push((joint, other));
            }
        }
        MirrorMap::from_pairs(skeleton, &pairs)
    }
}

/// Joints whose names differ in nothing but the side, left first.
fn same_name_pairs(skeleton: &Skeleton) -> Vec<(JointId, JointId)> {
    let mut sided: Vec<(String, Side, JointId)> = skeleton
        .ids()
        .filter_map(|j| {
            let reading = names::read(skeleton.joint(j).name());
            Some((reading.stem, reading.side?, j))
        })
        .collect();
    sided.sort();
    sided
        .chunk_by(|a, b| a.0 == b.0)
        .filter_map(|same| match same {
            // Of more than one to a side nobody knows which belong together.
            [(_, Side::Left, left), (_, Side::Right, right)] => Some((*left, *right)),
            _ => None,
        })
        .collect()
}

/// What is known of the skeleton before any role is decided.
struct Evidence<'a> {
    skeleton: &'a Skeleton,
    rest: ModelPose,
    /// What each joint's name says.
    readings: Vec<Reading>,
    /// How many joints each joint has above it.
    depths: Vec<u32>,
}

impl<'a> Evidence<'a> {
    fn new(skeleton: &'a Skeleton) -> Self {
        let readings = skeleton.joints().iter().map(|j| names::read(j.name())).collect();
        let mut depths: Vec<u32> = Vec::with_capacity(skeleton.len());
        for joint in skeleton.joints() {
            depths.push(joint.parent().map_or(0, |p| depths[p.index()] + 1));
        }
        Self { skeleton, rest: ModelPose::rest(skeleton), readings, depths }
    }

    fn part(&self, joint: JointId) -> Option<Part> {
        self.readings[joint.index()].part
    }

    /// The joint nearest to the root whose name fits; a twist joint only if
    /// there is no other.
    fn best(&self, side: Option<Side>, fits: impl Fn(Part) -> bool) -> Option<JointId> {
        self.best_below(None, side, fits)
    }

    /// The same among the joints below `above`.
    fn best_below(
        &self,
        above: Option<JointId>,
        side: Option<Side>,
        fits: impl Fn(Part) -> bool,
    ) -> Option<JointId> {
        let range = self.skeleton.subtree(above.unwrap_or(self.skeleton.root()));
        let fitting = |twist: bool| {
            range
                .clone()
                .filter(|&i| {
                    let r = &self.readings[i];
                    !r.is_helper && r.is_twist == twist && r.side == side && r.part.is_some_and(&fits)
                })
                .filter_map(|i| self.skeleton.id(i))
                .min_by_key(|j| self.depths[j.index()])
        };
        fitting(false).or_else(|| fitting(true))
    }
}

/// The joint of each bone, and how it was found.
#[derive(Debug, Clone, PartialEq)]
struct Slots([Option<(JointId, FoundBy)>; HumanoidBone::COUNT]);

impl Slots {
    fn given(skeleton: &Skeleton, roles: &[(HumanoidBone, JointId)]) -> Self {
        let mut slots = [None; HumanoidBone::COUNT];
        for &(bone, joint) in roles.iter().filter(|(_, joint)| skeleton.contains(*joint)) {
            slots[bone.index()] = Some((joint, FoundBy::Given));
        }
        Self(slots)
    }

    fn get(&self, bone: HumanoidBone) -> Option<JointId> {
        self.0[bone.index()].map(|(joint, _)| joint)
    }

    fn found_by(&self, bone: HumanoidBone) -> Option<FoundBy> {
        self.0[bone.index()].map(|(_, by)| by)
    }

    fn joints(&self) -> impl Iterator<Item = JointId> + '_ {
        self.0.iter().flatten().map(|(joint, _)| *joint)
    }

    fn missing(&self) -> impl Iterator<Item = HumanoidBone> + '_ {
        HumanoidBone::required().filter(|bone| self.get(*bone).is_none())
    }

    fn is_open(&self, bones: &[HumanoidBone]) -> bool {
        bones.iter().any(|bone| self.get(*bone).is_none())
    }

    /// Takes the joint for the bone unless the bone has one or the joint has a role.
    fn offer(&mut self, bone: HumanoidBone, joint: Option<JointId>, by: FoundBy) {
        if let Some(joint) = joint.filter(|&j| !self.joints().any(|taken| taken == j)) {
            self.0[bone.index()].get_or_insert((joint, by));
        }
    }

    /// The same for the three joints of a limb, from the trunk outwards, each only where it hangs
    /// below what is known of the limb before it and above what is known after it.
    fn offer_limb(
        &mut self,
        skeleton: &Skeleton,
        bones: [HumanoidBone; 3],
        joints: [Option<JointId>; 3],
        by: FoundBy,
    ) {
        for (i, joint) in joints.into_iter().enumerate() {
            let hangs_together = |j: JointId| {
                let known = |k: usize| self.get(bones[k]);
                (0..i).filter_map(known).all(|above| skeleton.is_ancestor(above, j))
                    && (i + 1..3).filter_map(known).all(|below| skeleton.is_ancestor(j, below))
            };
            let joint = joint.filter(|&j| hangs_together(j));
            self.offer(bones[i], joint, by);
        }
    }
}
