//! Figures 10 to 13.

use sinew::rigs::ErikRobot;
use sinew_draw::plot::{Axis, Mark, Plot};

use super::block::{BIN, BINS, Bins, Block, Moments};
use super::method::Method;
use super::results::Results;

/// A plot and the name of its file.
pub type Named = (String, Plot);

/// All figures that the results have samples for.
pub fn all(results: &Results) -> Vec<Named> {
    let mut plots: Vec<Named> = Vec::new();
    let threshold = results.measure.threshold;
    for robot in &results.robots {
        if let Some(total) = robot.total(Method::Erik) {
            plots.push((
                format!("fig12-{:?}.png", robot.robot),
                histogram(format!("Robot {:?}: errors of ERIK", robot.robot), threshold)
                    .pipe(|p| steps(p, "combined", &total.combined_bins, total.samples))
                    .pipe(|p| steps(p, "orientation", &total.orientation_bins, total.samples))
                    .pipe(|p| steps(p, "posture × 0.2", &total.posture_bins, total.samples)),
            ));
        }
    }
    let pick: [(&str, &str, Pick); 3] = [
        ("combined", "combined error", |b| &b.combined),
        ("orientation", "orientation error", |b| &b.orientation),
        ("posture", "posture error × 0.2", |b| &b.weighted_posture),
    ];
    for (file, what, moments) in pick {
        let mut plot = Plot::new(format!("Robots B to G: normal distribution of the {what}"))
            .x(Axis::linear(what).range(0.0, 0.12))
            .y(Axis::linear("density"));
        for robot in results.robots.iter().filter(|r| r.robot != ErikRobot::A) {
            if let Some(total) = robot.total(Method::Erik) {
                let m = moments(&total);
                plot = plot.line(format!("{:?}", robot.robot), normal(m, total.samples));
            }
        }
        if !plot.series.is_empty() {
            plots.push((format!("fig11-{file}.png"), plot));
        }
    }
    let Some(c) = results.robot(ErikRobot::C) else { return plots };
    if let (Some(erik), Some(alone)) = (c.total(Method::Erik), c.total(Method::Dls100NoPosture)) {
        let plot = histogram("Robot C: orientation error of ERIK and of the DLS without posture", threshold)
            .pipe(|p| steps(p, "ERIK", &erik.orientation_bins, erik.samples))
            .pipe(|p| steps(p, "DLS100 without posture", &alone.orientation_bins, alone.samples));
        plots.push(("fig10.png".into(), plot));
    }
    if c.total(Method::Dls100).is_some() {
        for (file, what, moments) in pick {
            let mut plot = Plot::new(format!("Robot C: normal distribution of the {what}"))
                .x(Axis::linear(what).range(0.0, 0.3))
                .y(Axis::linear("density"));
            for (method, _) in c.methods.iter().filter(|(m, _)| *m != Method::Dls100NoPosture) {
                if let Some(total) = c.total(*method) {
                    plot = plot.line(method.name(), normal(moments(&total), total.samples));
                }
            }
            plots.push((format!("fig13-{file}.png"), plot));
        }
    }
    plots
}

type Pick = fn(&Block) -> &Moments;

/// A plot of shares over errors, with the threshold.
fn histogram(title: impl Into<String>, threshold: f64) -> Plot {
    let mut plot = Plot::new(title)
        .x(Axis::linear("error").range(0.0, 0.12))
        .y(Axis::log("share of the samples").range(1.0e-6, 1.0));
    plot = plot.add("threshold", Mark::Dashed, [(threshold, 1.0e-6), (threshold, 1.0)]);
    plot
}

/// Adds how often errors fell where, as steps.
fn steps(plot: Plot, name: &str, bins: &Bins, samples: u64) -> Plot {
    let last = bins.0.last().map_or(0, |(bin, _)| usize::from(*bin) + 1).min(BINS);
    let mut points: Vec<(f64, f64)> = (0..=last).map(|bin| (bin as f64 * BIN, 1.0e-7)).collect();
    for (bin, count) in &bins.0 {
        if let Some(point) = points.get_mut(usize::from(*bin)) {
            point.1 = *count as f64 / samples.max(1) as f64;
        }
    }
    plot.add(name, Mark::Line, points)
}

/// The normal distribution with the mean and deviation of the samples.
fn normal(moments: &Moments, samples: u64) -> Vec<(f64, f64)> {
    let (mean, deviation) = (moments.mean(samples), moments.deviation(samples).max(1.0e-6));
    (0..=600)
        .map(|i| {
            let x = f64::from(i) * 5.0e-4;
            let z = (x - mean) / deviation;
            (x, (-0.5 * z * z).exp() / (deviation * std::f64::consts::TAU.sqrt()))
        })
        .collect()
}

trait Pipe: Sized {
    fn pipe(self, f: impl FnOnce(Self) -> Self) -> Self {
        f(self)
    }
}

impl Pipe for Plot {}
