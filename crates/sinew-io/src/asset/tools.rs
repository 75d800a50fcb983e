//! Where a machine works: one place for each of its arms, not one for every finger.

use sinew_f64::{JointId, ModelPose, Skeleton};

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
        let rest = ModelPose::rest(skeleton);
        let mut tools: Vec<JointId> = Vec::new();
        // What sits on the base, such as a sensor, is carried by no arm.
        let below_root = |id: &JointId| skeleton.parent(*id).is_some();
        let moves = |id: JointId| skeleton.joint(id).kind().degrees_of_freedom() > 0;
        let carried = |id: JointId| skeleton.ancestors(id).filter(below_root).any(moves);
        for leaf in skeleton.ids().filter(|&id| is_leaf(skeleton, id) && carried(id)) {
            let above = skeleton.ancestors(leaf).filter(below_root);
            let hand = above.filter(|&id| is_hand(skeleton, &rest, id)).last().unwrap_or(leaf);
            let tool = self.tool_of(hand);
            if !tools.contains(&tool) {
                tools.push(tool);
            }
        }
        tools
    }

    fn tool_of(&self, hand: JointId) -> JointId {
        let skeleton = &self.skeleton;
        let mut branch = hand;
        let below = |id: JointId| skeleton.ids().filter(move |&c| skeleton.parent(c) == Some(id));
        // Down to the last joint of a plain chain, or to where it branches.
        while let (Some(only), None) = (below(branch).next(), below(branch).nth(1)) {
            branch = only;
        }
        if is_leaf(skeleton, branch) {
            return branch;
        }
        let called = |id: JointId, name: &str| {
            let aliases = self.aliases.iter().filter(|a| a.joint == id).map(|a| a.name.as_str());
            aliases.chain([skeleton.joint(id).name()]).any(|n| n.to_ascii_lowercase().contains(name))
        };
        let inside = || skeleton.ids().filter(|&id| skeleton.is_ancestor(hand, id));
        NAMES.iter().find_map(|name| inside().find(|&id| called(id, name))).unwrap_or(branch)
    }
}

fn is_leaf(skeleton: &Skeleton, id: JointId) -> bool {
    skeleton.subtree(id).len() == 1
}

/// Whether all below a joint is short against the way to it.
fn is_hand(skeleton: &Skeleton, rest: &ModelPose, id: JointId) -> bool {
    let bone =
        |id: JointId| skeleton.parent(id).map_or(0.0, |p| rest.position(id).distance(rest.position(p)));
    let way: f64 = skeleton.ancestors(id).map(bone).sum();
    let below = &rest.positions()[skeleton.subtree(id)];
    let extent = below.iter().map(|place| place.distance(rest.position(id)));
    extent.fold(0.0, f64::max) <= HAND * way
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
