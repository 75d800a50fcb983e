//! Where a character looks from, and where straight ahead is.

use alloc::string::{String, ToString};

use super::Erik;
use crate::goal::{Effector, Target};
use crate::math::*;
use crate::skeleton::{JointId, JointKind, Skeleton};

/// The tip of the chain with the most joints that move: of those that ERIK takes, if there are any.
pub fn end_of_longest_chain(skeleton: &Skeleton) -> Effector {
    let moves = |j: &JointId| skeleton.joint(*j).kind() != JointKind::Fixed;
    let taken = |j: JointId| {
        let joint = skeleton.joint(j);
        joint.stiffness() >= 1.0 || joint.kind().degrees_of_freedom() <= 1
    };
    let key = |joint: JointId| {
        let moving = skeleton.ancestors(joint).filter(moves).count();
        (skeleton.ancestors(joint).all(taken) && moving > 0, moving, skeleton.ancestors(joint).count())
    };
    // The first of the deepest, whatever is added after it.
    Effector::at_tip(skeleton, skeleton.ids().rev().max_by_key(|j| key(*j)).unwrap_or(skeleton.root()))
}

/// What of a rig looks, and how that was told.
#[derive(Debug, Clone, PartialEq)]
pub struct EndPoint {
    /// Where it looks from.
    pub effector: Effector,
    /// Where it looks, in the end point's own frame; `None` for along its last bone.
    pub forward: Option<Vec3>,
    /// The name that it was known by: of the joint, or of a link that it carries.
    pub name: String,
    /// In words, to follow the name.
    pub why: &'static str,
}

/// Words of names and what they are worth: a head before a camera in it, that before a lamp.
const LOOKS: [(&str, u32); 17] = [
    ("head", 4),
    ("face", 4),
    ("skull", 4),
    ("eye", 3),
    ("eyes", 3),
    ("camera", 3),
    ("cam", 3),
    ("gaze", 3),
    ("realsense", 3),
    ("kinect", 3),
    ("lamp", 2),
    ("lampshade", 2),
    ("shade", 2),
    ("spotlight", 2),
    ("bulb", 2),
    ("diffuser", 2),
    ("light", 2),
];
/// What hangs on a head and does not look, and what leads to one: a link called `wrist_head`.
const LOOKS_NOT: [&str; 18] = [
    "antenna", "ear", "hair", "jaw", "lid", "lids", "eyelid", "eyelids", "brow", "switch", "button", "imu",
    "mouth", "lip", "wrist", "elbow", "hand", "arm",
];
/// What is found on a body whose head has a face.
const BODY: [&str; 9] = ["torso", "neck", "arm", "shoulder", "waist", "chest", "trunk", "hip", "antenna"];

/// The words of a name, in lower case: split at signs, digits and capitals.
fn words(name: &str) -> impl Iterator<Item = String> + '_ {
    let breaks = |pair: (char, char)| pair.0.is_lowercase() && pair.1.is_uppercase();
    let mut spaced = String::with_capacity(2 * name.len());
    let mut last = ' ';
    for letter in name.chars() {
        if breaks((last, letter)) {
            spaced.push(' ');
        }
        spaced.push(if letter.is_alphabetic() { letter } else { ' ' });
        last = letter;
    }
    let found: alloc::vec::Vec<String> = spaced.split_whitespace().map(str::to_lowercase).collect();
    found.into_iter()
}

