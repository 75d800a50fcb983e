//! What a BVH file does not say: how long a unit is and which way is up.

use glam::DVec3;

use super::document::{BvhDocument, UpAxis};
use crate::Note;

/// A unit that BVH files are written in.
struct Unit {
    name: &'static str,
    metres: f64,
}

const UNITS: [Unit; 5] = [
    Unit { name: "1 metre", metres: 1.0 },
    Unit { name: "1/0.45 inch, as in the CMU database", metres: 0.0254 / 0.45 },
    Unit { name: "1 inch", metres: 0.0254 },
    Unit { name: "1 centimetre", metres: 0.01 },
    Unit { name: "1 millimetre", metres: 0.001 },
];

/// The height that a guess brings a skeleton closest to. A little below a
/// grown person's, since most files leave out the top of the head.
const USUAL_HEIGHT: f64 = 1.6;

/// Metres in a unit for a skeleton this many units high, and its name: the
/// unit in which it comes closest to a person.
fn nearest_unit(height: f64) -> &'static Unit {
    let off = |unit: &Unit| (height * unit.metres / USUAL_HEIGHT).ln().abs();
    UNITS.iter().min_by(|a, b| off(a).total_cmp(&off(b))).unwrap_or(&UNITS[0])
}

/// The unit that a reader guesses for a skeleton this many units high.
pub(super) fn metres_for_height(height: f64) -> f64 {
    if height > 0.0 { nearest_unit(height).metres } else { 0.01 }
}

/// The longest side of the box around the rest pose: the height, or the span
/// of the arms, which is about the same.
pub(super) fn height(document: &BvhDocument) -> f64 {
    let places = document.joint_positions(None);
    let tips = document.joints.iter().zip(&places).flat_map(|(joint, &place)| {
        // At rest nothing is turned.
        joint.end_sites.iter().map(move |&site| place + site)
    });
    let (low, high) = places
        .iter()
        .copied()
        .chain(tips)
        .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), p| (low.min(p), high.max(p)));
    (high - low).max_element()
}

/// The guess at the metres in a unit, and what to tell people about it.
pub(super) fn unit(document: &BvhDocument) -> (f64, Note) {
    let height = height(document);
    if height <= 0.0 {
        let text = "the file has no units and its skeleton no size; one unit is taken as 1 centimetre";
        return (0.01, Note::new(text));
    }
    let unit = nearest_unit(height);
    let metres = height * unit.metres;
    let doubt = if (1.0..=2.3).contains(&metres) { "" } else { ", which is not the size of a person" };
    let text = format!(
        "the file has no units: its rest pose spans {height:.4} of them, so one is taken as {} ({:.6} m), \
         which makes it {metres:.2} m{doubt}; give a scale to say otherwise",
        unit.name, unit.metres,
    );
    (unit.metres, Note::new(text))
}

/// The guess at the axes that point up, at rest and in the motion.
pub(super) struct Up {
    pub(super) rest: UpAxis,
    pub(super) motion: UpAxis,
    pub(super) note: Option<Note>,
}

/// Looks at which way the head stands from the feet, at rest and in frames
/// spread over the motion. Some files have upright offsets along Y and a
/// motion in which Z is up, so the two are told apart.
pub(super) fn up(document: &BvhDocument) -> Up {
    const SAMPLES: usize = 16;
    let named = |parts: &[&str]| -> Vec<usize> {
        let fits = |name: &str| parts.iter().any(|part| name.to_ascii_lowercase().contains(part));
        (0..document.joints.len()).filter(|&i| fits(&document.joints[i].name)).collect()
    };
    let head = named(&["head"]);
    let feet = named(&["foot", "ankle", "toe"]);
    if head.is_empty() || feet.is_empty() {
        let text = "Y is taken as up, as BVH has it by custom; no head and feet are named to check it by";
        return Up { rest: UpAxis::Y, motion: UpAxis::Y, note: Some(Note::new(text)) };
    }
    let upright = |frame: Option<&[f64]>| {
        let places = document.joint_positions(frame);
        let mean = |joints: &[usize]| joints.iter().map(|&i| places[i]).sum::<DVec3>() / joints.len() as f64;
        vote(mean(&head) - mean(&feet))
    };
    let count = document.frame_count();
    let step = count.div_ceil(SAMPLES).max(1);
    let votes: Vec<Option<UpAxis>> =
        document.frames().take(count).step_by(step).map(|frame| upright(Some(frame))).collect();
    let moving = [UpAxis::Y, UpAxis::Z]
        .into_iter()
        .find(|&axis| 2 * votes.iter().filter(|&&vote| vote == Some(axis)).count() > votes.len());
    let resting = upright(None);

    let motion = moving.or(resting).unwrap_or_default();
    let rest = resting.unwrap_or(motion);
    let note = match (rest, motion) {
        _ if moving.is_none() && resting.is_none() => {
            Some("Y is taken as up, as BVH has it by custom; the body does not stand along any axis")
        }
        (UpAxis::Y, UpAxis::Y) => None,
        (UpAxis::Z, UpAxis::Z) => Some("the body stands along Z, so Z is taken as up and turned to Y"),
        (UpAxis::Y, UpAxis::Z) => {
            Some("the offsets stand along Y and the motion along Z, so the motion is turned to Y")
        }
        (UpAxis::Z, UpAxis::Y) => {
            Some("the offsets stand along Z and the motion along Y, so the offsets are turned to Y")
        }
    };
    Up { rest, motion, note: note.map(Note::new) }
}

/// The axis along which a body with this way from feet to head stands.
fn vote(up: DVec3) -> Option<UpAxis> {
    // Within 37° of the axis.
    const CLEAR: f64 = 0.8;
    let length = up.length();
    if length <= 0.0 {
        None
    } else if up.y >= CLEAR * length {
        Some(UpAxis::Y)
    } else if up.z >= CLEAR * length {
        Some(UpAxis::Z)
    } else {
        None
    }
}
