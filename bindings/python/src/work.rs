//! The engine's work for arrays, in the precision of the module that this is part of.
//!
//! Nothing of Python is here: everything runs without the interpreter.

use std::sync::Arc;

use super::Real;
use super::engine::body::six_point::{Point, SixPoint, SixPointOptions, Trackers};
use super::engine::crowd::Crowd;
use super::engine::error::RigError;
use super::engine::skeleton::humanoid::HumanoidMap;
use super::engine::{
    Cause, GoalSet, ModelPose, Pose, Quat, Skeleton, Solver, SolverSpec, Target, Transform, Vec3,
};
use crate::cause;

/// What a target of a goal asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asks {
    Position,
    Orientation,
    Pose,
}

fn vector(x: &[Real]) -> Vec3 {
    Vec3::new(x[0], x[1], x[2])
}

fn rotation(x: &[Real]) -> Quat {
    Quat::from_xyzw(x[0], x[1], x[2], x[3]).normalize()
}

/// A cause with names.
pub fn tell(cause: &Cause, skeleton: &Skeleton, goals: &[String]) -> cause::Cause {
    let mut told = cause::Cause {
        kind: cause.name().to_string(),
        words: cause.in_words(skeleton, goals),
        goal: None,
        joint: None,
        other: None,
        by: None,
    };
    // The fields by their names, as every document of the project has them.
    let document = serde_json::to_value(cause).unwrap_or_default();
    let number = |key: &str| document.get(key).and_then(serde_json::Value::as_u64).map(|i| i as usize);
    let goal = |key: &str| goals.get(number(key)?).cloned();
    let joint = |key: &str| Some(skeleton.joints().get(number(key)?)?.name().to_string());
    told.goal = goal("goal");
    told.joint = joint("joint");
    told.other = if document.get("with").is_some() { goal("with") } else { joint("other") };
    let amount = |key: &str| document.get(key).and_then(serde_json::Value::as_f64);
    told.by = amount("by").or_else(|| amount("turn"));
    told
}

/// What came of a row.
#[derive(Debug, Clone, Copy)]
pub struct Answer {
    pub reached: bool,
    pub cause: Option<Cause>,
    pub iterations: u32,
    pub attempts: u32,
    pub position: Real,
    pub orientation: Real,
}

impl Answer {
    const NONE: Self =
        Self { reached: false, cause: None, iterations: 0, attempts: 0, position: 0.0, orientation: 0.0 };
}

/// What is asked of a batch: rows of numbers, or one row for all.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// Where goals should be, three numbers each; empty if none asks for a point.
    pub positions: &'a [Real],
    /// How they should be turned, four numbers each.
    pub orientations: &'a [Real],
    /// Where to start; empty for the rig's opening pose.
    pub start: &'a [Real],
}

/// A row of `width` numbers; one row is for all.
fn row(numbers: &[Real], width: usize, i: usize) -> &[Real] {
    let at = if numbers.len() > width { i * width } else { 0 };
    numbers.get(at..at + width).unwrap_or(&[])
}

/// A solver with its scratch, for a thread.
#[derive(Debug, Clone)]
struct Worker {
    solver: Solver,
    goals: GoalSet,
    pose: Pose,
}

/// What all rows have in common.
#[derive(Debug, Clone)]
struct Common {
    skeleton: Arc<Skeleton>,
    opening: Pose,
    asks: Vec<Asks>,
    /// The file's axes in model space, for the goals that are not relative.
    frame: Option<Transform>,
}

