//! Judges result files of any system: `sinew eval score`.
//!
//! The poses are recomputed from the answers by `task/kinematics.rs`, whatever the system says of itself.
//! A pose of T2 counts only within the limits (a hinge a whole turn off counts as the same pose);
//! bones of T1 and T3 must have kept their lengths.

use std::f64::consts::TAU;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use super::format::TaskFile;
use super::kinematics::{self, Frame, Motion, Tree};
use crate::stats;
use crate::table::{Cell, Table};

/// How far beyond a limit an answer may be, in radians or metres.
const SLACK: f64 = 1.0e-6;

/// How far a bone's length may be off, in metres.
const STRETCH: f64 = 1.0e-4;

/// The heads of the table that [`judge`] fills.
pub fn table() -> Table {
    let mut table = Table::new(
        "Tasks that other systems can run too, judged by a forward kinematics of their own",
        &[
            "task",
            "system",
            "tolerance",
            "met %",
            "worst mm",
            "worst mrad",
            "over a limit",
            "bones off mm",
            "sweeps",
            "median µs",
            "p95 µs",
            "worst µs",
        ],
    );
    table.note("T1: two bones and a pole; T2: one pose from the middle of the ranges; T3: a chain to a point; T4: six poses, followed");
    table.note("worst mm and mrad: of the answers that count as met, or of all frames for T4; over a limit: answers with a joint beyond its range");
    table
}

/// Judges one result against its task; both are the text of their files. Adds a row to the table.
pub fn judge(task: &str, result: &str, table: &mut Table) -> Result<()> {
    let task: TaskFile = serde_json::from_str(task).context("not an ik-task file")?;
    let result: Value = serde_json::from_str(result).context("not JSON")?;
    ensure!(
        result["format"] == "ik-result/1",
        "the result's format is {}, not 'ik-result/1'",
        result["format"]
    );
    let text = |key: &str| result[key].as_str().unwrap_or_default().to_owned();
    let score = match task.task.as_str() {
        "T1" => limb(&task, &result)?,
        "T2" => reach(&task, &result)?,
        "T3" => chain(&task, &result)?,
        "T4" => follow(&task, &result)?,
        other => bail!("the task is '{other}'; known are T1, T2, T3 and T4"),
    };
    let times: Vec<f64> = match result["times_ns"].as_array() {
        Some(times) => times.iter().filter_map(Value::as_f64).map(|t| t / 1.0e3).collect(),
        None => ["ns_per_solve", "ns_max"]
            .iter()
            .filter_map(|key| result[*key].as_f64())
            .map(|t| t / 1.0e3)
            .collect(),
    };
    let sweeps: Vec<f64> =
        result["iters"].as_array().map(|n| n.iter().filter_map(Value::as_f64).collect()).unwrap_or_default();
    // T1 is timed as a whole: its median is that of the whole list, and there is no tail.
    let (median, tail) = match result["ns_per_solve"].as_f64() {
        Some(ns) => (ns / 1.0e3, None),
        None => (stats::median(&times), Some((stats::percentile(&times, 0.95), stats::largest(&times)))),
    };
    let or_none = |value: Option<f64>, digits| value.map_or("—".into(), |v| Cell::number(v, digits));
    table.row(vec![
        text("task").into(),
        format!("{} {}", text("system"), text("version")).into(),
        score.tolerance.clone().into(),
        Cell::number(100.0 * score.met as f64 / score.count.max(1) as f64, 2),
        Cell::number(1.0e3 * score.position, 4),
        or_none(score.orientation.map(|o| 1.0e3 * o), 4),
        or_none(score.over_limit.map(|n| n as f64), 0),
        or_none(score.stretch.map(|s| 1.0e3 * s), 5),
        or_none((!sweeps.is_empty()).then(|| stats::mean(&sweeps)), 1),
        Cell::number(median, 3),
        or_none(tail.map(|t| t.0), 3),
        or_none(tail.map(|t| t.1), 3),
    ]);
    Ok(())
}

/// What answers came to.
#[derive(Default)]
struct Score {
    tolerance: String,
    count: usize,
    met: usize,
    position: f64,
    orientation: Option<f64>,
    over_limit: Option<usize>,
    stretch: Option<f64>,
}

impl Score {
    fn met(&mut self, (metres, radians): (f64, f64)) {
        self.met += 1;
        self.position = self.position.max(metres);
        self.orientation = Some(self.orientation.unwrap_or(0.0).max(radians));
    }
}

fn rows(value: &Value, what: &str) -> Result<Vec<Vec<f64>>> {
    serde_json::from_value(value.clone()).with_context(|| format!("{what}: expected rows of numbers"))
}

