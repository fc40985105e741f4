//! Designs and the sufficient statistics they are made of.

use std::collections::BTreeMap;

use super::differences::{DifferenceSample, ROUNDING};
use super::moments::Moments;
use super::signed_ranks::SignedRanks;
use super::{CompensatedSum, Interval};

/// How two arms were observed.
#[derive(Debug, Clone, PartialEq)]
pub enum Design {
    /// The same samples, outcomes 0 or 1.
    PairedBinary(PairedCounts),
    /// The same samples, real-valued scores.
    PairedReal(DifferenceSample),
    /// The same samples, of which only the order of the scores counts, because some are lost or
    /// infinite.
    PairedRanks(SignedRanks),
    /// The same samples in clusters, any scores.
    PairedClustered(ClusterSums),
    /// Different (or not provably equal) samples, outcomes 0 or 1.
    IndependentBinary { baseline: Counts, candidate: Counts },
    /// Different samples, real-valued scores.
    IndependentReal { baseline: Moments, candidate: Moments },
    /// Different samples in clusters, any scores; no cluster is in both arms.
    IndependentClustered { baseline: ClusterSums, candidate: ClusterSums },
    /// Two means as stated, each with its standard error.
    ReportedMeans { baseline: ReportedMean, candidate: ReportedMean },
    /// Two shares as printed, each with the number of samples behind it.
    ReportedRates { baseline: ReportedRate, candidate: ReportedRate },
    /// Several trainings in each arm, all scored on the same samples in the same order:
    /// scores\[seed\]\[item\].
    SeedsByItems { baseline: Vec<Vec<f64>>, candidate: Vec<Vec<f64>> },
    /// Trainings of both arms with the same seeds, one figure each.
    PairedSeeds(DifferenceSample),
    /// Several trainings in each arm, one figure each.
    IndependentSeeds { baseline: Moments, candidate: Moments },
}

impl Design {
    /// The row of the decision table, for example `paired-binary`.
    pub fn method(&self) -> &'static str {
        match self {
            Self::PairedBinary(_) => "paired-binary",
            Self::PairedClustered(_) => "paired-clustered",
            Self::PairedReal(_) => "paired-real",
            Self::PairedRanks(_) => "paired-ranks",
            Self::IndependentClustered { .. } => "independent-clustered",
            Self::IndependentBinary { .. } => "independent-binary",
            Self::IndependentReal { .. } => "independent-real",
            Self::ReportedMeans { .. } => "reported-mean",
            Self::ReportedRates { .. } => "reported-rate",
            Self::SeedsByItems { .. } => "seeds-by-items",
            Self::PairedSeeds(_) => "paired-seeds",
            Self::IndependentSeeds { .. } => "independent-seeds",
        }
    }
}

/// `x` successes of `n`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    pub x: u64,
    /// Trials; at least 1 and at least `x`.
    pub n: u64,
}

impl Counts {
    /// Counts with `x ≤ n` and `n ≥ 1`.
    pub fn new(x: u64, n: u64) -> Option<Self> {
        (n >= 1 && x <= n).then_some(Self { x, n })
    }

    pub fn share(self) -> f64 {
        self.x as f64 / self.n as f64
    }
}

/// The 2×2 table of paired outcomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PairedCounts {
    /// Right in both arms.
    pub both_right: u64,
    /// Right in the candidate only.
    pub gained: u64,
    /// Right in the baseline only.
    pub lost: u64,
    /// Wrong in both arms.
    pub both_wrong: u64,
}

impl PairedCounts {
    pub fn add(&mut self, baseline: bool, candidate: bool) {
        self.add_pairs(baseline, candidate, 1);
    }

    /// Adds so many pairs that are right or wrong in either arm.
    pub fn add_pairs(&mut self, baseline: bool, candidate: bool, pairs: u64) {
        match (baseline, candidate) {
            (true, true) => self.both_right += pairs,
            (false, true) => self.gained += pairs,
            (true, false) => self.lost += pairs,
            (false, false) => self.both_wrong += pairs,
        }
    }

    pub fn n(self) -> u64 {
        self.both_right + self.gained + self.lost + self.both_wrong
    }

    /// Pairs with different outcomes.
    pub fn discordant(self) -> u64 {
        self.gained + self.lost
    }

    /// Share right in the candidate minus share right in the baseline; 0 without pairs.
    pub fn delta(self) -> f64 {
        if self.n() == 0 {
            return 0.0;
        }
        (self.gained as f64 - self.lost as f64) / self.n() as f64
    }
}

