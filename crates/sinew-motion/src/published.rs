//! Sequential IK as it is printed (Unzueta, Peinado, Boulic and Suescun 2008): Algorithms 1 to 5,
//! with their slips mended and nothing added. The method `sik-paper`.
//!
//! What `sik` has and this has not: a spine found in closed form, a neutral limb whose undefined
//! direction lies behind the body, the search for an allowed swivel angle, bounds on speed, checks
//! of the points. So elbows may jump, and a limb that its limits keep from the goal misses it.
//!
//! # Slips and readings
//! * Alg. 4, line 3: L2 is the distance from the shoulder to the goal, as the text has it.
//! * Alg. 5, line 3 compares the length of the stretched limb with the distance of the goal, |AD|:
//!   |AC| is that length itself.
//! * Alg. 5's X axis of B is its flexion axis, taken from the rig, and its Z axis the direction in
//!   which the flexing limb's end goes.
//! * "Aligned to its parent" is an H-Anim figure's neutral limb: it hangs. Rigs that rest in a
//!   T-pose are turned down by the shortest turn.
//! * Alg. 3 turns the pelvis by steps until the length fits. Where the spine is bent in one plane and
//!   shall unbend in another, the length may never fit, and the printed loop does not end: after a
//!   quarter of a turn it begins again from the neutral spine.
//! * Section 8 (elbows out of the torso) belongs to Alg. 5, line 7, and is off in the paper's Table 1,
//!   as its section 9 says. So it is here.

use std::sync::Arc;

use anyhow::{Context, Result};
use sinew::analytic::Limb;
use sinew::body::six_point::{Point, Trackers};
use sinew::math::{Quat, Transform, Vec3, rotation};
use sinew::skeleton::humanoid::{HumanoidBone, Side};
use sinew::{JointId, ModelPose, Pose, Skeleton};

use crate::Sequence;
use crate::splines::with_splines;

/// The steps of Alg. 3, in radians.
const COARSE: f32 = 0.1;
const FINE: f32 = 0.01;
/// How many coarse steps the search takes before it begins anew.
const MOST_STEPS: usize = 16;
/// How many stretched poses are recorded.
const STRETCHES: usize = 33;
/// Below this sine two directions are aligned.
const ALIGNED: f32 = 1.0e-4;

/// The method at work on one sequence. Frames must come in order.
pub(crate) struct Published {
    /// With the limits of section 7.
    skeleton: Arc<Skeleton>,
    /// w1, w2 and w3: wrists, ankles, the frame before.
    weights: [f32; 3],
    /// The body's frame at rest: x left, y up.
    frame: Quat,
    chain: Vec<JointId>,
    /// The bone above each joint of the chain but the last, in the joint's frame.
    bones: Vec<Vec3>,
    /// The share of each bone in the pelvis' turn, from 1 down to −1 (Eq. 1).
    shares: Vec<f32>,
    /// Lengths and local rotations on the way from neutral to straight.
    stretches: Vec<(f32, Vec<Quat>)>,
    /// How each joint of the chain is turned in model space.
    turns: Vec<Quat>,
    /// The normal of the plane in which the spine was last bent.
    normal: Option<Vec3>,
    left: Vec3,
    arms: Vec<(Point, Hanging, Option<JointId>)>,
    legs: Vec<(Point, Hanging)>,
    model: ModelPose,
}

/// A limb with its neutral: stretched and hanging.
struct Hanging {
    limb: Limb,
    neutral: Quat,
    /// Of the middle joint.
    straight: Quat,
}

impl Hanging {
    fn new(limb: Limb, skeleton: &Skeleton, down: Vec3) -> Self {
        let (base, mid) = (limb.joints().upper, limb.joints().lower);
        let rest = ModelPose::rest(skeleton);
        let [at, elbow, end] = [base, mid, limb.joints().end].map(|joint| rest.position(joint));
        let frame = rest.rest_frame(skeleton, base);
        let bone = frame.conjugate() * (elbow - at).normalize_or_zero();
        let neutral = rotation::between(bone, frame.conjugate() * down, limb.flexion_axis());
        let flexion = rest.rotation(mid) * limb.flexion_axis();
        let angle = angle_towards(flexion, end - elbow, elbow - at);
        let straight = rotation::about(limb.flexion_axis(), angle);
        Self { limb, neutral, straight }
    }
}

