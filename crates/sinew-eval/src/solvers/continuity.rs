//! Small moves of a target, small moves of every joint: the paths of the engine's
//! continuity contract, as a table and as traces to plot.

use sinew::SolverSpec;

use crate::table::{Cell, Table};

pub use super::paths::{Path, Trace, follow, paths};

/// A path's name, and the trace of each solver on it.
pub type Traces = (String, Vec<(&'static str, Trace)>);

/// Follows every path with every solver. `tick` is called after each. The
/// traces come back beside the table, for plots.
pub fn run(solvers: &[SolverSpec], mut tick: impl FnMut()) -> (Table, Vec<Traces>) {
    let paths = paths();
    let mut columns = vec!["solver"];
    columns.extend(paths.iter().map(|p| p.name));
    let mut table = Table::new("Largest turn of a joint per millimetre of the target, in degrees", &columns);
    let mut traces: Vec<Traces> = paths.iter().map(|p| (p.name.to_string(), Vec::new())).collect();
    for spec in solvers {
        let mut row: Vec<Cell> = vec![spec.name().into()];
        for (path, plot) in paths.iter().zip(&mut traces) {
            match follow(*spec, path) {
                Some(trace) => {
                    row.push(Cell::number(trace.largest().to_degrees(), 2));
                    plot.1.push((spec.name(), trace));
                }
                None => row.push("—".into()),
            }
            tick();
        }
        table.row(row);
    }
    table.note("steps of 1 mm, each solve from the last pose; 1 mm at the end of a 0.1 m bone is 0.57°");
    (table, traces)
}
