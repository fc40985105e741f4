//! `compare`: a baseline and its candidates.

mod args;

use clap::Args as _;

use super::arms::{PreparedArms, make_report};
use super::samples::with_samples;
use super::{Kind, Made, Request, parsed};
use crate::diag::Diagnostic;
use crate::exit::Failure;
use crate::model::Asked;
use crate::pipeline::{self, Stages};
use crate::quantity::Moment;
use crate::report::sections::PARTS;
use crate::report::{self, Form, GLANCE, Report, ReportMaterial, SAMPLE_TEXTS};
use crate::settings::{Flags, Settings};
use args::{ProseArgument, RuleArgument};

pub(super) use args::CompareArguments;

const FORM: Form = Form { kind: "compare", title: "report.title", has_sheet: true };

pub(super) static KIND: Kind = Kind {
    name: FORM.kind,
    about: "Compare a baseline run with one or more candidates",
    examples: args::EXAMPLES,
    has_table: false,
    has_sheet: true,
    section_ids: || comparison_sections().chain([SAMPLE_TEXTS]).collect(),
    add_arguments: CompareArguments::augment_args,
    run: |matches, request| run(parsed(matches)?, request),
};

fn run(arguments: CompareArguments, request: &Request<'_>) -> Result<Made, Failure> {
    if arguments.fail_on.contains(&RuleArgument::Expectation) {
        return Err(Failure::refused("refused.expectation", &[]));
    }
    let shown = arguments.shown.clone();
    let PreparedArms { settings, arms, noise, noticed } = prepare(arguments, request)?;
    pipeline::compare(&arms, &noise, &settings, noticed, |stages, mut noticed| {
        let samples = shown.section(stages.paired_arms, (&settings, request), &mut noticed)?;
        Ok(make_report(
            stages,
            noticed,
            None,
            (&settings, request.command, request.now),
            |material| with_samples(built(material), samples),
        ))
    })
    .map_err(|error| error.into_failure(settings.words()))?
}

fn built(material: &ReportMaterial<'_>) -> Report {
    let sections = report::sections(PARTS, |blocks| blocks(material), material.words);
    report::build(material, FORM, sections, None)
}

/// Ids of the sections that it may have.
pub fn comparison_sections() -> impl Iterator<Item = &'static str> {
    std::iter::once(GLANCE).chain(report::section_ids(PARTS))
}

/// The report that `compare` makes of these stages, without texts of samples.
pub fn comparison(
    stages: &Stages<'_>,
    noticed: Vec<Diagnostic>,
    settings: &Settings,
    (command, now): (&str, Moment),
) -> Report {
    make_report(stages, noticed, None, (settings, command, now), built).report
}

/// Settles arms and choices.
pub(super) fn prepare(
    arguments: CompareArguments,
    request: &Request<'_>,
) -> Result<PreparedArms, Failure> {
    let CompareArguments { arms, prose, .. } = arguments;
    if prose.contains(&ProseArgument::None) && prose.len() > 1 {
        return Err(Failure::refused("refused.prose-none", &[]));
    }
    let parts = || prose.iter().filter_map(|part| part.part()).collect();
    let flags = Flags {
        directions: Flags::directions(arguments.higher, arguments.lower),
        alpha: arguments.alpha,
        power: arguments.power,
        margins: arguments.margin,
        primary: arguments.metric,
        fail_on: arguments.fail_on.into_iter().map(Into::into).collect(),
        pass_at: arguments.pass_at,
        anytime: arguments.anytime,
        strict: arguments.strict,
        noise: arguments.noise,
        counted: arguments.stats,
        layout: Asked {
            by: arguments.by,
            split: arguments.split,
            prose: (!prose.is_empty()).then(parts),
        },
        ..Flags::default()
    };
    PreparedArms::new(&arms, flags, request)
}
