//! One tab: its WebSocket on one side, its thread on the other.
//!
//! ```text
//! browser ─► read ─► Inbox ─► session's thread ─► Outbox ─► write ─► browser
//! ```
//!
//! Reading waits when the inbox is full, so a flood is held back by TCP.
//! Writing takes the newest frame when the socket is ready for one, so a slow
//! tab gets fewer frames. When either side ends, the other is told.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::State;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};

use super::routes::refusal;
use super::{MOST_TABS, Shared};
use crate::session::{self, Inbox, Outbox, understand};
use crate::wire::ServerMessage;

/// The largest message, in bytes. A larger one is answered in words …
pub const LARGEST_MESSAGE: usize = 1 << 20;
/// … and one beyond this ends the connection.
const OUTRAGEOUS: usize = 4 << 20;
/// A tab from which nothing is heard for so long is gone.
const SILENCE: Duration = Duration::from_secs(60);
/// How often it is asked whether it is still there.
const ASKING: Duration = Duration::from_secs(20);
/// A tab that takes nothing for so long is gone.
const STUCK: Duration = Duration::from_secs(30);

/// Takes a tab in, if there is room for one.
pub async fn connect(
    State(shared): State<Arc<Shared>>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Response {
    let upgrade = match upgrade {
        Ok(upgrade) => upgrade,
        Err(error) => return error.into_response(),
    };
    if *shared.stopping.borrow() {
        return refusal(StatusCode::SERVICE_UNAVAILABLE, "the studio is closing");
    }
    let Ok(permit) = shared.tabs.clone().try_acquire_owned() else {
        let words = format!("{MOST_TABS} tabs are open already; close one");
        return refusal(StatusCode::SERVICE_UNAVAILABLE, &words);
    };
    upgrade
        .max_message_size(OUTRAGEOUS)
        .max_frame_size(OUTRAGEOUS)
        .on_upgrade(move |socket| serve(socket, shared, permit))
}

async fn serve(socket: WebSocket, shared: Arc<Shared>, permit: tokio::sync::OwnedSemaphorePermit) {
    let inbox = Arc::new(Inbox::default());
    let outbox = Arc::new(Outbox::default());
    let mut stopping = shared.stopping.subscribe();
    let thread = {
        let (inbox, outbox, shared) = (inbox.clone(), outbox.clone(), shared.clone());
        std::thread::Builder::new().name("studio session".into()).spawn(move || {
            session::run(&inbox, &outbox, &shared);
            outbox.close();
            drop(permit);
        })
    };
    let (mut sink, stream) = socket.split();
    if thread.is_ok() {
        tokio::select! {
            why = read(stream, &inbox, &outbox) => close(&mut sink, why).await,
            () = write(&mut sink, &outbox) => {}
            () = async { let _ = stopping.wait_for(|s| *s).await; } => {
                close(&mut sink, Some((close_code::AWAY, "the studio is closing"))).await;
            }
        }
    } else {
        close(&mut sink, Some((close_code::AGAIN, "there is no room for another tab"))).await;
    }
    inbox.close();
    outbox.close();
}

/// Why a connection ends that the tab has not ended itself: the code of RFC 6455, 7.4.1, and words.
type Why = Option<(u16, &'static str)>;

/// Says why, if there is a reason. A tab that is gone already need not be told.
async fn close(sink: &mut SplitSink<WebSocket, Message>, why: Why) {
    let Some((code, reason)) = why else { return };
    let frame = CloseFrame { code, reason: reason.into() };
    let _ = tokio::time::timeout(Duration::from_millis(300), sink.send(Message::Close(Some(frame)))).await;
}

/// What a broken stream means.
fn reason(error: &axum::Error) -> Why {
    let words = error.to_string().to_ascii_lowercase();
    if words.contains("too long") || words.contains("capacity") {
        Some((close_code::SIZE, "the message is beyond all bounds"))
    } else if words.contains("utf-8") || words.contains("utf8") {
        Some((close_code::INVALID, "the message is no UTF-8"))
    } else if words.contains("protocol") {
        Some((close_code::PROTOCOL, "this is no WebSocket that follows its rules"))
    } else {
        None
    }
}

/// Hands on what the tab says, until it ends; says why it did.
async fn read(mut stream: SplitStream<WebSocket>, inbox: &Inbox, outbox: &Outbox) -> Why {
    loop {
        let message = match tokio::time::timeout(SILENCE, stream.next()).await {
            Ok(Some(Ok(message))) => message,
            Ok(Some(Err(error))) => return reason(&error),
            Ok(None) => return None,
            Err(_) => return Some((close_code::POLICY, "nothing was heard for too long")),
        };
        let understood = match &message {
            Message::Text(text) if text.len() > LARGEST_MESSAGE => {
                Err(format!("the message has {} bytes; the most is {LARGEST_MESSAGE}", text.len()))
            }
            Message::Text(text) => understand(text),
            Message::Binary(_) => Err("the message is binary; expected text in JSON".into()),
            Message::Close(_) => return None,
            Message::Ping(_) | Message::Pong(_) => continue,
        };
        let open = match understood {
            Ok(understood) => inbox.push(understood, message.into_data().len()).await,
            Err(message) => outbox.answer(ServerMessage::Failed { request: 0, message }).await,
        };
        if !open {
            return None;
        }
    }
}

/// Sends what there is, until the session ends or the tab takes nothing.
async fn write(sink: &mut SplitSink<WebSocket, Message>, outbox: &Outbox) {
    loop {
        let message = match tokio::time::timeout(ASKING, outbox.next()).await {
            Err(_) => Message::Ping(Bytes::new()),
            Ok(None) => return,
            Ok(Some(message)) => match serde_json::to_string(&message) {
                Ok(text) => Message::Text(text.into()),
                Err(_) => continue,
            },
        };
        match tokio::time::timeout(STUCK, sink.send(message)).await {
            Ok(Ok(())) => {}
            _ => return,
        }
    }
}
