//! A motion that plays in whatever workspace is shown.

use sinew_f64::Pose;

use crate::rig::Rig;
use crate::rig::motions::frame_time;
use crate::wire::{PlayFrame, Playing};
use crate::workspace::checked::number;

/// The fastest that a motion plays, against as recorded.
const FASTEST: f64 = 10.0;

/// See the module.
#[derive(Debug)]
pub struct Player {
    playing: Playing,
    /// The frame, with a part.
    at: f64,
    /// By how much the motion is raised onto the floor.
    lift: f64,
}

impl Player {
    /// Checks what is asked for. A motion that goes on as it was is not looked through again.
    pub fn new(rig: &Rig, playing: Playing, before: Option<&Self>) -> Result<Self, String> {
        let motions = &rig.asset.motions;
        let motion = motions.get(playing.motion as usize).filter(|motion| !motion.frames.is_empty());
        let count = motion.map(|motion| motion.frames.len());
        let count = count.ok_or_else(|| match motions.len() {
            0 => "the rig has no motion".to_string(),
            count => format!("motion {} was asked for, but the rig has {count}", playing.motion),
        })?;
        number("the speed", playing.speed, -FASTEST..=FASTEST)?;
        let frame = number("the frame", playing.frame, 0.0..=1.0e9)?;
        let lift = match before {
            Some(before) if before.playing.motion == playing.motion => before.lift,
            _ => rig.lift_of(playing.motion as usize),
        };
        let mut player = Self { playing, at: frame, lift };
        let [first, last] = player.range(count);
        player.at = frame.clamp(first, last);
        Ok(player)
    }

    fn range(&self, count: usize) -> [f64; 2] {
        let end = count.saturating_sub(1) as f64;
        let [first, last] = self.playing.trim.map_or([0.0, end], |trim| trim.map(f64::from));
        let last = last.min(end);
        [first.min(last), last]
    }

    /// Goes on by so many seconds; says whether it runs on.
    pub fn advance(&mut self, rig: &Rig, seconds: f64) -> bool {
        let Some(motion) = rig.asset.motions.get(self.playing.motion as usize) else { return false };
        if !self.playing.running {
            return false;
        }
        let [first, last] = self.range(motion.frames.len());
        let next = self.at + self.playing.speed * seconds / frame_time(motion);
        let length = last - first;
        if (first..=last).contains(&next) {
            self.at = next;
        } else if self.playing.looped && length > 0.0 {
            self.at = first + (next - first).rem_euclid(length);
        } else {
            self.at = next.clamp(first, last);
            self.playing.running = false;
        }
        self.playing.running
    }

    /// The pose shown.
    pub fn pose(&self, rig: &Rig) -> Option<Pose> {
        let frames = &rig.asset.motions.get(self.playing.motion as usize)?.frames;
        let low = (self.at.floor() as usize).min(frames.len().checked_sub(1)?);
        let high = (low + 1).min(frames.len() - 1);
        let mut pose = frames[low].clone();
        pose.blend(&frames[low], &frames[high], self.at - self.at.floor());
        Some(rig.lifted(&pose, self.lift))
    }

    /// What the page is told.
    pub fn frame(&self) -> PlayFrame {
        PlayFrame { motion: self.playing.motion, frame: self.at, running: self.playing.running }
    }
}