impl Published {
    pub fn new(sequence: &Sequence) -> Result<Self> {
        let limited = Arc::new(with_splines(&sequence.skeleton)?);
        let (skeleton, map) = (&*limited, &sequence.map);
        let facing = map.facing().context("the body's front is unknown")?;
        let find = |bone| map.get(bone).with_context(|| format!("there is no {bone:?}"));
        let (hips, head) = (find(HumanoidBone::Hips)?, find(HumanoidBone::Head)?);
        let chain = skeleton.chain(hips, head).context("the head is not above the hips")?;
        let bones: Vec<Vec3> = chain[1..].iter().map(|&j| skeleton.joint(j).rest().translation).collect();
        // Bones without length (a sacrum at the pelvis' place) go with the one above them.
        let long = |b: &&Vec3| b.length() > 1.0e-4;
        let last = bones.iter().filter(long).count().saturating_sub(1).max(1) as f32;
        let mut place = 0.0_f32;
        let mut shares = Vec::new();
        for bone in &bones {
            shares.push(1.0 - 2.0 * place.min(last) / last);
            place += f32::from(u8::from(long(&bone)));
        }
        let down = -facing.up;
        let (mut arms, mut legs) = (Vec::new(), Vec::new());
        for side in Side::BOTH {
            let leg = Hanging::new(Limb::leg(skeleton, map, side)?, skeleton, down);
            legs.push((Point::Ankle(side), leg));
            let arm = Hanging::new(Limb::arm(skeleton, map, side)?, skeleton, down);
            let above = skeleton.parent(arm.limb.joints().upper);
            let clavicle = map.get(HumanoidBone::Shoulder(side)).filter(|c| above == Some(*c));
            arms.push((Point::Wrist(side), arm, clavicle));
        }
        let left = facing.left;
        let frame = turn_of(left, facing.up);
        let weights = if sequence.rigid { [0.1, 0.1, 1.0] } else { [1.0, 1.0, 0.0] };
        let (stretches, turns, normal) = (Vec::new(), Vec::new(), None);
        let model = ModelPose::rest(skeleton);
        let mut body = Self {
            skeleton: limited.clone(),
            weights,
            frame,
            chain,
            bones,
            shares,
            stretches,
            turns,
            normal,
            left,
            arms,
            legs,
            model,
        };
        body.turns = body.chain.iter().map(|&j| body.model.rotation(j)).collect();
        body.record_stretches(&limited);
        Ok(body)
    }

    /// Poses on the way from the neutral spine to one whose bones lie on one line.
    fn record_stretches(&mut self, skeleton: &Skeleton) {
        let rest = self.turns.clone();
        let line = self.end().normalize_or_zero();
        for i in 0..STRETCHES {
            let part = i as f32 / (STRETCHES - 1) as f32;
            for (k, bone) in self.bones.iter().enumerate() {
                let straight = rotation::between((rest[k] * *bone).normalize_or_zero(), line, self.left);
                self.turns[k] = rotation::exp(rotation::log(straight) * part) * rest[k];
            }
            self.carry_head(skeleton);
            let locals = (0..self.chain.len()).map(|k| self.local(skeleton, k)).collect();
            self.stretches.push((self.end().length(), locals));
        }
        self.turns = rest;
    }

    /// From pelvis to head.
    fn end(&self) -> Vec3 {
        self.turns.iter().zip(&self.bones).map(|(turn, bone)| *turn * *bone).sum()
    }

    /// The local rotation of a joint of the chain; the pelvis' own is not asked for.
    fn local(&self, skeleton: &Skeleton, k: usize) -> Quat {
        let rest = skeleton.joint(self.chain[k]).rest().rotation;
        match k {
            0 => Quat::IDENTITY,
            _ => ((self.turns[k - 1] * rest).conjugate() * self.turns[k]).normalize(),
        }
    }

    /// Sets the chain above the pelvis by local rotations.
    fn set_locals(&mut self, skeleton: &Skeleton, local: impl Fn(usize) -> Quat) {
        for k in 1..self.chain.len() {
            let rest = skeleton.joint(self.chain[k]).rest().rotation;
            self.turns[k] = (self.turns[k - 1] * rest * local(k)).normalize();
        }
    }

    /// The head has no bone of its own and goes with the last one.
    fn carry_head(&mut self, skeleton: &Skeleton) {
        let last = self.chain.len() - 1;
        if last > 0 {
            self.turns[last] = self.turns[last - 1] * skeleton.joint(self.chain[last]).rest().rotation;
        }
    }

