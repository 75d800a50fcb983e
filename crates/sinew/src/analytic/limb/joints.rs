//! Between a posture and the joints of a pose: how twists are shared, what a
//! pose holds, and where it puts the limb.

use super::division::TwistRange;
use super::{Limb, Link, Posture};
use crate::limit::SLACK;
use crate::limit::turning::{Turning, angle_of, half_angle};
use crate::math::arcs::Arcs;
use crate::math::*;
use crate::pose::Pose;
use crate::skeleton::JointId;
use crate::skeleton::humanoid::LimbJoints;

impl Limb {
    /// How far the lower bone can twist at this flexion.
    #[inline]
    pub(super) fn twist_range(&self, flexion: Quat) -> TwistRange {
        match self.same_twist_range {
            Some(range) => range,
            None => self.twist_range_at(flexion),
        }
    }

    /// The same, from the limits.
    pub(super) fn twist_range_at(&self, flexion: Quat) -> TwistRange {
        if self.mid_share == 0.0 && self.lower_links.is_empty() {
            return TwistRange::NONE;
        }
        let mut twists_by = TwistRange::ANY;
        let mut twists = false;
        if self.mid_share > 0.0 {
            twists = true;
            if let Some(range) = self.mid_twist_range {
                twists_by = twists_by.narrowed(range, self.mid_share);
            } else if !self.mid_limit.is_none() {
                let family = Turning::new(flexion * self.lower_unit, flexion);
                twists_by =
                    twists_by.narrowed_to(&self.mid_limit.allowed_turns(&family, &Arcs::ALL), self.mid_share);
            }
        }
        for link in self.lower_links.iter().filter(|l| l.share > 0.0) {
            twists = true;
            if let Some(range) = link.range {
                twists_by = twists_by.narrowed(range, link.share);
            } else if !link.limit.is_none() {
                let family = Turning::new(link.axis, Quat::IDENTITY);
                twists_by = twists_by.narrowed_to(&link.limit.allowed_turns(&family, &Arcs::ALL), link.share);
            }
        }
        if twists { twists_by } else { TwistRange::NONE }
    }

    /// The base's own part of its rotation, without what the joints along the
    /// upper bone take, and the twist that they share.
    #[inline]
    pub(super) fn own_base(&self, base: Quat) -> (Quat, Real) {
        if self.upper_links.is_empty() || self.base_share == 1.0 {
            return (base, 0.0);
        }
        let twist = rotation::angle_about(self.upper_unit, base);
        (base * rotation::about(self.upper_unit, -(1.0 - self.base_share) * twist), twist)
    }

    /// How far base and upper twist joints would be outside of their limits.
    pub(super) fn base_violation(&self, base: Quat) -> Real {
        let (own, twist) = self.own_base(base);
        let mut worst = match self.base_limit.project_inset(own, 0.0) {
            None => 0.0,
            Some(inside) => rotation::angle(inside.conjugate() * own),
        };
        for link in self.upper_links.iter().filter(|l| l.share > 0.0) {
            let angle = link.share * twist;
            if let Some(range) = link.range {
                worst = worst.max(-range.edge_distance(angle) - SLACK);
            } else {
                worst = worst.max(link.limit.violation(rotation::about(link.axis, angle)));
            }
        }
        worst
    }

    /// About how far inside of their limits base and upper twist joints would be, in radians; negative
    /// outside, one if there is no limit.
    pub(super) fn base_margin(&self, base: Quat) -> Real {
        if self.base_probed {
            return self.base_probe.margins(self.base_probe.to_frame(base)).least();
        }
        if self.upper_links.is_empty() {
            return self.base_limit.margin(base);
        }
        let outside = self.base_violation(base);
        if outside > 0.0 {
            return -outside;
        }
        self.base_limit.edge_distance(self.own_base(base).0).clamp(0.0, 1.0)
    }

    /// The nearest allowed rotation of the base, with the twist of the upper bone's joints.
    pub(super) fn held_base(&self, base: Quat) -> Quat {
        let (own, twist) = self.own_base(base);
        let inside = self.base_limit.project(own.normalize());
        if self.upper_links.is_empty() {
            return inside;
        }
        inside * rotation::about(self.upper_unit, (1.0 - self.base_share) * twist)
    }

