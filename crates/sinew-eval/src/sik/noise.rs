//! What the filter against noise gains: error and tremble with and without it.

use anyhow::Result;
use sinew::math::Vec3;
use sinew::{ModelPose, Pose};
use sinew_motion::reconstruct::add_noise;
use sinew_motion::{Method, Sequence, metric};

use crate::stats::mean;
use crate::table::{Cell, Table};

/// The standard deviations of every coordinate, in millimetres.
const SIZES: [f64; 4] = [2.0, 5.0, 10.0, 20.0];

/// What came of one motion.
#[derive(Debug, Clone, Copy)]
struct Outcome {
    position: f64,
    orientation: f64,
    /// The mean second difference of a joint's place, RMS over frames, in millimetres.
    tremble: f64,
}

/// The table over all sequences, averaged; every `stride`-th frame, by `sik+`.
pub fn run(sequences: &[Sequence], stride: usize, mut tick: impl FnMut(&str)) -> Result<Table> {
    let columns = [
        "noise, mm",
        "position, as it comes",
        "filtered",
        "orientation, rad, as it comes",
        "filtered",
        "tremble, mm, as it comes",
        "filtered",
    ];
    let mut table = Table::new("Noise on the six points, and the filter against it (sik+)", &columns);
    let average = |filter: bool, size: f64| -> Result<Outcome> {
        let mut all = Vec::new();
        for sequence in sequences {
            all.push(one(sequence, stride, size * 1.0e-3, filter)?);
        }
        let over = |f: fn(&Outcome) -> f64| mean(&all.iter().map(f).collect::<Vec<_>>());
        Ok(Outcome {
            position: over(|o| o.position),
            orientation: over(|o| o.orientation),
            tremble: over(|o| o.tremble),
        })
    };
    for size in [0.0].into_iter().chain(SIZES) {
        tick(&format!("{size} mm of noise"));
        let plain = average(false, size)?;
        let filtered = if size > 0.0 { Some(average(true, size)?) } else { None };
        let pair = |f: fn(&Outcome) -> f64, digits: usize| {
            let with = filtered.as_ref().map_or_else(|| "".into(), |o| Cell::number(f(o), digits));
            [Cell::number(f(&plain), digits), with]
        };
        let mut cells: Vec<Cell> = vec![Cell::number(size, 0)];
        cells.extend(pair(|o| o.position, 4));
        cells.extend(pair(|o| o.orientation, 4));
        cells.extend(pair(|o| o.tremble, 1));
        table.row(cells);
    }
    table.note("noise: the standard deviation of every coordinate of every point; the filter is told it and sees no frame ahead");
    table.note("tremble: the mean second difference of a compared joint's place from frame to frame, RMS over frames");
    Ok(table)
}

fn one(sequence: &Sequence, stride: usize, size: f64, filter: bool) -> Result<Outcome> {
    let skeleton = &sequence.skeleton;
    let noise = if filter { size } else { 0.0 };
    let mut method = Method::SikPlus.build_filtered(sequence, noise)?;
    let joints = sequence.compared();
    let height = f64::from(method.body.height());
    let chosen: Vec<&Pose> = sequence.frames.iter().step_by(stride.max(1)).collect();
    let mut given: Vec<_> =
        chosen.iter().map(|pose| method.body.points_of(&ModelPose::new(skeleton, pose))).collect();
    add_noise(&mut given, 1, size);
    let mut pose = method.start(sequence)?;
    let (mut original, mut made) = (ModelPose::rest(skeleton), ModelPose::rest(skeleton));
    let (mut errors, mut trembles) = (Vec::new(), Vec::new());
    let mut last: [Vec<Vec3>; 2] = [Vec::new(), Vec::new()];
    for (frame, truth) in given.iter().zip(chosen) {
        method.solve(sequence, frame, sequence.time_step(stride), &mut pose);
        original.update(skeleton, truth);
        made.update(skeleton, &pose);
        errors.push(metric::compare(&joints, height, (truth, &original), (&pose, &made)));
        let now: Vec<Vec3> = joints.iter().map(|&j| made.position(j)).collect();
        if last[0].len() == now.len() {
            let bends = (0..now.len()).map(|i| f64::from((now[i] - 2.0 * last[1][i] + last[0][i]).length()));
            trembles.push(1.0e3 * mean(&bends.collect::<Vec<_>>()));
        }
        let [before, _] = &mut last;
        *before = now;
        last.swap(0, 1);
    }
    Ok(Outcome {
        position: metric::rms(errors.iter().map(|e| e.position)),
        orientation: metric::rms(errors.iter().map(|e| e.orientation)),
        tremble: metric::rms(trembles.into_iter()),
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use sinew_motion::made;

    #[test]
    fn the_filter_lowers_error_and_tremble() {
        for sequence in made::sequences().unwrap() {
            let plain = one(&sequence, 1, 0.01, false).unwrap();
            let filtered = one(&sequence, 1, 0.01, true).unwrap();
            assert!(filtered.tremble < 0.5 * plain.tremble, "{}: {plain:?} {filtered:?}", sequence.name);
            assert!(filtered.position < plain.position, "{}: {plain:?} {filtered:?}", sequence.name);
        }
    }
}