    /// Sets the spine's joints within their limits.
    fn hold(&mut self, skeleton: &Skeleton) {
        for k in 1..self.chain.len() {
            let rest = skeleton.joint(self.chain[k]).rest().rotation;
            let held = skeleton.joint(self.chain[k]).project(self.local(skeleton, k));
            self.turns[k] = (self.turns[k - 1] * rest * held).normalize();
        }
    }

    /// One frame: Algorithm 1.
    pub fn solve(&mut self, trackers: &Trackers, pose: &mut Pose) {
        let skeleton = &*Arc::clone(&self.skeleton);
        let at = |point: Point| trackers.position(point).unwrap_or_default();
        let (pelvis, head) = (at(Point::Pelvis), at(Point::Head));
        self.left = self.heading(&at);
        self.spine(skeleton, pelvis, head);
        let line = (head - pelvis).normalize_or_zero();
        // Line 17 of Alg. 2: the error of both ends is the same.
        let off = 0.5 * ((head - pelvis).length() - self.end().length());
        let hips = Transform::new(pelvis + line * off, self.turns[0]);
        let above = skeleton.parent(self.chain[0]).map_or(Transform::IDENTITY, |p| self.model.transform(p));
        pose.set_local(skeleton, self.chain[0], above.inverse() * hips);
        for k in 1..self.chain.len() {
            pose.set_rotation(self.chain[k], self.local(skeleton, k));
        }
        self.model.update(skeleton, pose);
        for (point, leg) in &self.legs {
            leg.solve(skeleton, &mut self.model, at(*point), pose);
        }
        for (point, arm, clavicle) in &self.arms {
            if let Some(clavicle) = clavicle {
                turn_clavicle(skeleton, &mut self.model, *clavicle, &arm.limb, at(*point), pose);
            }
            arm.solve(skeleton, &mut self.model, at(*point), pose);
        }
    }

    /// The X direction of the pelvis (section 4).
    fn heading(&self, at: &impl Fn(Point) -> Vec3) -> Vec3 {
        let up = (at(Point::Head) - at(Point::Pelvis)).normalize_or_zero();
        let across = |pair: fn(Side) -> Point| {
            let v = at(pair(Side::Left)) - at(pair(Side::Right));
            (v - up * v.dot(up)).normalize_or_zero()
        };
        let [wrists, ankles, before] = self.weights;
        let sum = across(Point::Wrist) * wrists + across(Point::Ankle) * ankles + self.left * before;
        let sum = (sum - up * sum.dot(up)).normalize_or_zero();
        if sum == Vec3::ZERO { self.left } else { sum }
    }

    /// Algorithm 2, up to line 16.
    fn spine(&mut self, skeleton: &Skeleton, pelvis: Vec3, head: Vec3) {
        let goal = head - pelvis;
        let wanted = goal.length();
        let neutral = self.stretches[0].0;
        // The plane of the known and the current line; where they are aligned, the last one.
        let across = goal.normalize_or_zero().cross(self.end().normalize_or_zero());
        if across.length() > ALIGNED {
            self.normal = Some(across.normalize());
        }
        let normal = self.normal.unwrap_or(self.left);
        if neutral > wanted {
            if self.end().length() > neutral {
                self.set_locals(skeleton, |_| Quat::IDENTITY);
            }
            let pelvis = self.turns[0];
            if !self.search(skeleton, normal, wanted) {
                self.turns[0] = pelvis;
                self.set_locals(skeleton, |_| Quat::IDENTITY);
                self.search(skeleton, normal, wanted);
            }
        } else {
            let at = self.stretches.partition_point(|(length, _)| *length < wanted).min(STRETCHES - 1);
            let locals = std::mem::take(&mut self.stretches[at].1);
            self.set_locals(skeleton, |k| locals[k]);
            self.stretches[at].1 = locals;
        }
        let turn = |body: &mut Self, from: Vec3, to: Vec3| {
            let turn = rotation::between(from.normalize_or_zero(), to.normalize_or_zero(), normal);
            body.turns.iter_mut().for_each(|t| *t = (turn * *t).normalize());
        };
        // The pelvis' left: where its rest has it, turned along.
        let rest = skeleton.joint(self.chain[0]).rest().rotation;
        let left = self.turns[0] * rest.conjugate() * (self.frame * Vec3::X);
        let wanted_left = self.left;
        turn(self, left, wanted_left);
        self.hold(skeleton);
        let end = self.end();
        turn(self, end, goal);
    }

