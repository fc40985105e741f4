//! Runs that did not reach what they set out to do: samples never scored, a failure that a file
//! reports, trainings that ended before their last step or before those of the other arm.

use std::collections::{BTreeMap, BTreeSet};

use super::samples::about;
use super::{data_files, samples};
use crate::diag::{Code, Diagnostic, Effect};
use crate::model::{Dims, Planned, Run, SampleTable, Series};
use crate::pairing::{
    CellPair, ConfigDifference, ConfigRole, PairArm, RunPair, SampledSide, TablePair,
};
use crate::quantity::Quantity;

/// Share of what was set out that may lack before it is too much.
const MOST_LACKING: f64 = 0.05;
/// Share of the other arm's samples below which an aggregate is of something else.
const HALF: f64 = 0.5;
/// Parts of names of settings from which the length of a training follows.
const LENGTH_KEYS: &[&str] = &["step", "epoch", "batch", "accum", "iter"];
/// Axes of series that grow with the training and not with the clock.
const AXES: &[&str] = &["step", "global_step", "timesteps", "epoch", "iteration"];

pub(super) fn check_coverage(
    pair: &RunPair<'_>,
    differences: &[ConfigDifference],
) -> Vec<Diagnostic> {
    let mut found = unreached(pair);
    found.extend(died(pair, &found));
    found.extend(far_apart(pair));
    for which in PairArm::BOTH {
        found.extend(endings(pair.run(which)));
        found.extend(stopped(pair.run(which)));
    }
    found.extend(shorter(pair, differences));
    found
}

/// Datasets of which an arm has too few samples, once each.
fn unreached(pair: &RunPair<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for tables in &pair.tables {
        for which in PairArm::BOTH {
            if let Some(aim) = tables.expected(which) {
                let finding = |code| about(code, tables);
                found.extend(lacking(pair.run(which), tables.recorded(which), aim, finding));
            }
        }
    }
    let sizes = LargestSizes::new(pair);
    let mut seen = BTreeSet::new();
    for cell in pair.cells.iter().filter(|cell| !cell.is_of_samples()) {
        for which in PairArm::BOTH {
            let (Some(n), Some(aim)) = (size(cell, which), pair.expected(cell, which)) else {
                continue;
            };
            let is_alone = sizes.is_of_metric_alone(cell, which, n);
            let place = if is_alone { cell.key.to_string() } else { dataset_or_metric(cell) };
            if seen.insert((which.name(), place.clone(), n)) {
                let finding = |code| {
                    let finding = of_cell(code, cell).with("dataset", place.as_str());
                    if is_alone { finding.metric(&cell.key.metric) } else { finding }
                };
                found.extend(lacking(pair.run(which), n, &aim, finding));
            }
        }
    }
    found
}

/// The most samples behind any figure of an arm, by dataset and grid point.
struct LargestSizes<'a>(BTreeMap<(&'static str, Option<&'a str>, &'a Dims), u64>);

impl<'a> LargestSizes<'a> {
    fn new(pair: &'a RunPair<'_>) -> Self {
        let mut most = BTreeMap::new();
        for cell in pair.cells.iter().filter(|cell| !cell.is_of_samples()) {
            for which in PairArm::BOTH {
                if let Some(n) = size(cell, which) {
                    let key = (which.name(), cell.key.dataset.as_deref(), &cell.key.dims);
                    let known = most.entry(key).or_insert(n);
                    *known = n.max(*known);
                }
            }
        }
        Self(most)
    }

    /// Whether the figure stands on fewer samples than another one of the same evaluation: its field
    /// lacks in some records, which tells nothing of how far the run came.
    fn is_of_metric_alone(&self, cell: &CellPair<'_>, which: PairArm, n: u64) -> bool {
        let key = (which.name(), cell.key.dataset.as_deref(), &cell.key.dims);
        cell.key.dataset.is_some() && self.0.get(&key).is_some_and(|most| n < *most)
    }
}

fn size(cell: &CellPair<'_>, which: PairArm) -> Option<u64> {
    let side = cell.side(which);
    side.samples.as_ref().map(SampledSide::recorded).or(side.n())
}

