//! How often each value occurs, in bounded memory.

use crate::stats::{CompensatedSum, Moments};

/// Distinct values that are kept exactly.
const MOST_VALUES: usize = 65_536;
/// Bits of a mantissa.
const MANTISSA: u32 = 52;
/// Bits that are kept at least: beyond them there are too few distinct numbers to exceed the bound.
const FEWEST_BITS: u32 = 8;

/// Values that wait to be counted together, which costs less than one by one.
const MOST_FRESH: usize = 4096;

/// Values from 0 on with their counts: exact while they are few, else to a number of leading bits.
///
/// How many bits are kept depends on the set of values alone, not on their order: one more is
/// cut whenever more distinct values are left than are kept.
#[derive(Debug, Clone, Default)]
pub(super) struct MetricsDistribution {
    counted: Counted,
    /// Bits of values that are not counted yet.
    fresh: Vec<u64>,
    n: u64,
    sum: CompensatedSum,
}

/// Bits of values in ascending order, each with its count, and how many bits of the mantissa are cut.
#[derive(Debug, Clone, Default)]
struct Counted {
    counts: Vec<(u64, u64)>,
    cut: u32,
}

impl Counted {
    /// These with further ones, given by all of their bits.
    fn with(mut self, fresh: &[u64]) -> Self {
        let mut fresh: Vec<u64> = fresh.iter().map(|bits| bits >> self.cut).collect();
        fresh.sort_unstable();
        self.counts.extend(fresh.into_iter().map(|bits| (bits, 1)));
        // Two runs that are in order each are merged in one pass.
        self.counts.sort_by_key(|(bits, _)| *bits);
        self.add_equal();
        while self.counts.len() > MOST_VALUES && self.cut < MANTISSA - FEWEST_BITS {
            self.cut += 1;
            for (bits, _) in &mut self.counts {
                *bits >>= 1;
            }
            self.add_equal();
        }
        self
    }

    /// Makes one of neighbours with equal bits.
    fn add_equal(&mut self) {
        self.counts.dedup_by(|next, kept| {
            let is_equal = next.0 == kept.0;
            kept.1 += if is_equal { next.1 } else { 0 };
            is_equal
        });
    }
}

impl MetricsDistribution {
    /// Adds a finite value from 0 on.
    pub(super) fn add(&mut self, value: f64) {
        // A negative zero has other bits than zero.
        let value = value + 0.0;
        self.sum.add(value);
        self.n += 1;
        self.fresh.push(value.to_bits());
        if self.fresh.len() == MOST_FRESH {
            self.counted = std::mem::take(&mut self.counted).with(&self.fresh);
            self.fresh.clear();
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
        let (values, error) = self.values_and_error();
        let sum = match error {
            None => values.iter().map(|(value, count)| value * *count as f64).collect(),
            Some(_) => self.sum,
        };
        let mean = sum.total() / self.n as f64;
        let squares = values.iter().map(|(value, count)| (value - mean).powi(2) * *count as f64);
        Moments::new(self.n, mean, squares.collect::<CompensatedSum>().total())
    }

    /// The values in ascending order, each with its count.
    pub(super) fn values(&self) -> Vec<(f64, u64)> {
        self.values_and_error().0
    }

    /// The largest relative error of a value; `None` where all are exact.
    pub(super) fn error(&self) -> Option<f64> {
        self.values_and_error().1
    }

    fn values_and_error(&self) -> (Vec<(f64, u64)>, Option<f64>) {
        let Counted { counts, cut } = self.counted.clone().with(&self.fresh);
        // The middle of the numbers with these bits; 0 stays 0.
        let half = if cut == 0 { 0 } else { 1 << (cut - 1) };
        let value = |bits: u64| if bits == 0 { 0.0 } else { f64::from_bits(bits << cut | half) };
        let values = counts.into_iter().map(|(bits, count)| (value(bits), count)).collect();
        (values, (cut > 0).then(|| f64::from(MANTISSA - cut + 1).exp2().recip()))
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
        assert!(error < 1e-4 && up.values().len() <= MOST_VALUES, "{error}");
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