    /// Algorithm 3. Says whether the length was found.
    fn search(&mut self, skeleton: &Skeleton, normal: Vec3, wanted: f32) -> bool {
        let sign = if self.end().length() > wanted { 1.0 } else { -1.0 };
        let beyond = |body: &Self| sign * body.end().length() > sign * wanted;
        let found = (0..MOST_STEPS).any(|_| {
            self.bend(skeleton, normal, -sign * COARSE);
            !beyond(self)
        });
        let steps = if found { 2 * (COARSE / FINE) as usize } else { 0 };
        for _ in 0..steps {
            if beyond(self) {
                break;
            }
            self.bend(skeleton, normal, sign * FINE);
        }
        found
    }

    /// Turns the pelvis, and the bones above it by less and less to the opposite (Eq. 1).
    fn bend(&mut self, skeleton: &Skeleton, normal: Vec3, angle: f32) {
        for (turn, share) in self.turns.iter_mut().zip(&self.shares) {
            *turn = (rotation::about(normal, angle * share) * *turn).normalize();
        }
        self.carry_head(skeleton);
        self.hold(skeleton);
    }
}

/// Algorithm 4: the clavicle turns by as much as the stretched arm is too short.
fn turn_clavicle(
    skeleton: &Skeleton,
    model: &mut ModelPose,
    clavicle: JointId,
    arm: &Limb,
    wrist: Vec3,
    pose: &mut Pose,
) {
    pose.set_rotation(clavicle, Quat::IDENTITY);
    model.update_below(skeleton, pose, clavicle);
    let (sternum, shoulder) = (model.position(clavicle), model.position(arm.joints().upper));
    let (upper, lower) = arm.lengths();
    let (bone, length, goal) = (sternum.distance(shoulder), upper + lower, wrist - sternum);
    let axis = (shoulder - sternum).cross(goal);
    if wrist.distance(shoulder) <= length || axis.length() < ALIGNED * bone * goal.length() {
        return;
    }
    // The angles at the sternum, as they are and with the arm just reaching.
    let now = rotation::angle_between((shoulder - sternum).normalize(), goal.normalize());
    let distance = goal.length();
    let just = (bone * bone + distance * distance - length * length) / (2.0 * bone * distance);
    let turn = rotation::about(axis.normalize(), now - just.clamp(-1.0, 1.0).acos());
    let wanted = model.rest_frame(skeleton, clavicle).conjugate() * turn * model.rotation(clavicle);
    pose.set_rotation(clavicle, skeleton.joint(clavicle).project(wanted.normalize()));
    model.update_below(skeleton, pose, clavicle);
}

impl Hanging {
    /// Algorithm 5.
    fn solve(&self, skeleton: &Skeleton, model: &mut ModelPose, goal: Vec3, pose: &mut Pose) {
        let joints = self.limb.joints();
        let (base, mid) = (joints.upper, joints.lower);
        // Only twist joints lie between the three, and they keep their rest.
        for i in base.index()..=joints.end.index() {
            if let Some(joint) = skeleton.id(i).filter(|&j| j != joints.end && skeleton.is_ancestor(base, j))
            {
                pose.set_rotation(joint, Quat::IDENTITY);
            }
        }
        pose.set_rotation(base, self.neutral);
        pose.set_rotation(mid, self.straight);
        model.update_below(skeleton, pose, base);
        let at = model.position(base);
        let (upper, lower) = self.limb.lengths();
        let distance = goal.distance(at);
        let turn = |model: &mut ModelPose, pose: &mut Pose, joint: JointId, turn: Quat| {
            let wanted = model.rest_frame(skeleton, joint).conjugate() * turn * model.rotation(joint);
            pose.set_rotation(joint, skeleton.joint(joint).project(wanted.normalize()));
            model.update_below(skeleton, pose, joint);
        };
        // Lines 2 to 6.
        let stretched = (model.position(joints.end) - at).normalize_or_zero();
        let flexion = model.rotation(mid) * self.limb.flexion_axis();
        let align = rotation::between(stretched, (goal - at).normalize_or_zero(), flexion);
        let bent = if upper + lower > distance && distance > 0.0 {
            let cosine = (upper * upper + distance * distance - lower * lower) / (2.0 * upper * distance);
            rotation::about(align * flexion, -cosine.clamp(-1.0, 1.0).acos())
        } else {
            Quat::IDENTITY
        };
        turn(model, pose, base, bent * align);
        // Lines 8 to 10: the end's way when it bends, turned about the upper bone to the goal's side.
        let bone = (model.position(mid) - at).normalize_or_zero();
        let across = |v: Vec3| (v - bone * v.dot(bone)).normalize_or_zero();
        let flexion = model.rotation(mid) * self.limb.flexion_axis();
        let (way, side) = (across(flexion.cross(bone)), across(goal - model.position(mid)));
        if way != Vec3::ZERO && side != Vec3::ZERO {
            turn(model, pose, base, rotation::about(bone, angle_towards(bone, way, side)));
        }
        // Lines 11 and 12.
        let (place, flexion) = (model.position(mid), model.rotation(mid) * self.limb.flexion_axis());
        let angle = angle_towards(flexion, model.position(joints.end) - place, goal - place);
        turn(model, pose, mid, rotation::about(flexion, angle));
    }
}

