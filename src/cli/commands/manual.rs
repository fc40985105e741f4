//! `reportgen completions` and `reportgen man`.

use std::io::Write;

use clap_complete::Shell;
use clap_mangen::Man;

use crate::cli::args::{self, ManArguments};
use crate::exit::{ExitStatus, Failure};
use crate::{output, render};

pub(super) fn print_completions(shell: Shell, out: &mut dyn Write) -> Result<ExitStatus, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut args::parser(), "reportgen", &mut script);
    out.write_all(&script).map_err(Failure::standard_output)?;
    Ok(ExitStatus::Done)
}

/// The page of the program, or with a directory those of all commands; their paths are printed.
pub(super) fn run_man(
    arguments: &ManArguments,
    out: &mut dyn Write,
) -> Result<ExitStatus, Failure> {
    let mut program = args::parser();
    program.build();
    let Some(directory) = &arguments.output else {
        out.write_all(page(&program)?.as_bytes()).map_err(Failure::standard_output)?;
        return Ok(ExitStatus::Done);
    };
    let commands = program.get_subcommands().filter(|command| command.get_name() != "help");
    for command in std::iter::once(&program).chain(commands) {
        let name = command.get_display_name().unwrap_or(command.get_name());
        let path = directory.join(format!("{name}.1"));
        output::write_whole(&path, &page(command)?)
            .map_err(|source| Failure::write(&path, source))?;
        writeln!(out, "{}", render::clean(&path.display().to_string()))
            .map_err(Failure::standard_output)?;
    }
    Ok(ExitStatus::Done)
}

fn page(command: &clap::Command) -> Result<String, Failure> {
    let mut page = Vec::new();
    Man::new(command.clone()).render(&mut page).map_err(Failure::standard_output)?;
    Ok(String::from_utf8_lossy(&page).into_owned())
}
