//! The project's automation. `cargo xtask help` lists what it can do;
//! `cargo xtask ci` is every check there is, and all that CI runs.

// Printing is what this program is for.
#![allow(clippy::print_stdout)]

mod browser;
mod ci;
mod command;
mod figures;
mod fuzz;
mod hostile;
mod npm;
mod page;
mod pictures;
mod python;
mod release;
mod studio;
mod tidy;
mod tree;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

/// The automation of sinew: checks, the studio, benchmarks, fuzzing, pictures.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Run every check there is: what CI runs, and what a change must pass
    #[command(after_help = ci::step_list())]
    Ci(ci::Options),
    /// Check the rules of the tree that no compiler checks (a second or two)
    Tidy,
    /// Run the benchmarks, or those whose package or name matches
    Bench {
        /// The package whose benchmarks to run; all by default
        #[arg(short, long)]
        package: Option<String>,
        /// Handed on to the benchmark harness, e.g. a part of a name
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        rest: Vec<String>,
    },
    /// Run a fuzz target; without one, list them
    Fuzz(fuzz::Options),
    /// Give the command files that are small and ask for much, and write what they cost to docs/hostile.md
    Hostile(hostile::Options),
    /// Open the studio: builds the program with its page, and runs it
    #[command(after_help = "\
Examples:
  cargo xtask studio                       build what is needed, start, open the browser
  cargo xtask studio -- walk.bvh           with a file open
  cargo xtask studio --dev --no-open       quicker to build; only print the address")]
    Studio(studio::Options),
    /// Build the studio's page from web/ and put it where the program takes it from (needs Node.js)
    Page(page::Options),
    /// Write web/src/wire.ts and web/src/wire/, the page's types, from the messages in Rust
    Wire,
    /// Draw the pictures of docs/pictures again with the command `sinew`
    Pictures,
    /// Build the Python wheel and run its tests in a fresh virtual environment
    Python(python::Options),
    /// Make the measured figures of the README again, on this machine
    Figures(figures::Options),
    /// Publish every crate, or with --dry-run say what is not ready and build every package
    Release(release::Options),
}

fn main() -> ExitCode {
    let result = match Arguments::parse().task {
        Task::Ci(options) => ci::run(&options),
        Task::Tidy => tidy::run(),
        Task::Bench { package, rest } => bench(package.as_deref(), &rest),
        Task::Fuzz(options) => fuzz::run(&options),
        Task::Hostile(options) => hostile::run(&options),
        Task::Studio(options) => studio::run(&options),
        Task::Page(options) => page::run(&options),
        Task::Wire => studio::wire(),
        Task::Pictures => pictures::run(),
        Task::Python(options) => python::run(&options),
        Task::Figures(options) => figures::run(&options),
        Task::Release(options) => release::run(&options),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn bench(package: Option<&str>, rest: &[String]) -> Result<()> {
    let mut cargo = command::cargo(&["bench", "--benches"]);
    match package {
        Some(package) => cargo.args(["--package", package]),
        None => cargo.arg("--workspace"),
    };
    if !rest.is_empty() {
        cargo.arg("--").args(rest);
    }
    command::run(&mut cargo)
}
