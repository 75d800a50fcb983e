//! A better optimiser for the same combined error, started from a solution.
//!
//! Where the posture's weight is below the orientation's, as it is by default,
//! no gain in posture pays for a miss of the target that joints could avoid. So
//! the problem is: *of all poses that look where they should, the one with the
//! least posture error*. The posture error is a weighted sum of absolute
//! deviations, one for each bend; near a solution each is replaced by the
//! parabola through it (iteratively reweighted least squares), and the
//! orientation by its linearisation. With `d` the way of each joint to the
//! angle with the wanted bend on its side, `H` the parabolas' weights, `J` and
//! `e` rows and error of the end points, the step makes
//!
//! ```text
//! |e − J δ|² + μ (δ − d)ᵀ H (δ − d)
//! ```
//!
//! least, with a small `μ`. That is the damped step of `solver/step.rs` with the
//! posture as its [`Draw`] and nearly no damping besides; the rows come from
//! `solver/goal_rows.rs`, the columns and the ranges from `solver/active_set.rs`.
//! Nothing but the pose with the least combined error is ever returned, so this
//! cannot make a solution worse.
//!
//! The penalty leaves a little of the orientation, about `μ` times what the posture
//! pulls with. So a last step is made with next to no `μ`: what is left then costs
//! the posture nearly nothing.
//!
//! That is [`Shape::Bends`]. People see more of a shape than eq. 21 does: the side
//! to which a joint bends, and the twists between two bends. [`Shape::Held`] counts
//! these as well, by the same measure: a bend to the other side is a bend through
//! straight and on. [`Shape::Sides`] takes the angles of the posture themselves, with
//! squares instead of absolute values: the solution then depends smoothly on target
//! and posture, which is what a moving character needs.

use alloc::vec::Vec;

use super::super::active_set::ActiveSet;
use super::super::articulation::Motion;
use super::super::driver::Progress;
use super::super::goal_rows::{GoalRows, RowKinds};
use super::super::step::{Draw, StepSolver};
use super::body::{Body, Link};
use super::measure::{Wanted, Wish, measure};
use super::options::ErikOptions;
use super::solution::Solution;
use crate::goal::{Effector, Goal};
use crate::math::*;
use crate::skeleton::{JointId, Skeleton};

/// Room for the optimiser.
#[derive(Debug, Clone)]
pub(super) struct Refine {
    active: ActiveSet,
    step: StepSolver,
    /// Where the posture draws each column, and how strongly.
    toward: Vec<Real>,
    burdens: Vec<Real>,
    /// Where a step leads.
    next: Vec<Motion>,
    trial: Solution,
}

/// What of a posture is to be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// What eq. 21 measures.
    Bends,
    /// The same, with the sides that the solution has, and the twists between two bends.
    Held,
    /// The angles themselves, each on the side that the solution has it on.
    Sides,
}

/// A parabola through a cost: its lowest point from here, its weight, and the cost here.
#[derive(Debug, Clone, Copy)]
struct Brake {
    toward: Real,
    burden: Real,
    cost: Real,
}

impl Brake {
    const NONE: Self = Self { toward: 0.0, burden: 0.0, cost: 0.0 };
}

/// What the optimiser is to do.
#[derive(Debug, Clone, Copy)]
pub(super) struct Task<'a> {
    pub skeleton: &'a Skeleton,
    pub body: &'a Body,
    pub wishes: &'a [Wish],
    pub posture: &'a [Wanted],
    pub options: &'a ErikOptions,
    pub shape: Shape,
    /// How many times what the posture draws with a joint holds on to where it was.
    pub ease: Real,
}

