//! The order of the stages, and nothing else.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::check::{Findings, Grade};
use crate::collect::{self, CollectError};
use crate::compare::aa::{self, Measured, Plan};
use crate::compare::{Comparison, Prejudged, RunsOverDatasets, Suite, Systems, Trend};
use crate::diag::{Diagnostic, Warned};
use crate::exit::Failure;
use crate::group::{self, Arm, Grouping};
use crate::model::{Clustering, DATASET_AXIS, Layout, NotALayout, Run};
use crate::settings::Settings;
use crate::text::Catalogue;
use crate::{check, compare, derive};

/// The finding for a run of the baseline that is named to tell its own noise.
pub use crate::check::names_baseline as noise_names_baseline;

/// One arm of a comparison as it was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArmInput {
    /// The name in reports; `None` for the id of its only run.
    pub name: Option<String>,
    /// Its runs, at least one. The first readable one leads.
    pub runs: Vec<PathBuf>,
}

/// What the stages found of arms that were set against each other.
#[derive(Debug)]
pub struct Stages<'a> {
    /// The arms.
    pub grouping: &'a Grouping<'a>,
    /// What the checks found, one for each candidate.
    pub findings: &'a [Findings],
    /// What the comparison found, one list for each candidate.
    pub comparisons: &'a [Vec<Comparison<'a>>],
    /// Metrics averaged over several datasets.
    pub suites: &'a [Suite<'a>],
    /// Arms of several runs over several datasets.
    pub tasks: &'a [RunsOverDatasets<'a>],
    /// Training series and their trends, run by run.
    pub trends: &'a [Trend<'a>],
    /// What three or more arms show together.
    pub systems: &'a Systems<'a>,
    /// Axes of the grids, under the names that they have in the data.
    pub layout: &'a Layout,
    /// How many runs were named and are left out, because they could not be read.
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
    /// The user chose an axis that no result lies on.
    #[error("no result has a coordinate `{axis}`; the axes of these results are: {axes}")]
    UnknownAxis {
        /// The axis.
        axis: String,
        /// Names of the axes that there are.
        axes: String,
    },
    /// Two names of one axis.
    #[error(transparent)]
    Layout(#[from] NotALayout),
    /// Less than two runs.
    #[error("a comparison needs a baseline and at least one candidate, got {count} run(s)")]
    TooFewRuns {
        /// How many were given.
        count: usize,
    },
}

impl PipelineError {
    /// The failure of a command, with what was noticed before in those words.
    pub fn into_failure(self, words: &'static Catalogue) -> Failure {
        match self {
            Self::EmptyRun { path, diagnostics } => {
                let cause = Self::EmptyRun { path, diagnostics: Vec::new() };
                Failure::input(cause).after(diagnostics, words)
            }
            Self::Collect(cause) => Failure::input(cause),
            cause => Failure::usage(cause),
        }
    }
}

/// Reads the runs.
///
/// # Errors
/// When an input does not exist, or no sample has the cluster key that was chosen.
pub fn inspect(
    inputs: &[PathBuf],
    settings: &Settings,
    mut noticed: Vec<Diagnostic>,
) -> Result<Warned<Vec<Run>>, PipelineError> {
    let runs = read(inputs, settings, &mut noticed)?;
    cluster_field_exists(&runs, &settings.clustering)?;
    Ok(Warned::new(runs, noticed))
}

pub(crate) fn read(
    inputs: &[PathBuf],
    settings: &Settings,
    noticed: &mut Vec<Diagnostic>,
) -> Result<Vec<Run>, PipelineError> {
    let Settings { clustering, names, .. } = settings.clone();
    let choices = collect::ReadOptions { clustering, names };
    Ok(collect::collect(inputs, &choices)?.drain_into(noticed))
}

