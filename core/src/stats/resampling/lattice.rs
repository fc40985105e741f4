//! Exact sign flips of values that are whole multiples of one step, for any number of them.
//!
//! Scores of tests, shares of K repeats and figures printed with few decimals lie on such a grid.
//! Their flipped sums can be counted one value at a time over the points of the grid instead of
//! pattern by pattern (the shift algorithm of Streitberg and Röhmel 1986).

use crate::stats::distribution::fair_binomial_cdf;

/// Distance to a whole multiple, relative to the largest value, that is rounding.
const ROUNDING: f64 = 1e-9;

/// Most steps for the largest value: a finer grid would be found in any numbers.
const FINEST: f64 = 1e6;

/// Most additions for one test.
const MOST_ADDITIONS: u128 = 4_000_000;

/// Probabilities below are dropped: denormal numbers would slow everything down.
const NEGLIGIBLE: f64 = 1e-300;

/// Share of the sign patterns whose sum is at least as far from 0 as the sum of the values, which
/// must not be 0. `None` where they have no common step or too many points of the grid lie between.
pub(super) fn share_as_extreme(values: &[f64]) -> Option<f64> {
    let multiples = multiples(values)?;
    let total: u64 = multiples.iter().sum();
    let positive: u64 =
        multiples.iter().zip(values).filter(|(_, value)| **value > 0.0).map(|(k, _)| k).sum();
    let shorter = positive.min(total - positive);
    if 2 * shorter == total {
        return Some(1.0);
    }
    let additions = u128::from(shorter + 1) * multiples.len() as u128;
    if additions <= MOST_ADDITIONS {
        return Some((2.0 * share_up_to(&multiples, shorter)).min(1.0));
    }
    // Values of one size are tosses of a fair coin, however many.
    let tosses = multiples.iter().all(|k| *k == 1);
    tosses.then(|| (2.0 * fair_binomial_cdf(shorter, total)).min(1.0))
}

/// The sizes of the values as whole multiples of their largest common step.
fn multiples(values: &[f64]) -> Option<Vec<u64>> {
    let largest = values.iter().map(|value| value.abs()).fold(0.0, f64::max);
    let mut step = 0.0;
    for value in values {
        step = common_step(step, value.abs(), ROUNDING * largest);
        if step * FINEST < largest {
            return None;
        }
    }
    let sizes: Vec<f64> = values.iter().map(|value| value.abs()).collect();
    let multiples: Vec<f64> = sizes.iter().map(|size| (size / step).round()).collect();
    // Euclid's remainders carry the rounding of the values; the mean step does not.
    let step = sizes.iter().sum::<f64>() / multiples.iter().sum::<f64>();
    let fits = sizes
        .iter()
        .zip(&multiples)
        .all(|(size, k)| *k >= 1.0 && (size - k * step).abs() <= ROUNDING * largest);
    fits.then(|| multiples.iter().map(|k| *k as u64).collect())
}

/// Euclid's algorithm for numbers of which less than `rounding` counts as 0.
fn common_step(mut a: f64, mut b: f64, rounding: f64) -> f64 {
    while b > rounding {
        // The remainder to the nearest multiple: one just below a multiple is 0, not almost b.
        let remainder = (a - (a / b).round() * b).abs();
        (a, b) = (b, remainder);
    }
    a
}

/// Share of all subsets whose multiples sum up to `bound` or less.
fn share_up_to(multiples: &[u64], bound: u64) -> f64 {
    let points = bound as usize + 1;
    let mut shares = vec![0.0; points];
    shares[0] = 1.0;
    let mut next = vec![0.0; points];
    for k in multiples {
        let (kept, moved) = next.split_at_mut(points.min(*k as usize));
        for (next, without) in kept.iter_mut().zip(&shares) {
            *next = halved(*without);
        }
        for ((next, without), with) in moved.iter_mut().zip(&shares[kept.len()..]).zip(&shares) {
            *next = halved(without + with);
        }
        (shares, next) = (next, shares);
    }
    shares.iter().sum()
}

fn halved(share: f64) -> f64 {
    if share < NEGLIGIBLE { 0.0 } else { 0.5 * share }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_common_step_is_found_in_rounded_numbers() {
        assert_eq!(multiples(&[0.3, -0.1, 0.1 * 7.0]), Some(vec![3, 1, 7]));
        assert_eq!(multiples(&[1.0 / 3.0, -1.0, 0.25]), Some(vec![4, 12, 3]));
        assert_eq!(multiples(&[0.1 + 0.2, 0.9 - 0.8, 0.5]), Some(vec![3, 1, 5]));
    }

    #[test]
    fn arbitrary_numbers_have_no_common_step() {
        assert_eq!(multiples(&[0.5_f64.sqrt(), 0.1, -0.31]), None);
        assert_eq!(share_as_extreme(&[0.5_f64.sqrt(), 0.1, -0.31]), None);
    }

    #[test]
    fn equal_sizes_are_tosses_of_a_coin() {
        let values = [0.7, 0.7, -0.7, 0.7, 0.7, 0.7];
        assert_eq!(share_as_extreme(&values), Some(14.0 / 64.0));
        let many: Vec<f64> = (0..100_000).map(|i| if i % 200 < 99 { -0.5 } else { 0.5 }).collect();
        let exact = 2.0 * fair_binomial_cdf(49_500, 100_000);
        assert_eq!(share_as_extreme(&many), Some(exact));
    }

    #[test]
    fn counting_on_the_grid_equals_counting_subsets() {
        // Subsets of {1, 2, 3, 5} with a sum up to 4: {}, {1}, {2}, {3}, {1, 2}, {1, 3}.
        assert_eq!(share_up_to(&[1, 2, 3, 5], 4), 6.0 / 16.0);
    }
}
