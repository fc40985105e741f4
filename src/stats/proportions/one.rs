//! Intervals for one share.

use crate::stats::distribution::root::bisect;
use crate::stats::distribution::{
    beta_lower_quantile, beta_upper_quantile, binomial_pmf, binomial_sf, normal_two_sided,
};
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

/// Clopper and Pearson's exact interval (1934, *Biometrika* 26) for `x` of `n`: it covers the true
/// share at least at its level, whatever that share is, and pays for it in width.
pub fn clopper_pearson(counts: Counts, level: f64) -> Interval {
    let (x, misses) = (counts.x as f64, (counts.n - counts.x) as f64);
    ends_kept(counts, level, |tail| {
        let lo = if x > 0.0 { beta_lower_quantile(tail, x, misses + 1.0) } else { 0.0 };
        let hi = if misses > 0.0 { beta_upper_quantile(tail, x + 1.0, misses) } else { 1.0 };
        (lo, hi)
    })
}

/// The exact interval that counts the observed outcome half (Lancaster 1961, *JASA* 56; Berry and
/// Armitage 1995, *The Statistician* 44): about its level on average, no guarantee.
pub fn mid_p(counts: Counts, level: f64) -> Interval {
    let Counts { x, n } = counts;
    ends_kept(counts, level, |tail| {
        let above = |x: u64, p: f64| binomial_sf(x, n, p) + 0.5 * binomial_pmf(x, n, p);
        let lo = bisect(0.0, 1.0, |p| above(x, p) <= tail);
        let hi = 1.0 - bisect(0.0, 1.0, |q| above(n - x, q) <= tail);
        (lo, hi)
    })
}

/// Jeffreys' interval (Brown, Cai and `DasGupta` 2001, *Statistical Science* 16): equal tails of the
/// posterior Beta(x + ½, n − x + ½), except that 0 of n has the lower limit 0 and n of n the upper
/// limit 1.
pub fn jeffreys(counts: Counts, level: f64) -> Interval {
    ends_kept(counts, level, |tail| posterior_tails(counts, 0.5, tail))
}

/// Equal tails of the posterior Beta(x + 1, n − x + 1) under a uniform prior (Bayes 1763).
pub fn uniform_posterior(counts: Counts, level: f64) -> Interval {
    let (lo, hi) = posterior_tails(counts, 1.0, 0.5 * (1.0 - level));
    Interval { lo, hi, level }
}

/// The textbook interval p ± z√(p(1 − p)/n), not cut at 0 and 1. Only to recompute what others
/// printed: it is too narrow near 0 and 1, and a single point at them.
pub fn wald(counts: Counts, level: f64) -> Interval {
    let share = counts.share();
    let half = normal_two_sided(level) * (share * (1.0 - share) / counts.n as f64).sqrt();
    Interval { lo: share - half, hi: share + half, level }
}

/// The two limits at the tail probability of a level; 0 of n has the lower limit 0, n of n the
/// upper limit 1.
fn ends_kept(counts: Counts, level: f64, limits: impl Fn(f64) -> (f64, f64)) -> Interval {
    let (lo, hi) = limits(0.5 * (1.0 - level));
    Interval {
        lo: if counts.x == 0 { 0.0 } else { lo },
        hi: if counts.x == counts.n { 1.0 } else { hi },
        level,
    }
}

fn posterior_tails(counts: Counts, prior: f64, tail: f64) -> (f64, f64) {
    let (a, b) = (counts.x as f64 + prior, (counts.n - counts.x) as f64 + prior);
    (beta_lower_quantile(tail, a, b), beta_upper_quantile(tail, a, b))
}
