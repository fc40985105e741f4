//! Three or more arms seen together: over the samples that all of them answered, and over the
//! datasets that all of them were evaluated on.
//!
//! Describes; gives no verdict. Verdicts stay with the comparisons against the baseline.

mod on_samples;
mod over_datasets;

pub use on_samples::{ArmOnSamples, OnSamples, PairOnSamples};
pub use over_datasets::{ArmOverDatasets, OverDatasets, PairOverDatasets};

use super::Comparison;
use crate::pairing::CellKey;
use crate::stats;

/// Fewest arms that are seen together.
const FEWEST_ARMS: usize = 3;

/// What all arms show together.
#[derive(Debug, Default)]
pub struct Systems<'a> {
    /// One for each metric with per-sample outcomes in at least three arms, in cell order.
    pub on_samples: Vec<OnSamples<'a>>,
    /// One for each metric with figures of every arm on enough datasets, in cell order.
    pub over_datasets: Vec<OverDatasets<'a>>,
}

/// Sees the arms of one invocation together; empty below three arms.
pub fn systems<'a>(comparisons: &'a [Vec<Comparison<'a>>], options: stats::Options) -> Systems<'a> {
    if comparisons.len() + 1 < FEWEST_ARMS {
        return Systems::default();
    }
    Systems {
        on_samples: on_samples::on_samples(comparisons, options),
        over_datasets: over_datasets::over_datasets(comparisons),
    }
}

/// Every cell key of the comparisons whose metric is tested, in order, each once.
fn keys<'a>(comparisons: &'a [Vec<Comparison<'a>>]) -> Vec<&'a CellKey> {
    let tested = comparisons.iter().flatten().filter(|one| !one.cell.is_described_by_role());
    let mut keys: Vec<&CellKey> = tested.map(|one| &one.cell.key).collect();
    keys.sort();
    keys.dedup();
    keys
}

/// The comparison of a cell in one pair of arms, when nothing takes its verdict.
fn open<'a>(of_pair: &'a [Comparison<'a>], key: &CellKey) -> Option<&'a Comparison<'a>> {
    of_pair.iter().find(|one| one.cell.key == *key).filter(|one| one.counts())
}
