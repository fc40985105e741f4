//! Fields that may say which samples belong together, held against the differences: where samples
//! that share a value differ alike, they are no independent evidence.

use std::collections::BTreeMap;

use super::evidence::ComparisonEvidence;
use super::joined::Joined;
use super::{CompareOptions, Comparison};
use crate::diag::{Code, Diagnostic};
use crate::pairing::{ArmPair, CellPair, PairArm, PairPartition, PairedArms};
use crate::quantity::{Quantity, Unit};
use crate::stats::Moments;
use crate::stats::means::intraclass::{Intraclass, intraclass};

/// A field by whose values the differences of a cell are alike.
#[derive(Debug)]
pub struct HiddenClusters {
    /// The field.
    pub key: String,
    /// Its values among the pairs; a pair without one is a cluster of its own.
    pub clusters: usize,
    pub correlation: Intraclass,
    /// The same scores with its values as clusters.
    pub(super) evidence: ComparisonEvidence,
}

/// How many fields are held against the differences of cells, over all pairs of arms: the level is
/// shared among them (Bonferroni), so that none is found by chance more often than α.
pub(super) fn count(paired_arms: &PairedArms<'_>) -> usize {
    let of_pair =
        |pair: &ArmPair<'_>| pair.cells.iter().map(|cell| fields(pair, cell).len()).sum::<usize>();
    paired_arms.pairs.iter().map(of_pair).sum()
}

/// The fields that may say a cluster of the samples of a cell that can have a verdict.
fn fields<'p>(pair: &'p ArmPair<'_>, cell: &CellPair<'_>) -> &'p [PairPartition] {
    let is_judged = cell.has_good_side() && cell.total.is_none() && !pair.is_repeated();
    let tables = cell.table.filter(|_| is_judged).and_then(|index| pair.tables.get(index));
    tables.map_or(&[], |tables| &tables.clusters.possible)
}

/// The fields by whose values the differences of a cell are alike, of so many that are looked at.
pub(super) fn hidden_clusters(
    pair: &ArmPair<'_>,
    cell: &CellPair<'_>,
    looked_at: usize,
    options: &CompareOptions,
) -> Vec<HiddenClusters> {
    let level = 1.0 - options.stats.alpha / looked_at.max(1) as f64;
    let found = |partition: &PairPartition| {
        let joined = Joined::new(pair, cell)?.by(partition);
        let groups = joined.differences_by(partition);
        let correlation = intraclass(&groups, level)?;
        if correlation.lower <= 0.0 || says_little(joined, &groups) {
            return None;
        }
        Some(HiddenClusters {
            key: partition.key.clone(),
            clusters: partition.count,
            correlation,
            evidence: joined.evidence(joined.complete())?,
        })
    };
    fields(pair, cell).iter().filter_map(found).collect()
}

/// Mean size of groups below which few differences make the F test find too much, and how many have
/// to be other than 0 then. Of 200 pairs in groups of two, 1.25 % of the tests at 1.25 % should find
/// something: 3.0 % do where 10 pairs differ, 1.5 % where 20 do (4,000 simulated data sets each).
const SMALL_GROUPS: f64 = 3.0;
const FEWEST_DIFFERENT: usize = 20;

/// Whether groups are small and few of the differences in them are other than 0.
fn says_little(joined: Joined<'_, '_>, groups: &[Moments]) -> bool {
    let shared = || groups.iter().filter(|group| group.n >= 2);
    let pairs: u64 = shared().map(|group| group.n).sum();
    let different = || joined.complete().filter(|scored| scored.difference() != 0.0).count();
    (pairs as f64) < SMALL_GROUPS * shared().count() as f64 && different() < FEWEST_DIFFERENT
}

/// One finding for each field that was found in a dataset, with the metric whose differences are most
/// alike.
pub fn hidden_fields(comparisons: &[Vec<Comparison<'_>>]) -> Vec<Diagnostic> {
    let mut found = BTreeMap::<_, (&Comparison<'_>, &HiddenClusters)>::new();
    for (pair, comparison) in comparisons
        .iter()
        .enumerate()
        .flat_map(|(pair, of_pair)| of_pair.iter().map(move |comparison| (pair, comparison)))
    {
        let key = &comparison.cell.key;
        for hidden in &comparison.hidden {
            let place = (pair, key.dataset.clone(), key.dims.to_string(), hidden.key.clone());
            let strongest = found.entry(place).or_insert((comparison, hidden));
            if hidden.correlation.lower > strongest.1.correlation.lower {
                *strongest = (comparison, hidden);
            }
        }
    }
    found.into_values().map(|(comparison, hidden)| finding(comparison, hidden)).collect()
}

/// A correlation with two decimals.
fn correlation(value: f64) -> Quantity {
    Quantity::Figure { value, unit: Unit::Plain, decimals: Some(2) }
}

fn finding(comparison: &Comparison<'_>, hidden: &HiddenClusters) -> Diagnostic {
    let key = &comparison.cell.key;
    Diagnostic::new(Code::HiddenClusters)
        .about_dataset(key.dataset.as_deref())
        .dims(&key.dims)
        .candidate(comparison.pair.name(PairArm::Candidate))
        .about_key(&hidden.key)
        .with("metric", key.metric.as_str())
        .with("values", hidden.clusters)
        .with("paired", comparison.paired().unwrap_or_default())
        .with("icc", correlation(hidden.correlation.estimate))
        .with("lower", correlation(hidden.correlation.lower))
}
