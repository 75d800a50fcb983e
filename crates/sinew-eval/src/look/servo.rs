//! A stream of joint values as a servo would feel it.

use sinew_f64::filter::AxisFilter;
use sinew_io::Asset;
use sinew_motion::look::{Eye, Stream};

use super::stage::{HOLD, Path};

/// What a servo would feel.
#[derive(Debug, Clone)]
pub(super) struct Felt {
    pub path: Path,
    pub character: &'static str,
    /// The first bound that was broken, in words.
    pub broken: Option<String>,
    /// How often a second an acceleration changes its sign, and whose.
    pub signs: (f64, String),
    /// The ripple of a velocity, and whose.
    pub ripple: (f64, String),
    /// By how many seconds the stream is behind its set-points.
    pub lag: f64,
    /// The most that a set-point which stands was passed by, as a part of the way to it.
    pub overshoot: f64,
}

/// The coordinates that are moved, over time.
pub(super) struct Trace {
    columns: Vec<(usize, String)>,
    sent: Vec<Vec<f64>>,
    wanted: Vec<Vec<f64>>,
}

/// Accelerations below this, and below this part of the largest, are none.
const STANDS: f64 = 0.05;
const STANDS_PART: f64 = 1.0e-3;
/// A velocity's r.m.s. below this counts as this.
const SLOWEST: f64 = 1.0e-3;
/// The longest lag that is looked for, in seconds.
const LONGEST_LAG: f64 = 1.5;
/// Ways shorter than this have no overshoot worth the name, in radians.
const WAY: f64 = 0.05;
/// Velocities below this are rest, in radians a second.
const RESTS: f64 = 0.01;
/// What rounding may take of a bound.
const ROUNDED: f64 = 1.001;

impl Trace {
    pub(super) fn new(asset: &Asset, eye: &Eye) -> Self {
        let (skeleton, moved) = (&asset.skeleton, eye.joints());
        let (mut columns, mut first) = (Vec::new(), 0);
        for id in skeleton.ids() {
            let joint = skeleton.joint(id);
            let freedom = joint.kind().degrees_of_freedom();
            if moved.contains(&id) {
                let part = |k: usize| if freedom > 1 { [".x", ".y", ".z"].get(k).unwrap_or(&"") } else { "" };
                columns.extend((0..freedom).map(|k| (first + k, format!("{}{}", joint.name(), part(k)))));
            }
            first += freedom;
        }
        Self { sent: vec![Vec::new(); columns.len()], wanted: vec![Vec::new(); columns.len()], columns }
    }

    pub(super) fn add(&mut self, stream: &Stream) {
        for (i, (column, _)) in self.columns.iter().enumerate() {
            self.sent[i].push(stream.sent()[*column]);
            self.wanted[i]
                .push(stream.axes().get(*column).map_or(stream.wanted()[*column], AxisFilter::goal));
        }
    }

    /// The largest change of a coordinate from one output to the next, and whose.
    pub(super) fn largest_step(&self) -> (f64, String) {
        let steps = self
            .sent
            .iter()
            .zip(&self.columns)
            .map(|(values, (_, name))| (largest(&rate(values, 1.0)), name));
        let worst = steps.max_by(|a, b| a.0.total_cmp(&b.0));
        worst.map_or_else(Default::default, |(step, name)| (step, name.clone()))
    }

    pub(super) fn felt(&self, path: Path, character: &'static str, axes: &[AxisFilter], fps: f64) -> Felt {
        let mut felt = Felt {
            path,
            character,
            broken: None,
            signs: (0.0, String::new()),
            ripple: (0.0, String::new()),
            lag: self.lag(fps),
            overshoot: if path == Path::Jumps { self.overshoot(fps) } else { 0.0 },
        };
        for ((column, name), values) in self.columns.iter().zip(&self.sent) {
            let velocity = rate(values, fps);
            let acceleration = rate(&velocity, fps);
            let jerk = rate(&acceleration, fps);
            let options = axes[*column].options();
            let bounds = [
                ("velocity", largest(&velocity), options.velocity),
                ("acceleration", largest(&acceleration), options.acceleration),
                ("jerk", largest(&jerk), options.jerk),
            ];
            for (what, most, bound) in bounds {
                // What is not a number breaks a bound too.
                if (most.is_nan() || most > bound * ROUNDED) && felt.broken.is_none() {
                    felt.broken =
                        Some(format!("{name}: {what} {most:.4} of {bound}, {}, {character}", path.name()));
                }
            }
            let stands = (STANDS_PART * largest(&acceleration)).max(STANDS);
            let moving: Vec<f64> = acceleration.iter().copied().filter(|a| a.abs() > stands).collect();
            let changes = moving.windows(2).filter(|pair| pair[0].signum() != pair[1].signum()).count();
            let signs = changes as f64 * fps / values.len().max(1) as f64;
            if signs >= felt.signs.0 {
                felt.signs = (signs, name.clone());
            }
            let ripple = ripple(&velocity, fps);
            if ripple >= felt.ripple.0 {
                felt.ripple = (ripple, name.clone());
            }
        }
        felt
    }

