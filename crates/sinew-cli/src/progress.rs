//! A sign of life for what takes more than a second.

use std::io::IsTerminal;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// How long something may take before a person wants to know that it goes on.
const PATIENCE: Duration = Duration::from_secs(1);

/// A bar for work of so many steps, with what a step is.
pub fn bar(steps: usize, what: &str) -> ProgressBar {
    let bar = ProgressBar::new(steps as u64).with_message(what.to_owned());
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} {msg}, {eta} left") {
        bar.set_style(style);
    }
    bar
}

/// Shows that something is going on until it is dropped.
pub struct Progress {
    running: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// After a second, shows a spinner with these words on standard error; only
    /// if that is a terminal.
    pub fn after_a_second(words: impl Into<String>) -> Self {
        if !std::io::stderr().is_terminal() {
            return Self { running: None };
        }
        let words = crate::describe::printable(&words.into());
        let (stop, stopped) = channel::<()>();
        let thread = std::thread::spawn(move || {
            if stopped.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            let bar = ProgressBar::new_spinner().with_message(words).with_elapsed(PATIENCE);
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} ({elapsed})") {
                bar.set_style(style);
            }
            bar.enable_steady_tick(Duration::from_millis(100));
            // Ends when the sender is dropped.
            let _ = stopped.recv();
            bar.finish_and_clear();
        });
        Self { running: Some((stop, thread)) }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((stop, thread)) = self.running.take() {
            drop(stop);
            // Waits until the line is clear for what is written next.
            let _ = thread.join();
        }
    }
}
