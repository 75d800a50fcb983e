//! From an asset to the text of a rig file.

use std::fmt::Write as _;

use sinew_f64::math::rotation;
use sinew_f64::skeleton::Joint;
use sinew_f64::skeleton::humanoid::HumanoidBone;
use sinew_f64::{Goal, JointId, JointKind, Pose, Quat, Skeleton, Target, Transform, Vec3};

use super::limit::{lines as limit_lines, rotation_text};
use super::quantity::angle_text;
use super::{VERSION, behaviour, text};
use crate::{Asset, Budget, Note, WriteError, Written};

/// Writes a whole rig. Reading it gives the same skeleton, roles, other names,
/// followers, drives, goals and postures, bit for bit; motions have no place in
/// a rig file and are noted.
pub fn write(asset: &Asset) -> Result<Written, WriteError> {
    let mut out = Output::new(asset);
    out.line("name", text::string(asset.skeleton.name()));
    for id in asset.skeleton.ids() {
        out.whole_joint(id);
    }
    out.besides(&Asset::new(asset.skeleton.clone()))?;
    let written = out.finish();
    readable(super::read(&written.bytes, &mut |_| None))?;
    Ok(written)
}

/// Whoever writes a file should be able to read it: an asset can hold what the
/// reader refuses, such as a name that is empty or a goal without a weight.
fn readable(back: Result<Asset, crate::ReadError>) -> Result<(), WriteError> {
    back.map(drop).map_err(|error| WriteError::new("the rig", format!("something no reader takes ({error})")))
}

/// Writes a sidecar: what `asset` says beyond `base`, the same skeleton as it
/// is read from the file that `skeleton_file` names (relative to the sidecar).
pub fn write_sidecar(asset: &Asset, base: &Asset, skeleton_file: &str) -> Result<Written, WriteError> {
    let same = |id: JointId| {
        let (a, b) = (asset.skeleton.joint(id), base.skeleton.joint(id));
        (a.name(), a.parent(), a.rest()) == (b.name(), b.parent(), b.rest())
    };
    if asset.skeleton.len() != base.skeleton.len() || !asset.skeleton.ids().all(same) {
        let found = format!("joints, offsets or rest rotations that are not those of '{skeleton_file}'");
        return Err(WriteError::new("the skeleton in a sidecar", found));
    }
    let mut out = Output::new(asset);
    if asset.skeleton.name() != base.skeleton.name() {
        out.line("name", text::string(asset.skeleton.name()));
    }
    out.line("skeleton", text::string(skeleton_file));
    for id in asset.skeleton.ids() {
        out.changed_joint(id, base)?;
    }
    out.besides(base)?;
    let mut written = out.finish();
    // The motions are in the other file.
    written.notes.retain(|note| !note.0.contains("motion") || base.motions != asset.motions);
    readable(
        super::parse(&written.bytes).and_then(|document| document.onto(base.clone(), Budget::new(u64::MAX))),
    )?;
    Ok(written)
}

struct Output<'a> {
    asset: &'a Asset,
    text: String,
    notes: Vec<Note>,
}

impl<'a> Output<'a> {
    fn new(asset: &'a Asset) -> Self {
        let text =
            format!("# A rig of sinew; docs/rig-file.md says what may be here.\nsinew_rig = {VERSION}\n");
        Self { asset, text, notes: Vec::new() }
    }

    fn finish(mut self) -> Written {
        if !self.asset.motions.is_empty() {
            let count = self.asset.motions.len();
            self.notes.push(Note::new(format!("a rig file has no place for motions: {count} left out")));
        }
        Written { bytes: self.text.into_bytes(), notes: self.notes }
    }

    fn line(&mut self, key: &str, value: String) {
        // Writing to a String does not fail.
        let _ = writeln!(self.text, "{key} = {value}");
    }

    fn header(&mut self, header: &str) {
        let _ = writeln!(self.text, "\n{header}");
    }

    fn name_of(&self, joint: JointId) -> String {
        text::string(self.asset.skeleton.joint(joint).name())
    }