    /// The delay with which set-points are most like what is sent.
    fn lag(&self, fps: f64) -> f64 {
        let longest = (LONGEST_LAG * fps) as usize;
        let off = |delay: usize| {
            let square = |(sent, wanted): (&Vec<f64>, &Vec<f64>)| -> f64 {
                (longest..sent.len()).map(|i| (sent[i] - wanted[i - delay]).powi(2)).sum()
            };
            self.sent.iter().zip(&self.wanted).map(square).sum::<f64>()
        };
        let best = (0..longest).map(|delay| (delay, off(delay))).min_by(|a, b| a.1.total_cmp(&b.1));
        best.map_or(0.0, |(delay, _)| delay as f64 / fps)
    }

    /// The most past a set-point that stands after a jump, as a part of the jump, from rest: what is
    /// still under way when the next jump comes may have to pass it to stop at all.
    fn overshoot(&self, fps: f64) -> f64 {
        let hold = (HOLD * fps).round() as usize;
        let mut most: f64 = 0.0;
        for (sent, wanted) in self.sent.iter().zip(&self.wanted) {
            for start in (hold..=sent.len().saturating_sub(hold)).step_by(hold) {
                let (from, to) = (sent[start - 1], wanted[start + hold - 1]);
                let way = to - from;
                let rests = (from - sent[start - 2]).abs() * fps < RESTS;
                if way.abs() > WAY && rests {
                    let past = |value: &f64| (value - to) / way;
                    most = sent[start..start + hold].iter().map(past).fold(most, f64::max);
                }
            }
        }
        most
    }
}

fn rate(values: &[f64], fps: f64) -> Vec<f64> {
    values.windows(2).map(|pair| (pair[1] - pair[0]) * fps).collect()
}

fn largest(values: &[f64]) -> f64 {
    values.iter().map(|x| x.abs()).fold(0.0, |most, x| if x > most || x.is_nan() { x } else { most })
}

/// What a cubic over a quarter of a second leaves of the velocity (Savitzky and Golay's weights), over
/// all of it.
fn ripple(velocity: &[f64], fps: f64) -> f64 {
    let window = (fps / 4.0) as usize | 1;
    let (half, m) = (window / 2, (window / 2) as f64);
    if velocity.len() <= 3 * window {
        return 0.0;
    }
    let scale = (2.0 * m - 1.0) * (2.0 * m + 1.0) * (2.0 * m + 3.0);
    let weight = |j: f64| 3.0 * (3.0 * m * m + 3.0 * m - 1.0 - 5.0 * j * j) / scale;
    let smooth =
        |i: usize| -> f64 { (0..window).map(|k| weight(k as f64 - m) * velocity[i + k - half]).sum() };
    let inside = window..velocity.len() - window;
    let count = inside.len() as f64;
    let left: f64 = inside.clone().map(|i| (velocity[i] - smooth(i)).powi(2)).sum();
    let all: f64 = velocity[inside].iter().map(|v| v * v).sum();
    (left / count).sqrt() / (all / count).sqrt().max(SLOWEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_smooth_velocity_has_no_ripple_and_a_shaking_one_has() {
        let slow = |i: usize| (i as f64 / 60.0).sin();
        let smooth: Vec<f64> = (0..600).map(slow).collect();
        let shaken: Vec<f64> = (0..600).map(|i| slow(i) + if i % 2 == 0 { 0.1 } else { -0.1 }).collect();
        assert!(ripple(&smooth, 60.0) < 1e-4, "{}", ripple(&smooth, 60.0));
        assert!((0.1..0.2).contains(&ripple(&shaken, 60.0)), "{}", ripple(&shaken, 60.0));
    }
}
