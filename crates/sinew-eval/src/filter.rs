//! The motion filter's characters: `sinew eval filter`.

use sinew_draw::plot::{Axis, Plot};
use sinew_f64::filter::{AxisFilter, FilterOptions};

use crate::table::{Cell, Table};

/// The characters that are shown.
pub fn characters() -> [(&'static str, FilterOptions); 3] {
    [
        ("light", FilterOptions::light()),
        ("default", FilterOptions::default()),
        ("heavy", FilterOptions::heavy()),
    ]
}

/// How long each character takes, and its bounds.
pub fn table() -> Table {
    let mut table = Table::new(
        "The motion filter: latency of a move from rest to rest, to its last hundredth",
        &[
            "character",
            "order",
            "σ",
            "ρ",
            "rad/s",
            "rad/s²",
            "rad/s³",
            "0.01 rad, s",
            "0.1 rad, s",
            "1 rad, s",
        ],
    );
    for (name, options) in characters() {
        for (order, word) in [(1, "first"), (2, "second"), (3, "third")] {
            let options = FilterOptions { order, ..options };
            let axis = AxisFilter::new(options, -2.0, 2.0, 0.0);
            let mut row: Vec<Cell> = vec![name.into(), word.into()];
            for value in [options.smoothness, options.responsiveness] {
                row.push(Cell::number(value, 2));
            }
            for value in [options.velocity, options.acceleration, options.jerk] {
                row.push(Cell::number(value, 1));
            }
            row.extend([0.01, 0.1, 1.0].map(|way| Cell::number(axis.latency(way), 3)));
            table.row(row);
        }
    }
    table.note("the filter buffers nothing: a set-point acts in the step that it is given to");
    table
}

/// Set-points that jump: seconds and radians.
const STEPS: [(f64, f64); 5] = [(0.0, 0.0), (0.3, 1.0), (2.0, -0.6), (2.5, 0.8), (4.0, 2.0)];
/// The joint's range.
const RANGE: f64 = 1.5;

fn set_point(time: f64) -> f64 {
    STEPS.iter().rev().find(|(from, _)| time >= *from).map_or(0.0, |(_, to)| *to)
}

/// Places, and derivatives as parts of their bounds, for set-points that jump
/// and one that lies beyond the range.
pub fn plots() -> Vec<(String, Plot)> {
    let dt = 1.0 / 120.0;
    let times: Vec<f64> = (0..=(7.0 / dt) as u32).map(|i| f64::from(i) * dt).collect();
    let mut places = Plot::new("Set-points that jump, through three characters")
        .x(Axis::linear("time, s"))
        .y(Axis::linear("angle, rad"))
        .level("end of the range", RANGE)
        .line("set-point", times.iter().map(|t| (*t, set_point(*t))));
    let mut plots = Vec::new();
    for (name, options) in characters() {
        let mut axis = AxisFilter::new(options, -RANGE, RANGE, 0.0);
        let mut lines: [Vec<(f64, f64)>; 4] = Default::default();
        for t in &times {
            let before = axis.acceleration();
            let now = axis.step(set_point(*t), dt);
            lines[0].push((*t, now));
            lines[1].push((*t, axis.velocity() / options.velocity));
            lines[2].push((*t, axis.acceleration() / options.acceleration));
            lines[3].push((*t, (axis.acceleration() - before) / dt / options.jerk));
        }
        let [place, velocity, acceleration, jerk] = lines;
        places = places.line(name, place);
        let plot = Plot::new(format!("A {name} character: derivatives as parts of their bounds"))
            .x(Axis::linear("time, s"))
            .y(Axis::linear("part of the bound").range(-1.1, 1.1))
            .level("bound", 1.0)
            .level("", -1.0)
            .line("jerk", jerk)
            .line("acceleration", acceleration)
            .line("velocity", velocity);
        plots.push((format!("filter-{name}.png"), plot));
    }
    plots.insert(0, ("filter.png".into(), places));
    plots.push(("filter-published.png".into(), both()));
    plots
}

/// The two filters on the same set-points: jumps, then one that swings to and fro.
fn both() -> Plot {
    let dt = 1.0 / 120.0;
    let times: Vec<f64> = (0..=(8.0 / dt) as u32).map(|i| f64::from(i) * dt).collect();
    let wanted = |t: f64| match t {
        t if t < 4.0 => set_point(t),
        t => 0.8 * ((t - 4.0) * std::f64::consts::PI).cos(),
    };
    let mut plot = Plot::new("The same set-points through the filter and the one as published (eq. 23)")
        .x(Axis::linear("time, s"))
        .y(Axis::linear("angle, rad"))
        .line("set-point", times.iter().map(|t| (*t, wanted(*t))));
    for (name, published) in [("bounded", false), ("as published", true)] {
        let options = FilterOptions { published, ..FilterOptions::default() };
        let mut axis = AxisFilter::new(options, -RANGE, RANGE, 0.0);
        let line: Vec<(f64, f64)> = times.iter().map(|t| (*t, axis.step(wanted(*t), dt))).collect();
        plot = plot.line(name, line);
    }
    plot
}