/// Arms of which a file of samples stops in the middle of a record while more than that record is
/// missing, unless it blocks already that so much is missing.
fn died(pair: &RunPair<'_>, unreached: &[Diagnostic]) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for which in PairArm::BOTH {
        let run = pair.run(which);
        for torn in &run.content.torn_samples {
            let is_of = |table: &SampleTable| table.paths().any(|path| *path == torn.path);
            let lacking = |finding: Diagnostic, missing: u64| {
                let finding = finding.about_run(&run.id);
                finding.with("missing", missing).at(torn.location())
            };
            let tables = || pair.tables.iter().filter(|tables| is_of(tables.table(which)));
            if tables().map(|tables| tables.missing(which)).sum::<u64>() > 1 {
                let short = tables().filter(|tables| tables.missing(which) > 0);
                let silent = short.filter(|tables| !blocks_already(pair, tables, unreached));
                let finding =
                    |tables| lacking(about(Code::DiedMidway, tables), tables.missing(which));
                found.extend(silent.map(finding));
            }
            let mut seen = BTreeSet::new();
            for cell in pair.cells.iter().filter(|cell| !cell.is_of_samples()) {
                let Some(own) = cell.side(which).samples.as_ref().filter(|own| is_of(own.table))
                else {
                    continue;
                };
                let aim = pair.expected(cell, which).map_or(0, |aim| aim.samples);
                let theirs = cell.side(which.other()).n().unwrap_or(0);
                let missing = aim.max(theirs).saturating_sub(own.recorded());
                if missing > 1 && seen.insert(dataset_or_metric(cell)) {
                    let finding =
                        of_cell(Code::DiedMidway, cell).with("dataset", dataset_or_metric(cell));
                    found.push(lacking(finding, missing));
                }
            }
        }
    }
    found
}

/// Whether another finding takes the verdicts of these samples for what is missing of them.
fn blocks_already(pair: &RunPair<'_>, tables: &TablePair<'_>, unreached: &[Diagnostic]) -> bool {
    let too_few = samples::overlap(pair, tables).is_some_and(|one| one.effect() == Effect::Blocks);
    let own = about(Code::StoppedEarly, tables).subject;
    let is_own =
        |one: &Diagnostic| (&one.subject.dataset, &one.subject.dims) == (&own.dataset, &own.dims);
    too_few || unreached.iter().any(|one| one.code == Code::StoppedEarly && is_own(one))
}

fn lacking(
    run: &Run,
    present: u64,
    aim: &Planned,
    finding: impl Fn(Code) -> Diagnostic,
) -> Option<Diagnostic> {
    let lacking = aim.samples.saturating_sub(present);
    if lacking == 0 {
        return None;
    }
    let too_many = lacking as f64 > MOST_LACKING * aim.samples as f64;
    let code = if too_many { Code::StoppedEarly } else { Code::SomeUnseen };
    Some(
        finding(code)
            .about_run(&run.id)
            .with("present", present)
            .with("planned", aim.samples)
            .with("lacking", lacking)
            .with("share", Quantity::percent_of(present, aim.samples))
            .with("key", aim.source.key.clone().unwrap_or_default())
            .at(aim.source.location()),
    )
}

/// A finding about every figure of the cell's dataset; without a name of one, about its grid point.
fn of_cell(code: Code, cell: &CellPair<'_>) -> Diagnostic {
    let finding = Diagnostic::new(code);
    match cell.key.dataset.as_deref() {
        Some(dataset) => finding.dataset(Some(dataset)),
        None => finding.dims(&cell.key.dims),
    }
}

fn dataset_or_metric(cell: &CellPair<'_>) -> String {
    cell.key.dataset.clone().unwrap_or_else(|| cell.key.metric.clone())
}

/// Results whose aggregates stand on sizes that no benchmark explains and no setting of the smaller
/// run chose, once for each dataset or, without a name of one, each metric.
fn far_apart(pair: &RunPair<'_>) -> Vec<Diagnostic> {
    let sizes = LargestSizes::new(pair);
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for cell in pair.cells.iter().filter(|cell| !cell.is_of_samples()) {
        let (Some(mine), Some(theirs)) = (cell.baseline.n(), cell.candidate.n()) else { continue };
        let is_far = (mine.min(theirs) as f64) < HALF * mine.max(theirs) as f64;
        let fewer = if mine < theirs { PairArm::Baseline } else { PairArm::Candidate };
        if !is_far || pair.chosen_limit(fewer, mine.min(theirs)).is_some() {
            continue;
        }
        let dataset = cell.key.dataset.as_deref();
        let is_alone = sizes.is_of_metric_alone(cell, fewer, mine.min(theirs));
        let metric = (is_alone || dataset.is_none()).then_some(cell.key.metric.as_str());
        if cell.figures().is_some() && seen.insert((dataset, metric)) {
            let finding = Diagnostic::new(Code::SizesFarApart);
            let finding = metric.into_iter().fold(finding, Diagnostic::metric);
            let finding = finding
                .dataset(dataset)
                .run(&pair.run(fewer).id)
                .with("dataset", dataset_or_metric(cell))
                .with("baseline", mine)
                .with("candidate", theirs)
                .with("run", pair.run(fewer).id.as_str());
            let source = cell.side(fewer).source(&cell.key.metric);
            found.push(finding.at(source.map(|source| source.location())));
        }
    }
    found
}

