//! From a [`UrdfDocument`] to the engine's skeleton.

use std::collections::HashSet;

use sinew_f64::goal::PointMass;
use sinew_f64::limit::LimitShape;
use sinew_f64::{
    JointDef, JointId, JointKind, JointLimit, Pose, Quat, SkeletonBuilder, Transform, Vec3, math::rotation,
};

use super::document::*;
use super::parse::listed;
use super::tree::Tree;
use crate::error::Place;
use crate::{Alias, Asset, Drive, Mimic, Note, ReadError};

/// How a robot is taken over.
#[derive(Debug, Clone, PartialEq)]
pub struct UrdfOptions {
    /// Turns the file's axes into the engine's (y up, facing z).
    ///
    /// The default is what ROS prescribes (REP 103): z up, x forward, y left.
    /// The format has no way to say otherwise; a robot that was drawn with y up
    /// takes the identity here.
    pub axes: Quat,
    /// The link to hang the robot up by, if not the file's own root; see
    /// [`reroot`](super::reroot()).
    pub root: Option<String>,
}

impl Default for UrdfOptions {
    fn default() -> Self {
        // x → z, y → x, z → y: a third of a turn back about (1, 1, 1).
        Self { axes: Quat::from_xyzw(-0.5, -0.5, -0.5, 0.5), root: None }
    }
}

impl UrdfDocument {
    /// The robot as the engine sees it; see the [module](super) for how.
    pub fn to_asset(&self, options: &UrdfOptions) -> Result<Asset, ReadError> {
        if let Some(link) = &options.root {
            let here = UrdfOptions { root: None, ..options.clone() };
            return super::reroot(self, link)?.to_asset(&here);
        }
        let tree = Tree::new(self)?;
        let mut notes = self.notes.clone();
        let mut names: HashSet<String> = self.joints.iter().map(|j| j.name.clone()).collect();
        let mut builder = SkeletonBuilder::new(&self.name);

        let root_link = &self.links[tree.root];
        let root_name = unused_name(&mut names, &root_link.name);
        if root_name != root_link.name {
            let text = format!(
                "the root link '{}' shares its name with a joint; its joint is '{root_name}'",
                root_link.name
            );
            notes.push(Note::new(text));
        }
        let root = builder.add(JointDef::new(root_name).turned(options.axes).kind(JointKind::Fixed));

        // The builder's joint that carries each link.
        let mut carriers = vec![root; self.links.len()];
        let mut open = vec![tree.root];
        while let Some(link) = open.pop() {
            for &j in &tree.joints_below[link] {
                let child = tree.child[j];
                carriers[child] =
                    add_joint(&self.joints[j], carriers[link], &mut builder, &mut names, &mut notes);
                open.push(child);
            }
        }

        let whole = self.joints.iter().filter(|j| j.turns_all_the_way());
        let whole: Vec<&str> = whole.map(|j| j.name.as_str()).collect();
        if !whole.is_empty() {
            let text = format!(
                "{} limited to a whole turn or more: the engine counts angles on the circle and sees no limit",
                listed(&whole)
            );
            notes.push(Note::new(text));
        }

        let skeleton = builder.build_sorted().map_err(|error| {
            ReadError::new(Place::File, error.to_string(), "a robot that makes a skeleton")
        })?;
        let id = |before: JointId| skeleton.from_builder()[before.index()];
        let joint_id = |j: usize| id(carriers[tree.child[j]]);
        let aliases = self
            .links
            .iter()
            .zip(&carriers)
            .map(|(link, carrier)| Alias { name: link.name.clone(), joint: id(*carrier), frame: link.frame })
            .collect();
        let drives = (0..self.joints.len()).filter_map(|j| self.joints[j].drive(joint_id(j))).collect();
        let mimics = self.mimics(&tree, joint_id, &mut notes)?;
        let masses = self.links.iter().zip(&carriers).filter_map(|(link, carrier)| {
            let (mass, centre) = link.mass.filter(|(mass, _)| *mass > 0.0)?;
            Some((id(*carrier), PointMass { mass, centre: link.frame.transform_point(centre) }))
        });
        let masses = masses.collect();
        let mut asset = Asset { aliases, drives, masses, mimics, notes, ..Asset::new(skeleton) };
        asset.pose = opening_pose(&asset);
        Ok(asset)
    }

