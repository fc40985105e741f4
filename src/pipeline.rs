//! The order of the stages, and nothing else.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::check::{Findings, Grade};
use crate::collect::{self, CollectError};
use crate::compare::Prejudged;
use crate::compare::aa::{self, Measured, Plan};
use crate::diag::{Diagnostic, Warned};
use crate::gate::{self, Gate};
use crate::group::{self, Grouping};
use crate::model::{Clustering, Run};
use crate::report::{self, Material, Report};
use crate::settings::Settings;
use crate::text::Catalogue;
use crate::{check, compare, derive};

/// A comparison and what its gates say.
#[derive(Debug)]
pub struct Compared {
    /// The report.
    pub report: Report,
    /// The gates asked for.
    pub gates: Vec<Gate>,
    /// Runs that were named and are not in the report, because they could not be read.
    pub left_out: usize,
}

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum PipelineError {
    /// A run does not exist.
    #[error(transparent)]
    Collect(#[from] CollectError),
    /// A run was found and holds nothing that could be read.
    #[error(
        "nothing that reportgen can read in `{path}`; `reportgen inspect` lists what was ignored and why"
    )]
    EmptyRun {
        /// Path as given.
        path: String,
        /// What was noticed while reading every run.
        diagnostics: Vec<Diagnostic>,
    },
    /// The user chose a cluster key that no sample has.
    #[error("no sample has a cluster in `{key}`; the fields of the samples are: {fields}")]
    UnknownCluster {
        /// The key.
        key: String,
        /// Names of the fields that there are.
        fields: String,
    },
    /// Less than two runs.
    #[error("a comparison needs a baseline and at least one candidate, got {count} run(s)")]
    TooFewRuns {
        /// How many were given.
        count: usize,
    },
}

/// Reads the runs.
///
/// # Errors
/// When an input does not exist.
pub fn inspect(inputs: &[PathBuf]) -> Result<Warned<Vec<Run>>, PipelineError> {
    Ok(collect::collect(inputs, &collect::Choices::default())?)
}

/// Reads the runs, decides whether they may be compared, compares them, and tells it.
/// The first input is the baseline.
///
/// A candidate that cannot be read is left out with a finding as long as another one is left.
///
/// # Errors
/// When the baseline, or every candidate, does not exist or holds nothing readable.
pub fn compare(
    inputs: &[PathBuf],
    settings: &Settings,
    command: &str,
    mut noticed: Vec<Diagnostic>,
) -> Result<Compared, PipelineError> {
    let Settings { clustering, metrics, .. } = settings.clone();
    let choices = collect::Choices { clustering, metrics };
    let runs = collect::collect(inputs, &choices)?.drain_into(&mut noticed);
    let runs = usable(inputs, runs, &noticed)?;
    cluster_field_exists(&runs, &settings.clustering)?;
    let Settings { pass_at, metrics, .. } = settings.clone();
    let runs = derive::derive(runs, &derive::Choices { pass_at, metrics }).drain_into(&mut noticed);
    let Settings { vary, metrics, clustering, .. } = settings.clone();
    let choices = group::Choices { vary, metrics, clustering };
    let grouping = group::group(&runs, &choices)
        .filter(|grouping| !grouping.pairs.is_empty())
        .ok_or(PipelineError::TooFewRuns { count: runs.len() })?;
    let findings = check::check(&grouping);
    let prejudged = prejudge(&grouping, &findings);
    let choices = compare::Choices {
        options: settings.options,
        margins: settings.margins.clone(),
        anytime: settings.anytime,
    };
    let comparisons = compare::compare(&grouping, &prejudged, &choices);
    let suites = compare::suites(&comparisons, &choices);
    let trends = compare::trends(&runs, settings.options.alpha);
    noticed.extend(compare::impossible_shares(&grouping));
    noticed.extend(compare::review_margins(&grouping, &choices));
    let gates = gate::evaluate(&settings.fail_on, &findings, &comparisons, &noticed);
    let report = report::build(&Material {
        grouping: &grouping,
        findings: &findings,
        comparisons: &comparisons,
        suites: &suites,
        trends: &trends,
        collected: &noticed,
        options: settings.options,
        command,
        gates: &gates,
        words: Catalogue::of(settings.lang),
    });
    Ok(Compared { report, gates, left_out: inputs.len() - runs.len() })
}

/// Measures how often the methods find a difference between relabelled samples: of the two runs,
/// or of parts of the only one.
///
/// # Errors
/// When a run does not exist or holds nothing readable.
pub fn false_positives(inputs: &[PathBuf], plan: Plan) -> Result<Warned<Measured>, PipelineError> {
    let mut noticed = Vec::new();
    let runs = collect::collect(inputs, &collect::Choices::default())?.drain_into(&mut noticed);
    let runs = usable(inputs, runs, &noticed)?;
    let choices = group::Choices::default();
    let measured = match runs.as_slice() {
        [run] => aa::within(&group::against_itself(run, &choices), plan),
        runs => group::group(runs, &choices)
            .and_then(|grouping| grouping.pairs.first().map(|pair| aa::between(pair, plan)))
            .ok_or(PipelineError::TooFewRuns { count: runs.len() })?,
    };
    Ok(Warned::new(measured, noticed))
}

/// The runs that hold something, when the baseline and at least one candidate are among them.
fn usable(
    inputs: &[PathBuf],
    runs: Vec<Run>,
    noticed: &[Diagnostic],
) -> Result<Vec<Run>, PipelineError> {
    let path_of = |input: &PathBuf| input.to_string_lossy().into_owned();
    let is_usable = |input: &PathBuf| {
        let path = path_of(input);
        runs.iter().any(|run| run.path == path && !run.is_empty())
    };
    let baseline_lost = inputs.first().is_some_and(|input| !is_usable(input));
    let left = inputs.iter().filter(|input| is_usable(input)).count();
    if !baseline_lost && (left >= 2 || left == inputs.len()) {
        return Ok(runs.into_iter().filter(|run| !run.is_empty()).collect());
    }
    let lost = inputs.iter().find(|input| !is_usable(input)).cloned().unwrap_or_default();
    let path = path_of(&lost);
    if runs.iter().any(|run| run.path == path) {
        return Err(PipelineError::EmptyRun { path, diagnostics: noticed.to_vec() });
    }
    Err(CollectError::NotFound { path: lost }.into())
}

/// Refuses a cluster key that no sample of any run has.
fn cluster_field_exists(runs: &[Run], clustering: &Clustering) -> Result<(), PipelineError> {
    let Clustering::Key(key) = clustering else { return Ok(()) };
    let mut tables = runs.iter().flat_map(|run| &run.content.samples).peekable();
    if tables.peek().is_none() || tables.any(|table| !table.clusters().is_empty()) {
        return Ok(());
    }
    let fields = runs.iter().flat_map(|run| &run.content.sample_fields);
    let fields: BTreeSet<&str> = fields.map(String::as_str).collect();
    let fields = fields.into_iter().collect::<Vec<_>>().join(", ");
    Err(PipelineError::UnknownCluster { key: key.clone(), fields })
}

/// Carries what the checks decided to the comparison, which does not know them.
fn prejudge(grouping: &Grouping<'_>, findings: &[Findings]) -> Vec<Prejudged> {
    grouping
        .pairs
        .iter()
        .zip(findings)
        .map(|(pair, findings)| {
            let code = |cell| findings.blocking(cell).map(|finding| finding.code);
            let blocked = pair.cells.iter().map(code).collect();
            Prejudged { blocked, identical: findings.grade == Grade::Identical }
        })
        .collect()
}
