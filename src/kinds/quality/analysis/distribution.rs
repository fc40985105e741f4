//! How scores lie: from counts by value, without a list of them.

use crate::model::logs::Values;
use crate::stats::{Moments, mean_interval, quantile};

/// Fewest values of which an interval of the mean is given.
const FEWEST: u64 = 3;

#[derive(Debug, Clone, PartialEq)]
pub struct QualityDistribution {
    /// How many scores; at least 1.
    pub n: u64,
    pub sum: f64,
    pub mean: f64,
    /// Student's t interval of the mean at 95%; `None` below three scores or without spread.
    pub interval: Option<[f64; 2]>,
    /// Minimum, quartiles and maximum, by linear interpolation (type 7 of Hyndman and Fan 1996).
    pub five: [f64; 5],
    /// Distinct scores, ascending, each with how often it is there.
    pub counts: Vec<(f64, u64)>,
    /// Whether some scores were rounded to three digits when they were counted.
    pub rounded: bool,
}

impl QualityDistribution {
    /// The distribution of values; `None` without any.
    pub fn new(values: &Values) -> Option<Self> {
        let counts: Vec<(f64, u64)> = values.iter().collect();
        let [min, q1, median, q3, max] =
            [0.0, 0.25, 0.5, 0.75, 1.0].map(|share| quantile(&counts, share));
        let five = [min?, q1?, median?, q3?, max?];
        let n = values.n();
        let sum: f64 = values.iter().map(|(value, count)| value * count as f64).sum();
        let mean = sum / n as f64;
        let m2 = values.iter().map(|(value, count)| count as f64 * (value - mean).powi(2)).sum();
        let interval = (n >= FEWEST)
            .then(|| mean_interval(Moments::new(n, mean, m2), super::LEVEL))
            .flatten()
            .map(|interval| [interval.lo, interval.hi]);
        Some(Self { n, sum, mean, interval, five, counts, rounded: values.rounded })
    }

    /// Counts in at most `most` classes of one width, as lower and upper limit and count; single
    /// values where there are few.
    pub fn classes(&self, most: usize) -> Vec<(f64, f64, u64)> {
        let [lo, .., hi] = self.five;
        if self.counts.len() <= most || lo == hi {
            return self.counts.iter().map(|(value, count)| (*value, *value, *count)).collect();
        }
        let width = (hi - lo) / most as f64;
        let limit = |class: usize| lo + width * class as f64;
        let mut classes: Vec<_> =
            (0..most).map(|class| (limit(class), limit(class + 1), 0)).collect();
        for (value, count) in &self.counts {
            let class = (((value - lo) / width) as usize).min(most - 1);
            if let Some((_, _, all)) = classes.get_mut(class) {
                *all += count;
            }
        }
        classes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distribution(values: &[f64]) -> QualityDistribution {
        let mut counted = Values::default();
        for value in values {
            counted.add(*value);
        }
        QualityDistribution::new(&counted).expect("values")
    }

    #[test]
    fn quartiles_and_interval_are_those_of_numpy_and_scipy() {
        // numpy.quantile(x, [0, .25, .5, .75, 1]); mean ± t(0.975, 8)·sd/3.
        let found = distribution(&[10.0, -5.0, -5.0, -5.0, -5.0, -2.0, 0.0, 0.0, 0.0]);
        assert_eq!((found.n, found.sum, found.five), (9, -12.0, [-5.0, -5.0, -2.0, 0.0, 10.0]));
        assert!((found.mean + 4.0 / 3.0).abs() < 1e-12);
        let [lo, hi] = found.interval.expect("an interval");
        assert!((lo + 5.059_59).abs() < 1e-4 && (hi - 2.392_92).abs() < 1e-4, "{lo} {hi}");
        let four = distribution(&[1.0, 2.0, 4.0, 8.0]);
        assert_eq!(four.five, [1.0, 1.75, 3.0, 5.0, 8.0]);
    }

    #[test]
    fn few_values_have_no_interval_and_equal_ones_one_class() {
        assert_eq!(distribution(&[1.0, 2.0]).interval, None);
        assert_eq!(distribution(&[3.0; 5]).classes(4), [(3.0, 3.0, 5)]);
        let many: Vec<f64> = (0..100).map(f64::from).collect();
        let classes = distribution(&many).classes(4);
        assert_eq!(classes.iter().map(|class| class.2).collect::<Vec<_>>(), [25, 25, 25, 25]);
    }
}
