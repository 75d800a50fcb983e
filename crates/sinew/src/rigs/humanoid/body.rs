//! Where the joints stand, and which limit each gets.

use alloc::format;

use super::limits::{self, BallRange, Degrees};
use super::swing::{self, SwingModel};
use crate::limit::{AngleRange, JointLimit, SwingEllipse, SwingTwistLimit, UniversalLimit};
use crate::math::*;
use crate::rigs::{built, degrees};
use crate::skeleton::{JointDef, JointKind, Skeleton, SkeletonBuilder};

/// The letter of a side and the sign of its x.
pub(super) type Side = (&'static str, Real);
pub(super) const SIDES: [Side; 2] = [("l", 1.0), ("r", -1.0)];

/// A joint that has been added, and where it stands in the model.
#[derive(Clone, Copy)]
pub(super) struct Placed {
    index: usize,
    pub at: Vec3,
}

/// A human under construction. Since every frame is aligned with the model's,
/// joints are given by their places in the model.
pub(super) struct Body {
    builder: SkeletonBuilder,
    model: SwingModel,
}

/// The turns that bend a bone forwards and to the outside, on the left.
struct Bends {
    bone: Vec3,
    /// Bends the bone forwards.
    flexion: Vec3,
    /// Bends the bone to the left.
    side: Vec3,
}

const UPWARDS: Bends = Bends { bone: Vec3::Y, flexion: Vec3::X, side: Vec3::NEG_Z };
const DOWNWARDS: Bends = Bends { bone: Vec3::NEG_Y, flexion: Vec3::NEG_X, side: Vec3::Z };

impl Body {
    pub fn new(name: &str, model: SwingModel) -> Self {
        Self { builder: SkeletonBuilder::new(name), model }
    }

    pub fn build(self) -> Skeleton {
        built(self.builder)
    }

    pub fn add(&mut self, joint: JointDef, parent: Option<Placed>, at: Vec3) -> Placed {
        let mut joint = joint.at(at - parent.map_or(Vec3::ZERO, |p| p.at));
        joint.parent = parent.map(|p| p.index);
        Placed { index: self.builder.add(joint).index(), at }
    }

    pub fn set_tip(&mut self, joint: Placed, tip: Vec3) {
        self.builder.joints[joint.index].tip = Some(tip - joint.at);
    }

    /// The root is {HumanoidRoot, sacroiliac, vl5}; everything of both versions
    /// but the fingers and the face.
    pub fn add_trunk_and_limbs(&mut self) {
        let pelvis = Vec3::new(0.0, 0.98, -0.03);
        let root = self.add(JointDef::new("HumanoidRoot").kind(JointKind::Free), None, pelvis);
        let sacroiliac = self.add(JointDef::new("sacroiliac").kind(JointKind::Fixed), Some(root), pelvis);
        for side in SIDES {
            self.add_leg(sacroiliac, side);
        }
        let mut last = root;
        for (name, at, range) in [
            ("vl5", pelvis, limits::VL5),
            ("vl1", Vec3::new(0.0, 1.13, -0.02), limits::VL1),
            ("vt6", Vec3::new(0.0, 1.28, -0.06), limits::VT6),
            ("vt1", Vec3::new(0.0, 1.45, -0.035), limits::VT1),
        ] {
            last = self.add(self.ball(name, &UPWARDS, range, 1.0), Some(last), at);
        }
        let chest = last;
        let neck = self.ball("vc4", &UPWARDS, limits::VC4, 1.0);
        let neck = self.add(neck, Some(chest), Vec3::new(0.0, 1.525, -0.02));
        let head = self.ball("skullbase", &UPWARDS, limits::SKULLBASE, 1.0);
        let head = self.add(head, Some(neck), Vec3::new(0.0, 1.595, -0.005));
        self.set_tip(head, Vec3::new(0.0, 1.75, 0.01));
        for side in SIDES {
            self.add_arm(chest, side);
        }
    }

    fn add_leg(&mut self, sacroiliac: Placed, (letter, s): Side) {
        let named = |part: &str| JointDef::new(format!("{letter}_{part}"));
        let at = |y: Real, z: Real| Vec3::new(0.088 * s, y, z);
        let places = [at(0.928, 0.0), at(0.499, 0.012), at(0.068, -0.012)];

        let hip = self.ball(&format!("{letter}_hip"), &DOWNWARDS, limits::HIP, s);
        let hip = self.add(hip, Some(sacroiliac), places[0]);
        // The knee bends backwards.
        let knee = bending(named("knee"), Vec3::X, limits::KNEE, &places);
        let knee = self.add(knee, Some(hip), places[1]);
        // The foot points forwards: flexion lifts it, twist turns the sole.
        let foot = Bends { bone: Vec3::Z, flexion: Vec3::NEG_X, side: Vec3::Y };
        let ankle = self.ball(&format!("{letter}_ankle"), &foot, limits::ANKLE, s);
        let ankle = self.add(ankle, Some(knee), places[2]);
        let subtalar = self.add(named("subtalar").kind(JointKind::Fixed), Some(ankle), at(0.045, -0.02));
        let midtarsal = hinge(named("midtarsal"), Vec3::NEG_X, limits::MIDTARSAL);
        let midtarsal = self.add(midtarsal, Some(subtalar), at(0.05, 0.045));
        let metatarsal = hinge(named("metatarsal"), Vec3::NEG_X, limits::METATARSAL);
        let metatarsal = self.add(metatarsal, Some(midtarsal), at(0.018, 0.12));
        self.set_tip(metatarsal, at(0.0, 0.194));
    }

    fn add_arm(&mut self, chest: Placed, (letter, s): Side) {
        let named = |part: &str| JointDef::new(format!("{letter}_{part}"));
        let at = |y: Real, z: Real| Vec3::new(0.185 * s, y, z);
        let places = [at(1.41, -0.015), at(1.085, -0.028), at(0.8306, -0.004)];

        let clavicle_at = Vec3::new(0.025 * s, 1.43, 0.03);
        let bone = (places[0] - clavicle_at).normalize();
        let bends =
            Bends { bone: Vec3::new(bone.x * s, bone.y, bone.z), flexion: Vec3::NEG_Y, side: Vec3::Z };
        let clavicle = self.ball(&format!("{letter}_sternoclavicular"), &bends, limits::STERNOCLAVICULAR, s);
        let clavicle = self.add(clavicle, Some(chest), clavicle_at);

        let shoulder = named("shoulder").limit(self.shoulder_limit(s));
        let shoulder = self.add(shoulder, Some(clavicle), places[0]);

        // The elbow bends forwards and turns the forearm about its length.
        let forearm = (places[2] - places[1]).normalize();
        let axes = [Vec3::NEG_X, forearm];
        let bent = rest_bend(Vec3::NEG_X, &places);
        let flexion = AngleRange::new(degrees(limits::ELBOW.0) - bent, degrees(limits::ELBOW.1) - bent);
        let elbow = named("elbow")
            .kind(JointKind::Universal { first: axes[0], second: axes[1] })
            .limit(UniversalLimit::new(axes, flexion, mirrored(range(limits::FOREARM), s)));
        let elbow = self.add(elbow, Some(shoulder), places[1]);

        // The palm faces the thigh: flexion is inwards, the thumb's side forwards.
        let hand = Bends { bone: Vec3::NEG_Y, flexion: Vec3::NEG_Z, side: Vec3::NEG_X };
        let wrist = self.ball(&format!("{letter}_wrist"), &hand, limits::WRIST, s);
        self.add(wrist, Some(elbow), places[2]);
    }

    /// Eyes and jaw, under the skull.
    pub fn add_face(&mut self) {
        let head = self.find("skullbase");
        for (letter, s) in SIDES {
            // An eye looks forwards: flexion is downwards.
            let gaze = Bends { bone: Vec3::Z, flexion: Vec3::X, side: Vec3::Y };
            let eye = self.ball(&format!("{letter}_eyeball_joint"), &gaze, limits::EYE, s);
            let eye = self.add(eye, Some(head), Vec3::new(0.032 * s, 1.638, 0.07));
            self.set_tip(eye, eye.at + Vec3::Z * 0.012);
        }
        let jaw = hinge(JointDef::new("temporomandibular"), Vec3::X, limits::JAW);
        let jaw = self.add(jaw, Some(head), Vec3::new(0.0, 1.6, 0.005));
        self.set_tip(jaw, Vec3::new(0.0, 1.53, 0.085));
    }

    /// A joint that was added before.
    pub fn find(&self, name: &str) -> Placed {
        let index = self.builder.joints.iter().position(|j| j.name == name).unwrap_or_default();
        let mut at = Vec3::ZERO;
        let mut above = Some(index);
        while let Some(i) = above {
            at += self.builder.joints[i].rest.translation;
            above = self.builder.joints[i].parent;
        }
        Placed { index, at }
    }

    /// A ball joint with this range; `s` is −1 on the right.
    fn ball(&self, name: &str, bends: &Bends, ball: BallRange, s: Real) -> JointDef {
        JointDef::new(name).limit(self.ball_limit(bends, ball, s))
    }

    fn ball_limit(&self, bends: &Bends, ball: BallRange, s: Real) -> JointLimit {
        // Directions are mirrored at x = 0; the axis of a turn the other way.
        let bone = Vec3::new(bends.bone.x * s, bends.bone.y, bends.bone.z);
        let axis = |v: Vec3| Vec3::new(v.x, v.y * s, v.z * s);
        let (flexion, side) = (axis(bends.flexion), axis(bends.side));
        let (flexes, sides) = (range(ball.flexion), range(ball.side));
        let centre =
            rotation::about(flexion, flexes.middle()) * (rotation::about(side, sides.middle()) * bone);
        let half = |r: AngleRange| 0.5 * (r.max - r.min);
        let twist = mirrored(range(ball.twist), s);
        SwingTwistLimit::centred(bone, centre, flexion)
            .swing(swing::shape(self.model, SwingEllipse::new(half(flexes), half(sides))))
            .twist(twist.min, twist.max)
            .into()
    }

    fn shoulder_limit(&self, s: Real) -> JointLimit {
        let shoulder = limits::SHOULDER;
        let (sin, cos) = degrees(shoulder.forwards).sin_cos();
        let outwards = Vec3::new(cos * s, 0.0, sin);
        let (sin, cos) = degrees(shoulder.up).sin_cos();
        let centre = outwards * sin - Vec3::Y * cos;
        let ellipse = SwingEllipse::new(degrees(shoulder.raise), degrees(shoulder.across));
        let twist = mirrored(range(shoulder.twist), s);
        SwingTwistLimit::centred(Vec3::NEG_Y, centre, outwards.cross(Vec3::Y))
            .swing(swing::shape(self.model, ellipse))
            .twist(twist.min, twist.max)
            .into()
    }

    /// The thumb's saddle joint, for a bone in this direction that flexes about
    /// this axis.
    pub fn saddle(&self, name: &str, bone: Vec3, flexion: Vec3, s: Real) -> JointDef {
        let bends = Bends { bone, flexion, side: bone.cross(flexion) };
        self.ball(name, &bends, limits::THUMB_SADDLE, s)
    }
}

/// Degrees to a range in radians.
fn range((min, max): Degrees) -> AngleRange {
    AngleRange::new(degrees(min), degrees(max))
}

/// A twist of the left side as the right side has it.
fn mirrored(range: AngleRange, s: Real) -> AngleRange {
    if s > 0.0 { range } else { AngleRange::new(-range.max, -range.min) }
}

/// A hinge with this range.
pub(super) fn hinge(joint: JointDef, axis: Vec3, range: Degrees) -> JointDef {
    joint.hinge_range(axis, degrees(range.0), degrees(range.1))
}

/// A hinge whose range counts from the straight limb, while it rests bent as the
/// three places say.
fn bending(joint: JointDef, axis: Vec3, range: Degrees, places: &[Vec3; 3]) -> JointDef {
    let bent = rest_bend(axis, places);
    joint.hinge_range(axis, degrees(range.0) - bent, degrees(range.1) - bent)
}

/// By how much the middle joint turns the second bone from the first, about `axis`.
fn rest_bend(axis: Vec3, [a, b, c]: &[Vec3; 3]) -> Real {
    let (first, second) = (*b - *a, *c - *b);
    first.cross(second).dot(axis).atan2(first.dot(second))
}
