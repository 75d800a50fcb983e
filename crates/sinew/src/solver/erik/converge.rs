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
mod tests {
    use super::*;

    #[test]
    fn settling_and_cycling_are_noticed_and_progress_is_not() {
        let stuck_at = |errors: &[Real]| {
            let mut convergence = Convergence::default();
            errors.iter().position(|e| convergence.stuck(*e, 1e-4))
        };
        assert_eq!(stuck_at(&[0.5, 0.3, 0.2, 0.15, 0.12]), None);
        assert_eq!(stuck_at(&[0.5, 0.3, 0.30005]), Some(2));
        assert_eq!(stuck_at(&[0.5, 0.3, 0.4, 0.30004]), Some(3));
        assert_eq!(stuck_at(&[0.1, 0.2, 0.3, 0.4, 0.1]), Some(4));
    }
}
