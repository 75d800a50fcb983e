//! The server: the page, files in memory, and a WebSocket for each tab.
//!
//! It listens on loopback unless it is told a host. Requests pass the
//! `guard` first. Files are uploaded into memory and named by their content;
//! nothing that a client says is ever opened as a path.

mod connections;
mod guard;
mod page;
mod routes;
mod socket;
mod token;

use std::future::Future;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, ToSocketAddrs};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::body::Bytes;
use tokio::sync::{Semaphore, watch};

use sinew_io::Budget;

use crate::rig::library::Library;
use crate::store::Store;
use crate::wire::RigSource;
use guard::Guard;
use token::Token;
pub use token::random_token;

/// The port that is tried first.
pub const PORT: u16 = 7777;
/// How many ports after it are tried.
const PORTS: u16 = 50;
/// The largest upload, in bytes.
pub const LARGEST_UPLOAD: usize = 64 << 20;
/// The most tabs at a time.
pub const MOST_TABS: usize = 32;
/// The most files on their way in at a time.
const MOST_UPLOADS: usize = 4;
/// How long a client may keep the server waiting.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long an orderly end may take.
const ENDING: Duration = Duration::from_millis(1500);

/// What to serve and where.
#[derive(Debug, Clone, Default)]
pub struct ServerOptions {
    /// The name or address to listen on; loopback if none is given.
    pub host: Option<String>,
    /// The port; the first free one from [`PORT`] on if none is given.
    pub port: Option<u16>,
    /// What the page opens first.
    pub open: Option<Opening>,
    /// A secret that every request must hold, such as [`random_token`] makes; anybody may ask without one.
    pub token: Option<String>,
    /// The most memory that one file may become; all that are shown together may take twice that.
    pub budget: Budget,
    /// How long a client may keep the server waiting: for the head of a request, between two, and for
    /// the next bytes of an upload. Ten seconds unless it is given.
    pub patience: Option<Duration>,
}

/// What the page opens first.
#[derive(Debug, Clone)]
pub enum Opening {
    /// A rig that is built in.
    Rig(String),
    /// A file: its name and content.
    File(String, Vec<u8>),
}

/// What every tab shares.
#[derive(Debug)]
pub(crate) struct Shared {
    pub uploads: Mutex<Store>,
    pub exports: Mutex<Store>,
    /// What rigs look like whose file is no glTF. Exports do not push it out, nor it them.
    pub shapes: Mutex<Store>,
    pub open: Option<RigSource>,
    guard: Guard,
    token: Option<Token>,
    patience: Duration,
    /// What tabs have loaded, shared by all that show the same file.
    pub loaded: Library,
    /// A permit for each tab, held by its thread to the end.
    tabs: Arc<Semaphore>,
    /// A permit for each file that is on its way in.
    uploading: Semaphore,
    stopping: watch::Sender<bool>,
}

impl Shared {
    /// What the tabs of a server at this address share.
    pub fn new(options: ServerOptions, address: SocketAddr) -> io::Result<Self> {
        let mut uploads = Store::new(64, 8 * LARGEST_UPLOAD);
        let open = options.open.map(|opening| match opening {
            Opening::Rig(name) => RigSource::Rig { name },
            Opening::File(name, bytes) => {
                let file = uploads.add_pinned(&name, Bytes::from(bytes));
                RigSource::Upload { id: file.id.clone() }
            }
        });
        Ok(Self {
            uploads: Mutex::new(uploads),
            exports: Mutex::new(Store::new(32, 4 * LARGEST_UPLOAD)),
            shapes: Mutex::new(Store::new(32, 4 * LARGEST_UPLOAD)),
            open,
            guard: Guard::new(address, options.host.as_deref()),
            token: options.token.map(|text| Token::new(&text, address.port())).transpose()?,
            loaded: Library::new(options.budget),
            patience: options.patience.unwrap_or(PATIENCE),
            tabs: Arc::new(Semaphore::new(MOST_TABS)),
            uploading: Semaphore::new(MOST_UPLOADS),
            stopping: watch::Sender::new(false),
        })
    }
}

/// A server that has its address and does not answer yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    shared: Arc<Shared>,
}

impl Server {
    /// Takes a port.
    pub fn bind(options: ServerOptions) -> io::Result<Self> {
        let ip = match &options.host {
            None => IpAddr::V4(Ipv4Addr::LOCALHOST),
            Some(host) => (host.trim_matches(['[', ']']), 0)
                .to_socket_addrs()?
                .next()
                .ok_or_else(|| io::Error::other(format!("'{host}' is no address of this machine")))?
                .ip(),
        };
        let listener = listen(ip, options.port)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let shared = Shared::new(options, address)?;
        Ok(Self { listener, address, shared: Arc::new(shared) })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What to type into a browser on this machine.
    pub fn url(&self) -> String {
        let mut address = self.address;
        if address.ip().is_unspecified() {
            address.set_ip(IpAddr::V4(Ipv4Addr::LOCALHOST));
        }
        let token = self.shared.token.as_ref().map(Token::query).unwrap_or_default();
        format!("http://{address}/{token}")
    }

    /// Answers until `stop` comes to its end, then tells every tab and waits
    /// for their threads, for a second or two at most.
    pub async fn run(self, stop: impl Future<Output = ()> + Send + 'static) -> io::Result<()> {
        let listener = tokio::net::TcpListener::from_std(self.listener)?;
        let shared = self.shared;
        let told = shared.clone();
        let stop = async move {
            stop.await;
            told.stopping.send_replace(true);
            std::future::pending::<()>().await;
        };
        let mut stopping = shared.stopping.subscribe();
        let routes = routes::routes(shared.clone());
        let serving = connections::serve(listener, routes, shared.patience, shared.stopping.subscribe());
        let late = async move {
            // An error means that the sender is gone, and with it everything else.
            let _ = stopping.wait_for(|s| *s).await;
            tokio::time::sleep(ENDING).await;
        };
        tokio::select! {
            () = serving => {}
            () = stop => {}
            () = late => {}
        }
        let all = shared.tabs.acquire_many(MOST_TABS as u32);
        // Whoever has not ended by now ends with the process.
        let _ = tokio::time::timeout(ENDING, all).await;
        Ok(())
    }
}

/// A port: the one that was asked for, or the first that is free.
fn listen(ip: IpAddr, port: Option<u16>) -> io::Result<TcpListener> {
    if let Some(port) = port {
        return TcpListener::bind((ip, port))
            .map_err(|error| io::Error::new(error.kind(), format!("port {port}: {error}")));
    }
    for port in PORT..=PORT + PORTS {
        match TcpListener::bind((ip, port)) {
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => {}
            other => return other,
        }
    }
    TcpListener::bind((ip, 0))
}

/// A lock whose data is plain: a thread that fell while holding it has left it sound.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