/// The targets and as many answers, some of which may be missing.
fn answers(result: &Value, targets: usize) -> Result<Vec<Option<Vec<f64>>>> {
    let answers: Vec<Option<Vec<f64>>> =
        serde_json::from_value(result["q"].clone()).context("q: expected a list of joint values or null")?;
    ensure!(answers.len() == targets, "q: {} answers to {targets} targets", answers.len());
    Ok(answers)
}

fn points(result: &Value) -> Result<Vec<Vec<[f64; 3]>>> {
    serde_json::from_value(result["points"].clone()).context("points: expected lists of points")
}

fn apart(a: [f64; 3], b: [f64; 3]) -> f64 {
    kinematics::length(kinematics::add(a, b.map(|x| -x)))
}

fn tree(task: &TaskFile) -> Result<Tree> {
    Tree::new(task.model.as_ref().context("model: missing")?)
}

fn limb(task: &TaskFile, result: &Value) -> Result<Score> {
    let tolerance = task.tolerance.unwrap_or(1.0e-3);
    let rest = task.rest.as_ref().context("rest: missing")?;
    let (upper, lower) = (kinematics::length(rest.mid), apart(rest.mid, rest.end));
    let targets = rows(&task.targets, "targets")?;
    let mut score = Score {
        tolerance: format!("{tolerance:.0e} m, pole 1 mrad"),
        stretch: Some(0.0),
        ..Score::default()
    };
    for (answer, target) in points(result)?.iter().zip(&targets) {
        let ([elbow, hand], [tx, ty, tz, px, py, pz]) = (answer.as_slice(), target.as_slice()) else {
            bail!("points: expected elbow and hand for each target of 6 numbers")
        };
        let (target, pole) = ([*tx, *ty, *tz], [*px, *py, *pz]);
        let off = (kinematics::length(*elbow) - upper).abs().max((apart(*elbow, *hand) - lower).abs());
        score.stretch = score.stretch.map(|s| s.max(off));
        // The elbow and the pole on the same side of the line to the target.
        let axis = target.map(|x| x / kinematics::length(target));
        let across = |v: [f64; 3]| kinematics::add(v, axis.map(|x| -x * kinematics::dot(v, axis)));
        let (a, b) = (across(*elbow), across(pole));
        let aside =
            (kinematics::dot(a, b) / (kinematics::length(a) * kinematics::length(b))).clamp(-1.0, 1.0).acos();
        score.count += 1;
        let distance = apart(*hand, target);
        // acos has half of the digits near zero.
        if distance <= tolerance && off <= STRETCH && aside <= 1.0e-3 {
            score.met((distance, aside));
        }
    }
    ensure!(score.count > 0, "points: no answers");
    Ok(score)
}

/// Whether every hinge and slide is within its limit; a hinge may be whole turns away.
fn within_limits(tree: &Tree, q: &[f64]) -> bool {
    tree.nodes.iter().filter(|node| node.motion.width() == 1).all(|node| {
        let Some([min, max]) = node.limit else { return true };
        let mut value = q[node.first];
        if node.motion == Motion::Revolute && !(min - SLACK..=max + SLACK).contains(&value) {
            value += TAU * ((min - SLACK - value) / TAU).ceil();
        }
        (min - SLACK..=max + SLACK).contains(&value)
    })
}

fn reach(task: &TaskFile, result: &Value) -> Result<Score> {
    let tree = tree(task)?;
    let tip = tree.link(&task.effectors.first().context("effectors: expected one")?.link)?;
    let tolerance: [f64; 2] =
        serde_json::from_value(result["tol"].clone()).context("tol: expected metres and radians")?;
    let targets = rows(&task.targets, "targets")?;
    let mut score = Score {
        tolerance: format!("{:.0e} m, {:.0e} rad", tolerance[0], tolerance[1]),
        count: targets.len(),
        over_limit: Some(0),
        ..Score::default()
    };
    for (answer, target) in answers(result, targets.len())?.iter().zip(&targets) {
        let Some(q) = answer.as_ref().filter(|q| q.iter().all(|x| x.is_finite())) else { continue };
        let apart = tree.frames(q)?[tip].apart(&Frame::of_row(target)?);
        if !within_limits(&tree, q) {
            score.over_limit = score.over_limit.map(|n| n + 1);
        } else if apart.0 < tolerance[0] && apart.1 < tolerance[1] {
            score.met(apart);
        }
    }
    Ok(score)
}

