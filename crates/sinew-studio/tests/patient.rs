//! Clients that are slow, silent, many or strangers, and tabs that want too much.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)] // it is a test

#[path = "support/client.rs"]
mod client;

use std::time::{Duration, Instant};

use client::{PATIENCE, Studio};
use futures_util::{SinkExt, StreamExt};
use sinew_io::Budget;
use sinew_studio::ServerOptions;
use sinew_studio::wire::{ClientMessage, RigSource, ServerMessage};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;

fn impatient() -> ServerOptions {
    ServerOptions { port: Some(0), patience: Some(Duration::from_millis(700)), ..ServerOptions::default() }
}

/// Whether the server ends a connection, within a time that is far beyond its patience.
async fn is_ended(stream: &mut TcpStream) -> bool {
    let mut bytes = Vec::new();
    tokio::time::timeout(Duration::from_secs(8), stream.read_to_end(&mut bytes)).await.is_ok()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_keeps_the_server_waiting_is_let_go() {
    let studio = Studio::start_with(impatient());
    let host = studio.host();
    let connect = || TcpStream::connect(studio.address);
    let mut silent = connect().await.unwrap();
    let mut half = connect().await.unwrap();
    half.write_all(b"GET / HTTP/1.1\r\nhost: ").await.unwrap();
    let mut after = connect().await.unwrap();
    after.write_all(format!("GET /icon.svg HTTP/1.1\r\nhost: {host}\r\n\r\n").as_bytes()).await.unwrap();
    let mut stalled = connect().await.unwrap();
    let head = format!(
        "POST /api/upload?name=a.bvh HTTP/1.1\r\nhost: {host}\r\norigin: http://{host}\r\ncontent-length: 1000\r\n\r\n"
    );
    stalled.write_all(head.as_bytes()).await.unwrap();
    stalled.write_all(b"HIERARCHY").await.unwrap();
    let mut answer = Vec::new();
    let _ = tokio::time::timeout(PATIENCE, stalled.read_to_end(&mut answer)).await.unwrap();
    let answer = String::from_utf8_lossy(&answer);
    assert!(answer.starts_with("HTTP/1.1 408") && answer.contains("too long to arrive"), "{answer}");
    assert!(is_ended(&mut silent).await, "one that says nothing");
    assert!(is_ended(&mut half).await, "one that does not end its head");
    assert!(is_ended(&mut after).await, "one that asks for nothing more");
    // A tab is not a request: it may be silent for longer.
    let mut tab = studio.tab().await;
    tokio::time::sleep(Duration::from_millis(1500)).await;
    tab.send(&ClientMessage::Ping { stamp: 1.0 }).await;
    assert!(matches!(tab.answer().await, ServerMessage::Pong { .. }));
    studio.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flood_of_idle_connections_keeps_nobody_out() {
    let studio = Studio::start();
    let mut tab = studio.tab().await;
    let mut idle = Vec::new();
    for _ in 0..600 {
        // A system that lets a process open few files ends the flood sooner.
        let Ok(mut stream) = TcpStream::connect(studio.address).await else { break };
        if stream.write_all(b"GET / HTTP/1.1\r\n").await.is_ok() {
            idle.push(stream);
        }
        if idle.len() >= 380 && idle.len() % 20 == 0 {
            let start = Instant::now();
            assert_eq!(studio.get("/icon.svg").await.status, 200);
            assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
        }
    }
    tab.send(&ClientMessage::Ping { stamp: 1.0 }).await;
    assert!(matches!(tab.answer().await, ServerMessage::Pong { .. }));
    drop(idle);
    studio.stop().await;
}

/// A connection that says one letter of its request a second, and comes back when it is ended; how often it was.
async fn slow(address: std::net::SocketAddr, until: Instant) -> usize {
    let mut ends = 0;
    while Instant::now() < until {
        let Ok(mut stream) = TcpStream::connect(address).await else { break };
        let mut byte = [0];
        while Instant::now() < until {
            let said = stream.write_all(b"G").await.is_ok();
            let heard = tokio::time::timeout(Duration::from_secs(1), stream.read(&mut byte)).await;
            if !said || matches!(heard, Ok(Ok(0) | Err(_))) {
                ends += 1;
                break;
            }
        }
    }
    ends
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes more than a minute; run it by name, on a machine that does nothing else"]
async fn slow_connections_and_a_thousand_sockets_keep_nobody_waiting() {
    let studio = Studio::start();
    let until = Instant::now() + Duration::from_secs(60);
    let slow: Vec<_> = (0..500).map(|_| tokio::spawn(slow(studio.address, until))).collect();
    let mut idle = Vec::new();
    for _ in 0..1000 {
        idle.push(TcpStream::connect(studio.address).await.unwrap());
    }
    let mut tab = studio.tab().await;
    let rig = tab.load_rig("humanoid").await;
    tab.pose(&rig).await;
    let (mut pages, mut frames) = (Vec::new(), Vec::new());
    while Instant::now() < until {
        let start = Instant::now();
        assert_eq!(studio.get("/icon.svg").await.status, 200);
        pages.push(start.elapsed());
        let start = Instant::now();
        tab.send(&ClientMessage::Ping { stamp: 1.0 }).await;
        assert!(matches!(tab.answer().await, ServerMessage::Pong { .. }));
        frames.push(start.elapsed());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    for (what, times) in [("a new connection", &mut pages), ("a tab", &mut frames)] {
        times.sort_unstable();
        let at = |share: usize| times[(times.len() - 1) * share / 1000];
        println!(
            "{what}: {} times, median {:?}, 99 % {:?}, 99.9 % {:?}, most {:?}",
            times.len(),
            at(500),
            at(990),
            at(999),
            at(1000)
        );
        assert!(at(990) < Duration::from_millis(50), "{what} waited {:?}", at(990));
    }
    let mut ends = 0;
    for task in slow {
        ends += task.await.unwrap();
    }
    println!("slow connections were ended {ends} times");
    let mut left = 0;
    for stream in &mut idle {
        left += usize::from(!is_ended(stream).await);
    }
    assert_eq!(left, 0, "of a thousand sockets that say nothing, after a minute");
    studio.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_the_token_nothing_is_answered() {
    let options = ServerOptions { port: Some(0), token: Some("s3cret".into()), ..ServerOptions::default() };
    let server = sinew_studio::Server::bind(options.clone()).unwrap();
    assert!(server.url().ends_with("/?token=s3cret"), "{}", server.url());
    drop(server);
    let studio = Studio::start_with(options);
    let (host, own) = (studio.host(), format!("http://{}", studio.host()));
    for path in ["/", "/icon.svg", "/api/upload/x", "/?token=", "/?token=S3cret"] {
        let answer = studio.get(path).await;
        assert_eq!(answer.status, 403, "{path}");
        assert!(answer.text().contains("needs its token"), "{}", answer.text());
    }
    assert_eq!(studio.upload("a.bvh", b"x").await.status, 403);
    assert!(studio.try_tab(&host, Some(&own)).await.is_err());
    assert!(studio.try_tab(&host, None).await.is_err(), "a program of another account");
    // A browser is sent on with a cookie, which then opens everything.
    let answer = studio.get("/?token=s3cret").await;
    assert_eq!(answer.status, 303, "{answer:?}");
    assert!(answer.head.contains("location: /\r\n"), "{}", answer.head);
    let cookie = answer.head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
    assert!(cookie.contains("httponly") && cookie.contains("samesite"), "{cookie}");
    let cookie = cookie.split(';').next().unwrap();
    let page = studio.http("GET", "/", &[("host", &host), ("cookie", cookie)], b"").await;
    assert_eq!(page.status, 200);
    let bearer = [("host", host.as_str()), ("authorization", "Bearer s3cret")];
    assert_eq!(studio.http("GET", "/icon.svg", &bearer, b"").await.status, 200);
    let elsewhere = [("host", host.as_str()), ("cookie", cookie), ("origin", "http://evil.example")];
    assert_eq!(studio.http("GET", "/", &elsewhere, b"").await.status, 403, "the cookie alone does not do");
    studio.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_breaks_the_rules_is_told_which() {
    async fn code(studio: &Studio, message: Message) -> Option<u16> {
        let mut tab = studio.tab().await;
        // The server may end it before everything is sent.
        let _ = tab.socket.send(message).await;
        loop {
            match tokio::time::timeout(PATIENCE, tab.socket.next()).await.unwrap() {
                Some(Ok(Message::Close(Some(frame)))) => return Some(frame.code.into()),
                Some(Ok(Message::Close(None)) | Err(_)) | None => return None,
                Some(Ok(_)) => {}
            }
        }
    }
    use tokio_tungstenite::tungstenite::protocol::frame::Frame;
    use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};
    let studio = Studio::start();
    let frame = |op: OpCode, bytes: &'static [u8]| Message::Frame(Frame::message(bytes, op, true));
    assert_eq!(code(&studio, frame(OpCode::Data(Data::Text), b"\xff\xfe")).await, Some(1007));
    assert_eq!(code(&studio, frame(OpCode::Data(Data::Continue), b"of nothing")).await, Some(1002));
    studio.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tab_that_wants_too_much_gets_words_and_the_others_live() {
    let options = ServerOptions { port: Some(0), budget: Budget::new(1 << 20), ..ServerOptions::default() };
    let studio = Studio::start_with(options);
    let motion = |frames: usize, name: &str| {
        let joints = "JOINT j\n{\nOFFSET 0 1 0\nCHANNELS 0\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\n".repeat(9);
        let head = format!("HIERARCHY\nROOT {name}\n{{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n{joints}}}\n");
        head + &format!("MOTION\nFrames: {frames}\nFrame Time: 0.01\n") + &"0\n".repeat(frames)
    };
    let mut others = studio.tab().await;
    let rig = others.load_rig("chain:4").await;
    others.pose(&rig).await;
    let mut tab = studio.tab().await;
    let mut ids = Vec::new();
    for (name, frames) in [("huge", 100_000), ("a", 1400), ("b", 1400)] {
        let answer = studio.upload(&format!("{name}.bvh"), motion(frames, name).as_bytes()).await.json();
        ids.push(RigSource::Upload { id: answer["id"].as_str().unwrap().into() });
    }
    tab.send(&ClientMessage::Load { request: 2, rig: ids[0].clone(), fitting: None }).await;
    let words = tab.failure().await;
    assert!(words.contains("10 joints in 100000 frames") && words.contains("memory budget"), "{words}");
    // Two tabs of one file hold it once; a third file would be too much, until one is closed.
    assert_eq!(tab.load(ids[1].clone()).await.joints.len(), 10);
    let mut second = studio.tab().await;
    assert_eq!(second.load(ids[1].clone()).await.joints.len(), 10);
    let mut third = studio.tab().await;
    assert_eq!(third.load(ids[2].clone()).await.joints.len(), 10);
    let more = studio.upload("c.bvh", motion(1400, "c").as_bytes()).await.json();
    let more = RigSource::Upload { id: more["id"].as_str().unwrap().into() };
    let mut fourth = studio.tab().await;
    fourth.send(&ClientMessage::Load { request: 2, rig: more.clone(), fitting: None }).await;
    let words = fourth.failure().await;
    assert!(words.contains("of what other tabs show"), "{words}");
    let (frame, _) = others.show(&others_scene(&rig)).await;
    assert!(frame.input > 0, "the others live");
    drop(third);
    // Its thread ends when it hears of it.
    let deadline = Instant::now() + PATIENCE;
    loop {
        fourth.send(&ClientMessage::Load { request: 3, rig: more.clone(), fitting: None }).await;
        match fourth.answer().await {
            ServerMessage::Loaded { .. } => break,
            other => assert!(Instant::now() < deadline, "{other:?}"),
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    studio.stop().await;
}

fn others_scene(rig: &sinew_studio::wire::RigDescription) -> sinew_studio::wire::PoseScene {
    sinew_studio::wire::PoseScene {
        goals: rig.goals.clone(),
        solver: sinew_studio::wire::SolverChoice { name: "robust".into(), ..Default::default() },
        travel: true,
        ..Default::default()
    }
}
