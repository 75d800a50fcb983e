//! Feet that stay where they are and go after the body by steps.
//!
//! A planted foot does not move. It steps when its home (where the body would have it a moment from now) is too far
//! away, turned too far, or when the feet would cross; one foot at a time, the one that needs it more.
//! A step lands where the home will be, a little ahead of a body that goes on, and never across
//! the other foot. When the body has come to rest, feet that were left behind by a walk are put right once, and so is
//! one that cannot be flat where it stands; a body that only sways does not step.

use super::{FootPlace, flat, turned};
use crate::body::six_point::guard::Bounds;
use crate::math::*;

/// How far a foot may be from its home, in heights of the pelvis and in radians, before it steps.
const AWAY: Real = 0.16;
const TURNED: Real = 0.5;
/// How many seconds ahead the need for a step is seen.
const FORESIGHT: Real = 0.1;
/// Seconds of an unhurried step of a body whose pelvis is 0.9 m high, and of one in a hurry, as a part of it.
/// Smaller bodies are quicker; larger ones are moved by people of that size.
const STEP_TIME: Real = 0.32;
const HURRIED: Real = 0.62;
/// And of one that puts a foot right once the body rests.
const TIDY: Real = 0.85;
/// How many steps ahead of the body a foot lands.
const LEAD: Real = 0.5;
/// What the swing of the arms says of which foot is next, as a part of what makes it step.
const IN_TIME: Real = 4.0;
/// In time with it, how much of the time of a step a foot is in the air, how many steps ahead of the body it lands, and how
/// many it is left behind at most.
const IN_AIR: Real = 0.8;
const AHEAD: Real = 0.5;
const BEHIND: Real = 0.75;
/// How much longer a leg takes to kneel down, or to go on on its knee, than to step: who does has been still, and is in no hurry.
const DOWN: Real = 5.0;
/// From this need on a foot steps whatever the arms do, unless a walk in time with them leaves it further behind.
const OVERDUE: Real = 2.3;
/// How fast a foot goes on average in a step, in heights of the pelvis a second, unless the body is fast itself.
const FASTEST: Real = 3.0;
/// And so many times as fast as a fast body.
const HURRY: Real = 2.0;
/// How much further than [`TURNED`] a foot may be turned against its home in a walk.
const ROUND_A_BEND: Real = 1.5;
/// And how much further, as a part of it, of a body that rests: who has turned a little stands so.
const ROUND_AT_REST: Real = 1.2;
/// A foot that is not further off than this, as a part of what makes it step, is at home.
const AT_HOME: Real = 0.2;
/// Seconds of rest before feet are put right.
const REST: Real = 0.08;
/// A body that stays so long beside feet that are off by this part of what makes them step puts them
/// right, too: how they stand does not hang on whether it once came near to a step.
const STAYED: Real = 0.3;
const BESIDE: Real = 0.5;
/// How much higher than at home an ankle must be where it stands, in heights of the pelvis, before its foot is put right.
const RAISED: Real = 0.006;
/// Slower than this, in heights of the pelvis and in radians a second, the body rests.
const RESTING: (Real, Real) = (0.25, 1.0);
/// How much of the width of its stance must be left between the feet.
const WIDTH: Real = 0.7;
/// How fast the place where a step will land may change, besides the body's own motion: in heights of
/// the pelvis and in radians a second.
const PURSUIT: Real = 1.1;
/// How high a foot is lifted: as a part of the step's length, and at least and at most in heights of the pelvis.
const LIFT: Real = 0.17;
const LIFTS: (Real, Real) = (0.008, 0.06);
/// The pitch of a foot whose knee is on the floor.
pub(super) const KNEELING: Real = 1.1;

/// Where a foot belongs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Home {
    /// Its ankle, were it flat.
    pub at: Vec3,
    pub left: Vec3,
    pub pitch: Real,
}

