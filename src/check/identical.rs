//! Results that are too equal: identical cells across checkpoints of one arm, identical arms.

use std::collections::BTreeMap;

use super::Check;
use crate::diag::{Code, Diagnostic, Explanation, Severity};
use crate::group::{ArmPair, CHECKPOINT_DIMS, Cell, CellKey, Which};
use crate::model::DimValue;

pub(super) const CHECK: Check = Check { id: "identical", explained: EXPLAINED, run };

const EXPLAINED: &[Explanation] = &[
    Explanation::new(
        Code::IdenticalAcross,
        "Between neighbouring values of epoch, step, checkpoint, global_step or iteration within \
         one arm, at least 4 results can be compared and at least a quarter of them are equal to \
         the last digit. Fewer than 4 can be equal by chance.",
        "Two checkpoints hardly ever have exactly the same score on many tasks. The evaluation \
         probably loaded the same weights twice, and the curve shows a plateau that does not \
         exist.",
    ),
    Explanation::new(
        Code::IdenticalArms,
        "Every result that either arm has is equal in both, and there is at least one. It is \
         said of different directories too; where nothing else that is recorded differs either, \
         the grade is `identical`.",
        "Two trainings never agree on everything. Most likely the candidate was never loaded, a \
         cache answered, or one file lies under two names; “no difference” is then a statement \
         about copying files.",
    ),
];

/// Fewer shared cells than this can be equal by chance.
const FEWEST_CELLS: usize = 4;

/// Share of equal cells from which on it is remarkable.
const REMARKABLE_SHARE: f64 = 0.25;

fn run(pair: &ArmPair<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for which in Which::BOTH {
        let run = pair.run(which).id.as_str();
        for &dim in CHECKPOINT_DIMS {
            found.extend(
                across(pair, dim, which)
                    .into_iter()
                    .map(|finding| finding.run(run).with("run", run).with("dim", dim)),
            );
        }
    }
    if all_cells_equal(pair) {
        let cells = pair.cells.len();
        let mut finding = Diagnostic::new(Code::IdenticalArms)
            .with("count", cells)
            .with("baseline", pair.baseline.id.as_str())
            .with("candidate", pair.candidate.id.as_str());
        // Of one run that was given twice, or made again, nothing else was to be expected.
        if same_run(pair) && is_known_equal(pair) {
            finding.severity = Severity::Info;
        }
        found.push(finding);
    }
    found
}

/// Whether the arms are one place, or record configurations that differ in nothing that could move
/// a result.
fn is_known_equal(pair: &ArmPair<'_>) -> bool {
    let recorded = !pair.baseline.content.config.is_empty();
    let differs = pair.differences.iter().any(|one| !one.environment);
    pair.baseline.place == pair.candidate.place || (recorded && !differs)
}

/// Whether both arms have the same figure in every cell, and at least one.
fn all_cells_equal(pair: &ArmPair<'_>) -> bool {
    !pair.cells.is_empty()
        && pair.cells.iter().all(|cell| {
            let (mine, theirs) = (cell.baseline.value().value(), cell.candidate.value().value());
            mine == theirs && (mine.is_some() || cell.baseline.n() == cell.candidate.n())
        })
        && pair.cells.iter().any(|cell| cell.baseline.value().value().is_some())
}

/// Fewer equal aggregates than this prove nothing.
const FEWEST_AGGREGATES: usize = 4;

/// Whether the arms are the same run as far as anything recorded can tell: every sample has the
/// same outcome, or many aggregates and a recorded configuration are equal to the last digit.
pub(super) fn same_run(pair: &ArmPair<'_>) -> bool {
    if !all_cells_equal(pair) {
        return false;
    }
    if pair.baseline.place == pair.candidate.place {
        return true;
    }
    let figures = pair.cells.iter().filter(|cell| cell.baseline.value().value().is_some()).count();
    let recorded = !pair.baseline.content.config.is_empty() && pair.differences.is_empty();
    let whole = |cell: &Cell<'_>| cell.coverage.is_some_and(|coverage| coverage.lost() == 0);
    pair.cells.iter().all(|cell| match cell.table {
        Some(_) => whole(cell) && pair.same_outcomes(cell),
        None => {
            pair.tables.iter().any(|table| table.join.baseline_only == 0)
                || (recorded && figures >= FEWEST_AGGREGATES)
        }
    })
}

/// Equal figures between neighbouring values of one coordinate within one arm.
fn across(pair: &ArmPair<'_>, dim: &str, which: Which) -> Vec<Diagnostic> {
    let mut by_value: BTreeMap<DimValue, BTreeMap<CellKey, f64>> = BTreeMap::new();
    for cell in &pair.cells {
        if let (Some(at), Some(value)) = (cell.key.dims.get(dim), cell.side(which).value().value())
        {
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
            let equal: Vec<String> = shared
                .iter()
                .filter(|(_, before, after)| before == after)
                .map(|(key, _, _)| key.dims.to_string())
                .collect();
            let remarkable = shared.len() >= FEWEST_CELLS
                && equal.len() as f64 >= REMARKABLE_SHARE * shared.len() as f64;
            remarkable.then(|| {
                Diagnostic::new(Code::IdenticalAcross)
                    .with("equal", equal.len())
                    .with("shared", shared.len())
                    .with("from", from.to_string())
                    .with("to", to.to_string())
                    .with("cells", equal)
            })
        })
        .collect()
}
