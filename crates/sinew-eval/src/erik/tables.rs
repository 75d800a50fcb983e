//! Tables 8 and 9 beside the paper's, and how long its whole sweep would take.

use sinew::rigs::ErikRobot;

use super::method::Method;
use super::results::{Results, Timings};
use super::sweep::Reading;
use crate::table::{Cell, Table};

/// Orientations of the paper's sweep.
pub const PAPER_ORIENTATIONS: usize = 7609;

/// Samples of the paper's sweep, as its text says.
pub const PAPER_SAMPLES: u64 = 239_245_243;

/// Postures of the paper's sweep (Table 8).
pub const fn paper_postures(robot: ErikRobot) -> usize {
    match robot {
        ErikRobot::A => 33,
        ErikRobot::B => 377,
        ErikRobot::C | ErikRobot::D | ErikRobot::E => 3789,
        ErikRobot::F => 8305,
        ErikRobot::G => 19657,
    }
}

/// What Table 8 says of a method on a robot; times in milliseconds, on a laptop of 2017.
struct Effort {
    iterations: f64,
    most_iterations: f64,
    time: f64,
    most_time: f64,
}

const fn paper_effort(robot: ErikRobot, method: Method) -> Option<Effort> {
    let (iterations, most_iterations, time, most_time) = match (robot, method) {
        (ErikRobot::A, Method::Erik | Method::Published | Method::Shipped) => (4.14, 7.0, 45.0, 126.0),
        (ErikRobot::B, Method::Erik | Method::Published | Method::Shipped) => (3.42, 10.0, 45.0, 189.0),
        (ErikRobot::C, Method::Erik | Method::Published | Method::Shipped) => (2.31, 12.0, 37.0, 1165.0),
        (ErikRobot::D, Method::Erik | Method::Published | Method::Shipped) => (2.02, 13.0, 36.0, 458.0),
        (ErikRobot::E, Method::Erik | Method::Published | Method::Shipped) => (1.93, 12.0, 28.0, 225.0),
        (ErikRobot::F, Method::Erik | Method::Published | Method::Shipped) => (1.61, 13.0, 35.0, 368.0),
        (ErikRobot::G, Method::Erik | Method::Published | Method::Shipped) => (1.35, 11.0, 74.0, 759.0),
        (ErikRobot::C, Method::Dls100) => (63.0, 100.0, 167.0, 2112.0),
        (ErikRobot::C, Method::Dls200) => (120.0, 200.0, 298.0, 3822.0),
        (ErikRobot::C, Method::Dls400) => (234.0, 400.0, 678.0, 7520.0),
        _ => return None,
    };
    Some(Effort { iterations, most_iterations, time, most_time })
}

/// Means and deviations of orientation, weighted posture and combined error of Table 9.
pub const fn paper_errors(robot: ErikRobot, method: Method) -> Option<[(f64, f64); 3]> {
    match (robot, method) {
        (ErikRobot::C, Method::Erik | Method::Published | Method::Shipped) => {
            Some([(0.005819, 0.009977), (0.020795, 0.021520), (0.026614, 0.021258)])
        }
        (ErikRobot::C, Method::Dls100) => {
            Some([(0.052744, 0.085997), (0.034323, 0.020593), (0.087067, 0.086930)])
        }
        (ErikRobot::C, Method::Dls200) => {
            Some([(0.052652, 0.085980), (0.034321, 0.020591), (0.086973, 0.086897)])
        }
        (ErikRobot::C, Method::Dls400) => {
            Some([(0.052523, 0.085669), (0.034308, 0.020579), (0.086831, 0.086581)])
        }
        _ => None,
    }
}

fn known(value: Option<f64>, digits: usize) -> Cell {
    value.map_or("—".into(), |v| Cell::number(v, digits))
}

