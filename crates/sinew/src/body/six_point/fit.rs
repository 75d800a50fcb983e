//! The trunk fitted to what is seen of chest, knees and elbows, and to limbs that are too short.
//!
//! The trunk that pelvis and head gave is cut into parts that turn as a whole: pelvis, lower spine, chest
//! and neck. Of each part's turn against it, and of each distance that is missed, a normal
//! distribution is assumed (the deviations are below); the turns are the most likely ones. Minus
//! the logarithm of their density is a sum of squares, which Gauss and Newton make small in a few rounds.
//! What counts:
//! - head and chest lie where they are seen;
//! - a thigh ends in its knee and an upper arm in its elbow: hips and shoulders are as far away as
//!   these are long;
//! - wrists and ankles are no further from shoulders and hips than the limbs reach.
//!
//! Every turn has a deviation, so nothing that is missing, or in one line with something else, leaves the
//! fit undefined. Far from the least place a round can go too far: a round's step is bounded, and so is
//! the change from frame to frame, since a kick over the head has two likely pelves.

use super::points::{Point, Trackers};
use super::{SixPoint, unit, usable};
use crate::linalg::solve_positive_slice;
use crate::math::*;
use crate::skeleton::humanoid::Side;

/// Pelvis, lower spine, chest, neck.
pub(super) const PARTS: usize = 4;

/// Rounds of Gauss and Newton, and how far one turns a part at most, in radians.
const ROUNDS: usize = 3;
const STEP: Real = 0.3;
/// A round that turns no part by more than this, in radians, is the last: what is left is a small part of it.
const SETTLED: Real = 3.0e-3;
/// How fast a part turns against the trunk of pelvis and head, in radians a second.
const SPEED: Real = 12.0;

/// By how much a part turns against the trunk of pelvis and head, in radians.
const TURN: [Real; PARTS] = [0.4, 0.2, 0.2, 0.3];
/// The same where a tracker has told the part's orientation.
const KNOWN_TURN: Real = 1e-3;
/// By how much the head is off, in metres: the spine's length is not fitted.
const HEAD: Real = 0.01;
const CHEST: Real = 0.005;
/// By how much a hip is off its place on the pelvis, and a shoulder on the chest, whose girdle moves.
const HIP: Real = 0.002;
const SHOULDER: Real = 0.015;
/// The same where the whole leg or arm is too short; a clavicle helps the arm.
const LEG: Real = 0.02;
const ARM: Real = 0.03;

/// What is asked of a place on the trunk.
#[derive(Clone, Copy)]
enum Asked {
    /// To be there.
    There,
    /// To be this far away.
    Away(Real),
    /// To be no further away than this.
    Within(Real),
}

/// A place on the trunk, what is asked of it, and by how much that is usually missed.
#[derive(Clone, Copy)]
struct Aim {
    /// The way from the pelvis, by the part that carries it.
    ways: [Vec3; PARTS],
    goal: Vec3,
    asked: Asked,
    deviation: Real,
}

impl Aim {
    /// By how much it is missed, after turning the parts, as rows of the sum of squares.
    fn add_to(&self, squares: &mut Squares, turns: &[Vec3; PARTS], now: &[Quat; PARTS]) {
        let ways: [Vec3; PARTS] = core::array::from_fn(|part| now[part] * self.ways[part]);
        let off = ways[0] + ways[1] + ways[2] + ways[3] - self.goal;
        let mut row = |direction: Vec3, miss: Real| {
            squares.add(&ways.map(|way| way.cross(direction)), turns, miss, self.deviation);
        };
        match self.asked {
            Asked::There => {
                row(Vec3::X, off.x);
                row(Vec3::Y, off.y);
                row(Vec3::Z, off.z);
            }
            Asked::Within(length) if off.length_squared() <= length * length => {}
            Asked::Away(length) | Asked::Within(length) => {
                row(direction_or(off, Vec3::ZERO), off.length() - length);
            }
        }
    }
}

