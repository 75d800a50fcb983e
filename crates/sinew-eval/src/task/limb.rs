//! T1: two bones and a pole.

use std::hint::black_box;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use serde::Serialize;
use sinew::analytic::{TwoBone, TwoBoneOptions, TwoBoneSolution};
use sinew::math::{Quat, Real, Vec3};

use super::TaskSummary;
use super::format::TaskFile;

/// What the result calls it.
pub(super) const SOLVER: &str = "two-bone";
/// How often the whole list is timed.
const REPEATS: usize = 21;
/// How many answers the result holds.
const SHOWN: usize = 2000;

#[derive(Serialize)]
struct LimbResult<'a> {
    format: &'static str,
    system: &'static str,
    version: &'static str,
    task: &'a str,
    settings: &'static str,
    ns_per_solve: f64,
    ns_min: f64,
    ns_max: f64,
    reps: usize,
    /// Middle joint and end for the first targets.
    points: Vec<[[Real; 3]; 2]>,
}

pub(super) fn run(name: &str, task: &TaskFile) -> Result<(String, TaskSummary)> {
    let rest = task.rest.as_ref().context("rest: missing")?;
    let rows: Vec<[Real; 6]> =
        serde_json::from_value(task.targets.clone()).context("targets: expected rows of 6 numbers")?;
    ensure!(!rows.is_empty(), "targets: expected at least one");
    let v = |a: [f64; 3]| Vec3::new(a[0] as Real, a[1] as Real, a[2] as Real);
    let q = rest.mid_q;
    let turned = Quat::from_xyzw(q[0] as Real, q[1] as Real, q[2] as Real, q[3] as Real);
    ensure!(turned.length() > 0.5, "rest.mid_q: not a rotation");
    let axis = turned.normalize() * v(rest.mid_axis_local);
    let limb = TwoBone::new(v(rest.mid), v(rest.end), axis, &TwoBoneOptions::default())
        .context("rest: not two bones")?;
    let targets: Vec<(Vec3, Vec3)> =
        rows.iter().map(|r| (Vec3::new(r[0], r[1], r[2]), Vec3::new(r[3], r[4], r[5]))).collect();
    let mut answers: Vec<TwoBoneSolution> = vec![limb.solve(targets[0].0, targets[0].1); targets.len()];
    let mut times = Vec::with_capacity(REPEATS);
    for repeat in 0..=REPEATS {
        let clock = Instant::now();
        for ((target, pole), answer) in targets.iter().zip(&mut answers) {
            *answer = limb.solve(*target, *pole);
        }
        black_box(&mut answers);
        // The first time through is to warm up.
        if repeat > 0 {
            times.push(clock.elapsed().as_nanos() as f64 / targets.len() as f64);
        }
    }
    times.sort_by(f64::total_cmp);
    let tolerance = task.tolerance.unwrap_or(1.0e-3) as Real;
    let reached = answers
        .iter()
        .zip(&targets)
        .filter(|(answer, (target, _))| limb.place(answer).1.distance(*target) <= tolerance)
        .count();
    let points = answers
        .iter()
        .take(SHOWN)
        .map(|answer| {
            let (mid, end) = limb.place(answer);
            [mid.to_array(), end.to_array()]
        })
        .collect();
    let result = LimbResult {
        format: "ik-result/1",
        system: "sinew two-bone",
        version: env!("CARGO_PKG_VERSION"),
        task: name,
        settings: "f32, exact",
        ns_per_solve: times[times.len() / 2],
        ns_min: times[0],
        ns_max: times[times.len() - 1],
        reps: REPEATS,
        points,
    };
    let summary = TaskSummary {
        task: name.to_owned(),
        solver: SOLVER,
        targets: targets.len(),
        reached,
        median_us: result.ns_per_solve / 1.0e3,
        p95_us: times[(times.len() - 1) * 95 / 100] / 1.0e3,
    };
    Ok((serde_json::to_string(&result)?, summary))
}

#[cfg(test)]
mod tests {
    use super::super::{TaskOptions, run};

    const LIMB: &str = r#"{
        "format": "ik-task/1", "task": "T1", "upper": 0.3, "lower": 0.25, "tolerance": 1e-3,
        "rest": {"start": [0, 0, 0], "mid": [0.3, 0, 0], "end": [0.5165064, -0.125, 0],
                 "start_q": [0, 0, 0, 1], "mid_q": [0, 0, -0.258819, 0.9659258],
                 "mid_axis_local": [0, 0, 1]},
        "targets": [[0.2, 0.3, 0.1, 0, 0, 1], [-0.3, 0.1, 0.2, 1, 0, 0.5], [0.4, 0, 0, 0, -1, 0]]}"#;

    #[test]
    fn a_limb_reaches_on_the_side_of_its_pole() {
        let (text, summary) = run("limb", LIMB, &TaskOptions::default()).unwrap();
        assert_eq!((summary.targets, summary.reached, summary.solver), (3, 3, "two-bone"));
        let result: serde_json::Value = serde_json::from_str(&text).unwrap();
        let points: Vec<[[f64; 3]; 2]> = serde_json::from_value(result["points"].clone()).unwrap();
        let length = |a: [f64; 3]| a.iter().map(|x| x * x).sum::<f64>().sqrt();
        for [elbow, _] in &points {
            assert!((length(*elbow) - 0.3).abs() < 1e-5);
        }
        assert!((points[2][1][0] - 0.4).abs() < 1e-5 && points[2][0][1] < -0.1);
        assert!(result["ns_per_solve"].as_f64().unwrap() > 0.0);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let refused =
            |text: &str, options: &TaskOptions| format!("{:#}", run("x", text, options).unwrap_err());
        let other = TaskOptions { solver: Some("ccd".into()), ..TaskOptions::default() };
        assert!(refused(LIMB, &other).contains("two-bone"));
        let plain = TaskOptions::default();
        assert!(refused(&LIMB.replace("0.3, 0, 0]", "0, 0, 0]"), &plain).contains("no length"));
        assert!(refused(&LIMB.replace("\"mid_q\": [0", "\"mid_x\": [0"), &plain).contains("mid_q"));
        assert!(refused(&LIMB.replace(", 1, 0, 0.5]", "]"), &plain).contains("rows of 6"));
    }
}