    /// The flexion and the twist that a pose has.
    pub(super) fn read_mid(&self, pose: &Pose) -> (Real, Real) {
        let q = pose.rotation(self.joints.lower);
        let axis = self.bend.axis;
        let was = self.lower_unit - axis * axis.dot(self.lower_unit);
        let now = q * self.lower_unit;
        let now = now - axis * axis.dot(now);
        let angle = axis.dot(was.cross(now)).atan2(was.dot(now));
        let rest = rotation::about(axis, -angle) * q;
        let mut twist = rotation::angle_about(self.lower_unit, rest);
        for link in &self.lower_links {
            twist += rotation::angle_about(link.axis, pose.rotation(link.joint));
        }
        (angle, twist)
    }

    /// The direction of half of the lower bone's twist that a pose has, by cosine and sine; of any length and sign.
    pub(super) fn read_twist(&self, pose: &Pose) -> Vec2 {
        if !self.lower_links.is_empty() {
            let twist = self.read_mid(pose).1;
            return if twist.is_finite() { half_angle(twist) } else { Vec2::X };
        }
        let q = pose.rotation(self.joints.lower);
        let axis = self.bend.axis;
        let was = self.lower_unit - axis * axis.dot(self.lower_unit);
        let now = q * self.lower_unit;
        let now = now - axis * axis.dot(now);
        // Half of the flexion without its angle: between where it starts and where it ends.
        let (cos, sin) = (was.dot(now), axis.dot(was.cross(now)));
        let length = (cos * cos + sin * sin).sqrt();
        let half = if length <= TINY {
            Vec2::X
        } else if cos >= 0.0 {
            Vec2::new(length + cos, sin)
        } else {
            Vec2::new(sin.abs(), (length - cos).copysign(sin))
        };
        let back = axis * -half.y;
        let rest = Quat::from_xyzw(back.x, back.y, back.z, half.x) * q;
        Vec2::new(rest.w, Vec3::new(rest.x, rest.y, rest.z).dot(self.lower_unit))
    }

    /// The base's rotation with the twist of the upper bone's joints.
    pub(super) fn read_base(&self, pose: &Pose) -> Quat {
        let mut q = pose.rotation(self.joints.upper);
        for link in &self.upper_links {
            let angle = rotation::angle_about(link.axis, pose.rotation(link.joint));
            q *= rotation::about(self.upper_unit, angle);
        }
        rotation::normalize_or_identity(q)
    }

    /// Writes the posture, held within every limit to the last rounding. Shifts stay.
    #[inline]
    pub(super) fn write(&self, posture: &Posture, pose: &mut Pose) {
        let LimbJoints { upper, lower, end } = self.joints;
        let (own, upper_twist) = self.own_base(posture.base);
        // Products of unit quaternions are unit but for a rounding.
        let held = |q: Quat| self.base_limit.project(q.normalize());
        pose.set_rotation(upper, if posture.base_inside { own } else { held(own) });
        for link in &self.upper_links {
            pose.set_rotation(link.joint, link.rotation(link.share * upper_twist));
        }
        pose.set_rotation(lower, posture.flexion * self.mid_twist(posture));
        if !self.lower_links.is_empty() {
            let twist = posture.twist_angle();
            for link in &self.lower_links {
                pose.set_rotation(link.joint, link.rotation(link.share * twist));
            }
        }
        let mut last = posture.end;
        let holds = posture.end_inside || (self.end_probed && self.end_probe.holds(last));
        if !holds {
            last = self.end_limit.project(crate::limit::to_kind(self.end_kind, last.normalize()));
        }
        pose.set_rotation(end, last);
        if !self.followers.is_empty() {
            self.turn_followers(posture, last, pose);
        }
    }

    /// The middle joint's part of the lower bone's twist.
    #[inline]
    fn mid_twist(&self, posture: &Posture) -> Quat {
        if self.mid_share == 1.0 {
            posture.twist_about(self.lower_unit)
        } else if self.mid_share > 0.0 {
            rotation::about(self.lower_unit, self.mid_share * posture.twist_angle())
        } else {
            Quat::IDENTITY
        }
    }