impl Task<'_> {
    /// The combined error of a solution and what is to be made small: with [`Shape::Sides`] the very squares
    /// that the steps make small, with their `μ`.
    fn judge(&self, solution: &Solution, yields: Real) -> (Real, Real) {
        let end = |i: usize| solution.end(self.body, &self.body.limbs[i]);
        let rotation = |k: usize| solution.place.motions[k].rotation;
        let errors = measure(self.body, self.posture, self.wishes, self.options, end, rotation);
        if self.shape != Shape::Sides {
            let unseen = if self.shape == Shape::Held { self.unseen(solution) } else { 0.0 };
            let merit = errors.combined + 0.5 * self.options.posture_weight * unseen;
            return (errors.combined, merit);
        }
        let mut sum = 0.0;
        for (k, link) in self.body.links.iter().enumerate() {
            let way = self.way(link, solution, k, solution.mirrored[k]);
            let back = link.way(solution.value(k), self.posture[k].from);
            sum += link.stake * (way * way + self.ease * back * back) + self.brake(solution, k).cost;
        }
        let usable = self.wishes.iter().enumerate().filter(|(_, wish)| wish.usable);
        let missed: Real = usable
            .map(|(i, wish)| {
                let lost = wish.crowded(end(i)).map_or(0.0, |(lost, _)| lost * lost);
                wish.weight * wish.weight * (wish.missing(end(i)).powi(2) + lost * lost)
            })
            .sum();
        let merit = missed + yields * sum;
        (errors.combined, merit)
    }

    /// The way from a node's value to the posture's, or to its mirror image.
    #[inline]
    fn way(&self, link: &Link, solution: &Solution, k: usize, mirrored: bool) -> Real {
        link.way(solution.value(k), self.posture[k].values[usize::from(mirrored)])
    }

    /// What brakes a joint before a stop, so that others take over before it stands: the fourth
    /// power of how deep it is in the last stretch. A posture that is near the stop itself has a shorter one.
    #[inline]
    fn brake(&self, solution: &Solution, k: usize) -> Brake {
        let Some((min, max)) = self.body.node(k).range() else { return Brake::NONE };
        let (value, wanted) = (solution.value(k), self.posture[k].values[usize::from(solution.mirrored[k])]);
        let before = |left: Real, room: Real, sign: Real| {
            let stretch = room.min(STRETCH);
            let deep = 1.0 - left / stretch.max(TINY);
            (stretch > TINY && deep > 0.0).then(|| Brake {
                toward: sign * stretch * deep / 3.0,
                burden: FIRM * deep * deep,
                cost: FIRM * stretch * stretch * (deep * deep) * (deep * deep) / 6.0,
            })
        };
        before(value - min, wanted - min, 1.0)
            .or(before(max - value, max - wanted, -1.0))
            .unwrap_or(Brake::NONE)
    }

    /// What eq. 21 does not see of a shape, and people do.
    fn unseen(&self, solution: &Solution) -> Real {
        let links = self.body.links.iter().enumerate();
        links.fold(0.0, |sum, (k, link)| match () {
            () if link.bends() => sum + link.share * self.crossed(link, solution, k),
            () if link.inner => sum + link.stake * self.twisted(link, solution, k),
            () => sum,
        })
    }

    /// How far a bend has gone through straight to the side that it should not be on.
    #[inline]
    fn crossed(&self, link: &Link, solution: &Solution, k: usize) -> Real {
        let wanted = self.posture[k].values[usize::from(solution.mirrored[k])] - link.peak;
        let now = solution.value(k) - link.peak;
        if wrap_angle(wanted) * wrap_angle(now) >= 0.0 {
            return 0.0;
        }
        let bend = link.bend_at(solution.place.motions[k].rotation).max(self.posture[k].bend);
        SIDE * (link.top - bend).max(0.0)
    }

    /// How far a twist between two bends is off, in the measure of a bend.
    #[inline]
    fn twisted(&self, link: &Link, solution: &Solution, k: usize) -> Real {
        1.0 - self.way(link, solution, k, false).cos()
    }

    /// Whether a joint is nearer to the mirror image. An image that the range
    /// cuts short does not have the bend and counts as further away.
    #[inline]
    fn is_mirrored(&self, link: &Link, solution: &Solution, k: usize) -> bool {
        let cost = |mirrored: bool| {
            let cut = self.posture[k].cut[usize::from(mirrored)];
            self.way(link, solution, k, mirrored).abs() + 4.0 * cut
        };
        link.bends() && cost(true) < cost(false)
    }
}

