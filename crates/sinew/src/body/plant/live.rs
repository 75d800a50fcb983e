//! Frame by frame: an animation whose future nobody knows.
//!
//! A foot locks where it is shown in the frame in which the animation's heel or toes come to rest, so that
//! nothing has to slide into place; only its height and its tilt go to the ground, over the time of a fade. While
//! it stands it turns about the point that came down first. When the animation lifts it, what the lock kept it
//! away from the animation by fades in the same way. In the air it is raised by the ground under it and a little
//! ahead of it, and tilted as that is.
//!
//! The hips go with the mean of what the feet are raised by, and under what every leg can reach, on the ground
//! and in the air; what they have not come down by yet a raised heel makes up for. A lock from which the
//! animation goes or turns too far away is given up.
//!
//! # Degenerate cases
//! Poses that are not finite are mended; times that are no times count as none; heights of the ground that are
//! no numbers are zero. With no influence poses keep their bits, and locks are kept up all the same, so that it
//! may come back at any time.

use super::FootPlanter;
use super::foot::{FootAt, PlantFoot};
use super::track::{LAST, STRETCH};
use crate::body::walk::Terrain;
use crate::body::walk::foot::{Plant, turn_to_reach};
use crate::body::walk::stride::ease;
use crate::body::walk::terrain::Finite;
use crate::math::*;
use crate::pose::Pose;
use crate::skeleton::Skeleton;

/// Over how many seconds hips, rises and tilts follow.
const HIPS: Real = 0.12;
const RISE: Real = 0.1;
/// How far ahead of a foot the ground is looked at, in seconds of its way.
const AHEAD: Real = 0.2;
/// A contact ends at this many times the speed at which it begins.
const HOLD: Real = 1.6;
/// How far the animation's foot may go, in leg lengths, and turn, in radians, from one that is locked.
const FAR: Real = 0.25;
const TURNED: Real = 0.8;
/// How far a heel is raised so that its leg gets to its toes, in radians, and how fast, in radians a second.
const MOST_RISE: Real = 0.7;
const RAISE: Real = 9.0;
/// How fast bent toes come down again, in radians a second.
const UNBEND: Real = 6.0;
/// Steps of time that are longer count as this, in seconds.
const LONGEST: Real = 0.1;

/// What came of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PlantFrame {
    /// How far the hips were moved up, in metres.
    pub hips: Real,
    /// How far the worst locked point is from its place, in metres: it still comes down, or its leg is too short.
    pub off: Real,
}

/// Which point of a foot stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pivot {
    Heel,
    Ball,
}

/// A foot that stands.
#[derive(Debug, Clone, Copy)]
struct Lock {
    pivot: Pivot,
    /// Where that point is.
    place: Vec3,
    /// The flat foot.
    turn: Quat,
    tilt: Quat,
    heading: Real,
}

/// What is remembered of a foot.
#[derive(Debug, Clone, Copy)]
pub(super) struct LiveFoot {
    /// Heel and ball of the animation in the last frame, and how fast they were.
    last: Option<[Vec3; 2]>,
    stands: [bool; 2],
    lock: Option<Lock>,
    /// Given up: not locked again before the animation lifts it.
    lost: bool,
    /// The animated foot, and what it is raised and tilted by in the air.
    rise: Spring,
    tilt: [Spring; 3],
    /// What is shown besides the goal, when it began to fade, and what was shown.
    off: Vec3,
    off_turn: Vec3,
    faded: Real,
    shown: Option<FootAt>,
    /// The animated foot in the last frame, and that foot raised and tilted.
    animated: Option<(FootAt, FootAt)>,
    /// How far its heel is raised for its leg's sake, and its toes are bent up.
    raised: Real,
    bend: Real,
}

impl LiveFoot {
    pub const NEW: Self = Self {
        last: None,
        stands: [false; 2],
        lock: None,
        lost: false,
        rise: Spring::REST,
        tilt: [Spring::REST; 3],
        off: Vec3::ZERO,
        off_turn: Vec3::ZERO,
        faded: Real::INFINITY,
        shown: None,
        animated: None,
        raised: 0.0,
        bend: 0.0,
    };
}

