//! What a joint's name says, in whichever convention it is written.
//!
//! A name is cut into words at capitals, digits and punctuation; words that say
//! nothing (`mixamorig`, `Bip01`, `DEF`, `joint`) and a namespace before a colon
//! are dropped; a word or a leading letter gives the side; a trailing number is
//! kept apart; what remains is looked up. `mixamorig1:LeftUpLeg`, `lfemur`,
//! `l_hip`, `thigh.L`, `Bip01 L Thigh` and `leftUpperLeg` thus all read as the
//! left thigh, some of them with less certainty than others ([`Part`] keeps
//! apart the words that mean different joints in different conventions).

use alloc::string::String;
use alloc::vec::Vec;

use super::bone::{Finger, Side};

/// The joint that a name speaks of. Words that are used for more than one joint
/// have entries of their own and are settled in `by_name.rs` by what else there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Hips,
    /// `root`: the hips, where nothing else is.
    Root,
    Spine,
    Chest,
    UpperChest,
    Neck,
    Head,
    Jaw,
    Eye,
    Clavicle,
    /// The clavicle (Mixamo, VRM) or the upper arm (H-Anim, Poser).
    Shoulder,
    UpperArm,
    /// The upper arm (Mixamo) or the lower one (where there is an upper arm by name).
    Arm,
    LowerArm,
    Hand,
    UpperLeg,
    /// With a side: the upper leg (H-Anim), or a joint between it and the pelvis (CMU).
    Hip,
    LowerLeg,
    /// The lower leg (Mixamo) or the upper one.
    Leg,
    Foot,
    Toes,
    /// A joint of the foot that does for the toes where there are none.
    Midfoot,
    Finger(Finger, Stage),
}

/// Which joint of a finger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// The name does not say; the order in the tree will.
    Unsaid,
    /// Inside the palm.
    Metacarpal,
    /// From the knuckle outwards.
    Counted,
}

/// What a name says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Reading {
    pub part: Option<Part>,
    pub side: Option<Side>,
    /// The last number in the name.
    pub number: Option<u32>,
    /// A control, a target, an end site: nothing that has a bone.
    pub is_helper: bool,
    /// A joint that carries a share of a bone's twist.
    pub is_twist: bool,
    /// The words without the side, to find the same joint on the other side.
    pub stem: String,
}

/// What a word is good for.
enum Word {
    Side(Side),
    /// A control, a target, an end site.
    Helper,
    Twist,
    /// Says nothing.
    Filler,
    Told,
}

fn sort(word: &str) -> Word {
    match word {
        "l" | "left" | "lft" | "lt" => Word::Side(Side::Left),
        "r" | "right" | "rgt" | "rt" => Word::Side(Side::Right),
        "twist" | "roll" => Word::Twist,
        "attach" | "camera" | "control" | "ctl" | "ctrl" | "dummy" | "eff" | "effector" | "end" | "fk"
        | "gripper" | "helper" | "ik" | "imu" | "mch" | "nub" | "optical" | "pole" | "prop" | "rgbd"
        | "site" | "slot" | "socket" | "sole" | "target" | "tip" | "tool" | "weapon" => Word::Helper,
        "adj" | "armature" | "b" | "base" | "bend" | "bip" | "biped" | "bn" | "bone" | "c" | "cc"
        | "center" | "centre" | "char" | "character" | "def" | "f" | "finger" | "j" | "jnt" | "joint"
        | "jt" | "link" | "m" | "mixamorig" | "org" | "pitch" | "rig" | "sk" | "skel" | "skeleton"
        | "valve" | "x" | "y" | "yaw" | "z" => Word::Filler,
        _ => Word::Told,
    }
}