/// The most of an end point's error that one step goes for, in radians.
const REACH: Real = 0.8;
/// The most that a joint turns in one step.
const STEP: Real = 0.7;
/// Below this, in radians or metres, a step is the last but one.
const STILL: Real = 1.0e-2;
/// The same, and the gain, where a motion is to come out smooth.
const SETTLED: Real = if cfg!(sinew_f64) { 1.0e-6 } else { 1.0e-5 };
/// How much worse a solution may be for being the one that the steps come to rest at, as a part of the
/// threshold.
const NEARLY: Real = 0.1;
/// The part of the error that a step has to take away, and how many in a row may
/// not: it often rises before it falls.
const GAIN: Real = 0.01;
const PATIENCE: u32 = 3;
/// A step that is longer than this part of the one before makes the next ones half as long, down to this.
const FRO: Real = 0.7;
const SHORTEST: Real = 0.125;
/// How often a step is computed again because it left the ranges.
const ROUNDS: usize = 4;
/// What a bend to the other side counts for, beside the bend back to straight; with two it is
/// as much as both bends.
const SIDE: Real = 16.0;
/// How far before a stop a moving joint is braked, in radians or metres, and how firmly at the stop.
const STRETCH: Real = 0.8;
const FIRM: Real = 1.0;
/// The part of `μ` that the last step is made with.
const LAST: Real = 1.0e-3;
/// How willing a twister is: it costs nothing, and should still not spin.
const TWIST: Real = 100.0;
/// Below this a deviation, or the square of a way, is as good as none.
const SOFT: Real = 1.0e-3;
/// `μ` as a part of the largest element on the diagonal of `J H⁻¹ Jᵀ`: it keeps
/// steps finite where the rows say nearly the same.
const YIELD: Real = 6.0e-5;
/// The damping as a part of `μ`: it should not count beside the posture.
const DAMPING: Real = 1.0e-4;
/// The damping of a motion as a part of the squared miss (Sugihara 2011): where no pose looks there, what the
/// linearisation leaves out is as large as what it has, and steps without this go to and fro. A miss that
/// can be met is soon too small to count.
const RESIDUAL: Real = 0.5;

impl Refine {
    pub(super) fn new(body: &Body) -> Self {
        let (articulation, columns) = (&body.articulation, body.articulation.columns);
        let kinds = alloc::vec![RowKinds { position: false, orientation: true }; body.limbs.len()];
        Self {
            active: ActiveSet::new(articulation),
            step: StepSolver::new(articulation, &kinds, false),
            toward: alloc::vec![0.0; columns],
            burdens: alloc::vec![1.0; columns],
            next: alloc::vec![Motion::REST; articulation.nodes.len()],
            trial: Solution::new(articulation),
        }
    }

    /// Improves the solution in place and returns its combined error, or with
    /// [`Shape::Held`] what it comes to with the sides.
    pub(super) fn run(&mut self, task: &Task<'_>, solution: &mut Solution) -> Real {
        self.trial.copy_from(solution);
        let yields = if task.shape == Shape::Sides { self.prepare(task) } else { 0.0 };
        let (mut best, merit) = task.judge(&self.trial, yields);
        let mut never = || false;
        let most = task.options.refine;
        // What is followed may be better by a hair than each step and not than where they come to rest.
        // Whoever stops for that stands for some frames and then jumps.
        let (still, gain, patience) = match task.shape {
            Shape::Bends | Shape::Held => (STILL, GAIN, PATIENCE),
            Shape::Sides => (SETTLED, SETTLED, most),
        };
        let mut least = merit;
        let mut progress = Progress::new(merit, most, patience, gain, &mut never);
        let mut moved = Real::INFINITY;
        let mut last = (best, merit);
        let mut length = 1.0;
        while progress.begin(moved < still).is_ok() {
            let before = moved;
            moved = self.make_step(task, 1.0, length);
            // Steps that hardly become shorter go to and fro across the place that they should rest at.
            if task.shape == Shape::Sides && moved > FRO * before {
                length = (0.5 * length).max(SHORTEST);
            }
            last = task.judge(&self.trial, yields);
            if progress.end(last.1) {
                (best, least) = last;
                solution.copy_from(&self.trial);
            }
        }
        // Steps that come to rest do so at a place that depends smoothly on target and posture;
        // which of the steps before it was better by a hair does not.
        if task.shape == Shape::Sides && moved < STILL && last.0 <= best + NEARLY * task.options.threshold {
            best = last.0;
            solution.copy_from(&self.trial);
        }
        if task.shape == Shape::Sides {
            return best;
        }
        self.trial.copy_from(solution);
        self.make_step(task, LAST, 1.0);
        let (_, merit) = task.judge(&self.trial, yields);
        if merit < least {
            least = merit;
            solution.copy_from(&self.trial);
        }
        least
    }

