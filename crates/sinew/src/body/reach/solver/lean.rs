//! Leaning further where the arm alone is too short.

use super::blend::Mix;
use super::{Arm, ReachSolver, Wish};
use crate::math::*;
use crate::skeleton::Skeleton;

/// A posture that brings the shoulder nearer by less than this, in metres, is taken up
/// more slowly than the arm would like, so that a goal which is a little too far does not throw
/// the body all the way at once; and not at all if it helps by less than a fifth of this.
const WORTHWHILE: Real = 0.1;

impl ReachSolver {
    /// Raises the weights where the arm would be too short, just as much as it
    /// needs, up to one: first so that the elbow stays a little bent, as far as that is worth
    /// it, then so that the hand gets there at all.
    pub(super) fn lean_further(&self, skeleton: &Skeleton, wishes: &mut [Option<Wish>; 2]) {
        // Without a posture there is nothing to lean on.
        let posed = self.posed.iter().any(|posed| (0..2).any(|i| posed.by[i] && wishes[i].is_some()));
        if !posed || wishes.iter().flatten().all(|wish| wish.weight >= 1.0) {
            return;
        }
        let comfortably = self.gap_at(skeleton, wishes, 0.0, false);
        if comfortably <= 0.0 {
            return;
        }
        let enough = self.raise(skeleton, wishes, false, comfortably, |help| {
            (help / WORTHWHILE).min(1.0) * (5.0 * help / WORTHWHILE).min(1.0)
        });
        if enough {
            return;
        }
        let stretched = self.gap_at(skeleton, wishes, 0.0, true);
        if stretched > 0.0 {
            self.raise(skeleton, wishes, true, stretched, |help| {
                (10.0 * help / WORTHWHILE - 2.0).clamp(0.0, 1.0)
            });
        }
    }

    /// Raises the weights until the arms are long enough, comfortably or fully
    /// stretched, or as far as it goes; whether they are. `worth` says how much of that to do for
    /// a posture that brings the shoulder nearer by so many metres.
    fn raise(
        &self,
        skeleton: &Skeleton,
        wishes: &mut [Option<Wish>; 2],
        stretched: bool,
        at_start: Real,
        worth: impl Fn(Real) -> Real,
    ) -> bool {
        let gap = |part: Real| self.gap_at(skeleton, wishes, part, stretched);
        let at_end = gap(1.0);
        let help = at_start - at_end;
        if help > 0.0 {
            // The least part that is enough; more than all of it where not even that is.
            let enough = match at_end > 0.0 {
                true => at_start / help,
                false if stretched => surely_enough(at_start, at_end, gap),
                false => just_enough(at_start, at_end, gap),
            };
            let worth = worth(help);
            for wish in wishes.iter_mut().flatten() {
                wish.weight = raised(wish.weight, (enough * worth).min(1.0));
            }
            return at_end <= 0.0 && worth >= 1.0;
        }
        false
    }

    /// How much too short the arms are, in metres, with the weights raised by this part of what
    /// is left; negative if they are long enough. Limits, which hardly ever matter to a blend of
    /// postures that hold them, are looked at where it has to be exact.
    fn gap_at(&self, skeleton: &Skeleton, wishes: &[Option<Wish>; 2], part: Real, stretched: bool) -> Real {
        let mix = Mix::new(wishes, |weight| raised(weight, part));
        let mut worst = Real::NEG_INFINITY;
        for (arm, wish) in self.arms.iter().zip(wishes) {
            let (Some(arm), Some(wish)) = (arm, wish) else { continue };
            let shoulder = self.shoulder_at(skeleton, arm, &mix, stretched);
            let distance = shoulder.distance(wish.target.position);
            // A hair less than stretched, so that rounding does not say otherwise.
            let most = 1.0 - 1.0e-5;
            let stretch = if stretched { most } else { wish.values.stretch.min(most) };
            worst = worst.max(distance - arm.limb().reach().1 * stretch);
        }
        worst
    }

    /// Where these weights put a shoulder: the point is handed from joint to joint up the trunk,
    /// which takes half of what forward kinematics does for rotations that nobody asks for.
    fn shoulder_at(&self, skeleton: &Skeleton, arm: &Arm, mix: &Mix, within_limits: bool) -> Vec3 {
        let shoulder = arm.frame.shoulder;
        let mut point = skeleton.joint(shoulder).rest().transform_point(self.initial.translation(shoulder));
        for &(joint, place) in arm.trunk.iter().rev() {
            let (q, t) = match place.map(|place| &self.posed[place]) {
                Some(posed) if within_limits => posed.held(skeleton.joint(joint), mix),
                Some(posed) => posed.blended(mix),
                None => (self.initial.rotation(joint), self.initial.translation(joint)),
            };
            let rest = skeleton.rests[joint.index()];
            // Nearly no joint is shifted; the branch is cheaper than the turn.
            let offset = if t == Vec3::ZERO { rest.translation } else { rest.transform_point(t) };
            point = (rest.rotation * q) * point + offset;
        }
        point
    }
}

/// A weight after this part of what it leaves is added.
fn raised(weight: Real, part: Real) -> Real {
    weight + (1.0 - weight) * part
}

/// Where the gap, positive at 0 and not at 1, vanishes on the parabola through both ends and one
/// place between. The gap is nearly one, and the answer changes smoothly from frame to frame.
fn just_enough(start: Real, end: Real, gap: impl Fn(Real) -> Real) -> Real {
    let part = (start / (start - end)).clamp(0.02, 0.98);
    let now = gap(part);
    let before = (now - start) / part;
    let bow = (end - now) / (1.0 - part) - before;
    let slope = before - bow * part;
    // Of two places the first; between the ends there is just one.
    let root = (slope * slope - 4.0 * bow * start).max(0.0).sqrt();
    (2.0 * start / (root - slope).max(TINY)).clamp(0.0, 1.0)
}

/// Where the gap, positive at 0 and not at 1, is surely not positive any more: by false position,
/// kept from creeping by halving the value that stands still (the Illinois rule).
fn surely_enough(start: Real, end: Real, gap: impl Fn(Real) -> Real) -> Real {
    let (mut low, mut high) = (0.0, 1.0);
    let (mut gap_low, mut gap_high) = (start, end);
    for _ in 0..8 {
        let part = low + (high - low) * (gap_low / (gap_low - gap_high)).clamp(0.02, 0.98);
        let now = gap(part);
        if now > 0.0 {
            (low, gap_low) = (part, now);
            gap_high *= 0.5;
        } else {
            (high, gap_high) = (part, now);
            gap_low *= 0.5;
            // Within two tenths of a millimetre of enough is enough.
            if now > -2.0e-4 {
                break;
            }
        }
    }
    high
}