/// By how much one direction has to turn about the unit vector `axis` to come nearest to another.
fn angle_towards(axis: Vec3, from: Vec3, to: Vec3) -> f32 {
    let flat = |v: Vec3| v - axis * v.dot(axis);
    axis.dot(flat(from).cross(flat(to))).atan2(flat(from).dot(flat(to)))
}

/// The rotation whose x and y axes these are.
fn turn_of(left: Vec3, up: Vec3) -> Quat {
    Quat::from_mat3(&sinew::math::Mat3::from_cols(left, up, left.cross(up))).normalize()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Method, made};
    use rand::{RngExt, SeedableRng};

    /// A body whose limits are wide does what the points say, whatever the frames before were.
    #[test]
    fn both_ends_of_the_spine_are_missed_alike_and_limbs_hit_what_their_limits_allow() {
        for sequence in made::sequences().unwrap() {
            let mut body = Published::new(&sequence).unwrap();
            let (skeleton, map) = (&sequence.skeleton, &sequence.map);
            let mut pose = Pose::rest(skeleton);
            let ends = [HumanoidBone::Hips, HumanoidBone::Head].map(|bone| map.get(bone).unwrap());
            let (mut hit, mut all) = (0, 0);
            for frame in sequence.frames.iter().step_by(5) {
                let original = ModelPose::new(skeleton, frame);
                let mut trackers = Trackers::default()
                    .with(Point::Pelvis, original.position(ends[0]))
                    .with(Point::Head, original.position(ends[1]));
                for side in Side::BOTH {
                    trackers = trackers
                        .with(Point::Wrist(side), original.position(map.arm(side).unwrap().end))
                        .with(Point::Ankle(side), original.position(map.leg(side).unwrap().end));
                }
                body.solve(&trackers, &mut pose);
                let made = ModelPose::new(skeleton, &pose);
                let [low, high] = ends.map(|joint| made.position(joint) - original.position(joint));
                assert!((low + high).length() < 2.0e-3, "{low} {high}");
                // The fine step is a hundredth of a radian, and limits may keep it further off.
                assert!(low.length() < 0.03, "{low}");
                for side in Side::BOTH {
                    for end in [map.arm(side).unwrap().end, map.leg(side).unwrap().end] {
                        all += 1;
                        hit += usize::from(made.position(end).distance(original.position(end)) < 1.0e-3);
                    }
                }
            }
            assert!(hit * 10 > all * 7, "{}: {hit} of {all}", sequence.name);
        }
    }

    #[test]
    fn points_anywhere_give_a_finite_pose() {
        let mut random = rand_pcg::Pcg32::seed_from_u64(7);
        let sequence = &made::sequences().unwrap()[0];
        let mut reconstruction = Method::SikPaper.build(sequence).unwrap();
        let mut pose = Pose::rest(&sequence.skeleton);
        for _ in 0..2000 {
            let mut trackers = Trackers::default();
            for point in Point::SIX {
                // Some coincide.
                let place = [0; 3].map(|_| f32::from(random.random_range(-3_i8..4)) * 0.3);
                trackers = trackers.with(point, Vec3::from(place));
            }
            reconstruction.solve(sequence, &trackers, 1.0 / 60.0, &mut pose);
            assert!(pose.is_finite(), "{trackers:?}");
        }
    }
}
