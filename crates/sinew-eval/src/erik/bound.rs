//! The least posture error that any pose which looks where it should can have, by brute force.
//!
//! The robots of Table 5 begin and end with a twist about y. With `R` the turn of all joints between
//! them, a pose meets the orientation `T` exactly if `R` leaves as much of y along y as `T` does
//! (`y·Ry = y·Ty`): the twist at the root then turns `Ry` to `Ty`, the one at the end point sees to the
//! roll, and neither changes the shape. So every joint between them but one runs over a grid, which
//! holds the posture's own angles and their mirror images too, since the least error of a sum of
//! absolute values mostly lies there. The one left over follows from the equation, which is a sine
//! curve in its angle. Every joint is left over in turn.
//!
//! What comes out is an exact pose, so the bound is never below what can be had; how far it is above the
//! true least depends on the grid's step alone.

use std::f64::consts::PI;

use sinew::math::Quat;
use sinew::rigs::ErikRobot;

/// Which poses count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sides {
    /// Every one.
    Free,
    /// Those that bend as the posture does, or all the other way.
    Kept,
}

/// A vector in f64: the bound is computed in it throughout.
type V = [f64; 3];

/// Turns a vector about one of the three axes.
fn turn(axis: usize, (s, c): (f64, f64), v: V) -> V {
    let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
    let mut out = v;
    out[i] = c * v[i] - s * v[j];
    out[j] = s * v[i] + c * v[j];
    out
}

/// The search for one robot.
#[derive(Debug, Clone)]
pub struct Bound {
    /// The axes between the two twists.
    axes: Vec<usize>,
    range: f64,
    /// How many steps a range has.
    steps: u32,
    weight: f64,
}

/// A direction less aside than this has no azimuth.
const POLE: f64 = 1.0e-6;

impl Bound {
    /// The search with so many grid steps a range; `weight` is the posture's (eq. 19).
    pub fn new(robot: ErikRobot, steps: u32, weight: f64) -> Self {
        let letters = robot.axes();
        let axes = letters[1..letters.len() - 1].bytes().map(|b| usize::from(b - b'X')).collect();
        Self { axes, range: f64::from(robot.range()), steps: steps.max(1), weight }
    }

    /// The least weighted posture error of all poses that meet the orientation (upside down is as
    /// good), or `None` if there is no such pose. `posture` has the angles of all joints.
    pub fn least(&self, posture: &[f64], target: Quat, sides: Sides) -> Option<f64> {
        let wanted = posture.get(1..=self.axes.len())?;
        let y = [0.0, 1.0, 0.0];
        let q = [target.x, target.y, target.z, target.w].map(f64::from);
        let (ahead, back) = (rotated(q, y), rotated([-q[0], -q[1], -q[2], q[3]], y));
        let mut best = f64::INFINITY;
        let mut search = Search { bound: self, wanted, ahead, back, sides, best: &mut best };
        let mut angles = vec![0.0; self.axes.len()];
        for left_over in 0..self.axes.len() {
            search.grid(left_over, 0, 0.0, &mut angles);
        }
        best.is_finite().then(|| best * self.weight * 0.5 / self.bends() as f64)
    }

    fn bends(&self) -> usize {
        self.axes.iter().filter(|axis| **axis != 1).count().max(1)
    }
}

fn rotated(q: [f64; 4], v: V) -> V {
    let u = [q[0], q[1], q[2]];
    let cross =
        |a: V, b: V| [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    let t = cross(u, v).map(|x| 2.0 * x);
    let w = cross(u, t);
    [0, 1, 2].map(|i| v[i] + q[3] * t[i] + w[i])
}

struct Search<'a> {
    bound: &'a Bound,
    wanted: &'a [f64],
    ahead: V,
    back: V,
    sides: Sides,
    /// The least sum of deviations so far.
    best: &'a mut f64,
}

