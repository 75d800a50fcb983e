//! A cycle cut out of a motion that repeats itself, so that it loops without a jump.
//!
//! The period is the time after which the body has the pose again that it had, wherever it has
//! travelled to by then. What is left between the two ends is divided over the whole cycle, and
//! the last frame is the first one again: a player that goes from the last key to the first one
//! shows the same pose twice and nothing else.

use sinew_f64::math::rotation;
use sinew_f64::{JointId, Pose, Quat, Skeleton, Vec3};

/// A motion that loops.
#[derive(Debug, Clone)]
pub struct Cycle {
    /// The frames. The last one is the first one again.
    pub frames: Vec<Pose>,
    /// The time from one to the next, in seconds.
    pub frame_time: f64,
    /// How far the root travels in a cycle, in its own rest frame: in place it is taken out.
    pub travel: Vec3,
    /// How far the ends were apart before they were brought together: the largest turn of a
    /// joint, in radians.
    pub gap: f64,
}

/// Cuts a cycle in place out of evenly spaced frames, from the first of them on.
///
/// `period` is the shortest and the longest that it may be, in seconds; `fps` how many frames a
/// second it should have, at least two in all. `None` if there are too few frames, or none that
/// is like the first one within 0.1 radians.
pub fn cut(
    skeleton: &Skeleton,
    frames: &[Pose],
    frame_time: f64,
    period: (f64, f64),
    fps: f64,
) -> Option<Cycle> {
    let first = frames.first()?;
    let (least, most) = ((period.0 / frame_time).ceil() as usize, (period.1 / frame_time) as usize);
    let apart = |at: usize| {
        let turns = skeleton.ids().map(|id| rotation::angle(difference(first, &frames[at], id)));
        turns.fold(0.0, f64::max)
    };
    let candidates = (least.max(1)..=most.min(frames.len() - 1)).map(|at| (at, apart(at)));
    let (length, gap) = candidates.min_by(|a, b| a.1.total_cmp(&b.1)).filter(|best| best.1 < LIKE)?;
    let last = &frames[length];
    let root = skeleton.root();
    let travel = last.translation(root) - first.translation(root);
    let time = length as f64 * frame_time;
    let count = ((time * fps).round() as usize).max(2);
    let mut cycle = Vec::with_capacity(count + 1);
    for i in 0..count {
        let part = i as f64 / count as f64;
        let at = part * length as f64;
        let (k, t) = (at as usize, at.fract());
        let mut pose = Pose::rest(skeleton);
        pose.blend(&frames[k], &frames[(k + 1).min(length)], t);
        for id in skeleton.ids() {
            let back = Quat::IDENTITY.slerp(difference(last, first, id), part);
            pose.set_rotation(id, (pose.rotation(id) * back).normalize());
            // The root's travel is taken out, and what other joints shift is brought together.
            let moved = last.translation(id) - first.translation(id);
            pose.set_translation(id, pose.translation(id) - moved * part);
        }
        pose.project(skeleton);
        cycle.push(pose);
    }
    cycle.push(cycle[0].clone());
    Some(Cycle { frames: cycle, frame_time: time / count as f64, travel, gap })
}

/// Frames this far apart, in radians, are not the same pose.
const LIKE: f64 = 0.1;

/// The turn of a joint from one pose to another.
fn difference(from: &Pose, to: &Pose, id: JointId) -> Quat {
    let turn = from.rotation(id).conjugate() * to.rotation(id);
    if turn.w < 0.0 { -turn } else { turn }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_f64::body::walk::{Ground, WalkInput, WalkOptions, Walker};
    use sinew_f64::rigs;

    #[test]
    fn a_walk_loops_without_a_jump() {
        let human = rigs::by_name("humanoid").unwrap();
        let mut walker = Walker::new(&human, WalkOptions::default(), &Ground::Flat).unwrap();
        let mut pose = Pose::rest(&human);
        let tick = 1.0 / 240.0;
        let mut frames = Vec::new();
        for i in 0..1500 {
            walker.step(&human, &Ground::Flat, WalkInput { speed: 1.0, turn: 0.0 }, tick, &mut pose);
            if i >= 960 {
                frames.push(pose.clone());
            }
        }
        let cycle = cut(&human, &frames, tick, (0.5, 2.0), 30.0).unwrap();
        assert_eq!(cycle.frames.first(), cycle.frames.last());
        assert!(cycle.gap < 0.03, "{}", cycle.gap);
        assert!(cycle.travel.z > 0.8, "{}", cycle.travel);
        let time = cycle.frame_time * (cycle.frames.len() - 1) as f64;
        let speed = cycle.travel.z / time;
        assert!((speed / walker.full_speed() - 1.0).abs() < 0.02, "{speed} m/s");
        // The seam is no larger a step than those beside it, and the body stays where it is.
        let count = cycle.frames.len() - 1;
        let step = |a: usize, b: usize| {
            let turns =
                human.ids().map(|id| rotation::angle(difference(&cycle.frames[a], &cycle.frames[b], id)));
            turns.fold(0.0, f64::max)
        };
        let inside = (0..count - 1).map(|i| step(i, i + 1)).fold(0.0, f64::max);
        assert!(step(count - 1, count) <= inside, "{} {inside}", step(count - 1, count));
        let root = human.root();
        assert!(
            cycle
                .frames
                .iter()
                .all(|f| (f.translation(root) - cycle.frames[0].translation(root)).z.abs() < 0.1)
        );
        assert!(cut(&human, &frames[..10], tick, (0.5, 2.0), 30.0).is_none());
    }
}
