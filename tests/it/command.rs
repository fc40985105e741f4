//! The command line, run as a user runs it: in this process where bytes and statuses are asked
//! for, as a process of its own where pipes, threads and the environment are.

use std::ffi::OsString;
use std::path::Path;
use std::process;

use reportgen::cli::{self, Surroundings};

/// What a command line left behind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ended {
    /// The exit status.
    pub(crate) status: u8,
    /// Standard output.
    pub(crate) out: String,
    /// Standard error.
    pub(crate) err: String,
}

/// Runs `reportgen` in this process, in English and without a terminal.
pub(crate) fn reportgen<S: Into<OsString>>(arguments: impl IntoIterator<Item = S>) -> Ended {
    let line =
        std::iter::once(OsString::from("reportgen")).chain(arguments.into_iter().map(Into::into));
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let status = cli::run(line, Surroundings::default(), &mut out, &mut err);
    Ended { status: status.code(), out: text(out), err: text(err) }
}

/// The program itself, away from the tester's locale and colours.
pub(crate) fn program() -> process::Command {
    let mut program = process::Command::new(env!("CARGO_BIN_EXE_reportgen"));
    for name in ["LC_ALL", "LC_MESSAGES", "LANG", "COLUMNS", "CLICOLOR_FORCE"] {
        program.env_remove(name);
    }
    program
}

/// A report that was asked for with `--format json`.
pub(crate) fn json(ended: &Ended) -> serde_json::Value {
    let read = serde_json::from_str(&ended.out);
    read.map_err(|error| format!("{error}: {ended:?}")).expect("a report in JSON")
}

/// A number of such a report.
pub(crate) fn number(value: &serde_json::Value) -> f64 {
    value.as_f64().expect("a number")
}

/// Writes a file, and the directories above it.
pub(crate) fn write_file(path: &Path, content: impl AsRef<[u8]>) {
    let parent = path.parent().expect("a file lies in a directory");
    std::fs::create_dir_all(parent).expect("the directory is made");
    std::fs::write(path, content).expect("the file is written");
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("the program writes UTF-8")
}
