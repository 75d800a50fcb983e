//! The control layer: where the body goes.
//!
//! A stick, a velocity or a root that something else moves become a velocity and a turning
//! rate, which follow them at a limited rate; the body moves on arcs of circles
//! (eq. 1.16-1.18), each exact for its short time, so that a body that is steered the same way
//! goes the same way at any frame rate.

use crate::math::*;

/// What the player wants, as a stick.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WalkInput {
    /// From -1 (as fast as it walks backwards) over 0 (stand) to 1 (as fast as it walks).
    pub speed: Real,
    /// From -1 (to the right) to 1 (to the left).
    pub turn: Real,
}

/// How fast a body should go, as it sees it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WalkVelocity {
    /// Ahead, and backwards below zero, in metres a second. Past a fast walk it runs.
    pub ahead: Real,
    /// To its left, and to its right below zero, in metres a second.
    pub left: Real,
    /// To the left, in radians a second.
    pub turn: Real,
}

/// What moves a walker.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum WalkDrive {
    /// A stick: parts of the character's own speeds.
    Stick(WalkInput),
    /// A velocity. It is taken on as fast as the body can.
    Velocity(WalkVelocity),
    /// Something else that moves the body, such as a physics capsule or an animation's root. The
    /// body is there at the end of the frame, and its feet follow.
    Root {
        /// Where, on the ground: x and z.
        place: [Real; 2],
        /// Radians to the left from where it faces at rest.
        heading: Real,
    },
}

impl Default for WalkDrive {
    fn default() -> Self {
        Self::Stick(WalkInput::default())
    }
}

impl From<WalkInput> for WalkDrive {
    fn from(input: WalkInput) -> Self {
        Self::Stick(input)
    }
}

impl From<WalkVelocity> for WalkDrive {
    fn from(velocity: WalkVelocity) -> Self {
        Self::Velocity(velocity)
    }
}

/// How fast it may go and how soon.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pace {
    /// Metres and radians a second at full input.
    pub speed: Real,
    pub turn: Real,
    /// The fastest walk, past which it runs, and the fastest run, in metres a second.
    pub walks: Real,
    pub runs: Real,
    /// How fast both may change, a second.
    pub speed_change: Real,
    pub turn_change: Real,
}

/// How fast it goes backwards and sideways, against ahead.
const BACKWARDS: Real = 0.6;
const SIDEWAYS: Real = 0.5;

/// The furthest place that something else may move a body to, in metres, and the shortest time
/// over which it does, in seconds.
const FAR: Real = 1.0e7;
const SOON: Real = 1.0e-4;

/// What of a run there is in a speed: nothing up to the fastest walk, all of it a little above.
const RUNS_AT: Real = 0.15;

impl Pace {
    /// How much of a run this speed is, from 0 to 1.
    pub fn run(&self, speed: Real) -> Real {
        super::stride::ease((speed - self.walks) / (RUNS_AT * self.walks).max(TINY))
    }

    /// What of the fastest walk this speed is, from 0 to 1.
    pub fn effort(&self, speed: Real) -> Real {
        (speed / self.speed.min(self.walks).max(TINY)).clamp(0.0, 1.0)
    }
}

/// Where the body should go from here, as it sees it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Wish {
    /// Ahead and to the left, in metres a second.
    pub velocity: Vec2,
    /// To the left, in radians a second.
    pub turn: Real,
    /// Whether the body takes it at once: something else moves it.
    pub forced: bool,
}

