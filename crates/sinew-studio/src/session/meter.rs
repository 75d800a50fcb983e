//! How long solves take and how many there are.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// So many solves count for the median.
const WINDOW: usize = 61;

/// Measures the last solves.
#[derive(Debug, Default)]
pub struct Meter {
    times: VecDeque<Duration>,
    starts: VecDeque<Instant>,
}

impl Meter {
    /// Counts a solve that ended now.
    pub fn count(&mut self, time: Duration, now: Instant) {
        self.times.push_back(time);
        if self.times.len() > WINDOW {
            self.times.pop_front();
        }
        self.starts.push_back(now);
        while self.starts.front().is_some_and(|s| now.duration_since(*s) >= Duration::from_secs(1)) {
            self.starts.pop_front();
        }
    }

    /// The median time, in microseconds.
    pub fn micros(&self) -> f64 {
        let mut times: Vec<Duration> = self.times.iter().copied().collect();
        times.sort_unstable();
        times.get(times.len() / 2).map_or(0.0, |t| t.as_secs_f64() * 1.0e6)
    }

    /// Solves in the last second.
    pub fn rate(&self) -> f64 {
        self.starts.len() as f64
    }
}
