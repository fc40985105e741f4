//! `reportgen metrics`.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use serde::Deserialize;

use super::{Failure, choices, drawn};
use crate::cli::args::MetricsArguments;
use crate::cli::exit::ExitStatus;
use crate::cli::{Surroundings, emit, output};
use crate::collect::outcomes;
use crate::diag::{Code, Diagnostic};
use crate::metrics::{self, Choices, Evaluation, Input, KindNames, Mapping, Quotas};
use crate::report;
use crate::settings;

/// `[metrics]` of `reportgen.toml`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct MetricsTable {
    error_types: KindNames,
    qa: Quotas,
    max_tokens: Option<u64>,
}

#[derive(Debug, Default, Deserialize)]
struct Tables {
    #[serde(default)]
    metrics: MetricsTable,
}

pub(super) fn run(
    arguments: &MetricsArguments,
    surroundings: Surroundings,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<ExitStatus, Failure> {
    let plan = drawn::Plan::of_drawing(&arguments.drawing)?;
    let words = plan.words(arguments.drawing.lang.map_or(surroundings.lang, Into::into));
    let (choices, asked) = chosen(arguments)?;
    let mut findings = Vec::new();
    let inputs = inputs(arguments, &mut findings)?;
    let directory = plan.directory();
    let paths = inputs.iter().map(|input| input.file.path.as_path());
    if let Some(directory) = directory {
        refuse_foreign(directory)?;
    }
    plan.refuse_overwriting(paths.clone(), "the samples")?;
    let evaluation = metrics::measure(&inputs, &choices).drain_into(&mut findings);
    if evaluation.datasets.is_empty() {
        emit::findings(&findings, words, err).map_err(Failure::standard_output)?;
        return Err(Failure::NoOutcomes);
    }
    check_names(&choices.wall_clock, &evaluation)?;
    findings.extend(unmatched(&asked, &choices.mapping, &evaluation));
    if let Some(directory) = directory {
        write_files(directory, &evaluation, &inputs)?;
    }
    let report = report::metrics(&evaluation, &findings, words);
    plan.write(&report, out)?;
    emit::findings(&findings, words, err).map_err(Failure::standard_output)?;
    Ok(ExitStatus::Done)
}

/// The choices, and the quotas as the user wrote them.
fn chosen(arguments: &MetricsArguments) -> Result<(Choices, Quotas), Failure> {
    let file = choices::file(arguments.config.as_deref())?;
    let file = file.as_ref().map(|(path, text)| (path.as_str(), text.as_str()));
    let MetricsTable { error_types, qa, max_tokens } = settings::tables::<Tables>(file)?.metrics;
    if let [key, ..] = qa.contradictions().as_slice() {
        return Err(Failure::Usage(format!(
            "[{key}]: `total` is shared out over the kinds; leave out `per_type` and `random` beside it"
        )));
    }
    if max_tokens == Some(0) {
        return Err(Failure::Usage("[metrics] max_tokens must be 1 or more".to_owned()));
    }
    let broken = |error: toml::de::Error| Failure::Usage(error.to_string());
    let mut wall_clock = IndexMap::new();
    for text in &arguments.wall_clock {
        let (name, seconds) = named(text, "--wall-clock", "NAME=SECONDS")?;
        let seconds: f64 = seconds.parse().unwrap_or(f64::NAN);
        if !(seconds > 0.0 && seconds.is_finite()) {
            return Err(Failure::Usage(format!(
                "--wall-clock `{text}`: write the seconds as a number above 0, for example {name}=120"
            )));
        }
        wall_clock.insert(name.to_owned(), seconds);
    }
    let choices = Choices {
        seed: arguments.seed,
        mapping: Mapping::over_shipped(error_types).map_err(broken)?,
        quotas: qa.clone().over_shipped().map_err(broken)?,
        wall_clock,
        max_tokens: arguments.max_tokens.or(max_tokens),
    };
    Ok((choices, qa))
}

fn named<'t>(text: &'t str, flag: &str, form: &str) -> Result<(&'t str, &'t str), Failure> {
    let parts = text.split_once('=').filter(|(name, value)| !name.is_empty() && !value.is_empty());
    parts.ok_or_else(|| Failure::Usage(format!("{flag} `{text}` is not {form}")))
}

