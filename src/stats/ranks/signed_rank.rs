//! Wilcoxon's signed-rank test (1945, *Biometrics Bulletin* 1) of paired differences.

use super::doubled;
use crate::stats::Test;
use crate::stats::distribution::{normal_two_sided_p, reportable_p};
use crate::stats::midranks::midranks;

/// Most differences other than 0 whose ranks are summed up exactly; above, the normal
/// approximation is used and the tag says so.
pub const MOST_EXACT: usize = 200;

/// Largest sum of doubled ranks that is tabulated, for many zeros below few other differences.
const LARGEST_SUM: usize = 200_000;

/// Differences nearer to each other than this share of the scores are equal but for rounding.
const TIE: f64 = 1e-12;

/// What becomes of differences that are 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Zeros {
    /// They are left out before ranking (Wilcoxon 1945).
    Dropped,
    /// They take part in the ranking and are left out then (Pratt 1959, *JASA* 54): differences
    /// next to many zeros weigh more.
    Ranked,
}

/// Ranks of the sizes of differences, with the sign of each.
#[derive(Debug, Clone, PartialEq)]
pub struct SignedRanks {
    /// Midranks of the positive differences.
    positive: Vec<f64>,
    /// Midranks of the negative differences.
    negative: Vec<f64>,
    /// Sum of the midranks of the zeros, where they are ranked.
    zeros: f64,
    /// Number of ranks given.
    ranked: usize,
}

impl SignedRanks {
    /// Ranks finite differences of scores no larger than `scale`.
    pub fn new(differences: &[f64], scale: f64, zeros: Zeros) -> Self {
        let tie = TIE * scale;
        let kept: Vec<f64> = differences
            .iter()
            .copied()
            .filter(|value| zeros == Zeros::Ranked || value.abs() > tie)
            .collect();
        let sizes: Vec<f64> = kept.iter().map(|value| value.abs()).collect();
        let ranks = midranks(&sizes, tie).ranks;
        let of = |wanted: &dyn Fn(f64) -> bool| -> Vec<f64> {
            let pairs = kept.iter().zip(&ranks);
            pairs.filter(|(value, _)| wanted(**value)).map(|(_, rank)| *rank).collect()
        };
        Self {
            positive: of(&|value| value > tie),
            negative: of(&|value| value < -tie),
            zeros: of(&|value| value.abs() <= tie).iter().sum(),
            ranked: kept.len(),
        }
    }

    /// Sum of the ranks of the positive differences.
    pub fn plus(&self) -> f64 {
        self.positive.iter().sum()
    }

    /// Sum of the ranks of the negative differences.
    pub fn minus(&self) -> f64 {
        self.negative.iter().sum()
    }

    /// Two-sided test, exact given ties and zeros up to [`MOST_EXACT`] differences other than 0.
    pub fn test(&self) -> Test {
        match self.exact_upper_tails() {
            Some((greater, less)) => Test {
                method: "wilcoxon-exact",
                p: reportable_p(2.0 * greater.min(less)),
                statistic: Some(self.plus()),
                attainable: Some(reportable_p((1.0 - self.nonzero() as f64).exp2())),
            },
            None => Test {
                method: "wilcoxon-normal",
                p: self.normal_p(),
                statistic: Some(self.plus()),
                attainable: None,
            },
        }
    }

    /// P(W⁺ ≥ observed) and P(W⁻ ≥ observed) over all signs of the ranks; `None` where there are
    /// too many.
    pub fn exact_upper_tails(&self) -> Option<(f64, f64)> {
        let ranks: Vec<usize> =
            self.positive.iter().chain(&self.negative).map(|rank| doubled(*rank)).collect();
        let total: usize = ranks.iter().sum();
        if ranks.len() > MOST_EXACT || total > LARGEST_SUM {
            return None;
        }
        let shares = shares_of_sums(&ranks, total);
        let at_least = |sum: f64| shares[doubled(sum)..].iter().sum::<f64>().min(1.0);
        Some((at_least(self.plus()), at_least(self.minus())))
    }

    /// Two-sided p by the normal approximation, without continuity correction: mean and variance
    /// of W⁺ over all signs of the midranks, Σr/2 and Σr²/4, which is the textbook formula with
    /// its corrections for ties and, after Cureton (1967, *JASA* 62), for ranked zeros.
    pub fn normal_p(&self) -> f64 {
        let ranks = || self.positive.iter().chain(&self.negative);
        let variance = 0.25 * ranks().map(|rank| rank * rank).sum::<f64>();
        if variance == 0.0 {
            return 1.0;
        }
        normal_two_sided_p(0.5 * (self.plus() - self.minus()) / variance.sqrt())
    }

    /// Rank sums with half of the zeros' ranks on either side, and the normal score of the
    /// smaller sum without correction for ties, as Demšar (2006, *JMLR* 7) compares classifiers.
    /// An odd number of zeros is halved too, where he ignores one of them. For
    /// [`Zeros::Ranked`] and at least one difference.
    pub fn split(&self) -> (f64, f64, f64) {
        let (plus, minus) = (self.plus() + 0.5 * self.zeros, self.minus() + 0.5 * self.zeros);
        let n = self.ranked as f64;
        let spread = (n * (n + 1.0) * (2.0 * n + 1.0) / 24.0).sqrt();
        (plus, minus, (plus.min(minus) - 0.25 * n * (n + 1.0)) / spread)
    }

    fn nonzero(&self) -> usize {
        self.positive.len() + self.negative.len()
    }
}

/// For each sum up to `total` the share of the subsets of the ranks that have it.
fn shares_of_sums(ranks: &[usize], total: usize) -> Vec<f64> {
    let mut shares = vec![0.0; total + 1];
    shares[0] = 1.0;
    let mut reached = 0;
    for rank in ranks {
        for sum in (0..=reached).rev() {
            let half = 0.5 * shares[sum];
            shares[sum] = half;
            shares[sum + rank] += half;
        }
        reached += rank;
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_differences_are_judged_by_the_normal_approximation_and_say_so() {
        let values: Vec<f64> = (0..1000).map(|i| f64::from(i % 37) - 17.0).collect();
        assert_eq!(SignedRanks::new(&values, 20.0, Zeros::Ranked).test().method, "wilcoxon-normal");
        let few = SignedRanks::new(&values[..50], 20.0, Zeros::Dropped);
        assert_eq!(few.test().method, "wilcoxon-exact");
        let mut sparse = vec![0.0; 1_000_000];
        sparse[..3].copy_from_slice(&[1.0, 2.0, -3.0]);
        assert_eq!(SignedRanks::new(&sparse, 3.0, Zeros::Ranked).test().method, "wilcoxon-normal");
    }

    #[test]
    fn no_difference_at_all_gives_p_one() {
        let ranks = SignedRanks::new(&[0.0; 5], 1.0, Zeros::Dropped);
        assert_eq!((ranks.test().p, ranks.normal_p()), (1.0, 1.0));
    }
}
