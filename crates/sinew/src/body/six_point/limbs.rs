//! Arms and legs of a frame: clavicles (Alg. 4), then the limbs (Alg. 5), elbows
//! out of the torso (section 8), and no jumps ([`LimbFollower`](crate::analytic::LimbFollower)).

use super::points::{Point, Trackers};
use super::report::SixPointReport;
use super::{SixPoint, clavicle, unit, usable};
use crate::analytic::{Limb, LimbGoal, LimbReport, Swivel};
use crate::math::*;
use crate::pose::{ModelPose, Pose};
use crate::skeleton::Skeleton;
#[cfg(feature = "collision")]
use {super::Branch, super::torso::InTrunk, crate::analytic::SwivelSearch, crate::report::Cause};

/// How much of a made-up foot's turn against the pelvis its knee goes along.
const KNEE: Real = 0.7;

/// How often the way to an angle that is blocked is halved.
#[cfg(feature = "collision")]
const HALVINGS: u32 = 6;

impl SixPoint {
    /// Poses arms and legs and says how it went.
    pub(super) fn limbs(
        &mut self,
        skeleton: &Skeleton,
        trackers: &Trackers,
        points: &[Vec3; 6],
        dt: Real,
        pose: &mut Pose,
        report: &mut SixPointReport,
    ) {
        let goal = |end: usize| {
            let orientation = trackers.orientation(Point::ALL[end]).and_then(unit);
            LimbGoal { position: points[end], orientation }
        };
        let bend = |mid: usize| usable(trackers.position(Point::ALL[mid]));
        for side in 0..2 {
            for &joint in self.legs[side].above.iter() {
                self.model.update_joint(skeleton, pose, joint);
            }
            let mut goal = goal(4 + side);
            let stance = self.guard.fill().stance().filter(|_| goal.orientation.is_none());
            let stands = stance.map(|stance| (stance.foot(side, &self.rig.bounds), stance.ground()));
            let stands = stands.map(|(place, ground)| {
                let upper = self.legs[side].limb().joints().upper;
                self.model.update_joint(skeleton, pose, upper);
                let hip = self.model.position(upper);
                let (ankle, pitch) =
                    self.rig.feet[side].reach(&place, hip, &self.legs[side], self.rig.bounds.up);
                goal.position = ankle;
                (place.left, pitch, ground)
            });
            let aside = stands.map_or(0.0, |(left, ..)| {
                let hips = self.memory.left;
                // The swivel turns about the way down from the hip.
                KNEE * left.cross(hips).dot(self.rig.bounds.up).atan2(hips.dot(left))
            });
            report.legs[side] =
                self.limb_of(skeleton, (false, side), &goal, (bend(9 + side), aside), dt, pose);
            if let Some(turn) = stands {
                self.rig.feet[side].put(skeleton, turn, self.rig.bounds.up, &mut self.model, pose);
            }
        }
        #[cfg(feature = "collision")]
        if let Some(torso) = &mut self.torso {
            torso.begin(&self.model);
        }
        let wrists = self.wrists(skeleton, points, pose);
        for side in 0..2 {
            self.clavicle(skeleton, side, wrists[side], bend(7 + side), pose);
            let goal = LimbGoal { position: wrists[side], ..goal(2 + side) };
            report.arms[side] = self.limb_of(skeleton, (true, side), &goal, (bend(7 + side), 0.0), dt, pose);
        }
    }

    /// One limb, and what came of it. Elbow or knee is tracked, or swivels by an angle from the
    /// preferred one.
    fn limb_of(
        &mut self,
        skeleton: &Skeleton,
        (is_arm, side): (bool, usize),
        goal: &LimbGoal,
        (tracked, aside): (Option<Vec3>, Real),
        dt: Real,
        pose: &mut Pose,
    ) -> LimbReport {
        #[cfg(feature = "collision")]
        let torso = &mut self.torso;
        let Self { arms, legs, model, .. } = self;
        let branch = if is_arm { &mut arms[side] } else { &mut legs[side] };
        let swivel = tracked.map_or(Swivel::Preferred(branch.swivel + aside), Swivel::Pole);
        let swivel = branch.follower.start(goal.orientation.is_some(), swivel, dt, pose);
        let goes_on = branch.follower.is_following();
        #[allow(unused_mut)] // without collisions nobody changes it
        let mut found = branch.limb().solve_from(skeleton, model, &goal.target(), swivel, goes_on, pose);
        #[cfg(feature = "collision")]
        if let Some(torso) = torso
            && is_arm
            && tracked.is_none()
        {
            let upper = branch.limb().joints().upper;
            model.update_joint(skeleton, pose, upper);
            if torso.is_near(side, model, model.transform(upper)) {
                update_limb(model, skeleton, pose, branch.limb());
                let touches = |arm: &[Transform; 3]| torso.contact(side, arm);
                found = branch.keep_out(skeleton, model, goal, found, dt, touches, pose);
            }
        }
        let report = branch.follower.settle(skeleton, model, goal, found, tracked.is_none(), dt, pose);
        update_limb(model, skeleton, pose, branch.limb());
        report
    }

