//! The methods that are compared, each on the same samples.
//!
//! The comparison is the two-priority DLS after Baerlocher (eq. 13) with
//! Maciejewski's damping and singular values (eq. 15, 25), on the engine's own
//! [`Priority`] solver: first the orientation, then, in what it leaves free, the
//! whole way to the posture, from which the twists at both ends are left out. As
//! in Alg. 1 it starts from the zero pose, keeps the best pose by the combined
//! error and ends when that is below the threshold or the iterations are used
//! up. 100, 200 and 400 iterations are the same run, looked at three times.
//!
//! As in the paper the target is first turned upside down where that brings it
//! within reach of robot C's end twist, since the DLS does not know that the end
//! point is symmetric; and samples whose *orientation alone* the DLS cannot
//! solve within three thresholds in 100 iterations are taken out of its results, and of
//! those for the orientation alone (Fig. 10).

use std::time::Instant;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use sinew::goal::PostureGoal;
use sinew::math::{Quat, Real, Vec3, rotation};
use sinew::rigs::ErikRobot;
use sinew::solver::erik::{Erik, ErikErrors, ErikOptions};
use sinew::solver::priority::{Priority, PriorityOptions};
use sinew::{Goal, GoalId, GoalSet, JointId, Pose, Skeleton, Target};

use super::block::{Block, Sample};
use super::results::Timing;
use super::sweep::Sweep;

/// A method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// ERIK with what sinew adds for the same error.
    Erik,
    /// ERIK as published.
    Published,
    /// What `sinew look --symmetric on` ships with for a single pose: the sides of the posture are kept.
    Shipped,
    /// The DLS with at most 100 iterations; its run also gives the next two.
    Dls100,
    /// With 200.
    Dls200,
    /// With 400.
    Dls400,
    /// The DLS for the orientation alone, with 100.
    Dls100NoPosture,
}

impl Method {
    /// The methods whose runs a robot needs.
    pub fn of(robot: ErikRobot, compare: bool) -> Vec<Self> {
        let mut methods = vec![Self::Erik, Self::Published, Self::Shipped];
        if compare && robot == ErikRobot::C {
            methods.push(Self::Dls100);
        }
        methods
    }

    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Erik => "ERIK",
            Self::Published => "ERIK as published",
            Self::Shipped => "ERIK as `look` ships it",
            Self::Dls100 => "DLS100",
            Self::Dls200 => "DLS200",
            Self::Dls400 => "DLS400",
            Self::Dls100NoPosture => "DLS100 without posture",
        }
    }
}

/// The iterations at which the DLS is looked at.
const LOOKS: [(u32, Method); 3] = [(100, Method::Dls100), (200, Method::Dls200), (400, Method::Dls400)];

/// Runs one method on one robot.
#[derive(Debug)]
pub struct Runner {
    robot: ErikRobot,
    method: Method,
    skeleton: Skeleton,
    end: JointId,
    erik: Erik,
    dls: Option<Dls>,
    repeats: u32,
}

#[derive(Debug)]
struct Dls {
    goals: GoalSet,
    /// The same without the posture.
    alone_goals: GoalSet,
    goal: GoalId,
    solver: Priority,
    alone: Priority,
    /// Whether the orientation alone was solved, by orientation, once known.
    solvable: Vec<(Quat, Real)>,
}

impl Runner {
    /// Builds what the method needs.
    pub fn new(robot: ErikRobot, method: Method, aggravation: f64, repeats: u32) -> Result<Self> {
        let skeleton = sinew::rigs::erik(robot);
        let end = skeleton.find("endpoint").context("the robot's end point")?;
        let options = match method {
            Method::Erik => ErikOptions::default(),
            Method::Shipped => {
                ErikOptions { follow: false, symmetric_endpoint: true, ..ErikOptions::following() }
            }
            _ => ErikOptions::published(),
        };
        let options = ErikOptions { aggravation: aggravation as Real, ..options };
        let erik = Erik::new(&skeleton, &[Goal::orientation(end, Quat::IDENTITY)], options)?;
        let dls = match method {
            Method::Erik | Method::Published | Method::Shipped => None,
            _ => Some(Dls::new(robot, &skeleton, end)?),
        };
        Ok(Self { robot, method, skeleton, end, erik, dls, repeats: repeats.max(1) })
    }

    /// Whether it was built for these.
    pub fn is_for(&self, robot: ErikRobot, method: Method) -> bool {
        self.robot == robot && self.method == method
    }

