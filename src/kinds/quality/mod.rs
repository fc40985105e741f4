//! `quality`: what failed in a training and why.

pub mod analysis;
mod args;
mod report;

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args as _;

use super::{Kind, Made, Request, parsed};
use crate::collect::RunAddress;
use crate::collect::logs::{self, Patterns};
use crate::derive;
use crate::diag::{Code, Severity};
use crate::exit::{ExitStatus, Failure};
use crate::model::SampleTable;
use crate::pipeline::{self, PipelineError};
use crate::settings::Flags;
use crate::text::Refusal;
use analysis::{Quality as Analysed, Tables};
use args::QualityArguments;

pub(super) static KIND: Kind = Kind {
    name: "quality",
    about: "Report what failed in a training run and why, from its logs and sample outcomes",
    examples: args::EXAMPLES,
    has_table: true,
    has_sheet: true,
    section_ids: report::section_ids,
    add_arguments: QualityArguments::augment_args,
    run: |matches, request| run(&parsed(matches)?, request),
};

fn run(arguments: &QualityArguments, request: &Request<'_>) -> Result<Made, Failure> {
    let files: Vec<PathBuf> = arguments.runs.iter().map(|run| RunAddress::of(run).path).collect();
    request.output.refuse_overwriting(files.iter().map(PathBuf::as_path))?;
    let mut noticed = Vec::new();
    let settings = request.settings(Flags::default(), &mut noticed)?;
    let words = settings.words();
    let tables: Tables = request.tables()?;
    let config = request.config.map(|file| file.path.as_str());
    let patterns = patterns(&arguments.patterns, &tables, config)?;
    let inspected = pipeline::read_for_log_analysis(&arguments.runs, &settings, noticed)
        .map_err(|error| error.into_failure(words))?;
    let mut findings = inspected.diagnostics;
    findings.extend(derive::unused_names(&inspected.value, &settings.names, &[]));
    let logs = logs::read(&arguments.runs, &patterns, &settings.access)
        .map_err(|error| PipelineError::from(error).into_failure(words))?
        .drain_into(&mut findings);
    // A run of logs alone holds nothing that the readers of records know.
    findings.retain(|finding| finding.code != Code::NothingReadable);
    let analysed: Vec<Analysed<'_>> = logs
        .iter()
        .map(|run| {
            let content = inspected.value.iter().find(|other| other.path == run.path);
            let samples: &[SampleTable] = content.map_or(&[], |other| &other.content.samples);
            analysis::analyse(&run.path, &run.tally, samples, &tables.quality.suggestion)
        })
        .collect();
    findings.extend(analysed.iter().flat_map(analysis::findings));
    if analysed.iter().all(Analysed::is_empty) {
        let cause = Refusal::new("refused.no-log");
        return Err(Failure::input(cause).after(findings, words));
    }
    let is_lost = findings.iter().any(|finding| finding.severity == Severity::Error);
    let status = if is_lost { ExitStatus::InputOutput } else { ExitStatus::Done };
    Ok(Made::new(report::quality(&analysed, &findings, words), status))
}

/// The user's patterns, those of the command line first, before the shipped ones. A file that
/// `reportgen.toml` names lies beside it.
fn patterns(flags: &[PathBuf], tables: &Tables, config: Option<&str>) -> Result<Patterns, Failure> {
    let beside = config.and_then(|path| Path::new(path).parent()).unwrap_or_else(|| Path::new(""));
    let named = tables.quality.patterns.texts().iter().map(|name| beside.join(name));
    let mut files = Vec::new();
    for path in flags.iter().cloned().chain(named) {
        let text = fs::read_to_string(&path).map_err(|source| Failure::read(&path, source))?;
        files.push((path.display().to_string(), text));
    }
    Patterns::with_files(&files).map_err(Failure::usage)
}
