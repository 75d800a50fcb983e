//! The edge of a Kusudama as closed curves.
//!
//! The candidates are every cone's circle and every way's two arcs. Samples
//! that lie within another piece are not on the edge and are dropped, which
//! cuts the candidates into runs; runs are then joined, each to the one that
//! begins nearest to its end, until a curve closes. A ring of cones gives two
//! curves, an outer and an inner one.

use alloc::vec::Vec;

use super::Kusudama;
use crate::math::*;

/// Further inside than this is not on the edge.
const ON_EDGE: Real = 2.0e-4;

pub(super) fn of(kusudama: &Kusudama, segments: usize) -> Vec<Vec<Vec3>> {
    let mut runs = Vec::new();
    for circle in &kusudama.circles {
        if circle.radius() > 0.0 && circle.radius() < PI && !circle.is_swallowed() {
            let x = any_perpendicular(circle.axis());
            let y = circle.axis().cross(x);
            let ring: Vec<Vec3> = (0..segments)
                .map(|i| (TAU * i as Real / segments as Real).sin_cos())
                .map(|(s, c)| circle.point_towards(x * c + y * s))
                .collect();
            cut(kusudama, &ring, true, &mut runs);
        }
    }
    let pieces = (segments / 2).max(4);
    for pair in &kusudama.pairs {
        let a = kusudama.circles[pair.from()].axis();
        let b = kusudama.circles[pair.from() + 1].axis();
        cut(kusudama, &pair.arc(a, b, pieces).collect::<Vec<_>>(), false, &mut runs);
        cut(kusudama, &pair.mirrored_arc(a, b, pieces).collect::<Vec<_>>(), false, &mut runs);
    }
    join(runs)
}

/// Adds the runs of consecutive points that lie on the edge.
fn cut(kusudama: &Kusudama, points: &[Vec3], closed: bool, runs: &mut Vec<Vec<Vec3>>) {
    let on_edge: Vec<bool> = points.iter().map(|&p| kusudama.edge_distance(p) < ON_EDGE).collect();
    if on_edge.iter().all(|&e| e) {
        runs.push(points.to_vec());
        return;
    }
    // A ring is read from just after a gap, so that no run spans its seam.
    let start = if closed { on_edge.iter().position(|&e| !e).unwrap_or(0) } else { 0 };
    let mut run = Vec::new();
    for k in 0..points.len() {
        let i = (start + k) % points.len();
        if on_edge[i] {
            run.push(points[i]);
        } else if !run.is_empty() {
            runs.push(core::mem::take(&mut run));
        }
    }
    if !run.is_empty() {
        runs.push(run);
    }
}

/// Joins runs end to end into closed curves.
fn join(mut runs: Vec<Vec<Vec3>>) -> Vec<Vec<Vec3>> {
    let mut curves = Vec::new();
    while let Some(mut curve) = runs.pop() {
        while let (Some(&first), Some(&last)) = (curve.first(), curve.last()) {
            // A run may have to be turned round to continue the curve.
            let candidates = runs.iter().enumerate().flat_map(|(i, run)| {
                let ends = [(run.first(), false), (run.last(), true)];
                ends.into_iter()
                    .filter_map(move |(p, turned)| p.map(|p| (i, turned, (*p - last).length_squared())))
            });
            let next = candidates.min_by(|a, b| a.2.total_cmp(&b.2));
            let gap_to_close = if curve.len() > 2 { (first - last).length_squared() } else { Real::INFINITY };
            match next {
                Some((i, turned, gap)) if gap < gap_to_close => {
                    let mut run = runs.swap_remove(i);
                    if turned {
                        run.reverse();
                    }
                    curve.extend(run);
                }
                _ => break,
            }
        }
        if curve.len() > 2 {
            curves.push(curve);
        }
    }
    curves
}
