//! Wilcoxon's signed-rank test (1945, *Biometrics Bulletin* 1) of paired differences. It speaks of
//! order, not of means: a difference of accuracies is never judged by it.

use super::Test;
use super::distribution::{normal_two_sided_p, reportable_p};
use super::midranks::midranks;

/// Most differences other than 0 whose ranks are summed up exactly; above, the normal
/// approximation is used and the tag says so.
pub const MOST_EXACT: usize = 200;

/// Largest sum of doubled ranks that is tabulated, for many zeros below few other differences.
const LARGEST_SUM: usize = 200_000;

/// Differences nearer to each other than this share of the scores are equal but for rounding.
const TIE: f64 = 1e-12;

/// Ranks of the sizes of differences, with the sign of each.
#[derive(Debug, Clone, PartialEq)]
pub struct SignedRanks {
    /// Midranks of the positive differences.
    positive: Vec<f64>,
    /// Midranks of the negative differences.
    negative: Vec<f64>,
}

impl SignedRanks {
    /// Ranks differences, infinite ones too, of scores whose finite ones are no larger than `scale`. Differences of 0 take part in the
    /// ranking and are left out then (Pratt 1959, *JASA* 54): differences next to many zeros weigh
    /// more.
    pub fn new(differences: &[f64], scale: f64) -> Self {
        let tie = TIE * scale;
        let sizes: Vec<f64> = differences.iter().map(|value| value.abs()).collect();
        let ranks = midranks(&sizes, tie).ranks;
        let ranks_where = |wanted: &dyn Fn(f64) -> bool| -> Vec<f64> {
            let pairs = differences.iter().zip(&ranks);
            pairs.filter(|(value, _)| wanted(**value)).map(|(_, rank)| *rank).collect()
        };
        Self {
            positive: ranks_where(&|value| value > tie),
            negative: ranks_where(&|value| value < -tie),
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

    fn nonzero(&self) -> usize {
        self.positive.len() + self.negative.len()
    }
}

/// Twice a midrank, which is whole.
fn doubled(rank: f64) -> usize {
    (2.0 * rank).round() as usize
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
        assert_eq!(SignedRanks::new(&values, 20.0).test().method, "wilcoxon-normal");
        let few = SignedRanks::new(&values[..50], 20.0);
        assert_eq!(few.test().method, "wilcoxon-exact");
        let mut sparse = vec![0.0; 1_000_000];
        sparse[..3].copy_from_slice(&[1.0, 2.0, -3.0]);
        assert_eq!(SignedRanks::new(&sparse, 3.0).test().method, "wilcoxon-normal");
    }

    #[test]
    fn no_difference_at_all_gives_p_one() {
        let ranks = SignedRanks::new(&[0.0; 5], 1.0);
        assert_eq!((ranks.test().p, ranks.normal_p()), (1.0, 1.0));
    }
}
