//! Standard output and standard error, with colours where they are wanted.

use std::io::{BufWriter, Stdout, Write};

use anstream::AutoStream;
use anstyle::{AnsiColor, Style};
use serde::Serialize;

use crate::describe::printable;

/// Where a command writes to. Errors of writing are errors of the command; a
/// closed pipe ends it quietly (see `failure.rs`).
pub struct Output {
    out: BufWriter<AutoStream<Stdout>>,
    /// Whether a file that is read may be written in its place.
    pub replaces_inputs: bool,
}

/// Titles.
pub const TITLE: Style = Style::new().bold();
/// What helps but is not the point.
pub const FAINT: Style = Style::new().dimmed();
/// Names that can be typed.
pub const NAME: Style = Style::new().fg_color(Some(anstyle::Color::Ansi(AnsiColor::Cyan)));
/// What is well.
pub const GOOD: Style = Style::new().fg_color(Some(anstyle::Color::Ansi(AnsiColor::Green)));
/// What deserves a look.
pub const NOTE: Style = Style::new().fg_color(Some(anstyle::Color::Ansi(AnsiColor::Yellow)));

impl Output {
    /// Standard output, coloured if it is a terminal and NO_COLOR is not set.
    pub fn new(replaces_inputs: bool) -> Self {
        Self { out: BufWriter::new(AutoStream::auto(std::io::stdout())), replaces_inputs }
    }

    /// Writes one line.
    pub fn line(&mut self, words: std::fmt::Arguments<'_>) -> anyhow::Result<()> {
        writeln!(self.out, "{words}")?;
        Ok(())
    }

    /// Writes bytes as they are.
    pub fn bytes(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        self.out.flush()?;
        std::io::stdout().write_all(bytes)?;
        Ok(())
    }

    /// Writes a value as JSON for people and programs.
    pub fn json<T: Serialize>(&mut self, value: &T) -> anyhow::Result<()> {
        self.out.flush()?;
        let mut out = BufWriter::new(std::io::stdout());
        serde_json::to_writer_pretty(&mut out, value)?;
        out.write_all(b"\n")?;
        out.flush()?;
        Ok(())
    }

    /// Hands everything over to the system.
    pub fn flush(&mut self) -> anyhow::Result<()> {
        self.out.flush()?;
        Ok(())
    }
}

/// Tells something that a person should know beside the result, on standard error.
pub fn note(words: &str) {
    // If standard error is closed there is nobody left to tell.
    let _ = writeln!(anstream::stderr(), "{NOTE}note:{NOTE:#} {}", printable(words));
}

/// Writes a line with a format, like `writeln!`.
macro_rules! say {
    ($output:expr) => { $output.line(format_args!("")) };
    ($output:expr, $($words:tt)*) => { $output.line(format_args!($($words)*)) };
}
pub(crate) use say;
