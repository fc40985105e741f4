//! Wilson's interval for a single share.

use crate::stats::distribution::normal_two_sided;
use crate::stats::{Counts, Interval};

/// Wilson's score interval (Wilson 1927, *JASA* 22) for `x` of `n`.
///
/// The lower limit of 0 of n is exactly 0, the upper limit of n of n exactly 1.
pub fn wilson(counts: Counts, level: f64) -> Interval {
    wilson_share(counts.share(), counts.n, level)
}

/// Wilson's interval for a share in [0, 1] of `n` ≥ 1 samples that need not be a whole count: for
/// scores between 0 and 1 it is conservative, as none with this mean varies more than outcomes
/// that are 0 or 1.
pub fn wilson_share(share: f64, n: u64, level: f64) -> Interval {
    let (lo, hi) = wilson_limits(share, n as f64, normal_two_sided(level));
    Interval { lo, hi, level }
}

/// The limits of Wilson's interval for a share of `n` samples at `z` standard errors.
pub(super) fn wilson_limits(share: f64, n: f64, z: f64) -> (f64, f64) {
    let shrink = z * z / n;
    let lo = smaller_root(share, shrink).min(share);
    (lo, (1.0 - smaller_root(1.0 - share, shrink)).max(share))
}

/// Smaller root of (1 + s)π² − (2p + s)π + p² = 0, by way of the larger one: the two limits of
/// Wilson's interval, free of cancellation near 0.
fn smaller_root(p: f64, s: f64) -> f64 {
    let larger = 2.0 * p + s + (s * (s + 4.0 * p * (1.0 - p))).sqrt();
    2.0 * p * p / larger
}
