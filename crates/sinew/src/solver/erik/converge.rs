//! Whether the iterations still get anywhere.
//!
//! Two ways of not converging are told apart from slow progress (section 7.1,
//! NonConversionDetected): the error settles on a value, or it comes back to a
//! value it had a few iterations ago, and goes round.

use crate::math::*;

/// The errors of the last iterations.
#[derive(Debug, Clone, Default)]
pub(super) struct Convergence {
    /// The newest first.
    recent: [Real; PERIODS + 1],
    count: usize,
}

/// The longest cycle that is noticed.
const PERIODS: usize = 4;

impl Convergence {
    pub(super) fn clear(&mut self) {
        self.count = 0;
    }

    /// Takes an iteration's error; whether it has settled or goes in a circle.
    pub(super) fn stuck(&mut self, error: Real, precision: Real) -> bool {
        self.recent.rotate_right(1);
        self.recent[0] = error;
        self.count = (self.count + 1).min(self.recent.len());
        (1..self.count).any(|period| (self.recent[period] - error).abs() <= precision)
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/solver_erik_converge.rs"]
mod tests;
