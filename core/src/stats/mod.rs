//! Estimates, intervals and tests over plain numbers. Knows neither runs nor metrics.
//!
//! A comparison is described by a [`Design`]: what kind of data, how it is paired, how much of it.
//! [`Design::analyse`] is the decision table.
//! Designs hold sufficient statistics wherever a method allows, so that a comparison need not keep
//! all samples in memory.

mod bins;
mod compensated;
mod decision;
mod design;
mod differences;
pub mod distribution;
pub mod means;
mod midranks;
mod moments;
pub mod multiplicity;
pub mod nights;
pub mod noise;
pub mod planning;
pub mod proportions;
mod quantiles;
pub mod reference;
pub mod repeats;
pub mod reported;
pub mod resampling;
pub mod selection;
pub mod sequential;
pub mod series;
pub mod signed_ranks;
pub mod skew;
pub mod systems;

pub use bins::{Bin, calibration_error, equal_count_bins};
pub use compensated::CompensatedSum;
pub use decision::seed_permutation_floor;
pub use design::{
    ClusterClassSums, ClusterSums, Counts, Design, PairedCounts, ReportedMean, ReportedRate,
};
pub use differences::{DifferenceSample, PowerSums, difference};
pub use means::student::{LARGE_SAMPLE, mean_interval};
pub use moments::Moments;
pub use multiplicity::{AttainableP, StepDown, holm, holm_attainable};
pub use proportions::wilson::{wilson, wilson_share};
pub use quantiles::{quantile, quantile_interval};

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    pub lo: f64,
    pub hi: f64,
    /// Nominal level, for example 0.95.
    pub level: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Test {
    pub method: &'static str,
    /// Two-sided p-value in (0, 1].
    pub p: f64,
    pub statistic: Option<f64>,
    /// Smallest p this design could have given, where it is finite and known.
    pub attainable: Option<f64>,
}

/// Something a reader should know about a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Note {
    /// No outcome of this design can reach the significance level.
    Unattainable,
    /// Interval and test disagree at the boundary; the more careful verdict was taken.
    Borderline,
    NormalityAssumed,
    /// Arms were treated as independent although they may share samples.
    TreatedAsIndependent,
    MonteCarlo,
    /// A percentage was read as a bounded score: no whole count over n gives it, so the largest
    /// variance that a score between 0 and 1 can have was used.
    BoundedScore,
    /// A percentage fits several counts; the widest interval and largest p over them are given.
    SeveralCounts,
    FewClusters,
    /// So few seeds that no test without the assumption of normality could reach the level.
    FewSeeds,
    /// The spread between seeds weighs more than the spread between items.
    SeedsDominate,
    /// The spread between items weighs more than the spread between seeds.
    ItemsDominate,
}

/// What a method says about a difference (candidate − baseline), in the units of its input.
#[derive(Debug, Clone, PartialEq)]
pub struct Analysis {
    /// Tag of the method that made the interval, for example `tango`.
    pub interval_method: &'static str,
    pub delta: f64,
    pub interval: Option<Interval>,
    pub test: Option<Test>,
    /// Smallest difference this design would have found with the stated power, same unit.
    pub mde: Option<f64>,
    /// Units (samples, clusters) that would be needed to find the observed difference with the
    /// stated power; `None` when the difference is 0 or nothing is known about the spread.
    pub needed: Option<u64>,
    pub notes: Vec<Note>,
}

impl Analysis {
    /// A difference about which nothing more can be said.
    pub(in crate::stats) fn unassessed(interval_method: &'static str, delta: f64) -> Self {
        Self {
            interval_method,
            delta,
            interval: None,
            test: None,
            mde: None,
            needed: None,
            notes: Vec::new(),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// Two-sided significance level, in (0, 1).
    pub alpha: f64,
    /// Power for the minimum detectable effect and the needed size, in (0, 1).
    pub power: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self { alpha: 0.05, power: 0.8 }
    }
}
