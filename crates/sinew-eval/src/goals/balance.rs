//! One hand reaches, both feet stay, the mass stays over them.

use std::time::Instant;

use sinew::math::Real;
use sinew::{Cause, Goal, GoalSet, ModelPose, Pose, SolverSpec, Target};

use super::Body;
use crate::sample;
use crate::stats;
use crate::table::{Cell, Table};

/// Goals within this of the shoulder are compared, in metres.
const NEAR: Real = 0.6;

/// Solves `problems` reaches of the right hand on each body, with and without balance.
pub fn run(bodies: &[Body], problems: usize, seed: u64, mut tick: impl FnMut()) -> Table {
    let mut table = Table::new(
        "A hand reaches, the mass stays over the feet",
        &[
            "body",
            "balance",
            "met within 0.6 m %",
            "met %",
            "off balance",
            "least room mm",
            "held by balance %",
            "median µs",
            "p95 µs",
        ],
    );
    for body in bodies {
        let rest = ModelPose::rest(&body.skeleton);
        let [_, _, _, hand, left, right] = body.six;
        let Some(shoulder) = body.skeleton.ancestors(hand).nth(2).map(|joint| rest.position(joint)) else {
            continue;
        };
        for keep in [false, true] {
            let mut goals: GoalSet =
                [left, right].map(|foot| Goal::pose(foot, rest.transform(foot))).into_iter().collect();
            let reach = goals.add(Goal::position(hand, rest.position(hand)));
            let balance = body.balance(body.feet(&rest), 0.25, 0.08);
            goals.set_balance(keep.then(|| balance.clone()));
            let mut solver = match SolverSpec::default().build(&body.skeleton, &goals) {
                Ok(solver) => solver,
                Err(error) => {
                    table.note(format!("{}: {error}", body.name));
                    continue;
                }
            };
            let mut random = sample::generator(seed);
            let (mut near, mut near_met, mut met, mut off, mut held) = (0, 0, 0, 0, 0);
            let (mut least, mut times) = (f64::INFINITY, Vec::new());
            for _ in 0..problems {
                let away = sample::between(&mut random, 0.1, 1.2);
                let at = shoulder + sample::direction(&mut random) * away;
                goals.set_target(reach, Target::Position(at));
                let mut pose = Pose::rest(&body.skeleton);
                let clock = Instant::now();
                let report = solver.solve(&body.skeleton, &goals, &mut pose);
                times.push(clock.elapsed().as_secs_f64() * 1.0e6);
                let room = balance.clearance(&ModelPose::new(&body.skeleton, &pose));
                least = least.min(f64::from(room) * 1.0e3);
                off += usize::from(room < -1.0e-5);
                held += usize::from(matches!(report.cause, Some(Cause::Balance { .. })));
                met += usize::from(report.reached());
                near += usize::from(away <= NEAR);
                near_met += usize::from(away <= NEAR && report.reached());
                tick();
            }
            let share = |n: usize, of: usize| Cell::number(100.0 * n as f64 / of.max(1) as f64, 1);
            table.row(vec![
                body.name.as_str().into(),
                if keep { "kept" } else { "—" }.into(),
                share(near_met, near),
                share(met, problems),
                off.to_string().into(),
                Cell::number(least, 2),
                share(held, problems),
                Cell::number(stats::median(&times), 0),
                Cell::number(stats::percentile(&times, 0.95), 0),
            ]);
        }
    }
    table.note(format!(
        "{problems} points up to 1.2 m from the right shoulder, seed {seed}; start: rest; both feet held; \
         soles of 25 by 8 cm; robust, f32, one thread"
    ));
    table
}
