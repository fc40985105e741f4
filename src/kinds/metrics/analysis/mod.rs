//! Per-sample records to the metrics of an evaluation, and the records that a person should read.
//!
//! Figures are made while lines go by, so that memory does not grow with the files: this module
//! stands behind reading and formulas at once, beside the stages of a comparison. Knows nothing of
//! reports; what it knows of error types and quotas is data.

mod distribution;
mod mapping;
mod metrics_figures;
mod metrics_findings;
mod problems;
mod qa_draw;
mod qa_log;
mod quotas;
mod tally;

pub use mapping::{EXECUTED, KindNames, MetricsMapping, SUCCESS, WRONG_ANSWER};
pub use metrics_figures::{Figure, LEVEL};
pub use qa_draw::{Drawn, Stratum};
pub use qa_log::SCHEMA as QA_SCHEMA;
pub use quotas::{MetricsQuota, MetricsQuotas};
pub use tally::{API_ERROR, UNKNOWN};

use indexmap::IndexMap;

use crate::collect::FileEntry;
use crate::collect::outcomes;
use crate::diag::{Code, Diagnostic, Location, Warned};

use tally::{MetricsRows, MetricsTallies, MetricsTally};

#[derive(Debug, Clone, Default)]
pub struct MetricsChoices {
    pub seed: u64,
    pub mapping: MetricsMapping,
    pub quotas: MetricsQuotas,
    pub wall_clock: IndexMap<String, f64>,
    /// Tokens at which generation stops, where records do not say that it did.
    pub max_tokens: Option<u64>,
}

/// One file, and the dataset that the user says all its records belong to.
#[derive(Debug, Clone)]
pub struct Input {
    pub file: FileEntry,
    pub dataset: Option<String>,
}

#[derive(Debug, Clone, Default)]
pub struct Evaluation {
    pub files: Vec<String>,
    pub seed: u64,
    /// In the order in which they came.
    pub datasets: Vec<Dataset>,
}

#[derive(Debug, Clone)]
pub struct Dataset {
    pub name: String,
    pub records: u64,
    /// Distinct problems; `None` where ids are missing or too many.
    pub problems: Option<u64>,
    /// Independent draws behind all records: their problems, or the records themselves where none
    /// repeats another; `None` where that is not known.
    pub draws: Option<u64>,
    /// Accepted answers of all that say it, failed requests left out.
    pub accepted_answers: [u64; 2],
    /// Step of the checkpoint, where all records that name one name the same.
    pub step: Option<f64>,
    /// How the records ended, in the order of the report, each with its number.
    pub kinds: Vec<(String, u64)>,
    pub figures: Vec<Figure>,
    /// Quantiles that are for reading only.
    pub spreads: Vec<Figure>,
    pub drawn: Drawn,
    /// Their lines for the QA log, with place and id.
    pub log: Vec<LogLine>,
}

#[derive(Debug, Clone)]
pub struct LogLine {
    pub text: String,
    pub problem: Option<String>,
    /// For which kind it was drawn; `random` for the rest.
    pub stratum: String,
    pub source: Location,
}

