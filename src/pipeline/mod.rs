//! The order of the stages, and nothing else.

mod error;
mod stage_arms;
mod stage_options;
mod stage_stores;

pub use error::PipelineError;
pub use stage_arms::ArmInput;

use std::io;
use std::path::PathBuf;

use crate::check::{CheckFindings, Grade};
use crate::collect::{CollectError, ReadOptions};
use crate::compare::aa::{self, AaPlan, FalsePositiveRates};
use crate::compare::{
    CellRestrictions, CompareOptions, Compared, Comparison, Families, PairedCurves, Restrictions,
    RunsOverDatasets, Suite, Systems, Trend,
};
use crate::diag::{Diagnostic, Warned};
use crate::model::{Layout, Run, SuggestedReader};
use crate::pairing::{self, ArmPair, PairedArms};
use crate::settings::Settings;
use crate::text::Refusal;
use crate::{check, collect, compare, derive};
use stage_arms::{
    arm_run_count, left_out, pair_inputs, paths, refuse_several, refuse_several_runs, usable,
};
use stage_options::{axes_found, check_eval_placeholders, cluster_field_exists};

pub use crate::check::names_baseline as noise_names_baseline;
pub use crate::collect::{RunAddress, SavedRuns, holds_saved_runs};

/// What the stages found of arms that were set against each other.
#[derive(Debug)]
pub struct Stages<'a> {
    pub paired_arms: &'a PairedArms<'a>,
    /// What the checks found, one for each candidate.
    pub findings: &'a [CheckFindings],
    /// What the comparison found, one list for each candidate.
    pub comparisons: &'a [Vec<Comparison<'a>>],
    pub suites: &'a [Suite<'a>],
    /// The families of all tests of comparisons and averages.
    pub families: &'a Families,
    pub tasks: &'a [RunsOverDatasets<'a>],
    /// Training series and their trends, run by run.
    pub trends: &'a [Trend<'a>],
    /// Training series of both arms side by side, one for each candidate.
    pub curves: &'a [PairedCurves<'a>],
    pub systems: &'a Systems<'a>,
    /// Axes of the grids, under the names that they have in the data.
    pub layout: &'a Layout,
    /// How many runs were named and are left out, because they could not be read.
    pub left_out: usize,
}

/// Reads the runs, several in one file apart.
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

/// How files of the runs that no reader takes could be declared.
pub fn suggest_readers(
    inputs: &[PathBuf],
    runs: &[Run],
    settings: &Settings,
) -> Vec<SuggestedReader> {
    collect::suggest_readers(inputs, runs, &settings.into())
}

/// Reads runs for `quality`, which parses logs itself: the runs of one file are not split, and figures in
/// logs are skipped unless metric names are declared.
///
/// # Errors
/// As [`inspect()`].
pub fn read_for_log_analysis(
    inputs: &[PathBuf],
    settings: &Settings,
    mut noticed: Vec<Diagnostic>,
) -> Result<Warned<Vec<Run>>, PipelineError> {
    let skips_log_figures = settings.names.declared().next().is_none();
    let options = ReadOptions { apart: false, weight: None, skips_log_figures, ..settings.into() };
    let runs = collect::collect(inputs, &options)?.drain_into(&mut noticed);
    cluster_field_exists(&runs, &settings.clustering)?;
    Ok(Warned::new(runs, noticed))
}

/// The same of one run; a directory of several is refused with what `command` takes instead.
///
/// # Errors
/// As [`inspect()`], and where the directory holds several runs.
pub fn inspect_single(
    input: &PathBuf,
    command: &str,
    settings: &Settings,
    mut noticed: Vec<Diagnostic>,
) -> Result<Warned<Vec<Run>>, PipelineError> {
    let options = ReadOptions { apart: false, ..settings.into() };
    let runs = collect::collect(std::slice::from_ref(input), &options)?.drain_into(&mut noticed);
    refuse_several_runs(&runs, Some(command))?;
    cluster_field_exists(&runs, &settings.clustering)?;
    Ok(Warned::new(runs, noticed))
}

