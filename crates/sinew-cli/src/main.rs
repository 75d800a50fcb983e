//! The command `sinew`.
//!
//! ```text
//! arguments (as typed) ──► resolve (files read, names looked up) ──► commands/NAME ──► output
//! ```
//!
//! A command is one file in `commands/`: it takes its resolved arguments and
//! writes to an [`Output`]. This file only starts it and turns
//! what came of it into an exit code.

mod arguments;
mod cause;
mod commands;
mod describe;
mod failure;
mod files;
mod memory;
mod output;
mod progress;
mod resolve;

use std::process::ExitCode;

use clap::Parser;

use crate::arguments::Arguments;
use crate::output::Output;

fn main() -> ExitCode {
    failure::hide_panics();
    let outcome = std::panic::catch_unwind(|| {
        let arguments = Arguments::parse();
        memory::choose(arguments.memory.as_deref())?;
        let mut output = Output::new(arguments.replace_input);
        commands::run(arguments.command, &mut output)?;
        output.flush()
    });
    failure::exit_code(outcome)
}
