//! `phase`: a comparison beside what was expected of it.

pub mod analysis;
mod args;
mod report;

use clap::Args as _;
use serde::Deserialize;

use super::arms::{PreparedArms, make_report};
use super::compare::{self, CompareArguments};
use super::samples::with_samples;
use super::{Kind, Made, Request, parsed};
use crate::exit::Failure;
use crate::pipeline;
use crate::report::{GLANCE, SAMPLE_TEXTS, section_ids};
use analysis::{PhaseChoices, PhaseTable};
use report::PARTS;

/// What it reads of `reportgen.toml` beside the choices of a comparison.
#[derive(Default, Deserialize)]
struct Tables {
    #[serde(default)]
    phase: PhaseTable,
}

pub(super) static KIND: Kind = Kind {
    name: "phase",
    about: "Report a comparison against what was expected of it",
    examples: args::EXAMPLES,
    has_table: true,
    has_sheet: true,
    section_ids: || [vec![GLANCE, SAMPLE_TEXTS], section_ids(PARTS)].concat(),
    add_arguments: CompareArguments::augment_args,
    run: |matches, request| run(parsed(matches)?, request),
};

fn run(arguments: CompareArguments, request: &Request<'_>) -> Result<Made, Failure> {
    let Tables { phase: table } = request.tables()?;
    let shown = arguments.shown.clone();
    let PreparedArms { settings, arms, noise, noticed } = compare::prepare(arguments, request)?;
    let choices = PhaseChoices::new(table, request.config, settings.names.clone());
    let words = settings.words();
    pipeline::compare(&arms, &noise, &settings, noticed, |stages, mut noticed| {
        let phases = analysis::review(&stages.paired_arms.pairs, stages.comparisons, &choices)
            .drain_into(&mut noticed);
        let expectations = Some(analysis::tally(&phases));
        let samples = shown.section(stages.paired_arms, (&settings, request), &mut noticed)?;
        Ok(make_report(
            stages,
            noticed,
            expectations,
            (&settings, request.command, request.now),
            |material| with_samples(report::build(material, &phases), samples),
        ))
    })
    .map_err(|error| error.into_failure(words))?
}
