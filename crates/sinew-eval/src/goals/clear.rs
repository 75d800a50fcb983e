//! Six poses met without the body touching itself.
//!
//! The goals are those of a random pose within the limits that is clear, so that every problem has
//! an answer. Half of the problems start from a random pose in self-collision, the others from
//! rest. An answer counts if all six goals are within a millimetre and half a degree and no part
//! is in another, judged by a check of its own: points are spread over the surfaces of all parts and
//! their distances to the hulls of the others found by Gilbert's method, without the engine's
//! collision queries.

use std::time::Instant;

use rand::Rng;
use sinew::collision::{CollisionBody, CollisionQuery, CollisionScene};
use sinew::error::RigError;
use sinew::math::{Real, Vec3, rotation};
use sinew::{Goal, GoalSet, ModelPose, Pose, SolverSpec};

use super::Body;
use crate::sample::{self, PoseSampler};
use crate::stats;
use crate::table::{Cell, Table};

/// A millimetre and half a degree.
const NEAR: (Real, Real) = (1.0e-3, 0.5 * std::f64::consts::PI as Real / 180.0);
/// Points on the surface of each part.
const POINTS: usize = 400;
/// What a point may be deeper than allowed before it counts: rounding.
const GIVE: Real = 1.0e-4;

/// Whether a problem belongs to a group, by its number.
type Belongs = fn(usize) -> bool;

/// Solves `problems` problems on each body, with and without clearance.
pub fn run(bodies: &[Body], problems: usize, seed: u64, mut tick: impl FnMut()) -> Table {
    let mut table = Table::new(
        "Six poses at once, clear of oneself",
        &[
            "body",
            "clearance",
            "starts",
            "met %",
            "clear %",
            "met and clear %",
            "attempts",
            "median µs",
            "p95 µs",
            "worst µs",
            "solves a second",
        ],
    );
    for body in bodies {
        let set = Problems::new(body, problems, seed);
        for keep in [false, true] {
            let name = if keep { "kept" } else { "—" };
            let solved = match set.run(body, keep, &mut tick) {
                Ok(solved) => solved,
                Err(error) => {
                    table.row(vec![body.name.as_str().into(), name.into(), error.to_string().into()]);
                    continue;
                }
            };
            let groups: [(&str, Belongs); 3] =
                [("at rest", starts_at_rest), ("in contact", |i| !starts_at_rest(i)), ("all", |_| true)];
            for (starts, belongs) in groups {
                let group: Vec<&Solved> =
                    solved.iter().enumerate().filter(|(i, _)| belongs(*i)).map(|(_, s)| s).collect();
                let mut row: Vec<Cell> = vec![body.name.as_str().into(), name.into(), starts.into()];
                row.extend(summary(&group));
                table.row(row);
            }
        }
    }
    table.note(format!(
        "{problems} problems each, seed {seed}: goals from random clear poses, every other one started in \
         self-collision; robust with its default options, f32, one thread"
    ));
    table
}

/// Every other problem starts at rest, the others in self-collision.
fn starts_at_rest(problem: usize) -> bool {
    problem.is_multiple_of(2)
}

/// What came of one problem.
#[derive(Debug, Clone, Copy)]
struct Solved {
    met: bool,
    clear: bool,
    attempts: u32,
    microseconds: f64,
}

/// Shares and times of some problems, as the table has them.
fn summary(group: &[&Solved]) -> Vec<Cell> {
    let count = group.len().max(1) as f64;
    let share = |test: fn(&Solved) -> bool| {
        Cell::number(100.0 * group.iter().filter(|s| test(s)).count() as f64 / count, 1)
    };
    let times: Vec<f64> = group.iter().map(|s| s.microseconds).collect();
    let attempts: Vec<f64> = group.iter().map(|s| f64::from(s.attempts)).collect();
    vec![
        share(|s| s.met),
        share(|s| s.clear),
        share(|s| s.met && s.clear),
        Cell::number(stats::mean(&attempts), 1),
        Cell::number(stats::median(&times), 0),
        Cell::number(stats::percentile(&times, 0.95), 0),
        Cell::number(stats::largest(&times), 0),
        Cell::number(1.0e6 / stats::mean(&times).max(1.0e-9), 0),
    ]
}

struct Problems {
    starts: Vec<Pose>,
    goals: Vec<GoalSet>,
    surface: Surface,
}

impl Problems {
    fn new(body: &Body, count: usize, seed: u64) -> Self {
        let mut random = sample::generator(seed);
        let sampler = PoseSampler::new(&body.skeleton);
        let scene = CollisionScene::new();
        let mut query = CollisionQuery::new(&body.parts);
        let surface = Surface::new(&body.parts, &mut random);
        let mut touches = |pose: &Pose| {
            query.place(&body.parts, &ModelPose::new(&body.skeleton, pose));
            query.first_contact(&body.parts, &scene, query.all_parts()).is_some()
        };
        let (mut starts, mut goals) = (Vec::new(), Vec::new());
        while goals.len() < count {
            // Few poses drawn over all of the limits are clear: one that is not comes nearer to
            // rest until it is.
            let wanted = loop {
                let drawn = sampler.draw(&mut random, 0.3);
                let nearer = |part: Real| {
                    let mut pose = drawn.clone();
                    for id in body.skeleton.ids().skip(1) {
                        let turn = rotation::log(drawn.rotation(id)) * part;
                        pose.set_rotation(id, rotation::exp(turn));
                    }
                    pose.project(&body.skeleton);
                    pose
                };
                let tries = [1.0, 0.9, 0.8, 0.7, 0.6, 0.5].map(nearer);
                if let Some(pose) = tries.into_iter().find(|pose| !touches(pose)) {
                    break pose;
                }
            };
            let start = match starts_at_rest(goals.len()) {
                true => Pose::rest(&body.skeleton),
                false => loop {
                    let pose = sampler.draw(&mut random, 0.3);
                    if touches(&pose) {
                        break pose;
                    }
                },
            };
            let model = ModelPose::new(&body.skeleton, &wanted);
            starts.push(start);
            goals.push(body.six.iter().map(|&joint| Goal::pose(joint, model.transform(joint))).collect());
        }
        Self { starts, goals, surface }
    }