/// What looks: a head, an eye, a camera or a lamp by its name, if ERIK can move it, else the end of
/// the longest chain. `others` are further names for joints, as of the links of a robot.
///
/// ```
/// use sinew::solver::erik::end_that_looks;
/// let robot = sinew::rigs::by_name("snake")?;
/// let end = end_that_looks(&robot, &[]);
/// assert_eq!(end.why, "is the end of the longest chain");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn end_that_looks(skeleton: &Skeleton, others: &[(&str, JointId)]) -> EndPoint {
    let taken = |j: JointId| {
        let joint = skeleton.joint(j);
        joint.stiffness() >= 1.0 || joint.kind().degrees_of_freedom() <= 1
    };
    let moving = |joint: JointId| {
        skeleton.ancestors(joint).filter(|j| skeleton.joint(*j).kind() != JointKind::Fixed).count()
    };
    let own = skeleton.ids().map(|id| (skeleton.joint(id).name(), id));
    let others = others.iter().copied().filter(|(_, joint)| skeleton.contains(*joint));
    let names: alloc::vec::Vec<(&str, JointId)> = own.chain(others).collect();
    let worth = |name: &str| {
        if words(name).any(|word| LOOKS_NOT.contains(&word.as_str())) {
            return 0;
        }
        words(name)
            .filter_map(|word| LOOKS.iter().find(|(w, _)| *w == word))
            .map(|(_, n)| *n)
            .max()
            .unwrap_or(0)
    };
    let mut best: Option<((u32, usize, bool), &str, JointId)> = None;
    for &(name, joint) in &names {
        let key = (worth(name), moving(joint), skeleton.joint(joint).kind() != JointKind::Fixed);
        let fits = key.0 > 0 && key.1 > 0 && skeleton.ancestors(joint).all(taken);
        if fits && best.is_none_or(|(most, ..)| key > most) {
            best = Some((key, name, joint));
        }
    }
    let Some(((worth, ..), name, joint)) = best else {
        // Hinges look; what slides at the end of an arm is a finger.
        let hinges = |joint: JointId| {
            let kinds = skeleton.ancestors(joint).map(|j| skeleton.joint(j).kind());
            let (mut hinges, mut slides) = (0, 0);
            for kind in kinds {
                hinges += usize::from(matches!(kind, JointKind::Hinge { .. }));
                slides += usize::from(matches!(kind, JointKind::Prismatic { .. }));
            }
            (hinges, core::cmp::Reverse(slides), skeleton.ancestors(joint).count())
        };
        let usable = |joint: &JointId| skeleton.ancestors(*joint).all(taken) && hinges(*joint).0 > 0;
        let longest = skeleton.ids().rev().filter(usable).max_by_key(|joint| hinges(*joint));
        let effector =
            longest.map_or_else(|| end_of_longest_chain(skeleton), |joint| Effector::at_tip(skeleton, joint));
        let name = skeleton.joint(effector.joint).name().to_string();
        return EndPoint { effector, forward: None, name, why: "is the end of the longest chain" };
    };
    let on_body = || names.iter().any(|(name, _)| words(name).any(|word| BODY.contains(&word.as_str())));
    let why = match worth {
        4 => "is called a head",
        3 => "is called an eye or a camera",
        _ => "is called a lamp",
    };
    // A face looks to where the rig's front is, not out of the top of the head.
    if worth == 3 || (worth == 4 && on_body()) {
        let rest = crate::pose::ModelPose::rest(skeleton).rotation(joint);
        let forward = Some(rest.conjugate() * Vec3::Z);
        return EndPoint { effector: Effector::at(joint), forward, name: name.to_string(), why };
    }
    EndPoint { effector: Effector::at_tip(skeleton, joint), forward: None, name: name.to_string(), why }
}

impl Erik {
    /// The target of an end point with a face that should look at a point from where it is: a turn
    /// to the side, then up or down, and never a roll.
    pub fn upright(&self, endpoint: usize, from: Vec3, at: Vec3) -> Target {
        let d = direction_or(at - from, Vec3::Z);
        let yaw = if d.x.abs().max(d.z.abs()) > 1.0e-6 { d.x.atan2(d.z) } else { 0.0 };
        let pitch = -d.y.clamp(-1.0, 1.0).asin();
        self.toward(endpoint, Quat::from_rotation_y(yaw) * Quat::from_rotation_x(pitch))
    }

    /// The target of an end point that should look in a direction: `turn` from
    /// straight ahead, which is along z with the least turn from rest.
    pub fn toward(&self, endpoint: usize, turn: Quat) -> Target {
        let Some(limb) = self.body.limbs.get(endpoint) else { return Target::Orientation(turn) };
        let ahead = rotation::between(limb.rest * limb.pointing, Vec3::Z, Vec3::X);
        Target::Orientation((turn * ahead * limb.rest).normalize())
    }

    /// The target of an end point that should look at a point, along its own
    /// forward axis.
    pub fn aim(&self, endpoint: usize, at: Vec3) -> Target {
        Target::Aim { axis: self.body.limbs.get(endpoint).map_or(Vec3::Z, |limb| limb.pointing), at }
    }

    /// Where an end point at this place looks: a unit vector in model space.
    pub fn sight(&self, endpoint: usize, now: Transform) -> Option<Vec3> {
        self.body.limbs.get(endpoint).map(|limb| now.rotation * limb.pointing)
    }
}
