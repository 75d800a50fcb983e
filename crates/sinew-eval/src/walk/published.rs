//! The paper's own walker and solver, as they are written, and its tables beside what they give here.
//!
//! The project's walker began with this one and went on; the original is kept to be measured.

mod arithmetic;
mod chain;
mod flops;
mod moving;

use std::time::Instant;

use sinew::body::walk::{Ground, Terrain, WalkInput};
use sinew::math::Real;
use sinew::{Pose, Skeleton};

use self::chain::OUTER;
use self::moving::{Cost, Mode, MovingIk};
use super::measure::Measure;
use super::sticks::Kind;
use super::{RATE, SEEN, Walk};
use crate::stats;
use crate::table::{Cell, Table};

/// Table 1.4: frames a second on flat and on uneven ground with the stick figure, milliseconds a solve,
/// iterations, milliseconds an iteration (Pentium 4, 1.4 GHz; frames with drawing).
const PAPER: [(Mode, [Option<f64>; 5]); 3] = [
    (Mode::Half, [Some(260.0), Some(97.0), Some(0.24), Some(18.15), Some(0.013)]),
    (Mode::Full, [Some(95.0), Some(54.0), Some(5.5), Some(180.0), Some(0.031)]),
    (Mode::Hybrid, [Some(115.0), Some(64.0), None, None, None]),
];

/// How much of a step a stiff knee takes.
const LIMP: Real = 0.1;

/// The tables; `None` if the rig has no legs of the paper's kind.
pub fn tables(skeleton: &Skeleton, seconds: f64, hills: u64, seed: u64) -> Option<Vec<Table>> {
    let mut uneven: Vec<Box<dyn Terrain>> = vec![Box::new(Ground::STAIRS)];
    for seed in seed..seed.saturating_add(hills) {
        uneven.push(Box::new(Ground::hills(seed, 0.35, 8.0)));
    }
    let flat: Vec<Box<dyn Terrain>> = vec![Box::new(Ground::Flat)];
    let mut quality = Table::new(
        "The paper's walker as it is written: the worst frame beside the median",
        &[&["Jacobian", "ground"][..], &SEEN].concat(),
    );
    let mut columns = Vec::new();
    for (mode, paper) in PAPER {
        let on_flat = walks(skeleton, &flat, mode, seconds)?;
        let on_uneven = walks(skeleton, &uneven, mode, seconds)?;
        for (name, (walk, _)) in [("flat", &on_flat), ("hills and stairs", &on_uneven)] {
            let mut row = vec![mode.name().into(), name.into()];
            row.extend(walk.cells());
            quality.row(row);
        }
        let rate = |walk: &Walk| 1.0e6 / stats::mean(&walk.times).max(1.0e-9);
        let both = on_flat.1.plus(&on_uneven.1);
        let solves = both.solves.max(1) as f64;
        let iterations = both.iterations as f64;
        let milliseconds = both.seconds * 1.0e3;
        columns.push((
            paper,
            [
                rate(&on_flat.0),
                rate(&on_uneven.0),
                milliseconds / solves,
                iterations / solves,
                milliseconds / iterations.max(1.0),
                both.halvings as f64 / iterations.max(1.0),
                100.0 * both.ceilings as f64 / solves,
            ],
        ));
    }
    quality
        .note("anchored by the Jacobian alone, hips on a line with a sine, feet put where the stride ends");
    let mut table = Table::new(
        "The paper's walker as it is written (Table 1.4)",
        &["measurement", "half", "paper", "full", "paper", "hybrid", "paper"],
    );
    let rows = [
        ("flat floor, frames a second", 0),
        ("uneven terrain, frames a second", 0),
        ("a solve, ms", 5),
        ("iterations a solve", 2),
        ("an iteration, ms", 6),
        ("halvings an iteration", 3),
        ("solves that end at the ceiling, %", 1),
    ];
    for (i, (what, digits)) in rows.into_iter().enumerate() {
        let mut row = vec![what.into()];
        for (paper, own) in &columns {
            row.push(Cell::number(own[i], digits));
            let printed = paper.get(i).copied().flatten();
            row.push(printed.map_or("—".into(), |value| format!("{value}").into()));
        }
        table.row(row);
    }
    table.note(format!(
        "two chains a frame of 7 angles (8 with the toes); ceilings {OUTER} and 20; near enough: 1 mm and 0.01 rad; \
         uneven: a flight of stairs and {hills} hills; nothing is drawn, in the paper the frames are; f32, one thread"
    ));
    let [first, second] = flops::tables();
    Some(vec![first, second, table, quality, limps(skeleton, seconds)?])
}

