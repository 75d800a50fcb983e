//! Many tabs, slow tabs, floods, reloads and the end.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)] // it is a test

#[path = "support/client.rs"]
mod client;

use std::time::{Duration, Instant};

use client::{PATIENCE, Studio};
use futures_util::{SinkExt, StreamExt};
use sinew_studio::wire::{ClientMessage, ServerMessage};
use tokio_tungstenite::tungstenite::Message;

/// The threads of this process that serve tabs, where the system tells.
fn session_threads() -> Option<usize> {
    let tasks = std::fs::read_dir("/proc/self/task").ok()?;
    let name = |t: std::fs::DirEntry| std::fs::read_to_string(t.path().join("comm")).unwrap_or_default();
    Some(tasks.flatten().map(name).filter(|n| n.trim() == "studio session").count())
}

/// The memory of this process in MiB, where the system tells.
fn memory() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    Some((text.split(' ').nth(1)?.parse::<usize>().ok()? * 4096) >> 20)
}

/// One test, since threads and memory are those of the whole process.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tabs_come_and_go_without_a_trace() {
    let studio = Studio::start();

    // A flood: the newest of each target is what is solved, and requests are all answered.
    let mut tab = studio.tab().await;
    let rig = tab.load_rig("chain:8").await;
    tab.pose(&rig).await;
    let before = memory();
    let goal = rig.goals[0].clone();
    for i in 0..5_000 {
        let position = [0.3, 0.4 + f64::from(i % 7) * 0.01, 0.0];
        tab.input += 1;
        let drag =
            ClientMessage::Drag { input: tab.input, target: goal.id.clone(), position, rotation: None };
        tab.send(&drag).await;
    }
    let (frame, details) = tab.frame().await;
    assert_eq!(frame.input, tab.input);
    assert!(details.reached, "{details:?}");
    assert!(frame.number < 2_000, "{} of 5000 drags were solved one by one", frame.number);
    let (sent, received) = (500, 500);
    for i in 0..sent {
        tab.send(&ClientMessage::Ping { stamp: f64::from(i) }).await;
    }
    for i in 0..received {
        assert_eq!(tab.answer().await, ServerMessage::Pong { stamp: f64::from(i) });
    }

    // A flood of requests from a tab that reads nothing is held back, not kept.
    let mut rude = studio.tab().await;
    let text = serde_json::to_string(&ClientMessage::Load {
        request: 1,
        rig: sinew_studio::wire::RigSource::Rig { name: "humanoid".into() },
        fitting: None,
    })
    .unwrap();
    let mut sent = 0;
    while sent < 200_000 {
        let sending = rude.socket.send(Message::text(text.clone()));
        match tokio::time::timeout(Duration::from_millis(500), sending).await {
            Ok(Ok(())) => sent += 1,
            _ => break,
        }
    }
    assert!(sent < 200_000, "everything was taken in");
    if let (Some(before), Some(after)) = (before, memory()) {
        assert!(after < before + 150, "{before} MiB became {after} MiB");
    }

    // Meanwhile another tab is served as if nothing were.
    let start = Instant::now();
    let (_, details) = tab.drag(&goal.id, [0.1, 0.5, 0.2]).await;
    assert!(details.reached && start.elapsed() < Duration::from_secs(2));
    drop(rude);

    // A slow tab gets fewer frames, and the newest.
    let mut slow = studio.tab().await;
    let rig = slow.load_rig("humanoid").await;
    let scene = slow.pose(&rig).await;
    slow.send(&ClientMessage::Record { on: true }).await; // frames without end
    tokio::time::sleep(Duration::from_millis(400)).await;
    slow.show(&scene).await;
    slow.send(&ClientMessage::Record { on: false }).await;

    // Reloading a page again and again leaves nothing behind.
    for _ in 0..20 {
        let mut tab = studio.tab().await;
        let rig = tab.load_rig("arm").await;
        tab.pose(&rig).await;
        if rig.joints.len() % 2 == 0 {
            let _ = tab.socket.close(None).await;
        }
    }
    drop(slow);
    let deadline = Instant::now() + PATIENCE;
    while session_threads().is_some_and(|n| n > 1) && Instant::now() < deadline {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert!(session_threads().is_none_or(|n| n == 1), "{:?}", session_threads());

    // As many tabs as there may be, all served; one more is told so.
    let mut tabs = vec![tab];
    while tabs.len() < sinew_studio::server::MOST_TABS {
        tabs.push(studio.tab().await);
    }
    assert!(studio.try_tab(&studio.host(), None).await.is_err());
    for tab in &mut tabs {
        let rig = tab.load_rig("chain:3").await;
        tab.pose(&rig).await;
        let tip = rig.goals[0].id.clone();
        let (_, details) = tab.drag(&tip, [0.2, 0.6, 0.1]).await;
        assert!(details.reached);
    }

    // The end: every tab is told, every thread ends, in time.
    let start = Instant::now();
    studio.stop().await;
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
    for tab in &mut tabs {
        let mut told = false;
        while let Ok(Some(Ok(message))) = tokio::time::timeout(PATIENCE, tab.socket.next()).await {
            if let Message::Close(Some(frame)) = message {
                told = frame.reason.contains("closing");
            }
        }
        assert!(told);
    }
    let deadline = Instant::now() + Duration::from_secs(2);
    while session_threads().is_some_and(|n| n > 0) && Instant::now() < deadline {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert!(session_threads().is_none_or(|n| n == 0));
}
