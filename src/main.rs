//! The `reportgen` program: hands the process to the library.

use std::io::{IsTerminal as _, Write as _};
use std::process::ExitCode;
#[cfg(unix)]
use std::sync::{Arc, atomic::AtomicBool};
use std::time::{SystemTime, UNIX_EPOCH};

use reportgen::cli::{self, Surroundings};
use reportgen::quantity::Moment;
use reportgen::text::Language;

#[global_allocator]
static ALLOCATOR: reportgen_memory::Allocator = reportgen_memory::Allocator;

fn main() -> ExitCode {
    #[cfg(unix)]
    survive_size_limits();
    let stdout = std::io::stdout();
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"]
        .iter()
        .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
    let surroundings = Surroundings {
        lang: Language::from_locale(&locale.unwrap_or_default()),
        color: anstream::AutoStream::choice(&stdout) != anstream::ColorChoice::Never,
        is_watched: std::io::stderr().is_terminal(),
        annotates: std::env::var_os("GITHUB_ACTIONS").is_some_and(|value| value == "true"),
        width: stdout.is_terminal().then(terminal_width),
        process: std::process::id(),
        now: now(),
    };
    let mut out = std::io::BufWriter::new(stdout.lock());
    // Standard error is not locked: another thread that writes to it would wait until the end.
    let status = cli::run(std::env::args_os(), surroundings, &mut out, &mut std::io::stderr());
    match out.flush() {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            cli::ExitStatus::InputOutput.into()
        }
        _ => status.into(),
    }
}

/// The current time, or `SOURCE_DATE_EPOCH` where it is set, so that output can be reproduced
/// (<https://reproducible-builds.org/specs/source-date-epoch/>).
#[expect(clippy::disallowed_methods, reason = "nights and the age of runs are asked of a clock")]
fn now() -> Moment {
    let declared = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|text| text.parse().ok());
    let since = || SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Moment(declared.unwrap_or_else(|| since().as_secs().cast_signed()))
}

/// Has a write beyond `ulimit -f` fail like one on a full disk, instead of ending the process.
#[cfg(unix)]
fn survive_size_limits() {
    use signal_hook::consts::SIGXFSZ;

    // Without it the process ends there, and the old reports stay.
    let _unhandled = signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
}

/// Columns of the terminal: `COLUMNS` where it is a positive number, else what the terminal reports, else 80.
fn terminal_width() -> u16 {
    let asked = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let own = || terminal_size::terminal_size().map(|(columns, _)| columns.0);
    let is_known = |columns: &u16| *columns > 0;
    asked.filter(is_known).or_else(own).filter(is_known).unwrap_or(80)
}
