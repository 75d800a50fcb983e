//! The continuity contract of every general solver: a small move of a target is
//! a small move of every joint, also where solvers tend to pop.
//!
//! The bounds are what was measured, and a fifth more for other processors, so
//! that a solver which becomes less smooth is noticed. Tighten a bound when its
//! solver gets better; `cargo test --test engine continuity:: -- --nocapture` prints what
//! is measured. The published methods are kept as they are published, pops and
//! all: their large bounds say so.

use sinew::SolverSpec;

#[path = "../../../sinew-eval/src/solvers/paths.rs"]
mod paths;

/// Degrees per millimetre of the target.
type Bounds = [f64; 4];

/// The bounds of each solver in single and in double precision, on the paths
/// full extension, full extension with limits, along a limit's edge and past
/// the antipode.
const BOUNDS: [(&str, Bounds, Bounds); 12] = [
    ("robust", [4.0, 3.6, 1.0, 0.22], [4.0, 3.6, 1.0, 0.22]),
    ("ewbik", [4.4, 6.1, 0.23, 0.71], [6.3, 39.9, 0.23, 0.71]),
    ("ccd", [7.2, 4.9, 0.23, 0.69], [6.9, 49.0, 0.21, 0.69]),
    ("ccd-root-to-tip", [9.2, 5.8, 0.22, 0.89], [9.2, 4.3, 0.21, 0.88]),
    ("fabrik", [3.2, 3.8, 0.36, 0.2], [3.2, 3.8, 0.36, 0.2]),
    ("half-jacobian", [5.8, 4.1, 76.2, 0.23], [5.8, 4.1, 76.2, 0.23]),
    ("transpose", [1.7, 1.9, 0.47, 0.24], [9.2, 5.7, 0.41, 0.22]),
    ("pseudo-inverse", [5.7, 6.8, 60.0, 0.23], [5.7, 6.8, 60.0, 0.23]),
    ("dls", [3.1, 4.5, 36.6, 0.22], [3.1, 4.5, 36.6, 0.22]),
    ("dls-svd", [5.5, 4.0, 60.0, 0.23], [5.5, 4.0, 60.0, 0.23]),
    ("sdls", [3.2, 6.0, 34.9, 0.22], [3.2, 6.0, 34.9, 0.22]),
    ("priority", [5.5, 41.4, 28.8, 0.23], [5.5, 70.1, 27.5, 0.23]),
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
