//! Results that are too equal: identical cells across checkpoints of one arm, identical arms.

use std::collections::BTreeMap;

use crate::diag::{Code, Diagnostic, Severity};
use crate::model::{CHECKPOINT_DIMS, DimValue, MetricRole, Scalar, Series};
use crate::pairing::{ArmPair, CellKey, CellPair, CountedSide, PairArm, SampledSide, TablePair};

/// Fewer shared cells than this can be equal by chance.
const FEWEST_CELLS: usize = 4;

/// Share of equal cells from which on it is remarkable.
const REMARKABLE_SHARE: f64 = 0.25;

pub(super) fn check_identical(pair: &ArmPair<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for which in PairArm::BOTH {
        let run = pair.run(which).id.as_str();
        for &dim in CHECKPOINT_DIMS {
            found.extend(
                across(pair, dim, which)
                    .into_iter()
                    .map(|finding| finding.about_run(run).with("dim", dim)),
            );
        }
    }
    found.extend(arms(pair));
    found
}

/// That both arms have the same results; of one place given twice `R115` says it, and of samples that
/// are other questions under equal ids nothing is the same.
fn arms(pair: &ArmPair<'_>) -> Option<Diagnostic> {
    let is_one_place = pair.baseline.place == pair.candidate.place;
    let of_others = |tables: &TablePair<'_>| {
        !tables.join.content_differs.is_empty() && tables.join.quarantined == 0
    };
    let counted = pair.counted.iter().any(|table| table.counts.has_other_content());
    if is_one_place || counted || pair.tables.iter().any(of_others) || !all_cells_equal(pair) {
        return None;
    }
    let mut finding = Diagnostic::new(Code::IdenticalArms)
        .with("count", pair.cells.len())
        .with("baseline", pair.baseline.id.as_str())
        .with("candidate", pair.candidate.id.as_str());
    // A tie of a few figures happens; of one run that was made again nothing else was to be expected.
    if !is_beyond_chance(pair) || (same_run(pair) && is_recorded_equal(pair)) {
        finding.severity = Severity::Info;
    }
    Some(finding)
}

/// Whether the arms record configurations that differ in nothing that could move a result.
fn is_recorded_equal(pair: &ArmPair<'_>) -> bool {
    let differs = pair.differences.iter().any(|one| !one.environment);
    !pair.baseline.content.config.is_empty() && !differs
}

/// Whether both arms have the same figure in every cell, and at least one. Where samples are paired,
/// every pair has to have the same outcome: equal means of other outcomes are a coincidence.
fn all_cells_equal(pair: &ArmPair<'_>) -> bool {
    !pair.cells.is_empty()
        && pair.cells.iter().all(|cell| {
            let baseline = cell.figure(PairArm::Baseline);
            baseline == cell.figure(PairArm::Candidate)
                && (baseline.is_some() || cell.baseline.n() == cell.candidate.n())
                && (!cell.is_of_samples() || baseline.is_none() || pair.same_outcomes(cell))
        })
        && figures(pair) > 0
}

/// Fewer equal figures than this prove nothing.
const FEWEST_FIGURES: usize = 4;
/// Fewer equal outcomes than this prove nothing.
const FEWEST_OUTCOMES: usize = 20;

fn figures(pair: &ArmPair<'_>) -> usize {
    pair.cells.iter().filter(|cell| cell.figure(PairArm::Baseline).is_some()).count()
}

/// Whether the pairs of some cell are many, equal, and not one score throughout.
fn has_equal_outcomes(pair: &ArmPair<'_>) -> bool {
    pair.cells.iter().any(|cell| {
        let many = cell.coverage.is_some_and(|of| of.complete >= FEWEST_OUTCOMES as u64);
        let varies = || {
            let mut scores = cell.baseline.samples.iter().flat_map(SampledSide::scores);
            let first = scores.next();
            let counted = cell.baseline.counted.as_ref();
            scores.any(|score| Some(score) != first) || counted.is_some_and(CountedSide::varies)
        };
        many && pair.same_outcomes(cell) && varies()
    })
}

fn is_beyond_chance(pair: &ArmPair<'_>) -> bool {
    figures(pair) >= FEWEST_FIGURES || has_equal_outcomes(pair)
}