fn chain(task: &TaskFile, result: &Value) -> Result<Score> {
    let tolerance = task.tolerance.unwrap_or(1.0e-3);
    let start = task.start_points.as_ref().context("start_points: missing")?;
    let lengths: Vec<f64> = start.windows(2).map(|pair| apart(pair[0], pair[1])).collect();
    let targets = rows(&task.targets, "targets")?;
    let mut score = Score {
        tolerance: format!("{tolerance:.0e} m"),
        count: targets.len(),
        stretch: Some(0.0),
        ..Score::default()
    };
    let points = points(result)?;
    ensure!(points.len() == targets.len(), "points: {} answers to {} targets", points.len(), targets.len());
    for (answer, target) in points.iter().zip(&targets) {
        ensure!(answer.len() == start.len(), "points: {} joints instead of {}", answer.len(), start.len());
        let [x, y, z] = target.as_slice() else { bail!("targets: expected rows of 3 numbers") };
        let off = answer.windows(2).zip(&lengths).map(|(pair, l)| (apart(pair[0], pair[1]) - l).abs());
        let off = off.fold(0.0, f64::max);
        score.stretch = score.stretch.map(|s| s.max(off));
        let distance = answer.last().map_or(f64::INFINITY, |&tip| apart(tip, [*x, *y, *z]));
        // Answers are judged in other digits than they were made in.
        if distance <= 1.001 * tolerance && off <= STRETCH {
            score.met((distance, 0.0));
        }
    }
    score.orientation = None;
    Ok(score)
}

/// Within which a frame counts as met: a millimetre and a milliradian.
const FRAME: f64 = 1.0e-3;

fn follow(task: &TaskFile, result: &Value) -> Result<Score> {
    let tree = tree(task)?;
    let links =
        task.effectors.iter().map(|effector| tree.link(&effector.link)).collect::<Result<Vec<usize>>>()?;
    let frames: Vec<Vec<Vec<f64>>> =
        serde_json::from_value(task.targets.clone()).context("targets: expected frames of poses")?;
    let mut score = Score {
        tolerance: format!("{FRAME:.0e} m, {FRAME:.0e} rad"),
        count: frames.len(),
        over_limit: Some(0),
        orientation: Some(0.0),
        ..Score::default()
    };
    for (answer, targets) in answers(result, frames.len())?.iter().zip(&frames) {
        let Some(q) = answer.as_ref().filter(|q| q.iter().all(|x| x.is_finite())) else {
            score.position = f64::INFINITY;
            continue;
        };
        let placed = tree.frames(q)?;
        let mut worst = (0.0f64, 0.0f64);
        for (&link, target) in links.iter().zip(targets) {
            let apart = placed[link].apart(&Frame::of_row(target)?);
            worst = (worst.0.max(apart.0), worst.1.max(apart.1));
        }
        score.position = score.position.max(worst.0);
        score.orientation = score.orientation.map(|o| o.max(worst.1));
        let within = within_limits(&tree, q);
        score.over_limit = score.over_limit.map(|n| n + usize::from(!within));
        score.met += usize::from(within && worst.0 < FRAME && worst.1 < FRAME);
    }
    Ok(score)
}

#[cfg(test)]
mod tests {
    use super::super::{TaskOptions, make, run};
    use super::*;

    /// Every task, a hundredth of it, by our solvers: made, run and judged from nothing.
    fn judged() -> Vec<(String, String, Table)> {
        make::all(0.01)
            .unwrap()
            .into_iter()
            .map(|(name, task)| {
                let options = TaskOptions { repeats: 1, ..TaskOptions::default() };
                let (result, _) = run(&name, &task, &options).unwrap();
                let mut table = table();
                judge(&task, &result, &mut table).unwrap();
                (task, result, table)
            })
            .collect()
    }

    fn met(table: &Table) -> f64 {
        match table.rows.last().and_then(|row| row.get(3)) {
            Some(Cell::Number(value, _)) => *value,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn every_task_is_made_solved_and_judged() {
        for (_, _, table) in judged() {
            assert_eq!(met(&table), 100.0, "{table}");
        }
    }

    #[test]
    fn a_wrong_answer_is_seen_whatever_the_system_says() {
        for (task, result, _) in judged() {
            let mut spoiled: Value = serde_json::from_str(&result).unwrap();
            for key in ["q", "points"] {
                let Some(rows) = spoiled[key].as_array_mut() else { continue };
                for row in rows {
                    let mut number = row.as_array_mut().unwrap().last_mut().unwrap();
                    while number.is_array() {
                        number = number.as_array_mut().unwrap().last_mut().unwrap();
                    }
                    *number = (number.as_f64().unwrap() + 0.05).into();
                }
            }
            let mut table = table();
            judge(&task, &spoiled.to_string(), &mut table).unwrap();
            assert!(met(&table) < 50.0, "{table}");
        }
    }
}
