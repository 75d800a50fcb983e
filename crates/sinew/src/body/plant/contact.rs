//! When a point of a foot stands on the ground, from where it is in every frame.
//!
//! A point that is slow and near the ground stands on it. Gaps of a moment are closed and
//! touches of a moment are left out. A heel that begins to rise is slow for a while: the ends of
//! a contact at which the point is clearly not where it mostly is do not belong to it.

use alloc::vec::Vec;
use core::ops::Range;

use super::PlantOptions;
use crate::math::*;

/// Over how many seconds to both sides a speed is measured.
const SPAN: Real = 0.02;
/// Gaps that are closed and touches that do not count, in seconds.
const GAP: Real = 0.06;
const TOUCH: Real = 0.08;

/// How far up or down, and across, a point may be from where it stands, in leg lengths.
const AWAY: (Real, Real) = (0.012, 0.02);

/// For every frame whether the point stands. Lengths are in metres, `leg` is the leg's length.
pub(super) fn stands(
    points: &[Vec3],
    level: Real,
    leg: Real,
    seconds: Real,
    options: &PlantOptions,
) -> Vec<bool> {
    let count = points.len();
    let span = frames(SPAN, seconds).max(1);
    let mut stands: Vec<bool> = (0..count)
        .map(|i| {
            let (a, b) = (i.saturating_sub(span), (i + span).min(count - 1));
            let time = (b - a).max(1) as Real * seconds.max(TINY);
            let speed = points[a].distance(points[b]) / time;
            points[i].y - level < options.height * leg && speed < options.speed * leg
        })
        .collect();
    for run in runs(&stands, false) {
        if run.start > 0 && run.end < count && run.len() <= frames(GAP, seconds) {
            stands[run].fill(true);
        }
    }
    for run in runs(&stands, true) {
        trim(points, run, leg, &mut stands);
    }
    for run in runs(&stands, true) {
        if run.start > 0 && run.end < count && run.len() < frames(TOUCH, seconds) {
            stands[run].fill(false);
        }
    }
    stands
}

/// Takes away the ends of a contact at which the point is not yet, or no longer, where it stands.
fn trim(points: &[Vec3], run: Range<usize>, leg: Real, stands: &mut [bool]) {
    let middle = |of: fn(&Vec3) -> Real| {
        let mut list: Vec<Real> = points[run.clone()].iter().map(of).collect();
        list.sort_by(Real::total_cmp);
        list[list.len() / 2]
    };
    let (x, y, z) = (middle(|p| p.x), middle(|p| p.y), middle(|p| p.z));
    let across = |p: Vec3| Vec2::new(p.x - x, p.z - z).length();
    // A foot that slides all the time is still one contact.
    let mut slides: Vec<Real> = points[run.clone()].iter().map(|&p| across(p)).collect();
    slides.sort_by(Real::total_cmp);
    let far = (AWAY.1 * leg).max(2.0 * slides[slides.len() / 2]);
    let away = |p: Vec3| (p.y - y).abs() > AWAY.0 * leg || across(p) > far;
    for i in run.clone().take_while(|&i| away(points[i])) {
        stands[i] = false;
    }
    for i in run.rev().take_while(|&i| away(points[i])) {
        stands[i] = false;
    }
}

/// How many frames a time takes.
pub(super) fn frames(time: Real, seconds: Real) -> usize {
    (time / seconds.max(1.0e-4)).round() as usize
}

/// The runs of frames in which it is so.
pub(super) fn runs(list: &[bool], wanted: bool) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (i, &is) in list.iter().enumerate() {
        if is != wanted {
            continue;
        }
        match runs.last_mut() {
            Some(run) if run.end == i => run.end = i + 1,
            _ => runs.push(i..i + 1),
        }
    }
    runs
}