pub(crate) fn read(
    inputs: &[PathBuf],
    settings: &Settings,
    noticed: &mut Vec<Diagnostic>,
) -> Result<Vec<Run>, PipelineError> {
    if let Some(counted) = &settings.counted {
        let counted = collect::fetch(counted, &settings.access).map_err(CollectError::from)?;
        return Ok(collect::read_counted(&counted, &settings.into())?.drain_into(noticed));
    }
    let mut runs = collect::collect(inputs, &settings.into())?.drain_into(noticed);
    noticed.extend(derive::name_alike(&mut runs, &settings.into()));
    derive::switch_off(&mut runs);
    noticed.extend(derive::place_alike(&mut runs));
    noticed.extend(runs.iter().flat_map(|run| check::breaches(run, &settings.protocol)));
    if !settings.chosen.is_empty() && runs.iter().all(|run| run.member.is_none()) {
        return Err(Refusal::new("refused.where-one-run").into());
    }
    Ok(runs)
}

/// The runs that were read, and the file of them.
pub type Saving = (Vec<Run>, io::Result<SavedRuns>);

/// Reads runs that repeat each other, and writes what a later comparison needs of them.
///
/// # Errors
/// When a run does not exist or holds nothing readable, or an input holds several runs that differ in
/// more than their seed.
pub fn save(inputs: &[PathBuf], settings: &Settings) -> Result<Warned<Saving>, PipelineError> {
    let Warned { value: runs, diagnostics } = collect::collect(inputs, &settings.into())?;
    refuse_several(&runs)?;
    cluster_field_exists(&runs, &settings.clustering)?;
    if let Some(empty) = runs.iter().find(|run| run.is_empty()) {
        return Err(PipelineError::EmptyRun { path: empty.path.clone(), diagnostics });
    }
    let saved = collect::save(runs.clone(), &diagnostics);
    Ok(Warned::new((runs, saved), diagnostics))
}

/// Reads the runs, and refuses several of one input with what `command` takes instead of them, or
/// with comparisons.
pub(crate) fn read_single(
    inputs: &[PathBuf],
    command: Option<&str>,
    settings: &Settings,
    noticed: &mut Vec<Diagnostic>,
) -> Result<Vec<Run>, PipelineError> {
    let runs = read(inputs, settings, noticed)?;
    refuse_several_runs(&runs, command)?;
    Ok(runs)
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
    check_eval_placeholders(&runs, settings)?;
    let runs = derive::derive(runs, &settings.into()).drain_into(&mut noticed);
    let paired_arms = pair_inputs(inputs, &runs, settings, &noticed)?;
    let findings = check::check(&paired_arms, &settings.accept);
    let options = CompareOptions::from(settings);
    let Compared { comparisons, suites, families } =
        compare::compare(&paired_arms, &restrict(&paired_arms, &findings), &options);
    let arm_runs = runs.get(..arm_run_count(inputs, &runs)).unwrap_or_default();
    noticed.extend(compare::impossible_figures(&paired_arms));
    noticed.extend(compare::best_checkpoints(&paired_arms));
    noticed.extend(compare::review_margins(&paired_arms, &options));
    noticed.extend(compare::hidden_fields(&comparisons, &suites));
    noticed.extend(compare::undirected_primaries(&paired_arms, &settings.primary));
    let metrics = (&settings.names, settings.primary.as_slice());
    let curves = compare::paired_curves(&paired_arms, metrics, &options);
    let stages = Stages {
        paired_arms: &paired_arms,
        findings: &findings,
        comparisons: &comparisons,
        suites: &suites,
        families: &families,
        tasks: &compare::runs_over_datasets(&comparisons, settings.options.alpha),
        trends: &compare::trends_of_runs(arm_runs, settings.options.alpha),
        curves: &curves,
        systems: &compare::systems(&comparisons, settings.options),
        layout: &layout,
        left_out: left_out(&paths, &runs),
    };
    Ok(finish(&stages, noticed))
}

