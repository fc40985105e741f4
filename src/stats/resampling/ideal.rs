//! Bootstrap distributions of a mean without drawing: every resample counted, or the binomial
//! distribution where there are two values only.

use crate::stats::Interval;
use crate::stats::distribution::{binomial_masses, normal_upper_quantile};

/// Most values of which all resamples are counted: 92,378 that differ.
const MOST_ENUMERATED: usize = 10;

/// Relative to the largest mean: closer ones are equal.
const TIE: f64 = 1e-12;

/// The means of all nⁿ resamples of n values.
#[derive(Debug, Clone, PartialEq)]
pub struct IdealMeans {
    /// Mean and number of resamples that have it, by mean; equal means may stand apart.
    means: Vec<(f64, f64)>,
    observed: f64,
}

impl IdealMeans {
    /// `None` without values and above ten.
    pub fn new(values: &[f64]) -> Option<Self> {
        if values.is_empty() || values.len() > MOST_ENUMERATED {
            return None;
        }
        let n = values.len();
        let mut means = Vec::new();
        count_resamples(values, n, 0.0, 1.0, &mut means);
        for (sum, _) in &mut means {
            *sum /= n as f64;
        }
        means.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        Some(Self { means, observed: values.iter().sum::<f64>() / n as f64 })
    }

    /// Number of resamples nⁿ.
    pub fn resamples(&self) -> f64 {
        self.means.iter().map(|(_, count)| count).sum()
    }

    /// Standard deviation of the means, which is √((n − 1)/n) times the usual standard error.
    pub fn stderr(&self) -> f64 {
        let squares: f64 =
            self.means.iter().map(|(mean, count)| count * (mean - self.observed).powi(2)).sum();
        (squares / self.resamples()).sqrt()
    }

    /// z₀: normal quantile of the share of means below the observed one, ties half.
    pub fn bias(&self) -> f64 {
        let size = self.means.iter().map(|(mean, _)| mean.abs()).fold(0.0, f64::max);
        let weight = |mean: f64| {
            let apart = mean - self.observed;
            if apart.abs() <= TIE * size { 0.5 } else { f64::from(u8::from(apart < 0.0)) }
        };
        let below: f64 = self.means.iter().map(|(mean, count)| count * weight(*mean)).sum();
        -normal_upper_quantile(below / self.resamples())
    }

    /// Type 7 quantile over all resamples.
    pub fn quantile(&self, p: f64) -> f64 {
        let place = p * (self.resamples() - 1.0);
        let (lower, upper) = (self.at(place.floor()), self.at(place.ceil()));
        lower + place.fract() * (upper - lower)
    }

    /// The mean with so many resamples before it in ascending order.
    fn at(&self, place: f64) -> f64 {
        let mut seen = 0.0;
        let reached = self.means.iter().find(|(_, count)| {
            seen += count;
            seen > place
        });
        reached.or(self.means.last()).map_or(f64::NAN, |(mean, _)| *mean)
    }
}

/// Adds sum and number of all resamples that draw `left` more from these values, each of them any
/// number of times.
fn count_resamples(values: &[f64], left: usize, sum: f64, count: f64, found: &mut Vec<(f64, f64)>) {
    let Some((value, others)) = values.split_first() else {
        return;
    };
    if others.is_empty() {
        found.push((sum + left as f64 * value, count));
        return;
    }
    let mut choices = count;
    for times in 0..=left {
        count_resamples(others, left - times, sum + times as f64 * value, choices, found);
        choices *= (left - times) as f64 / (times + 1) as f64;
    }
}

/// The percentile interval of the mean where it needs no drawing: up to ten values, and any number
/// of values of two kinds.
pub fn exact_percentile_of_mean(values: &[f64], level: f64) -> Option<Interval> {
    let tail = 0.5 * (1.0 - level);
    if let Some(ideal) = IdealMeans::new(values) {
        return Some(Interval { lo: ideal.quantile(tail), hi: ideal.quantile(1.0 - tail), level });
    }
    let (low, high, share) = two_kinds(values)?;
    let n = values.len();
    let mean = |p: f64| low + (high - low) * binomial_quantile(n, share, p) as f64 / n as f64;
    Some(Interval { lo: mean(tail), hi: mean(1.0 - tail), level })
}

/// The smaller and the larger of two values that a sample consists of, and the share of the larger.
fn two_kinds(values: &[f64]) -> Option<(f64, f64, f64)> {
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let highs = values.iter().filter(|value| **value == high).count();
    let lows = values.iter().filter(|value| **value == low).count();
    (low < high && highs + lows == values.len())
        .then(|| (low, high, highs as f64 / values.len() as f64))
}

/// Smallest k with P(X ≤ k) ≥ p for X binomial with n trials and a share in (0, 1).
fn binomial_quantile(n: usize, share: f64, p: f64) -> usize {
    let weights = binomial_masses(n as u64, share);
    let bound = p * weights.iter().sum::<f64>();
    let mut seen = 0.0;
    let reached = weights.iter().position(|weight| {
        seen += weight;
        seen >= bound
    });
    reached.unwrap_or(n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_resamples_are_counted() {
        for n in 1..=8_u8 {
            let values: Vec<f64> = (0..n).map(|i| f64::from(i * i)).collect();
            let ideal = IdealMeans::new(&values).expect("few values");
            assert_eq!(ideal.resamples(), f64::from(n).powi(n.into()), "{n} values");
        }
        assert_eq!(IdealMeans::new(&[0.0; 11]), None);
    }

    #[test]
    fn outcomes_of_two_kinds_are_binomial() {
        // scipy 1.17.1: binom.ppf([.025, .975], 200, .03) = 2, 11.
        let values: Vec<f64> = (0..200).map(|i| f64::from(u8::from(i < 6))).collect();
        let interval = exact_percentile_of_mean(&values, 0.95).expect("two kinds");
        assert_eq!((interval.lo, interval.hi), (0.01, 0.055));
    }
}