impl Common {
    /// Sets targets and start of a row, solves it and writes its coordinates.
    fn solve(&self, worker: &mut Worker, asked: &Asked<'_>, i: usize, out: &mut [Real]) -> Answer {
        let Worker { solver, goals, pose } = worker;
        let points = self.asks.iter().filter(|asks| **asks != Asks::Orientation).count();
        let turns = self.asks.iter().filter(|asks| **asks != Asks::Position).count();
        let positions = row(asked.positions, 3 * points, i);
        let orientations = row(asked.orientations, 4 * turns, i);
        let (mut point, mut turn) = (0, 0);
        for (g, asks) in self.asks.iter().enumerate() {
            let Some((id, goal)) = goals.iter().nth(g) else { continue };
            let frame = self.frame.filter(|_| goal.relative_to.is_none()).unwrap_or(Transform::IDENTITY);
            let mut given = Transform::IDENTITY;
            if *asks != Asks::Orientation {
                given.translation = vector(&positions[3 * point..]);
                point += 1;
            }
            if *asks != Asks::Position {
                given.rotation = rotation(&orientations[4 * turn..]);
                turn += 1;
            }
            let wanted = frame * given;
            let target = match asks {
                Asks::Position => Target::Position(wanted.translation),
                Asks::Orientation => Target::Orientation(wanted.rotation),
                Asks::Pose => Target::Pose(wanted),
            };
            goals.set_target(id, target);
        }
        pose.copy_from(&self.opening);
        let start = row(asked.start, out.len(), i);
        if !start.is_empty() {
            // The length was checked at the border.
            let _ = pose.set_coordinates(&self.skeleton, start);
            out.copy_from_slice(start);
        }
        let report = solver.solve(&self.skeleton, goals, pose);
        let answer = Answer {
            reached: report.reached(),
            cause: report.cause,
            iterations: report.iterations,
            attempts: report.attempts,
            position: report.position_error(),
            orientation: report.orientation_error(),
        };
        let _ = pose.to_coordinates(&self.skeleton, out);
        answer
    }
}

/// Goals that are solved for many targets.
#[derive(Debug, Clone)]
pub struct Batch {
    common: Common,
    crowd: Crowd<Worker>,
    one: Worker,
}

impl Batch {
    pub fn new(
        skeleton: Arc<Skeleton>,
        goals: &GoalSet,
        spec: SolverSpec,
        opening: Pose,
        frame: Option<Transform>,
        asks: Vec<Asks>,
    ) -> Result<Self, RigError> {
        let solver = spec.build(&skeleton, goals)?;
        let one = Worker { solver, goals: goals.clone(), pose: opening.clone() };
        Ok(Self { crowd: Crowd::new(one.clone(), 1), one, common: Common { skeleton, opening, asks, frame } })
    }

    pub fn skeleton(&self) -> &Arc<Skeleton> {
        &self.common.skeleton
    }

    /// One solve, which a solver that follows remembers.
    pub fn solve(&mut self, asked: &Asked<'_>, out: &mut [Real]) -> Answer {
        self.common.solve(&mut self.one, asked, 0, out)
    }

    /// Forgets the solves before.
    pub fn forget(&mut self) {
        self.one.solver.forget();
    }

    /// Solves every row as if it were the first, on so many threads.
    pub fn solve_all(
        &mut self,
        asked: &Asked<'_>,
        out: &mut [Real],
        count: usize,
        threads: usize,
    ) -> Vec<Answer> {
        let Self { common, crowd, one } = self;
        let width = common.skeleton.degrees_of_freedom().max(1);
        if crowd.threads() != threads {
            *crowd = Crowd::new(one.clone(), threads);
        }
        let mut answers = vec![Answer::NONE; count];
        let mut rows: Vec<(&mut [Real], &mut Answer)> = out.chunks_mut(width).zip(&mut answers).collect();
        crowd.run(&mut rows, |worker, i, (out, answer)| {
            worker.solver.forget();
            **answer = common.solve(worker, asked, i, out);
        });
        drop(rows);
        answers
    }
}

/// Where the joints of many poses stand, in the given axes: places and rotations, row after row.
pub fn forward(
    skeleton: &Skeleton,
    frame: Option<Transform>,
    q: &[Real],
    count: usize,
    threads: usize,
) -> (Vec<Real>, Vec<Real>) {
    let (joints, width) = (skeleton.len(), skeleton.degrees_of_freedom());
    let back = frame.map(|frame| frame.inverse());
    let (mut places, mut turns) = (vec![0.0; count * joints * 3], vec![0.0; count * joints * 4]);
    let mut crowd = Crowd::new((Pose::rest(skeleton), ModelPose::rest(skeleton)), threads);
    let mut rows: Vec<_> = places.chunks_mut(joints * 3).zip(turns.chunks_mut(joints * 4)).collect();
    crowd.run(&mut rows, |(pose, model), i, (places, turns)| {
        let _ = pose.set_coordinates(skeleton, &q[i * width..(i + 1) * width]);
        model.update(skeleton, pose);
        for id in skeleton.ids() {
            let at = back.map_or(model.transform(id), |back| back * model.transform(id));
            places[3 * id.index()..3 * id.index() + 3].copy_from_slice(&at.translation.to_array());
            turns[4 * id.index()..4 * id.index() + 4].copy_from_slice(&at.rotation.to_array());
        }
    });
    drop(rows);
    (places, turns)
}

