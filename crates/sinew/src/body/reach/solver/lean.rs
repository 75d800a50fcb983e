//! Leaning further where the arm alone is too short.

use super::{ReachSolver, Wish};
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
    pub(super) fn lean_further(&mut self, skeleton: &Skeleton, wishes: &mut [Option<Wish>; 2]) {
        // Without a posture there is nothing to lean on.
        let posed = self.posed.iter().any(|posed| (0..2).any(|i| posed.by[i] && wishes[i].is_some()));
        if !posed || wishes.iter().flatten().all(|wish| wish.weight >= 1.0) {
            return;
        }
        let comfortably = self.gap_at(skeleton, wishes, false);
        if comfortably <= 0.0 {
            return;
        }
        let enough = self.raise(skeleton, wishes, false, comfortably, |help| {
            (help / WORTHWHILE).min(1.0) * (5.0 * help / WORTHWHILE).min(1.0)
        });
        if enough {
            return;
        }
        let stretched = self.gap_at(skeleton, wishes, true);
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
        &mut self,
        skeleton: &Skeleton,
        wishes: &mut [Option<Wish>; 2],
        stretched: bool,
        at_start: Real,
        worth: impl Fn(Real) -> Real,
    ) -> bool {
        let raised = |part: Real| {
            let more = |wish: Wish| Wish { weight: wish.weight + (1.0 - wish.weight) * part, ..wish };
            wishes.map(|wish| wish.map(more))
        };
        let at_end = self.gap_at(skeleton, &raised(1.0), stretched);
        let help = at_start - at_end;
        if help > 0.0 {
            // The least part that is enough; more than all of it where not even that is.
            let enough = match at_end > 0.0 {
                true => at_start / help,
                false => self.least_part(at_start, at_end, stretched, |solver, part| {
                    solver.gap_at(skeleton, &raised(part), stretched)
                }),
            };
            let worth = worth(help);
            *wishes = raised((enough * worth).min(1.0));
            return at_end <= 0.0 && worth >= 1.0;
        }
        false
    }

    /// Where the gap, positive at 0 and not at 1, vanishes: by false position, kept
    /// from creeping by halving the value that stands still (the Illinois rule). If
    /// `strictly`, where it is surely not positive; else where the secant says, which is
    /// smoother from frame to frame and found in fewer rounds.
    fn least_part(
        &mut self,
        start: Real,
        end: Real,
        strictly: bool,
        mut gap: impl FnMut(&mut Self, Real) -> Real,
    ) -> Real {
        let (mut low, mut high) = (0.0, 1.0);
        let (mut gap_low, mut gap_high) = (start, end);
        // The values themselves, which the halving leaves alone.
        let (mut true_low, mut true_high) = (start, end);
        let secant = |low: Real, high: Real, at_low: Real, at_high: Real| {
            low + (high - low) * (at_low / (at_low - at_high)).clamp(0.02, 0.98)
        };
        for _ in 0..if strictly { 8 } else { 2 } {
            let part = secant(low, high, gap_low, gap_high);
            let now = gap(self, part);
            if now > 0.0 {
                (low, gap_low, true_low) = (part, now, now);
                gap_high *= 0.5;
            } else {
                (high, gap_high, true_high) = (part, now, now);
                gap_low *= 0.5;
                // Within two tenths of a millimetre of enough is enough.
                if strictly && now > -2.0e-4 {
                    break;
                }
            }
        }
        if strictly { high } else { secant(low, high, true_low, true_high) }
    }

    /// The gap with these weights: only the trunk is posed for it. Limits, which hardly ever
    /// matter to a blend of postures that hold them, are looked at where it has to be exact.
    fn gap_at(&mut self, skeleton: &Skeleton, wishes: &[Option<Wish>; 2], stretched: bool) -> Real {
        for side in 0..2 {
            let (Some(arm), Some(_)) = (&self.arms[side], &wishes[side]) else { continue };
            for i in 0..arm.trunk.len() {
                let Some(arm) = &self.arms[side] else { continue };
                let (joint, place) = arm.trunk[i];
                if let Some(place) = place {
                    let (q, t) = self.blended(skeleton, wishes, place, 1.0, stretched);
                    self.pose.rotations[joint.index()] = q;
                    self.pose.translations[joint.index()] = t;
                }
                self.model.update_joint(skeleton, &self.pose, joint);
            }
            let Some(arm) = &self.arms[side] else { continue };
            // Where the shoulder stands does not depend on how it turns.
            self.model.update_joint(skeleton, &self.pose, arm.frame.shoulder);
        }
        self.gap(wishes, stretched)
    }

    /// How much too short the arms are from where the shoulders stand, in metres;
    /// negative if they are long enough.
    fn gap(&self, wishes: &[Option<Wish>; 2], stretched: bool) -> Real {
        let mut worst = Real::NEG_INFINITY;
        for (arm, wish) in self.arms.iter().zip(wishes) {
            let (Some(arm), Some(wish)) = (arm, wish) else { continue };
            let distance = self.model.position(arm.frame.shoulder).distance(wish.target.position);
            // A hair less than stretched, so that rounding does not say otherwise.
            let most = 1.0 - 1.0e-5;
            let stretch = if stretched { most } else { wish.values.weight.stretch.min(most) };
            worst = worst.max(distance - arm.limb.reach().1 * stretch);
        }
        worst
    }
}
