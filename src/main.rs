//! The `reportgen` program: hands the process to the library.

use std::io::{IsTerminal as _, Write as _};
use std::process::ExitCode;

use reportgen::cli::{self, Surroundings};
use reportgen::text::Language;

fn main() -> ExitCode {
    let stdout = std::io::stdout();
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"]
        .iter()
        .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
    let surroundings = Surroundings {
        lang: Language::from_locale(&locale.unwrap_or_default()),
        color: anstream::AutoStream::choice(&stdout) != anstream::ColorChoice::Never,
        width: stdout.is_terminal().then(terminal_width).flatten(),
    };
    let mut out = std::io::BufWriter::new(stdout.lock());
    let status =
        cli::run(std::env::args_os(), surroundings, &mut out, &mut std::io::stderr().lock());
    match out.flush() {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            cli::ExitStatus::InputOutput.into()
        }
        _ => status.into(),
    }
}

/// Columns of the terminal as the shell exports them.
fn terminal_width() -> Option<u16> {
    std::env::var("COLUMNS").ok()?.parse().ok()
}
