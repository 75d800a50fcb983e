//! A tab without a server: for tests and fuzzing, which want the handler of messages and nothing around it.

use std::net::{Ipv4Addr, SocketAddr};

use super::{Outbox, Session, understand};
use crate::ServerOptions;
use crate::server::Shared;
use crate::wire::ServerMessage;

/// What happens in a tab that is rehearsed.
#[derive(Debug, Clone, PartialEq)]
pub enum Act {
    /// The page says something, as text.
    Say(String),
    /// So many seconds pass, and a step is taken.
    Step(f64),
}

/// Plays what happens in one tab, and hands on what the page would hear. What falls here falls: nothing
/// catches a panic, as it is caught for a tab of the server.
pub fn rehearse(acts: impl IntoIterator<Item = Act>, mut heard: impl FnMut(ServerMessage)) {
    let nowhere = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    // Only a token that is no token is refused, and none is given.
    let Ok(shared) = Shared::new(ServerOptions::default(), nowhere) else { return };
    let outbox = Outbox::default();
    let mut session = Session::new(&shared, &outbox);
    for act in acts {
        match act {
            Act::Say(text) => match understand(&text) {
                Ok(message) => session.hear(message),
                Err(words) => session.fail(0, words),
            },
            Act::Step(seconds) => session.step(seconds.clamp(0.0, super::LONGEST_STEP)),
        }
        while let Some(message) = outbox.waiting() {
            heard(message);
        }
    }
}
