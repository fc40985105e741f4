//! The bootstrap: intervals from samples drawn again from the sample.
//!
//! Percentile, `BCa` and studentized intervals (Efron and Tibshirani 1993, *An Introduction to the
//! Bootstrap*, chapters 12 to 14). The unit that is drawn is the caller's: pairs, problems, whole
//! clusters, never single rows of these.

use super::random::{Below, MOST_IN_WORD, in_blocks};
use crate::stats::distribution::{normal_sf, normal_upper_quantile};
use crate::stats::means::one::has_spread;
use crate::stats::{Interval, Moments};

/// Resamples for intervals.
pub const RESAMPLES: usize = 9_999;

/// Units from which on the acceleration can be estimated at all.
pub const FEWEST_UNITS: usize = 10;

/// Resamples of a block.
const BLOCK: usize = 64;

/// Relative to the largest resampled value: closer ones are equal.
const TIE: f64 = 1e-12;

/// Spread of a resample, relative to that of the sample, that is rounding.
const ROUNDING: f64 = 1e-14;

/// Why there is no interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Declined {
    /// Fewer than [`FEWEST_UNITS`] units.
    TooFew,
    /// The statistic is the same whichever unit is left out.
    NoSpread,
    /// A limit lies beyond all resamples: too many of them are degenerate or on one side.
    BeyondResamples,
}

/// What `BCa` corrects the percentile interval by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Correction {
    /// z₀: normal quantile of the share of resampled values below the observed one, ties half.
    pub bias: f64,
    /// a: a sixth of the skewness of the jackknife values.
    pub acceleration: f64,
}

impl Correction {
    /// The `BCa` interval over the resampled values in ascending order (Efron 1987).
    pub fn interval(self, resampled: &[f64], level: f64) -> Result<Interval, Declined> {
        let z = normal_upper_quantile(0.5 * (1.0 - level));
        let share = |z: f64| {
            let shifted = self.bias + z;
            let shrink = 1.0 - self.acceleration * shifted;
            (shrink > 0.0).then(|| normal_sf(-(self.bias + shifted / shrink)))
        };
        let (lo, hi) = share(-z).zip(share(z)).ok_or(Declined::BeyondResamples)?;
        let limits = Interval { lo: quantile(resampled, lo), hi: quantile(resampled, hi), level };
        finite(limits)
    }
}

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

