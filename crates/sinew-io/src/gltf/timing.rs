//! Which frames to take out of an animation.
//!
//! A glTF animation has keys at any times, a [`Motion`](crate::Motion) has
//! frames at a steady rate. Most files were sampled at a steady rate once, so
//! we look for the rate at which every key falls on a frame; then nothing is
//! lost. Where there is none, frames are taken at the rate of the closest keys.

use super::extras::MotionExtras;

/// The rates to try, slowest first, when the keys' own spacing does not fit
/// (keys on frames 0, 2 and 5, say).
const COMMON_RATES: [f64; 10] = [24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 90.0, 100.0, 120.0, 240.0];

/// The fastest rate for keys that are on no grid.
const FASTEST_GUESS: f64 = 120.0;

/// The rate for keys so far apart that playing them as frames would stutter.
const SMOOTH_RATE: f64 = 30.0;

/// Frames of a motion.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Timing {
    /// The time of the first frame in the file.
    pub start: f64,
    /// Seconds from one frame to the next.
    pub frame_time: f64,
    /// The same as the keys have it. A frame time that was written with few
    /// digits is not quite the rate that it means.
    pub step: f64,
    pub frames: usize,
    /// Something that people should know.
    pub note: Option<String>,
}

/// Chooses frames for keys at these times, in any order, finite and at least
/// one. `smooth` says that there are splines between them, `most` is how many
/// frames there may be.
pub(super) fn timing(mut times: Vec<f64>, smooth: bool, kept: Option<&MotionExtras>, most: usize) -> Timing {
    times.sort_unstable_by(f64::total_cmp);
    times.dedup_by(|later, earlier| *later - *earlier <= rounding(*later));
    let (Some(&start), Some(&end)) = (times.first(), times.last()) else {
        return Timing::steady(0.0, 1.0 / SMOOTH_RATE, 1, None);
    };
    let span = end - start;
    if let Some((kept, step)) = kept.and_then(|kept| Some((kept, step_of(kept, &times, most)?))) {
        return Timing { start, frame_time: kept.frame_time, step, frames: kept.frames, note: None };
    }
    if times.len() == 1 {
        return Timing::steady(start, 1.0 / SMOOTH_RATE, 1, None);
    }

    let closest = times.windows(2).map(|pair| pair[1] - pair[0]).fold(f64::INFINITY, f64::min);
    let mut note = None;
    let mut frame_time = match grid(&times, closest) {
        Some(frame_time) => frame_time,
        None => {
            let rate = (1.0 / closest).ceil().clamp(SMOOTH_RATE, FASTEST_GUESS);
            note = Some(format!("its keys are at no steady rate; sampled at {rate} frames a second"));
            1.0 / rate
        }
    };
    let slowest = if smooth { 1.0 / 23.0 } else { 0.101 };
    if frame_time > slowest {
        let parts = (frame_time * SMOOTH_RATE - 1.0e-6).ceil().max(1.0);
        note = Some(format!("its keys are {frame_time:.4} s apart; sampled at {parts} frames for each"));
        frame_time /= parts;
    }
    // The last frame is on the last key or, off a grid, just behind it.
    let steps = (span / frame_time - 1.0e-3).ceil().max(1.0);
    if steps >= most as f64 {
        let steps = (most - 1).max(1);
        frame_time = span / steps as f64;
        note = Some(format!(
            "sampled at {:.3} frames a second only: {span:.0} s hold few keys and would need too many frames",
            1.0 / frame_time
        ));
        return Timing::steady(start, frame_time, steps + 1, note);
    }
    Timing::steady(start, frame_time, steps as usize + 1, note)
}

impl Timing {
    fn steady(start: f64, frame_time: f64, frames: usize, note: Option<String>) -> Self {
        Self { start, frame_time, step: frame_time, frames, note }
    }
}

/// The frame time that is meant by one that was written with few digits:
/// 1/120 s for 0.0083333, 1/30 s for 0.0333. Others stay as they are.
pub(super) fn meant(frame_time: f64) -> f64 {
    /// The rates that recordings have; those of NTSC are a thousandth slower.
    const USUAL: [f64; 15] =
        [10.0, 12.0, 12.5, 15.0, 20.0, 24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 90.0, 100.0, 120.0, 240.0];
    /// The least that three digits tell apart.
    const FEW_DIGITS: f64 = 1.1e-3;
    const MANY_DIGITS: f64 = 1.0e-5;
    let off = |meant: f64| (meant / frame_time - 1.0).abs();
    let usual = USUAL.into_iter().flat_map(|rate| [1.0 / rate, 1.001 / rate]);
    let nearest = usual.min_by(|a, b| off(*a).total_cmp(&off(*b))).unwrap_or(frame_time);
    let whole = 1.0 / (1.0 / frame_time).round();
    if off(nearest) < FEW_DIGITS && off(nearest) <= off(whole) + MANY_DIGITS {
        nearest
    } else if off(whole) < MANY_DIGITS {
        whole
    } else {
        frame_time
    }
}

/// How far a single-precision time may be from what it should be.
fn rounding(time: f64) -> f64 {
    1.0e-6 + time.abs() * 2.4e-7
}

/// Whether every time is a whole number of frames behind the first.
fn on_grid(times: &[f64], frame_time: f64) -> bool {
    let start = times[0];
    times.iter().all(|time| {
        let frames = (time - start) / frame_time;
        let off = (frames - frames.round()).abs() * frame_time;
        off <= (frame_time * 2.0e-3 + rounding(*time)).min(frame_time * 0.1)
    })
}