/// Reads one name.
pub(super) fn read(name: &str) -> Reading {
    let name = name.rsplit([':', '|']).next().unwrap_or(name);
    let words = split(name);
    let (mut side, mut number, mut number_text) = (None, None, "");
    let mut reading = Reading::default();
    let mut told: Vec<&str> = Vec::new();
    let mut previous = "";
    for word in words.iter().map(String::as_str) {
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            // The number of `Bip01` and `mixamorig1` counts characters, not joints.
            if !matches!(previous, "bip" | "mixamorig") {
                number = word.parse().ok();
                number_text = word;
            }
        } else {
            match sort(word) {
                Word::Side(s) if side.is_none() => {
                    side = Some(s);
                    previous = word;
                    continue;
                }
                Word::Helper => reading.is_helper = true,
                Word::Twist => reading.is_twist = true,
                Word::Filler => {}
                Word::Side(_) | Word::Told => told.push(word),
            }
        }
        reading.stem.push_str(word);
        reading.stem.push(' ');
        previous = word;
    }
    reading.side = side;
    reading.number = number;

    let joined: String = told.concat();
    reading.part = if joined.is_empty() {
        // 3ds Max Biped counts its fingers: Finger0, Finger01, Finger02, Finger1 …
        counted_finger(&words, number_text).filter(|_| side.is_some())
    } else {
        part_of(&joined, &told, side, number)
    };
    if reading.part.is_none() && side.is_none() {
        // `lfemur`, `leftupleg`: the side is the beginning of the word.
        for (prefix, s) in
            [("left", Side::Left), ("right", Side::Right), ("l", Side::Left), ("r", Side::Right)]
        {
            let Some(rest) = joined.strip_prefix(prefix).filter(|rest| rest.len() > 2) else { continue };
            let part = part_of(rest, &[rest], Some(s), number);
            if part.is_some_and(Part::has_sides) {
                reading.part = part;
                reading.side = Some(s);
                reading.stem = reading.stem.replacen(prefix, "", 1);
                break;
            }
        }
    }
    // A hip without a side is the pelvis; a pelvis with one is something else.
    reading.part = match (reading.part, reading.side) {
        (Some(Part::Hip), None) => Some(Part::Hips),
        (Some(part), side) if part.has_sides() != side.is_some() => None,
        (part, _) => part,
    };
    reading
}

impl Part {
    /// Whether there are two of it.
    fn has_sides(self) -> bool {
        !matches!(
            self,
            Self::Hips
                | Self::Root
                | Self::Spine
                | Self::Chest
                | Self::UpperChest
                | Self::Neck
                | Self::Head
                | Self::Jaw
        )
    }
}

fn part_of(joined: &str, words: &[&str], side: Option<Side>, number: Option<u32>) -> Option<Part> {
    let part = match joined {
        "hips" | "pelvis" | "humanoidroot" => Part::Hips,
        "hip" | "hipjoint" => Part::Hip,
        "root" => Part::Root,
        "spine" | "abdomen" | "ab" | "torso" | "back" | "lowerback" | "upperback" | "thorax" | "waist"
        | "belly" | "stomach" | "lumbar" | "thoracic" | "middlelumbar" | "middlethoracic" | "vl" | "vt"
        | "abdomenlower" | "abdomenupper" | "chestlower" | "chestupper" | "lowerspine" | "upperspine"
        | "ribcage" | "lowerchest" => Part::Spine,
        "chest" => Part::Chest,
        "upperchest" => Part::UpperChest,
        "neck" | "lowerneck" | "upperneck" | "necklower" | "neckupper" | "cervical" | "middlecervical"
        | "vc" => Part::Neck,
        "head" | "skullbase" | "skull" => Part::Head,
        "jaw" | "temporomandibular" | "mandible" | "lowerjaw" => Part::Jaw,
        "eye" | "eyeball" | "faceeye" => Part::Eye,
        "clavicle" | "collar" | "collarbone" | "clavicula" | "sternoclavicular" => Part::Clavicle,
        "shoulder" | "shldr" => Part::Shoulder,
        "upperarm" | "uparm" | "humerus" | "armupper" | "glenohumeral" => Part::UpperArm,
        // "arm 4" counts its joints from somewhere; where, only the tree knows.
        "arm" if number.is_none() => Part::Arm,
        "forearm" | "lowerarm" | "lowarm" | "elbow" | "radius" | "ulna" | "armlower" => Part::LowerArm,
        "hand" | "wrist" | "radiocarpal" => Part::Hand,
        "upperleg" | "upleg" | "thigh" | "femur" | "legupper" => Part::UpperLeg,
        "lowerleg" | "lowleg" | "knee" | "shin" | "calf" | "tibia" | "leglower" => Part::LowerLeg,
        "leg" if number.is_none() => Part::Leg,
        "foot" | "ankle" | "talocrural" => Part::Foot,
        "toe" | "toes" | "ball" | "forefoot" | "metatarsal" | "football" | "metatarsophalangeal" => {
            Part::Toes
        }
        "midtarsal" | "midfoot" | "talocalcaneonavicular" => Part::Midfoot,
        _ => return finger_of(joined, words, number).filter(|_| side.is_some()),
    };
    Some(part)
}

