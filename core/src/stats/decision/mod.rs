//! The decision table: how each design is analysed, one file a row.

mod agreement;
mod independent_binary;
mod independent_clustered;
mod independent_real;
mod paired_binary;
mod paired_clustered;
mod paired_ranks;
mod paired_real;
mod reported_mean;
mod reported_rate;
mod seeds;

pub use seeds::seed_permutation_floor;

use super::means::clustered::{TwoClusteredMeans, clustered_interval};
use super::means::crossed::crossed_difference;
use super::means::welch::Welch;
use super::{Analysis, Design, Interval, Options};

impl Design {
    /// Interval, test and planning figures; `None` without data.
    pub fn analyse(&self, options: Options) -> Option<Analysis> {
        match self {
            Self::PairedBinary(counts) => paired_binary::analyse(*counts, options),
            Self::PairedClustered(sums) => paired_clustered::analyse(sums, options),
            Self::PairedReal(sample) => {
                (sample.differences.n > 0).then(|| paired_real::analyse(sample, options))
            }
            Self::PairedRanks(ranks) => Some(paired_ranks::analyse(ranks, options)),
            Self::IndependentClustered { baseline, candidate } => {
                independent_clustered::analyse(baseline, candidate, options)
            }
            Self::IndependentBinary { baseline, candidate } => {
                independent_binary::analyse(*baseline, *candidate, options)
            }
            Self::IndependentReal { baseline, candidate } => (baseline.n.min(candidate.n) > 0)
                .then(|| independent_real::analyse(*baseline, *candidate, options)),
            Self::ReportedMeans { baseline, candidate } => {
                reported_mean::analyse(*baseline, *candidate, options)
            }
            Self::ReportedRates { baseline, candidate } => {
                reported_rate::analyse(*baseline, *candidate, options)
            }
            Self::SeedsByItems { baseline, candidate } => {
                Some(seeds::analyse_by_items(baseline, candidate, options))
            }
            Self::PairedSeeds(sample) => Some(seeds::analyse_paired(sample, options)),
            Self::IndependentSeeds { baseline, candidate } => {
                Some(seeds::analyse_independent(*baseline, *candidate, options))
            }
        }
    }

    /// The interval alone at another level, for equivalence margins.
    pub fn interval(&self, level: f64) -> Option<Interval> {
        match self {
            Self::PairedBinary(counts) => paired_binary::interval(*counts, level),
            Self::PairedClustered(sums) => clustered_interval(sums, level),
            Self::PairedReal(sample) | Self::PairedSeeds(sample) => {
                paired_real::interval(sample, level)
            }
            Self::PairedRanks(_) => None,
            Self::IndependentClustered { baseline, candidate } => {
                Some(TwoClusteredMeans::new(baseline, candidate)?.interval(level))
            }
            Self::IndependentBinary { baseline, candidate } => {
                independent_binary::interval(*baseline, *candidate, level)
            }
            Self::IndependentReal { baseline, candidate }
            | Self::IndependentSeeds { baseline, candidate } => {
                Some(Welch::new(*baseline, *candidate)?.interval(level))
            }
            Self::ReportedMeans { baseline, candidate } => {
                reported_mean::interval(*baseline, *candidate, level)
            }
            Self::ReportedRates { baseline, candidate } => {
                reported_rate::interval(*baseline, *candidate, level)
            }
            Self::SeedsByItems { baseline, candidate } => {
                Some(crossed_difference(baseline, candidate)?.interval(level))
            }
        }
    }
}
