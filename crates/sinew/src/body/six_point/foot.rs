//! The foot at the end of a leg that nobody tracks: flat on the floor, or on its ball where the
//! leg does not reach further or the ankle does not bend further.
//!
//! The foot turns about its ball, the place of the toes' joint. Toes stay level while the heel is
//! up. Angles are about the foot's left: above zero the heel is up.

use super::stance::FootPlace;
use super::{Branch, basis};
use crate::math::*;
use crate::pose::{ModelPose, Pose};
use crate::skeleton::humanoid::{HumanoidBone, HumanoidMap, Side};
use crate::skeleton::{JointId, Skeleton};

/// How far the heel is up at the most, in radians.
const HIGHEST: Real = 1.1;
/// How often the ankle's bend and the heel's rise are brought together.
const ROUNDS: usize = 3;
/// From this part of the leg's length on a foot in the air keeps the knee from being straight.
const SOFT: Real = 0.96;
/// How often a foot that its limit turned out of level is put level again.
const LEVELLINGS: usize = 3;
/// How much of the leg's length is used under the hip, and how much less by a foot that trails: its heel
/// rises a little sooner, since a knee that is straight when the foot takes off snaps.
const REACH: Real = 0.998;
const TRAILING: Real = 0.014;

/// How far out and ahead of its hip a foot stands, in lengths of the leg, and how straight the leg is at least:
/// a rest pose beyond that is no stance.
const ASTRIDE: Real = 0.08;
const STRAIGHT: Real = 0.95;
/// And where it stands then.
const BESIDE: Real = 0.03;

/// Where the ankle is when the body stands, as the body sees it: where it is at rest, unless the rest is no
/// stance. Skeletons are recorded with their legs astride, or rest with bent knees.
pub(super) fn stood_on(hip: Vec3, ankle: Vec3, (thigh, shin): (Real, Real)) -> Vec3 {
    let whole = (thigh + shin).max(TINY);
    let leg = ankle - hip;
    let most = ASTRIDE * whole;
    let length = leg.length();
    let straight = length >= STRAIGHT * whole;
    if straight && leg.y < 0.0 && leg.x.abs() <= most && leg.z.abs() <= most {
        return ankle;
    }
    let length = if straight { length } else { STRAIGHT.sqrt() * whole };
    let most = BESIDE * whole;
    let (x, z) = (leg.x.clamp(-most, most), leg.z.clamp(-most, most));
    hip + Vec3::new(x, -(length * length - x * x - z * z).max(0.0).sqrt(), z)
}

/// How much of a leg's reach is used whose hip is so far ahead of its ankle.
pub(super) fn used(reach: Real, ahead: Real) -> Real {
    let trails = (ahead / (0.25 * reach).max(TINY)).clamp(0.0, 1.0);
    reach * (REACH - TRAILING * trails * trails * (3.0 - 2.0 * trails))
}

/// A foot, measured at rest.
#[derive(Debug, Clone, Copy)]
pub(super) struct Foot {
    joint: JointId,
    toes: Option<JointId>,
    /// Model rotations at rest, as the body sees them.
    seen: Quat,
    toes_seen: Quat,
    /// The toes' rotation of a flat foot.
    toes_flat: Quat,
    /// From the ankle to the ball, as the body sees it.
    pub ball: Vec3,
    /// How far the toes come up towards the shin, in radians.
    flexion: Real,
    /// How far the shin leans forwards at rest.
    lean: Real,
}

impl Foot {
    /// Measures a foot; `frame` is the body's frame at rest, `size` the height of its hips.
    pub(super) fn new(
        skeleton: &Skeleton,
        map: &HumanoidMap,
        side: Side,
        leg: &Branch,
        (rest, frame, size): (&ModelPose, Quat, Real),
    ) -> Self {
        let joints = leg.limb().joints();
        let joint = joints.end;
        let seen = |v: Vec3| frame.conjugate() * v;
        let toes = map.get(HumanoidBone::Toes(side)).filter(|j| skeleton.is_ancestor(joint, *j));
        let ankle = rest.position(joint);
        let ball = match toes {
            Some(toes) => seen(rest.position(toes) - ankle),
            None => Vec3::new(0.0, -0.04, 0.14) * size,
        };
        let turned = |j: JointId| frame.conjugate() * rest.rotation(j);
        let shin = seen(rest.position(joints.lower) - ankle);
        let axis = turned(joint).conjugate() * Vec3::X;
        let allowed = |angle: Real| {
            let q = rotation::about(axis, -angle);
            rotation::angle(skeleton.joint(joint).project(q).conjugate() * q) < 1.0e-3
        };
        // The limit's edge between level and 90°.
        let (mut low, mut high) = (0.0, 0.5 * PI);
        for _ in 0..20 {
            let middle = 0.5 * (low + high);
            if allowed(middle) {
                low = middle;
            } else {
                high = middle;
            }
        }
        Self {
            joint,
            toes,
            seen: turned(joint),
            toes_seen: toes.map_or(Quat::IDENTITY, turned),
            toes_flat: toes.map_or(Quat::IDENTITY, |toes| skeleton.joint(toes).project(Quat::IDENTITY)),
            ball,
            flexion: low,
            lean: shin.z.atan2(shin.y),
        }
    }

