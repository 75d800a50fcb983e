//! A pose of the nodes of an [`Articulation`] and all that follows from it.

use alloc::vec::Vec;

use super::articulation::{Articulation, Motion};
use super::frame::SolveFrame;
use super::goal_rows::GoalRows;
use super::guards::Watch;
use crate::math::*;

/// Where the nodes are, and how far the goals are from being met there.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub motions: Vec<Motion>,
    pub frames: Vec<Transform>,
    pub rows: Vec<GoalRows>,
    /// Half the squared, weighted error of all goals, and what broken bounds cost.
    pub cost: Real,
    /// The goals' part of the cost.
    pub goal_cost: Real,
    /// What a metre of a broken bound costs.
    pub penalty: Real,
    /// The bounds on the whole body.
    pub watch: Watch,
    /// Whether every goal is met and every bound is kept.
    pub met: bool,
    /// Whether each goal is met.
    pub each_met: Vec<bool>,
}

impl Place {
    pub(crate) fn new(articulation: &Articulation) -> Self {
        let nodes = articulation.nodes.len();
        let goals = articulation.goals();
        Self {
            motions: alloc::vec![Motion::REST; nodes],
            frames: alloc::vec![Transform::IDENTITY; nodes],
            rows: alloc::vec![GoalRows::NONE; goals],
            cost: 0.0,
            goal_cost: 0.0,
            penalty: 0.0,
            watch: Watch::default(),
            met: false,
            each_met: alloc::vec![false; goals],
        }
    }

    /// Recomputes everything from the motions, for the goals as the frame has them: with
    /// targets drawn in. Goals that ask for nothing this frame count as met.
    pub(crate) fn update(&mut self, articulation: &Articulation, frame: &SolveFrame) {
        articulation.follow(&mut self.motions);
        articulation.forward(&self.motions, &mut self.frames);
        let mut squared = 0.0;
        self.met = true;
        for (i, (goal, rows)) in frame.goals().iter().zip(&mut self.rows).enumerate() {
            if !frame.usable(i) {
                *rows = GoalRows::NONE;
                self.each_met[i] = true;
                continue;
            }
            *rows = articulation.goal_rows(i, goal, &self.frames);
            squared += rows.squared();
            // A little nearer than asked, so that rounding cannot undo it.
            let near = frame.tolerance_of(i);
            self.each_met[i] =
                rows.missing[0] <= 0.99 * near.position && rows.missing[1] <= 0.99 * near.orientation;
            self.met &= self.each_met[i];
        }
        self.watch.measure(frame.guards(), articulation, &self.frames);
        self.met &= self.watch.least >= 0.0;
        self.goal_cost = 0.5 * squared;
        self.price();
    }

    /// By how much bounds on the whole body are really broken, zero if they are kept.
    pub(crate) fn broken(&self) -> Real {
        if self.watch.least < 0.0 { self.watch.broken } else { 0.0 }
    }

    /// Recomputes the cost after a change of the penalty.
    pub(crate) fn price(&mut self) {
        self.cost = self.goal_cost + self.penalty * self.watch.broken;
    }

    /// The point that twists are taken about: a part of the skeleton, so that
    /// one far from the origin loses no digits.
    #[inline]
    pub(crate) fn reference(&self) -> Vec3 {
        self.frames.first().map_or(Vec3::ZERO, |f| f.translation)
    }
}
