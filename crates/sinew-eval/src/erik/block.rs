//! What is kept of the samples of one posture.

use serde::{Deserialize, Serialize};

/// Sums over one measure.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Moments {
    /// The sum.
    pub sum: f64,
    /// The sum of the squares.
    pub squares: f64,
    /// The least.
    pub least: f64,
    /// The most.
    pub most: f64,
}

impl Moments {
    /// Takes a sample; `first` if there was none before.
    pub fn add(&mut self, value: f64, first: bool) {
        self.sum += value;
        self.squares += value * value;
        self.least = if first { value } else { self.least.min(value) };
        self.most = if first { value } else { self.most.max(value) };
    }

    /// Takes all samples of another; `first` if this one has none.
    pub fn join(&mut self, other: &Self, first: bool) {
        self.sum += other.sum;
        self.squares += other.squares;
        self.least = if first { other.least } else { self.least.min(other.least) };
        self.most = if first { other.most } else { self.most.max(other.most) };
    }

    /// The mean of so many samples.
    pub fn mean(&self, count: u64) -> f64 {
        if count == 0 { 0.0 } else { self.sum / count as f64 }
    }

    /// The standard deviation of so many samples.
    pub fn deviation(&self, count: u64) -> f64 {
        if count == 0 {
            return 0.0;
        }
        let mean = self.mean(count);
        (self.squares / count as f64 - mean * mean).max(0.0).sqrt()
    }
}

/// How wide a bin of the histograms is.
pub const BIN: f64 = 0.001;
/// How many there are; the last one also holds what lies beyond.
pub const BINS: usize = 400;

/// How often an error fell where: bins that are not empty, by rising place.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Bins(pub Vec<(u16, u64)>);

impl Bins {
    /// Counts a sample.
    pub fn add(&mut self, error: f64) {
        let bin = ((error / BIN) as usize).min(BINS - 1) as u16;
        self.count(bin, 1);
    }

    fn count(&mut self, bin: u16, times: u64) {
        match self.0.binary_search_by_key(&bin, |(b, _)| *b) {
            Ok(place) => self.0[place].1 += times,
            Err(place) => self.0.insert(place, (bin, times)),
        }
    }

    /// Counts all samples of another.
    pub fn join(&mut self, other: &Self) {
        for (bin, times) in &other.0 {
            self.count(*bin, *times);
        }
    }
}

/// The samples of one posture by one method.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Block {
    /// The posture's place in the sweep.
    pub posture: usize,
    /// How many samples.
    pub samples: u64,
    /// How many of them within the threshold.
    pub within: u64,
    /// How often the method went round.
    pub iterations: Moments,
    /// The orientation error.
    pub orientation: Moments,
    /// The posture error times its weight.
    pub weighted_posture: Moments,
    /// The combined error.
    pub combined: Moments,
    /// The most that any joint lies beyond its limit, in radians.
    pub over_limit: f64,
    /// How often the orientation error fell where.
    pub orientation_bins: Bins,
    /// How often the weighted posture error fell where.
    pub posture_bins: Bins,
    /// How often the combined error fell where.
    pub combined_bins: Bins,
}

/// One sample.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// The orientation error.
    pub orientation: f64,
    /// The posture error times its weight.
    pub weighted_posture: f64,
    /// How often the method went round.
    pub iterations: u32,
    /// How far a joint lies beyond its limit, in radians.
    pub over_limit: f64,
}

impl Block {
    /// Takes a sample.
    pub fn add(&mut self, sample: &Sample, threshold: f64) {
        let first = self.samples == 0;
        let combined = sample.orientation + sample.weighted_posture;
        self.samples += 1;
        self.within += u64::from(combined <= threshold);
        self.iterations.add(f64::from(sample.iterations), first);
        self.orientation.add(sample.orientation, first);
        self.weighted_posture.add(sample.weighted_posture, first);
        self.combined.add(combined, first);
        self.over_limit = self.over_limit.max(sample.over_limit);
        self.orientation_bins.add(sample.orientation);
        self.posture_bins.add(sample.weighted_posture);
        self.combined_bins.add(combined);
    }

    /// Takes all samples of another.
    pub fn join(&mut self, other: &Self) {
        let first = self.samples == 0;
        self.iterations.join(&other.iterations, first);
        self.orientation.join(&other.orientation, first);
        self.weighted_posture.join(&other.weighted_posture, first);
        self.combined.join(&other.combined, first);
        self.samples += other.samples;
        self.within += other.within;
        self.over_limit = self.over_limit.max(other.over_limit);
        self.orientation_bins.join(&other.orientation_bins);
        self.posture_bins.join(&other.posture_bins);
        self.combined_bins.join(&other.combined_bins);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_those_of_the_samples() {
        let mut block = Block::default();
        for value in [0.01, 0.05, 0.03] {
            let sample =
                Sample { orientation: value, weighted_posture: 0.01, iterations: 2, over_limit: 0.0 };
            block.add(&sample, 0.04);
        }
        assert_eq!((block.samples, block.within), (3, 2));
        assert!((block.orientation.mean(3) - 0.03).abs() < 1e-12);
        assert!((block.orientation.deviation(3) - (8.0e-4_f64 / 3.0).sqrt()).abs() < 1e-9);
        assert_eq!((block.orientation.least, block.orientation.most), (0.01, 0.05));
        assert_eq!(block.posture_bins.0.iter().map(|b| b.1).sum::<u64>(), 3);
        let mut joined = Block::default();
        joined.join(&block);
        assert_eq!(joined, block);
    }
}
