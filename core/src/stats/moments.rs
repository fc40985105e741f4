//! Count, mean and spread of numbers, added one by one or counted.

use super::CompensatedSum;

/// Count, mean and sum of squared deviations (Welford 1962). The mean is a compensated sum over the count, so that the order of the values cannot be
/// seen in it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Moments {
    pub n: u64,
    /// Arithmetic mean; 0 without values.
    pub mean: f64,
    /// Sum of squared deviations from the mean.
    pub m2: f64,
    sum: CompensatedSum,
}

impl Moments {
    /// Moments from a count, a mean and a sum of squared deviations that were computed elsewhere.
    pub fn new(n: u64, mean: f64, m2: f64) -> Self {
        Self { n, mean, m2, sum: std::iter::once(n as f64 * mean).collect() }
    }

    /// The moments of finite values, each with how often it occurs.
    pub fn counted(values: impl Iterator<Item = (f64, u64)> + Clone) -> Self {
        let n: u64 = values.clone().map(|(_, count)| count).sum();
        let sum: CompensatedSum =
            values.clone().map(|(value, count)| value * count as f64).collect();
        let mean = if n > 0 { sum.total() / n as f64 } else { 0.0 };
        let m2 = values.map(|(value, count)| (value - mean).powi(2) * count as f64).sum();
        Self { n, mean, m2, sum }
    }

    /// Adds one finite value.
    pub fn add(&mut self, value: f64) {
        self.n += 1;
        let before = value - self.mean;
        self.sum.add(value);
        self.set_mean(self.mean + before / self.n as f64);
        self.m2 += before * (value - self.mean);
    }

    /// The mean of the sum; `updated` where that sum is beyond the range of numbers.
    fn set_mean(&mut self, updated: f64) {
        let mean = self.sum.total() / self.n as f64;
        self.mean = if mean.is_finite() { mean } else { updated };
    }

    /// Sample variance (n − 1); `None` below two values.
    pub fn variance(self) -> Option<f64> {
        (self.n >= 2).then(|| (self.m2 / (self.n - 1) as f64).max(0.0))
    }

    /// Standard error of the mean; `None` below two values.
    pub fn stderr(self) -> Option<f64> {
        self.variance().map(|variance| (variance / self.n as f64).sqrt())
    }
}

impl FromIterator<f64> for Moments {
    fn from_iter<T: IntoIterator<Item = f64>>(values: T) -> Self {
        let mut moments = Self::default();
        values.into_iter().for_each(|value| moments.add(value));
        moments
    }
}
