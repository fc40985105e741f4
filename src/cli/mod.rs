//! The command line: arguments in, reports and exit status out.
//!
//! With `main` the only module that knows the process.

mod args;
mod closed;
mod commands;
mod config;
mod edited;
mod emit;
mod meant;
mod memory;
mod reports;
mod shell;
mod waiting;

use std::cell::RefCell;
use std::ffi::OsString;
use std::io::Write;

pub use crate::exit::ExitStatus;

use crate::collect::Fetching;
use crate::exit::Failure;
use crate::quantity::Moment;
use crate::text::{Catalogue, Lang};
use args::Asked;
use closed::MayClose;
use waiting::Waiting;

/// What the process knows about its surroundings.
#[derive(Debug, Clone, Copy, Default)]
pub struct Surroundings {
    pub lang: Lang,
    /// Standard output is a terminal that takes colours.
    pub color: bool,
    /// Standard error is a terminal, where somebody waits.
    pub is_watched: bool,
    /// A job of GitHub reads what is printed.
    pub annotates: bool,
    /// Columns of the terminal, when standard output is one.
    pub width: Option<u16>,
    /// Number of the process.
    pub process: u32,
    /// The time.
    pub now: Moment,
}

struct Streams<'a> {
    surroundings: Surroundings,
    out: &'a mut dyn Write,
    err: &'a mut dyn Write,
}

/// Runs one command line. Data goes to `out`, everything else to `err`.
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    surroundings: Surroundings,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> ExitStatus {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let _fetching = Fetching::begin();
    let waiting = RefCell::new(Waiting::none());
    let (mut out, mut err) = (MayClose::new(out, &waiting), MayClose::new(err, &waiting));
    let mut streams = Streams { surroundings, out: &mut out, err: &mut err };
    if arguments.len() < 2 {
        return start(&mut streams);
    }
    let arguments = match meant::with_command(&arguments) {
        Ok(meant) => meant.unwrap_or(arguments),
        Err(failure) => return failed(&failure, &arguments, &mut streams),
    };
    let line = shell::command_line(&arguments);
    if surroundings.is_watched {
        let lang = config::language(&arguments, surroundings.lang);
        waiting.replace(Waiting::start(Catalogue::shipped(lang)));
    }
    let ended = match args::parse(&arguments) {
        Err(error) => return usage(&error, &arguments, &mut streams),
        Ok(Asked::Report(asked)) => reports::run_report_command(asked, None, &line, &mut streams),
        Ok(Asked::Other(command)) => commands::run(command, &line, &mut streams),
    };
    memory::say_what_is_beyond(|| config::language(&arguments, surroundings.lang), &mut streams);
    ended.unwrap_or_else(|failure| failed(&failure, &arguments, &mut streams))
}

fn failed(failure: &Failure, arguments: &[OsString], streams: &mut Streams<'_>) -> ExitStatus {
    let lang = config::language(arguments, streams.surroundings.lang);
    emit::failure(failure, Catalogue::shipped(lang), streams.err)
}

/// What to begin with, for who names no command.
fn start(streams: &mut Streams<'_>) -> ExitStatus {
    let words = Catalogue::shipped(streams.surroundings.lang);
    let _unwritable = streams.err.write_all(words.get("terminal.start").as_bytes());
    ExitStatus::Usage
}

/// Help and version are data; everything else that the parser says is an error.
fn usage(error: &clap::Error, arguments: &[OsString], streams: &mut Streams<'_>) -> ExitStatus {
    let status = if error.use_stderr() { ExitStatus::Usage } else { ExitStatus::Done };
    let written = if status == ExitStatus::Usage {
        let words = Catalogue::shipped(config::language(arguments, streams.surroundings.lang));
        streams.err.write_all(args::in_words(error, words).as_bytes())
    } else {
        streams.out.write_all(error.render().to_string().as_bytes())
    };
    match written.map_err(Failure::standard_output) {
        Err(failure) => failure.status,
        Ok(()) => status,
    }
}