/// Reads the runs, decides whether they may be compared, and compares them. The first arm is the
/// baseline. `finish` gets what was found, and everything that was noticed outside the checks.
///
/// A candidate of which no run can be read is left out with a finding as long as another one is
/// left. A further run that holds nothing stays in its arm, which then lacks its figures. The runs
/// of `noise` repeat the baseline and only tell how far runs of it lie apart.
///
/// # Errors
/// When the baseline, or every candidate, does not exist or holds nothing readable.
pub fn compare<T>(
    inputs: &[ArmInput],
    noise: &[PathBuf],
    settings: &Settings,
    mut noticed: Vec<Diagnostic>,
    finish: impl FnOnce(&Stages<'_>, Vec<Diagnostic>) -> T,
) -> Result<T, PipelineError> {
    let paths = paths(inputs, noise);
    let runs = read(&paths, settings, &mut noticed)?;
    let layout = axes_found(&runs, settings)?;
    let Settings { pass_at, names, .. } = settings.clone();
    let runs = derive::derive(runs, &derive::Choices { pass_at, names }).drain_into(&mut noticed);
    let grouping = grouped(inputs, &runs, settings, &noticed)?;
    let findings = check::check(&grouping, &settings.accept);
    let choices = compare::Choices {
        options: settings.options,
        margins: settings.margins.clone(),
        anytime: settings.anytime,
    };
    let comparisons = compare::compare(&grouping, &prejudge(&grouping, &findings), &choices);
    let belonging = runs.get(..belonging(inputs, &runs)).unwrap_or_default();
    noticed.extend(compare::impossible_shares(&grouping));
    noticed.extend(compare::review_margins(&grouping, &choices));
    let stages = Stages {
        grouping: &grouping,
        findings: &findings,
        comparisons: &comparisons,
        suites: &compare::suites(&comparisons, &choices),
        tasks: &compare::runs_over_datasets(&comparisons, settings.options.alpha),
        trends: &compare::trends(belonging, settings.options.alpha),
        systems: &compare::systems(&comparisons, settings.options),
        layout: &layout,
        left_out: left_out(&paths, &runs),
    };
    Ok(finish(&stages, noticed))
}

/// Reads the runs and decides whether they may be compared; no figure is compared and no statistic
/// computed. Runs need no results: what one has not yet is no finding. The first arm is the baseline.
///
/// # Errors
/// As [`compare()`].
pub fn check<T>(
    inputs: &[ArmInput],
    noise: &[PathBuf],
    settings: &Settings,
    mut noticed: Vec<Diagnostic>,
    finish: impl FnOnce(&Stages<'_>, Vec<Diagnostic>) -> T,
) -> Result<T, PipelineError> {
    let paths = paths(inputs, noise);
    let runs = read(&paths, settings, &mut noticed)?;
    let grouping = grouped(inputs, &runs, settings, &noticed)?;
    let findings = check::check_before_results(&grouping, &settings.accept);
    // Before an evaluation nobody can say which metrics there will be.
    let has_results =
        |run: &Run| !run.content.samples.is_empty() || !run.content.scalars.is_empty();
    if runs.iter().any(has_results) {
        noticed.extend(derive::unused_names(&runs, &settings.names));
        let mut margins = settings.margins.clone();
        margins.retain(|metric, _| !derive::is_of_answers(metric));
        let choices = compare::Choices { margins, ..compare::Choices::default() };
        noticed.extend(compare::review_margins(&grouping, &choices));
    }
    let comparisons: Vec<_> = grouping.pairs.iter().map(|_| Vec::new()).collect();
    let stages = Stages {
        grouping: &grouping,
        findings: &findings,
        comparisons: &comparisons,
        suites: &[],
        tasks: &[],
        trends: &[],
        systems: &Systems::default(),
        layout: &settings.layout,
        left_out: left_out(&paths, &runs),
    };
    Ok(finish(&stages, noticed))
}

fn paths(inputs: &[ArmInput], noise: &[PathBuf]) -> Vec<PathBuf> {
    inputs.iter().flat_map(|arm| &arm.runs).chain(noise).cloned().collect()
}

/// How many of the paths hold no run that could be read.
fn left_out(paths: &[PathBuf], runs: &[Run]) -> usize {
    paths.len() - runs.iter().filter(|run| !run.is_empty()).count()
}

/// The arms set against each other; the runs behind those of the inputs tell the noise.
fn grouped<'a>(
    inputs: &[ArmInput],
    runs: &'a [Run],
    settings: &Settings,
    noticed: &[Diagnostic],
) -> Result<Grouping<'a>, PipelineError> {
    let (compared, repeats) = runs.split_at(belonging(inputs, runs));
    let mut arms = usable(inputs, compared, noticed)?;
    if let Some(baseline) = arms.first_mut() {
        baseline.noise = repeats.iter().filter(|run| !run.is_empty()).collect();
    }
    cluster_field_exists(runs, &settings.clustering)?;
    let Settings { vary, names, clustering, .. } = settings.clone();
    let choices = group::Choices { vary, names, clustering };
    group::group(&arms, &choices).ok_or(PipelineError::TooFewRuns { count: arms.len() })
}

/// Measures how often the methods find a difference between relabelled samples: of the two runs,
/// or of parts of the only one.
///
/// # Errors
/// When a run does not exist or holds nothing readable, or no sample has the cluster key that was
/// chosen.
pub fn false_positives(
    inputs: &[PathBuf],
    settings: &Settings,
    plan: Plan,
    mut noticed: Vec<Diagnostic>,
) -> Result<Warned<Measured>, PipelineError> {
    let runs = read(inputs, settings, &mut noticed)?;
    let one_each = |run: &PathBuf| ArmInput { name: None, runs: vec![run.clone()] };
    let inputs: Vec<ArmInput> = inputs.iter().map(one_each).collect();
    let arms = usable(&inputs, &runs, &noticed)?;
    cluster_field_exists(&runs, &settings.clustering)?;
    let Settings { vary, names, clustering, .. } = settings.clone();
    let choices = group::Choices { vary, names, clustering };
    let measured = match arms.as_slice() {
        [arm] => aa::within(&group::against_itself(arm.lead, &choices), plan),
        arms => group::group(arms, &choices)
            .and_then(|grouping| grouping.pairs.first().map(|pair| aa::between(pair, plan)))
            .ok_or(PipelineError::TooFewRuns { count: arms.len() })?,
    };
    Ok(Warned::new(measured, noticed))
}