/// Follows a value without overshooting, at any length of step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spring {
    value: Real,
    speed: Real,
}

impl Spring {
    pub const REST: Self = Self { value: 0.0, speed: 0.0 };

    fn follow(&mut self, wanted: Real, time: Real, seconds: Real) {
        let stiff = 4.0 / time;
        let left = (-stiff * seconds).exp();
        let away = self.value - wanted;
        let pull = (self.speed + stiff * away) * seconds;
        self.speed = (self.speed - stiff * pull) * left;
        self.value = wanted + (away + pull) * left;
    }

    fn jump(&mut self, value: Real) {
        *self = Self { value, speed: 0.0 };
    }
}

impl FootPlanter {
    /// Plants the feet of the next frame of an animation, `seconds` after the last one. Poses are in the same
    /// space as the ground, and the animation is one over level ground at [`PlantOptions::level`](super::PlantOptions)
    /// or, where that is none, at zero or where [`measure`](Self::measure) found it.
    ///
    /// ```
    /// use sinew::body::plant::{FootPlanter, PlantOptions};
    /// use sinew::body::walk::Ground;
    /// let human = sinew::rigs::by_name("humanoid")?;
    /// let mut planter = FootPlanter::new(&human, PlantOptions::default())?;
    /// let mut pose = sinew::Pose::rest(&human);
    /// for _ in 0..60 {
    ///     pose = sinew::Pose::rest(&human); // here an animation would be sampled
    ///     planter.plant(&human, &Ground::Slope { grade: 0.1 }, 1.0 / 60.0, &mut pose);
    /// }
    /// assert!(planter.standing().all(|foot| foot == (true, true)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn plant(
        &mut self,
        skeleton: &Skeleton,
        terrain: &dyn Terrain,
        seconds: Real,
        pose: &mut Pose,
    ) -> PlantFrame {
        let mut frame = PlantFrame::default();
        let part = self.options.influence.clamp(0.0, 1.0);
        let fits = skeleton.fingerprint() == self.fingerprint && pose.len() == skeleton.len();
        // A pose that is to keep its bits is not mended either.
        if !fits || part.is_nan() || (part <= 0.0 && !pose.is_finite()) {
            return frame;
        }
        let terrain = &Finite(terrain);
        let seconds = if seconds.is_finite() { seconds.clamp(0.0, LONGEST) } else { 0.0 };
        if part > 0.0 {
            pose.mend();
        }
        self.model.update(skeleton, pose);
        let level = self.options.level.unwrap_or(self.level);
        let starts = self.live.iter().all(|live| live.last.is_none());
        for k in 0..self.feet.len() {
            self.goal(k, terrain, level, seconds);
        }
        self.move_hips(level, seconds, starts);
        let hips = self.hips.value;
        frame.hips = hips * part;
        if part > 0.0 {
            self.move_root(skeleton, hips * part, pose);
            self.model.update(skeleton, pose);
        }
        for k in 0..self.feet.len() {
            let lifted = Vec3::Y * if part > 0.0 { hips * part } else { 0.0 };
            let foot = &mut self.feet[k];
            let live = &mut self.live[k];
            let Some(mut goal) = live.shown else { continue };
            let recorded = foot.at(&self.model);
            let recorded = FootAt { place: recorded.place - lifted, ..recorded };
            let base = self.model.position(foot.leg.base()) - lifted + Vec3::Y * hips;
            let length = foot.leg.length(&self.model);
            let reach = reach(base.distance(recorded.place + Vec3::Y * hips), length);
            if let Some(lock) = live.lock.filter(|lock| lock.pivot == Pivot::Ball && foot.has_sole()) {
                // A heel rises before its toes would slide.
                let axis = goal.turn * foot.sole.left;
                let (at, most) = (goal.point(&foot.sole, foot.ball), (0.0, MOST_RISE));
                let rise = turn_to_reach(base - at, goal.place - at, axis, reach, most);
                live.raised = rise.min(live.raised + RAISE * seconds);
                let rise = live.raised;
                if rise > 0.0 {
                    let turn = rotation::about(axis, rise) * goal.turn;
                    goal = FootAt::pivoted(&foot.sole, turn, pivot_point(foot, lock.pivot), at);
                    // It comes down again in the air.
                    live.shown = Some(goal);
                }
            } else {
                live.raised = 0.0;
            }
            let to_base = base - goal.place;
            let away = to_base.length();
            let most = if live.lock.is_some() { reach.max(LAST * length) } else { reach };
            goal.place += to_base * ((away - most).max(0.0) / away.max(TINY));
            if let Some(lock) = live.lock {
                let at = goal.point(&foot.sole, pivot_point(foot, lock.pivot));
                frame.off = frame.off.max(at.distance(lock.place));
            }
            if part <= 0.0 {
                continue;
            }
            if part < 1.0 {
                goal = FootAt::between(recorded, goal, part);
            }
            foot.leg.solve(skeleton, &mut self.model, goal.place, foot.rotation(goal.turn), pose);
            let needed = foot.toes_under(skeleton, &self.model, terrain) * part;
            live.bend = needed.max(live.bend - UNBEND * seconds).max(0.0);
            foot.bend_toes(skeleton, &mut self.model, live.bend, pose);
        }
        frame
    }

    /// Which heels and toes are locked, foot by foot, in the last frame that [`plant`](Self::plant) made.
    pub fn standing(&self) -> impl ExactSizeIterator<Item = (bool, bool)> + '_ {
        self.live.iter().map(|live| match live.lock {
            None => (false, false),
            // What comes down about the other point stands when it is down.
            Some(lock) => {
                let down = live.faded >= self.options.fade;
                (
                    live.stands[0] && (down || lock.pivot == Pivot::Heel),
                    live.stands[1] && (down || lock.pivot == Pivot::Ball),
                )
            }
        })
    }

    /// Forgets the last frames: what comes next is somewhere else.
    pub fn reset(&mut self) {
        self.live.fill(LiveFoot::NEW);
        self.hips = Spring::REST;
    }

    /// Where a foot should be shown.
    fn goal(&mut self, k: usize, terrain: &dyn Terrain, level: Real, seconds: Real) {
        let foot = &self.feet[k];
        let live = &mut self.live[k];
        let options = &self.options;
        let at = foot.at(&self.model);
        let sole = &foot.sole;
        let points = [sole.heel, foot.ball].map(|p| at.point(sole, p));
        let was = live.stands;
        let first = live.last.is_none();
        let last = live.last.replace(points).unwrap_or(points);
        for i in 0..2 {
            let over = points[i].y - level - if i == 0 { 0.0 } else { foot.ball.y };
            let fast = options.speed * foot.length * if was[i] { HOLD } else { 1.0 };
            let moved = points[i].distance(last[i]);
            live.stands[i] = over < options.height * foot.length && moved <= fast * seconds;
        }
        if !foot.has_sole() {
            live.stands[0] = live.stands[1];
        }
        // In the air: raised by the ground under it and ahead of it, and tilted as it is.
        let way = (points[1] - last[1]) * if seconds > 0.0 { AHEAD / seconds } else { 0.0 };
        let way = Vec2::new(way.x, way.z).clamp_length_max(0.5 * foot.length);
        let here = [points[0], points[1]].map(|p| terrain.height(p.x, p.z));
        let there = [0.5, 1.0].map(|s| terrain.height(points[1].x + way.x * s, points[1].z + way.y * s));
        let near = 0.5 * (here[0] + here[1]);
        // What is lower ahead is gone down to when it is there.
        let wanted = there.into_iter().fold(near, Real::max) - level;
        let heading = foot.heading(at.turn);
        let heel = Vec2::new(points[0].x, points[0].z);
        let plant = plant_on(foot, terrain, heel, heading);
        let flat = sole.rotation(heading, plant.slope, plant.roll);
        let tilt = rotation::log(flat * rotation::about(Vec3::Y, -heading));
        for (spring, wanted) in live.tilt.iter_mut().zip(tilt.to_array()) {
            if first { spring.jump(wanted) } else { spring.follow(wanted, RISE, seconds) }
        }
        if first {
            live.rise.jump(wanted)
        } else {
            live.rise.follow(wanted, RISE, seconds)
        }
        let tilt = rotation::exp(Vec3::from_array(live.tilt.map(|s| s.value)));
        let mut free = FootAt { place: at.place + Vec3::Y * live.rise.value, turn: tilt * at.turn };
        // What fades is what was between shown and wanted in the last frame, so that speeds go on.
        let (at_before, free_before) = live.animated.replace((at, free)).unwrap_or((at, free));
        live.faded += seconds;
        let left = 1.0 - ease(live.faded / options.fade.max(1.0e-3));
        let stood = live.lock;
        // A lock ends with the contact of its point, or is given up.
        if let Some(lock) = live.lock {
            let still = live.stands[if lock.pivot == Pivot::Heel { 0 } else { 1 }];
            let own = free.point(sole, pivot_point(foot, lock.pivot));
            let across = Vec2::new(own.x - lock.place.x, own.z - lock.place.z).length();
            let turned = wrap_angle(heading - lock.heading).abs();
            if across > FAR * foot.length || (foot.has_sole() && turned > TURNED) {
                live.lost = true;
            }
            if !still || live.lost {
                live.lock = None;
            }
        }
        live.lost &= live.stands[0] || live.stands[1];
        let lands = live.lock.is_none() && !live.lost && (live.stands[0] || live.stands[1]);
        if stood.is_some() && live.lock.is_none() && !lands {
            // It leaves the ground: what it was kept away by fades.
            live.fade_from(free_before);
        } else if stood.is_none() {
            free.turn = rotation::exp(live.off_turn * left) * free.turn;
            free.place += live.off * left;
            if !lands {
                // Nothing of the sole is in the ground in the air.
                let under = free.under(sole, terrain);
                free.place.y += under;
                live.rise.value += under;
            }
        }
        if lands {
            let pivot = if live.stands[1] { Pivot::Ball } else { Pivot::Heel };
            let point = pivot_point(foot, pivot);
            // Where it is shown now: in the air, or on the point that it stood on before.
            let now = match stood {
                Some(_) => live.shown.unwrap_or(free),
                None => free,
            };
            let lock = lock_at(foot, terrain, now, pivot, heading);
            live.lock = Some(lock);
            if first {
                live.faded = Real::INFINITY;
            } else {
                let before = if stood.is_some() { at_before } else { at };
                let goal = live_goal(foot, &lock, live.stands, before);
                live.off = now.point(sole, point) - lock.place;
                live.off_turn = rotation::log(now.turn * goal.turn.conjugate());
                live.faded = 0.0;
            }
        } else if let (Some(_), Some(lock)) = (stood, &live.lock)
            && was != live.stands
        {
            // The same point stands, and the foot begins to turn about it, or has come down flat.
            let goal = live_goal(foot, lock, live.stands, at_before);
            if let Some(shown) = live.shown {
                live.off *= left;
                live.off_turn = rotation::log(shown.turn * goal.turn.conjugate());
                live.faded = 0.0;
            }
        }
        let left = 1.0 - ease(live.faded / options.fade.max(1.0e-3));
        live.shown = Some(match &live.lock {
            None if stood.is_some() => FootAt {
                place: free.place + live.off * left,
                turn: (rotation::exp(live.off_turn * left) * free.turn).normalize(),
            },
            None => FootAt { turn: free.turn.normalize(), ..free },
            Some(lock) => {
                let goal = live_goal(foot, lock, live.stands, at);
                let turn = (rotation::exp(live.off_turn * left) * goal.turn).normalize();
                let place = lock.place + live.off * left;
                FootAt::pivoted(sole, turn, pivot_point(foot, lock.pivot), place)
            }
        });
    }

    /// The hips after their feet, and under what the locked legs can reach.
    fn move_hips(&mut self, level: Real, seconds: Real, starts: bool) {
        let share = 1.0 / self.feet.len().max(1) as Real;
        let mut wanted = 0.0;
        for (foot, live) in self.feet.iter().zip(&self.live) {
            let rise = match &live.lock {
                Some(lock) => lock.place.y - pivot_point(foot, lock.pivot).y - level,
                None => live.rise.value,
            };
            wanted += rise * share;
        }
        let mut allowed = wanted;
        for (foot, live) in self.feet.iter().zip(&self.live) {
            // Also in the air, where it begins to sink before the foot lands.
            let Some(shown) = live.shown else { continue };
            let base = self.model.position(foot.leg.base());
            let length = foot.leg.length(&self.model);
            let reach = reach(base.distance(foot.at(&self.model).place), length);
            let across = Vec2::new(base.x - shown.place.x, base.z - shown.place.z).length();
            let highest = shown.place.y + (reach * reach - across * across).max(0.0).sqrt() - base.y;
            allowed = allowed.min(highest);
        }
        let allowed = allowed.max(wanted - self.options.lower * self.leg_length());
        if starts {
            self.hips.jump(allowed);
        } else {
            self.hips.follow(allowed, HIPS, seconds);
        }
    }
}

