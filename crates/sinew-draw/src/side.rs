//! Which joints are on the left and which on the right.

use sinew_f64::pose::MirrorMap;
use sinew_f64::skeleton::humanoid::{self, HumanoidMap};
use sinew_f64::{ModelPose, Skeleton, Vec3};

/// The side of the body that a joint belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// The character's left, +X when it faces +Z.
    Left,
    /// The character's right.
    Right,
    /// In the middle, or of a body without sides.
    Middle,
}

/// Past this many joints symmetry is not looked for: pairing them takes time
/// that grows with the square.
const MOST_JOINTS_FOR_SYMMETRY: usize = 400;
/// Past this many joints nothing is looked for; no picture shows them apart.
const MOST_JOINTS: usize = 5000;

/// The side of every joint, in the skeleton's order: by the parts of a body
/// that joints play, by names that differ in nothing but the side, or else by
/// where joints stand at rest. Joints below a sided joint share its side.
pub(crate) fn sides(skeleton: &Skeleton) -> Vec<Side> {
    if skeleton.len() > MOST_JOINTS {
        return vec![Side::Middle; skeleton.len()];
    }
    let map = HumanoidMap::find(skeleton);
    let rest = ModelPose::rest(skeleton);
    let size = rest.positions().iter().map(|p| p.length()).fold(0.0, f64::max);
    let is_paired = |pairs: &MirrorMap| skeleton.ids().any(|id| pairs.partner(id) != id);
    let mut pairs = map.mirror_map(skeleton);
    if !is_paired(&pairs) && skeleton.len() <= MOST_JOINTS_FOR_SYMMETRY {
        pairs = MirrorMap::from_rest(skeleton, 0.01 * size);
    }
    let left = map.facing().map_or(Vec3::X, |facing| facing.left);

    let mut sides = Vec::with_capacity(skeleton.len());
    for id in skeleton.ids() {
        let inherited = skeleton.parent(id).map_or(Side::Middle, |p| sides[p.index()]);
        let role = map.bone_of(id).and_then(|bone| bone.side());
        let other = pairs.partner(id);
        // A joint that stands opposite itself, or whose twin stands in the same
        // place, follows its parent.
        let apart = (rest.position(id) - rest.position(other)).dot(left);
        sides.push(match role {
            Some(humanoid::Side::Left) => Side::Left,
            Some(humanoid::Side::Right) => Side::Right,
            None if pairs.partner(other) == id && apart > 0.01 * size => Side::Left,
            None if pairs.partner(other) == id && apart < -0.01 * size => Side::Right,
            None => inherited,
        });
    }
    sides
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_f64::{JointDef, SkeletonBuilder};

    fn legs(left: &str, right: &str, left_at: Vec3) -> Vec<Side> {
        let mut b = SkeletonBuilder::new("t");
        let root = b.add(JointDef::new("body"));
        for (name, at) in [(left, left_at), (right, -left_at)] {
            let leg = b.add(JointDef::new(name).under(root).at(at));
            b.add(JointDef::new(format!("{name} end")).under(leg).at(Vec3::NEG_Y));
        }
        sides(&b.build().unwrap())
    }

    #[test]
    fn names_decide_where_they_say_something() {
        use Side::{Left, Middle, Right};
        let wanted = [Middle, Left, Left, Right, Right];
        for (left, right) in [("LeftUpLeg", "RightUpLeg"), ("thigh.L", "thigh.R"), ("lfemur", "rfemur")] {
            assert_eq!(legs(left, right, Vec3::X), wanted, "{left}");
            // A character that faces the other way has its left at −X.
            assert_eq!(legs(left, right, Vec3::NEG_X), wanted, "{left}");
        }
    }

    #[test]
    fn without_names_symmetry_decides_and_children_follow() {
        use Side::{Left, Middle, Right};
        assert_eq!(legs("one", "two", Vec3::X), [Middle, Left, Left, Right, Right]);
        assert!(sides(&sinew_f64::rigs::chain(5, 1.0)).iter().all(|s| *s == Middle));
        assert_eq!(sides(&sinew_f64::rigs::chain(6000, 1.0)).len(), 6001);
    }
}
