//! A server for a test, and a tab that talks to it.
#![allow(dead_code)] // each test uses its part

use std::net::SocketAddr;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use sinew_studio::wire::{
    ClientMessage, Frame, FrameDetails, PoseFrame, PoseScene, RigDescription, RigSource, ServerMessage,
    SolverChoice, Welcome,
};
use sinew_studio::{Server, ServerOptions};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

/// Nothing takes this long.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// A server that runs until it is stopped.
pub struct Studio {
    pub address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    running: JoinHandle<std::io::Result<()>>,
}

impl Studio {
    pub fn start() -> Self {
        Self::start_with(ServerOptions { port: Some(0), ..ServerOptions::default() })
    }

    pub fn start_with(options: ServerOptions) -> Self {
        let server = Server::bind(options).unwrap();
        let address = server.address();
        let (stop, stopped) = oneshot::channel();
        let running = tokio::spawn(server.run(async {
            let _ = stopped.await;
        }));
        Self { address, stop: Some(stop), running }
    }

    /// Stops it and waits for the end.
    pub async fn stop(mut self) {
        let _ = self.stop.take().unwrap().send(());
        tokio::time::timeout(PATIENCE, self.running).await.unwrap().unwrap().unwrap();
    }

    pub fn host(&self) -> String {
        self.address.to_string()
    }

    /// Opens a tab from this server's own page.
    pub async fn tab(&self) -> Tab {
        let origin = format!("http://{}", self.address);
        let mut tab = self.try_tab(&self.host(), Some(&origin)).await.unwrap();
        match tab.next().await {
            ServerMessage::Welcome { welcome } => tab.welcome = Some(welcome),
            other => panic!("{other:?}"),
        }
        tab
    }

    /// Tries to open a tab with these headers.
    pub async fn try_tab(&self, host: &str, origin: Option<&str>) -> Result<Tab, Error> {
        let mut request = format!("ws://{}/ws", self.address).into_client_request()?;
        request.headers_mut().insert("host", host.parse().unwrap());
        if let Some(origin) = origin {
            request.headers_mut().insert("origin", origin.parse().unwrap());
        }
        let (socket, _) = tokio_tungstenite::connect_async(request).await?;
        Ok(Tab { socket, input: 0, welcome: None })
    }

    /// A request over a connection of its own: the status, the head and the body.
    pub async fn http(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        let mut head =
            format!("{method} {path} HTTP/1.1\r\nconnection: close\r\ncontent-length: {}\r\n", body.len());
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        head += "\r\n";
        stream.write_all(head.as_bytes()).await.unwrap();
        // A refusal may come before everything is sent.
        let _ = stream.write_all(body).await;
        let mut bytes = Vec::new();
        let _ = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut bytes)).await.unwrap();
        let end = bytes.windows(4).position(|w| w == b"\r\n\r\n").expect("an answer");
        let head = String::from_utf8_lossy(&bytes[..end]).to_ascii_lowercase();
        let status = head.split(' ').nth(1).and_then(|s| s.parse().ok()).unwrap();
        Answer { status, head, body: bytes[end + 4..].to_vec() }
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.http("GET", path, &[("host", &self.host())], b"").await
    }

    pub async fn upload(&self, name: &str, bytes: &[u8]) -> Answer {
        let origin = format!("http://{}", self.address);
        let path = format!("/api/upload?name={name}");
        self.http("POST", &path, &[("host", &self.host()), ("origin", &origin)], bytes).await
    }
}

/// What came back.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|e| panic!("{e}: {}", self.text()))
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

/// A tab.
pub struct Tab {
    pub socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    pub input: u32,
    pub welcome: Option<Welcome>,
}

impl Tab {
    pub async fn send(&mut self, message: &ClientMessage) {
        self.send_text(&serde_json::to_string(message).unwrap()).await;
    }

    pub async fn send_text(&mut self, text: &str) {
        self.socket.send(Message::text(text)).await.unwrap();
    }

    /// The next message, if the connection lives.
    pub async fn try_next(&mut self) -> Option<ServerMessage> {
        loop {
            match tokio::time::timeout(PATIENCE, self.socket.next()).await.expect("an answer in time") {
                Some(Ok(Message::Text(text))) => return Some(serde_json::from_str(&text).unwrap()),
                Some(Ok(Message::Close(_)) | Err(_)) | None => return None,
                Some(Ok(_)) => {}
            }
        }
    }

    pub async fn next(&mut self) -> ServerMessage {
        self.try_next().await.expect("the connection lives")
    }

    /// The next message that is no frame.
    pub async fn answer(&mut self) -> ServerMessage {
        loop {
            match self.next().await {
                ServerMessage::Frame { .. } => {}
                other => return other,
            }
        }
    }

    pub async fn failure(&mut self) -> String {
        match self.answer().await {
            ServerMessage::Failed { message, .. } => message,
            other => panic!("{other:?}"),
        }
    }

    pub async fn load(&mut self, rig: RigSource) -> RigDescription {
        self.send(&ClientMessage::Load { request: 1, rig, fitting: None }).await;
        match self.answer().await {
            ServerMessage::Loaded { request: 1, rig } => rig,
            other => panic!("{other:?}"),
        }
    }

    pub async fn load_rig(&mut self, name: &str) -> RigDescription {
        self.load(RigSource::Rig { name: name.into() }).await
    }

    /// Shows the Pose workspace with the rig's first goals.
    pub async fn pose(&mut self, rig: &RigDescription) -> PoseScene {
        let scene = PoseScene {
            goals: rig.goals.clone(),
            solver: SolverChoice { name: "robust".into(), ..SolverChoice::default() },
            travel: true,
            ..PoseScene::default()
        };
        self.show(&scene).await;
        scene
    }

    /// Sends a scene and waits for a frame that shows it.
    pub async fn show(&mut self, scene: &PoseScene) -> (Frame, PoseFrame) {
        self.input += 1;
        self.send(&ClientMessage::Pose { input: self.input, scene: scene.clone() }).await;
        self.frame().await
    }

    /// Drags and waits for a frame that shows it.
    pub async fn drag(&mut self, target: &str, position: [f64; 3]) -> (Frame, PoseFrame) {
        self.input += 1;
        let target = target.into();
        self.send(&ClientMessage::Drag { input: self.input, target, position, rotation: None }).await;
        self.frame().await
    }

    /// The next Pose frame of the last input.
    pub async fn frame(&mut self) -> (Frame, PoseFrame) {
        loop {
            match self.next().await {
                ServerMessage::Frame { frame } if frame.input >= self.input => {
                    let FrameDetails::Pose(details) = frame.details.clone() else { panic!("{frame:?}") };
                    return (frame, details);
                }
                ServerMessage::Frame { .. } => {}
                other => panic!("{other:?}"),
            }
        }
    }

    /// Frames until nothing comes any more; the last one.
    pub async fn at_rest(&mut self) -> Option<Frame> {
        let mut last = None;
        while let Ok(next) = tokio::time::timeout(Duration::from_millis(150), self.socket.next()).await {
            match next {
                Some(Ok(Message::Text(text))) => {
                    if let ServerMessage::Frame { frame } = serde_json::from_str(&text).unwrap() {
                        last = Some(frame);
                    }
                }
                Some(Ok(_)) => {}
                _ => return last,
            }
        }
        last
    }
}
