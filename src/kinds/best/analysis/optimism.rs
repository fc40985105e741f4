//! What the choice may have added to the figure of the best checkpoint.

use std::collections::BTreeMap;

use super::Figure;
use crate::model::MetricSpec;
use crate::pairing::{PairArm, PairedArms, SampledSide};
use crate::stats;

/// How much of the best figure may be owed to the choice, in the unit of differences.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Optimism {
    /// How much the figure of the best is too good on average, in the unit of differences.
    pub amount: f64,
    /// Whether it was estimated by drawing samples again; otherwise it is the most that it can be.
    pub drawn: bool,
    pub checkpoints: usize,
    /// Samples: those that every checkpoint answered where they were drawn again, else those of the
    /// checkpoint with the fewest.
    pub n: u64,
    /// Whether every checkpoint has that many samples.
    pub is_equal: bool,
}

/// Drawn again from the samples that all checkpoints answered, else the most that it can be with so
/// many samples, where the figure is a rate. Checkpoints without a figure, and fragments that could
/// not be chosen, do not count. The candidates of the pairs are at the positions of `order`.
pub fn optimism(
    paired_arms: &PairedArms<'_>,
    (figures, best, order): (&[Figure], usize, &[usize]),
    spec: &MetricSpec,
) -> Option<Optimism> {
    let sign = spec.direction.sign()?;
    let scale = spec.unit.shown_scale();
    let chosen = figures.get(best)?;
    let counts = |one: &Figure| one.value.is_some() && (!one.is_fragment || chosen.is_fragment);
    let candidates: Vec<&Figure> = figures.iter().filter(|one| counts(one)).collect();
    let checkpoints = candidates.len();
    if checkpoints < 2 {
        return None;
    }
    let is_candidate =
        |pair: usize| order.get(pair).and_then(|at| figures.get(*at)).is_some_and(counts);
    if let Some(columns) = common(paired_arms, is_candidate) {
        let n = columns.first().map_or(0, Vec::len) as u64;
        let amount = stats::selection::optimism(&columns, sign > 0.0)? * scale;
        // Scores that do not vary in the resamples say nothing about other samples.
        if amount > 0.0 {
            return Some(Optimism { amount, drawn: true, checkpoints, n, is_equal: true });
        }
    }
    let whole = spec.unit.whole()?;
    let sizes = || candidates.iter().map(|one| one.n.filter(|n| *n > 0));
    let n = sizes().min().flatten()?;
    let share = chosen.value? / whole;
    let checkpoint_count = u32::try_from(checkpoints).ok()?;
    let amount = stats::selection::most_owed(share, n, checkpoint_count) * 100.0;
    let is_equal = sizes().all(|size| size == Some(n));
    Some(Optimism { amount, drawn: false, checkpoints, n, is_equal })
}

/// Scores of the samples that every candidate answered, in one order.
fn common(
    paired_arms: &PairedArms<'_>,
    is_candidate: impl Fn(usize) -> bool,
) -> Option<Vec<Vec<f64>>> {
    let mut arms: Vec<&SampledSide<'_>> = Vec::new();
    for (position, pair) in paired_arms.pairs.iter().enumerate() {
        if arms.is_empty() {
            arms.push(pair.cells.first()?.side(PairArm::Baseline).samples.as_ref()?);
        }
        if is_candidate(position) {
            arms.push(pair.cells.first()?.side(PairArm::Candidate).samples.as_ref()?);
        }
    }
    let scores = |one: &&SampledSide<'_>| -> BTreeMap<u64, f64> {
        let hashes = one.table.id_hashes();
        one.rows().filter_map(|row| Some((*hashes.get(row)?, one.score(row)?))).collect()
    };
    let maps: Vec<_> = arms.iter().map(scores).collect();
    let first = maps.first()?;
    let shared: Vec<u64> =
        first.keys().copied().filter(|id| maps.iter().all(|map| map.contains_key(id))).collect();
    let column =
        |map: &BTreeMap<u64, f64>| shared.iter().filter_map(|id| map.get(id).copied()).collect();
    (shared.len() >= 2).then(|| maps.iter().map(column).collect())
}