/// A body that is tracked, with its pose.
#[derive(Debug, Clone)]
struct Person {
    body: SixPoint,
    pose: Pose,
}

/// What is kept of a frame.
#[derive(Debug, Clone, Copy)]
pub struct Seen {
    pub reached: bool,
    pub cause: Option<Cause>,
    pub filled: u32,
}

/// Bodies that are tracked, each with its own memory.
#[derive(Debug, Clone)]
pub struct Bodies {
    skeleton: Arc<Skeleton>,
    people: Vec<Person>,
    crowd: Crowd<()>,
    points: Vec<Point>,
}

/// Where the numbers of a frame of all bodies are written.
pub struct Shown<'a> {
    pub rotations: &'a mut [Real],
    pub translations: &'a mut [Real],
    pub seen: &'a mut [Seen],
}

impl Bodies {
    pub fn new(
        skeleton: Arc<Skeleton>,
        count: usize,
        points: Vec<Point>,
        threads: usize,
    ) -> Result<Self, RigError> {
        let body = SixPoint::new(&skeleton, &HumanoidMap::find(&skeleton), SixPointOptions::default())?;
        let pose = body.relaxed().clone();
        let people = vec![Person { body, pose }; count];
        Ok(Self { skeleton, people, crowd: Crowd::new((), threads), points })
    }

    pub fn skeleton(&self) -> &Arc<Skeleton> {
        &self.skeleton
    }

    pub fn reset(&mut self) {
        for Person { body, pose } in &mut self.people {
            body.reset();
            pose.copy_from(body.relaxed());
        }
    }

    /// Where the points of the rest pose are.
    pub fn rest_points(&self) -> Vec<Real> {
        let model = ModelPose::rest(&self.skeleton);
        let body = self.people.first().map(|person| &person.body);
        let place =
            |point: &Point| body.and_then(|body| body.joint(*point)).map(|joint| model.position(joint));
        self.points.iter().flat_map(|point| place(point).unwrap_or(Vec3::ZERO).to_array()).collect()
    }

    /// Goes on by a frame. A place or an orientation that is NaN is not seen.
    pub fn step(&mut self, positions: &[Real], orientations: &[Real], dt: Real, out: Shown<'_>) {
        let Self { skeleton, people, crowd, points } = self;
        let (joints, tracked) = (skeleton.len(), points.len());
        let mut rows: Vec<_> = people
            .iter_mut()
            .zip(out.rotations.chunks_mut(joints * 4))
            .zip(out.translations.chunks_mut(joints * 3))
            .zip(out.seen)
            .collect();
        crowd.run(&mut rows, |(), i, (((person, rotations), translations), seen)| {
            let mut trackers = Trackers::default();
            for (k, point) in points.iter().enumerate() {
                let at = 3 * (i * tracked + k);
                let place = vector(&positions[at..]);
                let turn = orientations.get(4 * (i * tracked + k)..).filter(|rest| rest.len() >= 4);
                let turn = turn.map(|q| Quat::from_xyzw(q[0], q[1], q[2], q[3])).filter(|q| q.is_finite());
                trackers.set(*point, Some(place).filter(|p| !p.is_nan()), turn);
            }
            let Person { body, pose } = &mut **person;
            let report = body.solve(skeleton, &trackers, dt, pose);
            let measured =
                |p: &&Point| report.source(**p) == super::engine::body::six_point::Source::Measured;
            let filled = (Point::SIX.len() - Point::SIX.iter().filter(measured).count()) as u32;
            **seen = Seen { reached: report.reached(), cause: report.cause, filled };
            for (out, q) in rotations.chunks_exact_mut(4).zip(pose.rotations()) {
                out.copy_from_slice(&q.to_array());
            }
            for (out, t) in translations.chunks_exact_mut(3).zip(pose.translations()) {
                out.copy_from_slice(&t.to_array());
            }
        });
    }
}
