//! The continuity contract of every general solver: a small move of a target is
//! a small move of every joint, also where solvers tend to pop.
//!
//! The bounds are what was measured, and a fifth more for other processors, so
//! that a solver which becomes less smooth is noticed. Tighten a bound when its
//! solver gets better; `cargo test --test continuity -- --nocapture` prints what
//! is measured. The published methods are kept as they are published, pops and
//! all: their large bounds say so.

#![allow(clippy::unwrap_used, clippy::panic)]

#[cfg(sinew_f64)]
extern crate sinew_f64 as sinew;

use sinew::SolverSpec;

#[path = "support/paths.rs"]
mod paths;

/// Degrees per millimetre of the target.
type Bounds = [f64; 4];

/// The bounds of each solver in single and in double precision, on the paths
/// full extension, full extension with limits, along a limit's edge and past
/// the antipode.
const BOUNDS: [(&str, Bounds, Bounds); 12] = [
    ("robust", [7.5, 10.0, 7.2, 0.25], [9.4, 7.6, 7.2, 0.25]),
    ("ewbik", [4.8, 5.0, 0.25, 0.75], [6.3, 40.0, 0.25, 0.75]),
    ("ccd", [8.2, 8.3, 0.25, 0.7], [8.1, 56.0, 0.25, 0.7]),
    ("ccd-root-to-tip", [11.4, 5.8, 0.25, 0.9], [11.4, 4.6, 0.25, 0.9]),
    ("fabrik", [3.7, 4.0, 0.4, 0.2], [3.7, 4.0, 0.4, 0.2]),
    ("half-jacobian", [8.0, 5.8, 76.0, 0.25], [8.0, 5.5, 76.0, 0.25]),
    ("transpose", [1.5, 1.5, 0.5, 0.25], [2.3, 69.0, 0.5, 0.25]),
    ("pseudo-inverse", [8.0, 31.0, 60.0, 0.25], [8.0, 6.9, 60.0, 0.25]),
    ("dls", [27.0, 25.0, 37.0, 0.25], [42.0, 4.5, 37.0, 0.25]),
    ("dls-svd", [7.7, 5.5, 60.0, 0.25], [7.7, 5.5, 60.0, 0.25]),
    ("sdls", [10.8, 6.0, 35.0, 0.25], [5.8, 24.0, 35.0, 0.25]),
    ("priority", [9.5, 42.0, 29.0, 0.25], [9.7, 70.0, 28.0, 0.25]),
];

#[test]
fn no_solver_swings_more_than_its_bound_on_any_path() {
    let paths = paths::paths();
    assert_eq!(paths.len(), 4);
    let mut broken = Vec::new();
    for spec in SolverSpec::all() {
        let name = spec.name();
        let row = BOUNDS.iter().find(|row| row.0 == name);
        let &(_, single, double) = row.unwrap_or_else(|| panic!("{name} has no bounds yet"));
        let bounds = if cfg!(sinew_f64) { double } else { single };
        let turns: Vec<f64> =
            paths.iter().map(|path| paths::follow(spec, path).unwrap().largest().to_degrees()).collect();
        println!("{name:15} {turns:.2?}");
        for ((path, turn), bound) in paths.iter().zip(turns).zip(bounds) {
            // A joint that never turns would pass any bound.
            if !(turn > 0.05 && turn <= bound) {
                broken.push(format!("{name}, {}: {turn:.2}°/mm, bound {bound}", path.name));
            }
        }
    }
    assert!(broken.is_empty(), "\n{}", broken.join("\n"));
}