/// Every file, each once.
fn inputs(
    arguments: &MetricsArguments,
    findings: &mut Vec<Diagnostic>,
) -> Result<Vec<Input>, Failure> {
    let mut asked: Vec<(Option<String>, PathBuf)> = Vec::new();
    for text in &arguments.dataset {
        let (name, path) = named(text, "--dataset", "NAME=FILE")?;
        asked.push((Some(name.to_owned()), path.into()));
    }
    asked.extend(arguments.samples.iter().map(|path| (None, path.clone())));
    let mut found: Vec<Input> = Vec::new();
    let mut known = indexmap::IndexSet::new();
    for (dataset, path) in asked {
        let files = outcomes::files(&path).map_err(|source| Failure::Read { path, source })?;
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
            let known: Vec<&str> = names().collect();
            return Err(Failure::Usage(format!(
                "--wall-clock names no dataset `{clock}`; there are {}",
                known.join(", ")
            )));
        }
    }
    Ok(())
}

/// Names in `[metrics.qa]` that no record has: slips, or of another evaluation.
fn unmatched(asked: &Quotas, mapping: &Mapping, evaluation: &Evaluation) -> Vec<Diagnostic> {
    let unknown = |key: String, known: Vec<&str>| {
        Diagnostic::new(Code::UnknownSetting)
            .key(&key)
            .with("key", key.as_str())
            .with("known", known.join(", "))
    };
    let kinds: indexmap::IndexSet<&str> = evaluation
        .datasets
        .iter()
        .flat_map(|one| &one.kinds)
        .map(|(kind, _)| kind.as_str())
        .collect();
    let slips = asked.kinds().iter().filter(|kind| {
        !mapping.has(kind) && *kind != metrics::UNKNOWN && !kinds.contains(kind.as_str())
    });
    let slips = slips.map(|kind| {
        unknown(format!("metrics.qa.leave_out: {kind}"), kinds.iter().copied().collect())
    });
    let names: Vec<&str> = evaluation.datasets.iter().map(|one| one.name.as_str()).collect();
    let is_there = |asked: &str| names.iter().any(|name| name.eq_ignore_ascii_case(asked));
    let rows = asked.datasets().filter(|asked| !is_there(asked));
    let rows = rows.map(|asked| unknown(format!("metrics.qa.dataset.{asked}"), names.clone()));
    slips.chain(rows).collect()
}

/// QA logs of an earlier run of this command that this one does not write again: beside the new
/// summary they would be taken for its records.
fn remove_former(directory: &Path, files: &[(String, String)], read: &[PathBuf]) {
    let logs = directory.join("qa_logs");
    let former = fs::read_to_string(logs.join("qa_summary.json")).unwrap_or_default();
    let former: serde_json::Value = serde_json::from_str(&former).unwrap_or_default();
    if former["schema"] != metrics::QA_SCHEMA {
        return;
    }
    for dataset in former["datasets"].as_object().into_iter().flat_map(|all| all.values()) {
        let Some(name) = dataset["file"].as_str() else { continue };
        let path = logs.join(name);
        let is_again = files.iter().any(|(file, _)| file.strip_prefix("qa_logs/") == Some(name));
        let is_read = path.canonicalize().is_ok_and(|place| read.contains(&place));
        let is_log = name.ends_with("_qa.jsonl") && !name.contains(['/', '\\']);
        if is_log && !is_again && !is_read {
            // What cannot be removed is as harmless as it was.
            let _gone = fs::remove_file(path);
        }
    }
}

/// The metrics that the evaluation itself wrote are no file of this program.
fn refuse_foreign(directory: &Path) -> Result<(), Failure> {
    let summary = fs::read_to_string(directory.join("summary.json")).unwrap_or_default();
    let is_own = summary.contains(report::SUMMARY_SCHEMA);
    let foreign = ["summary.json", "metrics.json"]
        .map(|name| directory.join(name))
        .into_iter()
        .find(|path| !is_own && path.exists());
    match foreign {
        None => Ok(()),
        Some(path) => Err(Failure::Usage(format!(
            "`{}` was not written by this command; name another directory with -o",
            path.display()
        ))),
    }
}

fn write_files(directory: &Path, evaluation: &Evaluation, inputs: &[Input]) -> Result<(), Failure> {
    let files = report::metric_files(evaluation);
    let read: Vec<PathBuf> =
        inputs.iter().filter_map(|input| input.file.path.canonicalize().ok()).collect();
    for (name, _) in &files {
        let path = directory.join(name);
        if path.canonicalize().is_ok_and(|place| read.contains(&place)) {
            let path = path.display();
            return Err(Failure::Usage(format!(
                "`{path}` is one of the samples; name another directory with -o"
            )));
        }
    }
    remove_former(directory, &files, &read);
    for (name, text) in files {
        let path = directory.join(name);
        output::write_whole(&path, &text)
            .map_err(|source| Failure::Write { place: format!("`{}`", path.display()), source })?;
    }
    Ok(())
}