impl LiveFoot {
    /// Fades from what was shown to a goal.
    fn fade_from(&mut self, goal: FootAt) {
        let Some(shown) = self.shown else { return };
        self.off = shown.place - goal.place;
        self.off_turn = rotation::log(shown.turn * goal.turn.conjugate());
        self.faded = 0.0;
    }
}

/// How far a leg of this length goes: as far as the animation has it, and else not quite straight.
fn reach(animated: Real, length: Real) -> Real {
    animated.max(STRETCH.1 * length).min(LAST * length)
}

fn pivot_point(foot: &PlantFoot, pivot: Pivot) -> Vec3 {
    match pivot {
        Pivot::Heel => foot.sole.heel,
        Pivot::Ball => foot.ball,
    }
}

/// A flat foot on the ground with its heel here; on the highest ground under it where that is rough.
fn plant_on(foot: &PlantFoot, terrain: &dyn Terrain, heel: Vec2, heading: Real) -> Plant {
    let plant = Plant::on(terrain, &foot.sole, heel, heading);
    if plant.is_good(terrain, &foot.sole) { plant } else { plant.on_top(terrain, &foot.sole) }
}

/// A lock of a foot as it is shown, with one of its points where it is, on the ground.
fn lock_at(foot: &PlantFoot, terrain: &dyn Terrain, now: FootAt, pivot: Pivot, heading: Real) -> Lock {
    let sole = &foot.sole;
    let point = pivot_point(foot, pivot);
    let at = now.point(sole, point);
    let own = if foot.has_sole() { foot.heading(now.turn) } else { heading };
    let level = rotation::about(Vec3::Y, own);
    let heel = at + level * (sole.heel - point);
    let plant = plant_on(foot, terrain, Vec2::new(heel.x, heel.z), own);
    let turn = sole.rotation(own, plant.slope, plant.roll);
    let flat = plant.toe + turn * (point - sole.toe);
    let tilt = turn * rotation::about(Vec3::Y, -own);
    Lock { pivot, place: Vec3::new(at.x, flat.y, at.z), turn, tilt, heading }
}

/// The foot that a lock asks for: flat where heel and toes stand, else turned as animated over the tilt.
fn live_goal(foot: &PlantFoot, lock: &Lock, stands: [bool; 2], at: FootAt) -> FootAt {
    let turn = if stands == [true; 2] { lock.turn } else { lock.tilt * at.turn };
    FootAt::pivoted(&foot.sole, turn, pivot_point(foot, lock.pivot), lock.place)
}
