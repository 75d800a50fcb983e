//! A motion on another body: what `sinew reconstruct MOTION --rig OTHER` does.
//!
//! Bones of two bodies differ in length and in how they rest, so their joints' angles cannot be
//! copied. The eleven points of the recorded body are put to the other's size instead, and the
//! other body is made from them by sequential IK:
//!
//! * Legs, knees, ankles and where the body goes: all by the ratio of the legs, about the floor. What
//!   stands still goes on standing still, and a step stays a step.
//! * Chest and head: from the pelvis, by the ratio of the trunks.
//! * Wrists and elbows: from the shoulders, by the ratio of the arms.
//! * Pelvis, chest, head and feet are turned as they were from rest. Hands, fingers and toes keep their own
//!   turns, seen from bones that may rest in another direction.
//!
//! Recordings often rest with their toes pointing down, so feet are turned from where they are on the
//! floor, in the median, rather than from rest.
//!
//! The floor is where the lower ankle of the motion is at its lowest, but for a twentieth of the frames;
//! that is the height at which the other body's ankles rest.
//!
//! # Degenerate cases
//! Bodies without a part that is needed are refused with its name. A bone without length has the ratio 1.

use std::time::Instant;

use anyhow::{Context, Result};
use sinew::body::six_point::{Point, SixPoint, SixPointOptions, Source, Trackers};
use sinew::math::{Quat, Vec3, rotation};
use sinew::skeleton::humanoid::{HumanoidBone, HumanoidMap, LimbJoints, Side};
use sinew::{JointId, ModelPose, Pose, Skeleton};

use crate::Sequence;
use crate::metric::{median, percentile};
use crate::reconstruct::{LimbSummary, Outcome};

/// How straight a leg may be, as a part of its length.
const STRAIGHT: f32 = 0.998;
/// How often the pelvis makes way for one leg and then for the other.
const GIVING_WAY: usize = 4;

/// How high an ankle that stands may be above the lowest, as a part of the leg's length.
const ON_THE_FLOOR: f32 = 0.04;

/// A body's joints and lengths.
struct Measure<'a> {
    skeleton: &'a Skeleton,
    map: &'a HumanoidMap,
    rest: ModelPose,
    /// The body's frame at rest: x left, y up, z forwards.
    frame: Quat,
    hips: JointId,
    head: JointId,
    chest: JointId,
    arms: [LimbJoints; 2],
    legs: [LimbJoints; 2],
}

impl<'a> Measure<'a> {
    fn new(skeleton: &'a Skeleton, map: &'a HumanoidMap) -> Result<Self> {
        let facing = map.facing().context("which way the body faces is unknown")?;
        let find = |bone: HumanoidBone| map.get(bone).with_context(|| format!("there is no {}", bone.name()));
        let (hips, head) = (find(HumanoidBone::Hips)?, find(HumanoidBone::Head)?);
        let limb =
            |found: Option<LimbJoints>, what: &str| found.with_context(|| format!("there is no {what}"));
        let arms = [limb(map.arm(Side::Left), "left arm")?, limb(map.arm(Side::Right), "right arm")?];
        let legs = [limb(map.leg(Side::Left), "left leg")?, limb(map.leg(Side::Right), "right leg")?];
        let chest = map.spine().last().copied().unwrap_or(hips);
        let axes = sinew::math::Mat3::from_cols(facing.left, facing.up, facing.forward);
        let frame = Quat::from_mat3(&axes).normalize();
        Ok(Self { skeleton, map, rest: ModelPose::rest(skeleton), frame, hips, head, chest, arms, legs })
    }

    fn length(&self, limb: LimbJoints) -> f32 {
        let [a, b, c] = [limb.upper, limb.lower, limb.end].map(|joint| self.rest.position(joint));
        a.distance(b) + b.distance(c)
    }

    fn apart(&self, a: JointId, b: JointId) -> f32 {
        self.rest.position(a).distance(self.rest.position(b))
    }

    /// A place or a direction of a model as the body sees it.
    fn seen(&self, v: Vec3) -> Vec3 {
        self.frame.conjugate() * v
    }

    /// How a joint is turned from rest, as the body sees it.
    fn turn(&self, model: &ModelPose, joint: JointId) -> Quat {
        let turn = model.rotation(joint) * self.rest.rotation(joint).conjugate();
        self.frame.conjugate() * turn * self.frame
    }

    /// The model rotation of a joint that is turned like this.
    fn turned(&self, joint: JointId, turn: Quat) -> Quat {
        (self.frame * turn * self.frame.conjugate() * self.rest.rotation(joint)).normalize()
    }