    /// All orientations of one posture.
    pub fn run(&mut self, sweep: &Sweep, posture: usize) -> Vec<(Method, Block, Timing)> {
        let pose = sweep.posture(self.robot, &self.skeleton, posture);
        let mut found: Vec<(Method, Block, Timing)> = match &self.dls {
            None => vec![(self.method, Block::default(), Timing::default())],
            Some(_) => LOOKS
                .iter()
                .map(|(_, m)| *m)
                .chain([Method::Dls100NoPosture])
                .map(|m| (m, Block::default(), Timing::default()))
                .collect(),
        };
        for entry in &mut found {
            entry.1.posture = posture;
        }
        let threshold = f64::from(self.erik.options().threshold);
        for (i, &target) in sweep.orientations.iter().enumerate() {
            if self.dls.is_some() {
                self.run_dls(&pose, i, target, &mut found, threshold);
            } else {
                let (sample, micros) = self.run_erik(&pose, target);
                found[0].1.add(&sample, threshold);
                found[0].2.add(micros);
            }
        }
        found
    }

    fn run_erik(&mut self, posture: &Pose, target: Quat) -> (Sample, f64) {
        let mut pose = Pose::rest(&self.skeleton);
        let gaze = [Target::Orientation(target)];
        let mut micros = f64::INFINITY;
        for _ in 1..self.repeats {
            let start = Instant::now();
            self.erik.solve(&self.skeleton, posture, &gaze, &mut pose);
            micros = micros.min(start.elapsed().as_secs_f64() * 1.0e6);
        }
        let start = Instant::now();
        let report = self.erik.solve(&self.skeleton, posture, &gaze, &mut pose);
        let micros = micros.min(start.elapsed().as_secs_f64() * 1.0e6);
        let (orientation, shape) = (f64::from(report.errors.orientation), f64::from(report.errors.posture));
        let iterations = report.solve.iterations;
        let weight = f64::from(self.erik.options().posture_weight);
        let sample = Sample {
            orientation,
            weighted_posture: weight * shape,
            iterations,
            over_limit: over_limit(&self.skeleton, &pose),
        };
        (sample, micros)
    }

    fn run_dls(
        &mut self,
        posture: &Pose,
        index: usize,
        target: Quat,
        found: &mut [(Method, Block, Timing)],
        threshold: f64,
    ) {
        let Some(dls) = &mut self.dls else { return };
        let target = upright(target);
        let gaze = [Target::Orientation(target)];
        dls.alone_goals.set_target(dls.goal, Target::Orientation(target));
        let weight = f64::from(self.erik.options().posture_weight);
        dls.goals.set_target(dls.goal, Target::Orientation(target));
        if dls.solvable.len() <= index {
            let mut pose = Pose::rest(&self.skeleton);
            let mut least = Real::INFINITY;
            let (erik, skeleton) = (&mut self.erik, &self.skeleton);
            dls.alone.solve_watched(&self.skeleton, &dls.alone_goals, &mut pose, &mut |now| {
                let errors = erik.measure(skeleton, posture, &gaze, now);
                least = errors.map_or(least, |e| least.min(e.orientation));
                f64::from(least) <= threshold
            });
            dls.solvable.push((target, least));
        }
        let alone = f64::from(dls.solvable[index].1);
        if alone > 3.0 * threshold {
            return;
        }
        let sample = Sample { orientation: alone, weighted_posture: 0.0, iterations: 100, over_limit: 0.0 };
        if let Some((_, block, _)) = found.last_mut() {
            block.add(&sample, threshold);
        }
        if let Some(wanted) = dls.goals.posture_mut() {
            wanted.pose.copy_from(posture);
        }
        let mut looks = dls.solve(&mut self.erik, &self.skeleton, posture, &gaze, threshold, weight);
        for _ in 1..self.repeats {
            let again = dls.solve(&mut self.erik, &self.skeleton, posture, &gaze, threshold, weight);
            for (look, again) in looks.iter_mut().zip(again) {
                look.1 = look.1.min(again.1);
            }
        }
        for ((sample, micros), (_, block, timing)) in looks.iter().zip(found) {
            block.add(sample, threshold);
            timing.add(*micros);
        }
    }

    /// The joint that should look.
    pub fn end(&self) -> JointId {
        self.end
    }
}

impl Dls {
    fn new(robot: ErikRobot, skeleton: &Skeleton, end: JointId) -> Result<Self> {
        let mut goals = GoalSet::new();
        let goal = goals.add(Goal::orientation(end, Quat::IDENTITY));
        let iterations = LOOKS[2].0;
        let options = PriorityOptions {
            iterations,
            patience: iterations,
            attraction: 1.0,
            ..PriorityOptions::default()
        };
        let alone = PriorityOptions { iterations: 100, patience: 100, ..options };
        let alone = Priority::new(skeleton, &goals, alone)?;
        let alone_goals = goals.clone();
        // The posture's Jacobian is the identity, zero for the twists at both ends.
        let mut posture = PostureGoal::new(Pose::rest(skeleton), 1.0);
        posture.joints = vec![1.0; skeleton.len()];
        for joint in [1, robot.axes().len()] {
            let twist = skeleton.find(&format!("joint{joint}")).context("the robot's twists")?;
            posture.joints[twist.index()] = 0.0;
        }
        goals.set_posture(Some(posture));
        let solver = Priority::new(skeleton, &goals, options)?;
        Ok(Self { goals, alone_goals, goal, solver, alone, solvable: Vec::new() })
    }
}

