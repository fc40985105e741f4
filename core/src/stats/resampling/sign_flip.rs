//! The sign-flip test of a mean, and the interval that inverts it.
//!
//! Under no difference every sign pattern of the values is as likely as the one observed
//! (Fisher 1935, *The Design of Experiments*, §21). Wherever possible all patterns are counted:
//! values on a grid by its points, others by halves: the signed sums of either half are listed in
//! order and pairs of them counted in one pass (Horowitz and Sahni 1974), 2^(m/2) steps for m
//! values instead of 2^m. Where neither is possible, patterns are drawn at random.

use super::lattice;
use super::random::in_blocks;
use super::signs::{BLOCK, sums_under_signs};
use crate::stats::Interval;
use crate::stats::distribution::root::bracket;

/// Most values of mixed sign that are still enumerated: lists of 2^20 sums.
pub const MOST_ENUMERATED: usize = 40;

/// Most values for which the interval is computed; each of its limits takes some thirty counts.
pub const MOST_INVERTED: usize = 20;

/// Halvings that locate a limit of the interval to 1e-10 of the range searched.
const HALVINGS: u32 = 34;

/// Random patterns of the first attempt.
pub const DRAWS: usize = 9_999;

/// Random patterns where the first attempt leaves a doubt, first for any, then only near α.
const MORE_DRAWS: [usize; 2] = [99_999, 999_999];

/// Most signs that are drawn for the last of these.
const MOST_SIGNS: usize = 2_000_000_000;

/// Patterns as extreme as the observed one below which the p-value has hardly a digit.
const FEW: f64 = 10.0;

/// Standard errors of a Monte Carlo p-value within which it may be on the other side of α.
const DOUBT: f64 = 3.0;

/// Sums nearer than this share of Σ|values| count as tied.
const TIE: f64 = 1e-12;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SignFlip {
    /// Two-sided p-value, before any floor.
    pub p: f64,
    /// Smallest p-value with as many values other than 0.
    pub attainable: f64,
}

