//! The command line: arguments in, files and exit status out.
//!
//! The only module that writes files, and with `main` the only one that knows the process.

mod args;
mod commands;
mod emit;
mod exit;
mod output;

use std::ffi::OsString;
use std::io::Write;

use clap::Parser as _;

pub use args::{Arguments, Command};
pub use exit::ExitStatus;

use crate::text::Lang;

/// What the process knows about its surroundings.
#[derive(Debug, Clone, Copy, Default)]
pub struct Surroundings {
    /// Language of the locale.
    pub lang: Lang,
    /// Standard output is a terminal that takes colours.
    pub color: bool,
    /// Columns of the terminal, when standard output is one.
    pub width: Option<u16>,
}

/// Runs one command line. Data goes to `out`, everything else to `err`.
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    surroundings: Surroundings,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> ExitStatus {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    match Arguments::try_parse_from(&arguments) {
        Err(error) => usage(&error, out, err),
        Ok(parsed) => {
            let command = output::shell_line(&arguments);
            match commands::run(parsed, &command, surroundings, out, err) {
                Ok(status) => status,
                Err(failure) => emit::failure(&failure, err),
            }
        }
    }
}

/// Help and version are data; everything else that the parser says is an error.
pub(super) fn usage(error: &clap::Error, out: &mut dyn Write, err: &mut dyn Write) -> ExitStatus {
    let text = error.render().to_string();
    let status = if error.use_stderr() { ExitStatus::Usage } else { ExitStatus::Done };
    let written = match status {
        ExitStatus::Usage => err.write_all(text.as_bytes()),
        _ => out.write_all(text.as_bytes()),
    };
    match written {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => ExitStatus::InputOutput,
        _ => status,
    }
}