/// Reads every file once and measures what is in it.
pub fn measure_metrics(inputs: &[Input], choices: &MetricsChoices) -> Warned<Evaluation> {
    let mut tallies = MetricsTallies::default();
    let mut findings = Vec::new();
    for (number, Input { file, dataset }) in inputs.iter().enumerate() {
        let of_file = outcomes::dataset_of_file(file);
        let mut records = false;
        let lines = outcomes::read_outcomes(
            file,
            MetricsRows::default,
            |part: &mut MetricsRows, record| {
                part.take(record, dataset.as_deref(), &of_file, choices);
            },
            |part, before| {
                records |= part.has_records();
                tallies.append(part, number, before, choices);
            },
        );
        let lines = lines.drain_into(&mut findings);
        let place = Location::file(file.display.as_ref());
        if lines == 0 {
            findings.push(Diagnostic::new(Code::EmptyFile).at(place));
        } else if !records {
            findings.push(Diagnostic::new(Code::NothingToCount).with("lines", lines).at(place));
        } else if outcomes::is_file_of_drawn_records(file) {
            findings.push(Diagnostic::new(Code::DrawnInput).at(place));
        }
    }
    let paths: Vec<&str> = inputs.iter().map(|input| input.file.display.as_ref()).collect();
    findings.extend(metrics_findings::about_all(&tallies, &paths));
    let mut datasets = Vec::new();
    for tally in tallies.datasets.into_values() {
        let (dataset, found) = dataset(tally, choices, &paths);
        datasets.push(dataset);
        findings.extend(found);
    }
    let files = paths.iter().map(|path| (*path).to_owned()).collect();
    Warned::new(Evaluation { files, seed: choices.seed, datasets }, findings)
}

fn dataset(
    mut tally: MetricsTally,
    choices: &MetricsChoices,
    paths: &[&str],
) -> (Dataset, Vec<Diagnostic>) {
    let name = std::mem::take(&mut tally.name);
    let clock = choices.wall_clock.iter().find(|(known, _)| known.eq_ignore_ascii_case(&name));
    let figures = metrics_figures::figures(&tally, clock.map(|(_, seconds)| *seconds));
    let spreads = metrics_figures::spreads(&tally);
    let found = metrics_findings::about_dataset(&name, &tally, paths);
    let kinds = kinds(&tally);
    let mut pools = std::mem::take(&mut tally.pools);
    let ordered = kinds.iter().filter_map(|(kind, _)| Some((kind.clone(), pools.remove(kind)?)));
    let drawn =
        qa_draw::draw(ordered.collect(), choices.quotas.quota(&name), choices.quotas.left_out());
    let log = drawn.records.iter().map(|record| {
        let place = tally::RecordPlace { file: record.candidate.file, line: record.candidate.line };
        let source = metrics_findings::location(place, paths);
        let (text, problem) = qa_log::line(record, &name, &source.to_string());
        let stratum = if record.is_random { "random" } else { &record.kind };
        LogLine { text, problem, stratum: stratum.to_owned(), source }
    });
    let step = match tally.steps.as_slice() {
        [(step, _)] => Some(*step),
        _ => None,
    };
    let all_have_ids = tally.with_id == tally.records;
    let dataset = Dataset {
        records: tally.records,
        problems: tally.problems.count().filter(|_| all_have_ids),
        draws: metrics_figures::problems(&tally),
        accepted_answers: [
            tally.accepted.yes - tally.accepted_failed.yes,
            tally.accepted.n - tally.accepted_failed.n,
        ],
        step,
        kinds,
        figures,
        spreads,
        log: log.collect(),
        drawn,
        name,
    };
    (dataset, found)
}

/// The kinds in the order of the report: those that every dataset has, its own by their number, and
/// what nobody knows.
fn kinds(tally: &MetricsTally) -> Vec<(String, u64)> {
    let count = |kind: &str| tally.kinds.get(kind).map_or(0, |known| known.seen.count);
    let standard = metrics_figures::STANDARD.map(|(kind, _)| kind);
    let mut found: Vec<(String, u64)> =
        standard.iter().map(|kind| ((*kind).to_owned(), count(kind))).collect();
    let is_own = |kind: &&String| *kind != UNKNOWN && !standard.contains(&kind.as_str());
    let mut own: Vec<&String> = tally.kinds.keys().filter(is_own).collect();
    own.sort_by_key(|kind| (std::cmp::Reverse(count(kind)), *kind));
    found.extend(own.into_iter().map(|kind| (kind.clone(), count(kind))));
    if count(UNKNOWN) > 0 {
        found.push((UNKNOWN.to_owned(), count(UNKNOWN)));
    }
    found
}