impl Search<'_> {
    /// What a joint's angle costs: the change of its bend; a twist costs nothing.
    fn cost(&self, k: usize, angle: f64) -> f64 {
        if self.bound.axes[k] == 1 { 0.0 } else { (angle.cos() - self.wanted[k].cos()).abs() }
    }

    /// Runs over the joints from `k` on, but the one left over.
    fn grid(&mut self, left_over: usize, k: usize, cost: f64, angles: &mut [f64]) {
        if cost >= *self.best {
            return;
        }
        if k == angles.len() {
            self.close(left_over, cost, angles);
            return;
        }
        if k == left_over {
            self.grid(left_over, k + 1, cost, angles);
            return;
        }
        let (range, steps) = (self.bound.range, self.bound.steps);
        // What costs nothing first: it tells early what is too dear.
        for angle in [self.wanted[k], -self.wanted[k]] {
            angles[k] = angle;
            self.grid(left_over, k + 1, cost + self.cost(k, angle), angles);
        }
        for i in 0..=steps {
            let angle = range * (2.0 * f64::from(i) / f64::from(steps) - 1.0);
            angles[k] = angle;
            self.grid(left_over, k + 1, cost + self.cost(k, angle), angles);
        }
    }

    /// Solves for the joint left over and takes the poses that the ranges allow.
    fn close(&mut self, k: usize, cost: f64, angles: &mut [f64]) {
        let axes = &self.bound.axes;
        let (mut low, mut high) = ([0.0, 1.0, 0.0], [0.0, 1.0, 0.0]);
        for i in 0..k {
            low = turn(axes[i], (-angles[i]).sin_cos(), low);
        }
        for i in (k + 1..axes.len()).rev() {
            high = turn(axes[i], angles[i].sin_cos(), high);
        }
        // low · Turn(a) high = a·cos + b·sin + c is to be what the target has.
        let (n, i, j) = (axes[k], (axes[k] + 1) % 3, (axes[k] + 2) % 3);
        let (a, b) = (low[i] * high[i] + low[j] * high[j], low[j] * high[i] - low[i] * high[j]);
        let (size, c) = (a.hypot(b), low[n] * high[n]);
        let cosine = (self.ahead[1] - c) / size.max(1.0e-12);
        // The target comes rounded to single precision.
        if cosine.abs() > 1.0 + 2.0e-6 {
            return;
        }
        let cosine = cosine.clamp(-1.0, 1.0);
        for sign in [-1.0, 1.0] {
            let angle = b.atan2(a) + sign * cosine.acos();
            let angle = angle - 2.0 * PI * (angle / (2.0 * PI)).round();
            let cost = cost + self.cost(k, angle);
            if angle.abs() <= self.bound.range + 1.0e-9 && cost < *self.best {
                angles[k] = angle;
                if self.allowed(angles) {
                    *self.best = cost;
                }
            }
        }
    }

    /// Whether the twists at both ends are within their ranges, and the bends on their sides.
    fn allowed(&self, angles: &[f64]) -> bool {
        let axes = &self.bound.axes;
        if self.sides == Sides::Kept {
            let same = |sign: f64| {
                (angles.iter().zip(self.wanted).zip(axes))
                    .all(|((angle, wanted), axis)| *axis == 1 || sign * angle * wanted >= -1.0e-9)
            };
            if !same(1.0) && !same(-1.0) {
                return false;
            }
        }
        let (mut ahead, mut back) = ([0.0, 1.0, 0.0], [0.0, 1.0, 0.0]);
        for (axis, angle) in axes.iter().zip(angles.iter()).rev() {
            ahead = turn(*axis, angle.sin_cos(), ahead);
        }
        for (axis, angle) in axes.iter().zip(angles.iter()) {
            back = turn(*axis, (-angle).sin_cos(), back);
        }
        let between = |from: V, to: V| {
            if from[0].hypot(from[2]) < POLE || to[0].hypot(to[2]) < POLE {
                return 0.0;
            }
            let turn = to[0].atan2(to[2]) - from[0].atan2(from[2]);
            turn - 2.0 * PI * (turn / (2.0 * PI)).round()
        };
        let root = between(ahead, self.ahead);
        // Upside down is as good: half a turn is none.
        let end = between(self.back, back);
        let end = end - PI * (end / PI).round();
        root.abs() <= self.bound.range + 1.0e-6 && end.abs() <= self.bound.range + 1.0e-6
    }
}

#[cfg(test)]
mod tests {
    use super::super::sweep::{Reading, Sweep};
    use super::*;
    use sinew::math::Real;
    use sinew::solver::erik::{Erik, ErikOptions};
    use sinew::{Goal, ModelPose, Pose, Target};

    /// Where a posture looks already, nothing has to change; and no solution is better than the least.
    #[test]
    fn no_pose_is_better_than_the_least_and_a_posture_that_looks_there_costs_nothing() {
        for robot in [ErikRobot::B, ErikRobot::C, ErikRobot::E] {
            let skeleton = sinew::rigs::erik(robot);
            let end = skeleton.find("endpoint").unwrap();
            let goal = [Goal::orientation(end, Quat::IDENTITY)];
            let mut erik = Erik::new(&skeleton, &goal, ErikOptions::default()).unwrap();
            let sweep = Sweep::new(7, 12, Reading::Twist);
            let bound = Bound::new(robot, 24, 0.2);
            let (mut ours, mut least) = (0.0, 0.0);
            for i in 0..6 {
                let posture = sweep.posture(robot, &skeleton, i);
                let mut angles: Vec<Real> = vec![0.0; robot.axes().len()];
                posture.to_coordinates(&skeleton, &mut angles).unwrap();
                let angles: Vec<f64> = angles.into_iter().map(f64::from).collect();
                let there = ModelPose::new(&skeleton, &posture).rotation(end);
                for sides in [Sides::Free, Sides::Kept] {
                    let own = bound.least(&angles, there, sides).unwrap();
                    assert!(own < 1e-4, "{robot:?}: {own}");
                }
                for &target in &sweep.orientations {
                    let mut pose = Pose::rest(&skeleton);
                    let errors = erik.solve(&skeleton, &posture, &[Target::Orientation(target)], &mut pose);
                    let combined = f64::from(errors.errors.combined);
                    let Some(free) = bound.least(&angles, target, Sides::Free) else { continue };
                    // A coarse grid is a little above the true least.
                    assert!(combined > free - 0.004, "{robot:?}: {combined} is below {free}");
                    if let Some(kept) = bound.least(&angles, target, Sides::Kept) {
                        assert!(kept >= free - 1e-9, "{robot:?}: {kept} is below {free}");
                    }
                    ours += combined;
                    least += free;
                }
            }
            assert!(ours < 1.2 * least, "{robot:?}: {ours} is far above {least}");
        }
    }
}