/// Means of `count` resamples, ascending.
pub fn resampled_means(values: &[f64], count: usize) -> Vec<f64> {
    let (n, below) = (values.len(), Below::new(values.len()));
    let means = in_blocks(count, BLOCK, |stream, _, count| {
        let mean = |_| {
            let mut sums = [0.0; MOST_IN_WORD];
            below.each(stream, n, |lane, unit| sums[lane] += values[unit]);
            sums.iter().sum::<f64>() / n as f64
        };
        (0..count).map(mean).collect()
    });
    ascending(means)
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

/// z₀ of ascending resampled values; `None` where all of them lie on one side.
pub fn bias(resampled: &[f64], observed: f64) -> Option<f64> {
    let size = resampled.iter().map(|value| value.abs()).fold(0.0, f64::max);
    let below = resampled.partition_point(|value| *value < observed - TIE * size);
    let not_above = resampled.partition_point(|value| *value <= observed + TIE * size);
    let share = (below + not_above) as f64 / (2 * resampled.len()) as f64;
    (share > 0.0 && share < 1.0).then(|| -normal_upper_quantile(share))
}

/// The acceleration from the values of the statistic with each unit left out in turn; `None` when
/// all are equal.
pub fn acceleration(left_out: &[f64]) -> Option<f64> {
    let n = left_out.len() as f64;
    let mean = left_out.iter().sum::<f64>() / n;
    let (mut squares, mut cubes) = (0.0, 0.0);
    for value in left_out {
        let apart = mean - value;
        squares += apart * apart;
        cubes += apart * apart * apart;
    }
    ((squares / n).sqrt() > TIE * mean.abs()).then(|| cubes / (6.0 * squares * squares.sqrt()))
}

/// [`acceleration`] of the mean, without leaving anything out: it is a sixth of the skewness of the
/// values over √n.
pub fn acceleration_of_mean(values: &[f64]) -> Option<f64> {
    let mirrored: Vec<f64> = values.iter().map(|value| -value).collect();
    acceleration(&mirrored)
}

/// The `BCa` interval of the mean from [`RESAMPLES`] resamples, with its correction.
pub fn bca_of_mean(values: &[f64], level: f64) -> Result<(Correction, Interval), Declined> {
    let acceleration = acceleration_of_mean(values).ok_or(Declined::NoSpread)?;
    let observed = values.iter().sum::<f64>() / values.len() as f64;
    bca(values.len(), &resampled_means(values, RESAMPLES), observed, acceleration, level)
}

/// The `BCa` interval of any statistic of `units` units from `count` resamples. The statistic gets
/// numbers of units, with repeats.
pub fn bca_of(
    units: usize,
    count: usize,
    level: f64,
    statistic: impl Fn(&[usize]) -> f64 + Sync,
) -> Result<(Correction, Interval), Declined> {
    let all: Vec<usize> = (0..units).collect();
    let left_out = |unit: usize| {
        let others: Vec<usize> = all.iter().copied().filter(|other| *other != unit).collect();
        statistic(&others)
    };
    let jackknife: Vec<f64> = all.iter().map(|unit| left_out(*unit)).collect();
    let acceleration = acceleration(&jackknife).ok_or(Declined::NoSpread)?;
    bca(units, &resampled(units, count, &statistic), statistic(&all), acceleration, level)
}

fn bca(
    units: usize,
    resampled: &[f64],
    observed: f64,
    acceleration: f64,
    level: f64,
) -> Result<(Correction, Interval), Declined> {
    if units < FEWEST_UNITS {
        return Err(Declined::TooFew);
    }
    let bias = bias(resampled, observed).ok_or(Declined::BeyondResamples)?;
    let correction = Correction { bias, acceleration };
    Ok((correction, correction.interval(resampled, level)?))
}

/// The studentized interval of the mean (bootstrap-t): quantiles of (mean* − mean)/stderr* over
/// `count` resamples take the place of those of Student's t. A resample without spread counts as
/// infinitely far away.
pub fn studentized_mean(values: &[f64], count: usize, level: f64) -> Result<Interval, Declined> {
    StudentizedMean::new(values, count)?.interval(level)
}

/// A mean with what is needed for its [`studentized_mean`] at any level.
#[derive(Debug, Clone, PartialEq)]
pub struct StudentizedMean {
    mean: f64,
    stderr: f64,
    /// t statistics of the resamples, ascending.
    resampled: Vec<f64>,
}

impl StudentizedMean {
    /// Resamples the values `count` times.
    pub fn new(values: &[f64], count: usize) -> Result<Self, Declined> {
        let moments: Moments = values.iter().copied().collect();
        let stderr = moments
            .stderr()
            .filter(|_| has_spread(moments, moments.mean.abs()))
            .ok_or(Declined::NoSpread)?;
        let apart: Vec<f64> = values.iter().map(|value| value - moments.mean).collect();
        let resampled = resampled_t(&apart, moments.m2, count);
        Ok(Self { mean: moments.mean, stderr, resampled })
    }

    /// The interval; [`Declined::BeyondResamples`] also at levels of which so many resamples show
    /// nothing, because less than one of them would lie beyond either limit.
    pub fn interval(&self, level: f64) -> Result<Interval, Declined> {
        if 0.5 * (1.0 - level) * ((self.resampled.len() + 1) as f64) < 1.0 {
            return Err(Declined::BeyondResamples);
        }
        let quantiles = percentile(&self.resampled, level);
        let limit = |t: f64| self.mean - t * self.stderr;
        finite(Interval { lo: limit(quantiles.hi), hi: limit(quantiles.lo), level })
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

fn finite(interval: Interval) -> Result<Interval, Declined> {
    let limits = interval.lo.is_finite() && interval.hi.is_finite();
    limits.then_some(interval).ok_or(Declined::BeyondResamples)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skewed(n: u32) -> Vec<f64> {
        (1..=n).map(|i| -(f64::from(i) / f64::from(n + 1)).ln()).collect()
    }

    #[test]
    fn intervals_do_not_depend_on_the_number_of_threads() {
        let values = skewed(200);
        let intervals = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                (bca_of_mean(&values, 0.95), studentized_mean(&values, RESAMPLES, 0.95))
            })
        };
        assert_eq!(intervals(1), intervals(4));
        assert!(intervals(1).0.is_ok());
    }

    #[test]
    fn bca_is_declined_below_ten_units_and_without_spread() {
        assert_eq!(bca_of_mean(&skewed(9), 0.95), Err(Declined::TooFew));
        assert_eq!(bca_of_mean(&[0.1; 30], 0.95), Err(Declined::NoSpread));
        assert_eq!(bca_of(30, 99, 0.95, |_| 1.0), Err(Declined::NoSpread));
        assert!(bca_of_mean(&skewed(10), 0.95).is_ok());
    }

    #[test]
    fn a_studentized_limit_beyond_all_resamples_is_declined() {
        // One value in thirty differs: e^-1 of all resamples lack it and have no spread.
        let mut values = [0.0; 30];
        values[7] = 1.0;
        let interval = studentized_mean(&values, RESAMPLES, 0.95);
        assert_eq!(interval, Err(Declined::BeyondResamples));
        assert_eq!(studentized_mean(&[0.5; 30], RESAMPLES, 0.95), Err(Declined::NoSpread));
    }

    #[test]
    fn leaving_out_each_unit_gives_the_acceleration_of_the_mean() {
        let values = skewed(25);
        let sum: f64 = values.iter().sum();
        let left_out: Vec<f64> = values.iter().map(|value| (sum - value) / 24.0).collect();
        let (long, short) = (acceleration(&left_out), acceleration_of_mean(&values));
        assert!(long.zip(short).is_some_and(|(a, b)| (a - b).abs() < 1e-12), "{long:?} {short:?}");
    }

    #[test]
    fn quantiles_are_those_of_type_7() {
        let values = [1.0, 2.0, 4.0, 8.0];
        assert_eq!([0.0, 0.25, 0.5, 1.0].map(|p| quantile(&values, p)), [1.0, 1.75, 3.0, 8.0]);
        assert!(quantile(&[], 0.5).is_nan());
    }
}
