//! Hips and spine of a frame: where left is, the shape of the spine, its limits,
//! and the turn that puts the head in its direction (Alg. 2).

use super::pelvis::{Cues, FlatCues, MostTurn, Plane, flat_direction_or};
use super::points::{Point, Trackers};
use super::{Memory, PLANE_GAIN, SixPoint, Vertebra, basis, unit, usable};
use crate::math::*;
use crate::pose::Pose;
use crate::skeleton::Skeleton;
use crate::skeleton::humanoid::Side;

/// How far the chest's tracker has to be off its place at rest, in metres, before it says more of the
/// plane in which the spine bends than what is natural.
const CHEST_SEEN: Real = 0.005;
/// How much of a fit's turn the next frame's heading starts from.
const FIT_REMEMBERED: Real = 0.5;
/// How much less the head's turn says of the chest's where no foot is tracked: who looks about does so by the
/// neck, and there is nothing else by which the chest would be held.
const LOOKING: Real = 0.4;
/// How long a body's speed is averaged, in seconds, and above which speed in metres a second it was put elsewhere
/// rather than going there.
const SPEED_MEMORY: Real = 0.1;
const TOP_SPEED: Real = 10.0;
/// How much less feet that are made up say of the pelvis' tilt.
const MADE_UP_TILT: Real = 0.5;

impl SixPoint {
    /// Up and left of this frame, from the points or from the pelvis' own tracker.
    pub(super) fn headings(&self, trackers: &Trackers, points: &[Vec3; 6], dt: Real) -> Memory {
        let options = &self.rig.options;
        let [pelvis, head, left_wrist, right_wrist, left_ankle, right_ankle] = *points;
        let up = direction_or(head - pelvis, self.memory.up);
        let head_given = trackers.orientation(Point::Head).and_then(unit);
        let head_given = head_given.or_else(|| self.turns_back.held(Point::Head, self.memory.body()));
        let fill = self.guard.fill();
        // Feet that were made up after the heading know nothing of it.
        let feet = fill.has_seen_foot(0) && fill.has_seen_foot(1);
        let seen = |point: fn(Side) -> Point| {
            let [left, right] = Side::BOTH.map(|side| usable(trackers.position(point(side))));
            Some(left? - right?)
        };
        let middle = 0.5 * (pelvis + head);
        let velocity = if self.memory.started {
            let now = ((middle - self.memory.middle) / dt).clamp_length_max(TOP_SPEED);
            now + (self.memory.velocity - now) * (-dt / SPEED_MEMORY).exp()
        } else {
            Vec3::ZERO
        };
        // Elbows and knees go with shoulders and hips more than wrists and ankles do.
        let cues = Cues {
            wrists: seen(Point::Elbow).unwrap_or(left_wrist - right_wrist),
            ankles: seen(Point::Knee).unwrap_or(if feet { left_ankle - right_ankle } else { Vec3::ZERO }),
            hands: 0.5 * (left_wrist + right_wrist) - pelvis,
            head: match (head_given, self.rig.spine.last()) {
                (Some(q), Some(last)) => {
                    let trust = if fill.stance().is_some() { LOOKING } else { 1.0 };
                    q * last.seen.conjugate() * Vec3::X * (trust * self.turns_back.trust(Point::Head))
                }
                _ => Vec3::ZERO,
            },
            // Who walks on feet that are made up has a heading of their own.
            velocity: if fill.stance().is_some() { Vec3::ZERO } else { velocity },
        };
        // The frame before, carried along. Of before the first nothing is known but the rest, which says little.
        let carry = rotation::between(self.memory.up, up, self.memory.left);
        let plane = Plane::across(up, carry * self.memory.left);
        let most = self.memory.started.then(|| MostTurn::by(options.turn_speed * dt));
        let passed = if self.memory.started { dt } else { 1.0 };
        let flat = FlatCues::new(&cues, &plane, options.near, options.crossed);
        let left = match fill.stance() {
            Some(stance) => direction_or(stance.left() - up * stance.left().dot(up), self.memory.left),
            // Which is where the plane's first axis lies.
            None => plane.vector(flat.left((&options.pelvis, passed), Vec2::X, most)),
        };
        let chest_left = options.chest.map_or(left, |weights| {
            let last = flat_direction_or(plane.part_of(carry * self.memory.chest_left), Vec2::X);
            plane.vector(flat.left((&weights, passed), last, most))
        });
        // A tracker's own left, if it has one.
        let given = |point: Point, vertebra: Option<&Vertebra>, else_left: Vec3| {
            let own = trackers.orientation(point).and_then(unit).zip(vertebra);
            let own = own.map_or(Vec3::ZERO, |(q, vertebra)| q * vertebra.seen.conjugate() * Vec3::X);
            direction_or(own - up * own.dot(up), else_left)
        };
        let left = given(Point::Pelvis, self.rig.spine.first(), left);
        let chest_left = if options.chest.is_some() { chest_left } else { left };
        let chest_left = given(Point::Chest, self.rig.spine.get(self.rig.chest_at), chest_left);
        Memory { up, left, chest_left, middle, velocity, started: true, ..self.memory }
    }