    /// What the end points want of the trial.
    fn linearise(&mut self, task: &Task<'_>) {
        let place = &mut self.trial.place;
        for ((i, wish), rows) in task.wishes.iter().enumerate().zip(&mut place.rows) {
            *rows = GoalRows::NONE;
            if wish.usable {
                let now = task.body.articulation.effector(i, &place.frames);
                // Rows know the target and its weight; whose effector it is they do not ask.
                let goal = Goal::new(Effector::at(JointId(0)), wish.nearest_target(now));
                *rows = GoalRows::new(&goal.weights(0.0, wish.weight), now);
                if task.shape == Shape::Sides
                    && let Some(less) = wish.rolled_less(now)
                {
                    rows.turn = less * rows.turn;
                    rows.error[1] = less * rows.error[1];
                }
                if task.shape == Shape::Sides
                    && let Some((lost, toward)) = wish.crowded(now)
                {
                    // Along the sight, of which an aim's own rows say nothing: the square of what is lost.
                    let away = toward * (-2.0 * wish.weight * lost / wish.room.max(TINY));
                    let back = Mat3::from_cols(toward * away.x, toward * away.y, toward * away.z);
                    rows.sight = Some(rows.sight.unwrap_or(Mat3::ZERO) + back);
                    rows.error[1] += toward * (wish.weight * lost * lost);
                }
                rows.error[1] = rows.error[1].clamp_length_max(REACH * wish.weight);
            }
        }
        self.active.clear();
        self.active.linearise(&task.body.articulation, place);
        self.step.load(&place.rows, place.reference());
    }

    /// What the posture wants of the trial: `d` and `H` of the module's docs.
    /// Returns `μ`, for rows that are turns.
    fn draw(&mut self, task: &Task<'_>) -> Real {
        let trial = &mut self.trial;
        let mut diagonal = Vec3::ZERO;
        for (k, (node, link)) in task.body.articulation.nodes.iter().zip(&task.body.links).enumerate() {
            if node.count == 0 {
                continue;
            }
            if task.shape == Shape::Bends {
                trial.mirrored[k] = task.is_mirrored(link, trial, k);
            }
            let way = task.way(link, trial, k, trial.mirrored[k]);
            let (toward, burden) = match task.shape {
                Shape::Sides => {
                    let brake = task.brake(trial, k);
                    let back = link.way(trial.value(k), task.posture[k].from);
                    let burden = link.stake * (1.0 + task.ease) + brake.burden;
                    let drawn = link.stake * (way + task.ease * back) + brake.burden * brake.toward;
                    (drawn / burden, burden)
                }
                _ if !link.turns => (way, 1.0),
                Shape::Held if link.inner => {
                    let weight = (task.twisted(link, trial, k) + SOFT) / (way * way + SOFT);
                    (way, link.stake * weight)
                }
                _ if link.twists => (0.0, 1.0 / TWIST),
                shape => {
                    let bend = link.bend_at(trial.place.motions[k].rotation);
                    let mut deviation = (bend - task.posture[k].bend).abs();
                    if shape == Shape::Held {
                        deviation += task.crossed(link, trial, k);
                    }
                    let weight = link.share * (deviation + SOFT) / (way * way + SOFT);
                    (way, weight.max(0.05 * link.share))
                }
            };
            self.toward[node.first] = toward;
            self.burdens[node.first] = burden;
            let axis = self.active.coordinates[node.first].column.angular;
            diagonal += axis * axis / burden;
        }
        // What holds on to where joints were makes burdens larger, and should not make sight count for more.
        YIELD * (1.0 + task.ease) * diagonal.max_element() + TINY
    }

    /// What end points and posture want of the trial; `μ`.
    fn prepare(&mut self, task: &Task<'_>) -> Real {
        self.linearise(task);
        self.draw(task)
    }

    /// Makes the step of the module's docs, with a part of its `μ`, within the ranges, or the beginning of
    /// it that is so long; the most that a joint would move by all of it.
    fn make_step(&mut self, task: &Task<'_>, part: Real, length: Real) -> Real {
        let yields = part * self.prepare(task);
        let Self { active, step, toward, burdens, next, trial } = self;
        let (articulation, place) = (&task.body.articulation, &mut trial.place);
        let draw = Draw { toward, burdens, weight: yields };
        let mut damping = DAMPING * yields;
        if task.shape == Shape::Sides {
            damping += RESIDUAL * place.rows.iter().map(|rows| rows.error[1].length_squared()).sum::<Real>();
        }
        for _ in 0..ROUNDS {
            step.solve(&active.coordinates, &place.rows, place.reference(), damping, draw);
            for moved in &mut step.step {
                *moved = if moved.is_finite() { moved.clamp(-STEP, STEP) } else { 0.0 };
            }
            if !active.hold(articulation, task.skeleton, place, &step.step, None) {
                break;
            }
        }
        let most = step.step.iter().fold(0.0, |most: Real, moved| most.max(moved.abs()));
        step.step.iter_mut().for_each(|moved| *moved *= length);
        active.advance(articulation, task.skeleton, &place.motions, &step.step, next);
        core::mem::swap(&mut place.motions, next);
        articulation.forward(&place.motions, &mut place.frames);
        most
    }
}