    fn mimics(
        &self,
        tree: &Tree,
        joint_id: impl Fn(usize) -> JointId,
        notes: &mut Vec<Note>,
    ) -> Result<Vec<Mimic>, ReadError> {
        let mut mimics = Vec::new();
        let mut idle = 0;
        for j in tree.mimic_order(self)? {
            let joint = &self.joints[j];
            let (Some(mimic), Some(source)) = (&joint.mimic, tree.mimicked[j]) else { continue };
            if joint.kind == UrdfJointKind::Fixed {
                idle += 1;
                continue;
            }
            let source_kind = self.joints[source].kind;
            let follows = joint.kind.has_one_value();
            let leads = source_kind.has_one_value() || source_kind == UrdfJointKind::Fixed;
            if !follows || !leads {
                let found = format!(
                    "the {} joint '{}' that mimics the {} joint '{}'",
                    joint.kind.name(),
                    joint.name,
                    source_kind.name(),
                    mimic.joint
                );
                let expected = "revolute, continuous or prismatic joints";
                return Err(ReadError::new(Place::Line(joint.line), found, expected));
            }
            mimics.push(Mimic {
                joint: joint_id(j),
                source: joint_id(source),
                multiplier: mimic.multiplier,
                offset: mimic.offset,
            });
        }
        if idle > 0 {
            notes.push(Note::new(format!("{idle} fixed joints mimic others; they do not move")));
        }
        if !mimics.is_empty() {
            let count = mimics.len();
            let words = if count == 1 { "joint follows another" } else { "joints follow others" };
            notes.push(Note::new(format!("{count} {words} by <mimic>")));
        }
        Ok(mimics)
    }
}

impl UrdfJoint {
    /// Whether its range is so wide that on the circle it is none.
    fn turns_all_the_way(&self) -> bool {
        self.kind == UrdfJointKind::Revolute
            && self.limit.is_some_and(|l| !l.is_endless() && l.upper - l.lower >= std::f64::consts::TAU)
    }

    /// The range with its soft zone.
    fn engine_limit(&self) -> JointLimit {
        let Some(limit) = self.limit.filter(|l| !l.is_endless()) else { return JointLimit::None };
        if self.kind == UrdfJointKind::Prismatic {
            return JointLimit::prismatic(self.axis, limit.lower, limit.upper).soft(self.soft_zone(&limit));
        }
        JointLimit::hinge(self.axis, limit.lower, limit.upper).soft(self.soft_zone(&limit))
    }

    /// How far inside of both ends the controller starts to hold the joint
    /// back: the nearer of the two, since the engine has one width for both.
    fn soft_zone(&self, limit: &UrdfLimit) -> f64 {
        let Some(UrdfSafetyController { soft_lower: Some(lower), soft_upper: Some(upper) }) = self.safety
        else {
            return 0.0;
        };
        let zone = (lower - limit.lower).min(limit.upper - upper);
        zone.clamp(0.0, std::f64::consts::PI)
    }

    fn drive(&self, joint: JointId) -> Option<Drive> {
        let limit = self.limit;
        let drive = Drive {
            joint,
            velocity: limit.and_then(|l| l.velocity),
            effort: limit.and_then(|l| l.effort),
            soft_lower: self.safety.and_then(|s| s.soft_lower),
            soft_upper: self.safety.and_then(|s| s.soft_upper),
        };
        let known = [drive.velocity, drive.effort, drive.soft_lower, drive.soft_upper];
        known.iter().any(Option::is_some).then_some(drive)
    }
}

