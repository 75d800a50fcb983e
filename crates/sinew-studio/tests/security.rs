//! Who may ask, and how much.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)] // it is a test

#[path = "support/client.rs"]
mod client;

use client::Studio;
use futures_util::SinkExt;
use sinew_studio::wire::{ClientMessage, RigSource, ServerMessage};
use tokio_tungstenite::tungstenite::Message;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn strangers_are_refused() {
    let studio = Studio::start();
    let host = studio.host();
    let own = format!("http://{host}");
    for bad in ["evil.example", "evil.example:80", "127.0.0.1", &format!("{host}.evil.example")] {
        for path in ["/", "/api/upload/x", "/assets/x.js"] {
            let answer = studio.http("GET", path, &[("host", bad)], b"").await;
            assert_eq!(answer.status, 403, "{bad} {path}");
            assert!(answer.json()["message"].as_str().unwrap().contains("this server is not"), "{answer:?}");
        }
        assert!(studio.try_tab(bad, Some(&own)).await.is_err(), "{bad}");
    }
    for origin in ["http://evil.example", "null", &format!("https://{host}"), "http://127.0.0.1:1"] {
        let answer =
            studio.http("POST", "/api/upload?name=a.bvh", &[("host", &host), ("origin", origin)], b"x").await;
        assert_eq!(answer.status, 403, "{origin}");
        assert!(studio.try_tab(&host, Some(origin)).await.is_err(), "{origin}");
    }
    let answer = studio.http("POST", "/api/upload?name=a.bvh", &[("host", &host)], b"x").await;
    assert_eq!(answer.status, 403, "a POST without an Origin");
    assert!(studio.try_tab(&host, None).await.is_ok(), "a program of this machine");
    assert!(studio.try_tab(&host, Some(&own)).await.is_ok());
    let local = format!("localhost:{}", studio.address.port());
    assert!(studio.try_tab(&local, Some(&format!("http://{local}"))).await.is_ok());
    studio.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn answers_say_how_they_are_to_be_treated() {
    let studio = Studio::start();
    let answer = studio.get("/").await;
    assert_eq!(answer.status, 200);
    for line in [
        "x-content-type-options: nosniff",
        "cache-control: no-store",
        "content-type: text/html",
        "default-src 'self'",
    ] {
        assert!(answer.head.contains(line), "{line}: {}", answer.head);
    }
    // No name leads out of the page.
    for path in [
        "/../Cargo.toml",
        "/..%2f..%2fCargo.toml",
        "/assets/../../Cargo.toml",
        "/%2e%2e/Cargo.toml",
        "//etc/passwd",
        "/assets/",
        "/api/upload/..%2f..%2fCargo.toml",
        "/api/export/none",
    ] {
        let answer = studio.get(path).await;
        assert!(answer.status == 404 || answer.status == 400, "{path}: {answer:?}");
    }
    let answer = studio.http("DELETE", "/api/upload/x", &[("host", &studio.host())], b"").await;
    assert_eq!(answer.status, 405);
    studio.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn uploads_are_named_bounded_and_never_paths() {
    let studio = Studio::start();
    let rig = b"sinew_rig = 1\nname = \"stick\"\n[[joint]]\nname = \"a\"\nkind = \"ball\"\n";
    let answer = studio.upload("..%2f..%2fetc%2fpasswd", rig).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let uploaded = answer.json();
    assert_eq!(uploaded["name"], "passwd");
    assert_eq!(uploaded["bytes"], rig.len());
    let id = uploaded["id"].as_str().unwrap();
    let fetched = studio.get(&format!("/api/upload/{id}")).await;
    assert_eq!(fetched.body, rig);
    assert!(
        fetched.head.contains("content-disposition: attachment; filename=\"passwd\""),
        "{}",
        fetched.head
    );
    assert!(fetched.head.contains("content-type: application/octet-stream"));
    assert_eq!(studio.upload("same.toml", rig).await.json()["name"], "same.toml");
    assert_eq!(studio.upload("x", b"").await.status, 400);
    let html = studio.upload("page.html", b"<script>alert(1)</script>").await.json();
    let fetched = studio.get(&format!("/api/upload/{}", html["id"].as_str().unwrap())).await;
    assert!(fetched.head.contains("application/octet-stream"), "never a document of ours");
    let large = vec![b' '; (64 << 20) + 1];
    let answer = studio.upload("large.bvh", &large).await;
    assert_eq!(answer.status, 413);
    assert!(answer.text().contains("larger than 64 MiB"), "{}", answer.text());
    let mut tab = studio.tab().await;
    for id in ["", "../../Cargo.toml", "/etc/passwd", "0123"] {
        tab.send(&ClientMessage::Load {
            request: 5,
            rig: RigSource::Upload { id: id.into() },
            fitting: None,
        })
        .await;
        assert!(tab.failure().await.contains("no longer kept"), "{id}");
    }
    for name in ["/etc/passwd", "unicorn", "chain:999999", "chain:1e9", "chain:0"] {
        tab.send(&ClientMessage::Load {
            request: 5,
            rig: RigSource::Rig { name: name.into() },
            fitting: None,
        })
        .await;
        assert!(!tab.failure().await.is_empty(), "{name}");
    }
    studio.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bad_message_gets_words_and_the_connection_lives() {
    let studio = Studio::start();
    let mut tab = studio.tab().await;
    let rig = tab.load_rig("chain:4").await;
    tab.pose(&rig).await;
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let large = format!("{{\"type\":\"ping\",\"stamp\":{}}}", "1".repeat(2 << 20));
    let bad: &[(&str, &str)] = &[
        ("", "not JSON"),
        ("hello", "not JSON"),
        ("{}", "missing field `type`"),
        ("{\"type\":\"load\"}", "missing field"),
        ("{\"type\":\"load\",\"request\":-1,\"rig\":{\"kind\":\"rig\",\"name\":\"arm\"}}", "invalid value"),
        (
            "{\"type\":\"load\",\"request\":1,\"rig\":{\"kind\":\"file\",\"path\":\"/etc/passwd\"}}",
            "unknown variant",
        ),
        ("{\"type\":\"ping\",\"stamp\":0,\"more\":1}", "unknown field"),
        ("{\"type\":\"pose\",\"input\":1,\"scene\":{\"goals\":3}}", "scene.goals: invalid type"),
        (
            "{\"type\":\"drag\",\"input\":1,\"target\":\"a\",\"position\":[1,2],\"rotation\":null}",
            "invalid length",
        ),
        (
            "{\"type\":\"drag\",\"input\":1,\"target\":\"a\",\"position\":[NaN,0,0],\"rotation\":null}",
            "not JSON",
        ),
        (
            "{\"type\":\"drag\",\"input\":1,\"target\":\"a\",\"position\":[1e400,0,0],\"rotation\":null}",
            "out of range",
        ),
        (
            "{\"type\":\"drag\",\"input\":1,\"target\":\"a\",\"position\":[1e200,0,0],\"rotation\":null}",
            "beyond all measure",
        ),
        (
            "{\"type\":\"drag\",\"input\":1,\"target\":\"nobody\",\"position\":[0,0,0],\"rotation\":null}",
            "there is no goal 'nobody'",
        ),
        (
            "{\"type\":\"drag\",\"input\":1,\"target\":\"tip\",\"position\":[1e9,0,0],\"rotation\":null}",
            "nowhere near",
        ),
        ("{\"type\":\"steer\",\"input\":1,\"speed\":1,\"turn\":0}", "only the walker"),
        (
            "{\"type\":\"set_limit\",\"request\":1,\"joint\":999,\"limit\":{\"shape\":{\"kind\":\"none\"},\"soft_zone\":0}}",
            "joint 999",
        ),
        (&deep, "not JSON"),
        (&large, "the most is 1048576"),
    ];
    for (text, words) in bad {
        tab.send_text(text).await;
        let said = tab.failure().await;
        assert!(said.contains(words), "{:.80}: {said}", text);
        assert!(said.len() < 2000);
    }
    tab.socket.send(Message::binary(vec![0; 10])).await.unwrap();
    assert!(tab.failure().await.contains("binary"));
    tab.send(&ClientMessage::Ping { stamp: 7.0 }).await;
    assert_eq!(tab.answer().await, ServerMessage::Pong { stamp: 7.0 });
    // Beyond all bounds only the one connection ends.
    let mut rude = studio.tab().await;
    let _ = rude.socket.send(Message::text("x".repeat(8 << 20))).await;
    while rude.try_next().await.is_some() {}
    tab.send(&ClientMessage::Ping { stamp: 8.0 }).await;
    assert_eq!(tab.answer().await, ServerMessage::Pong { stamp: 8.0 });
    studio.stop().await;
}