    /// The joints above the shoulder at rest, and the clavicle turned towards an elbow that is seen, or
    /// to the wrist if the arm is too short.
    pub(super) fn clavicle(
        &mut self,
        skeleton: &Skeleton,
        side: usize,
        wrist: Vec3,
        elbow: Option<Vec3>,
        pose: &mut Pose,
    ) {
        let branch = &self.arms[side];
        for &joint in branch.above.iter() {
            pose.set_rotation(joint, self.rig.relaxed.rotation(joint));
            self.model.update_joint(skeleton, pose, joint);
        }
        let base = branch.limb().joints().upper;
        if let Some(clavicle) = branch.clavicle {
            self.model.update_joint(skeleton, pose, base);
            let sternum = self.model.position(clavicle);
            let shoulder = self.model.position(base);
            let up = self.memory.up;
            let turn = match elbow {
                Some(elbow) => clavicle::turn_to(sternum, shoulder, branch.limb().lengths().0, elbow, up),
                None => clavicle::turn(sternum, shoulder, branch.reach, wrist, up),
            };
            if let Some(turn) = turn {
                let above = self.model.rest_frame(skeleton, clavicle);
                let wanted = above.conjugate() * turn * self.model.rotation(clavicle);
                pose.set_rotation(clavicle, skeleton.joint(clavicle).project(wanted.normalize()));
                for &joint in branch.above.iter() {
                    self.model.update_joint(skeleton, pose, joint);
                }
            }
        }
    }
}

#[cfg(feature = "collision")]
impl Branch {
    /// Turns an arm that is in something about the line to its goal towards where it is free, at
    /// the swivel's own speed. Where no angle is free the arm stays as it is, since the wrist
    /// counts.
    #[allow(clippy::too_many_arguments)] // one place calls it
    fn keep_out(
        &self,
        skeleton: &Skeleton,
        model: &ModelPose,
        goal: &LimbGoal,
        found: LimbReport,
        dt: Real,
        mut touches: impl FnMut(&[Transform; 3]) -> Option<InTrunk>,
        pose: &mut Pose,
    ) -> LimbReport {
        let (limb, target, oriented) = (self.limb(), goal.target(), goal.orientation.is_some());
        let joints = limb.joints();
        let posed = [joints.upper, joints.lower, joints.end].map(|j| model.transform(j));
        let Some(contact) = touches(&posed) else { return found };
        // An arm that is nearly straight moves little as it swivels: no point of it goes further than twice as far as
        // its elbow is from the line.
        let [shoulder, elbow, _] = posed.map(|at| at.translation);
        let line = direction_or(goal.position - shoulder, Vec3::ZERO);
        let aside = (elbow - shoulder).cross(line).length();
        if line != Vec3::ZERO && contact.depth > 2.0 * aside {
            return found;
        }
        let following = self.follower.is_following();
        self.follower.recall(oriented, pose);
        let last = limb.solve_from(skeleton, model, &target, Swivel::Last, true, pose).swivel;
        let mut is_free = |angle: Real| {
            let placed = limb.at_swivel(skeleton, model, &target, angle, pose);
            placed.is_some_and(|(arm, _)| touches(&arm).is_none())
        };
        let swivel = if following && is_free(last) {
            // As far as nothing is touched, from the free side: what stands still comes to rest.
            let way = wrap_angle(found.swivel - last);
            let (mut free, mut blocked) = (0.0, 1.0);
            for _ in 0..HALVINGS {
                let middle = 0.5 * (free + blocked);
                if is_free(last + way * middle) {
                    free = middle;
                } else {
                    blocked = middle;
                }
            }
            last + way * free
        } else {
            let search = SwivelSearch { retreats: 0, ..SwivelSearch::default() };
            // From the last pose, so that what cannot be had is sought beside it.
            let from = Swivel::Towards { angle: found.swivel, within: PI };
            let blocked = |arm: &[Transform; 3]| touches(arm).map(|contact| contact.cause);
            let free = limb.solve_avoiding(skeleton, model, &target, from, &search, blocked, pose);
            if matches!(free.outcome.cause, Some(Cause::Collision { .. })) {
                found.swivel
            } else {
                free.swivel
            }
        };
        self.follower.recall(oriented, pose);
        let within = if following { self.follower.options().swivel_speed * dt } else { PI };
        limb.solve(skeleton, model, &target, Swivel::Towards { angle: swivel, within: within.min(PI) }, pose)
    }
}

#[inline]
fn update_limb(model: &mut ModelPose, skeleton: &Skeleton, pose: &Pose, limb: &Limb) {
    let joints = limb.joints();
    // Twist joints between the three lie between them in the order, too.
    model.update_range(skeleton, pose, joints.upper.index()..joints.end.index() + 1);
}