/// When a foot belongs somewhere.
#[derive(Debug, Clone, Copy)]
pub(super) enum When {
    /// In so many seconds, if the body goes on like this.
    In(Real),
    /// Once the body has turned to where its hands and its head have it.
    AtRest,
}

impl Home {
    /// How far to the left another home is turned, the shorter way.
    fn turn_to(&self, other: &Self, up: Vec3) -> Real {
        up.dot(self.left.cross(other.left)).atan2(self.left.dot(other.left))
    }

    /// Nearer to another home, by so much at most, and how far that turned it.
    fn towards(&self, other: &Self, most: Real, most_turn: Real, up: Vec3) -> (Self, Real) {
        let turn = self.turn_to(other, up).clamp(-most_turn, most_turn);
        let nearer = Self {
            at: self.at + (other.at - self.at).clamp_length_max(most),
            left: turned(self.left, turn, up),
            pitch: self.pitch + (other.pitch - self.pitch).clamp(-most_turn, most_turn),
        };
        (nearer, turn)
    }
}

/// What the feet go by.
#[derive(Debug, Clone, Copy)]
pub(super) struct Gait {
    /// How fast the support goes and the heading turns.
    pub pace: Vec3,
    pub turning: Real,
    /// Which foot the arms' swing has in the air, from -1, the right, to 1, the left, and how much the arms swing.
    pub arms: Real,
    pub rhythm: Real,
    /// The seconds from one foot's landing to the other's.
    pub time: Real,
    /// How far the feet are to be apart.
    pub width: Real,
}

/// A foot that stands or is on its way.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    /// Where it stands; where it will land if it is on its way.
    to: Home,
    from: Home,
    /// How far it turns to the left on the way. Where it will land may go on turning meanwhile, past where the other way round
    /// would be the shorter one.
    turn: Real,
    /// How much of the way is done; one if it stands.
    phase: Real,
    /// Whether it may stay where it is when the body comes to rest.
    settled: bool,
    /// For how long the body has rested.
    rested: Real,
}

impl Step {
    pub(super) const NEW: Self = {
        let home = Home { at: Vec3::ZERO, left: Vec3::X, pitch: 0.0 };
        Self { to: home, from: home, turn: 0.0, phase: 1.0, settled: true, rested: 0.0 }
    };

    /// A foot that stands.
    pub(super) fn at(home: Home) -> Self {
        Self { to: home, from: home, ..Self::NEW }
    }

    pub(super) fn shift(&mut self, by: Vec3) {
        self.to.at += by;
        self.from.at += by;
    }

    fn stands(&self) -> bool {
        self.phase >= 1.0
    }

    /// The foot as far as its step has come.
    pub(super) fn place(&self, bounds: &Bounds) -> FootPlace {
        let Home { at, left, pitch } = self.to;
        if self.stands() {
            return FootPlace { at, left, pitch, rise: 1.0 };
        }
        let (from, phase, size) = (&self.from, self.phase, bounds.standing);
        let way = at - from.at;
        let length = way.length() + 0.3 * bounds.ball_length() * from.left.distance(left);
        // A foot that is hardly lifted is lifted first.
        let wait = 0.02 + 0.16 * (1.0 - 3.0 * length / size.max(TINY)).max(0.0);
        let along = glide((phase - wait) / (1.0 - 2.0 * wait));
        let lift = (LIFT * length).max(LIFTS.0 * size).min(LIFTS.1 * size);
        // The heel leaves the floor first and comes down first.
        let swing = (0.6 * length / size.max(TINY)).min(0.35);
        let roll = if phase < 0.6 { 0.8 * bump(phase / 0.6) } else { -0.35 * bump((phase - 0.6) / 0.4) };
        FootPlace {
            at: from.at + way * along + bounds.up * (lift * bump(phase)),
            left: turned(from.left, self.turn * along, bounds.up),
            pitch: from.pitch * (1.0 - ease(phase / 0.5)) + pitch * along + swing * roll,
            rise: 1.0 - ease(phase / 0.3) + ease((phase - 0.7) / 0.3),
        }
    }

