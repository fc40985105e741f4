//! Whether a candidate's share is not worse than the baseline's by a margin or more.
//!
//! The hypothesis to be rejected is a loss of at least the margin, so a small p-value is the good
//! outcome, and the test at a one-sided α agrees with the lower limit of the score interval at
//! level 1 − 2α.

use super::independent::{Arm, farrington_manning_z};
use super::paired::tango_z;
use crate::stats::PairedCounts;
use crate::stats::distribution::{normal_sf, reportable_p};

/// A one-sided test that the difference (candidate − baseline) is above minus the margin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NonInferiority {
    /// Score statistic at minus the margin; positive when the estimate is above it. Infinite where
    /// the hypothesis leaves no variance.
    pub z: f64,
    /// One-sided p-value in (0, 1].
    pub p: f64,
}

/// Paired outcomes, by Tango's score statistic (Tango 1998, *Statistics in Medicine* 17). At least
/// one pair; the margin is a difference of shares in [0, 1].
pub fn noninferiority_paired(counts: PairedCounts, margin: f64) -> NonInferiority {
    judged(tango_z(counts, -margin))
}

/// Independent outcomes, by Farrington and Manning's score statistic (1990, *Statistics in
/// Medicine* 9); the margin is a difference of shares in [0, 1].
pub fn noninferiority_independent(baseline: Arm, candidate: Arm, margin: f64) -> NonInferiority {
    judged(farrington_manning_z(baseline, candidate, -margin))
}

fn judged(z: f64) -> NonInferiority {
    NonInferiority { z, p: reportable_p(normal_sf(z)) }
}
