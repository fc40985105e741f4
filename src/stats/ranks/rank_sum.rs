//! The rank-sum test of two independent samples (Wilcoxon 1945; Mann and Whitney 1947, *Annals of
//! Mathematical Statistics* 18), and how often a value of one exceeds a value of the other.

use super::doubled;
use crate::stats::Test;
use crate::stats::distribution::{normal_sf, normal_two_sided_p, reportable_p};
use crate::stats::midranks::midranks;

/// Largest product of the two sizes for which all divisions are counted; above, the normal
/// approximation is used and the tag says so.
pub const MOST_EXACT: u64 = 2500;

/// Ranks of two samples in one order.
#[derive(Debug, Clone, PartialEq)]
pub struct RankSum {
    /// Midranks of the first sample.
    first: Vec<f64>,
    /// Midranks of the second sample.
    second: Vec<f64>,
}

/// Exact p-values over all divisions of the ranks into samples of these sizes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExactRankSum {
    /// Share of the divisions whose U is at least as far from its mean.
    pub two_sided: f64,
    /// Share of the divisions whose U is at most the observed one.
    pub less: f64,
}

impl RankSum {
    /// `None` when a sample is empty. Finite values only; equal values are tied.
    pub fn new(first: &[f64], second: &[f64]) -> Option<Self> {
        if first.is_empty() || second.is_empty() {
            return None;
        }
        let mut ranks = midranks(&[first, second].concat(), 0.0).ranks;
        let second = ranks.split_off(first.len());
        Some(Self { first: ranks, second })
    }

    /// U of the first sample: pairs in which its value is the larger, ties counting half.
    pub fn u(&self) -> f64 {
        let n = self.first.len() as f64;
        self.first.iter().sum::<f64>() - 0.5 * n * (n + 1.0)
    }

    /// Probability that a value of the first sample exceeds one of the second, ties counting half
    /// (the *A* of Vargha and Delaney 2000, *Journal of Educational and Behavioral Statistics* 25).
    pub fn superiority(&self) -> f64 {
        self.u() / self.pairs()
    }

    /// Cliff's δ (1993, *Psychological Bulletin* 114): share of pairs in which the first sample is
    /// larger minus share in which it is smaller.
    pub fn cliff_delta(&self) -> f64 {
        (2.0 * self.u() - self.pairs()) / self.pairs()
    }

    /// Two-sided test, exact given ties while the product of the sizes is at most [`MOST_EXACT`].
    pub fn test(&self) -> Test {
        match self.exact() {
            Some(exact) => Test {
                method: "rank-sum-exact",
                p: reportable_p(exact.two_sided),
                statistic: Some(self.u()),
                attainable: None,
            },
            None => Test {
                method: "rank-sum-normal",
                p: self.normal_p(0.5),
                statistic: Some(self.u()),
                attainable: None,
            },
        }
    }

    /// Counts all divisions; `None` where there are too many.
    pub fn exact(&self) -> Option<ExactRankSum> {
        if self.first.len() as u64 * self.second.len() as u64 > MOST_EXACT {
            return None;
        }
        // Divisions are counted by the smaller sample; U of the first is the rest of U.
        let swapped = self.second.len() < self.first.len();
        let smaller = if swapped { &self.second } else { &self.first };
        let ranks: Vec<usize> =
            self.first.iter().chain(&self.second).map(|rank| doubled(*rank)).collect();
        let counts = counts_of_sums(&ranks, smaller.len());
        let observed = smaller.iter().map(|rank| doubled(*rank)).sum::<usize>();
        // Twice the mean of the doubled sum is whole.
        let mean = smaller.len() * (ranks.len() + 1);
        let all: f64 = counts.iter().sum();
        let share = |counts: &[f64]| (counts.iter().sum::<f64>() / all).min(1.0);
        let far = observed.abs_diff(mean);
        let below = mean.checked_sub(far).map_or(0.0, |limit| share(&counts[..=limit]));
        let above = counts.get(mean + far..).map_or(0.0, share);
        let two_sided = if far == 0 { 1.0 } else { (below + above).min(1.0) };
        let less = if swapped { share(&counts[observed..]) } else { share(&counts[..=observed]) };
        Some(ExactRankSum { two_sided, less })
    }

    /// Two-sided p by the normal approximation with the variance corrected for ties, U moved
    /// towards its mean by `continuity`.
    pub fn normal_p(&self, continuity: f64) -> f64 {
        let n = (self.first.len() + self.second.len()) as f64;
        let ranks = self.first.iter().chain(&self.second);
        let squares: f64 = ranks.map(|rank| (rank - 0.5 * (n + 1.0)).powi(2)).sum();
        let variance = self.pairs() * squares / (n * (n - 1.0));
        if variance <= 0.0 {
            return 1.0;
        }
        let z = ((self.u() - 0.5 * self.pairs()).abs() - continuity) / variance.sqrt();
        if z < 0.0 { reportable_p(2.0 * normal_sf(z)) } else { normal_two_sided_p(z) }
    }

    fn pairs(&self) -> f64 {
        self.first.len() as f64 * self.second.len() as f64
    }
}

/// For each sum, how many sets of `size` of the ranks have it.
fn counts_of_sums(ranks: &[usize], size: usize) -> Vec<f64> {
    let mut sorted = ranks.to_vec();
    sorted.sort_unstable();
    let largest: usize = sorted.iter().rev().take(size).sum();
    let mut counts = vec![vec![0.0; largest + 1]; size + 1];
    counts[0][0] = 1.0;
    let mut reached = vec![0; size + 1];
    for (seen, rank) in sorted.iter().enumerate() {
        for taken in (0..size.min(seen + 1)).rev() {
            let (fewer, more) = counts.split_at_mut(taken + 1);
            let top = reached[taken].min(largest - rank.min(&largest));
            for sum in 0..=top {
                more[0][sum + rank] += fewer[taken][sum];
            }
            reached[taken + 1] = reached[taken + 1].max((reached[taken] + rank).min(largest));
        }
    }
    counts.pop().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_samples_are_judged_by_the_normal_approximation_and_say_so() {
        let first: Vec<f64> = (0..60).map(f64::from).collect();
        let second: Vec<f64> = (0..60).map(|i| f64::from(i) + 0.5).collect();
        let method = |size: usize| {
            RankSum::new(&first[..size], &second[..size]).map(|ranks| ranks.test().method)
        };
        assert_eq!(method(50), Some("rank-sum-exact"));
        assert_eq!(method(51), Some("rank-sum-normal"));
        assert_eq!(RankSum::new(&[], &second), None);
    }

    #[test]
    fn swapping_the_samples_swaps_the_tails() {
        let (first, second) = ([1.0, 2.0, 2.0, 5.0, 7.0], [2.0, 6.0, 8.0]);
        let one = RankSum::new(&first, &second).unwrap();
        let other = RankSum::new(&second, &first).unwrap();
        let (exact, swapped) = (one.exact().unwrap(), other.exact().unwrap());
        assert!((exact.two_sided - swapped.two_sided).abs() < 1e-15);
        assert_eq!(one.cliff_delta(), -other.cliff_delta());
        // All 56 divisions, those with U of the first at most and at least the observed one.
        assert!(exact.less + swapped.less > 1.0, "{exact:?} {swapped:?}");
    }
}
