//! Equal answers with other scores: what the scorer changed and not the model.

use super::answers;
use super::samples::about;
use crate::diag::{Code, Diagnostic};
use crate::pairing::{ArmPair, TablePair};
use crate::quantity::Unit;

/// Square of the standard normal quantile at 1 % from both sides, by which the rises exceed the
/// falls (McNemar 1947, without continuity correction).
const ONE_WAY: f64 = 6.635;
/// Fewer changes than this leave the direction to chance: 2 · 0.5⁸ < 0.01.
const FEWEST_MOVED: usize = 8;
/// Scores that are no further apart are the same up to rounding.
const ROUNDING: f64 = 1e-6;

pub(super) fn run(pair: &ArmPair<'_>) -> Vec<Diagnostic> {
    pair.tables.iter().flat_map(|tables| rescored_metrics(pair, tables)).collect()
}

fn rescored_metrics(pair: &ArmPair<'_>, tables: &TablePair<'_>) -> Vec<Diagnostic> {
    let (first, second) = (tables.baseline, tables.candidate);
    if !(first.has_responses() && second.has_responses()) {
        return Vec::new();
    }
    let same: Vec<(usize, usize)> = tables
        .join
        .pairs
        .iter()
        .map(|&(a, b)| (a as usize, b as usize))
        .filter(|&(a, b)| first.response(a).is_some() && first.response(a) == second.response(b))
        .collect();
    let texts = same.iter().filter_map(|&(a, _)| first.response(a)).collect();
    if answers::distinct_answer_texts(texts).is_none() {
        return Vec::new();
    }
    let all = same.len() == tables.join.pairs.len();
    let mut found = Vec::new();
    for (metric, mine) in first.columns() {
        let Some(theirs) = second.column(metric) else { continue };
        let binary = mine.is_binary() && theirs.is_binary();
        if first.is_derived(metric) || !(binary || is_judged(pair, metric)) {
            continue;
        }
        let moved = same.iter().filter_map(|&(a, b)| Some(theirs.get(b)? - mine.get(a)?));
        let moved: Vec<f64> = moved.filter(|by| by.abs() > ROUNDING).collect();
        let rose = moved.iter().filter(|by| **by > 0.0).count();
        let fell = moved.len() - rose;
        let apart = rose.abs_diff(fell) as f64;
        let one_way = moved.len() >= FEWEST_MOVED && apart * apart > ONE_WAY * moved.len() as f64;
        let code = match (all, binary) {
            (true, _) if !moved.is_empty() => Code::Rescored,
            (false, true) if one_way => Code::RescoredPartly,
            _ => continue,
        };
        found.push(
            about(code, tables)
                .about_metric(metric)
                .with("count", same.len())
                .with("paired", tables.join.pairs.len())
                .with("moved", moved.len())
                .with("rose", rose)
                .with("fell", fell)
                .at(second.source(0, "").location()),
        );
    }
    found
}

/// Whether the metric is a share that tells how good an answer is.
fn is_judged(pair: &ArmPair<'_>, metric: &str) -> bool {
    let own = |cell: &&crate::pairing::CellPair<'_>| cell.key.metric == metric;
    pair.cells.iter().find(own).is_some_and(|cell| {
        cell.has_good_side() && matches!(cell.spec.unit, Unit::Fraction | Unit::Percent)
    })
}
