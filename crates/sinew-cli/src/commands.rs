//! The commands, one file each. A new one gets its arguments in
//! `arguments.rs`, a file here and a line below.

mod completions;
mod convert;
mod eval;
mod info;
mod look;
mod plant;
mod reach;
mod reconstruct;
mod rigs;
mod show;
mod solve;
mod studio;
mod terrain;
mod walk;

use crate::arguments::Command;
use crate::output::Output;

/// Runs a command.
pub fn run(command: Command, output: &mut Output) -> anyhow::Result<()> {
    match command {
        Command::Info(arguments) => info::run(&arguments, output),
        Command::Convert(arguments) => convert::run(&arguments, output),
        Command::Show(arguments) => show::run(&arguments, output),
        Command::Solve(arguments) => solve::run(&arguments, output),
        Command::Look(arguments) => look::run(&arguments, output),
        Command::Reach(arguments) => reach::run(&arguments, output),
        Command::Walk(arguments) => walk::run(&arguments, output),
        Command::Plant(arguments) => plant::run(&arguments, output),
        Command::Eval(arguments) => eval::run(&arguments, output),
        Command::Reconstruct(arguments) => reconstruct::run(&arguments, output),
        Command::Studio(arguments) => studio::run(&arguments, output),
        Command::Rigs(arguments) => rigs::run(&arguments, output),
        Command::Completions(arguments) => completions::run(&arguments, output),
    }
}
