//! Connections: how many there may be, and how long they may take.
//!
//! A client may be slow, silent or many. Whoever has not said what it wants within the server's
//! patience is gone, also between two requests; no connection lasts longer than [`LONGEST`], but for those that became
//! a WebSocket, which have rules of their own (see `socket`). When there are too many, the one that
//! has waited longest without asking anything makes room, so that a flood of idle connections keeps
//! nobody out. A browser opens a new one when it needs it, and does not notice.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, watch};

use super::locked;

/// The most connections at a time that have not become a WebSocket. Half of the files that a process
/// may open on most systems.
const MOST: usize = 512;
/// The longest that a connection lasts: the slowest upload, and a download after it.
const LONGEST: Duration = Duration::from_secs(300);
/// How long to wait when the system has no connection to give, as when all files are open.
const PAUSE: Duration = Duration::from_millis(50);

/// One connection, as the others see it.
#[derive(Debug, Default)]
struct Seat {
    /// Whether something is being answered.
    busy: AtomicBool,
    leave: Notify,
}

/// The connections there are, oldest first.
#[derive(Debug, Default)]
struct Seats(Mutex<VecDeque<Arc<Seat>>>);

impl Seats {
    /// Takes one more in. If there are too many, the oldest that is not being answered leaves, or,
    /// if all are, the oldest.
    fn take(&self) -> Arc<Seat> {
        let seat = Arc::new(Seat::default());
        let mut seats = locked(&self.0);
        if seats.len() >= MOST {
            let idle = seats.iter().position(|seat| !seat.busy.load(Ordering::Relaxed)).unwrap_or(0);
            if let Some(gone) = seats.remove(idle) {
                gone.leave.notify_one();
            }
        }
        seats.push_back(seat.clone());
        seat
    }

    fn free(&self, seat: &Arc<Seat>) {
        let mut seats = locked(&self.0);
        if let Some(at) = seats.iter().position(|other| Arc::ptr_eq(other, seat)) {
            seats.remove(at);
        }
    }
}

/// Answers every connection until the server stops, then lets those that are being answered end.
pub async fn serve(
    listener: TcpListener,
    routes: Router,
    patience: Duration,
    mut stopping: watch::Receiver<bool>,
) {
    let seats = Arc::new(Seats::default());
    // Every connection holds one; when all are gone, so is the last.
    let (open, mut all_gone) = tokio::sync::mpsc::channel::<()>(1);
    loop {
        let stream = tokio::select! {
            _ = stopping.wait_for(|stop| *stop) => break,
            accepted = listener.accept() => accepted,
        };
        match stream {
            Ok((stream, _)) => {
                let (routes, stopping, open) = (routes.clone(), stopping.clone(), open.clone());
                let (seats, seat) = (seats.clone(), seats.take());
                tokio::spawn(async move {
                    answer(stream, routes, (&seat, patience), stopping).await;
                    seats.free(&seat);
                    drop(open);
                });
            }
            Err(_) => tokio::time::sleep(PAUSE).await,
        }
    }
    drop(open);
    let _ = all_gone.recv().await;
}

async fn answer(
    stream: TcpStream,
    routes: Router,
    (seat, patience): (&Arc<Seat>, Duration),
    mut stopping: watch::Receiver<bool>,
) {
    // Small messages go out at once: a drag is seen in the next frame.
    let _ = stream.set_nodelay(true);
    let routes = TowerToHyperService::new(routes);
    let service = service_fn({
        let seat = seat.clone();
        move |request| {
            let (routes, seat) = (routes.clone(), seat.clone());
            async move {
                seat.busy.store(true, Ordering::Relaxed);
                let answer = routes.call(request).await;
                seat.busy.store(false, Ordering::Relaxed);
                answer
            }
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(patience)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    let mut connection = std::pin::pin!(connection);
    let mut asked_to_stop = std::pin::pin!(stops(&mut stopping));
    let mut late = std::pin::pin!(tokio::time::sleep(LONGEST));
    let mut told = false;
    loop {
        tokio::select! {
            _ = connection.as_mut() => return,
            () = seat.leave.notified() => return,
            () = late.as_mut() => return,
            () = asked_to_stop.as_mut(), if !told => {
                told = true;
                connection.as_mut().graceful_shutdown();
            }
        }
    }
}

async fn stops(stopping: &mut watch::Receiver<bool>) {
    // An error means that the server is gone, which is the same.
    let _ = stopping.wait_for(|stop| *stop).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_that_waits_makes_room() {
        let seats = Seats::default();
        let first: Vec<Arc<Seat>> = (0..MOST).map(|_| seats.take()).collect();
        first[0].busy.store(true, Ordering::Relaxed);
        let more = seats.take();
        let held = |seat: &Arc<Seat>| locked(&seats.0).iter().any(|other| Arc::ptr_eq(other, seat));
        assert!(held(&first[0]) && !held(&first[1]) && held(&first[2]) && held(&more));
        seats.free(&first[1]);
        seats.free(&first[2]);
        assert_eq!(locked(&seats.0).len(), MOST - 1);
    }
}
