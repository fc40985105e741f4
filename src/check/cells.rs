//! Cells that one arm does not have.

use std::collections::BTreeSet;

use super::Check;
use crate::diag::{Code, Diagnostic, Explanation, Severity};
use crate::group::{ArmPair, Cell, Which};

pub(super) const CHECK: Check = Check { id: "cells", explained: EXPLAINED, run };

/// The same for a further run of an arm.
pub(super) const OF_MEMBER: Check = Check { run: run_of_member, ..CHECK };

const EXPLAINED: &[Explanation] = &[
    Explanation::new(
        Code::MissingCells,
        "A metric at a grid point has a figure in one arm and none in the other, while at least \
         one other result is in both. It is a warning, and closes the gate `regression`, where the \
         candidate lacks a metric with a good side and has it at no later checkpoint either; a \
         warning as well where it has nothing at all on a dataset of the baseline; a remark \
         elsewhere. Figures that cannot exist in the other arm are not meant: \
         those written as `n/a`, curves of one arm (`R223`) and rates of a field that it does not \
         record (`R230`).",
        "An evaluation that crashed or has not been run leaves such gaps, and a table of what is \
         there looks complete. A dataset that is missing is not a dataset at 0; averages are \
         over what both arms have.",
    ),
    Explanation::new(
        Code::NoSharedMetric,
        "No metric at any grid point has a figure in both arms. The metrics of either are \
         listed; where metrics are shared, with the names of their coordinates if those differ, \
         else the results themselves. \
         The comparison gets no verdict at all. Training curves alone are `R248`, other datasets \
         `R249`. `reportgen check` raises it only where both arms have results.",
        "Nothing was compared. The usual reasons are another name or another dataset name for \
         the same thing, a coordinate that one arm has and the other has not, or a run whose \
         evaluation never wrote anything.",
    ),
    Explanation::new(
        Code::OnlyCurves,
        "Both arms have training curves and neither has a final figure or samples. Nothing gets a \
         verdict; the curves are still shown side by side. Where one arm has results and the other \
         only curves, it is `R219`.",
        "Curves show how a training went and not what came out of it: the last point of a noisy \
         curve is a draw, and the best one is a maximum. Evaluate both runs on held-out data before \
         saying that one is better.",
    ),
    Explanation::new(
        Code::NoSharedDataset,
        "The arms share names of metrics, each of them on named datasets, and no dataset is in \
         both. The datasets of either are listed. Names are compared without regard to case. The \
         comparison gets no verdict at all.",
        "An accuracy on one benchmark says nothing about that on another, however equal the names \
         of the metrics are. Most often one arm was evaluated with another task list, or the two \
         harnesses name one benchmark in two ways.",
    ),
    Explanation::new(
        Code::LoneCurve,
        "One arm has a metric over its checkpoints (epoch, step and the like), and the other has \
         the same metric without such a coordinate. The curve makes no cells and is not \
         compared. Curves of both arms are compared point by point.",
        "No result is missing, but picking the best point of the curve by eye and setting it \
         against the single figure would compare a maximum with a draw. Choose the checkpoint \
         first, then compare it.",
    ),
    Explanation::new(
        Code::UnitsDiffer,
        "A rate is in percentages in one arm and in shares in the other, and the percentages \
         only show in their size. The cell gets no verdict. A written percent sign, or a unit \
         declared in `reportgen.toml`, settles it and silences the finding.",
        "0.9 can be 90% or 0.9%. A wrong guess between two arms is a factor of 100 that looks \
         like a result.",
    ),
    Explanation::new(
        Code::DirectionsContradict,
        "The files of one arm declare that more of a metric is better (`higher_is_better`), those of \
         the other that less is. The metric has no good side then and gets no verdict. A direction \
         that one arm alone declares is used for both, and one in `reportgen.toml` settles the \
         contradiction and silences the finding.",
        "Either two different quantities share a name, or one of the files is wrong. A verdict \
         would call the same change better by one file and worse by the other.",
    ),
    Explanation::new(
        Code::SizesDiffer,
        "Both arms state an aggregate of a dataset with its n, at least one of them without \
         samples to pair, and the two n differ. One finding is given for each dataset; below half \
         of the other's samples a named one is `R287` besides, and gets no verdict. Samples that \
         can be paired are counted one by one instead (`R211`, `R212`).",
        "One of the two was evaluated on a part of the dataset, or on another version of it. \
         Part of the difference is then one of samples, and without per-sample results nothing \
         shows how large that part is.",
    ),
    Explanation::new(
        Code::FieldOneSided,
        "Rates that follow from a field of the samples, such as those of `error_type`, are there \
         in one arm only, because the other does not record the field. The samples themselves \
         are paired, and no result counts as missing.",
        "A rate of errors that one arm cannot have says nothing about the difference. Read as a \
         gap it looks like a lost evaluation; read as 0 it would be an improvement that nobody \
         measured.",
    ),
];

