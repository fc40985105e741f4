//! The command line, run as a user runs it: in this process where bytes and statuses are asked
//! for, as a process of its own where pipes, threads and the environment are.

use std::ffi::OsString;
use std::process::{self, Output, Stdio};
use std::time::{Duration, Instant};

use reportgen::cli::{self, Surroundings};

use crate::evidence;

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
    run(arguments, Surroundings::default())
}

/// The same at a terminal of so many columns.
pub(crate) fn at_terminal<S: Into<OsString>>(
    arguments: impl IntoIterator<Item = S>,
    width: u16,
    color: bool,
) -> Ended {
    run(arguments, Surroundings { width: Some(width), color, ..Surroundings::default() })
}

/// The same in other surroundings.
pub(crate) fn run<S: Into<OsString>>(
    arguments: impl IntoIterator<Item = S>,
    surroundings: Surroundings,
) -> Ended {
    let line =
        std::iter::once(OsString::from("reportgen")).chain(arguments.into_iter().map(Into::into));
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let status = cli::run(line, surroundings, &mut out, &mut err);
    Ended { status: status.code(), out: text(out), err: text(err) }
}

/// `reportgen compare` of these runs, the baseline first.
pub(crate) fn compare<S: AsRef<str>>(runs: &[S], more: &[&str]) -> Ended {
    let runs = runs.iter().map(AsRef::as_ref);
    reportgen(["compare"].into_iter().chain(runs).chain(more.iter().copied()))
}

/// The data of such a report.
pub(crate) fn compared<S: AsRef<str>>(runs: &[S], more: &[&str]) -> serde_json::Value {
    json(&compare(runs, &[&["--format", "json"], more].concat()))
}

/// The program itself, away from the tester's locale and colours.
pub(crate) fn program() -> process::Command {
    let mut program = process::Command::new(env!("CARGO_BIN_EXE_reportgen"));
    for name in ["LC_ALL", "LC_MESSAGES", "LANG", "COLUMNS", "CLICOLOR_FORCE"] {
        program.env_remove(name);
    }
    program
}

/// What a program ends with that must not wait for anything.
pub(crate) fn within_10_seconds(mut program: process::Command) -> Output {
    let mut child =
        program.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    #[expect(clippy::disallowed_methods, reason = "a deadline for a process, not part of a report")]
    let deadline = Instant::now() + Duration::from_secs(10);
    while child.try_wait().expect("it can be asked").is_none() {
        #[expect(clippy::disallowed_methods, reason = "a deadline for a process")]
        let late = Instant::now() > deadline;
        if late {
            child.kill().expect("it can be stopped");
        }
        assert!(!late, "still running after 10 seconds");
        std::thread::sleep(Duration::from_millis(10));
    }
    child.wait_with_output().expect("its output")
}

/// A report that was asked for with `--format json`, of which no evidence is a number written as
/// text.
pub(crate) fn json(ended: &Ended) -> serde_json::Value {
    let read = serde_json::from_str(&ended.out);
    let report = read.map_err(|error| format!("{error}: {ended:?}")).expect("a report in JSON");
    let as_text = evidence::numbers_as_text(&report);
    assert!(as_text.is_empty(), "{as_text:?}");
    report
}

/// The texts stand in what was said, or where they begin with `!`, do not.
pub(crate) fn assert_said(said: &str, expected: &[&str]) {
    for one in expected {
        let holds =
            one.strip_prefix('!').map_or_else(|| said.contains(one), |no| !said.contains(no));
        assert!(holds, "{one}:\n{said}");
    }
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("the program writes UTF-8")
}