    /// Turns a joint of the spine as it should be, within its limit.
    fn hold_vertebra(&mut self, skeleton: &Skeleton, i: usize, pose: &mut Pose) {
        if i == 0 {
            return;
        }
        let v = &self.rig.spine[i];
        // At rest every joint is turned as its parent has it.
        let above = self.turns[i - 1] * v.seen;
        let local = (above.conjugate() * (self.turns[i] * v.seen)).normalize();
        if v.probe.as_ref().is_some_and(|probe| probe.holds(local)) {
            pose.set_rotation(v.joint, local);
            return;
        }
        let held = skeleton.joint(v.joint).project(local);
        pose.set_rotation(v.joint, held);
        if held != local {
            self.turns[i] = (above * held * v.seen.conjugate()).normalize();
        }
    }

    /// Poses hips and spine; returns by how much both ends are missed.
    pub(super) fn trunk(
        &mut self,
        skeleton: &Skeleton,
        trackers: &Trackers,
        points: &[Vec3; 6],
        dt: Real,
        pose: &mut Pose,
    ) -> Real {
        let options = &self.rig.options;
        let [pelvis, head, _, _, left_ankle, right_ankle] = *points;
        let length = (head - pelvis).length();
        let Memory { up, left, chest_left, middle, velocity, .. } = self.headings(trackers, points, dt);
        let first = self.rig.spine.first().map_or(Quat::IDENTITY, |v| v.seen);
        let hips_given = trackers.orientation(Point::Pelvis).and_then(unit);
        let head_given = trackers.orientation(Point::Head).and_then(unit);
        let hips_frame = hips_given.map(|q| q * first.conjugate());
        let twist = up.dot(left.cross(chest_left)).atan2(left.dot(chest_left));
        let twist = match self.guard.fill().stance() {
            Some(stance) if trackers.orientation(Point::Chest).is_none() => {
                // A part of the way from left to left: a part of the angle would jump where they are
                // opposite. There the cues contradict each other, and say nothing.
                let (unlikely, (sin, cos)) = (twist / PI, twist.sin_cos());
                let part = stance.chest(&self.rig.bounds) * (1.0 - unlikely * unlikely);
                (part * sin).atan2(1.0 - part + part * cos)
            }
            _ => twist,
        };
        let frame = basis(left, up);
        let axis = if options.bend_naturally {
            self.rig.arch.natural_axis
        } else {
            // Taken over by as much as the line has turned, so that the plane of
            // a still body does not wander with the noise of its points.
            let across = frame.conjugate() * self.memory.up.cross(up);
            let seen = Vec3::new(across.x, 0.0, across.z) * PLANE_GAIN;
            direction_or(self.memory.axis + seen, self.memory.axis)
        };
        let axis = match usable(trackers.position(Point::Chest)) {
            // Bent so that the chest comes to the side to which it is off its place at rest.
            Some(chest) => {
                let aside = frame.conjugate() * (chest - pelvis) - self.rig.chest_at_rest;
                let aside = Vec3::new(aside.x, 0.0, aside.z);
                direction_or(axis * CHEST_SEEN + Vec3::Y.cross(aside), axis)
            }
            None => axis,
        };
        let shape = self.rig.arch.shape(length, axis, self.memory.bend);
        let bend = shape.angle();
        let count = self.rig.arch.bones.len();
        let mut turn = frame;
        {
            let mut bones = self.rig.arch.turns(shape);
            // Above the chest all have the same.
            let mut about = (0.0, Quat::IDENTITY);
            for (i, vertebra) in self.rig.spine.iter().enumerate() {
                // The head goes with the last bone.
                turn = bones.next().map_or(turn, |bone| frame * bone);
                let twisted = vertebra.twist != 0.0 && twist != 0.0;
                if twisted && vertebra.twist != about.0 {
                    about = (vertebra.twist, rotation::about(up, twist * vertebra.twist));
                }
                self.turns[i] = if twisted { about.1 * turn } else { turn };
            }
        }
        // The pelvis leans back towards the line from the ankles.
        if let Some(frame) = hips_frame {
            self.turns[0] = frame;
        } else if options.tilt > 0.0 {
            // A step that is made up does not tilt it.
            let (feet, tilt) = match self.guard.fill().stance() {
                Some(stance) => (stance.support(&self.rig.bounds), options.tilt * MADE_UP_TILT),
                None => (0.5 * (left_ankle + right_ankle), options.tilt),
            };
            let leg_up = direction_or(pelvis - feet, up);
            let aim = direction_or(up * (1.0 - tilt) + leg_up * tilt, up);
            self.turns[0] = rotation::between(up, aim, left) * self.turns[0];
        }
        let turned = self.fit(trackers, points, dt);
        // What was seen of pelvis and chest is a part of what the next frame starts from.
        let [left, chest_left] = [(turned[0], left), (turned[1], chest_left)].map(|(turn, left)| {
            let seen = left.lerp(turn * left, FIT_REMEMBERED);
            direction_or(seen - up * seen.dot(up), left)
        });
        // Limits, from the hips upwards.
        let mut end = Vec3::ZERO;
        for i in 0..self.rig.spine.len() {
            self.hold_vertebra(skeleton, i, pose);
            if i < count {
                end += self.turns[i] * self.rig.arch.bones[i];
            }
        }
        // Hips and spine as one, so that the head lies in its direction.
        let reached = end.length();
        let align = if reached > HAIR { rotation::between(end / reached, up, left) } else { Quat::IDENTITY };
        // A head whose turn is known has it in the end.
        let head_turn = head_given.or_else(|| self.turns_back.held(Point::Head, self.memory.body()));
        if let (Some(given), Some(last)) = (head_turn, self.rig.spine.len().checked_sub(1)) {
            self.turns[last] = align.conjugate() * given * self.rig.spine[last].seen.conjugate();
            self.hold_vertebra(skeleton, last, pose);
        }
        let missing = 0.5 * (length - reached);
        let hips = Transform::new(pelvis + up * missing, (align * self.turns[0] * first).normalize());
        let carrier = self.rig.to_carrier_parent * (hips * self.rig.from_hips);
        pose.set_local(skeleton, self.rig.carrier, carrier);
        let turned = pose.rotation(self.rig.carrier).normalize();
        pose.set_rotation(self.rig.carrier, turned);
        self.model.update_joint(skeleton, pose, self.rig.carrier);
        for &joint in self.rig.lead.iter() {
            pose.set_rotation(joint, Quat::IDENTITY);
            self.model.update_joint(skeleton, pose, joint);
        }
        for vertebra in self.rig.spine.iter() {
            self.model.update_joint(skeleton, pose, vertebra.joint);
        }
        self.memory = Memory { up, left, chest_left, axis, bend, middle, velocity, started: true };
        missing.abs()
    }
}