/// The frame time at which all keys are on frames, if there is one.
fn grid(times: &[f64], closest: f64) -> Option<f64> {
    // Measured over longer and longer spans, so that the rounding of single
    // times, which late ones have more of, never becomes half a frame.
    let start = times[0];
    let measured = times[1..].iter().fold(closest, |frame_time, time| {
        let span = time - start;
        span / (span / frame_time).round().max(1.0)
    });
    if on_grid(times, measured) {
        // A whole number of frames a second is what was meant, or a usual rate.
        let whole = 1.0 / (1.0 / measured).round().max(1.0);
        let is_near = |meant: f64| (meant / measured - 1.0).abs() < 1.0e-3 && on_grid(times, meant);
        return Some([meant(measured), whole].into_iter().find(|&m| is_near(m)).unwrap_or(measured));
    }
    COMMON_RATES.into_iter().map(|rate| 1.0 / rate).find(|&frame_time| on_grid(times, frame_time))
}

/// The steps of the keys, if what we wrote into the file ourselves still fits them.
fn step_of(kept: &MotionExtras, times: &[f64], most: usize) -> Option<f64> {
    let sound = kept.frame_time > 0.0 && kept.frame_time.is_finite();
    if !sound || kept.frames == 0 || kept.frames > most {
        return None;
    }
    if kept.frames == 1 {
        return (times.len() == 1).then_some(kept.frame_time);
    }
    let span = times[times.len() - 1] - times[0];
    let fits = |step: &f64| {
        let expected = (kept.frames - 1) as f64 * step;
        (span - expected).abs() <= step * 1.0e-2 + rounding(times[times.len() - 1]) && on_grid(times, *step)
    };
    [meant(kept.frame_time), kept.frame_time].into_iter().find(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Times as a file has them: single precision.
    fn keys(frames: impl IntoIterator<Item = usize>, frame_time: f64) -> Vec<f64> {
        frames.into_iter().map(|i| f64::from((i as f64 * frame_time) as f32)).collect()
    }

    fn found(times: Vec<f64>) -> Timing {
        timing(times, false, None, 1 << 20)
    }

    #[test]
    fn the_rate_of_sampled_files_is_found_again() {
        for rate in [12.0, 15.0, 24.0, 25.0, 30.0, 60.0, 120.0, 144.0, 240.0, 1000.0] {
            for frames in [2, 3, 50, 5000] {
                let timing = found(keys(0..frames, 1.0 / rate));
                assert!((timing.frame_time * rate - 1.0).abs() < 1e-12, "{rate} of {frames}: {timing:?}");
                assert_eq!(timing.frames, frames);
                assert_eq!(timing.note, None);
            }
        }
    }

    #[test]
    fn an_odd_rate_is_kept_as_it_is() {
        let timing = found(keys(0..1000, 1001.0 / 30000.0));
        assert!((timing.frame_time - 1001.0 / 30000.0).abs() < 1e-8);
        assert_eq!(timing.frames, 1000);
    }

    #[test]
    fn thinned_keys_still_show_their_rate() {
        let timing = found(keys([0, 2, 5, 9, 30], 1.0 / 30.0));
        assert_eq!((timing.frame_time, timing.frames), (1.0 / 30.0, 31));
        let late = found(keys([1, 2, 5, 9, 30], 1.0 / 24.0));
        assert_eq!((late.frame_time, late.frames), (1.0 / 24.0, 30));
        assert!((late.start - 1.0 / 24.0).abs() < 1e-7);
    }

    #[test]
    fn keys_far_apart_are_sampled_between() {
        let timing = found(vec![0.0, 1.0, 3.0]);
        assert!((timing.frame_time - 1.0 / 30.0).abs() < 1e-12);
        assert_eq!(timing.frames, 91);
    }

    #[test]
    fn keys_on_no_grid_are_said() {
        let timing = found(vec![0.0, 0.013, 0.4142, 0.7]);
        assert_eq!(timing.frame_time, 1.0 / 77.0);
        assert!(timing.note.is_some());
        assert!(timing.start + timing.frame_time * (timing.frames - 1) as f64 >= 0.7);
    }

    #[test]
    fn what_we_kept_ourselves_wins_while_it_fits() {
        let kept = MotionExtras { frame_time: 0.008_333_4, frames: 700 };
        let written = keys(0..700, kept.frame_time);
        let again = timing(written.clone(), false, Some(&kept), 1 << 20);
        assert_eq!((again.frame_time, again.frames), (kept.frame_time, 700));
        let moved: Vec<f64> = written.iter().map(|t| t * 2.0).collect();
        let slower = timing(moved, false, Some(&kept), 1 << 20);
        assert!((slower.frame_time - kept.frame_time * 2.0).abs() < 1e-9);
        assert_eq!(slower.frames, 700);
    }

    #[test]
    fn hostile_spans_stay_within_the_cap() {
        for times in [vec![0.0, 1e9], vec![0.0, 1e-7, 1e30], vec![0.0, 3e38], vec![-3e38, 0.0, 3e38]] {
            let timing = timing(times, true, None, 500);
            assert!(timing.frames <= 501 && timing.frame_time > 0.0 && timing.frame_time.is_finite());
        }
        let kept = MotionExtras { frame_time: f64::NAN, frames: usize::MAX };
        assert_eq!(timing(vec![0.0, 1.0], false, Some(&kept), 500).frames, 31);
    }
}
