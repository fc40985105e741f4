//! `metrics`: per-sample outcomes to figures, and records drawn for reading.

pub mod analysis;
mod args;
mod report;

use std::path::PathBuf;

use clap::Args as _;
use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::Value;

use super::{Kind, Made, Request, parsed};
use crate::collect::{CollectError, fetch, outcomes};
use crate::diag::{Code, Diagnostic, nearest_name};
use crate::exit::{ExitStatus, Failure};
use crate::output::Output;
use crate::pipeline::PipelineError;
use crate::report::section_ids;
use crate::settings::{Flags, Settings};
use crate::text::Refusal;
use analysis::{Evaluation, Input, KindNames, MetricsChoices, MetricsMapping, MetricsQuotas};
use args::MetricsArguments;

/// `[metrics]` of `reportgen.toml`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct MetricsTable {
    error_types: KindNames,
    qa: MetricsQuotas,
    max_tokens: Option<u64>,
}

#[derive(Debug, Default, Deserialize)]
struct Tables {
    #[serde(default)]
    metrics: MetricsTable,
}

pub(super) static KIND: Kind = Kind {
    name: "metrics",
    about: "Compute metrics from per-sample outcomes, and select records to review",
    examples: args::EXAMPLES,
    has_table: true,
    has_sheet: true,
    section_ids: || section_ids(report::PARTS),
    add_arguments: MetricsArguments::augment_args,
    run: |matches, request| run(&parsed(matches)?, request),
};

fn run(arguments: &MetricsArguments, request: &Request<'_>) -> Result<Made, Failure> {
    let mut findings = Vec::new();
    let settings = request.settings(Flags::default(), &mut findings)?;
    let words = settings.words();
    let (choices, asked) = chosen(arguments, request.tables::<Tables>()?.metrics)?;
    let inputs = inputs(arguments, &settings, &mut findings)?;
    refuse_foreign(request.output)?;
    let paths = inputs.iter().map(|input| input.file.path.as_path());
    request.output.refuse_overwriting(paths)?;
    let evaluation = analysis::measure_metrics(&inputs, &choices).drain_into(&mut findings);
    if evaluation.datasets.is_empty() {
        let cause = Refusal::new("refused.no-outcome");
        return Err(Failure::input(cause).after(findings, words));
    }
    check_names(&choices.wall_clock, &evaluation)?;
    findings.extend(unmatched(&asked, &choices.mapping, &evaluation));
    let read: Vec<PathBuf> =
        inputs.iter().filter_map(|input| input.file.path.canonicalize().ok()).collect();
    let former = report::FormerFiles::beside(&evaluation, |name| {
        request.output.existing(name).ok().flatten()
    });
    let files = report::metric_files(&evaluation, &former);
    refuse_replacing(&files, &read, request.output)?;
    let mut stale = former_logs(&files, &read, request.output);
    stale.retain(|name| !former.keeps(name));
    let report = report::metrics(&evaluation, &findings, words);
    Ok(Made { report, status: ExitStatus::Done, files, stale })
}

/// The choices, and the quotas as the user wrote them.
fn chosen(
    arguments: &MetricsArguments,
    MetricsTable { error_types, qa, max_tokens }: MetricsTable,
) -> Result<(MetricsChoices, MetricsQuotas), Failure> {
    if let [key, ..] = qa.contradictions().as_slice() {
        return Err(Failure::refused("refused.quotas", &[("table", key)]));
    }
    if max_tokens == Some(0) {
        return Err(Failure::refused("refused.max-tokens", &[]));
    }

    let mut wall_clock = IndexMap::new();
    for text in &arguments.wall_clock {
        let (name, seconds) = named(text, "--wall-clock", "NAME=SECONDS")?;
        let seconds = seconds.parse().ok().filter(|seconds: &f64| *seconds > 0.0);
        let seconds = seconds.filter(|seconds| seconds.is_finite()).ok_or_else(|| {
            Failure::refused("refused.wall-clock", &[("text", text), ("name", name)])
        })?;
        wall_clock.insert(name.to_owned(), seconds);
    }
    let choices = MetricsChoices {
        seed: arguments.seed,
        mapping: MetricsMapping::over_shipped(error_types).map_err(Failure::usage)?,
        quotas: qa.clone().over_shipped().map_err(Failure::usage)?,
        wall_clock,
        max_tokens: arguments.max_tokens.or(max_tokens),
    };
    Ok((choices, qa))
}

fn named<'t>(text: &'t str, flag: &str, form: &str) -> Result<(&'t str, &'t str), Failure> {
    let parts = text.split_once('=').filter(|(name, value)| !name.is_empty() && !value.is_empty());
    let facts = [("flag", flag), ("text", text), ("form", form)];
    parts.ok_or_else(|| Failure::refused("refused.form", &facts))
}