    fn run(&self, body: &Body, keep: bool, tick: &mut impl FnMut()) -> Result<Vec<Solved>, RigError> {
        let Some(first) = self.goals.first() else { return Ok(Vec::new()) };
        let clearance = keep.then(|| body.clearance());
        let mut goals = first.clone();
        goals.set_clearance(clearance.clone());
        let mut solver = SolverSpec::default().build(&body.skeleton, &goals)?;
        let mut solved = Vec::with_capacity(self.goals.len());
        for (start, goals) in self.starts.iter().zip(&self.goals) {
            let mut goals = goals.clone();
            goals.set_clearance(clearance.clone());
            let mut pose = start.clone();
            let clock = Instant::now();
            let report = solver.solve(&body.skeleton, &goals, &mut pose);
            let microseconds = clock.elapsed().as_secs_f64() * 1.0e6;
            solved.push(Solved {
                met: report.position_error() <= NEAR.0 && report.orientation_error() <= NEAR.1,
                clear: !self.surface.touches(&body.parts, &ModelPose::new(&body.skeleton, &pose)),
                attempts: report.attempts,
                microseconds,
            });
            tick();
        }
        Ok(solved)
    }
}

/// Points spread over the surfaces of all parts, in the frames of their joints.
struct Surface {
    points: Vec<Vec<Vec3>>,
}

impl Surface {
    fn new(body: &CollisionBody, random: &mut impl Rng) -> Self {
        let points = body.parts().iter().map(|part| {
            let mut spread = || {
                // Weights that are as likely to be near a corner as in the middle.
                let weights: Vec<Real> =
                    part.points.iter().map(|_| sample::between(random, 0.0, 1.0).powi(3)).collect();
                // Weights may all be tiny: a floor here would draw the point to the joint, out of the part.
                let total: Real = weights.iter().sum::<Real>().max(Real::MIN_POSITIVE);
                let inside: Vec3 = part.points.iter().zip(&weights).map(|(p, w)| *p * (w / total)).sum();
                inside + sample::direction(random) * part.radius
            };
            (0..POINTS).map(|_| spread()).collect()
        });
        Self { points: points.collect() }
    }

    /// Whether a point of one part is deeper in another than that pair may be.
    fn touches(&self, body: &CollisionBody, model: &ModelPose) -> bool {
        let parts = body.parts();
        let hulls: Vec<Vec<Vec3>> = parts
            .iter()
            .map(|part| part.points.iter().map(|p| model.transform(part.joint).transform_point(*p)).collect())
            .collect();
        for (a, part) in parts.iter().enumerate() {
            let place = model.transform(part.joint);
            for point in self.points[a].iter().map(|p| place.transform_point(*p)) {
                for (b, other) in parts.iter().enumerate() {
                    let allowed = body.allowed(a, b) + GIVE;
                    if a == b || allowed.is_infinite() {
                        continue;
                    }
                    if other.radius - distance_to_hull(point, &hulls[b], other.radius) > allowed {
                        return true;
                    }
                }
            }
        }
        false
    }
}

/// How far a point is from the convex hull of some others, by Gilbert's method; stops when it is
/// known to be further than `enough`.
fn distance_to_hull(point: Vec3, hull: &[Vec3], enough: Real) -> Real {
    let Some(&first) = hull.first() else { return Real::INFINITY };
    let mut nearest = first - point;
    for _ in 0..40 {
        let furthest =
            |a: &&Vec3, b: &&Vec3| (**a - point).dot(nearest).total_cmp(&(**b - point).dot(nearest));
        let Some(&corner) = hull.iter().min_by(furthest) else { break };
        let corner = corner - point;
        let length = nearest.length();
        // The distance is at least what the supporting plane is away.
        let least = corner.dot(nearest) / length.max(1.0e-9);
        if least > enough || length - least < 1.0e-5 {
            break;
        }
        let way = corner - nearest;
        let part = (-nearest.dot(way) / way.length_squared().max(1.0e-12)).clamp(0.0, 1.0);
        nearest += way * part;
    }
    nearest.length()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_to_hulls_are_those_of_plain_geometry() {
        let square = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|[x, y]| Vec3::new(x, y, 0.0));
        for (point, wanted) in [
            (Vec3::new(0.2, 0.3, 2.0), 2.0),
            (Vec3::new(3.0, 0.0, 0.0), 2.0),
            (Vec3::new(4.0, 5.0, 0.0), 5.0),
            (Vec3::new(0.5, -0.5, 0.0), 0.0),
        ] {
            let got = distance_to_hull(point, &square, 10.0);
            assert!((got - wanted).abs() < 5.0e-3, "{point}: {got} {wanted}");
        }
    }

    #[test]
    fn the_check_sees_what_the_queries_see() {
        let body = Body::humanoid().unwrap();
        let problems = Problems::new(&body, 8, 5);
        for (i, start) in problems.starts.iter().enumerate() {
            let touches = problems.surface.touches(&body.parts, &ModelPose::new(&body.skeleton, start));
            assert!(!touches || i % 2 == 1, "{i}");
        }
        assert!(
            problems
                .starts
                .iter()
                .any(|s| { problems.surface.touches(&body.parts, &ModelPose::new(&body.skeleton, s)) })
        );
    }
}
