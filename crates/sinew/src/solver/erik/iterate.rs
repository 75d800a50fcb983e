//! One limb from start to end: CalculateERIK (Alg. 3) and what it decides.

use super::body::Limb;
use super::descent::{Descent, roll_end};
use super::measure::{Wish, measure_limb};
use super::options::FoundBy;
use super::{Erik, phases};
use crate::math::*;

impl Erik {
    /// Solves one limb, from the posture, with the joints below it as they are.
    /// The best solution found is left in place; returns the iterations.
    pub(super) fn solve_limb(&mut self, i: usize) -> u32 {
        let limb = self.body.limbs[i];
        if limb.start == limb.end {
            // The end point hangs on joints that others have already settled.
            self.best_by = FoundBy::Posture;
            return 0;
        }
        let o = self.options;
        let inset = if o.avoid_edges { o.disturbance } else { 0.0 };
        // A working copy: tricks may move it aside, the error is always
        // measured against what was asked for.
        let mut wish = self.wishes[i];
        self.best_errors.combined = Real::INFINITY;
        self.convergence.clear();
        let mut end = self.warp(&limb, &wish);
        let mut moved_aside = false;
        for iteration in 1..=o.iterations {
            phases::forward(&self.body, &limb, &self.bends, end, inset, &mut self.phases, &self.solution);
            phases::backward(&self.body, &limb, &wish, inset, &self.phases, &mut self.solution);
            if self.accept(i, FoundBy::Phases) {
                return iteration;
            }
            self.descent(true).backward(
                &self.body,
                &limb,
                wish.direction(),
                &mut self.descents,
                &mut self.solution,
            );
            roll_end(&self.body, &limb, &wish, inset, &mut self.solution);
            if self.accept(i, FoundBy::Descent) {
                return iteration;
            }
            let error =
                measure_limb(&self.body, &limb, &self.bends, &self.wishes[i], self.weights(), &self.solution);
            self.phases.follow(&self.body, &limb, &self.solution);
            end = wish.nearest(self.solution.end(&limb));
            if !self.convergence.stuck(error.combined, o.precision) {
                continue;
            }
            if o.offset_trick && !moved_aside {
                moved_aside = true;
                self.convergence.clear();
                wish.turn = self.aside(&limb, wish.turn);
                continue;
            }
            if o.ccd_trick {
                self.ccd(i, &limb, &wish);
            }
            self.solution.copy_from(&self.best);
            return iteration;
        }
        self.solution.copy_from(&self.best);
        o.iterations
    }

    /// Points an end point where it should look, within limits.
    pub(super) fn point(&mut self, i: usize) {
        let (limb, wish) = (self.body.limbs[i], self.wishes[i]);
        if wish.usable && limb.start < limb.end {
            let descent = self.descent(true);
            descent.backward(&self.body, &limb, wish.direction(), &mut self.descents, &mut self.solution);
            roll_end(&self.body, &limb, &wish, descent.inset, &mut self.solution);
        }
    }

    fn descent(&self, limits: bool) -> Descent {
        let o = &self.options;
        Descent {
            sweeps: o.descent_sweeps,
            precision: o.descent_precision,
            limits,
            inset: if limits && o.avoid_edges { o.disturbance } else { 0.0 },
        }
    }

    /// Whether the solution is good enough; keeps the best (Alg. 7).
    fn accept(&mut self, i: usize, by: FoundBy) -> bool {
        let limb = &self.body.limbs[i];
        let errors =
            measure_limb(&self.body, limb, &self.bends, &self.wishes[i], self.weights(), &self.solution);
        if errors.combined <= self.best_errors.combined {
            self.best_errors = errors;
            self.best_by = by;
            self.best.copy_from(&self.solution);
        }
        errors.combined <= self.options.threshold
    }

    /// Warps the posture without limits as the first guide, and sets the
    /// solution to the posture. Returns the end point's wanted turn.
    fn warp(&mut self, limb: &Limb, wish: &Wish) -> Quat {
        for k in limb.start..limb.end {
            self.solution.set(&self.body, k, self.posture.values[k]);
        }
        self.solution.update_from(&self.body, limb.start, limb.end);
        self.descent(false).backward(
            &self.body,
            limb,
            wish.direction(),
            &mut self.descents,
            &mut self.solution,
        );
        self.phases.follow(&self.body, limb, &self.solution);
        let warped = self.solution.end(limb);
        for k in limb.start..limb.end {
            self.solution.set(&self.body, k, self.body.links[k].safe(self.posture.values[k]));
        }
        self.solution.update_from(&self.body, limb.start, limb.end);
        wish.nearest(warped)
    }

    /// A target a little aside, by turns of the first two joints away from
    /// their nearer edges (NonConvOffsetTrick).
    fn aside(&mut self, limb: &Limb, turn: Quat) -> Quat {
        let mut aside = turn;
        for k in limb.start..limb.end.min(limb.start + 2) {
            let link = &self.body.links[k];
            let value = self.solution.values[k];
            let axis = self.solution.basis(&self.body, k) * link.axis;
            let nearer_max = (value - link.min).abs() > (value - link.max).abs();
            let by = self.options.disturbance * self.random.between(0.5, 1.0);
            aside = rotation::about(axis, if nearer_max { by } else { -by }) * aside;
        }
        aside.normalize()
    }

    /// CCD from the solution as it is, then from the zero pose (NonConvCCDTrick).
    fn ccd(&mut self, i: usize, limb: &Limb, wish: &Wish) {
        let descent = self.descent(true);
        let settled = self.options.precision * self.options.precision;
        for by in [FoundBy::CcdFromCurrent, FoundBy::CcdFromZero] {
            if by == FoundBy::CcdFromZero {
                for k in limb.start..limb.end {
                    if !self.body.links[k].slides {
                        self.solution.set(&self.body, k, self.body.links[k].safe(0.0));
                    }
                }
                self.solution.update_from(&self.body, limb.start, limb.end);
            }
            descent.forward(&self.body, limb, wish.direction(), settled, &mut self.solution);
            roll_end(&self.body, limb, wish, descent.inset, &mut self.solution);
            if self.accept(i, by) {
                return;
            }
        }
    }
}