impl Wish {
    /// What a drive asks of a body on its course, over so many seconds. What is no number is none.
    pub fn new(drive: WalkDrive, pace: &Pace, course: &Course, ahead: Vec2, seconds: Real) -> Self {
        let number = |x: Real| if x.is_finite() { x } else { 0.0 };
        match drive {
            WalkDrive::Stick(input) => {
                let speed = number(input.speed).clamp(-1.0, 1.0);
                let speed = if speed < 0.0 { speed * BACKWARDS } else { speed } * pace.speed;
                let turn = number(input.turn).clamp(-1.0, 1.0) * pace.turn;
                Self { velocity: Vec2::new(speed, 0.0), turn, forced: false }
            }
            WalkDrive::Velocity(wanted) => {
                let walks = pace.walks;
                let ahead = number(wanted.ahead).clamp(-BACKWARDS * walks, pace.runs);
                let left = number(wanted.left).clamp(-SIDEWAYS * walks, SIDEWAYS * walks);
                let turn = number(wanted.turn).clamp(-2.0 * pace.turn, 2.0 * pace.turn);
                Self { velocity: Vec2::new(ahead, left), turn, forced: false }
            }
            WalkDrive::Root { place, heading } => {
                let to = Vec2::from_array(place.map(|x| number(x).clamp(-FAR, FAR)));
                let (from, now) = (course.place, course.heading);
                if seconds <= SOON {
                    return Self { velocity: course.velocity, turn: course.turn, forced: true };
                }
                let turn = wrap_angle(number(heading) - now) / seconds;
                // The body goes on the arc whose chord this is.
                let way = (to - from) / (seconds * chord(0.5 * turn * seconds));
                let own = turned(way, -(now + 0.5 * turn * seconds));
                let left = Vec2::new(ahead.y, -ahead.x);
                Self { velocity: Vec2::new(own.dot(ahead), own.dot(left)), turn, forced: true }
            }
        }
    }

    /// Whether it asks for anything.
    pub fn moves(&self) -> bool {
        self.velocity != Vec2::ZERO || self.turn != 0.0
    }
}

/// Where the body is and where it is going.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Course {
    /// On the horizontal plane: x and z.
    pub place: Vec2,
    /// Radians about the vertical from the rest pose, to the left.
    pub heading: Real,
    /// Ahead and to the left, in metres a second.
    pub velocity: Vec2,
    pub turn: Real,
}

impl Course {
    /// Standing here, facing as at rest.
    pub fn at(place: Vec2) -> Self {
        Self { place, heading: 0.0, velocity: Vec2::ZERO, turn: 0.0 }
    }

    pub fn speed(&self) -> Real {
        self.velocity.length()
    }

    /// Whether it goes anywhere.
    pub fn moves(&self) -> bool {
        self.velocity != Vec2::ZERO || self.turn != 0.0
    }

    /// Goes on for a time. `ahead` is where the body faces at rest.
    pub fn advance(&mut self, wish: &Wish, pace: &Pace, ahead: Vec2, time: Real) {
        if wish.forced {
            (self.velocity, self.turn) = (wish.velocity, wish.turn);
        } else {
            let change = (wish.velocity - self.velocity).clamp_length_max(pace.speed_change * time);
            self.velocity += change;
            let most = pace.turn_change * time;
            self.turn += (wish.turn - self.turn).max(-most).min(most);
        }
        let angle = self.turn * time;
        // The chord of the arc points half way between the headings at its ends.
        let half = 0.5 * angle;
        let left = Vec2::new(ahead.y, -ahead.x);
        let way = ahead * self.velocity.x + left * self.velocity.y;
        self.place += turned(way, self.heading + half) * (time * chord(half));
        self.heading += angle;
    }

    /// Where the body goes, on the plane, if it does.
    pub fn direction(&self, velocity: Vec2, ahead: Vec2) -> Option<Vec2> {
        let left = Vec2::new(ahead.y, -ahead.x);
        let way = ahead * velocity.x + left * velocity.y;
        let length = way.length();
        (length > TINY).then(|| turned(way / length, self.heading))
    }
}

/// The chord of an arc, of its length, for half its angle.
fn chord(half: Real) -> Real {
    if half.abs() < 1.0e-3 { 1.0 - half * half / 6.0 } else { half.sin() / half }
}

/// A direction on the ground after a turn to the left: `y` here is z.
#[inline]
pub(in crate::body) fn turned(v: Vec2, heading: Real) -> Vec2 {
    let (s, c) = heading.sin_cos();
    Vec2::new(v.x * c + v.y * s, v.y * c - v.x * s)
}

#[cfg(test)]
#[path = "../../../tests/unit/body_walk_course.rs"]
mod tests;
