//! Envelopes over a whole clip: least or greatest of a neighbourhood, then smoothed over no
//! more than that neighbourhood, so that the bound holds and nothing jumps.

use alloc::vec::Vec;

use crate::math::*;

/// The mean over `reach` frames to both sides; the ends count as often as needed.
pub(super) fn mean(values: &[Real], reach: usize) -> Vec<Real> {
    let count = values.len();
    let at = |i: isize| values[i.clamp(0, count as isize - 1) as usize];
    let width = (2 * reach + 1) as Real;
    let reach = reach as isize;
    let mut sum: Real = (-reach..=reach).map(at).sum();
    let mut out = Vec::with_capacity(count);
    for i in 0..count as isize {
        out.push(sum / width);
        sum += at(i + reach + 1) - at(i - reach);
    }
    out
}

/// At least what is given, in every frame, without jumps: it begins to rise `reach` frames before.
pub(super) fn above(values: &[Real], reach: usize) -> Vec<Real> {
    let count = values.len();
    let greatest: Vec<Real> = (0..count)
        .map(|i| {
            let near = &values[i.saturating_sub(reach)..(i + reach + 1).min(count)];
            near.iter().copied().fold(Real::NEG_INFINITY, Real::max)
        })
        .collect();
    // Two means one after the other have no corners, and look no further than the greatest did.
    mean(&mean(&greatest, reach - reach / 2), reach / 2)
}

/// At most what is given, in the same way.
pub(super) fn below(values: &[Real], reach: usize) -> Vec<Real> {
    let turned: Vec<Real> = values.iter().map(|v| -v).collect();
    above(&turned, reach).into_iter().map(|v| -v).collect()
}