/// Whether the arms are the same run as far as anything recorded can tell: they are one place, or
/// every result is equal and these are many samples, or some figures beside a recorded configuration.
/// Training curves that differ refute it.
pub(super) fn same_run(pair: &ArmPair<'_>) -> bool {
    if !all_cells_equal(pair) {
        return false;
    }
    if pair.baseline.place == pair.candidate.place {
        return true;
    }
    let recorded = !pair.baseline.content.config.is_empty() && pair.differences.is_empty();
    let whole = |cell: &CellPair<'_>| {
        !cell.is_of_samples() || cell.coverage.is_some_and(|coverage| coverage.lost() == 0)
    };
    pair.cells.iter().all(whole)
        && same_curves(pair)
        && have_same_endings(pair)
        && have_same_counts(pair)
        && (has_equal_outcomes(pair) || (recorded && figures(pair) >= FEWEST_FIGURES))
}

/// Whether the answers to each sample ended alike, as far as the records say how.
fn have_same_endings(pair: &ArmPair<'_>) -> bool {
    pair.tables.iter().all(|tables| {
        let mut pairs = tables.join.pairs.iter();
        pairs.all(|&(a, b)| {
            tables.baseline.ending(a as usize) == tables.candidate.ending(b as usize)
        })
    })
}

/// Whether what files count beside their results is the same, such as failures of a harness.
fn have_same_counts(pair: &ArmPair<'_>) -> bool {
    let counts = |which| {
        let content = &pair.run(which).content;
        let counts = content.scalars.iter().filter(|scalar| {
            let role = content.spec(None, &scalar.metric).and_then(|spec| spec.role);
            role.is_some_and(|given| given.role == MetricRole::Bookkeeping)
        });
        let count = |one: &Scalar| (one.metric.clone(), one.value.value().map(f64::to_bits));
        counts.map(count).collect::<BTreeMap<_, _>>()
    };
    counts(PairArm::Baseline) == counts(PairArm::Candidate)
}

/// Whether the arms have the same training curves, or none.
fn same_curves(pair: &ArmPair<'_>) -> bool {
    let points = |which| {
        let series = pair.run(which).content.series.iter();
        let key = |one: &Series| (one.metric.clone(), one.axis.clone(), one.dims.to_string());
        let point = |one: &Series| -> Vec<(u64, u64)> {
            let bits = one.points.iter().map(|point| (point.at.to_bits(), point.value.to_bits()));
            bits.collect()
        };
        series.map(|one| (key(one), point(one))).collect::<BTreeMap<_, _>>()
    };
    points(PairArm::Baseline) == points(PairArm::Candidate)
}

/// Equal figures between neighbouring values of one coordinate within one arm.
fn across(pair: &ArmPair<'_>, dim: &str, which: PairArm) -> Vec<Diagnostic> {
    let mut by_value: BTreeMap<DimValue, BTreeMap<CellKey, f64>> = BTreeMap::new();
    for cell in &pair.cells {
        if let (Some(at), Some(value)) = (cell.key.dims.get(dim), cell.figure(which)) {
            let rest = CellKey { dims: cell.key.dims.without(dim), ..cell.key.clone() };
            by_value.entry(at.clone()).or_default().insert(rest, value);
        }
    }
    let values: Vec<_> = by_value.iter().collect();
    values
        .windows(2)
        .filter_map(|neighbours| {
            let [(from, before), (to, after)] = neighbours else { return None };
            let shared: Vec<_> = before
                .iter()
                .filter_map(|(key, value)| Some((key, value, after.get(key)?)))
                .collect();
            let name = |key: &CellKey| {
                if key.dims.is_empty() { key.to_string() } else { key.dims.to_string() }
            };
            let equal = shared.iter().filter(|(_, before, after)| before == after);
            let equal: Vec<String> = equal.map(|(key, _, _)| name(key)).collect();
            let remarkable = shared.len() >= FEWEST_CELLS
                && equal.len() as f64 >= REMARKABLE_SHARE * shared.len() as f64;
            remarkable.then(|| {
                Diagnostic::new(Code::IdenticalAcross)
                    .with("equal", equal.len())
                    .with("shared", shared.len())
                    .with("from", *from)
                    .with("to", *to)
                    .with("cells", equal)
            })
        })
        .collect()
}