    /// How the foot stands on a leg that hangs from this hip: where its ankle is, and its pitch.
    pub(super) fn reach(&self, place: &FootPlace, hip: Vec3, leg: &Branch, up: Vec3) -> (Vec3, Real) {
        let frame = basis(place.left, up);
        let hip = frame.conjugate() * (hip - place.at);
        let far = used(leg.reach, hip.z);
        let least = place.pitch.max(0.0);
        // The heel of a foot that is ahead of the hip stays down.
        let behind = (0.8 + 2.0 * hip.z / self.ball.length().max(TINY)).clamp(0.0, 1.0);
        let most = HIGHEST * place.rise * behind;
        let mut pitch = place.pitch.min(0.0) + self.rise(hip, far, least).min(least.max(most));
        for _ in 0..ROUNDS {
            let flexed = self.flexed(hip - self.ankle(pitch), leg) - pitch;
            if flexed <= self.flexion {
                break;
            }
            pitch = (pitch + flexed - self.flexion).min(HIGHEST);
        }
        let ankle = self.ankle(pitch);
        // Where nothing else helps the foot leaves its place. In the air the knee keeps a bend, since one
        // that is straight snaps when it bends.
        let way = ankle - hip;
        let distance = way.length().max(TINY);
        let (free, room) = (SOFT * far, (1.0 - SOFT) * far);
        let soft =
            if distance > free { free + room * (1.0 - (-(distance - free) / room).exp()) } else { distance };
        let stiff = place.rise.clamp(0.0, 1.0);
        let ankle = hip + way * ((distance.min(far) * stiff + soft * (1.0 - stiff)) / distance);
        (place.at + frame * ankle, pitch)
    }

    /// Where the ankle is when the foot is turned about its ball, seen from where it is flat. Turned
    /// up by its toes it stands on the heel, which is about under the ankle.
    fn ankle(&self, pitch: Real) -> Vec3 {
        if pitch <= 0.0 {
            return Vec3::Y * (-0.3 * self.ball.z * pitch.sin());
        }
        self.ball - rotation::about(Vec3::X, pitch) * self.ball
    }

    /// The least pitch from `least` on at which the ankle is within the leg's length of the hip.
    /// About the ball the ankle goes on a circle; its nearness is `a cos p + b sin p` there.
    fn rise(&self, hip: Vec3, far: Real, least: Real) -> Real {
        let d = hip - self.ball;
        let arm = Vec3::new(0.0, -self.ball.y, -self.ball.z);
        let (a, b) = (d.dot(arm), d.dot(Vec3::X.cross(arm)));
        let needed = 0.5 * (d.length_squared() + self.ball.length_squared() - far * far) + d.x * self.ball.x;
        if a * least.cos() + b * least.sin() >= needed {
            return least;
        }
        let size = a.hypot(b).max(TINY);
        let best = b.atan2(a);
        let rise = if needed >= size { best } else { best - (needed / size).acos() };
        rise.min(HIGHEST).max(least)
    }

    /// The pitch, of a foot on its ball or flat, at which the ball is so high, seen from the ankle.
    fn pitch_at(&self, height: Real) -> Real {
        let reach = self.ball.y.hypot(self.ball.z).max(TINY);
        // About x the ball goes down: its height is `reach · sin(flat − pitch)`.
        let flat = self.ball.y.atan2(self.ball.z);
        (flat - (height / reach).clamp(-1.0, 1.0).asin()).max(0.0)
    }

    /// How far the shin leans forwards over a level foot more than at rest, for a hip seen from the ankle.
    fn flexed(&self, hip: Vec3, leg: &Branch) -> Real {
        let (thigh, shin) = leg.limb().lengths();
        let distance = hip.length().max(TINY);
        let bend = (shin * shin + distance * distance - thigh * thigh) / (2.0 * shin * distance).max(TINY);
        hip.z.atan2(hip.y) + bend.clamp(-1.0, 1.0).acos() - self.lean
    }

    /// Turns foot and toes; the leg is in its place.
    pub(super) fn put(
        &self,
        skeleton: &Skeleton,
        (left, pitch, ground): (Vec3, Real, Real),
        up: Vec3,
        model: &mut ModelPose,
        pose: &mut Pose,
    ) {
        let mut frame = basis(left, up);
        // A leg that its hip's limit keeps off its way has the ankle too low for the pitch: the ball stays out of the floor.
        let least = ground - model.position(self.joint).dot(up) + self.ball.y;
        let pitch = if pitch > 0.0 { pitch.min(self.pitch_at(least)) } else { pitch };
        for _ in 0..LEVELLINGS {
            let wanted = frame * rotation::about(Vec3::X, pitch) * self.seen;
            if set(skeleton, self.joint, wanted, model, pose) {
                break;
            }
            // Turned less, but level.
            model.update_joint(skeleton, pose, self.joint);
            let left = model.rotation(self.joint) * (self.seen.conjugate() * Vec3::X);
            frame = basis(direction_or(left - up * left.dot(up), frame * Vec3::X), up);
        }
        model.update_joint(skeleton, pose, self.joint);
        let Some(toes) = self.toes else { return };
        // A foot that its limit holds may be pitched otherwise than wanted.
        let ahead = model.rotation(self.joint) * (self.seen.conjugate() * Vec3::Z);
        if ahead.dot(up) >= 0.0 {
            pose.set_rotation(toes, self.toes_flat);
            return;
        }
        for i in self.joint.index() + 1..toes.index() {
            if let Some(joint) = skeleton.id(i) {
                model.update_joint(skeleton, pose, joint);
            }
        }
        set(skeleton, toes, frame * self.toes_seen, model, pose);
    }
}

/// Turns a joint as near to a model rotation as its limit allows. Whether it allows it.
fn set(skeleton: &Skeleton, joint: JointId, wanted: Quat, model: &ModelPose, pose: &mut Pose) -> bool {
    let local = (model.rest_frame(skeleton, joint).conjugate() * wanted).normalize();
    let held = skeleton.joint(joint).project(local);
    pose.set_rotation(joint, held);
    held == local
}
