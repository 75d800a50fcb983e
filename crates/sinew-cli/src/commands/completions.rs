//! `sinew completions`: a script for the shell.

use clap::CommandFactory;

use crate::arguments::{Arguments, CompletionsArguments};
use crate::output::Output;

pub fn run(arguments: &CompletionsArguments, output: &mut Output) -> anyhow::Result<()> {
    // Written to memory first: the generator panics on a closed pipe.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "sinew", &mut script);
    output.bytes(&script)
}