    fn transform(&mut self, transform: Transform) {
        if transform.translation != Vec3::ZERO {
            self.line("offset", text::vector(transform.translation));
        }
        if transform.rotation != Quat::IDENTITY {
            self.line("rotation", rotation_text(transform.rotation));
        }
    }

    fn whole_joint(&mut self, id: JointId) {
        let joint = self.asset.skeleton.joint(id);
        self.header("[[joint]]");
        self.line("name", text::string(joint.name()));
        if let Some(parent) = joint.parent() {
            let parent = self.name_of(parent);
            self.line("parent", parent);
        }
        self.transform(joint.rest());
        if joint.kind() != JointKind::Ball {
            self.kind(joint.kind());
        }
        self.tip_and_stiffness(joint, None, 0.0);
        self.machine(id, None);
        if let Some(limit) = limit_lines(joint.limit()) {
            self.header("[joint.limit]");
            self.text.push_str(&limit);
        }
    }

    /// A joint of a sidecar, if it says anything new.
    fn changed_joint(&mut self, id: JointId, base: &Asset) -> Result<(), WriteError> {
        let (joint, old) = (self.asset.skeleton.joint(id), base.skeleton.joint(id));
        let before = std::mem::take(&mut self.text);
        let new_kind = joint.kind() != old.kind();
        if new_kind {
            self.kind(joint.kind());
        }
        if old.tip().is_some() && joint.tip().is_none() {
            let found = format!("a joint '{}' whose tip the other file has", joint.name());
            return Err(WriteError::new("the skeleton in a sidecar", found));
        }
        self.tip_and_stiffness(joint, old.tip(), old.stiffness());
        self.machine(id, Some(base));
        let limit = limit_lines(joint.limit());
        // A new kind takes the old limit away, so it is said again.
        let said = if new_kind { limit.is_some() } else { joint.limit() != old.limit() };
        match limit {
            Some(limit) if said => {
                self.header("[joint.limit]");
                self.text.push_str(&limit);
            }
            None if said => self.line("limit", text::string("none")),
            _ => {}
        }
        let lines = std::mem::replace(&mut self.text, before);
        if !lines.is_empty() {
            self.header("[[joint]]");
            self.line("name", text::string(joint.name()));
            self.text.push_str(&lines);
        }
        Ok(())
    }

    fn kind(&mut self, kind: JointKind) {
        self.line("kind", text::string(kind.name()));
        match kind {
            JointKind::Hinge { axis } | JointKind::Prismatic { axis } => {
                self.line("axis", text::vector(axis))
            }
            JointKind::Universal { first, second } => {
                self.line("axes", format!("[{}, {}]", text::vector(first), text::vector(second)));
            }
            JointKind::Fixed | JointKind::Ball | JointKind::Free => {}
        }
    }

    fn tip_and_stiffness(&mut self, joint: &Joint, old_tip: Option<Vec3>, old_stiffness: f64) {
        if let Some(tip) = joint.tip().filter(|tip| Some(*tip) != old_tip) {
            self.line("tip", text::vector(tip));
        }
        if joint.stiffness() != old_stiffness {
            self.line("stiffness", text::number(joint.stiffness()));
        }
    }

