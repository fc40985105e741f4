//! `phase`: a comparison beside what was expected of it.

pub mod analysis;
mod args;
mod report;

use clap::{Args as _, FromArgMatches as _};
use serde::Deserialize;

use super::arms::{Prepared, tell};
use super::compare::{self, CompareArguments};
use super::{Kind, Made, Request};
use crate::exit::Failure;
use crate::gate::{self, Rule};
use crate::pipeline;
use crate::report::section_ids;
use analysis::{Choices, Table};
use report::PARTS;

/// The kind `phase`.
pub(super) struct Phase;

/// What it reads of `reportgen.toml` beside the choices of a comparison.
#[derive(Default, Deserialize)]
struct Tables {
    #[serde(default)]
    phase: Table,
}

impl Kind for Phase {
    fn name(&self) -> &'static str {
        "phase"
    }

    fn about(&self) -> &'static str {
        "Tell a comparison as the report of a phase: beside what was expected of it"
    }

    fn examples(&self) -> &'static str {
        args::EXAMPLES
    }

    fn add_arguments(&self, command: clap::Command) -> clap::Command {
        CompareArguments::augment_args(command)
    }

    fn table(&self) -> Option<&'static str> {
        Some("phase")
    }

    fn section_ids(&self) -> Vec<&'static str> {
        section_ids(PARTS)
    }

    fn run(&self, arguments: &clap::ArgMatches, request: &Request<'_>) -> Result<Made, Failure> {
        let arguments = CompareArguments::from_arg_matches(arguments).map_err(Failure::usage)?;
        let Tables { phase: table } = request.tables()?;
        let Prepared { settings, arms, noise, noticed } = compare::prepare(arguments, request)?;
        let choices = Choices::new(table, request.config, settings.names.clone());
        let words = settings.words();
        pipeline::compare(&arms, &noise, &settings, noticed, |stages, mut noticed| {
            let phases = analysis::review(&stages.grouping.pairs, stages.comparisons, &choices)
                .drain_into(&mut noticed);
            let is_gated = settings.fail_on.contains(&Rule::Expectation);
            let gates = is_gated.then(|| gate::expectation(analysis::tally(&phases)));
            let gates = gates.into_iter().collect();
            tell(stages, noticed, gates, (&settings, request.command), |material| {
                report::build(material, &phases)
            })
        })
        .map_err(|error| error.into_failure(words))
    }
}