/// Table 8: how many samples, iterations, and how long.
pub fn effort(results: &Results, timings: &Timings) -> Table {
    let mut table = Table::new(
        "ERIK, Table 8: effort",
        &[
            "robot",
            "DoF",
            "method",
            "postures",
            "samples",
            "iterations",
            "s.d.",
            "most",
            "paper",
            "paper's most",
            "µs a sample",
            "s.d.",
            "most",
            "paper, ms",
            "paper's most, ms",
            "within threshold %",
            "over limit rad",
        ],
    );
    for robot in &results.robots {
        for (method, blocks) in &robot.methods {
            let Some(total) = robot.total(*method).filter(|_| *method != Method::Dls100NoPosture) else {
                continue;
            };
            let n = total.samples;
            let time = timings.get(robot.robot, *method).filter(|t| t.samples > 0);
            let paper = paper_effort(robot.robot, *method);
            table.row(vec![
                format!("{:?}", robot.robot).into(),
                Cell::number(robot.robot.axes().len() as f64, 0),
                method.name().into(),
                Cell::number(blocks.len() as f64, 0),
                Cell::number(n as f64, 0),
                Cell::number(total.iterations.mean(n), 2),
                Cell::number(total.iterations.deviation(n), 2),
                Cell::number(total.iterations.most, 0),
                known(paper.as_ref().map(|p| p.iterations), 2),
                known(paper.as_ref().map(|p| p.most_iterations), 0),
                known(time.map(|t| t.micros.mean(t.samples)), 2),
                known(time.map(|t| t.micros.deviation(t.samples)), 2),
                known(time.map(|t| t.micros.most), 0),
                known(paper.as_ref().map(|p| p.time), 0),
                known(paper.as_ref().map(|p| p.most_time), 0),
                Cell::number(100.0 * total.within as f64 / n.max(1) as f64, 2),
                Cell::number(total.over_limit, 7),
            ]);
        }
    }
    let m = results.measure;
    table.note(match results.reading {
        Reading::Roll => "orientations: yaw about y, pitch about x, roll about z",
        Reading::Twist => "orientations: yaw about y, pitch about x, twist about the pointing axis (Fig. 9)",
    });
    table.note(format!(
        "seed {}; {} orientations a posture; weights {:.1} and {:.1}, threshold {:.2}, α = {} (not stated in the paper)",
        results.seed, results.orientations, m.orientation_weight, m.posture_weight, m.threshold, m.aggravation
    ));
    table.note(format!(
        "f32; times: the least of the repeats, {} threads at once; iterations are ERIK's, without the optimiser's steps",
        timings.threads.max(1)
    ));
    table.note("DLS: samples whose orientation alone it solves within three thresholds, as in the paper");
    table
}

/// Table 9 for every robot: the errors.
pub fn errors(results: &Results) -> Table {
    let mut table = Table::new(
        "ERIK, Table 9: errors",
        &[
            "robot",
            "method",
            "orientation",
            "s.d.",
            "paper",
            "s.d.",
            "posture × 0.2",
            "s.d.",
            "paper",
            "s.d.",
            "combined",
            "s.d.",
            "paper",
            "s.d.",
            "most orientation",
            "most posture",
        ],
    );
    for robot in &results.robots {
        for (method, _) in &robot.methods {
            let Some(total) = robot.total(*method).filter(|_| *method != Method::Dls100NoPosture) else {
                continue;
            };
            let n = total.samples;
            let paper = paper_errors(robot.robot, *method);
            let mut row: Vec<Cell> = vec![format!("{:?}", robot.robot).into(), method.name().into()];
            for (i, moments) in
                [total.orientation, total.weighted_posture, total.combined].into_iter().enumerate()
            {
                row.push(Cell::number(moments.mean(n), 6));
                row.push(Cell::number(moments.deviation(n), 6));
                row.push(known(paper.map(|p| p[i].0), 6));
                row.push(known(paper.map(|p| p[i].1), 6));
            }
            row.push(Cell::number(total.orientation.most, 4));
            row.push(Cell::number(total.weighted_posture.most, 4));
            table.row(row);
        }
    }
    table.note(
        "combined = orientation + posture × 0.2; 'as published' stops at the threshold, as the paper's does",
    );
    table
}

/// How long the paper's sweep would take, from the mean times of this run.
pub fn estimate(results: &Results, timings: &Timings) -> Option<String> {
    let mut hours = 0.0;
    let mut samples = 0.0;
    for robot in ErikRobot::ALL {
        let time = timings.get(robot, Method::Erik).filter(|t| t.samples > 0)?;
        let count = (paper_postures(robot) * PAPER_ORIENTATIONS) as f64;
        hours += count * time.micros.mean(time.samples) / 3.6e9;
        samples += count;
    }
    let run: u64 = results.robots.iter().filter_map(|r| r.total(Method::Erik)).map(|t| t.samples).sum();
    let whole = hours * PAPER_SAMPLES as f64 / samples;
    Some(format!(
        "the paper's {PAPER_SAMPLES} samples would take {:.1} minutes on one core ({:.1} for the {samples} that \
         its table adds up to), by the {run} of this run ({:.2} %)",
        60.0 * whole,
        60.0 * hours,
        100.0 * run as f64 / samples
    ))
}

/// How much faster ERIK is than the DLS on robot C, and by how much its errors
/// are smaller: one line for people.
pub fn verdict(results: &Results, timings: &Timings) -> Option<String> {
    let c = results.robot(ErikRobot::C)?;
    let (erik, dls) = (c.total(Method::Erik)?, c.total(Method::Dls100)?);
    let time = |m| timings.get(ErikRobot::C, m).filter(|t| t.samples > 0);
    let (fast, slow) = (time(Method::Erik)?, time(Method::Dls100)?);
    Some(format!(
        "robot C against DLS100: {:.1} times as fast, orientation error {:.6} against {:.6}, posture {:.6} against {:.6}",
        slow.micros.mean(slow.samples) / fast.micros.mean(fast.samples),
        erik.orientation.mean(erik.samples),
        dls.orientation.mean(dls.samples),
        erik.weighted_posture.mean(erik.samples),
        dls.weighted_posture.mean(dls.samples),
    ))
}
