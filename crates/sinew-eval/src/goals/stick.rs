//! A random stick pulls at one goal after another, in and out of reach.

use sinew::goal::SpeedGoal;
use sinew::math::{Real, Vec3, rotation};
use sinew::solver::robust::RobustOptions;
use sinew::{Goal, GoalId, GoalSet, ModelPose, Pose, SolverSpec, Target};

use super::Body;
use crate::sample;
use crate::table::{Cell, Table};

/// Frames a second.
const RATE: Real = 60.0;
/// How fast the stick pulls at most, in m/s, and how far from rest it wanders, in metres.
const SPEED: Real = 1.0;
const AWAY: Real = 1.2;

/// Pulls for so many seconds on each body.
pub fn run(bodies: &[Body], seconds: f64, seed: u64, mut tick: impl FnMut()) -> Table {
    let mut table = Table::new(
        "A random stick pulls at six goals",
        &["body", "joints no faster than", "largest step °", "steps over 12°", "over limit rad", "met %"],
    );
    for body in bodies {
        for bound in [None, Some(12.0)] {
            table.row(pull(body, bound, seconds, seed));
            tick();
        }
    }
    table.note(format!(
        "{seconds} s at {RATE} Hz, seed {seed}: the stick takes another goal every second and pulls it at up to \
         {SPEED} m/s, up to {AWAY} m from where it rests; robust without restarts, f32"
    ));
    table
}

fn pull(body: &Body, bound: Option<Real>, seconds: f64, seed: u64) -> Vec<Cell> {
    let skeleton = &body.skeleton;
    let rest = ModelPose::rest(skeleton);
    let mut goals = GoalSet::new();
    let ids: Vec<GoalId> = body.six.iter().map(|&j| goals.add(Goal::position(j, rest.position(j)))).collect();
    // Degrees a frame; the root may go as fast as it is pulled.
    goals.set_speed(bound.map(|degrees: Real| SpeedGoal {
        speeds: vec![degrees.to_radians() * RATE * 0.999; skeleton.len()],
        time_step: 1.0 / RATE,
    }));
    // A stick is followed: a pose elsewhere would be a jump.
    let options = RobustOptions { restarts: 0, ..RobustOptions::default() };
    let mut solver = match SolverSpec::Robust(options).build(skeleton, &goals) {
        Ok(solver) => solver,
        Err(error) => return vec![body.name.as_str().into(), error.to_string().into()],
    };
    let mut random = sample::generator(seed);
    let mut targets = body.six.map(|joint| rest.position(joint));
    let mut pose = Pose::rest(skeleton);
    let (mut largest, mut jumps, mut over, mut met): (f64, usize, f64, usize) = (0.0, 0, 0.0, 0);
    let (mut taken, mut velocity) = (0, Vec3::ZERO);
    let frames = (seconds * f64::from(RATE)) as usize;
    for frame in 0..frames {
        if frame % RATE as usize == 0 {
            taken = (sample::between(&mut random, 0.0, 6.0) as usize).min(5);
            let speed = sample::between(&mut random, 0.0, f64::from(SPEED));
            let home = rest.position(body.six[taken]);
            // Back home from far away, anywhere else.
            velocity = match targets[taken].distance(home) > AWAY {
                true => (home - targets[taken]).normalize_or_zero() * speed,
                false => sample::direction(&mut random) * speed,
            };
        }
        targets[taken] += velocity / RATE;
        goals.set_target(ids[taken], Target::Position(targets[taken]));
        let before = pose.clone();
        met += usize::from(solver.solve(skeleton, &goals, &mut pose).reached());
        for id in skeleton.ids() {
            let turn = rotation::angle(before.rotation(id).conjugate() * pose.rotation(id));
            let turn = f64::from(turn).to_degrees();
            largest = largest.max(turn);
            jumps += usize::from(turn > 12.0 || !turn.is_finite());
        }
        over = over.max(pose.worst_violation(skeleton).map_or(0.0, |(_, by)| f64::from(by)));
    }
    vec![
        body.name.as_str().into(),
        bound.map_or("—".into(), |degrees| format!("{degrees}° a frame").into()),
        Cell::number(largest, 2),
        jumps.to_string().into(),
        Cell::number(over, 6),
        Cell::number(100.0 * met as f64 / frames.max(1) as f64, 1),
    ]
}