fn run(pair: &ArmPair<'_>) -> Vec<Diagnostic> {
    match shared(pair) {
        0 => vec![nothing_shared(pair)],
        both => compared(pair, both),
    }
}

/// What a further run of an arm may lack: that it shares nothing with the baseline's lead is a lack
/// of results like any other.
fn run_of_member(pair: &ArmPair<'_>) -> Vec<Diagnostic> {
    compared(pair, shared(pair))
}

/// How many cells have a figure in both arms.
fn shared(pair: &ArmPair<'_>) -> usize {
    pair.cells.iter().filter(|cell| Which::BOTH.iter().all(|&which| known(cell, which))).count()
}

fn compared(pair: &ArmPair<'_>, both: usize) -> Vec<Diagnostic> {
    let mut found = lone_curves(pair);
    found.extend(units_differ(pair));
    found.extend(directions_contradict(pair));
    found.extend(sizes_differ(pair));
    found.extend(Which::BOTH.into_iter().filter_map(|which| unrecorded(pair, which)));
    found.extend(missing(pair, both));
    found
}

fn about_runs(code: Code, pair: &ArmPair<'_>) -> Diagnostic {
    Diagnostic::new(code)
        .with("baseline", pair.baseline.id.as_str())
        .with("candidate", pair.candidate.id.as_str())
}

/// Why no cell has a figure in both arms.
fn nothing_shared(pair: &ArmPair<'_>) -> Diagnostic {
    let names = |of: fn(&Cell<'_>) -> Option<String>| {
        Which::BOTH.map(|which| {
            let cells = pair.cells.iter().filter(|cell| known(cell, which));
            cells.filter_map(of).collect::<BTreeSet<String>>()
        })
    };
    let metrics = names(|cell| Some(cell.key.metric.clone()));
    let curves = Which::BOTH.map(|which| pair.run(which).content.series.len());
    if metrics.iter().all(BTreeSet::is_empty) && curves.iter().all(|count| *count > 0) {
        return about_runs(Code::OnlyCurves, pair)
            .with("baseline_curves", curves[0])
            .with("candidate_curves", curves[1]);
    }
    let datasets = names(|cell| cell.key.dataset.clone());
    let (code, apart, [mine, theirs]) = if metrics.iter().any(BTreeSet::is_empty) {
        (Code::NoSharedMetric, "empty", metrics)
    } else if metrics[0].is_disjoint(&metrics[1]) {
        (Code::NoSharedMetric, "metrics", metrics)
    } else if datasets[0].is_disjoint(&datasets[1]) && datasets.iter().all(|of| !of.is_empty()) {
        let shared: Vec<&str> = metrics[0].intersection(&metrics[1]).map(String::as_str).collect();
        let listed = |names: &BTreeSet<String>| names.iter().cloned().collect::<Vec<_>>();
        return about_runs(Code::NoSharedDataset, pair)
            .with("metrics", shared.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>())
            .with("baseline_datasets", listed(&datasets[0]))
            .with("candidate_datasets", listed(&datasets[1]));
    } else {
        let axes = names(|cell| Some(with_axes(cell)));
        if axes[0].is_disjoint(&axes[1]) {
            (Code::NoSharedMetric, "axes", axes)
        } else {
            (Code::NoSharedMetric, "points", names(|cell| Some(cell.key.to_string())))
        }
    };
    let listed = |names: BTreeSet<String>| {
        if names.is_empty() { vec!["–".to_owned()] } else { names.into_iter().collect() }
    };
    about_runs(code, pair)
        .with("apart", apart)
        .with("baseline_metrics", listed(mine))
        .with("candidate_metrics", listed(theirs))
}

/// The metric with the names of its coordinates: `accuracy (epoch, shot)`.
fn with_axes(cell: &Cell<'_>) -> String {
    let key = &cell.key;
    let names: Vec<&str> = key.dims.names().collect();
    let dataset = key.dataset.as_ref().map(|name| format!("{name}/")).unwrap_or_default();
    let names = if names.is_empty() { "–".to_owned() } else { names.join(", ") };
    format!("{dataset}{} ({names})", key.metric)
}

/// Results that one arm lacks. Loud where the candidate could have become worse unseen, or has
/// nothing at all on a dataset.
fn missing(pair: &ArmPair<'_>, both: usize) -> Option<Diagnostic> {
    let mine = lacking(pair, Which::Candidate);
    let theirs = lacking(pair, Which::Baseline);
    if mine.is_empty() && theirs.is_empty() {
        return None;
    }
    let absent: Vec<String> =
        pair.absent_datasets(Which::Candidate).into_iter().map(str::to_owned).collect();
    let mut finding = about_runs(Code::MissingCells, pair)
        .with("both", both)
        .with("missing_in_candidate", mine.len())
        .with("missing_in_baseline", theirs.len())
        .with("baseline_only", mine)
        .with("candidate_only", theirs);
    if !absent.is_empty() {
        finding = finding.with("datasets_absent", absent);
    }
    if !pair.loses_results() {
        finding.severity = Severity::Info;
    }
    Some(finding)
}

