//! Difference of two means with unequal variances.

use super::student::{has_spread, t_interval, t_test};
use crate::stats::{Interval, Moments, Test};

/// Standard error and degrees of freedom of a difference of means with unequal variances
/// (Welch 1947, *Biometrika* 34).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Welch {
    pub delta: f64,
    pub stderr: f64,
    /// Welch–Satterthwaite degrees of freedom, usually not whole.
    pub df: f64,
    /// Sum of the two sample variances.
    pub variances: f64,
}

impl Welch {
    /// `None` below two values in either arm, and when neither arm has spread.
    pub fn new(baseline: Moments, candidate: Moments) -> Option<Self> {
        let scale = baseline.mean.abs().max(candidate.mean.abs());
        if !has_spread(baseline, scale) && !has_spread(candidate, scale) {
            return None;
        }
        let (before, after) = (baseline.variance()?, candidate.variance()?);
        let (n_before, n_after) = (baseline.n as f64, candidate.n as f64);
        let (part_before, part_after) = (before / n_before, after / n_after);
        let squared = part_before + part_after;
        let df = squared * squared
            / (part_before.powi(2) / (n_before - 1.0) + part_after.powi(2) / (n_after - 1.0));
        Some(Self {
            delta: candidate.mean - baseline.mean,
            stderr: squared.sqrt(),
            df,
            variances: before + after,
        })
    }

    pub fn interval(self, level: f64) -> Interval {
        t_interval(self.delta, self.stderr, self.df, level)
    }

    pub fn test(self) -> Test {
        t_test("welch-t", self.delta / self.stderr, self.df)
    }
}
