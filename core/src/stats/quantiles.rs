//! Quantiles of values with counts, and what can be said of them without assuming a distribution.

use crate::stats::Interval;
use crate::stats::distribution::binomial_cdf;
use crate::stats::distribution::root::first_where;

/// The quantile of `values` (ascending, each with how often it occurs) at `share` in [0, 1]: linear
/// between the two neighbours of position 1 + (n − 1)·share, definition 7 of Hyndman and Fan (1996,
/// *The American Statistician* 50), which is also `numpy`'s. `None` without values.
pub fn quantile(values: &[(f64, u64)], share: f64) -> Option<f64> {
    let n: u64 = values.iter().map(|(_, count)| count).sum();
    let last = n.checked_sub(1)?;
    let position = last as f64 * share;
    let below = (position.floor() as u64).min(last);
    let lower = nth(values, below)?;
    let upper = nth(values, (below + 1).min(last))?;
    let part = position - below as f64;
    // Not lower + part·(upper − lower): between equal values that may differ from them.
    Some(if part == 0.0 || lower == upper { lower } else { lower + part * (upper - lower) })
}

/// An interval for the quantile from order statistics (Conover 1999, *Practical Nonparametric
/// Statistics*, section 3.2): from the r-th to the s-th smallest value, where P(X ≤ r − 1) and
/// P(X ≥ s) are at most (1 − level)/2 for X binomial with n trials of probability `share`. It covers
/// at least at its level for any distribution, ties included. `None` where n is too small for it.
pub fn quantile_interval(values: &[(f64, u64)], share: f64, level: f64) -> Option<Interval> {
    let n: u64 = values.iter().map(|(_, count)| count).sum();
    let tail = 0.5 * (1.0 - level);
    // How many r have P(X ≤ r − 1) ≤ tail: the cumulative probability rises with r.
    let r = first_where(0, n, |k| binomial_cdf(k, n, share) > tail);
    // The least s with P(X ≤ s − 1) ≥ 1 − tail.
    let s = first_where(0, n, |k| binomial_cdf(k, n, share) >= 1.0 - tail) + 1;
    if r == 0 || s > n {
        return None;
    }
    Some(Interval { lo: nth(values, r - 1)?, hi: nth(values, s - 1)?, level })
}

/// The value with so many before it.
fn nth(values: &[(f64, u64)], place: u64) -> Option<f64> {
    let mut before = 0;
    values.iter().find_map(|(value, count)| {
        before += count;
        (place < before).then_some(*value)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(values: &[f64]) -> Vec<(f64, u64)> {
        let mut counted: Vec<(f64, u64)> = Vec::new();
        for value in values {
            match counted.last_mut() {
                Some((last, count)) if last == value => *count += 1,
                _ => counted.push((*value, 1)),
            }
        }
        counted
    }

    /// Expected: `numpy.quantile` of numpy 2.4.6, and the confidence interval of
    /// `scipy.stats.quantile_test` of scipy 1.17.1, which is one-sided where a limit is missing.
    #[test]
    fn quantiles_and_their_intervals_equal_those_of_other_programs() {
        let few = [1.0, 2.0, 2.0, 3.0, 5.0, 8.0, 13.0, 21.0, 34.0, 55.0];
        let tied = [0.0, 0.0, 0.0, 0.1, 0.5, 0.5, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0];
        let many: Vec<f64> = (1..118).map(f64::from).collect();
        for (values, share, value, interval) in [
            (&few[..], 0.5, 6.5, Some((2.0, 34.0))),
            (&few, 0.9, 36.1, None),
            (&few, 0.25, 2.25, None),
            (&tied, 0.5, 0.75, Some((0.0, 1.0))),
            (&tied, 0.9, 1.0, None),
            (&tied, 0.25, 0.075, None),
            (&many, 0.5, 59.0, Some((48.0, 70.0))),
            (&many, 0.9, 105.4, Some((99.0, 112.0))),
        ] {
            let counted = counted(values);
            let found = quantile(&counted, share).expect("values");
            assert!((found - value).abs() < 1e-12, "{share}: {found}");
            let found = quantile_interval(&counted, share, 0.95).map(|found| (found.lo, found.hi));
            assert_eq!(found, interval, "{share}");
        }
        assert_eq!((quantile(&[], 0.5), quantile_interval(&[], 0.5, 0.95)), (None, None));
        assert_eq!(quantile(&[(3.0, 1)], 0.9), Some(3.0));
    }
}