/// Figures that an arm cannot have, because it does not record what they follow from.
fn unrecorded(pair: &ArmPair<'_>, lacking: Which) -> Option<Diagnostic> {
    let cells = pair.cells.iter().filter(|cell| pair.unrecorded_in(cell) == Some(lacking));
    let metrics: BTreeSet<String> = cells.map(|cell| cell.key.metric.clone()).collect();
    let has = if lacking == Which::Baseline { Which::Candidate } else { Which::Baseline };
    (!metrics.is_empty()).then(|| {
        Diagnostic::new(Code::FieldOneSided)
            .run(&pair.run(lacking).id)
            .with("lacking", pair.run(lacking).id.as_str())
            .with("recording", pair.run(has).id.as_str())
            .with("metrics", metrics.into_iter().collect::<Vec<_>>())
    })
}

/// Rates written as percentages in one arm and as shares in the other.
fn units_differ(pair: &ArmPair<'_>) -> Vec<Diagnostic> {
    let mixed = pair
        .cells
        .iter()
        .filter(|cell| cell.mixed_units && Which::BOTH.iter().all(|&which| known(cell, which)));
    mixed
        .map(|cell| {
            Diagnostic::new(Code::UnitsDiffer)
                .dataset(cell.key.dataset.as_deref())
                .dims(&cell.key.dims)
                .metric(&cell.key.metric)
                .with("metric", cell.key.to_string())
        })
        .collect()
}

/// Metrics of which more is better in one arm and worse in the other.
fn directions_contradict(pair: &ArmPair<'_>) -> Vec<Diagnostic> {
    let contradicts = |cell: &&Cell<'_>| {
        let [mine, theirs] = Which::BOTH.map(|which| {
            let content = &pair.run(which).content;
            content.spec(cell.key.dataset.as_deref(), &cell.key.metric)?.direction.sign()
        });
        let opposite = mine.zip(theirs).is_some_and(|(mine, theirs)| mine != theirs);
        opposite && cell.spec.direction.sign().is_none()
    };
    let finding = |cell: &Cell<'_>| {
        Diagnostic::new(Code::DirectionsContradict)
            .dataset(cell.key.dataset.as_deref())
            .dims(&cell.key.dims)
            .metric(&cell.key.metric)
            .with("metric", cell.key.to_string())
    };
    pair.cells.iter().filter(contradicts).map(finding).collect()
}

/// Datasets whose aggregates stand on different numbers of samples, one finding each.
fn sizes_differ(pair: &ArmPair<'_>) -> Vec<Diagnostic> {
    let mut seen: BTreeSet<Option<&str>> = BTreeSet::new();
    let mut found = Vec::new();
    for cell in pair.cells.iter().filter(|cell| cell.table.is_none()) {
        let sizes = cell.baseline.n().zip(cell.candidate.n());
        if let Some((mine, theirs)) = sizes.filter(|(mine, theirs)| mine != theirs)
            && Which::BOTH.iter().all(|&which| known(cell, which))
            && seen.insert(cell.key.dataset.as_deref())
        {
            found.push(
                Diagnostic::new(Code::SizesDiffer)
                    .dataset(cell.key.dataset.as_deref())
                    .with("cell", cell.key.to_string())
                    .with("baseline", mine)
                    .with("candidate", theirs),
            );
        }
    }
    found
}

/// Curves of one arm that the other has no counterpart for.
fn lone_curves(pair: &ArmPair<'_>) -> Vec<Diagnostic> {
    Which::BOTH
        .into_iter()
        .zip(&pair.lone_curves)
        .filter(|(_, curve)| !curve.is_empty())
        .map(|(which, curve)| {
            let metrics: BTreeSet<String> = curve.iter().map(|key| key.metric.clone()).collect();
            Diagnostic::new(Code::LoneCurve)
                .run(&pair.run(which).id)
                .with("run", pair.run(which).id.as_str())
                .with("count", curve.len())
                .with("metrics", metrics.into_iter().collect::<Vec<_>>())
        })
        .collect()
}

fn known(cell: &Cell<'_>, which: Which) -> bool {
    cell.side(which).value().value().is_some()
}

/// Names of the cells that only the other arm has a figure in.
fn lacking(pair: &ArmPair<'_>, which: Which) -> Vec<String> {
    let cells = pair.cells.iter().filter(|cell| pair.lacks(cell, which));
    cells.map(|cell| cell.key.to_string()).collect()
}
