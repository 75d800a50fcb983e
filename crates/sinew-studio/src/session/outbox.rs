//! What the session has to say and the socket has not yet taken.
//!
//! Answers are kept in order; there are few, and whoever adds one too many
//! waits. Of frames only the newest is kept, and of what is sent unasked (the
//! ground, the track) only the newest of each kind.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex};

use tokio::sync::Notify;

use crate::server::locked;
use crate::wire::{Frame, FrameDetails, ServerMessage};

/// The most answers that wait for a slow tab.
const MOST_ANSWERS: usize = 64;
/// The most samples of a plot that wait for a slow tab.
const MOST_SAMPLES: usize = 600;

/// See the module.
#[derive(Debug, Default)]
pub struct Outbox {
    state: Mutex<State>,
    filled: Notify,
    room: Condvar,
    async_room: Notify,
}

#[derive(Debug, Default)]
struct State {
    answers: VecDeque<ServerMessage>,
    frame: Option<Box<Frame>>,
    closed: bool,
}

impl Outbox {
    /// Adds an answer, from the session's thread, when there is room.
    pub fn say(&self, message: ServerMessage) {
        let mut state = locked(&self.state);
        state.forget_what_is_superseded(&message);
        while state.answers.len() >= MOST_ANSWERS && !state.closed {
            state = self.room.wait(state).unwrap_or_else(std::sync::PoisonError::into_inner);
        }
        state.add(message);
        drop(state);
        self.filled.notify_one();
    }

    /// Adds an answer, from the socket's reader. Says whether anyone still listens.
    pub async fn answer(&self, message: ServerMessage) -> bool {
        let mut message = Some(message);
        loop {
            let room = self.async_room.notified();
            {
                let mut state = locked(&self.state);
                if state.closed {
                    return false;
                }
                if state.answers.len() < MOST_ANSWERS {
                    if let Some(message) = message.take() {
                        state.add(message);
                    }
                    drop(state);
                    self.filled.notify_one();
                    return true;
                }
            }
            room.await;
        }
    }

    /// Shows a frame instead of the one that still waits.
    pub fn show(&self, mut frame: Box<Frame>) {
        let mut state = locked(&self.state);
        if state.closed {
            return;
        }
        // A plot needs every sample, also those of frames that are not sent.
        if let (Some(waiting), FrameDetails::Look(new)) = (&mut state.frame, &mut frame.details)
            && let FrameDetails::Look(old) = &mut waiting.details
        {
            let mut samples = std::mem::take(&mut old.samples);
            samples.append(&mut new.samples);
            let surplus = samples.len().saturating_sub(MOST_SAMPLES);
            samples.drain(..surplus);
            new.samples = samples;
        }
        state.frame = Some(frame);
        drop(state);
        self.filled.notify_one();
    }

    /// The next thing to send; `None` when the session has ended.
    pub async fn next(&self) -> Option<ServerMessage> {
        loop {
            let filled = self.filled.notified();
            if let Some(message) = self.waiting() {
                return Some(message);
            }
            if locked(&self.state).closed {
                return None;
            }
            filled.await;
        }
    }

    /// The next thing to send, if something waits.
    pub fn waiting(&self) -> Option<ServerMessage> {
        let mut state = locked(&self.state);
        if let Some(message) = state.answers.pop_front() {
            self.room.notify_all();
            self.async_room.notify_one();
            return Some(message);
        }
        state.frame.take().map(|frame| ServerMessage::Frame { frame: *frame })
    }

    /// Nothing more is said.
    pub fn close(&self) {
        locked(&self.state).closed = true;
        self.room.notify_all();
        self.async_room.notify_one();
        self.filled.notify_one();
    }
}

impl State {
    fn add(&mut self, message: ServerMessage) {
        if self.closed {
            return;
        }
        // A frame of the rig before must not come after the new one.
        if matches!(message, ServerMessage::Loaded { .. }) {
            self.frame = None;
        }
        self.answers.push_back(message);
    }

    fn forget_what_is_superseded(&mut self, by: &ServerMessage) {
        use ServerMessage::{Behaviour, Ground, Track};
        self.answers.retain(|old| match (by, old) {
            (Ground { .. }, Ground { .. }) | (Track { .. }, Track { .. }) => false,
            (Behaviour { request: 0, behaviour: new }, Behaviour { request: 0, behaviour: old }) => {
                new.side != old.side
            }
            _ => true,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::{LookFrame, MotionSample, Placed};

    fn look(number: u32) -> Box<Frame> {
        let sample = MotionSample {
            time: f64::from(number),
            wanted: 0.0,
            position: 0.0,
            velocity: 0.0,
            acceleration: 0.0,
            jerk: 0.0,
        };
        Box::new(Frame {
            input: number,
            number,
            time: 0.0,
            pose: Placed::default(),
            micros: 0.0,
            rate: 0.0,
            recorded: 0,
            playing: None,
            details: FrameDetails::Look(LookFrame {
                reached: true,
                outcome: String::new(),
                typed_cause: None,
                target: None,
                phase: 0.0,
                eye: [0.0; 3],
                sight: [0.0; 3],
                orientation_error: 0.0,
                posture_error: 0.0,
                combined_error: 0.0,
                posture: Placed::default(),
                wanted: Placed::default(),
                samples: vec![sample],
            }),
        })
    }

    #[tokio::test]
    async fn a_slow_tab_gets_the_newest_frame_with_every_sample() {
        let outbox = Outbox::default();
        for number in 1..=5 {
            outbox.show(look(number));
        }
        outbox.say(ServerMessage::Pong { stamp: 1.0 });
        assert!(matches!(outbox.next().await, Some(ServerMessage::Pong { .. })));
        let Some(ServerMessage::Frame { frame }) = outbox.next().await else { panic!() };
        assert_eq!(frame.number, 5);
        let FrameDetails::Look(details) = frame.details else { panic!() };
        let times: Vec<f64> = details.samples.iter().map(|s| s.time).collect();
        assert_eq!(times, [1.0, 2.0, 3.0, 4.0, 5.0]);
        outbox.close();
        assert!(outbox.next().await.is_none());
        assert!(!outbox.answer(ServerMessage::Pong { stamp: 1.0 }).await);
    }
}
