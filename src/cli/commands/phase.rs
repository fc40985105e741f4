//! `reportgen phase`.

use std::io::Write;

use serde::Deserialize;

use super::{Failure, choices, compare};
use crate::cli::Surroundings;
use crate::cli::args::PhaseArguments;
use crate::cli::exit::ExitStatus;
use crate::phase::{Choices, Table};
use crate::{pipeline, settings};

/// What this command reads of `reportgen.toml` beside the choices of a comparison.
#[derive(Default, Deserialize)]
struct Tables {
    #[serde(default)]
    phase: Table,
}

pub(super) fn run(
    arguments: PhaseArguments,
    command: &str,
    surroundings: Surroundings,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<ExitStatus, Failure> {
    let arguments = arguments.compare;
    let file = choices::file(arguments.config.as_deref())?;
    let file = file.as_ref().map(|(path, text)| (path.as_str(), text.as_str()));
    let tables: Tables = settings::tables(file)?;
    let (path, text) = file.unwrap_or_default();
    let expected = Choices::of(tables.phase, path, text);
    let stages: &compare::Stages<'_> = &|inputs, noise, settings, command, noticed| {
        let choices = Choices { names: settings.names.clone(), ..expected.clone() };
        pipeline::phase(inputs, noise, settings, command, noticed, &choices)
    };
    let made = compare::made(arguments, stages, command, surroundings, out, err)?;
    Ok(compare::status(&made))
}
