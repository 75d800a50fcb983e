//! How often numbers fall where.

use super::{Axis, Mark, Plot};
use crate::drawing::{DrawError, Drawing};

/// A histogram of one or several samples over common bins.
#[derive(Debug, Clone)]
pub struct Histogram {
    /// What it shows.
    pub title: String,
    /// What is measured. Bins are equal steps, or equal factors on a logarithmic axis.
    pub x: Axis,
    /// How many bins.
    pub bins: usize,
    /// The samples with their names.
    pub samples: Vec<(String, Vec<f64>)>,
    /// Named levels, as in [`Plot`].
    pub size: (u32, u32),
}

impl Histogram {
    /// A histogram without samples.
    pub fn new(title: impl Into<String>, x: Axis, bins: usize) -> Self {
        Self { title: title.into(), x, bins: bins.clamp(1, 2000), samples: Vec::new(), size: (800, 480) }
    }

    /// With another sample.
    pub fn sample(mut self, name: impl Into<String>, values: impl IntoIterator<Item = f64>) -> Self {
        self.samples.push((name.into(), values.into_iter().collect()));
        self
    }

    /// The bins' edges and, for each sample, the share of its numbers in each
    /// bin. Numbers without a place on the axis count in no bin, but in the whole.
    fn shares(&self) -> Option<(Vec<f64>, Vec<Vec<f64>>)> {
        let (low, high) = self.x.fitted(self.samples.iter().flat_map(|(_, v)| v.iter().copied()))?;
        let onto = |v: f64| if self.x.logarithmic { v.ln() } else { v };
        let back = |v: f64| if self.x.logarithmic { v.exp() } else { v };
        let (a, b) = (onto(low), onto(high));
        let edges = (0..=self.bins).map(|i| back(a + (b - a) * i as f64 / self.bins as f64)).collect();
        let shares = self
            .samples
            .iter()
            .map(|(_, values)| {
                let mut counts = vec![0.0; self.bins];
                for v in values.iter().copied().filter(|v| self.x.shows(*v) && (low..=high).contains(v)) {
                    let bin = ((onto(v) - a) / (b - a) * self.bins as f64) as usize;
                    counts[bin.min(self.bins - 1)] += 1.0;
                }
                counts.iter().map(|c| c / values.len().max(1) as f64).collect()
            })
            .collect();
        Some((edges, shares))
    }

    /// Draws the histogram; refuses if no number can be shown.
    pub fn draw(&self) -> Result<Drawing, DrawError> {
        let (edges, shares) = self.shares().ok_or_else(|| DrawError::Plot {
            plot: self.title.clone(),
            reason: "it has no finite numbers".into(),
        })?;
        let x = Axis { range: edges.first().copied().zip(edges.last().copied()), ..self.x.clone() };
        let highest = shares.iter().flatten().copied().fold(0.0, f64::max).max(1.0e-9);
        let y = Axis::linear("share of the samples").range(0.0, 1.08 * highest);
        let mut plot = Plot::new(self.title.clone()).x(x).y(y).size(self.size.0, self.size.1);
        for ((name, _), shares) in self.samples.iter().zip(shares) {
            let end = shares.last().copied();
            plot =
                plot.add(name.clone(), Mark::Steps, edges.iter().copied().zip(shares.into_iter().chain(end)));
        }
        plot.draw()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_add_up_to_one_and_edges_belong_to_a_bin() {
        let h = Histogram::new("h", Axis::linear("x"), 7).sample("a", [0.0, 1.0, 2.0, 10.0, 10.0]);
        let (edges, shares) = h.shares().unwrap();
        assert_eq!(edges.len(), 8);
        assert!((shares[0].iter().sum::<f64>() - 1.0).abs() < 1e-12);
        // A number that is not finite is still part of the whole.
        let h = Histogram::new("h", Axis::log("x"), 5).sample("a", [1.0, 10.0, f64::NAN, 100.0]);
        assert!((h.shares().unwrap().1[0].iter().sum::<f64>() - 0.75).abs() < 1e-12);
        assert!(h.draw().is_ok());
        assert!(Histogram::new("h", Axis::linear("x"), 5).sample("a", []).draw().is_err());
    }
}