fn endings(run: &Run) -> Option<Diagnostic> {
    let ending = run.content.endings.first()?;
    Some(
        Diagnostic::new(Code::EndedBadly)
            .about_run(&run.id)
            .with("said", ending.said.as_str())
            .at(ending.source.location()),
    )
}

fn stopped(run: &Run) -> Option<Diagnostic> {
    let progress = run.content.progress.as_ref()?;
    let is_checkpoint = run.name.starts_with("checkpoint-");
    let lacking = progress.planned.saturating_sub(progress.reached);
    (lacking as f64 > MOST_LACKING * progress.planned as f64 && !is_checkpoint).then(|| {
        Diagnostic::new(Code::TrainingStopped)
            .about_run(&run.id)
            .with("reached", progress.reached)
            .with("planned", progress.planned)
            .at(progress.source.location())
    })
}

/// An arm whose training curves end before those of the other without a setting that says why.
fn shorter(pair: &RunPair<'_>, differences: &[ConfigDifference]) -> Option<Diagnostic> {
    let is_told = PairArm::BOTH.iter().any(|&which| stopped(pair.run(which)).is_some());
    if is_told || length_differs(differences) {
        return None;
    }
    // Other data make other numbers of steps, and no other number of passes over them.
    let says = |axis: &&&str| **axis == "epoch" || !data_differ(pair);
    let is_one_recipe =
        !differences.iter().any(|one| !one.environment && one.role == ConfigRole::Training);
    AXES.iter().filter(says).find_map(|&axis| {
        let (mine, theirs) = (last(pair.baseline, axis)?, last(pair.candidate, axis)?);
        let fewer = if mine < theirs { pair.baseline } else { pair.candidate };
        let is_short = mine.min(theirs) < (1.0 - MOST_LACKING) * mine.max(theirs);
        let more = if mine < theirs { pair.candidate } else { pair.baseline };
        (is_short && !(is_one_recipe && is_beginning(fewer, more))).then(|| {
            Diagnostic::new(Code::TrainingShorter)
                .about_run(&fewer.id)
                .with("axis", axis)
                .with("shorter", mine.min(theirs))
                .with("longer", mine.max(theirs))
        })
    })
}

/// Whether the training curves of a run are how those of the other begin: two checkpoints of one
/// training.
fn is_beginning(run: &Run, other: &Run) -> bool {
    let is_it = |own: &Series| {
        let mut of_other = other.content.series.iter();
        let same = of_other
            .find(|one| (&one.metric, &one.axis, &one.dims) == (&own.metric, &own.axis, &own.dims));
        same.is_some_and(|other| {
            let beside = own.points.iter().zip(&other.points);
            own.points.len() <= other.points.len()
                && beside.into_iter().all(|(a, b)| (a.at, a.value) == (b.at, b.value))
        })
    };
    let several = |one: &Series| one.points.len() > 1;
    let series = &run.content.series;
    series.iter().any(several) && series.iter().filter(|one| several(one)).all(is_it)
}

/// The last position on that axis over all series of a run.
fn last(run: &Run, axis: &str) -> Option<f64> {
    let series = run.content.series.iter().filter(|series| series.axis == axis);
    series.flat_map(|series| &series.points).map(|point| point.at).reduce(f64::max)
}

fn length_differs(differences: &[ConfigDifference]) -> bool {
    let says_length = |key: &str| {
        let leaf = crate::model::leaf(key);
        LENGTH_KEYS.iter().any(|part| leaf.contains(part))
    };
    differences.iter().any(|difference| says_length(&difference.key))
}

fn data_differ(pair: &RunPair<'_>) -> bool {
    let files = &pair.candidate.data_files;
    pair.baseline.data_files.iter().any(|mine| {
        let same_key = files.iter().filter(|theirs| theirs.key == mine.key);
        same_key.into_iter().any(|theirs| data_files::differ(mine, theirs))
    })
}
