//! Which joints are on the left and which on the right.

use std::collections::HashSet;

use sinew_f64::pose::MirrorMap;
use sinew_f64::{ModelPose, Skeleton};

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

/// The side of every joint, in the skeleton's order: by what names say, or by
/// where joints stand at rest if they say nothing. Joints below a sided joint
/// share its side.
pub(crate) fn sides(skeleton: &Skeleton) -> Vec<Side> {
    let by_name = named_sides(skeleton);
    let told = |side| by_name.iter().filter(|s| **s == Some(side)).count();
    let own = if told(Side::Left) > 0 && told(Side::Right) > 0 { by_name } else { mirrored_sides(skeleton) };
    let mut sides = Vec::with_capacity(skeleton.len());
    for id in skeleton.ids() {
        let inherited = skeleton.parent(id).map_or(Side::Middle, |p| sides[p.index()]);
        sides.push(own[id.index()].unwrap_or(inherited));
    }
    sides
}

fn named_sides(skeleton: &Skeleton) -> Vec<Option<Side>> {
    let names: HashSet<&str> = skeleton.joints().iter().map(|j| j.name()).collect();
    skeleton
        .joints()
        .iter()
        .map(|j| side_of_words(j.name()).or_else(|| side_of_letter(j.name(), &names)))
        .collect()
}

/// `LeftArm`, `arm_l`, `Bip01 L Thigh`, `lThumb`: a word of its own says it.
fn side_of_words(name: &str) -> Option<Side> {
    let mut words: Vec<String> = vec![String::new()];
    let mut before: Option<char> = None;
    for c in name.chars() {
        let new_word = !c.is_alphanumeric() || (c.is_uppercase() && before.is_some_and(char::is_lowercase));
        if new_word {
            words.push(String::new());
        }
        if c.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(c.to_lowercase());
        }
        before = Some(c);
    }
    words.iter().find_map(|word| match word.as_str() {
        "left" | "l" => Some(Side::Left),
        "right" | "r" => Some(Side::Right),
        _ => None,
    })
}

/// `lfemur` is on the left if there is an `rfemur`; `leftarm` needs no word
/// borders for the same reason.
fn side_of_letter(name: &str, names: &HashSet<&str>) -> Option<Side> {
    let swaps = [("left", "right"), ("Left", "Right"), ("l", "r"), ("L", "R")];
    for (left, right) in swaps {
        for (this, other, side) in [(left, right, Side::Left), (right, left, Side::Right)] {
            let starts = name.strip_prefix(this).map(|rest| format!("{other}{rest}"));
            if starts.is_some_and(|twin| names.contains(twin.as_str())) {
                return Some(side);
            }
        }
    }
    None
}

fn mirrored_sides(skeleton: &Skeleton) -> Vec<Option<Side>> {
    if skeleton.len() > MOST_JOINTS_FOR_SYMMETRY {
        return vec![None; skeleton.len()];
    }
    let rest = ModelPose::rest(skeleton);
    let size = rest.positions().iter().map(|p| p.length()).fold(0.0, f64::max);
    let map = MirrorMap::from_rest(skeleton, 0.01 * size);
    skeleton
        .ids()
        .map(|id| {
            let x = rest.position(id).x;
            let paired = map.partner(id) != id && map.partner(map.partner(id)) == id;
            (paired && x.abs() > 0.01 * size).then_some(if x > 0.0 { Side::Left } else { Side::Right })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_f64::{JointDef, SkeletonBuilder, Vec3};

    #[test]
    fn the_usual_names_are_understood() {
        for left in
            ["mixamorig:LeftArm", "l_hip", "upperarm.L", "Bip01 L Thigh", "lThumb", "J_Bip_L_UpperLeg"]
        {
            assert_eq!(side_of_words(left), Some(Side::Left), "{left}");
        }
        for right in ["RightFoot", "r_knee", "hand.R", "rThumb"] {
            assert_eq!(side_of_words(right), Some(Side::Right), "{right}");
        }
        for none in ["head", "root", "Lamp", "roll", "lower_back", "skull_tip"] {
            assert_eq!(side_of_words(none), None, "{none}");
        }
    }

    #[test]
    fn a_letter_counts_only_with_its_twin() {
        let mut b = SkeletonBuilder::new("t");
        let root = b.add(JointDef::new("lowerback"));
        for name in ["lfemur", "rfemur", "lonely"] {
            b.add(JointDef::new(name).under(root));
        }
        let s = sides(&b.build().unwrap());
        assert_eq!(s, [Side::Middle, Side::Left, Side::Right, Side::Middle]);
    }

    #[test]
    fn without_names_symmetry_decides_and_children_follow() {
        let mut b = SkeletonBuilder::new("t");
        let root = b.add(JointDef::new("body"));
        for (name, x) in [("a", 1.0), ("b", -1.0)] {
            let leg = b.add(JointDef::new(name).under(root).at(Vec3::X * x));
            b.add(JointDef::new(format!("{name}2")).under(leg).at(Vec3::NEG_Y));
        }
        use Side::{Left, Middle, Right};
        assert_eq!(sides(&b.build().unwrap()), [Middle, Left, Left, Right, Right]);
        assert!(sides(&sinew_f64::rigs::chain(5, 1.0)).iter().all(|s| *s == Middle));
    }
}
