//! `reportgen selfcheck`: what speaks for the statistics, and what against them.
//!
//! In English throughout: a tool for those who doubt the program, not a report.

mod aa;
mod vectors;

use std::io::Write;

use serde_json::Value;

use crate::cli::Streams;
use crate::cli::args::SelfcheckArguments;
use crate::exit::{ExitStatus, Failure};
use crate::quantity;
use crate::render::clean_lines;
use crate::report::json_file;

pub(super) fn run_command(
    arguments: &SelfcheckArguments,
    streams: &mut Streams<'_>,
) -> Result<ExitStatus, Failure> {
    if arguments.aa.is_empty() {
        vectors::run_command(arguments, streams.out)
    } else {
        aa::run_command(arguments, streams)
    }
}

/// Text for a person; what a terminal would obey is written out.
fn write_text(text: &str, out: &mut dyn Write) -> Result<(), Failure> {
    out.write_all(clean_lines(text).as_bytes()).map_err(Failure::standard_output)
}

/// `1 cell`, `2,000 cells`.
fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", quantity::count(count as u64))
}

fn write_json(data: &Value, out: &mut dyn Write) -> Result<(), Failure> {
    out.write_all(json_file(data).as_bytes()).map_err(Failure::standard_output)
}