/// Every file, each once.
fn inputs(
    arguments: &MetricsArguments,
    settings: &Settings,
    findings: &mut Vec<Diagnostic>,
) -> Result<Vec<Input>, Failure> {
    let access = &settings.access;
    let mut asked: Vec<(Option<String>, PathBuf)> = Vec::new();
    for text in &arguments.dataset {
        let (name, path) = named(text, "--dataset", "NAME=FILE")?;
        asked.push((Some(name.to_owned()), path.into()));
    }
    asked.extend(arguments.samples.iter().map(|path| (None, path.clone())));
    let mut found: Vec<Input> = Vec::new();
    let mut known = indexmap::IndexSet::new();
    for (dataset, path) in asked {
        let place = fetch(&path, access).map_err(|error| {
            PipelineError::from(CollectError::from(error)).into_failure(settings.words())
        })?;
        let files = outcomes::outcome_files(&place, access)
            .map_err(|source| Failure::read(&path, source))?;
        for file in files.drain_into(findings) {
            let place = file.path.canonicalize().unwrap_or_else(|_| file.path.clone());
            if known.insert(place) {
                found.push(Input { file, dataset: dataset.clone() });
            }
        }
    }
    Ok(found)
}

/// A name in `--wall-clock` that no record has is a slip.
fn check_names(clocks: &IndexMap<String, f64>, evaluation: &Evaluation) -> Result<(), Failure> {
    let names = || evaluation.datasets.iter().map(|dataset| dataset.name.as_str());
    for clock in clocks.keys() {
        if !names().any(|name| name.eq_ignore_ascii_case(clock)) {
            let refusal = Refusal::new("refused.no-dataset").with("dataset", clock.as_str());
            return Err(Failure::usage(refusal.among(clock, names())));
        }
    }
    Ok(())
}

/// Names in `[metrics.qa]` that no record has: slips, or of another evaluation.
fn unmatched(
    asked: &MetricsQuotas,
    mapping: &MetricsMapping,
    evaluation: &Evaluation,
) -> Vec<Diagnostic> {
    let unknown = |key: String, known: Vec<&str>| {
        Diagnostic::new(Code::UnknownSetting)
            .key(&key)
            .with("key", key.as_str())
            .with(
                "near",
                nearest_name(key.rsplit(": ").next().unwrap_or(&key), known.iter().copied()),
            )
            .with("known", known.join(", "))
    };
    let kinds: indexmap::IndexSet<&str> = evaluation
        .datasets
        .iter()
        .flat_map(|dataset| &dataset.kinds)
        .map(|(kind, _)| kind.as_str())
        .collect();
    let slips = asked.left_out().iter().filter(|kind| {
        !mapping.has(kind) && *kind != analysis::UNKNOWN && !kinds.contains(kind.as_str())
    });
    let slips = slips.map(|kind| {
        unknown(format!("metrics.qa.leave_out: {kind}"), kinds.iter().copied().collect())
    });
    let names: Vec<&str> =
        evaluation.datasets.iter().map(|dataset| dataset.name.as_str()).collect();
    let is_there = |asked: &str| names.iter().any(|name| name.eq_ignore_ascii_case(asked));
    let rows = asked.datasets().filter(|asked| !is_there(asked));
    let rows = rows.map(|asked| unknown(format!("metrics.qa.dataset.{asked}"), names.clone()));
    slips.chain(rows).collect()
}

/// QA logs of an earlier run of this command that this one does not write again: beside the summary
/// of another step they would be taken for its records.
fn former_logs(files: &[(String, String)], read: &[PathBuf], output: &Output) -> Vec<String> {
    let former = output.existing("qa_logs/qa_summary.json").ok().flatten().unwrap_or_default();
    let former: Value = serde_json::from_str(&former).unwrap_or_default();
    if former["schema"] != analysis::QA_SCHEMA {
        return Vec::new();
    }
    let datasets = former["datasets"].as_object().into_iter().flat_map(|all| all.values());
    let names = datasets.filter_map(|dataset| dataset["file"].as_str());
    let logs = names.filter(|name| name.ends_with("_qa.jsonl") && !name.contains(['/', '\\']));
    let stale = logs.map(|name| format!("qa_logs/{name}")).filter(|name| {
        let place = output.directory().and_then(|root| root.join(name).canonicalize().ok());
        let is_read = place.is_some_and(|place| read.contains(&place));
        !is_read && !files.iter().any(|(file, _)| file == name)
    });
    stale.collect()
}

/// The metrics that the evaluation itself wrote are no file of this program.
fn refuse_foreign(output: &Output) -> Result<(), Failure> {
    let existing = |name: &str| output.existing(name).unwrap_or_else(|_| Some(String::new()));
    let is_own = existing("summary.json").is_some_and(|text| text.contains(report::SUMMARY_SCHEMA));
    let foreign = ["summary.json", "metrics.json"]
        .into_iter()
        .find(|name| !is_own && existing(name).is_some());
    match (foreign, output.directory()) {
        (Some(name), Some(directory)) => {
            let path = directory.join(name);
            Err(Failure::refused("refused.foreign-file", &[("path", &path.to_string_lossy())]))
        }
        _ => Ok(()),
    }
}

fn refuse_replacing(
    files: &[(String, String)],
    read: &[PathBuf],
    output: &Output,
) -> Result<(), Failure> {
    let Some(directory) = output.directory() else { return Ok(()) };
    let mut paths = files.iter().map(|(name, _)| directory.join(name));
    let sample = paths.find(|path| path.canonicalize().is_ok_and(|place| read.contains(&place)));
    match sample {
        None => Ok(()),
        Some(path) => {
            Err(Failure::refused("refused.is-input", &[("path", &path.to_string_lossy())]))
        }
    }
}
