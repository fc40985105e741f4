//! Student's t around an estimate with a standard error.

use crate::stats::distribution::t_upper_quantile;
use crate::stats::{Interval, Moments};

/// Units below which a t interval leans on normality and says so.
pub(in crate::stats) const LARGE_SAMPLE: u64 = 30;

/// Spread relative to the scores that is rounding, not variation.
const ROUNDING: f64 = 1e-12;

/// t interval for the mean of values that were summed up as moments; `None` below two values or
/// without spread.
pub fn mean_interval(moments: Moments, level: f64) -> Option<Interval> {
    let stderr = moments.stderr().filter(|_| has_spread(moments, moments.mean.abs()))?;
    Some(t_interval(moments.mean, stderr, (moments.n - 1) as f64, level))
}

/// estimate ± t·stderr, with `df` > 0 degrees of freedom.
pub fn t_interval(estimate: f64, stderr: f64, df: f64, level: f64) -> Interval {
    let half = t_upper_quantile(0.5 * (1.0 - level), df) * stderr;
    Interval { lo: estimate - half, hi: estimate + half, level }
}

/// Whether the values vary by more than the rounding of numbers of size `scale`.
pub(in crate::stats) fn has_spread(moments: Moments, scale: f64) -> bool {
    moments.variance().is_some_and(|variance| variance.sqrt() > ROUNDING * scale)
}