/// Reads one run and pairs it with itself, to list its cells.
///
/// # Errors
/// When it does not exist, or the directory holds several runs.
pub fn pair_single_run<T>(
    input: &PathBuf,
    settings: &Settings,
    mut noticed: Vec<Diagnostic>,
    finish: impl FnOnce(&ArmPair<'_>, Vec<Diagnostic>) -> T,
) -> Result<T, PipelineError> {
    let runs = read_single(std::slice::from_ref(input), None, settings, &mut noticed)?;
    let runs = derive::derive(runs, &settings.into()).drain_into(&mut noticed);
    let path = &RunAddress::of(input).path;
    let [run] = runs.as_slice() else { return Err(CollectError::not_found(path).into()) };
    Ok(finish(&pairing::pair_with_itself(run, &settings.into()), noticed))
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
    let paired_arms = pair_inputs(inputs, &runs, settings, &noticed)?;
    let findings = check::check_before_results(&paired_arms, &settings.accept);
    // Before an evaluation nobody can say which metrics there will be.
    let has_results =
        |run: &Run| !run.content.samples.is_empty() || !run.content.scalars.is_empty();
    if runs.iter().any(has_results) {
        noticed.extend(derive::unused_names(&runs, &settings.names, &settings.primary));
        let mut margins = settings.margins.clone();
        margins.retain(|metric, _| !derive::is_of_answers(metric));
        let options = CompareOptions { margins, ..CompareOptions::default() };
        noticed.extend(compare::review_margins(&paired_arms, &options));
        noticed.extend(compare::undirected_primaries(&paired_arms, &settings.primary));
    }
    let comparisons: Vec<_> = paired_arms.pairs.iter().map(|_| Vec::new()).collect();
    let stages = Stages {
        paired_arms: &paired_arms,
        findings: &findings,
        comparisons: &comparisons,
        suites: &[],
        families: &Families::default(),
        tasks: &[],
        trends: &[],
        curves: &[],
        systems: &Systems::default(),
        layout: &settings.layout,
        left_out: left_out(&paths, &runs),
    };
    Ok(finish(&stages, noticed))
}

/// Reads the runs and sets their samples beside each other; nothing is checked or compared. The first
/// arm is the baseline.
///
/// # Errors
/// As [`compare()`].
pub fn pair<T>(
    inputs: &[ArmInput],
    settings: &Settings,
    mut noticed: Vec<Diagnostic>,
    finish: impl FnOnce(&PairedArms<'_>, Vec<Diagnostic>) -> T,
) -> Result<T, PipelineError> {
    let runs = read(&paths(inputs, &[]), settings, &mut noticed)?;
    let paired_arms = pair_inputs(inputs, &runs, settings, &noticed)?;
    Ok(finish(&paired_arms, noticed))
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
    plan: AaPlan,
    mut noticed: Vec<Diagnostic>,
) -> Result<Warned<FalsePositiveRates>, PipelineError> {
    let runs = read_single(inputs, Some("selfcheck --aa"), settings, &mut noticed)?;
    let one_each = |run: &PathBuf| ArmInput { name: None, runs: vec![run.clone()] };
    let inputs: Vec<ArmInput> = inputs.iter().map(one_each).collect();
    let arms = usable(&inputs, &runs, settings, &noticed)?;
    cluster_field_exists(&runs, &settings.clustering)?;
    let options = settings.into();
    let measured = match arms.as_slice() {
        [arm] => aa::within(&pairing::pair_with_itself(arm.lead, &options), plan),
        arms => pairing::pair_arms(arms, &options)
            .and_then(|paired_arms| paired_arms.pairs.first().map(|pair| aa::between(pair, plan)))
            .ok_or_else(|| error::too_few(arms.len()))?,
    };
    Ok(Warned::new(measured, noticed))
}

/// Turns findings of checks into restrictions of cells for `compare`, which does not know checks.
pub fn restrict(paired_arms: &PairedArms<'_>, findings: &[CheckFindings]) -> Vec<Restrictions> {
    paired_arms
        .pairs
        .iter()
        .zip(findings)
        .map(|(pair, findings)| {
            let cell = |cell| CellRestrictions {
                blocked: findings.blocking(cell).map(|finding| finding.code),
                lifted: findings.lifted(cell),
                confounded: findings.confounding(cell),
                noise: findings.noise_usable(pair, cell),
            };
            Restrictions {
                identical: findings.grade == Grade::Identical,
                cells: pair.cells.iter().map(cell).collect(),
            }
        })
        .collect()
}
