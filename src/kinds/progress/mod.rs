//! `progress`: how one run moved between two of its steps.

pub mod analysis;
mod args;
mod report;

use clap::Args as _;

use super::{Kind, Made, Request, parsed};
use crate::collect::RunAddress;
use crate::diag::{Code, Diagnostic};
use crate::exit::{ExitStatus, Failure};
use crate::model::Generations;
use crate::pipeline::{self, PipelineError};
use crate::report::section_ids;
use crate::settings::Flags;
use crate::text::Refusal;
use crate::{collect, derive};
use analysis::{Asked, NoProgress, Timeline, declared};
use args::ProgressArguments;

pub(super) static KIND: Kind = Kind {
    name: "progress",
    about: "Report what changed between two steps of a run, what it cost, and which rules hold",
    examples: args::EXAMPLES,
    has_table: true,
    has_sheet: true,
    section_ids: || section_ids(report::PARTS),
    add_arguments: ProgressArguments::augment_args,
    run: |matches, request| run(&parsed(matches)?, request),
};

fn run(arguments: &ProgressArguments, request: &Request<'_>) -> Result<Made, Failure> {
    request.output.refuse_overwriting([RunAddress::of(&arguments.run).path.as_path()])?;
    let mut noticed = Vec::new();
    let settings = request.settings(Flags::default(), &mut noticed)?;
    let declared = request.tables::<declared::File>()?.progress;
    if arguments.last.is_some() && declared.patterns.is_none() {
        return Err(Failure::refused("refused.last", &[]));
    }
    let words = settings.words();
    let runs = pipeline::inspect_single(&arguments.run, KIND.name, &settings, noticed)
        .map_err(|error| error.into_failure(words))?;
    let mut findings = runs.diagnostics;
    findings.extend(derive::unused_names(&runs.value, &settings.names, &[]));
    let Some(run) = runs.value.first() else {
        let path = arguments.run.display().to_string();
        return Err(PipelineError::EmptyRun { path, diagnostics: findings }.into_failure(words));
    };
    let generations = declared.patterns.as_ref().map(|patterns| {
        collect::read_generations(
            &arguments.run,
            &patterns.field,
            patterns.file.as_deref(),
            &settings.access,
        )
        .drain_into(&mut findings)
    });
    let asked = Asked {
        from: arguments.from,
        to: arguments.to,
        last: arguments.last,
        alpha: settings.options.alpha,
        file: request.config.cloned(),
        config: request.config.map_or("reportgen.toml", |file| &file.path).to_owned(),
    };
    if let Some(generations) = &generations {
        let is_optional = generations.records.is_empty() && !asked.is_own(&generations.field);
        findings.retain(|finding| {
            !(is_about(finding, generations)
                || is_optional && finding.code == Code::PatternsMissing)
        });
    }
    let generations = generations.as_ref();
    let timeline = match Timeline::new(run, generations, declared.axis.as_deref(), &settings.names)
    {
        Ok(timeline) => timeline.drain_into(&mut findings),
        Err(why) => return Err(refusal(why).after(findings, words)),
    };
    let declared = declared.named_as_in(&timeline);
    match analysis::analyse(run, timeline, generations, &declared, &asked) {
        Ok(found) => {
            let progress = found.drain_into(&mut findings);
            Ok(Made::new(report::progress(&progress, &findings, words), ExitStatus::Done))
        }
        Err(why) => Err(refusal(why).after(findings, words)),
    }
}

fn refusal(why: NoProgress) -> Failure {
    match why {
        NoProgress::NoSeries { path } => {
            Failure::input(Refusal::new("refused.no-series").with("path", path))
        }
        NoProgress::NoAxis { axis, known } => {
            Failure::refused("refused.no-axis", &[("axis", &axis), ("known", &known)])
        }
        NoProgress::NotRecorded { axis, asked, near } => {
            let unknown = Refusal::new("refused.not-recorded").with("axis", axis);
            Failure::usage(unknown.with("asked", asked.to_string()).with("recorded", near))
        }
        NoProgress::Reversed { from, to } => {
            let [from, to] = [from, to].map(|at| at.to_string());
            Failure::refused("refused.reversed", &[("from", &from), ("to", &to)])
        }
    }
}

/// Whether a finding of reading is about files of generations, which are read in their own way.
fn is_about(finding: &Diagnostic, generations: &Generations) -> bool {
    let place = finding.location.as_ref();
    matches!(finding.code, Code::RepeatedPositions | Code::RecordsAveraged | Code::Unrecognised)
        && place.is_some_and(|place| generations.are_in(&place.path))
}
