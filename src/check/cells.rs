//! Cells that one arm does not have.

use std::collections::BTreeSet;

use super::Check;
use crate::diag::{Code, Diagnostic, Explanation};
use crate::group::{ArmPair, Cell, Which};

pub(super) const CHECK: Check = Check { id: "cells", explained: EXPLAINED, run };

const EXPLAINED: &[Explanation] = &[
    Explanation::new(Code::MissingCells, "Results of some cells are missing in one arm.", ""),
    Explanation::new(Code::NoSharedMetric, "The arms have no metric in common.", ""),
    Explanation::new(
        Code::LoneCurve,
        "One arm has figures over its checkpoints that the other has at one checkpoint only.",
        "",
    ),
    Explanation::new(
        Code::UnitsDiffer,
        "One arm writes percentages where the other writes shares, and neither says so.",
        "",
    ),
    Explanation::new(
        Code::SizesDiffer,
        "Aggregates of one dataset stand on different numbers of samples.",
        "",
    ),
    Explanation::new(
        Code::FieldOneSided,
        "A field from which rates follow is recorded in one arm only.",
        "",
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
