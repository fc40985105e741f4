//! Student's t around an estimate with a standard error.

use crate::stats::distribution::{normal_two_sided, t_two_sided_p, t_upper_quantile};
use crate::stats::{Interval, Moments, Test};

/// Units below which a t interval leans on normality and says so.
pub const LARGE_SAMPLE: u64 = 30;

/// Spread relative to the scores that is rounding, not variation.
const ROUNDING: f64 = 1e-12;

/// t interval for the mean of values that were summed up as moments; `None` below two values or
/// without spread.
pub fn mean_interval(moments: Moments, level: f64) -> Option<Interval> {
    let stderr = moments.stderr().filter(|_| has_spread(moments, moments.mean.abs()))?;
    Some(t_interval(moments.mean, stderr, (moments.n - 1) as f64, level))
}

/// Interval for a mean of which `units` units all showed the same value: none of them differed, and
/// by Wilson's score limit (1927, *JASA* 22) a share of at most π = z²/(units + z²) of all units
/// does. Those may lie anywhere between −`bound` and `bound`, so the limits are
/// mean − π(bound + mean) and mean + π(bound − mean). For outcomes 0 or 1 that is Tango's interval
/// (1998, *Statistics in Medicine* 17), both without discordant pairs and with all pairs gained.
pub(in crate::stats) fn unanimous_interval(
    mean: f64,
    units: f64,
    bound: f64,
    level: f64,
) -> Interval {
    let square = normal_two_sided(level).powi(2);
    let differing = square / (units + square);
    let bound = bound.max(mean.abs());
    let (lo, hi) = (mean - differing * (bound + mean), mean + differing * (bound - mean));
    Interval { lo, hi, level }
}

/// estimate ± t·stderr, with `df` > 0 degrees of freedom.
pub fn t_interval(estimate: f64, stderr: f64, df: f64, level: f64) -> Interval {
    let half = t_upper_quantile(0.5 * (1.0 - level), df) * stderr;
    Interval { lo: estimate - half, hi: estimate + half, level }
}

/// The two-sided t test of a statistic with `df` > 0 degrees of freedom.
pub(in crate::stats) fn t_test(method: &'static str, t: f64, df: f64) -> Test {
    Test { method, p: t_two_sided_p(t, df), statistic: Some(t), attainable: None }
}

/// Whether the values vary by more than the rounding of numbers of size `scale`.
pub(in crate::stats) fn has_spread(moments: Moments, scale: f64) -> bool {
    moments.variance().is_some_and(|variance| variance.sqrt() > ROUNDING * scale)
}