    /// The middle between the hip joints, which rigs put the hips' own joint above or below.
    fn between_legs(&self, model: &ModelPose) -> Vec3 {
        0.5 * (model.position(self.legs[0].upper) + model.position(self.legs[1].upper))
    }
}

/// A joint that keeps its own turn.
struct Carried {
    from: JointId,
    to: JointId,
    /// Turns the recorded joint's frame at rest into the other's.
    between: Quat,
}

/// The body of one motion turned into points for another.
struct Transfer<'a> {
    from: Measure<'a>,
    to: Measure<'a>,
    legs: f32,
    trunk: f32,
    shoulders: f32,
    arms: f32,
    upper_arms: f32,
    /// Heights of the ankles on the floor, there and here.
    floor: (f32, f32),
    /// By how much the toes of a foot on the floor are above where they rest, in radians.
    toes_up: [f32; 2],
    carried: Vec<Carried>,
}

/// How much higher the toes point than at rest while their ankle is on the floor, in the median.
fn toes_above_rest(body: &Measure, source: &Sequence, side: Side, floor: f32) -> f32 {
    let leg = body.legs[side as usize];
    let near = floor + ON_THE_FLOOR * body.length(leg);
    let Some(toes) = body.map.get(HumanoidBone::Toes(side)) else { return 0.0 };
    let slope = |model: &ModelPose| {
        let way = body.seen(model.position(toes) - model.position(leg.end));
        f64::from(way.y.atan2(way.x.hypot(way.z)))
    };
    let mut model = ModelPose::rest(body.skeleton);
    let mut slopes = Vec::new();
    for pose in &source.frames {
        model.update(body.skeleton, pose);
        if body.seen(model.position(leg.end)).y < near {
            slopes.push(slope(&model));
        }
    }
    if slopes.is_empty() { 0.0 } else { (median(&slopes) - slope(&body.rest)) as f32 }
}

fn ratio(to: f32, from: f32) -> f32 {
    if from > 1.0e-4 { to / from } else { 1.0 }
}

impl<'a> Transfer<'a> {
    fn new(source: &'a Sequence, skeleton: &'a Skeleton, map: &'a HumanoidMap) -> Result<Self> {
        let from = Measure::new(&source.skeleton, &source.map).context("the motion's body")?;
        let to = Measure::new(skeleton, map).context("the body to move")?;
        let both = |measure: &Measure, limbs: [LimbJoints; 2]| limbs.map(|l| measure.length(l)).iter().sum();
        let legs = ratio(both(&to, to.legs), both(&from, from.legs));
        let arms = ratio(both(&to, to.arms), both(&from, from.arms));
        let upper = |m: &Measure| m.apart(m.arms[0].upper, m.arms[0].lower);
        let width = |m: &Measure| m.apart(m.arms[0].upper, m.arms[1].upper);
        let trunk = |m: &Measure| m.rest.position(m.head).distance(m.between_legs(&m.rest));
        let height = |m: &Measure, model: &ModelPose| {
            let [left, right] = m.legs.map(|leg| m.seen(model.position(leg.end)).y);
            left.min(right)
        };
        let mut model = ModelPose::rest(from.skeleton);
        let heights: Vec<f64> = source
            .frames
            .iter()
            .map(|pose| {
                model.update(from.skeleton, pose);
                f64::from(height(&from, &model))
            })
            .collect();
        let floor = (percentile(&heights, 0.05) as f32, height(&to, &to.rest));
        let toes_up = Side::BOTH.map(|side| toes_above_rest(&from, source, side, floor.0));
        let mut carried = Vec::new();
        for bone in HumanoidBone::all() {
            use HumanoidBone::{Eye, Finger, Hand, Jaw, Toes};
            if !matches!(bone, Eye(_) | Finger(..) | Hand(_) | Jaw | Toes(_)) {
                continue;
            }
            if let Some((a, b)) = from.map.get(bone).zip(to.map.get(bone)) {
                // Arms that rest in other directions carry hands that do.
                let along = |m: &Measure| {
                    let side = bone.side().filter(|_| matches!(bone, Hand(_) | Finger(..)));
                    let arm = side.map(|side| m.arms[side as usize]);
                    arm.map_or(Vec3::Y, |arm| {
                        m.seen(m.rest.position(arm.end) - m.rest.position(arm.lower)).normalize_or(Vec3::Y)
                    })
                };
                let lead = rotation::between(along(&from), along(&to), Vec3::Z);
                let rest = |m: &Measure, joint| m.frame.conjugate() * m.rest.rotation(joint);
                let between = (rest(&to, b).conjugate() * lead * rest(&from, a)).normalize();
                carried.push(Carried { from: a, to: b, between });
            }
        }
        let trunk = ratio(trunk(&to), trunk(&from));
        let shoulders = ratio(width(&to), width(&from));
        let upper_arms = ratio(upper(&to), upper(&from));
        Ok(Self { from, to, legs, trunk, shoulders, arms, upper_arms, floor, toes_up, carried })
    }

