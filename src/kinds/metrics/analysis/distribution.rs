//! How often each value occurs, in bounded memory.

use std::collections::BTreeMap;

use crate::stats::{CompensatedSum, Moments};

/// Distinct values that are kept exactly.
const MOST_VALUES: usize = 65_536;
/// Bits of a mantissa.
const MANTISSA: u32 = 52;
/// Bits that are kept at least: beyond them there are too few distinct numbers to exceed the bound.
const FEWEST_BITS: u32 = 8;

/// Values from 0 on with their counts: exact while they are few, else to a number of leading bits.
///
/// How many bits are kept depends on the set of values alone, not on their order: one more is
/// cut whenever more distinct values are left than are kept.
#[derive(Debug, Clone, Default)]
pub(super) struct MetricsDistribution {
    counts: BTreeMap<u64, u64>,
    /// Bits of the mantissa that are cut.
    cut: u32,
    n: u64,
    sum: CompensatedSum,
}

impl MetricsDistribution {
    /// Adds a finite value from 0 on.
    pub(super) fn add(&mut self, value: f64) {
        // A negative zero has other bits than zero.
        let value = value + 0.0;
        self.sum.add(value);
        self.n += 1;
        *self.counts.entry(value.to_bits() >> self.cut).or_insert(0) += 1;
        while self.counts.len() > MOST_VALUES && self.cut < MANTISSA - FEWEST_BITS {
            self.cut += 1;
            let fine = std::mem::take(&mut self.counts);
            for (bits, count) in fine {
                *self.counts.entry(bits >> 1).or_insert(0) += count;
            }
        }
    }

    /// How many values there are.
    pub(super) fn n(&self) -> u64 {
        self.n
    }

    /// Number, mean and squared deviations of the values: added up in ascending order where they are
    /// exact, so that the order in which they came is not seen; else the mean is that of the values
    /// as they came, and the deviations are those of the rounded ones.
    pub(super) fn moments(&self) -> Moments {
        if self.n == 0 {
            return Moments::default();
        }
        let values = self.values();
        let sum = match self.cut {
            0 => values.iter().map(|(value, count)| value * *count as f64).collect(),
            _ => self.sum,
        };
        let mean = sum.total() / self.n as f64;
        let squares = values.iter().map(|(value, count)| (value - mean).powi(2) * *count as f64);
        Moments::new(self.n, mean, squares.collect::<CompensatedSum>().total())
    }

    /// The values in ascending order, each with its count.
    pub(super) fn values(&self) -> Vec<(f64, u64)> {
        // The middle of the numbers with these bits; 0 stays 0.
        let half = if self.cut == 0 { 0 } else { 1 << (self.cut - 1) };
        let value =
            |bits: u64| if bits == 0 { 0.0 } else { f64::from_bits(bits << self.cut | half) };
        self.counts.iter().map(|(bits, count)| (value(*bits), *count)).collect()
    }

    /// The largest relative error of a value; `None` where all are exact.
    pub(super) fn error(&self) -> Option<f64> {
        (self.cut > 0).then(|| f64::from(MANTISSA - self.cut + 1).exp2().recip())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_values_are_exact() {
        let mut found = MetricsDistribution::default();
        for value in [0.5, -0.0, 1.0, 0.5] {
            found.add(value);
        }
        assert_eq!(found.values(), [(0.0, 1), (0.5, 2), (1.0, 1)]);
        assert_eq!((found.n(), found.moments().mean, found.error()), (4, 0.5, None));
    }

    #[test]
    fn many_values_are_within_the_stated_error_in_any_order() {
        let values: Vec<f64> = (0..200_000).map(|at| 1.0 + f64::from(at) * 1.000_1).collect();
        let (mut up, mut down) = (MetricsDistribution::default(), MetricsDistribution::default());
        for value in &values {
            up.add(*value);
        }
        for value in values.iter().rev() {
            down.add(*value);
        }
        assert_eq!(up.values(), down.values());
        let error = up.error().expect("approximate");
        assert!(error < 1e-4 && up.counts.len() <= MOST_VALUES, "{error}");
        let kept = up.values();
        let mut at = 0;
        for (value, count) in kept {
            for exact in &values[at..at + count as usize] {
                assert!((value - exact).abs() <= error * exact, "{value} {exact} {error}");
            }
            at += count as usize;
        }
    }
}