    /// Whom the joint follows and what its motor can do, unless `base` says so.
    fn machine(&mut self, id: JointId, base: Option<&Asset>) {
        let slides = matches!(self.asset.skeleton.joint(id).kind(), JointKind::Prismatic { .. });
        let value = |v: f64| if slides { text::number(v) } else { angle_text(v) };
        if let Some(mimic) = self.asset.mimics.iter().find(|m| m.joint == id)
            && base.is_none_or(|base| !base.mimics.contains(mimic))
        {
            let mut parts = vec![format!("joint = {}", self.name_of(mimic.source))];
            if mimic.multiplier != 1.0 {
                parts.push(format!("multiplier = {}", text::number(mimic.multiplier)));
            }
            if mimic.offset != 0.0 {
                parts.push(format!("offset = {}", value(mimic.offset)));
            }
            self.line("mimic", format!("{{ {} }}", parts.join(", ")));
        }
        if let Some(drive) = self.asset.drives.iter().find(|d| d.joint == id)
            && base.is_none_or(|base| !base.drives.contains(drive))
        {
            let parts: Vec<String> = [
                ("velocity", drive.velocity.map(value)),
                ("effort", drive.effort.map(text::number)),
                ("soft_lower", drive.soft_lower.map(value)),
                ("soft_upper", drive.soft_upper.map(value)),
            ]
            .into_iter()
            .filter_map(|(key, value)| Some(format!("{key} = {}", value?)))
            .collect();
            self.line("drive", format!("{{ {} }}", parts.join(", ")));
        }
        let own = |asset: &Asset| {
            let all = asset.point_masses()?;
            all.get(id.index()).copied().filter(|own| own.mass > 0.0)
        };
        if let Some(mass) = own(self.asset).filter(|mass| base.and_then(own) != Some(*mass)) {
            let (kilograms, centre) = (text::number(mass.mass), text::vector(mass.centre));
            self.line("mass", format!("{{ kilograms = {kilograms}, centre = {centre} }}"));
        }
    }

    /// What is no joint: roles, other names, goals, postures that `base` does not have.
    fn besides(&mut self, base: &Asset) -> Result<(), WriteError> {
        let asset = self.asset;
        let roles: Vec<_> = asset.roles.iter().filter(|role| !base.roles.contains(role)).collect();
        let (known, unknown): (Vec<_>, Vec<_>) =
            roles.into_iter().partition(|(role, _)| HumanoidBone::from_name(role).is_some());
        if !known.is_empty() {
            self.header("[roles]");
        }
        for (role, joint) in known {
            let joint = self.name_of(*joint);
            self.line(&text::key(role), joint);
        }
        for (role, _) in unknown {
            self.notes.push(Note::new(format!("role '{role}' is no part of a humanoid and was left out")));
        }
        for alias in asset.aliases.iter().filter(|alias| !base.aliases.contains(alias)) {
            self.header("[[alias]]");
            self.line("name", text::string(&alias.name));
            let joint = self.name_of(alias.joint);
            self.line("joint", joint);
            self.transform(alias.frame);
        }
        for (name, goal) in asset.goals.iter().filter(|goal| !base.goals.contains(goal)) {
            self.goal(name, goal)?;
        }
        for (name, pose) in asset.postures.iter().filter(|posture| !base.postures.contains(posture)) {
            self.posture(name, pose)?;
        }
        for behaviour in asset.behaviours.iter().filter(|behaviour| !base.behaviours.contains(behaviour)) {
            self.text.push_str(&behaviour::lines(asset, behaviour)?);
        }
        Ok(())
    }

    fn goal(&mut self, name: &str, goal: &Goal) -> Result<(), WriteError> {
        let weights = [goal.position_weight, goal.orientation_weight];
        let finite = weights.iter().all(|w| w.is_finite())
            && goal.position_axes.is_finite()
            && goal.orientation_axes.is_finite()
            && goal.effector.offset.is_finite()
            && goal.target.is_valid();
        let joints = [Some(goal.effector.joint), goal.relative_to];
        let known = joints.into_iter().flatten().all(|joint| self.asset.skeleton.contains(joint));
        if !finite || !known {
            return Err(WriteError::new(format!("goal '{name}'"), "a joint or a number that makes no sense"));
        }
        self.header("[[goal]]");
        self.line("name", text::string(name));
        let joint = self.name_of(goal.effector.joint);
        self.line("joint", joint);
        self.transform(goal.effector.offset);
        let target = |kind: &str| text::string(kind);
        match goal.target {
            Target::Position(at) => {
                self.line("target", target("position"));
                self.line("at", text::vector(at));
            }
            Target::Orientation(turned) => {
                self.line("target", target("orientation"));
                self.line("turned", rotation_text(turned));
            }
            Target::Pose(pose) => {
                self.line("target", target("pose"));
                self.line("at", text::vector(pose.translation));
                self.line("turned", rotation_text(pose.rotation));
            }
            Target::Aim { axis, at } => {
                self.line("target", target("aim"));
                self.line("axis", text::vector(axis));
                self.line("at", text::vector(at));
            }
            Target::Contact { axis, at, normal } => {
                self.line("target", target("contact"));
                self.line("axis", text::vector(axis));
                self.line("at", text::vector(at));
                self.line("normal", text::vector(normal));
            }
        }
        if let Some(joint) = goal.relative_to {
            let joint = self.name_of(joint);
            self.line("relative_to", joint);
        }
        for (key, weight) in [("position_weight", weights[0]), ("orientation_weight", weights[1])] {
            if weight != 1.0 {
                self.line(key, text::number(weight));
            }
        }
        for (key, axes) in
            [("position_axes", goal.position_axes), ("orientation_axes", goal.orientation_axes)]
        {
            if axes != Vec3::ONE {
                self.line(key, text::vector(axes));
            }
        }
        if goal.priority != 0 {
            self.line("priority", goal.priority.to_string());
        }
        Ok(())
    }