    /// The points of a recorded pose for the other body.
    fn points(&self, model: &ModelPose) -> Trackers {
        let (from, to) = (&self.from, &self.to);
        let at = |joint: JointId| from.seen(model.position(joint));
        let floor = |y: f32| self.floor.1 + (y - self.floor.0) * self.legs;
        let low = |p: Vec3| Vec3::new(p.x * self.legs, floor(p.y), p.z * self.legs);
        let middle = from.seen(from.between_legs(model));
        let pelvis = from.turn(model, from.hips);
        let rest = |joint: JointId| to.seen(to.rest.position(joint) - to.between_legs(&to.rest));
        let mut here = low(middle);
        // Hips may be wider or narrower than the legs are long: the pelvis gives way to straight legs.
        for _ in 0..GIVING_WAY {
            for side in Side::BOTH {
                let (leg, ankle) = (to.legs[side as usize], low(at(from.legs[side as usize].end)));
                let way = ankle - (here + pelvis * rest(leg.upper));
                let missing = way.length() - STRAIGHT * to.length(leg);
                here += way.normalize_or_zero() * missing.max(0.0);
            }
        }
        let above = |p: Vec3| here + (p - middle) * self.trunk;
        let line = (at(from.head) - middle).normalize_or(Vec3::Y);
        let shoulder = |p: Vec3| {
            let v = p - middle;
            let along = line * v.dot(line);
            here + along * self.trunk + (v - along) * self.shoulders
        };
        let mut trackers = Trackers::default();
        let mut set = |point: Point, place: Vec3, turn: Option<Quat>| {
            trackers.set(point, Some(to.frame * place), turn);
        };
        let turned = |a: JointId, b: JointId| Some(to.turned(b, from.turn(model, a)));
        set(Point::Pelvis, here + pelvis * rest(to.hips), turned(from.hips, to.hips));
        set(Point::Head, above(at(from.head)), turned(from.head, to.head));
        set(Point::Chest, above(at(from.chest)), turned(from.chest, to.chest));
        for side in Side::BOTH {
            let (arm, leg) = (from.arms[side as usize], from.legs[side as usize]);
            let (base, at_base) = (shoulder(at(arm.upper)), at(arm.upper));
            set(Point::Wrist(side), base + (at(arm.end) - at_base) * self.arms, None);
            set(Point::Elbow(side), base + (at(arm.lower) - at_base) * self.upper_arms, None);
            // Positive turns about the left let the toes down.
            let level = rotation::about(Vec3::X, self.toes_up[side as usize]);
            let foot = to.turned(to.legs[side as usize].end, from.turn(model, leg.end) * level);
            set(Point::Ankle(side), low(at(leg.end)), Some(foot));
            set(Point::Knee(side), low(at(leg.lower)), None);
        }
        trackers
    }

    /// Gives hands, fingers and toes the turns that they have in the recorded pose.
    fn carry(&self, recorded: &Pose, pose: &mut Pose) {
        for Carried { from, to, between } in &self.carried {
            let turn = *between * recorded.rotation(*from) * between.conjugate();
            pose.set_rotation(*to, self.to.skeleton.joint(*to).project(turn.normalize()));
        }
    }
}