/// Head and chest have three rows each, every hip and shoulder one for its bone and one for its limb.
const ROWS: usize = 14;

/// The sum of squares. There are mostly fewer rows than unknowns, so the equations are those of the rows'
/// multipliers: with rows `J`, what they are to be `r`, and the variances `D` of turns and `R` of misses,
/// `(J·D·Jᵀ + R)·λ = r`, and the turns are `D·Jᵀ·λ`.
struct Squares {
    deviations: [Real; PARTS],
    /// The rows, times the deviations of the turns.
    rows: [[Vec3; PARTS]; ROWS],
    right: [Real; ROWS],
    variances: [Real; ROWS],
    count: usize,
}

impl Squares {
    fn new(deviations: &[Real; PARTS]) -> Self {
        Self {
            deviations: *deviations,
            rows: [[Vec3::ZERO; PARTS]; ROWS],
            right: [0.0; ROWS],
            variances: [0.0; ROWS],
            count: 0,
        }
    }

    /// Something that is off by `miss` at these turns, and how that changes with each.
    #[inline(always)]
    fn add(&mut self, change: &[Vec3; PARTS], turns: &[Vec3; PARTS], miss: Real, deviation: Real) {
        let i = self.count;
        if i >= ROWS {
            return;
        }
        let mut linear = 0.0;
        for part in 0..PARTS {
            linear += change[part].dot(turns[part]);
            self.rows[i][part] = change[part] * self.deviations[part];
        }
        self.right[i] = linear - miss;
        self.variances[i] = deviation * deviation;
        self.count += 1;
    }

    fn least(mut self) -> [Vec3; PARTS] {
        let n = self.count;
        let mut matrix = [0.0; ROWS * ROWS];
        for i in 0..n {
            let a = self.rows[i];
            for j in 0..=i {
                let b = &self.rows[j];
                matrix[i * n + j] = a[0].dot(b[0]) + a[1].dot(b[1]) + a[2].dot(b[2]) + a[3].dot(b[3]);
            }
            matrix[i * n + i] += self.variances[i];
        }
        solve_positive_slice(&mut matrix[..n * n], &mut self.right[..n]);
        let mut turns = [Vec3::ZERO; PARTS];
        for (row, &multiplier) in self.rows[..n].iter().zip(&self.right) {
            for part in 0..PARTS {
                turns[part] += row[part] * multiplier;
            }
        }
        core::array::from_fn(|part| turns[part] * self.deviations[part])
    }
}

/// The change from one rotation vector to another, no longer than `most`.
fn towards(from: Vec3, to: Vec3, most: Real) -> Vec3 {
    from + (to - from).clamp_length_max(most)
}

impl SixPoint {
    /// Turns the parts of the trunk, and returns by how much pelvis and chest were turned.
    pub(super) fn fit(&mut self, trackers: &Trackers, points: &[Vec3; 6], dt: Real) -> [Quat; 2] {
        let ends = self.parts();
        let (aims, asked) = self.aims(trackers, points, &ends);
        let mut turns = [Vec3::ZERO; PARTS];
        if asked {
            let known = |point| trackers.orientation(point).and_then(unit).is_some();
            let mut deviations = TURN;
            for (part, point) in [(0, Point::Pelvis), (part_of(&ends, self.rig.arms_at), Point::Chest)] {
                if known(point) {
                    deviations[part] = KNOWN_TURN;
                }
            }
            // From the trunk itself and not from the last frame: it has several least places, and would stay in a worse one.
            for _ in 0..ROUNDS {
                let now = turns.map(rotation::exp);
                let mut squares = Squares::new(&deviations);
                aims.iter().flatten().for_each(|aim| aim.add_to(&mut squares, &turns, &now));
                let least = squares.least();
                let before = turns;
                turns = core::array::from_fn(|part| towards(before[part], least[part], STEP));
                if (0..PARTS).all(|part| turns[part].distance_squared(before[part]) <= SETTLED * SETTLED) {
                    break;
                }
            }
        }
        if self.memory.started {
            turns = core::array::from_fn(|part| towards(self.fitted[part], turns[part], SPEED * dt));
        }
        self.fitted = turns;
        if turns == [Vec3::ZERO; PARTS] {
            return [Quat::IDENTITY; 2];
        }
        let now = turns.map(rotation::exp);
        for (k, turn) in self.turns.iter_mut().enumerate().take(self.rig.arch.bones.len()) {
            *turn = (now[part_of(&ends, k)] * *turn).normalize();
        }
        [now[0], now[part_of(&ends, self.rig.arms_at)]]
    }

