//! Where a machine works: one place for each of its arms, not one for every finger.

use std::ops::Range;

use sinew_f64::{JointId, ModelPose, Skeleton, Vec3};

use super::Asset;

/// A part is a hand if it is no longer than this part of the way to it from the root.
const HAND: f64 = 0.3;

/// What a joint or link at the working end is called, the best first.
const NAMES: [&str; 8] = ["tcp", "tool", "grasp", "ee_", "effector", "flange", "palm", "hand"];

impl Asset {
    /// The joints at which a machine works: for each chain its last joint; for a hand with fingers,
    /// or an end with several frames, the one that its name says is the tool, or else the joint
    /// from which they branch. In the skeleton's order; a single joint has none.
    ///
    /// ```
    /// let arm = sinew_io::Asset::new(sinew_f64::rigs::by_name("arm").unwrap());
    /// let names: Vec<&str> = arm.tools().iter().map(|j| arm.skeleton.joint(*j).name()).collect();
    /// assert_eq!(names, ["flange"]);
    /// ```
    pub fn tools(&self) -> Vec<JointId> {
        let skeleton = &self.skeleton;
        let hands = Hands::new(skeleton);
        let mut tools: Vec<JointId> = Vec::new();
        let mut last = None;
        for leaf in skeleton.ids().filter(|&id| skeleton.subtree(id).len() == 1) {
            // Leaves of one hand follow each other.
            let hand = hands.of(leaf);
            if hand.is_some() && hand != last {
                tools.extend(hand.map(|hand| self.tool_of(hand)));
                last = hand;
            }
        }
        tools
    }

    fn tool_of(&self, hand: JointId) -> JointId {
        let skeleton = &self.skeleton;
        let mut branch = hand;
        // Down to the last joint of a plain chain, or to where it branches.
        while let (Some(only), None) = {
            let mut below = skeleton.children(branch);
            (below.next(), below.next())
        } {
            branch = only;
        }
        let inside = skeleton.subtree(hand);
        if skeleton.subtree(branch).len() == 1 {
            return branch;
        }
        let joints = skeleton.joints()[inside.clone()].iter().enumerate();
        let joints = joints.map(|(i, joint)| (inside.start + i, joint.name()));
        let links = self.aliases.iter().map(|a| (a.joint.index(), a.name.as_str()));
        let mut names: Vec<(usize, String)> = links
            .filter(|(at, _)| inside.contains(at))
            .chain(joints)
            .map(|(at, name)| (at, name.to_ascii_lowercase()))
            .collect();
        names.sort_by_key(|(at, _)| *at);
        let called = |part: &&str| names.iter().find(|(_, name)| name.contains(*part));
        NAMES.iter().find_map(called).and_then(|(at, _)| skeleton.id(*at)).unwrap_or(branch)
    }
}

/// The hands of a machine. Every joint is looked at once: a file may have a hundred thousand.
struct Hands {
    /// For each joint the hand that it belongs to, the largest if hands are in hands.
    hand: Vec<Option<JointId>>,
    /// Whether something moves it: what sits on the base, such as a sensor, is carried by no arm.
    carried: Vec<bool>,
}

impl Hands {
    fn new(skeleton: &Skeleton) -> Self {
        let rest = ModelPose::rest(skeleton);
        let places = rest.positions();
        // What is below each joint is within a box.
        let mut boxes: Vec<(Vec3, Vec3)> = places.iter().map(|&place| (place, place)).collect();
        for id in skeleton.ids().rev() {
            if let Some(parent) = skeleton.parent(id) {
                let (low, high) = boxes[id.index()];
                let above = &mut boxes[parent.index()];
                *above = (above.0.min(low), above.1.max(high));
            }
        }
        let mut ways = vec![0.0; skeleton.len()];
        let mut found = Self { hand: vec![None; skeleton.len()], carried: vec![false; skeleton.len()] };
        for id in skeleton.ids() {
            let Some(parent) = skeleton.parent(id) else { continue };
            let (i, above) = (id.index(), parent.index());
            ways[i] = ways[above] + places[i].distance(places[above]);
            let moves = skeleton.joint(id).kind().degrees_of_freedom() > 0;
            found.carried[i] = found.carried[above] || moves;
            let is_hand = || is_short(places, skeleton.subtree(id), boxes[i], HAND * ways[i]);
            found.hand[i] = found.hand[above].or_else(|| is_hand().then_some(id));
        }
        found
    }

    /// The hand of a joint, or the joint itself; `None` if no arm carries it.
    fn of(&self, joint: JointId) -> Option<JointId> {
        self.carried[joint.index()].then(|| self.hand[joint.index()].unwrap_or(joint))
    }
}

/// Whether all places of a part are within a distance of its first. Its box often says so, or says that they are
/// not: each of its sides has a place on it.
fn is_short(places: &[Vec3], part: Range<usize>, (low, high): (Vec3, Vec3), most: f64) -> bool {
    let first = places[part.start];
    let far = (high - first).max(first - low);
    if far.length() <= most {
        return true;
    }
    far.max_element() <= most && places[part].iter().all(|place| place.distance(first) <= most)
}

#[cfg(test)]
mod tests {
    use crate::urdf;

    /// Joints and fixed frames of a robot, `name parent place type` each.
    fn robot(parts: &[(&str, &str, &str, &str)]) -> crate::Asset {
        let mut text = String::from("<robot name='r'><link name='base'/>");
        for (name, parent, xyz, kind) in parts {
            text += &format!(
                "<link name='{name}'/><joint name='{name}_joint' type='{kind}'><parent link='{parent}'/>\
                 <child link='{name}'/><origin xyz='{xyz}'/><axis xyz='0 1 0'/></joint>"
            );
        }
        urdf::read((text + "</robot>").as_bytes()).unwrap()
    }

    fn tools(parts: &[(&str, &str, &str, &str)]) -> Vec<String> {
        let asset = robot(parts);
        asset.tools().iter().map(|&j| asset.skeleton.joint(j).name().to_string()).collect()
    }

    #[test]
    fn fingers_are_one_hand_and_a_name_says_which_frame() {
        let arm = [("a", "base", "0 0 1", "continuous"), ("b", "a", "0 0 1", "continuous")];
        let fingers = [("f1", "b", "0 0.1 0.1", "continuous"), ("f2", "b", "0 -0.1 0.1", "continuous")];
        assert_eq!(tools(&arm), ["b_joint"]);
        assert_eq!(tools(&[&arm[..], &fingers].concat()), ["b_joint"], "where the fingers branch");
        let frame = [("arm_tcp", "b", "0 0 0.1", "fixed")];
        assert_eq!(tools(&[&arm[..], &fingers, &frame].concat()), ["arm_tcp_joint"]);
        let sensor = [("imu", "base", "0.1 0 0", "fixed")];
        assert_eq!(tools(&[&arm[..], &sensor].concat()), ["b_joint"], "no arm carries the sensor");
        let other = [("c", "base", "0 1 0", "continuous"), ("d", "c", "0 1 0", "continuous")];
        assert_eq!(tools(&[&arm[..], &other].concat()), ["b_joint", "d_joint"]);
        assert_eq!(
            tools(&fingers.map(|(n, _, at, k)| (n, "base", at, k))),
            ["f1_joint", "f2_joint"],
            "a hand alone"
        );
        assert!(tools(&sensor).is_empty());
    }
}