/// The walks of a mode over these grounds, and what their solves took.
fn walks(
    skeleton: &Skeleton,
    grounds: &[Box<dyn Terrain>],
    mode: Mode,
    seconds: f64,
) -> Option<(Walk, Cost)> {
    let mut all = (Walk::default(), Cost::default());
    for ground in grounds {
        for kind in [Kind::Straight, Kind::Arcs] {
            for inputs in kind.walks((seconds, RATE), (0, 0)) {
                let mut walker = MovingIk::new(skeleton, mode, &**ground)?;
                all.0.add(&follow(skeleton, &mut walker, &**ground, &inputs)?);
                all.1 = all.1.plus(&walker.cost);
            }
        }
    }
    Some(all)
}

fn follow(
    skeleton: &Skeleton,
    walker: &mut MovingIk,
    ground: &dyn Terrain,
    inputs: &[WalkInput],
) -> Option<Walk> {
    let mut measure = Measure::new(skeleton, RATE)?;
    let mut pose = Pose::rest(skeleton);
    let mut walk = Walk { walks: 1, stood: 1, ..Walk::default() };
    for &input in inputs {
        let start = Instant::now();
        walker.step(ground, input, (1.0 / RATE) as Real);
        walk.times.push(start.elapsed().as_secs_f64() * 1.0e6);
        walker.show(skeleton, &mut pose);
        measure.look(ground, &pose);
    }
    walk.seen = measure.seen();
    Some(walk)
}

/// What weights on a chain do: how far each knee bends and straightens on a walk.
fn limps(skeleton: &Skeleton, seconds: f64) -> Option<Table> {
    let mut table = Table::new(
        "The paper's walker: weights on a chain make a limp",
        &["right knee's weight", "left knee bends by °", "right knee bends by °"],
    );
    for weight in [1.0, LIMP] {
        let mut walker = MovingIk::new(skeleton, Mode::Half, &Ground::Flat)?;
        walker.stiffen_right_knee(weight);
        let mut ranges = [(Real::INFINITY, Real::NEG_INFINITY); 2];
        for inputs in Kind::Straight.walks((seconds, RATE), (0, 0)) {
            for input in inputs {
                walker.step(&Ground::Flat, input, (1.0 / RATE) as Real);
                for (range, knee) in ranges.iter_mut().zip(walker.knees()) {
                    *range = (range.0.min(knee), range.1.max(knee));
                }
            }
        }
        let [left, right] = ranges.map(|(low, high)| Cell::number(f64::from((high - low).to_degrees()), 1));
        table.row(vec![Cell::number(f64::from(weight), 1), left, right]);
    }
    table.note("half Jacobian on a flat floor, straight on");
    Some(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_walker_walks_on_its_toes_and_limps_by_its_weights() {
        let skeleton = sinew::rigs::by_name("humanoid").unwrap();
        let flat: Vec<Box<dyn Terrain>> = vec![Box::new(Ground::Flat)];
        for mode in [Mode::Half, Mode::Full, Mode::Hybrid] {
            let (walk, cost) = walks(&skeleton, &flat, mode, 8.0).unwrap();
            assert!(cost.solves > 1000 && cost.iterations > cost.solves / 2, "{mode:?} {cost:?}");
            // It does walk: stances begin and end on both feet.
            assert!(walk.seen.drifts.len() > 12, "{mode:?}: {} stances", walk.seen.drifts.len());
        }
        let table = limps(&skeleton, 8.0).unwrap();
        let bends: Vec<f64> = table.rows.iter().map(|row| row[2].to_string().parse().unwrap()).collect();
        assert!(bends[1] < 0.8 * bends[0], "{bends:?}");
    }
}
