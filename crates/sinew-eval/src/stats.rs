//! Means, medians and percentiles.

pub use sinew_motion::metric::{median, percentile};

/// The mean; zero without samples.
pub fn mean(samples: &[f64]) -> f64 {
    if samples.is_empty() { 0.0 } else { samples.iter().sum::<f64>() / samples.len() as f64 }
}

/// The largest sample; zero without samples.
pub fn largest(samples: &[f64]) -> f64 {
    samples.iter().copied().fold(0.0, f64::max)
}

/// The slope of the line through the logarithms of positive points: the power
/// with which y grows in x.
pub fn growth(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<(f64, f64)> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let (mx, my) = (
        mean(&logs.iter().map(|p| p.0).collect::<Vec<_>>()),
        mean(&logs.iter().map(|p| p.1).collect::<Vec<_>>()),
    );
    let over: f64 = logs.iter().map(|(x, y)| (x - mx) * (y - my)).sum();
    let under: f64 = logs.iter().map(|(x, _)| (x - mx) * (x - mx)).sum();
    if under > 0.0 { over / under } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_and_the_tail() {
        let samples: Vec<f64> = (0..=100).rev().map(f64::from).collect();
        assert_eq!((median(&samples), percentile(&samples, 0.95), mean(&samples)), (50.0, 95.0, 50.0));
        assert_eq!((median(&[]), mean(&[]), largest(&[])), (0.0, 0.0, 0.0));
    }

    #[test]
    fn growth_finds_the_power() {
        let points: Vec<(f64, f64)> = (1..10).map(|i| (i as f64, 3.0 * (i as f64).powf(1.5))).collect();
        assert!((growth(&points) - 1.5).abs() < 1e-9);
    }
}