/// Puts a motion on another body; `wide` is its skeleton in double precision.
pub fn transfer(
    source: &Sequence,
    skeleton: &Skeleton,
    map: &HumanoidMap,
    wide: &sinew_f64::Skeleton,
) -> Result<Outcome> {
    let transfer = Transfer::new(source, skeleton, map)?;
    let mut body = SixPoint::new(skeleton, map, SixPointOptions::default())?;
    let mut pose = body.relaxed().clone();
    let mut model = ModelPose::rest(&source.skeleton);
    let summary = |&point: &Point| LimbSummary { point, missed: 0, worst: None };
    let mut limbs: Vec<LimbSummary> = Point::SIX[2..].iter().map(summary).collect();
    let (mut frames, mut times, mut filled) = (Vec::new(), Vec::new(), 0);
    let opens_apart = matches!(&source.frames[..], [first, second, ..] if source.opens_apart(first, second));
    for (i, recorded) in source.frames.iter().enumerate() {
        if i == 1 && opens_apart {
            body.reset();
        }
        model.update(&source.skeleton, recorded);
        let start = Instant::now();
        let trackers = transfer.points(&model);
        let report = body.solve(skeleton, &trackers, source.time_step(1), &mut pose);
        transfer.carry(recorded, &mut pose);
        times.push(start.elapsed().as_secs_f64() * 1.0e6);
        filled += usize::from(Point::SIX.iter().any(|p| report.source(*p) != Source::Measured));
        let outcomes = report.arms.iter().chain(&report.legs).map(|limb| limb.outcome);
        limbs.iter_mut().zip(outcomes).for_each(|(limb, outcome)| limb.add(i, outcome));
        frames.push(sinew_io::widen::pose(wide, &pose));
    }
    let frame_time = source.frame_time;
    Ok(Outcome { frames, frame_time, errors: None, median_us: median(&times), filled, limbs })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{made, metric};

    /// The humanoid with other legs and arms.
    fn other(skeleton: &Skeleton, map: &HumanoidMap, legs: f32, arms: f32) -> Skeleton {
        let mut builder = skeleton.to_builder();
        let mut scale = |joint: JointId, by: f32| builder.joints[joint.index()].rest.translation *= by;
        for side in Side::BOTH {
            let (leg, arm) = (map.leg(side).unwrap(), map.arm(side).unwrap());
            for (joint, by) in [(leg.lower, legs), (leg.end, legs), (arm.lower, arms), (arm.end, arms)] {
                scale(joint, by);
            }
        }
        builder.build().unwrap()
    }

    fn moved(source: &Sequence, skeleton: &Skeleton) -> Vec<Pose> {
        let map = HumanoidMap::find(skeleton);
        let wide = sinew_io::widen::skeleton(skeleton).unwrap();
        let outcome = transfer(source, skeleton, &map, &wide).unwrap();
        outcome.frames.iter().map(|pose| sinew_io::narrow::pose(skeleton, pose)).collect()
    }

    #[test]
    fn a_motion_on_its_own_body_is_the_motion() {
        for source in made::sequences().unwrap() {
            let poses = moved(&source, &source.skeleton);
            let height =
                SixPoint::new(&source.skeleton, &source.map, SixPointOptions::default()).unwrap().height();
            let joints = source.compared();
            let errors = source.frames.iter().zip(&poses).skip(10).map(|(truth, pose)| {
                let [original, made] = [truth, pose].map(|pose| ModelPose::new(&source.skeleton, pose));
                metric::compare(&joints, f64::from(height), (truth, &original), (pose, &made)).position
            });
            let error = metric::rms(errors);
            assert!(error < 0.012, "{}: {error}", source.name);
        }
    }

    /// The humanoid squats and sways over feet that stand.
    fn squats() -> Sequence {
        let mut source = made::sequences().unwrap().swap_remove(0);
        let mut body = SixPoint::new(&source.skeleton, &source.map, SixPointOptions::default()).unwrap();
        let standing = body.points_of(&ModelPose::new(&source.skeleton, body.relaxed()));
        let mut pose = body.relaxed().clone();
        source.frames.clear();
        for i in 0..120 {
            let angle = i as f32 * 0.1;
            let away = Vec3::new(0.08 * angle.sin(), 0.05 * angle.cos() - 0.11, 0.04 * (1.7 * angle).sin());
            let mut trackers = standing;
            for point in [Point::Pelvis, Point::Head, Point::Wrist(Side::Left), Point::Wrist(Side::Right)] {
                trackers = trackers.with(point, standing.position(point).unwrap() + away);
            }
            body.solve(&source.skeleton, &trackers, source.time_step(1), &mut pose);
            source.frames.push(pose.clone());
        }
        source
    }

    #[test]
    fn feet_that_stand_stand_on_legs_of_any_length() {
        let source = squats();
        let (skeleton, map) = (&source.skeleton, &source.map);
        for (legs, arms) in [(0.6, 1.0), (1.4, 0.7), (1.0, 1.3)] {
            let body = other(skeleton, map, legs, arms);
            let poses = moved(&source, &body);
            for side in Side::BOTH {
                let ankle = map.leg(side).unwrap().end;
                let at = |skeleton: &Skeleton, pose: &Pose| ModelPose::new(skeleton, pose).position(ankle);
                let [stood, stands] = [at(skeleton, &source.frames[20]), at(&body, &poses[20])];
                for i in 20..poses.len() {
                    assert!(at(skeleton, &source.frames[i]).distance(stood) < 1.0e-4, "the recording stands");
                    let drift = at(&body, &poses[i]).distance(stands);
                    assert!(drift < 1.0e-3, "{legs} {arms} frame {i}: {drift}");
                }
            }
        }
    }
}
