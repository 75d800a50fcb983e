//! One limb from start to end: CalculateERIK (Alg. 3) and what it decides.

use super::body::Limb;
use super::descent::{Descent, roll_end};
use super::measure::{Wish, measure_limb};
use super::{Erik, phases};
use crate::math::*;

impl Erik {
    /// Solves one limb, from the posture, with the joints below it as they are, in at most so many
    /// iterations. The best solution found is left in place; returns the iterations.
    pub(super) fn solve_limb(&mut self, i: usize, limb: &Limb, most: u32) -> u32 {
        if limb.start == limb.end {
            // The end point hangs on joints that others have already settled.
            return 0;
        }
        let o = self.options;
        let inset = self.inset();
        // A working copy: tricks may move it aside, the error is always
        // measured against what was asked for.
        let mut wish = self.wishes[i];
        self.least = Real::INFINITY;
        self.convergence.clear();
        let mut end = self.warp(limb, &wish);
        let mut moved_aside = false;
        for iteration in 1..=most {
            let bends = if o.warped_guide { None } else { Some(&self.posture[..]) };
            phases::forward(&self.body, limb, bends, end, inset, &mut self.phases, &self.solution);
            phases::backward(&self.body, limb, &wish, inset, &self.phases, &mut self.solution);
            if self.keep_best(i) <= o.threshold {
                return iteration;
            }
            self.point(limb, &wish);
            let error = self.keep_best(i);
            if error <= o.threshold {
                return iteration;
            }
            if !o.warped_guide {
                self.phases.follow(&self.body, limb, &self.solution);
            }
            let now = self.solution.end(&self.body, limb);
            end = wish.nearest(now);
            if !self.convergence.stuck(error, o.precision) {
                continue;
            }
            if o.offset_trick && !moved_aside {
                moved_aside = true;
                self.convergence.clear();
                wish = wish.turned(self.aside(limb), now);
                continue;
            }
            if o.ccd_trick {
                self.ccd(i, limb, &wish);
            }
            self.solution.copy_from(&self.best);
            return iteration;
        }
        self.solution.copy_from(&self.best);
        most
    }

    /// Points an end point where it should look, within limits.
    pub(super) fn point(&mut self, limb: &Limb, wish: &Wish) {
        let descent = self.descent(true);
        descent.backward(&self.body, limb, wish, &mut self.seen, &mut self.solution);
        roll_end(&self.body, limb, wish, descent.inset, &mut self.solution);
    }

    fn descent(&self, limits: bool) -> Descent {
        let o = &self.options;
        Descent {
            sweeps: o.descent_sweeps,
            precision: o.descent_precision,
            limits,
            inset: if limits { self.inset() } else { 0.0 },
        }
    }

    /// The combined error of the solution; keeps the best (Alg. 7).
    fn keep_best(&mut self, i: usize) -> Real {
        let limb = &self.body.limbs[i];
        let (wish, options) = (&self.wishes[i], &self.options);
        let errors = measure_limb(&self.body, limb, &self.posture, wish, options, &self.solution);
        if errors.combined <= self.least {
            self.least = errors.combined;
            self.best.copy_from(&self.solution);
        }
        errors.combined
    }

    /// Warps the posture without limits as the first guide, and sets the
    /// solution to the posture. Returns the end point's wanted orientation.
    fn warp(&mut self, limb: &Limb, wish: &Wish) -> Quat {
        for &k in self.body.path(limb) {
            self.solution.set(&self.body, k, self.posture[k].value);
            self.solution.update_node(&self.body, k);
        }
        let free = self.descent(false);
        free.backward(&self.body, limb, wish, &mut self.seen, &mut self.solution);
        self.phases.follow(&self.body, limb, &self.solution);
        let warped = self.solution.end(&self.body, limb);
        self.set_posture(limb, false);
        wish.nearest(warped)
    }

    /// A small turn for the target, by turns of the first two joints away from
    /// their nearer edges (NonConvOffsetTrick).
    fn aside(&mut self, limb: &Limb) -> Quat {
        let mut aside = Quat::IDENTITY;
        for &k in self.body.path(limb).iter().take(2) {
            let axis = self.solution.basis(&self.body, k) * self.body.links[k].axis;
            let (min, max) = self.body.node(k).range().unwrap_or((-PI, PI));
            let value = self.solution.value(k);
            let nearer_max = (value - min).abs() > (value - max).abs();
            let by = self.options.disturbance * self.random.between(0.5, 1.0);
            aside = rotation::about(axis, if nearer_max { by } else { -by }) * aside;
        }
        aside
    }

    /// CCD from the solution as it is, then from the zero pose (NonConvCCDTrick).
    fn ccd(&mut self, i: usize, limb: &Limb, wish: &Wish) {
        let descent = self.descent(true);
        let settled = self.options.precision * self.options.precision;
        for from_zero in [false, true] {
            if from_zero {
                for &k in self.body.path(limb).iter().filter(|&&k| self.body.links[k].turns) {
                    self.solution.set(&self.body, k, self.body.node(k).nearest_value(0.0));
                }
                self.solution.update_limb(&self.body, limb);
            }
            descent.forward(&self.body, limb, wish, settled, &mut self.solution);
            roll_end(&self.body, limb, wish, descent.inset, &mut self.solution);
            if self.keep_best(i) <= self.options.threshold {
                return;
            }
        }
    }
}