impl Dls {
    /// One run from the zero pose: the best pose, and the microseconds spent, at
    /// each of the [`LOOKS`].
    fn solve(
        &mut self,
        erik: &mut Erik,
        skeleton: &Skeleton,
        posture: &Pose,
        gaze: &[Target],
        threshold: f64,
        weight: f64,
    ) -> [(Sample, f64); 3] {
        let mut pose = Pose::rest(skeleton);
        let mut best: Option<(ErikErrors, f64)> = None;
        let mut looks: [Option<(Sample, f64)>; 3] = [None; 3];
        let mut round = 0;
        // Measuring is not the method's work: its clock is stopped meanwhile.
        let mut spent = 0.0;
        let mut since = Instant::now();
        let sample = |best: Option<(ErikErrors, f64)>, iterations: u32| {
            let (orientation, shape, over_limit) =
                best.map_or((1.0, 1.0, 0.0), |(e, over)| (e.orientation, e.posture, over));
            Sample {
                orientation: f64::from(orientation),
                weighted_posture: weight * f64::from(shape),
                iterations,
                over_limit,
            }
        };
        let mut look = |now: &Pose| {
            spent += since.elapsed().as_secs_f64() * 1.0e6;
            if let Some(errors) = erik.measure(skeleton, posture, gaze, now)
                && best.is_none_or(|(b, _)| errors.combined < b.combined)
            {
                best = Some((errors, over_limit(skeleton, now)));
            }
            let done = best.is_some_and(|(b, _)| f64::from(b.combined) <= threshold);
            for ((limit, _), look) in LOOKS.iter().zip(&mut looks) {
                if look.is_none() && (done || round >= *limit) {
                    *look = Some((sample(best, round), spent));
                }
            }
            round += 1;
            since = Instant::now();
            done
        };
        let report = self.solver.solve_watched(skeleton, &self.goals, &mut pose, &mut look);
        let iterations = report.iterations;
        // It may also end because nothing moves any more.
        looks.map(|look| look.unwrap_or((sample(best, iterations), spent)))
    }
}

/// The target or the target upside down, whichever robot C's end twist reaches
/// after its root twist and its bends have pointed it.
fn upright(target: Quat) -> Quat {
    let pointing = target * Vec3::Y;
    let half = std::f64::consts::FRAC_PI_2 as Real;
    let mut yaw = pointing.x.atan2(pointing.z);
    let mut pitch = (pointing.x * pointing.x + pointing.z * pointing.z).sqrt().atan2(pointing.y);
    if yaw.abs() > half {
        yaw -= yaw.signum() * 2.0 * half;
        pitch = -pitch;
    }
    let swung = rotation::about(Vec3::Y, yaw) * rotation::about(Vec3::X, pitch);
    let flipped = target * rotation::about(Vec3::Y, 2.0 * half);
    if flipped.dot(swung).abs() > target.dot(swung).abs() { flipped } else { target }
}

/// The most that a joint lies beyond its limit.
fn over_limit(skeleton: &Skeleton, pose: &Pose) -> f64 {
    pose.worst_violation(skeleton).map_or(0.0, |(_, over)| f64::from(over))
}

#[cfg(test)]
mod tests {
    use super::super::sweep::Reading;
    use super::*;

    /// The end twist that is left is at most a right angle, whatever the target.
    #[test]
    fn an_upright_target_is_within_the_twists_reach() {
        let sweep = Sweep::new(5, 300, Reading::Roll);
        let mut flipped = 0;
        for &target in &sweep.orientations {
            let chosen = upright(target);
            let pointing = target * Vec3::Y;
            assert!((pointing - chosen * Vec3::Y).length() < 1e-4, "it points where it was asked to");
            flipped += usize::from(chosen.dot(target).abs() < 0.5);
            // The root twist within a right angle, and the bend, forwards or backwards, that point there:
            // Ry(yaw) Rx(bend) Y = (sin bend sin yaw, cos bend, sin bend cos yaw).
            let aside = pointing.x.hypot(pointing.z);
            if aside < 1e-3 || pointing.z.abs() < 1e-4 {
                continue; // the root twist may be any there, or either of two
            }
            let bend = aside.atan2(pointing.y) * pointing.z.signum();
            let yaw = (pointing.x / pointing.z).atan();
            let swung = rotation::about(Vec3::Y, yaw) * rotation::about(Vec3::X, bend);
            let left = (swung.inverse() * chosen).normalize();
            let (along, across) = (left.y.abs().atan2(left.w.abs()) * 2.0, left.x.hypot(left.z));
            assert!(across < 2e-3, "what is left is a twist: {left}");
            assert!(
                along < std::f64::consts::FRAC_PI_2 as Real + 2e-3,
                "{} degrees are left",
                along.to_degrees()
            );
        }
        let all = sweep.orientations.len();
        assert!(flipped > 0 && flipped < all, "{flipped} of {all} are turned over");
    }
}