    /// How far it is from a home, where one makes it step.
    fn away(&self, home: &Home, turned: Real, bounds: &Bounds) -> Real {
        let way = flat(home.at - self.to.at, bounds.up).length() / (AWAY * bounds.standing).max(TINY);
        let turn = rotation::angle_between(self.to.left, home.left) / turned;
        let rise = flat(home.at - self.to.at, bounds.up) - (home.at - self.to.at);
        let other = if (home.pitch - self.to.pitch).abs() > 0.1 { 2.0 } else { 0.0 };
        (way * way + turn * turn).sqrt().max(other).max(rise.length() / (0.05 * bounds.standing).max(TINY))
    }
}

/// Feet a tick later. `homes` says where they belong, `raised` by how much an ankle must be
/// raised for its leg to reach it.
pub(super) fn walk(
    feet: &mut [Step; 2],
    homes: impl Fn(When) -> [Home; 2],
    raised: impl Fn(usize, Vec3) -> Real,
    gait: &Gait,
    bounds: &Bounds,
    dt: Real,
) {
    let &Gait { pace, turning, arms, rhythm, width, .. } = gait;
    let size = bounds.standing;
    let need_of = |way: Real| way / (AWAY * size).max(TINY);
    let left_behind = need_of(pace.length() * (BEHIND * gait.time + FORESIGHT));
    let overdue = OVERDUE + rhythm * (left_behind - OVERDUE).max(0.0);
    let time = STEP_TIME * (size / 0.9).clamp(0.05, 1.0).sqrt();
    let rests = pace.length() < RESTING.0 * size && turning.abs() < RESTING.1;
    let sign = [1.0, -1.0];
    // Who walks round a bend turns the feet with every step, and not between two.
    let turned = TURNED * (1.0 + ROUND_A_BEND * rhythm);
    let along = direction_or(pace, Vec3::ZERO);
    let way = |home: &Home, foot: &Home| (home.at - foot.at).dot(along);
    let (mut needs, mut late) = ([0.0; 2], [0.0; 2]);
    let soon = homes(When::In(FORESIGHT));
    for side in 0..2 {
        let foot = &mut feet[side];
        foot.rested = if rests { foot.rested + dt } else { 0.0 };
        let mut soon = soon[side];
        // A foot that has stepped out waits for the body to come over it.
        let behind = way(&soon, &foot.to);
        soon.at += along * (-behind).clamp(0.0, rhythm * pace.length() * gait.time);
        needs[side] = foot.away(&soon, turned, bounds);
        late[side] = needs[side];
        // Of both the one on the side that the body goes or turns to steps first.
        let ways = (pace.dot(soon.left) / size.max(TINY) + turning) * sign[side];
        let swings = IN_TIME * arms * sign[side];
        // The swing takes along no foot that is ahead of the body already.
        let swings = swings.min(IN_TIME * need_of(behind).clamp(0.0, 1.0));
        // A foot that is too far behind waits for no hand.
        let swings = if needs[side] > overdue { swings.max(0.0) } else { swings };
        needs[side] += 0.05 * ways.clamp(-1.0, 1.0) + swings;
    }
    let across = (feet[0].to.at - feet[1].to.at).dot(soon[1].left);
    // Who walks has the feet nearly in line, and uncrosses them with the next step.
    if across < (0.4 - 0.7 * rhythm) * width {
        let further = usize::from(needs[1] > needs[0]);
        needs[further] = needs[further].max(1.2);
    }
    let order = if needs[1] > needs[0] { [1, 0] } else { [0, 1] };
    let mut walks = false;
    // Only of a body that rests it matters where they belong, once it has turned as far as it is about to.
    let stays = |foot: &Step| foot.rested > REST;
    let at_rest = if feet.iter().any(stays) { homes(When::AtRest) } else { soon };
    for side in order {
        let (other_stands, need) = (feet[1 - side].stands(), needs[side]);
        let other = feet[1 - side].to;
        let foot = &mut feet[side];
        let mut begins = false;
        if foot.stands() {
            let (mut now, mut untidy) = (0.0, false);
            if stays(foot) {
                let home = at_rest[side];
                now = foot.away(&home, turned * ROUND_AT_REST, bounds);
                let tilted = || raised(side, foot.to.at) > raised(side, home.at) + RAISED * size;
                untidy = !foot.settled || (now > AT_HOME && tilted());
                untidy |= foot.rested > STAYED && now > BESIDE;
            }
            let moves = need > 1.0;
            walks |= moves;
            if untidy && now <= AT_HOME {
                foot.settled = true;
            } else if (moves || (untidy && now > AT_HOME)) && (other_stands || late[side] > overdue + 0.7) {
                foot.from = foot.to;
                foot.phase = 0.0;
                begins = true;
                foot.settled = true;
            }
        }
        if !foot.stands() {
            // Who has come to rest stands soon.
            let slow = if foot.rested > 0.0 { TIDY } else { 1.0 };
            let hurry = (1.0 - 0.25 * (late[side] - 1.0)).clamp(HURRIED, slow);
            let kneels = foot.to.pitch > 0.1;
            let free = time * if kneels { DOWN } else { hurry };
            // A hand that turns round early has the foot on the floor sooner.
            let in_time = IN_AIR * gait.time / (1.0 + (-arms * sign[side]).max(0.0));
            let time = free + (in_time - free) * rhythm;
            let fastest = (FASTEST * size).max(HURRY * pace.length());
            let time = time.max((foot.to.at - foot.from.at).length() / fastest.max(TINY));
            foot.phase = (foot.phase + dt / time).min(1.0);
            let left = (1.0 - foot.phase) * time;
            let lead = LEAD * time + (AHEAD * gait.time - LEAD * time) * rhythm;
            let lead = if rests { 0.0 } else { lead };
            let mut to = homes(When::In(left + lead))[side];
            // Not across the other foot.
            let apart = (to.at - other.at).dot(to.left) * sign[side];
            to.at += to.left * (sign[side] * (WIDTH * width - apart).max(0.0));
            // A change of mind is followed only so fast, and no more just before the foot lands.
            let free = 2.0 * (1.0 - foot.phase) * dt;
            let (most, most_turn) =
                ((PURSUIT * size + 0.3 * pace.length()) * free, (PURSUIT + turning.abs()) * free);
            if begins {
                (foot.turn, foot.to) = (foot.from.turn_to(&to, bounds.up), to);
            } else {
                let (nearer, turn) = foot.to.towards(&to, most, most_turn, bounds.up);
                (foot.turn, foot.to) = (foot.turn + turn, nearer);
            }
        }
    }
    if walks {
        for foot in feet {
            foot.settled = false;
        }
    }
}

/// From 0 to 1 at an even speed, which is taken up and given up within this part of the way: no foot is
/// faster than it must be.
fn glide(part: Real) -> Real {
    const START: Real = 0.22;
    let part = part.clamp(0.0, 1.0);
    let early = |t: Real| 0.5 * t * t / (START * (1.0 - START));
    if part < START {
        early(part)
    } else if part > 1.0 - START {
        1.0 - early(1.0 - part)
    } else {
        (part - 0.5 * START) / (1.0 - START)
    }
}

/// From 0 to 1 and back to 0, starting and ending slowly.
fn bump(part: Real) -> Real {
    0.5 - 0.5 * (TAU * part).cos()
}

/// From 0 to 1 without a jerk at either end.
fn ease(part: Real) -> Real {
    let part = part.clamp(0.0, 1.0);
    part * part * (3.0 - 2.0 * part)
}