    /// Turns the helpers so that the twist grows evenly along each bone.
    fn turn_followers(&self, posture: &Posture, end: Quat, pose: &mut Pose) {
        let upper = rotation::angle_about(self.upper_unit, posture.base);
        let twist = posture.twist_angle();
        let lower = twist + rotation::angle_about(self.end_twist_axis, end);
        for follower in &self.followers {
            let angle = if follower.upper {
                (follower.part - self.base_share) * upper
            } else {
                follower.part * lower - self.mid_share * twist
            };
            pose.set_rotation(follower.joint, rotation::about(follower.axis, angle));
        }
    }

    /// Where base, middle and end are in a posture.
    #[inline]
    pub(super) fn place(&self, frame: &Transform, posture: &Posture) -> [Transform; 3] {
        let upper = frame.rotation * posture.base;
        let mid_frame = upper * self.to_mid * posture.flexion;
        let elbow = frame.translation + upper * self.upper;
        let wrist = elbow + mid_frame * self.lower;
        let base = match self.upper_links.is_empty() {
            true => upper,
            false => frame.rotation * self.own_base(posture.base).0,
        };
        let mid = mid_frame * self.mid_twist(posture);
        let end = mid_frame * posture.twist_about(self.lower_unit) * self.to_end * posture.end;
        [Transform::new(frame.translation, base), Transform::new(elbow, mid), Transform::new(wrist, end)]
    }

    /// Forward kinematics of what stands in the pose, joint by joint.
    pub(crate) fn end_of(&self, frame: &Transform, pose: &Pose) -> Transform {
        let mut at = Transform::new(frame.translation, frame.rotation * pose.rotation(self.joints.upper));
        let down = |at: Transform, rest: Transform, joint: JointId| {
            at * rest * Transform::new(pose.translation(joint), pose.rotation(joint))
        };
        if self.upper_links.is_empty() {
            at = down(at, Transform::new(self.upper, self.to_mid), self.joints.lower);
        } else {
            let mut whole = Transform::IDENTITY;
            for link in &self.upper_links {
                at = down(at, link.rest, link.joint);
                whole *= link.rest;
            }
            let rest = whole.inverse() * Transform::new(self.upper, self.to_mid);
            at = down(at, rest, self.joints.lower);
        }
        if self.lower_links.is_empty() {
            return down(at, Transform::new(self.lower, self.to_end), self.joints.end);
        }
        let mut whole = Transform::IDENTITY;
        for link in &self.lower_links {
            at = down(at, link.rest, link.joint);
            whole *= link.rest;
        }
        let rest = whole.inverse() * Transform::new(self.lower, self.to_end);
        down(at, rest, self.joints.end)
    }

    /// The same from the base's rest frame.
    #[inline(always)]
    pub(super) fn end_from_base(&self, pose: &Pose) -> Transform {
        if !self.upper_links.is_empty() || !self.lower_links.is_empty() || self.is_shifted(pose) {
            return self.end_of(&Transform::IDENTITY, pose);
        }
        let upper = pose.rotation(self.joints.upper);
        let lower = upper * (self.to_mid * pose.rotation(self.joints.lower));
        let end = lower * (self.to_end * pose.rotation(self.joints.end));
        Transform::new(upper * self.upper + lower * self.lower, end)
    }
}

impl Link {
    fn rotation(&self, angle: Real) -> Quat {
        let angle = match self.range {
            Some(range) => range.project(angle, 0.0).unwrap_or(angle),
            None => angle,
        };
        self.limit.project(rotation::about(self.axis, angle))
    }
}

impl Posture {
    /// The lower bone's twist, in (−π, π].
    pub(super) fn twist_angle(&self) -> Real {
        angle_of(self.twist)
    }

    /// The lower bone's twist as a turn about `axis`.
    #[inline]
    fn twist_about(&self, axis: Vec3) -> Quat {
        let a = axis * self.twist.y;
        Quat::from_xyzw(a.x, a.y, a.z, self.twist.x)
    }
}
