//! `sinew studio`: the server of the studio, and a browser on it.

use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use sinew_f64::rigs;
use sinew_studio::server::{LARGEST_UPLOAD, random_token};
use sinew_studio::{Opening, Server, ServerOptions};

use crate::arguments::StudioArguments;
use crate::memory;
use crate::output::{FAINT, NAME, Output, note, say};

pub fn run(arguments: &StudioArguments, output: &mut Output) -> Result<()> {
    let open = arguments.input.as_deref().map(opening).transpose()?;
    if let Some(host) = &arguments.host {
        note(&format!(
            "the studio listens on {host}: whoever reaches that address and has the token can use it"
        ));
    }
    let token = match &arguments.token {
        _ if arguments.no_token => None,
        Some(token) => Some(token.clone()),
        None => Some(random_token().context("no token can be made")?),
    };
    let (host, port) = (arguments.host.clone(), arguments.port);
    let budget = memory::budget();
    let options = ServerOptions { host, port, open, token, budget, patience: None };
    let server = Server::bind(options).context("the studio cannot listen")?;
    let url = server.url();
    say!(output, "studio at {NAME}{url}{NAME:#}  {FAINT}Ctrl-C ends it{FAINT:#}")?;
    output.flush()?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    if !arguments.no_open && there_is_a_browser() {
        // In a thread of its own: some systems wait for the browser to end.
        if let Err(error) = open::that_detached(&url) {
            note(&format!("no browser could be opened ({error}); open the address yourself"));
        }
    }
    let outcome = runtime.block_on(server.run(asked_to_stop()));
    runtime.shutdown_timeout(std::time::Duration::from_millis(300));
    outcome.context("the studio has ended")
}

/// A file of that name wins over a rig, as everywhere.
fn opening(name: &str) -> Result<Opening> {
    let path = Path::new(name);
    if !path.exists() {
        let known = rigs::by_name(name).map(|_| Opening::Rig(name.to_string()));
        return known.map_err(|error| match error {
            sinew_f64::error::RigError::Unknown { .. } => {
                anyhow!("{name}: there is no such file, and no rig of that name")
            }
            other => other.into(),
        });
    }
    let size = std::fs::metadata(path).with_context(|| format!("cannot read {name}"))?.len();
    if size > LARGEST_UPLOAD as u64 {
        bail!("{name} has {size} bytes; the studio takes up to {LARGEST_UPLOAD}");
    }
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {name}"))?;
    Ok(Opening::File(name.to_string(), bytes))
}

/// Whether a browser can be expected to open.
fn there_is_a_browser() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let display = !cfg!(all(unix, not(target_os = "macos"))) || set("DISPLAY") || set("WAYLAND_DISPLAY");
    display && !set("CI")
}

/// Comes to its end at Ctrl-C or, where there is such a thing, SIGTERM.
async fn asked_to_stop() {
    let interrupt = async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    #[cfg(unix)]
    let terminate = async {
        match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            Ok(mut signal) => {
                signal.recv().await;
            }
            Err(_) => std::future::pending().await,
        }
    };
    #[cfg(not(unix))]
    let terminate = std::future::pending::<()>();
    tokio::select! {
        () = interrupt => {}
        () = terminate => {}
    }
}