    /// Where in the spine each part but the last ends.
    fn parts(&self) -> [usize; PARTS - 1] {
        let arms = self.rig.arms_at.max(1);
        [1, arms, arms + 1]
    }

    /// Everything that is asked, and whether there is anything besides the head's place.
    fn aims(
        &self,
        trackers: &Trackers,
        points: &[Vec3; 6],
        ends: &[usize; PARTS - 1],
    ) -> ([Option<Aim>; 10], bool) {
        let pelvis = points[0];
        let seen = |point| usable(trackers.position(point)).map(|p| p - pelvis);
        // What each part adds to the way from the pelvis to a joint of the spine.
        let ways_to = |joint: usize| {
            let mut ways = [Vec3::ZERO; PARTS];
            for (k, (turn, bone)) in self.turns.iter().zip(&self.rig.arch.bones).enumerate().take(joint) {
                ways[part_of(ends, k)] += *turn * *bone;
            }
            ways
        };
        let turned = |at: usize, v: Vec3| self.turns.get(at).map_or(v, |turn| *turn * v);
        let (to_arms, arms_part) = (ways_to(self.rig.arms_at), part_of(ends, self.rig.arms_at));
        let mut aims = [None; 10];
        let mut asked = false;
        if let Some(goal) = seen(Point::Chest) {
            let ways = ways_to(self.rig.chest_at);
            aims[1] = Some(Aim { ways, goal, asked: Asked::There, deviation: CHEST });
            asked = true;
        }
        for (i, side) in Side::BOTH.into_iter().enumerate() {
            let mut hip = [Vec3::ZERO; PARTS];
            hip[0] = turned(0, self.rig.bounds.hip[i]);
            let mut shoulder = to_arms;
            shoulder[arms_part] += turned(self.rig.arms_at, self.rig.shoulders[i]);
            let limbs = [
                (shoulder, &self.arms[i], [Point::Elbow(side), Point::Wrist(side)], [SHOULDER, ARM]),
                (hip, &self.legs[i], [Point::Knee(side), Point::Ankle(side)], [HIP, LEG]),
            ];
            for (l, (ways, limb, [middle, end], [near, far])) in limbs.into_iter().enumerate() {
                let at: Vec3 = ways.iter().sum();
                let slot = 2 + 4 * i + 2 * l;
                if let Some(goal) = seen(middle) {
                    let length = limb.limb().lengths().0;
                    aims[slot] = Some(Aim { ways, goal, asked: Asked::Away(length), deviation: near });
                    asked = true;
                }
                if self.rig.options.trunk_follows && seen(end).is_some() {
                    let goal = points[end.index()] - pelvis;
                    aims[slot + 1] =
                        Some(Aim { ways, goal, asked: Asked::Within(limb.reach), deviation: far });
                    asked |= goal.distance(at) > limb.reach;
                }
            }
        }
        if asked {
            let (ways, goal) = (ways_to(self.rig.arch.bones.len()), points[1] - pelvis);
            aims[0] = Some(Aim { ways, goal, asked: Asked::There, deviation: HEAD });
        }
        (aims, asked)
    }
}

/// The part to which a joint of the spine belongs.
fn part_of(ends: &[usize; PARTS - 1], joint: usize) -> usize {
    ends.iter().filter(|&&end| joint >= end).count()
}
