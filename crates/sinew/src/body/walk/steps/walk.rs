//! What steps are made for: the body, its course, what it is sent to do, and the ground.

use crate::body::walk::WalkOptions;
use crate::body::walk::blocked::Stop;
use crate::body::walk::course::{Course, Pace, Wish, turned};
use crate::body::walk::rig::WalkRig;
use crate::body::walk::terrain::Terrain;
use crate::math::*;

/// The part of a step in the air, of a walk and of a run. Both feet are down in what is left of
/// it; where it is more than all, nothing is for what is over.
pub(super) const AIR: (Real, Real) = (0.8, 1.5);
/// Seconds of a step, at the least and at the most.
const STEP_TIME: (Real, Real) = (0.34, 0.6);
/// A body that something else moves stands below this part of the fastest walk, and below so many
/// radians a second.
const STILL: Real = 0.02;
/// How many looks ahead a step takes.
const LOOKS: usize = 8;

/// What steps are made for.
pub(in crate::body::walk) struct Walk<'a> {
    pub rig: &'a WalkRig,
    pub options: &'a WalkOptions,
    pub pace: &'a Pace,
    pub course: &'a Course,
    pub wish: Wish,
    pub terrain: &'a dyn Terrain,
    /// Where the hips are.
    pub hips: Transform,
    /// What the body stops before.
    pub stop: Option<Stop>,
}

impl Walk<'_> {
    /// Seconds from one step to the next: steps get longer and quicker with speed.
    pub(super) fn step_time(&self) -> Real {
        let Self { rig, pace, .. } = self;
        let wanted = self.course.speed().max(0.6 * self.wish.velocity.length());
        let longest = self.options.stride * rig.leg_length * rig.stride;
        let natural = longest / (wanted * pace.speed.min(pace.walks)).sqrt().max(TINY);
        let scale = (rig.leg_length / 0.86).sqrt();
        natural.max(STEP_TIME.0 * scale).min(STEP_TIME.1 * scale)
    }

    /// The course after a time.
    pub(super) fn course_after(&self, seconds: Real) -> Course {
        let mut then = *self.course;
        for _ in 0..LOOKS {
            then.advance(&self.wish, self.pace, self.rig.ahead, seconds / LOOKS as Real);
        }
        if let Some(stop) = &self.stop {
            then.place = stop.kept(self.course.place, then.place);
        }
        then
    }

    pub(super) fn moves(&self) -> bool {
        match self.wish.forced {
            true => self.sent() || self.wish.turn.abs() > STILL,
            false => self.wish.moves() || self.course.moves(),
        }
    }

    /// Whether it is sent anywhere. What something else moves is never quite still.
    pub(super) fn sent(&self) -> bool {
        let least = if self.wish.forced { STILL * self.pace.walks } else { 0.0 };
        self.wish.velocity.length() > least
    }

    /// The part of a step that a foot is in the air, by what of a run there is in the speed.
    pub(super) fn air(&self) -> Real {
        AIR.0 + (AIR.1 - AIR.0) * if self.rig.is_biped() { self.pace.run(self.course.speed()) } else { 0.0 }
    }

    /// How fast the body goes ahead, as a part of the fastest walk.
    pub(super) fn forwards(&self) -> Real {
        self.pace.effort(self.course.velocity.x.max(0.0))
    }

    /// To the left of a body with this heading, on the plane.
    pub(super) fn left(&self, heading: Real) -> Vec2 {
        turned(Vec2::new(self.rig.left.x, self.rig.left.z), heading)
    }
}