/// The arms that have a readable run, when the baseline and at least one candidate are among them.
fn usable<'a>(
    inputs: &[ArmInput],
    runs: &'a [Run],
    noticed: &[Diagnostic],
) -> Result<Vec<Arm<'a>>, PipelineError> {
    // Runs come in the order of the inputs; those that do not exist are missing among them.
    let mut rest = runs.iter().peekable();
    let mut found = |path: &PathBuf| rest.next_if(|run| run.path == path.to_string_lossy());
    let arms: Vec<Option<Arm<'a>>> = inputs
        .iter()
        .map(|input| arm(input, input.runs.iter().filter_map(&mut found).collect()))
        .collect();
    let baseline_lost = arms.first().is_some_and(Option::is_none);
    let left = arms.iter().flatten().count();
    if !baseline_lost && (left >= 2 || left == inputs.len()) {
        return Ok(arms.into_iter().flatten().collect());
    }
    let mut lost = inputs.iter().zip(&arms).filter(|(_, arm)| arm.is_none());
    let lost = lost.find_map(|(input, _)| input.runs.first()).cloned().unwrap_or_default();
    let path = lost.to_string_lossy().into_owned();
    if runs.iter().any(|run| run.path == path) {
        return Err(PipelineError::EmptyRun { path, diagnostics: noticed.to_vec() });
    }
    Err(CollectError::NotFound { path: lost }.into())
}

/// How many of the runs, from the first on, are runs of the arms: what does not exist was not read.
fn belonging(inputs: &[ArmInput], runs: &[Run]) -> usize {
    let mut rest = runs.iter().peekable();
    let paths = inputs.iter().flat_map(|arm| &arm.runs);
    let found =
        paths.filter(|path| rest.next_if(|run| run.path == path.to_string_lossy()).is_some());
    found.count()
}

/// The arm led by its first run that holds something; `None` when none does.
fn arm<'a>(input: &ArmInput, mut members: Vec<&'a Run>) -> Option<Arm<'a>> {
    let lead = members.remove(members.iter().position(|run| !run.is_empty())?);
    let name = input.name.clone().unwrap_or_else(|| lead.id.clone());
    Some(Arm { name, lead, members, noise: Vec::new() })
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

/// The layout under the names that the axes have in the data. Refuses an axis that no result of any
/// run lies on. A coordinate with one value throughout is one.
fn axes_found(runs: &[Run], settings: &Settings) -> Result<Layout, PipelineError> {
    let content = || runs.iter().map(|run| &run.content);
    let tables = content().flat_map(|content| &content.samples);
    let scalars = content().flat_map(|content| &content.scalars);
    let tables = tables.map(|table| (&table.dims, &table.dataset));
    let places = tables.chain(scalars.map(|scalar| (&scalar.dims, &scalar.dataset)));
    let axes: BTreeSet<&str> = places
        .flat_map(|(dims, dataset)| dims.names().chain(dataset.as_ref().map(|_| DATASET_AXIS)))
        .collect();
    let layout = settings.layout.renamed(|axis| settings.axis(axis, &axes))?;
    let unknown = layout.axes().find(|axis| !axes.contains(axis)).map(str::to_owned);
    match unknown {
        None => Ok(layout),
        Some(axis) => Err(PipelineError::UnknownAxis {
            axis,
            axes: if axes.is_empty() {
                "none".to_owned()
            } else {
                axes.into_iter().collect::<Vec<_>>().join(", ")
            },
        }),
    }
}

/// Carries what the checks decided to the comparison, which does not know them.
pub(crate) fn prejudge(grouping: &Grouping<'_>, findings: &[Findings]) -> Vec<Prejudged> {
    grouping
        .pairs
        .iter()
        .zip(findings)
        .map(|(pair, findings)| {
            let code = |cell| findings.blocking(cell).map(|finding| finding.code);
            let blocked = pair.cells.iter().map(code).collect();
            let lifted = pair.cells.iter().map(|cell| findings.lifted(cell)).collect();
            let usable = |cell| findings.noise_usable(pair, cell);
            let noise = pair.cells.iter().map(usable).collect();
            Prejudged { blocked, lifted, identical: findings.grade == Grade::Identical, noise }
        })
        .collect()
}
