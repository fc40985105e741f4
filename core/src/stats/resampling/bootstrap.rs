//! The bootstrap: intervals from samples drawn again from the sample.
//!
//! Percentile and studentized intervals (Efron and Tibshirani 1993, *An Introduction to the
//! Bootstrap*, chapters 12 and 13). The unit that is drawn is the caller's: pairs, problems, whole
//! clusters, never single rows of these.

use super::random::{Below, MOST_IN_WORD, in_blocks};
use crate::stats::means::student::has_spread;
use crate::stats::{Interval, Moments};

/// Resamples for intervals.
pub const RESAMPLES: usize = 9_999;

/// Resamples of a block.
const BLOCK: usize = 64;

/// Spread of a resample, relative to that of the sample, that is rounding.
const ROUNDING: f64 = 1e-14;

/// Type 7 quantile of ascending values (Hyndman and Fan 1996); NaN without values.
pub fn quantile(ascending: &[f64], p: f64) -> f64 {
    let Some(last) = ascending.len().checked_sub(1) else {
        return f64::NAN;
    };
    let place = p.clamp(0.0, 1.0) * last as f64;
    let below = place.floor() as usize;
    let (lower, upper) = (ascending[below], ascending[last.min(below + 1)]);
    // Without the test an infinite neighbour would turn a share of 0 into NaN.
    if lower == upper || place.fract() == 0.0 {
        return lower;
    }
    lower + place.fract() * (upper - lower)
}

/// The central share `level` of ascending resampled values.
pub fn percentile(resampled: &[f64], level: f64) -> Interval {
    let tail = 0.5 * (1.0 - level);
    Interval { lo: quantile(resampled, tail), hi: quantile(resampled, 1.0 - tail), level }
}

/// Values of any statistic over `count` resamples of `units` units, ascending. The statistic gets
/// the numbers of the drawn units; where it is not finite, the resample is left out.
pub fn resampled(
    units: usize,
    count: usize,
    statistic: impl Fn(&[usize]) -> f64 + Sync,
) -> Vec<f64> {
    let below = Below::new(units);
    let values = in_blocks(count, BLOCK, |stream, _, count| {
        let mut drawn = Vec::with_capacity(units);
        let value = |_| {
            drawn.clear();
            below.each(stream, units, |_, unit| drawn.push(unit));
            statistic(&drawn)
        };
        (0..count).map(value).filter(|value| value.is_finite()).collect()
    });
    ascending(values)
}

/// A mean with what its studentized interval (bootstrap-t) needs at any level: quantiles of
/// (mean* − mean)/stderr* over resamples take the place of those of Student's t. A resample without
/// spread counts as infinitely far away.
#[derive(Debug, Clone, PartialEq)]
pub struct StudentizedMean {
    mean: f64,
    stderr: f64,
    /// t statistics of the resamples, ascending.
    resampled: Vec<f64>,
}

impl StudentizedMean {
    /// Resamples the values `count` times; `None` without spread.
    pub fn new(values: &[f64], count: usize) -> Option<Self> {
        let moments: Moments = values.iter().copied().collect();
        let stderr = moments.stderr().filter(|_| has_spread(moments, moments.mean.abs()))?;
        let apart: Vec<f64> = values.iter().map(|value| value - moments.mean).collect();
        let resampled = resampled_t(&apart, moments.m2, count);
        Some(Self { mean: moments.mean, stderr, resampled })
    }

    /// The interval. `None` where a limit lies beyond all resamples because many of them have no
    /// spread, and at levels at which less than one resample would lie beyond either limit.
    pub fn interval(&self, level: f64) -> Option<Interval> {
        if 0.5 * (1.0 - level) * ((self.resampled.len() + 1) as f64) < 1.0 {
            return None;
        }
        let quantiles = percentile(&self.resampled, level);
        let limit = |t: f64| self.mean - t * self.stderr;
        let (lo, hi) = (limit(quantiles.hi), limit(quantiles.lo));
        (lo.is_finite() && hi.is_finite()).then_some(Interval { lo, hi, level })
    }
}

/// t statistics of resamples of values with mean 0 and this sum of squares, ascending.
fn resampled_t(apart: &[f64], squares: f64, count: usize) -> Vec<f64> {
    let (below, n) = (Below::new(apart.len()), apart.len() as f64);
    let statistics = in_blocks(count, BLOCK, |stream, _, count| {
        let statistic = |_| {
            let (mut sums, mut squared) = ([0.0; MOST_IN_WORD], [0.0; MOST_IN_WORD]);
            below.each(stream, apart.len(), |lane, unit| {
                let value = apart[unit];
                sums[lane] += value;
                squared[lane] += value * value;
            });
            let mean = sums.iter().sum::<f64>() / n;
            let spread = squared.iter().sum::<f64>() - n * mean * mean;
            let stderr = (spread / (n * (n - 1.0))).sqrt();
            if mean == 0.0 {
                0.0
            } else if spread > ROUNDING * squares {
                mean / stderr
            } else {
                mean.signum() * f64::INFINITY
            }
        };
        (0..count).map(statistic).collect()
    });
    ascending(statistics)
}

fn ascending(mut values: Vec<f64>) -> Vec<f64> {
    values.sort_unstable_by(f64::total_cmp);
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    fn studentized(values: &[f64]) -> Option<Interval> {
        StudentizedMean::new(values, RESAMPLES)?.interval(0.95)
    }

    #[test]
    fn an_interval_does_not_depend_on_the_number_of_threads() {
        let values: Vec<f64> = (1..=200).map(|i| -(f64::from(i) / 201.0).ln()).collect();
        let interval = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| studentized(&values))
        };
        assert_eq!(interval(1), interval(4));
        assert!(interval(1).is_some());
    }

    #[test]
    fn a_studentized_limit_beyond_all_resamples_is_none() {
        // One value in thirty differs: e^-1 of all resamples lack it and have no spread.
        let mut values = [0.0; 30];
        values[7] = 1.0;
        assert_eq!(studentized(&values), None);
        assert_eq!(studentized(&[0.5; 30]), None);
    }

    #[test]
    fn quantiles_are_those_of_type_7() {
        let values = [1.0, 2.0, 4.0, 8.0];
        assert_eq!([0.0, 0.25, 0.5, 1.0].map(|p| quantile(&values, p)), [1.0, 1.75, 3.0, 8.0]);
        assert!(quantile(&[], 0.5).is_nan());
    }
}
