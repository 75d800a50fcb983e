//! What an arm meets of its own body and what can go out of its way: a head that leans aside for an arm that
//! is raised past it.
//!
//! The descents of the body move what hands and feet hang on, and the behaviours pose the rest for free
//! space. So a head that is in an arm's way would stay there, though a person leans it aside without a
//! thought. Here the joints from what is touched up to where the arm branches off (head and neck; an
//! idle arm) share the turn that carries it out along the contact's normal, the shortest such turn, as far
//! as their limits allow and no further than [`FURTHEST`].

use alloc::vec::Vec;

use super::planner::{Blocked, Planner};
use crate::collision::{Contact, Touched};
use crate::math::*;
use crate::pose::Pose;
use crate::skeleton::JointId;

/// The most that one joint turns aside, in radians: some 25°, what a neck does without strain.
const FURTHEST: Real = 0.45;
/// How often the turn is corrected; each leaves a part of the depth, since turns are no shifts.
const CORRECTIONS: usize = 6;
/// How much further than out of contact it goes, in metres.
const ROOM: Real = 2.0e-3;
/// Swivel angles that are tried, to both sides of the preferred one by turns.
const TRIED: [Real; 5] = [0.0, 0.4, -0.4, 0.8, -0.8];

impl Planner<'_> {
    /// The body with what is in the way of an arm at its target turned aside, if that is enough. The pose
    /// given is one that touches nothing but with this arm.
    pub(super) fn make_way(&mut self, side: usize, preferred: Real, body: &Pose) -> Option<Pose> {
        let goal = self.to[side];
        for off in TRIED {
            let mut aside = body.clone();
            for _ in 0..CORRECTIONS {
                self.pose.copy_from(&aside);
                if self.settle_body().is_err() {
                    break;
                }
                match self.place_arm(side, &goal, preferred + off) {
                    Ok(_) => return Some(aside),
                    Err(Blocked::Touches(contact)) => {
                        if !self.turn_aside(side, &contact, body, &mut aside) {
                            break;
                        }
                    }
                    Err(_) => break,
                }
            }
        }
        None
    }

    /// Turns the part that an arm's part is in out of it; whether anything could turn.
    fn turn_aside(&mut self, side: usize, contact: &Contact, from: &Pose, aside: &mut Pose) -> bool {
        let (Some(arm), Some(around)) = (&self.arms[side], &self.around) else { return false };
        let shoulder = arm.joints().upper;
        let Touched::Part(other) = contact.with else { return false };
        let Some((way, touched)) = around.way_between(contact.part, other) else { return false };
        let carries = |joint: JointId| self.skeleton.is_ancestor(joint, shoulder);
        let chain: Vec<JointId> =
            self.skeleton.ancestors(touched).take_while(|&joint| !carries(joint)).collect();
        // Legs stand and arms that reach are where they should be.
        let others =
            self.arms.iter().enumerate().filter(|(i, _)| *i != side).filter_map(|(_, arm)| arm.as_ref());
        let feet = self.solver.held_feet();
        let mut limbs = others.chain(feet.iter().flatten().map(|(leg, _)| leg));
        if chain.is_empty() || limbs.any(|limb| chain.contains(&limb.joints().upper)) {
            return false;
        }
        self.model.update(self.skeleton, aside);
        let out = way.normal * -(contact.depth + ROOM);
        let lever = |joint: JointId| way.at - self.model.position(joint);
        let reach: Real = chain.iter().map(|&joint| lever(joint).length_squared()).sum();
        let mut turned = false;
        for &joint in &chain {
            // In model space; the joint's own frame is that of its parent and its rest.
            let turn = lever(joint).cross(out) / reach.max(TINY);
            let (was, start) = (aside.rotation(joint), from.rotation(joint));
            let frame = self.model.transform(joint).rotation * was.conjugate();
            let wanted = rotation::exp(frame.conjugate() * turn) * was;
            let limited = rotation::log(wanted * start.conjugate()).clamp_length_max(FURTHEST);
            let now = self.skeleton.joint(joint).project(rotation::exp(limited) * start);
            turned |= rotation::angle(now * was.conjugate()) > LEAST;
            aside.set_rotation(joint, now);
        }
        turned
    }
}

/// A turn that is less than this does not help, in radians.
const LEAST: Real = 1.0e-3;
