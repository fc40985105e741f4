//! Arms over the datasets that all of them were evaluated on: ranks, because scores of different
//! datasets have no common scale (Demšar 2006, *JMLR* 7).

use super::{keys, open};
use crate::compare::{Comparison, by_metric};
use crate::model::{Dims, MetricSpec};
use crate::pairing::{CellKey, PairArm};
use crate::stats::signed_ranks::SignedRanks;
use crate::stats::systems::{ChiSquaredTest, FTest, RankedBlocks, all_pairs};

/// Fewest datasets that ranks are averaged over.
const FEWEST_DATASETS: usize = 5;

/// One metric of every arm on the datasets that all of them have.
#[derive(Debug)]
pub struct OverDatasets<'a> {
    pub metric: &'a str,
    pub dims: &'a Dims,
    /// Meaning of the metric on the first dataset.
    pub spec: &'a MetricSpec,
    pub datasets: Vec<&'a str>,
    /// The arms, baseline first.
    pub arms: Vec<ArmOverDatasets<'a>>,
    /// The ranks of the arms on every dataset.
    pub ranks: RankedBlocks,
    /// Friedman's test that the arms rank alike, as it is mostly printed.
    pub friedman: ChiSquaredTest,
    /// The same, corrected for ties; `None` when the arms tie on every dataset.
    pub friedman_tie_corrected: Option<ChiSquaredTest>,
    /// The test that is read: Iman and Davenport's.
    pub iman_davenport: FTest,
    /// Every pair of arms, p-values adjusted among them by Holm.
    pub pairs: Vec<PairOverDatasets>,
}

#[derive(Debug)]
pub struct ArmOverDatasets<'a> {
    pub id: &'a str,
    /// Mean over the datasets, in the metric's unit.
    pub mean: f64,
    /// Mean rank; 1 is best, or highest where the metric has no good side.
    pub mean_rank: f64,
}

#[derive(Debug, Clone)]
pub struct PairOverDatasets {
    /// Positions of the two arms in [`OverDatasets::arms`], the smaller first.
    pub arms: [usize; 2],
    /// Datasets on which the second has the higher figure, the lower, the same.
    pub higher_lower_equal: [u64; 3],
    /// Tag of the Wilcoxon signed-rank test over the datasets: exact, or by a normal approximation.
    pub method: Option<&'static str>,
    pub p: Option<f64>,
    pub p_adjusted: Option<f64>,
}

pub(super) fn over_datasets<'a>(comparisons: &'a [Vec<Comparison<'a>>]) -> Vec<OverDatasets<'a>> {
    let keys = keys(comparisons);
    by_metric(keys.iter().copied(), |key| *key)
        .into_iter()
        .filter_map(|((metric, dims), own)| one_metric(comparisons, metric, dims, &own))
        .collect()
}

fn one_metric<'a>(
    comparisons: &'a [Vec<Comparison<'a>>],
    metric: &'a str,
    dims: &'a Dims,
    keys: &[&'a CellKey],
) -> Option<OverDatasets<'a>> {
    let mut datasets = Vec::new();
    let mut scores: Vec<Vec<f64>> = Vec::new();
    let copies = copies(comparisons, keys);
    for key in keys.iter().filter(|key| !copies.contains(key)) {
        if let Some((dataset, row)) = key.dataset.as_deref().zip(row(comparisons, key)) {
            datasets.push(dataset);
            scores.push(row);
        }
    }
    if datasets.len() < FEWEST_DATASETS {
        return None;
    }
    let first_key = keys.iter().find(|key| key.dataset.as_deref() == datasets.first().copied())?;
    let first = comparisons.first()?.iter().find(|one| one.cell.key == **first_key)?;
    let higher_is_better = first.cell.spec.direction.sign() != Some(-1.0);
    let ranks = RankedBlocks::new(&scores, higher_is_better)?;
    let mean_ranks = ranks.mean_ranks();
    let ids = std::iter::once(first.pair.baseline.id.as_str())
        .chain(comparisons.iter().filter_map(|of| Some(of.first()?.pair.candidate.id.as_str())));
    let arms = ids
        .enumerate()
        .zip(mean_ranks)
        .map(|((position, id), mean_rank)| ArmOverDatasets {
            id,
            mean: scores.iter().map(|row| row[position]).sum::<f64>() / scores.len() as f64,
            mean_rank,
        })
        .collect();
    let pairs = pairs(&scores);
    Some(OverDatasets {
        metric,
        dims,
        spec: &first.cell.spec,
        datasets,
        arms,
        friedman: ranks.friedman()?,
        friedman_tie_corrected: ranks.friedman_tie_corrected(),
        iman_davenport: ranks.iman_davenport()?,
        ranks,
        pairs,
    })
}

/// The datasets most of whose questions stand in a larger one of them: they would rank the arms by the
/// same questions again.
fn copies<'a>(comparisons: &[Vec<Comparison<'a>>], keys: &[&'a CellKey]) -> Vec<&'a CellKey> {
    let Some(of_pair) = comparisons.first() else { return Vec::new() };
    let Some(first) = of_pair.first() else { return Vec::new() };
    let table = |key: &CellKey| of_pair.iter().find(|one| one.cell.key == *key)?.cell.table;
    let tables: Vec<Option<usize>> = keys.iter().map(|key| table(key)).collect();
    let overlaps = first.pair.shared_questions.iter().flat_map(|shared| &shared.overlaps);
    let within: Vec<usize> = overlaps
        .filter(|one| 2 * one.samples > one.of && tables.contains(&Some(one.tables[1])))
        .map(|one| one.tables[0])
        .collect();
    let is_copy = |table: &Option<usize>| table.is_some_and(|table| within.contains(&table));
    keys.iter().zip(&tables).filter(|(_, table)| is_copy(table)).map(|(key, _)| *key).collect()
}

/// The figures of every arm on one dataset, baseline first; `None` when one is missing or blocked.
fn row(comparisons: &[Vec<Comparison<'_>>], key: &CellKey) -> Option<Vec<f64>> {
    let cells: Vec<&Comparison<'_>> =
        comparisons.iter().map(|of_pair| open(of_pair, key)).collect::<Option<_>>()?;
    let baseline = cells.first()?.cell.figure(PairArm::Baseline);
    let candidates = cells.iter().map(|one| one.cell.figure(PairArm::Candidate));
    std::iter::once(baseline).chain(candidates).collect()
}

fn pairs(scores: &[Vec<f64>]) -> Vec<PairOverDatasets> {
    let arms = scores.first().map_or(0, Vec::len);
    let differences = |first: usize, second: usize| -> Vec<f64> {
        scores.iter().map(|row| row[second] - row[first]).collect()
    };
    let largest = scores.iter().flatten().map(|score| score.abs()).fold(0.0, f64::max);
    let test =
        |[first, second]: [usize; 2]| SignedRanks::new(&differences(first, second), largest).test();
    let counts = |differences: &[f64]| {
        let holds: [fn(f64) -> bool; 3] = [|d| d > 0.0, |d| d < 0.0, |d| d == 0.0];
        holds.map(|holds| differences.iter().filter(|d| holds(**d)).count() as u64)
    };
    all_pairs(arms, |first, second| Some(test([first, second]).p))
        .into_iter()
        .map(|pair| PairOverDatasets {
            arms: pair.systems,
            higher_lower_equal: counts(&differences(pair.systems[0], pair.systems[1])),
            method: pair.p.map(|_| test(pair.systems).method),
            p: pair.p,
            p_adjusted: pair.p_adjusted,
        })
        .collect()
}