/// Sum and count per cluster, in cluster order: of paired differences, or of the scores of one arm.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ClusterSums {
    /// For each cluster: sum, and number of pairs or samples (at least 1).
    pub clusters: Vec<(f64, u64)>,
    /// Further clusters, of which those that are alike are counted.
    pub classes: Vec<ClusterClassSums>,
    /// Largest size that one of the differences can have, from the bounds of the scores; `None`
    /// where these are not known.
    pub bound: Option<f64>,
}

/// Clusters of one size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClusterClassSums {
    /// At least 1.
    pub clusters: u64,
    /// Pairs in each.
    pub size: u64,
    /// Mean of their sums.
    pub sum: f64,
    /// Sum of squared deviations of their sums from that mean.
    pub spread: f64,
}

impl ClusterSums {
    /// Sums and counts of values of which nothing is known but the values.
    pub fn new(clusters: Vec<(f64, u64)>) -> Self {
        Self { clusters, classes: Vec::new(), bound: None }
    }

    /// How many clusters there are.
    pub fn count(&self) -> u64 {
        self.clusters.len() as u64 + self.classes.iter().map(|class| class.clusters).sum::<u64>()
    }

    /// All clusters, each by itself or with those that are alike.
    pub fn groups(&self) -> impl Iterator<Item = ClusterClassSums> + Clone {
        let single =
            |&(sum, size): &(f64, u64)| ClusterClassSums { clusters: 1, size, sum, spread: 0.0 };
        self.clusters.iter().map(single).chain(self.classes.iter().copied())
    }

    /// Sums and counts of values by the key of their cluster, in the order of the keys. A sum that
    /// is only the rounding of what cancels is 0.
    pub fn summed<K: Ord>(values: impl Iterator<Item = (K, f64)>) -> Self {
        let mut sums = BTreeMap::<K, (CompensatedSum, f64, u64)>::new();
        for (cluster, value) in values {
            let (sum, size, count) = sums.entry(cluster).or_default();
            sum.add(value);
            *size += value.abs();
            *count += 1;
        }
        let cleaned = |(sum, size, count): (CompensatedSum, f64, u64)| {
            let total = sum.total();
            (if total.abs() <= ROUNDING * size { 0.0 } else { total }, count)
        };
        Self::new(sums.into_values().map(cleaned).collect())
    }
}

/// A mean whose samples nobody counts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ReportedMean {
    pub mean: f64,
    /// Standard error, at least 0.
    pub stderr: f64,
}

/// A share as somebody printed it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ReportedRate {
    /// The share, between 0 and 1.
    pub share: f64,
    /// Decimals of the share as printed: 0.57 and 57 % have 2, 57.0 % has 3.
    pub decimals: u8,
    pub n: u64,
}

impl Interval {
    /// Whether the value lies strictly outside.
    pub fn excludes(self, value: f64) -> bool {
        value < self.lo || value > self.hi
    }

    /// Whether every value lies nearer to 0 than this distance.
    pub fn is_within(self, distance: f64) -> bool {
        self.lo > -distance && self.hi < distance
    }

    /// This interval and whatever lies as near to one of its values as this distance.
    #[must_use]
    pub fn widened(self, distance: f64) -> Self {
        Self { lo: self.lo - distance, hi: self.hi + distance, ..self }
    }

    /// The smallest interval that covers this one and the values from `lo` to `hi`.
    #[must_use]
    pub fn covering(self, lo: f64, hi: f64) -> Self {
        Self { lo: self.lo.min(lo), hi: self.hi.max(hi), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::difference;

    #[test]
    fn the_order_of_the_values_cannot_be_seen_in_the_mean() {
        let values: Vec<f64> = (0..2000).map(|i| f64::from(i * 7919 % 2003) / 7.0 + 0.1).collect();
        let mut ascending = values.clone();
        ascending.sort_unstable_by(f64::total_cmp);
        let mean = |values: &[f64]| values.iter().copied().collect::<Moments>().mean;
        let other = mean(&ascending);
        assert!((other / mean(&values) - 1.0).abs() <= f64::EPSILON, "{other}");
        // Numbers whose sum is out of range still have a mean.
        assert_eq!(mean(&[f64::MAX, f64::MAX]), f64::MAX);
    }

    #[test]
    fn clusters_of_differences_that_cancel_or_only_round_have_a_sum_of_0() {
        let third = difference(0.3, 0.1 + 0.2);
        let differences = [(1, 0.1), (1, 0.2), (1, -0.3), (0, third), (0, third), (2, 1e-30)];
        let sums = ClusterSums::summed(differences.into_iter());
        assert_eq!(sums.clusters, [(0.0, 2), (0.0, 3), (1e-30, 1)]);
    }
}