impl SignFlip {
    /// The test of `m` values other than 0 that all have one sign: only the observed pattern and
    /// its opposite are as extreme.
    pub fn with_one_sign(m: u64) -> Self {
        let p = (1.0 - m as f64).exp2().min(1.0);
        Self { p, attainable: p }
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MonteCarlo {
    /// (1 + patterns as extreme)/(1 + patterns), in (0, 1].
    pub p: f64,
    pub draws: usize,
    /// Its standard error √(p(1 − p)/B).
    pub stderr: f64,
}

impl MonteCarlo {
    /// The observed pattern counts among the random ones (Davison and Hinkley 1997, §4.2), so p is
    /// never 0 and the test keeps its level.
    pub(super) fn new(extreme: usize, draws: usize) -> Self {
        let p = (1 + extreme) as f64 / (1 + draws) as f64;
        Self { p, draws, stderr: (p * (1.0 - p) / draws as f64).sqrt() }
    }

    fn is_near(self, alpha: f64) -> bool {
        (self.p - alpha).abs() <= DOUBT * self.stderr
    }
}

/// Two-sided exact test that the values are symmetric about 0, by their sum. Zeros drop out, and
/// so does what is only the rounding of a difference.
/// `None` above [`MOST_ENUMERATED`] values of mixed sign that do not lie on a coarse grid.
pub fn sign_flip_test(values: &[f64]) -> Option<SignFlip> {
    let nonzero = without_zeros(values);
    let one_sign = SignFlip::with_one_sign(nonzero.len() as u64);
    let positive = nonzero.iter().filter(|value| **value > 0.0).count();
    if positive == 0 || positive == nonzero.len() {
        return Some(one_sign);
    }
    let by_halves = || {
        let sum: f64 = nonzero.iter().sum();
        (nonzero.len() <= MOST_ENUMERATED)
            .then(|| (2.0 * share_at_least(&nonzero, sum.abs())).min(1.0))
    };
    let p = lattice::share_as_extreme(&nonzero).or_else(by_halves)?;
    Some(SignFlip { p, attainable: one_sign.attainable })
}

/// The same test by random patterns: [`DRAWS`] of them, ten times as many where hardly any pattern
/// is as extreme or p is within three standard errors of `alpha`, and ten times as many again
/// where it still is and the sample is not too large. The order of the values does not matter.
pub fn sign_flip_monte_carlo(values: &[f64], alpha: f64) -> MonteCarlo {
    let mut sizes: Vec<f64> = without_zeros(values).iter().map(|value| value.abs()).collect();
    sizes.sort_unstable_by(f64::total_cmp);
    let sum = values.iter().sum();
    let mut test = draw_patterns(&sizes, sum, DRAWS);
    if test.is_near(alpha) || test.p * (test.draws as f64) < FEW {
        test = draw_patterns(&sizes, sum, MORE_DRAWS[0]);
    }
    if test.is_near(alpha) && sizes.len() * MORE_DRAWS[1] <= MOST_SIGNS {
        test = draw_patterns(&sizes, sum, MORE_DRAWS[1]);
    }
    test
}

/// Tests by exactly so many random patterns whether values of these sizes have a sum as far from 0
/// as `observed`.
pub fn draw_patterns(sizes: &[f64], observed: f64, draws: usize) -> MonteCarlo {
    let bound = observed.abs() - TIE * sizes.iter().map(|size| size.abs()).sum::<f64>();
    let extreme = in_blocks(draws, BLOCK, |stream, _, count| {
        let sums = sums_under_signs(&[sizes], count, || stream.word());
        vec![sums.iter().flatten().filter(|sum| sum.abs() >= bound).count()]
    });
    MonteCarlo::new(extreme.iter().sum(), draws)
}

fn without_zeros(values: &[f64]) -> Vec<f64> {
    let largest = values.iter().map(|value| value.abs()).fold(0.0, f64::max);
    values.iter().copied().filter(|value| value.abs() > TIE * largest).collect()
}

/// The centres θ for which the test of values − θ does not reject at 1 − `level`, that is, gives a p of it or more.
///
/// `None` above [`MOST_INVERTED`] values, and where the interval would be unbounded because no
/// outcome of so few values can reject.
pub fn sign_flip_interval(values: &[f64], level: f64) -> Option<Interval> {
    let alpha = 1.0 - level;
    let attainable = SignFlip::with_one_sign(values.len() as u64).attainable;
    if values.is_empty() || values.len() > MOST_INVERTED || attainable >= alpha {
        return None;
    }
    let mirrored: Vec<f64> = values.iter().map(|value| -value).collect();
    Some(Interval { lo: lower_limit(values, alpha), hi: -lower_limit(&mirrored, alpha), level })
}

/// Smallest centre that is not rejected, or a centre below it by at most 1e-10 of the range
/// searched. Between the smallest value and the mean the p-value only rises.
fn lower_limit(values: &[f64], alpha: f64) -> f64 {
    let smallest = values.iter().copied().fold(f64::INFINITY, f64::min);
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let accepted = |centre: f64| {
        let shifted: Vec<f64> = values.iter().map(|value| value - centre).collect();
        2.0 * share_at_least(&shifted, shifted.iter().sum()) >= alpha
    };
    if accepted(smallest) { smallest } else { bracket(mean, smallest, HALVINGS, accepted).1 }
}

/// Share of the 2^m sign patterns of `values` whose sum is at least `bound`, ties included.
fn share_at_least(values: &[f64], bound: f64) -> f64 {
    let bound = bound - TIE * values.iter().map(|value| value.abs()).sum::<f64>();
    let (left, right) = values.split_at(values.len() / 2);
    let (left, right) = (signed_sums(left), signed_sums(right));
    let mut count: u64 = 0;
    let mut enough = right.len();
    for sum in &left {
        while enough > 0 && sum + right[enough - 1] >= bound {
            enough -= 1;
        }
        count += (right.len() - enough) as u64;
    }
    count as f64 / (left.len() as f64 * right.len() as f64)
}

/// All sums of the values with either sign, ascending: each value merges two shifted copies of
/// the list before it. The lowered copy always runs ahead of the raised one.
fn signed_sums(values: &[f64]) -> Vec<f64> {
    let mut sums = vec![0.0];
    for value in values {
        let step = value.abs();
        let mut merged = Vec::with_capacity(2 * sums.len());
        let mut raised = 0;
        for sum in &sums {
            let lowered = sum - step;
            while sums[raised] + step < lowered {
                merged.push(sums[raised] + step);
                raised += 1;
            }
            merged.push(lowered);
        }
        merged.extend(sums[raised..].iter().map(|sum| sum + step));
        sums = merged;
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition: every pattern in turn.
    fn brute_force(values: &[f64]) -> f64 {
        let sum = values.iter().sum::<f64>().abs();
        let patterns = 1_u32 << values.len();
        let extreme = (0..patterns).filter(|pattern| {
            let flipped: f64 = values
                .iter()
                .enumerate()
                .map(|(i, value)| if pattern >> i & 1 == 1 { -value } else { *value })
                .sum();
            flipped.abs() >= sum - 1e-9
        });
        extreme.count() as f64 / f64::from(patterns)
    }

    #[test]
    fn counting_by_halves_equals_trying_every_pattern() {
        let samples: [&[f64]; 4] = [
            &[0.3, -0.1, 0.2, 0.25, -0.4, 0.7, 0.1],
            &[1.0, 1.0, -1.0, 2.0, 3.0, -2.0, 1.0, 1.0, 1.0, -1.0],
            &[0.1, 0.2, -0.3],
            &[5.0, -4.0],
        ];
        for values in samples {
            let p = sign_flip_test(values).map(|test| test.p);
            assert_eq!(p, Some(brute_force(values)), "{values:?}");
        }
    }

    #[test]
    fn random_patterns_come_close_to_all_patterns() {
        let values: Vec<f64> =
            (1..=24_i32).map(|i| f64::from(i).sqrt() * [1.0, -0.7][i as usize % 2]).collect();
        let exact = sign_flip_test(&values).expect("an exact test");
        let drawn = sign_flip_monte_carlo(&values, 0.05);
        assert!((drawn.p - exact.p).abs() < 4.0 * drawn.stderr, "{drawn:?} {exact:?}");
    }

    #[test]
    fn a_p_value_next_to_alpha_is_drawn_more_often() {
        let values: Vec<f64> =
            (1..=24_i32).map(|i| f64::from(i).sqrt() * [1.0, -0.7][i as usize % 2]).collect();
        let p = sign_flip_monte_carlo(&values, 1e-9).p;
        assert_eq!(sign_flip_monte_carlo(&values, 0.5 * p).draws, DRAWS);
        assert_eq!(sign_flip_monte_carlo(&values, p).draws, MORE_DRAWS[1]);
    }

    #[test]
    fn random_patterns_do_not_depend_on_the_number_of_threads() {
        let values: Vec<f64> = (0..300).map(|i| f64::from(i * 7919 % 1009) - 400.3).collect();
        let drawn = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| draw_patterns(&values, 5_000.0, 3_000))
        };
        assert_eq!(drawn(1), drawn(4));
    }

    #[test]
    fn six_values_are_bounded_by_their_extremes() {
        // 2/2^6 is the only level below 0.05, and it is reached beyond the extremes alone.
        let interval = sign_flip_interval(&[3.0, 1.0, 2.0, 7.0, 5.0, 4.0], 0.95);
        assert_eq!(interval, Some(Interval { lo: 1.0, hi: 7.0, level: 0.95 }));
    }

    #[test]
    fn five_values_leave_the_interval_unbounded() {
        let values = [1.0, 2.0, 3.0, 4.0, 5.0];
        assert_eq!(sign_flip_interval(&values, 0.95), None);
        // A p of 2/2^5 is not below it.
        assert_eq!(sign_flip_interval(&values, 1.0 - 0.0625), None);
        assert!(sign_flip_interval(&values, 0.93).is_some());
    }

    #[test]
    fn many_values_of_one_sign_need_no_enumeration() {
        let test = sign_flip_test(&[0.5; 1000]);
        assert_eq!(test.map(|test| test.p), Some((-999.0_f64).exp2()));
    }
}