/// Adds the engine's joint, or joints, for a URDF joint below `parent` and
/// returns the one that carries the child link.
fn add_joint(
    joint: &UrdfJoint,
    parent: JointId,
    builder: &mut SkeletonBuilder,
    names: &mut HashSet<String>,
    notes: &mut Vec<Note>,
) -> JointId {
    let placed =
        JointDef::new(&joint.name).under(parent).at(joint.origin.translation).turned(joint.origin.rotation);
    let axis = joint.axis;
    let def = match joint.kind {
        UrdfJointKind::Fixed => placed.kind(JointKind::Fixed),
        UrdfJointKind::Floating => placed.kind(JointKind::Free),
        UrdfJointKind::Spherical => placed.kind(JointKind::Ball),
        UrdfJointKind::Continuous => placed.hinge(axis),
        UrdfJointKind::Revolute => placed.hinge(axis).limit(joint.engine_limit()),
        UrdfJointKind::Prismatic => placed.kind(JointKind::Prismatic { axis }).limit(joint.engine_limit()),
        UrdfJointKind::Planar => {
            let text = format!(
                "the planar joint '{0}' is three joints: it slides as '{0}.u' and '{0}.v' and turns as '{0}'",
                joint.name
            );
            notes.push(Note::new(text));
            return add_planar(joint, placed.rest, parent, builder, names);
        }
    };
    builder.add(def)
}

/// Two slides across the normal and a turn about it, or the turn first if the
/// joint is reversed. The two directions are x and y as the shortest turn from
/// z to the normal carries them.
fn add_planar(
    joint: &UrdfJoint,
    rest: Transform,
    parent: JointId,
    builder: &mut SkeletonBuilder,
    names: &mut HashSet<String>,
) -> JointId {
    // The normal of a reversed joint was turned over; its directions were not.
    let normal = if joint.reversed { -joint.axis } else { joint.axis };
    let lay = rotation::between(Vec3::Z, normal, Vec3::X);
    let sign = if joint.reversed { -1.0 } else { 1.0 };
    let slide = |direction: Vec3| JointKind::Prismatic { axis: lay * direction * sign };
    let (u, v) =
        (unused_name(names, &format!("{}.u", joint.name)), unused_name(names, &format!("{}.v", joint.name)));
    let u = JointDef::new(u).kind(slide(Vec3::X));
    let v = JointDef::new(v).kind(slide(Vec3::Y));
    let turn = JointDef::new(&joint.name).hinge(joint.axis);
    let order = if joint.reversed { [turn, v, u] } else { [u, v, turn] };
    let mut last = parent;
    for (i, mut def) in order.into_iter().enumerate() {
        if i == 0 {
            def.rest = rest;
        }
        last = builder.add(def.under(last));
    }
    last
}

/// The name, or the name with `_link` after it as often as it takes.
fn unused_name(names: &mut HashSet<String>, wanted: &str) -> String {
    let mut name = wanted.to_owned();
    while !names.insert(name.clone()) {
        name.push_str("_link");
    }
    name
}

/// The pose that the robot opens with: zero, or the middle of the range of a joint that must not
/// stand at zero (the elbow of a Panda). `None` if zero will do for all.
fn opening_pose(asset: &Asset) -> Option<Pose> {
    let skeleton = &asset.skeleton;
    let mut pose = Pose::rest(skeleton);
    for id in skeleton.ids() {
        let range = match &skeleton.joint(id).limit().shape {
            LimitShape::Hinge(limit) if !limit.range.is_whole_turn() => (limit.range.min, limit.range.max),
            LimitShape::Prismatic(limit) => (limit.min, limit.max),
            _ => continue,
        };
        if !(range.0..=range.1).contains(&0.0) {
            pose.set_value(skeleton, id, 0.5 * (range.0 + range.1));
        }
    }
    asset.apply_mimics(&mut pose);
    (pose != Pose::rest(skeleton)).then_some(pose)
}