    fn posture(&mut self, name: &str, pose: &Pose) -> Result<(), WriteError> {
        let skeleton = &self.asset.skeleton;
        if pose.len() != skeleton.len() || !pose.is_finite() {
            let found = "numbers that are not finite, or not one motion for each joint";
            return Err(WriteError::new(format!("posture '{name}'"), found));
        }
        self.header("[[posture]]");
        self.line("name", text::string(name));
        self.text.push_str(&motion_lines(skeleton, pose, "posture")?);
        Ok(())
    }
}

/// The joints of a pose that are away from rest, as tables below `owner`.
pub(super) fn motion_lines(skeleton: &Skeleton, pose: &Pose, owner: &str) -> Result<String, WriteError> {
    if pose.len() != skeleton.len() || !pose.is_finite() {
        let found = "numbers that are not finite, or not one motion for each joint";
        return Err(WriteError::new(owner, found));
    }
    let mut out = String::new();
    let turned: Vec<JointId> = skeleton.ids().filter(|id| pose.rotation(*id) != Quat::IDENTITY).collect();
    let shifted: Vec<JointId> = skeleton.ids().filter(|id| pose.translation(*id) != Vec3::ZERO).collect();
    // Writing to a String does not fail.
    if !turned.is_empty() {
        let _ = writeln!(out, "\n[{owner}.rotations]");
    }
    for id in turned {
        let key = text::key(skeleton.joint(id).name());
        let _ = writeln!(out, "{key} = {}", turn_text(skeleton, id, pose.rotation(id)));
    }
    if !shifted.is_empty() {
        let _ = writeln!(out, "\n[{owner}.translations]");
    }
    for id in shifted {
        let key = text::key(skeleton.joint(id).name());
        let _ = writeln!(out, "{key} = {}", shift_text(skeleton, id, pose.translation(id)));
    }
    Ok(out)
}

/// A rotation by the joint's own angles if these give exactly it.
fn turn_text(skeleton: &Skeleton, id: JointId, q: Quat) -> String {
    match skeleton.joint(id).kind() {
        JointKind::Hinge { axis } => {
            let angle = rotation::angle_about(axis, q);
            if rotation::about(axis, angle) == q {
                return angle_text(angle);
            }
        }
        JointKind::Universal { first, second } => {
            let (a, b) = sinew_f64::limit::universal_angles(first, second, q);
            if rotation::about(first, a) * rotation::about(second, b) == q {
                return format!("[{}, {}]", angle_text(a), angle_text(b));
            }
        }
        _ => {}
    }
    rotation_text(q)
}

/// A shift by the joint's own way if that gives exactly it.
fn shift_text(skeleton: &Skeleton, id: JointId, shift: Vec3) -> String {
    match skeleton.joint(id).kind() {
        JointKind::Prismatic { axis } if axis * axis.dot(shift) == shift => text::number(axis.dot(shift)),
        _ => text::vector(shift),
    }
}
