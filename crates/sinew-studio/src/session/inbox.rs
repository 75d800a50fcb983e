//! What a tab has said and its thread has not yet looked at.
//!
//! Newest wins: a scene makes the scenes and drags before it pointless, a drag
//! the earlier ones of the same target. Requests are kept in order, and nothing
//! is moved across them. The whole is bounded; whoever pushes waits for room.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex};
use std::time::Instant;

use tokio::sync::Notify;

use crate::server::locked;
use crate::wire::ClientMessage;

/// The most messages that wait.
const MOST_MESSAGES: usize = 256;
/// The most bytes that wait, as they came.
const MOST_BYTES: usize = 8 << 20;

/// See the module.
#[derive(Debug, Default)]
pub struct Inbox {
    state: Mutex<State>,
    arrived: Condvar,
    room: Notify,
}

#[derive(Debug, Default)]
struct State {
    waiting: VecDeque<(ClientMessage, usize)>,
    bytes: usize,
    closed: bool,
}

/// What the thread gets.
#[derive(Debug)]
pub enum Taken {
    /// Messages, oldest first.
    Messages(Vec<ClientMessage>),
    /// Nothing came until the time.
    Due,
    /// The tab is gone.
    Closed,
}

impl Inbox {
    /// Adds a message that came as so many bytes, when there is room. Says
    /// whether the session still listens.
    pub async fn push(&self, message: ClientMessage, bytes: usize) -> bool {
        let mut message = Some(message);
        loop {
            // The waiter is made before the look, so that no wake is missed.
            let room = self.room.notified();
            {
                let mut state = locked(&self.state);
                if state.closed {
                    return false;
                }
                if let Some(waiting) = &message {
                    state.forget_what_is_superseded(waiting);
                }
                if state.waiting.len() < MOST_MESSAGES && state.bytes + bytes <= MOST_BYTES {
                    if let Some(message) = message.take() {
                        state.waiting.push_back((message, bytes));
                        state.bytes += bytes;
                    }
                    self.arrived.notify_one();
                    return true;
                }
            }
            room.await;
        }
    }

    /// Waits until there is something, or until the time if one is given.
    pub fn take(&self, until: Option<Instant>) -> Taken {
        let mut state = locked(&self.state);
        loop {
            if state.closed {
                return Taken::Closed;
            }
            if !state.waiting.is_empty() {
                state.bytes = 0;
                let messages = state.waiting.drain(..).map(|(message, _)| message).collect();
                self.room.notify_one();
                return Taken::Messages(messages);
            }
            state = match until {
                None => self.arrived.wait(state).unwrap_or_else(std::sync::PoisonError::into_inner),
                Some(until) => {
                    let Some(left) = until.checked_duration_since(Instant::now()).filter(|l| !l.is_zero())
                    else {
                        return Taken::Due;
                    };
                    let waited = self.arrived.wait_timeout(state, left);
                    waited.unwrap_or_else(std::sync::PoisonError::into_inner).0
                }
            };
        }
    }

    /// Whether the tab is gone.
    pub fn is_closed(&self) -> bool {
        locked(&self.state).closed
    }

    /// Nothing more comes, and what waits is forgotten.
    pub fn close(&self) {
        let mut state = locked(&self.state);
        state.closed = true;
        state.waiting.clear();
        state.bytes = 0;
        self.arrived.notify_all();
        self.room.notify_one();
    }
}

impl State {
    fn forget_what_is_superseded(&mut self, by: &ClientMessage) {
        use ClientMessage::{Drag, Steer};
        // Only what came after the last request: nothing is moved across one.
        let start = self.waiting.iter().rposition(|(m, _)| !is_input(m)).map_or(0, |at| at + 1);
        let superseded = |old: &ClientMessage| match (by, old) {
            (Drag { target: new, .. }, Drag { target: old, .. }) => new == old,
            (Drag { .. }, _) => false,
            (Steer { .. }, old) => matches!(old, Steer { .. }),
            // The scene is everything, of whichever workspace; only the controls are not in it.
            (by, old) => is_input(by) && !matches!(old, Steer { .. }),
        };
        for at in (start..self.waiting.len()).rev() {
            if superseded(&self.waiting[at].0)
                && let Some((_, bytes)) = self.waiting.remove(at)
            {
                self.bytes -= bytes;
            }
        }
    }
}

/// Whether a message is a state of which the newest counts, and no request.
fn is_input(message: &ClientMessage) -> bool {
    use ClientMessage::*;
    matches!(
        message,
        Pose { .. } | Reach { .. } | Body { .. } | Look { .. } | Walk { .. } | Drag { .. } | Steer { .. }
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::PoseScene;

    fn drag(input: u32, target: &str) -> ClientMessage {
        ClientMessage::Drag { input, target: target.into(), position: [0.0; 3], rotation: None }
    }

    fn scene(input: u32) -> ClientMessage {
        ClientMessage::Pose { input, scene: PoseScene::default() }
    }

    fn inputs(inbox: &Inbox) -> Vec<u32> {
        let Taken::Messages(messages) = inbox.take(Some(Instant::now())) else { return Vec::new() };
        messages
            .iter()
            .map(|m| match m {
                ClientMessage::Drag { input, .. } | ClientMessage::Pose { input, .. } => *input,
                ClientMessage::Steer { input, .. } => *input,
                _ => 0,
            })
            .collect()
    }

    #[tokio::test]
    async fn newest_wins_and_requests_keep_their_place() {
        let inbox = Inbox::default();
        let steer = ClientMessage::Steer { input: 3, speed: 0.0, turn: 0.0 };
        for message in [drag(1, "a"), scene(2), steer, drag(4, "a"), drag(5, "b"), drag(6, "a")] {
            assert!(inbox.push(message, 10).await);
        }
        assert_eq!(inputs(&inbox), [2, 3, 5, 6]);
        for message in [scene(1), ClientMessage::Reset, scene(2), drag(3, "a"), scene(4)] {
            assert!(inbox.push(message, 10).await);
        }
        assert_eq!(inputs(&inbox), [1, 0, 4]);
        assert!(matches!(inbox.take(Some(Instant::now())), Taken::Due));
        inbox.close();
        assert!(!inbox.push(scene(1), 1).await);
        assert!(matches!(inbox.take(None), Taken::Closed));
    }

    #[tokio::test]
    async fn a_flood_waits_for_room() {
        let inbox = std::sync::Arc::new(Inbox::default());
        for _ in 0..MOST_MESSAGES {
            assert!(inbox.push(ClientMessage::Reset, 1).await);
        }
        let late = tokio::spawn({
            let inbox = inbox.clone();
            async move { inbox.push(ClientMessage::Reset, 1).await }
        });
        tokio::task::yield_now().await;
        assert!(!late.is_finished());
        assert_eq!(inputs(&inbox).len(), MOST_MESSAGES);
        assert!(late.await.unwrap());
        // Drags of one target never fill it.
        for i in 0..10_000 {
            assert!(inbox.push(drag(i, "a"), 1000).await);
        }
        assert_eq!(inputs(&inbox).len(), 2);
    }
}
