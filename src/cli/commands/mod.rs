//! The commands that make no report of a kind of their own, one file each.

mod baseline;
mod config;
mod explain;
mod fill;
mod init;
mod inspect;
mod lint;
mod manual;
#[cfg(feature = "history")]
mod nightly;
mod plan;
mod preset;
mod report;
mod selfcheck;
mod templates;

use super::args::Command;
use super::{Streams, memory};
use crate::exit::{ExitStatus, Failure};

pub(super) fn run(
    command: Command,
    line: &str,
    streams: &mut Streams<'_>,
) -> Result<ExitStatus, Failure> {
    command.reading().map_or(Ok(()), memory::keep)?;
    match command {
        Command::Baseline(arguments) => baseline::run_command(&arguments, streams),
        Command::Config(arguments) => config::run_command(&arguments, streams),
        Command::Explain(arguments) => explain::run_command(&arguments, streams),
        Command::Fill(arguments) => fill::run_command(&arguments, streams),
        Command::Init(arguments) => init::run_command(&arguments, streams),
        Command::Inspect(arguments) => inspect::run_command(&arguments, streams),
        Command::Lint(arguments) => lint::run_command(&arguments, streams),
        #[cfg(feature = "history")]
        Command::Nightly(arguments) => nightly::run_command(&arguments, streams),
        Command::Report(arguments) => report::run_command(arguments, line, streams),
        Command::Plan(arguments) => plan::run_command(&arguments, line, streams),
        Command::Preset(arguments) => preset::run_command(&arguments, streams.out),
        Command::Templates(arguments) => templates::run_command(&arguments, streams.out),
        Command::Completions(arguments) => manual::print_completions(arguments.shell, streams.out),
        Command::Man(arguments) => manual::run_man(&arguments, streams.out),
        Command::Selfcheck(arguments) => selfcheck::run_command(&arguments, streams),
    }
}
