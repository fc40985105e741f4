//! Cells that one arm does not have.

use std::collections::BTreeSet;

use super::Check;
use crate::diag::{Code, Diagnostic, Explanation};
use crate::group::{ArmPair, Cell, Which};

pub(super) const CHECK: Check = Check { id: "cells", explained: EXPLAINED, run };

const EXPLAINED: &[Explanation] = &[
    Explanation::new(
        Code::MissingCells,
        "A metric at a grid point has a figure in one arm and none in the other, while at least \
         one other result is in both. Figures that cannot exist in the other arm are not meant: \
         curves of one arm (`R223`) and rates of a field that it does not record (`R230`).",
        "An evaluation that crashed or has not been run leaves such gaps, and a table of what is \
         there looks complete. A dataset that is missing is not a dataset at 0; averages are \
         over what both arms have.",
    ),
    Explanation::new(
        Code::NoSharedMetric,
        "No metric at any grid point has a figure in both arms. The metrics of either are \
         listed. The comparison gets no verdict at all. `reportgen check` raises it only where \
         both arms have results.",
        "Nothing was compared. The usual reasons are another name or another dataset name for \
         the same thing, a coordinate that one arm has and the other has not, or a run whose \
         evaluation never wrote anything.",
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
    let both = pair.cells.iter().filter(|cell| Which::BOTH.iter().all(|&w| known(cell, w))).count();
    let runs = |code: Code| {
        Diagnostic::new(code)
            .with("baseline", pair.baseline.id.as_str())
            .with("candidate", pair.candidate.id.as_str())
    };
    if both == 0 {
        return vec![
            runs(Code::NoSharedMetric)
                .with("baseline_metrics", metric_names(pair, Which::Baseline))
                .with("candidate_metrics", metric_names(pair, Which::Candidate)),
        ];
    }
    let mut found = lone_curves(pair);
    found.extend(units_differ(pair));
    found.extend(sizes_differ(pair));
    found.extend(Which::BOTH.into_iter().filter_map(|which| unrecorded(pair, which)));
    let mine = only(pair, Which::Baseline, Which::Candidate);
    let theirs = only(pair, Which::Candidate, Which::Baseline);
    if mine.is_empty() && theirs.is_empty() {
        return found;
    }
    found.push(
        runs(Code::MissingCells)
            .with("both", both)
            .with("missing_in_candidate", mine.len())
            .with("missing_in_baseline", theirs.len())
            .with("baseline_only", mine)
            .with("candidate_only", theirs),
    );
    found
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

/// Names of the cells that one arm has and the other has not.
fn only(pair: &ArmPair<'_>, has: Which, lacks: Which) -> Vec<String> {
    pair.cells
        .iter()
        .filter(|cell| known(cell, has) && !known(cell, lacks))
        .filter(|cell| pair.unrecorded_in(cell).is_none())
        .map(|cell| cell.key.to_string())
        .collect()
}

fn metric_names(pair: &ArmPair<'_>, which: Which) -> Vec<String> {
    let names: BTreeSet<String> = pair
        .cells
        .iter()
        .filter(|cell| known(cell, which))
        .map(|cell| cell.key.metric.clone())
        .collect();
    names.into_iter().collect()
}
