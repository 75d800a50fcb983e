//! How trackers sit on a person, found from what they say.
//!
//! * **By a pose**: a person who stands as the rig does at rest, or with the arms stretched elsewhere, has every joint
//!   turned as the rig has it, from where the hands say that left is. What a tracker is turned otherwise is how it is mounted.
//! * **By motion**: people turn the head about its joint and the hand about the wrist. Of all places that go with a
//!   tracker the joint is the one that moves least while the tracker turns: with its place `p` and turn `R` in two
//!   frames, `m` makes `|Δp + ΔR·m|` small. Sums of distances and not of their squares, by weights that
//!   are found again in a few rounds (Weiszfeld), since in many frames the arm goes elsewhere meanwhile, and
//!   these shall not count by as much as they are off.
//!
//! # Degenerate cases
//! A tracker that turns about one axis says nothing of where along it the joint is: there it stays where it was. Too
//! few turns, or a joint further away than any tracker is mounted: the mount stays.

use alloc::vec::Vec;

use super::calibration::Calibration;
use super::points::{Point, Trackers};
use super::{SixPoint, basis, unit, usable};
use crate::linalg::solve_positive;
use crate::math::*;
use crate::pose::ModelPose;
use crate::skeleton::Skeleton;
use crate::skeleton::humanoid::Side;

/// Two frames are compared once the tracker has turned by so much between them, in radians.
const TURNED: Real = 0.2;
/// So many such turns say enough.
const TURNS: usize = 8;
/// No tracker is mounted further from its joint, in metres.
const FURTHEST: Real = 0.25;
/// Misses below this, in metres, are as good as none.
const FINE: Real = 0.002;
const ROUNDS: usize = 12;
/// What holds the mount where nothing is seen of it, as a part of what is seen.
const HELD: Real = 1.0e-3;

/// The move of a tracker between two frames.
struct Move {
    shift: Vec3,
    turn: Mat3,
}

impl SixPoint {
    /// Takes how the trackers are turned on their joints from a pose: the person stands upright and looks ahead with
    /// stretched arms, as in a T-pose or an A-pose. Where the joints are in the trackers stays, see
    /// [`mount_by_motion`](Self::mount_by_motion). Returns of how many trackers it was seen: none without head and hands.
    pub fn mount_by_pose(&mut self, skeleton: &Skeleton, pose: &Trackers) -> usize {
        let joints = self.calibration.joints(pose);
        let [head, left, right] = [Point::Head, Point::Wrist(Side::Left), Point::Wrist(Side::Right)]
            .map(|p| usable(joints.position(p)));
        let (Some(head), Some(left), Some(right)) = (head, left, right) else { return 0 };
        if skeleton.fingerprint() != self.rig.fingerprint {
            return 0;
        }
        let up = self.rig.bounds.up;
        let across = left - right;
        let across = across - up * across.dot(up);
        if across.length() <= HAIR {
            return 0;
        }
        let body = basis(across.normalize(), up);
        let rest = ModelPose::rest(skeleton);
        let mut calibration = self.calibration;
        let mut count = 0;
        for point in Point::ALL {
            let joint = self.rig.joints[point.index()];
            let Some((joint, seen)) = joint.zip(pose.orientation(point).and_then(unit)) else { continue };
            // The arms may be stretched elsewhere than at rest.
            let arm = match point {
                Point::Wrist(side) | Point::Elbow(side) => {
                    let (i, hand) = (side as usize, if side == Side::Left { left } else { right });
                    let shoulder = head + body * (self.rig.bounds.shoulder[i] - self.rig.bounds.rest[1]);
                    let limb = self.arms[i].limb().joints();
                    let at_rest = rest.position(limb.end) - rest.position(limb.upper);
                    let at_rest = direction_or(body * (self.rig.frame.conjugate() * at_rest), Vec3::ZERO);
                    rotation::between(at_rest, direction_or(hand - shoulder, at_rest), up)
                }
                _ => Quat::IDENTITY,
            };
            let wanted = arm * body * self.rig.frame.conjugate() * rest.rotation(joint);
            let mount = Transform::new(calibration.mount(point).translation, seen.conjugate() * wanted);
            calibration = calibration.with_mount(point, mount);
            count += 1;
        }
        self.take_mounts(calibration, count)
    }

    /// Takes where the joints are in the trackers from some seconds of motion, in which the person looks about and turns
    /// the hands about the wrists, in more than one direction. How the trackers are turned on the joints stays. Returns of how many
    /// trackers it was seen; the others keep their mounts.
    pub fn mount_by_motion(&mut self, frames: &[Trackers]) -> usize {
        let mut calibration = self.calibration;
        let mut count = 0;
        for point in Point::ALL {
            let before = calibration.mount(point);
            if let Some(place) = stillest(&moves(frames, point), before.translation) {
                calibration = calibration.with_mount(point, Transform::new(place, before.rotation));
                count += 1;
            }
        }
        self.take_mounts(calibration, count)
    }

    fn take_mounts(&mut self, calibration: Calibration, count: usize) -> usize {
        if count > 0 && self.set_calibration(calibration) { count } else { 0 }
    }
}

/// The turns of a point's tracker, one after the other.
fn moves(frames: &[Trackers], point: Point) -> Vec<Move> {
    let mut found = Vec::new();
    let mut last: Option<(Vec3, Quat)> = None;
    for frame in frames {
        let seen = usable(frame.position(point)).zip(frame.orientation(point).and_then(unit));
        match (last, seen) {
            (Some((at, turn)), Some((now_at, now))) => {
                if rotation::angle(turn.conjugate() * now) >= TURNED {
                    let turn = Mat3::from_quat(now) - Mat3::from_quat(turn);
                    found.push(Move { shift: now_at - at, turn });
                    last = seen;
                }
            }
            // What happened while it was lost nobody knows.
            _ => last = seen,
        }
    }
    found
}

/// The place in the tracker that moves least.
fn stillest(moves: &[Move], before: Vec3) -> Option<Vec3> {
    if moves.len() < TURNS {
        return None;
    }
    let mut place = before;
    for _ in 0..ROUNDS {
        let mut matrix = [[0.0; 3]; 3];
        let mut right = [0.0; 3];
        for Move { shift, turn } in moves {
            let miss = *shift + *turn * place;
            let weight = 1.0 / miss.length().max(FINE);
            let pull = turn.transpose() * miss * weight;
            let square = turn.transpose() * *turn * weight;
            for i in 0..3 {
                right[i] -= pull[i];
                for j in 0..3 {
                    matrix[i][j] += square.col(j)[i];
                }
            }
        }
        let held = HELD * (matrix[0][0] + matrix[1][1] + matrix[2][2]);
        for (i, row) in matrix.iter_mut().enumerate() {
            row[i] += held;
            right[i] -= held * (place - before)[i];
        }
        solve_positive(&mut matrix, &mut right);
        place += Vec3::from_array(right);
    }
    (place.is_finite() && place.length() <= FURTHEST).then_some(place)
}
