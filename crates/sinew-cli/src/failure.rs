//! What a command's end means to whoever called it: the exit codes, and errors
//! in plain words.

use std::fmt;
use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};

/// The input is bad, or something could not be done.
const FAILED: u8 = 1;
/// The command was used wrongly. clap ends with the same code.
const USAGE: u8 = 2;
/// A fault of the program itself (`EX_SOFTWARE` of the BSDs).
const INTERNAL: u8 = 70;

/// The exit codes as `--help` shows them.
pub const EXIT_CODES: &str = "\
Exit codes:
  0   done
  1   the input is bad, or something could not be done; standard error says what
  2   the command was used wrongly
  70  a fault in sinew itself; please report it";

/// An error in how the command was used, rather than in what it was given.
#[derive(Debug)]
pub struct Usage(pub String);

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// A wrong use, as an error.
pub fn usage(words: impl Into<String>) -> anyhow::Error {
    Usage(words.into()).into()
}

/// Panics print nothing of their own: [`exit_code`] says what there is to say.
pub fn hide_panics() {
    std::panic::set_hook(Box::new(|_| {}));
}

/// Tells what went wrong, if anything did, and how the process should end.
pub fn exit_code(outcome: std::thread::Result<anyhow::Result<()>>) -> ExitCode {
    let error = match outcome {
        Ok(Ok(())) => return ExitCode::SUCCESS,
        Ok(Err(error)) => error,
        Err(panic) => {
            let words = panic
                .downcast_ref::<String>()
                .map(String::as_str)
                .or_else(|| panic.downcast_ref::<&str>().copied())
                .unwrap_or("no reason given");
            say(&format!("sinew has a fault, please report it with the command you gave: {words}"));
            return ExitCode::from(INTERNAL);
        }
    };
    if is_broken_pipe(&error) {
        // Whoever read the output has seen enough, as `head` does.
        return ExitCode::SUCCESS;
    }
    say(&format!("{error:#}"));
    ExitCode::from(if error.is::<Usage>() { USAGE } else { FAILED })
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let kind = |error: &std::io::Error| error.kind() == ErrorKind::BrokenPipe;
    error.chain().any(|cause| {
        cause.downcast_ref::<std::io::Error>().is_some_and(kind)
            || cause
                .downcast_ref::<serde_json::Error>()
                .is_some_and(|e| e.io_error_kind() == Some(ErrorKind::BrokenPipe))
    })
}

fn say(words: &str) {
    let red = Style::new().fg_color(Some(AnsiColor::Red.into())).bold();
    // If standard error is closed there is nobody left to tell.
    let _ = writeln!(anstream::stderr(), "{red}error:{red:#} {}", crate::describe::printable(words));
}
