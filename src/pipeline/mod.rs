//! The order of the stages, and nothing else.

mod best;

pub use best::best;

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::check::{Findings, Grade};
use crate::collect::{self, CollectError};
use crate::compare::Prejudged;
use crate::compare::aa::{self, Measured, Plan};
use crate::diag::{Diagnostic, Warned};
use crate::gate::{self, Gate, Rule};
use crate::group::{self, Arm, Grouping};
use crate::model::{Clustering, DATASET_AXIS, Layout, NotALayout, Run};
use crate::phase;
use crate::report::{self, Kind, Material, Report};
use crate::settings::Settings;
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
    /// It is not clear which figure decides among checkpoints.
    #[error(transparent)]
    Best(#[from] crate::best::NoQuestion),
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

fn read(
    inputs: &[PathBuf],
    settings: &Settings,
    noticed: &mut Vec<Diagnostic>,
) -> Result<Vec<Run>, PipelineError> {
    let Settings { clustering, names, .. } = settings.clone();
    let choices = collect::Choices { clustering, names };
    Ok(collect::collect(inputs, &choices)?.drain_into(noticed))
}

/// Reads the runs, decides whether they may be compared, compares them, and tells it.
/// The first arm is the baseline.
///
/// A candidate of which no run can be read is left out with a finding as long as another one is
/// left. A further run that holds nothing stays in its arm, which then lacks its figures. The runs
/// of `noise` repeat the baseline and only tell how far runs of it lie apart.
///
/// # Errors
/// When the baseline, or every candidate, does not exist or holds nothing readable.
pub fn compare(
    inputs: &[ArmInput],
    noise: &[PathBuf],
    settings: &Settings,
    command: &str,
    noticed: Vec<Diagnostic>,
) -> Result<Compared, PipelineError> {
    compared((inputs, noise), settings, command, noticed, None)
}

/// As [`compare()`], told as the report of a phase: beside what was expected of it.
///
/// # Errors
/// As [`compare()`].
pub fn phase(
    inputs: &[ArmInput],
    noise: &[PathBuf],
    settings: &Settings,
    command: &str,
    noticed: Vec<Diagnostic>,
    choices: &phase::Choices,
) -> Result<Compared, PipelineError> {
    compared((inputs, noise), settings, command, noticed, Some(choices))
}

fn compared(
    (inputs, noise): (&[ArmInput], &[PathBuf]),
    settings: &Settings,
    command: &str,
    mut noticed: Vec<Diagnostic>,
    phase: Option<&phase::Choices>,
) -> Result<Compared, PipelineError> {
    let paths = paths(inputs, noise);
    let runs = read(&paths, settings, &mut noticed)?;
    let layout = axes_found(&runs, settings)?;
    let Settings { pass_at, names, .. } = settings.clone();
    let runs = derive::derive(runs, &derive::Choices { pass_at, names }).drain_into(&mut noticed);
    let grouping = grouped(inputs, &runs, settings, &noticed)?;
    let findings = check::check(&grouping, &settings.accept);
    let prejudged = prejudge(&grouping, &findings);
    let choices = compare::Choices {
        options: settings.options,
        margins: settings.margins.clone(),
        anytime: settings.anytime,
    };
    let comparisons = compare::compare(&grouping, &prejudged, &choices);
    let suites = compare::suites(&comparisons, &choices);
    let trends = compare::trends(
        runs.get(..belonging(inputs, &runs)).unwrap_or_default(),
        settings.options.alpha,
    );
    let tasks = compare::runs_over_datasets(&comparisons, settings.options.alpha);
    let systems = compare::systems(&comparisons, settings.options);
    noticed.extend(compare::impossible_shares(&grouping));
    noticed.extend(compare::review_margins(&grouping, &choices));
    let phases = match phase {
        None => Vec::new(),
        Some(choices) => {
            phase::review(&grouping.pairs, &comparisons, choices).drain_into(&mut noticed)
        }
    };
    check::accept(&mut noticed, &findings, &settings.accept);
    let mut gates = gate::evaluate(&settings.fail_on, &findings, &comparisons, &suites, &noticed);
    if phase.is_some() && settings.fail_on.contains(&Rule::Expectation) {
        gates.push(gate::expectation(phase::tally(&phases)));
    }
    let report = report::build(&Material {
        kind: if phase.is_some() { Kind::Phase } else { Kind::Compare },
        grouping: &grouping,
        findings: &findings,
        comparisons: &comparisons,
        suites: &suites,
        tasks: &tasks,
        trends: &trends,
        systems: &systems,
        phases: &phases,
        collected: &noticed,
        options: settings.options,
        layout: &layout,
        command,
        gates: &gates,
        words: settings.words(),
    });
    Ok(Compared { report, gates, left_out: left_out(&paths, &runs) })
}

/// Reads the runs and decides whether they may be compared; no figure is compared and no statistic
/// computed. Runs need no results: what one has not yet is no finding. The first arm is the baseline.
///
/// # Errors
/// As [`compare()`].
pub fn check(
    inputs: &[ArmInput],
    noise: &[PathBuf],
    settings: &Settings,
    command: &str,
    mut noticed: Vec<Diagnostic>,
) -> Result<Compared, PipelineError> {
    let paths = paths(inputs, noise);
    let runs = read(&paths, settings, &mut noticed)?;
    let grouping = grouped(inputs, &runs, settings, &noticed)?;
    let findings = check::check_before_results(&grouping, &settings.accept);
    check::accept(&mut noticed, &findings, &settings.accept);
    let none: Vec<Vec<compare::Comparison<'_>>> =
        grouping.pairs.iter().map(|_| Vec::new()).collect();
    let gates = gate::evaluate(&settings.fail_on, &findings, &none, &[], &noticed);
    let report = report::build(&Material {
        kind: Kind::Check,
        grouping: &grouping,
        findings: &findings,
        comparisons: &none,
        suites: &[],
        tasks: &[],
        trends: &[],
        systems: &compare::Systems::default(),
        phases: &[],
        collected: &noticed,
        options: settings.options,
        layout: &settings.layout,
        command,
        gates: &gates,
        words: settings.words(),
    });
    Ok(Compared { report, gates, left_out: left_out(&paths, &runs) })
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
fn prejudge(grouping: &Grouping<'_>, findings: &[Findings]) -> Vec<Prejudged> {
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
