//! Sums that do not depend on the order of what is added.

/// A sum that carries what rounding takes from it (Neumaier 1974, *ZAMM* 54): its relative error is
/// that of one addition, unless the values cancel.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct CompensatedSum {
    sum: f64,
    lost: f64,
}

impl CompensatedSum {
    /// Adds one finite value.
    pub fn add(&mut self, value: f64) {
        let sum = self.sum + value;
        self.lost += if self.sum.abs() >= value.abs() {
            (self.sum - sum) + value
        } else {
            (value - sum) + self.sum
        };
        self.sum = sum;
    }

    /// The sum so far; 0 without values.
    pub fn total(self) -> f64 {
        self.sum + self.lost
    }
}

impl FromIterator<f64> for CompensatedSum {
    fn from_iter<T: IntoIterator<Item = f64>>(values: T) -> Self {
        let mut sum = Self::default();
        values.into_iter().for_each(|value| sum.add(value));
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_values_survive_between_large_ones() {
        // Neumaier's example: a plain sum gives 0.
        let total = |values: [f64; 4]| values.into_iter().collect::<CompensatedSum>().total();
        assert_eq!(total([1.0, 1e100, 1.0, -1e100]), 2.0);
        assert_eq!(total([1e100, 1.0, -1e100, 1.0]), 2.0);
    }
}