fn finger_word(word: &str) -> Option<Finger> {
    Some(match word {
        "thumb" => Finger::Thumb,
        "index" | "pointer" => Finger::Index,
        "middle" | "mid" => Finger::Middle,
        "ring" => Finger::Ring,
        "little" | "pinky" | "pinkie" => Finger::Little,
        _ => return None,
    })
}

fn stage_word(word: &str) -> Option<Stage> {
    match word {
        "" => Some(Stage::Unsaid),
        "metacarpal" | "meta" => Some(Stage::Metacarpal),
        "proximal" | "intermediate" | "distal" => Some(Stage::Counted),
        _ => None,
    }
}

fn finger_of(joined: &str, words: &[&str], number: Option<u32>) -> Option<Part> {
    // ISO/IEC 19774-1:2019 counts the fingers from the thumb.
    let counted = |stage| {
        let finger = Finger::ALL.get(number?.checked_sub(1)? as usize)?;
        Some(Part::Finger(*finger, stage))
    };
    match joined {
        "metacarpophalangeal"
        | "carpalinterphalangeal"
        | "carpalproximalinterphalangeal"
        | "carpaldistalinterphalangeal" => return counted(Stage::Counted),
        "carpometacarpal" => return counted(Stage::Metacarpal),
        _ => {}
    }
    let mut finger = None;
    let mut stage = Stage::Unsaid;
    for word in words.iter().copied().filter(|w| *w != "hand") {
        if let Some(f) = finger_word(word).filter(|_| finger.is_none()) {
            finger = Some(f);
        } else if let Some(s) = stage_word(word) {
            stage = s;
        } else {
            // Written in one: `thumbproximal`.
            let split = Finger::ALL.iter().zip(["thumb", "index", "middle", "ring", "little"]);
            let (f, s) = split.filter_map(|(f, w)| Some((*f, stage_word(word.strip_prefix(w)?)?))).next()?;
            (finger, stage) = (Some(f), s);
        }
    }
    if stage == Stage::Unsaid {
        match number {
            Some(0) => stage = Stage::Metacarpal,
            Some(_) => stage = Stage::Counted,
            None => {}
        }
    }
    finger.map(|f| Part::Finger(f, stage))
}

fn counted_finger(words: &[String], digits: &str) -> Option<Part> {
    let finger = digits.chars().next().and_then(|c| c.to_digit(10));
    if !words.iter().any(|w| w == "finger") || digits.len() > 2 {
        return None;
    }
    Some(Part::Finger(*Finger::ALL.get(finger? as usize)?, Stage::Counted))
}

/// Cuts a name into lower-case words at capitals, digits and punctuation.
fn split(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut previous = ' ';
    let mut letters = name.chars().peekable();
    while let Some(letter) = letters.next() {
        let next_is_lower = letters.peek().is_some_and(|c| c.is_lowercase());
        let starts = if letter.is_ascii_digit() {
            !previous.is_ascii_digit()
        } else if letter.is_uppercase() {
            // `leftArm`, and the last capital of `LHipJoint` and `IKFoot`.
            !previous.is_uppercase() || next_is_lower
        } else {
            previous.is_ascii_digit()
        };
        if (starts || !letter.is_alphanumeric()) && !word.is_empty() {
            words.push(core::mem::take(&mut word));
        }
        if letter.is_alphanumeric() {
            word.extend(letter.to_lowercase());
        }
        previous = letter;
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

#[cfg(test)]
#[path = "../../../tests/unit/skeleton_humanoid_names.rs"]
mod tests;
