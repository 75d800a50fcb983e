//! The studio's page: building it, checking it, and its journeys in a browser.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use anyhow::{Context, Result, bail};

use crate::{command, tree};

/// How to start the studio.
#[derive(clap::Args)]
pub struct StudioOptions {
    /// Build without optimisation, which is quicker to build and slower to solve
    #[arg(long)]
    dev: bool,
    /// Handed on to `sinew studio`: a file, --port N, --no-open, --host ADDR
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<String>,
}

/// Builds the page if it is missing or old, then the program, and runs it.
pub fn studio(options: &StudioOptions) -> Result<()> {
    build_if_old()?;
    let mut cargo = command::cargo(&["build", "--package", "sinew-cli"]);
    if !options.dev {
        cargo.arg("--release");
    }
    command::run(&mut cargo)?;
    let program = program(if options.dev { "debug" } else { "release" })?;
    let mut sinew = Command::new(program);
    sinew.arg("studio").args(&options.rest);
    let status = sinew.status().context("cannot start the studio")?;
    if !status.success() {
        bail!("the studio ended with {status}");
    }
    Ok(())
}

/// Writes `web/src/wire.ts` and `web/src/wire/` from the messages in Rust.
pub fn wire() -> Result<()> {
    let mut cargo = command::cargo(&["test", "--quiet", "--package", "sinew-studio", "--test", "wire"]);
    command::run(cargo.env("SINEW_WRITE_WIRE", "1"))
}

/// Where the binary of a profile is.
pub fn program(profile: &str) -> Result<PathBuf> {
    let text = command::output(&mut command::cargo(&["metadata", "--no-deps", "--format-version", "1"]))?;
    let metadata: serde_json::Value = serde_json::from_str(&text).context("cargo metadata wrote no JSON")?;
    let target = metadata["target_directory"].as_str().context("cargo names no target directory")?;
    Ok(Path::new(target).join(profile).join(format!("sinew{}", std::env::consts::EXE_SUFFIX)))
}

fn folder() -> PathBuf {
    tree::root().join("web")
}

/// Builds the page unless it is newer than everything that it is made from.
pub fn build_if_old() -> Result<()> {
    let page = folder().join("dist/index.html");
    let built = modified(&page);
    let mut newest = SystemTime::UNIX_EPOCH;
    for name in ["src", "public", "index.html", "package-lock.json", "vite.config.ts", "tsconfig.json"] {
        newest = newest.max(newest_below(&folder().join(name)));
    }
    if built.is_some_and(|built| built >= newest) {
        return Ok(());
    }
    println!(
        "{}",
        if built.is_some() { "The page is older than its sources." } else { "The page is not built yet." }
    );
    need_npm()?;
    install()?;
    npm(&["run", "build"])
}

fn modified(path: &Path) -> Option<SystemTime> {
    path.metadata().and_then(|m| m.modified()).ok()
}

fn newest_below(path: &Path) -> SystemTime {
    let mut newest = SystemTime::UNIX_EPOCH;
    if path.is_dir() {
        for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
            newest = newest.max(newest_below(&entry.path()));
        }
    } else if let Some(time) = modified(path) {
        newest = time;
    }
    newest
}

/// Why the page cannot be built here, if it cannot.
pub fn without_npm() -> Option<&'static str> {
    if !command::works(Command::new("node").arg("--version")) {
        return Some("Node.js is missing; the page needs Node.js 20.19 or newer with npm");
    }
    if !command::works(Command::new(NPM).arg("--version")) {
        return Some("npm is missing; it comes with Node.js from nodejs.org, or as the package npm");
    }
    None
}

fn need_npm() -> Result<()> {
    match without_npm() {
        None => Ok(()),
        Some(words) => bail!("{words}. `sinew` without its page: cargo run --package sinew-cli -- help"),
    }
}

const NPM: &str = if cfg!(windows) { "npm.cmd" } else { "npm" };

/// Installs the page's packages, unless they are those of the lock file already.
pub fn install() -> Result<()> {
    let lock = modified(&folder().join("package-lock.json"));
    let installed = modified(&folder().join("node_modules/.package-lock.json"));
    if installed.is_some() && installed >= lock {
        return Ok(());
    }
    // Not `npm ci`: npm leaves the packages of other systems out of a lock file without
    // addresses, and `ci` then refuses its own lock. This installs what the lock says and
    // leaves the file alone.
    npm(&["install", "--no-save", "--no-audit", "--no-fund"])
}

/// npm in the page's folder.
pub fn npm(arguments: &[&str]) -> Result<()> {
    command::run(Command::new(NPM).args(arguments).current_dir(folder()))
}

/// The journeys in a browser, with this program and this Chromium.
pub fn journeys(program: &Path, chromium: &Path) -> Result<()> {
    let mut npm = Command::new(NPM);
    npm.args(["run", "test:browser"]).current_dir(folder());
    command::run(npm.env("SINEW_BIN", program).env("CHROMIUM", chromium))
}

/// A Chromium: the one that CHROMIUM names, one of the system, or one that is
/// installed from the system's packages now. Otherwise why there is none.
pub fn chromium() -> std::result::Result<PathBuf, String> {
    if let Some(named) = std::env::var_os("CHROMIUM") {
        let named = PathBuf::from(named);
        return if named.exists() {
            Ok(named)
        } else {
            Err(format!("CHROMIUM is {}, which is not there", named.display()))
        };
    }
    if let Some(found) = installed() {
        return Ok(found);
    }
    if !command::works(Command::new("apt-get").arg("--version")) {
        return Err("there is no Chromium, and no apt-get to install it with; set CHROMIUM".into());
    }
    println!("There is no Chromium; trying to install the system's package.");
    let mut update = Command::new("apt-get");
    let mut install = Command::new("apt-get");
    install.env("DEBIAN_FRONTEND", "noninteractive");
    let tried = command::run(update.args(["update", "-q"])).and_then(|()| {
        command::run(install.args(["install", "-y", "-q", "--no-install-recommends", "chromium"]))
    });
    match (tried, installed()) {
        (_, Some(found)) => Ok(found),
        (Err(error), None) => {
            Err(format!("there is no Chromium, and it could not be installed ({error}); set CHROMIUM"))
        }
        (Ok(()), None) => Err("the package chromium brought no Chromium; set CHROMIUM".into()),
    }
}

fn installed() -> Option<PathBuf> {
    const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    NAMES.iter().find_map(|name| folders.iter().map(|f| f.join(name)).find(|p| p.is_file()))
}
