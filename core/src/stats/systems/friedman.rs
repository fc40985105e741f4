//! Ranks of several systems over blocks (benchmarks): Friedman's test, Iman and Davenport's
//! version of it, and what may be said about single pairs.
//!
//! Follows Demšar (2006, *JMLR* 7). The tests ask whether all systems rank alike; the critical
//! difference depends on which systems are in the pool (Benavoli, Corani and Mangili 2016, *JMLR*
//! 17), so pairs are better tested one by one, see [`super::all_pairs`].

use super::{ChiSquaredTest, width};
use crate::stats::distribution::fisher_f::f_sf;
use crate::stats::distribution::reportable_p;
use crate::stats::distribution::studentized_range::studentized_range_quantile;
use crate::stats::midranks::midranks;

/// Ranks of k systems in each of N blocks, summed up.
#[derive(Debug, Clone, PartialEq)]
pub struct RankedBlocks {
    rank_sums: Vec<f64>,
    blocks: usize,
    tie_sum: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FTest {
    /// Test statistic; infinite when all blocks rank the systems in one and the same order.
    pub statistic: f64,
    /// Degrees of freedom, of the numerator and of the denominator.
    pub df: [f64; 2],
    pub p: f64,
}

impl RankedBlocks {
    /// Ranks the scores of each block (row), 1 for the best system; equal scores share the mean of
    /// their ranks, so round scores to what they mean before. `None` without blocks or systems,
    /// for rows of different lengths, and for scores that are not finite.
    pub fn new(scores: &[Vec<f64>], higher_is_better: bool) -> Option<Self> {
        let mut rank_sums = vec![0.0; width(scores)?];
        let mut tie_sum = 0.0;
        let badness = if higher_is_better { -1.0 } else { 1.0 };
        for row in scores {
            let row: Vec<f64> = row.iter().map(|score| badness * score).collect();
            let row = midranks(&row, 0.0);
            rank_sums.iter_mut().zip(row.ranks).for_each(|(sum, rank)| *sum += rank);
            tie_sum += row.tie_sum;
        }
        Some(Self { rank_sums, blocks: scores.len(), tie_sum })
    }

    fn sizes(&self) -> (f64, f64) {
        (self.rank_sums.len() as f64, self.blocks as f64)
    }

    pub fn mean_ranks(&self) -> Vec<f64> {
        self.rank_sums.iter().map(|sum| sum / self.blocks as f64).collect()
    }

    /// Friedman's chi-squared without correction for ties (Friedman 1937, *JASA* 32), as Demšar
    /// prints it: 12/(N·k·(k + 1))·Σ(rank sum − N(k + 1)/2)². `None` below two systems.
    pub fn friedman(&self) -> Option<ChiSquaredTest> {
        let (k, n) = self.sizes();
        let expected = 0.5 * n * (k + 1.0);
        let apart: f64 = self.rank_sums.iter().map(|sum| (sum - expected).powi(2)).sum();
        (k > 1.0).then(|| ChiSquaredTest::new(12.0 * apart / (n * k * (k + 1.0)), k - 1.0))
    }

    /// Friedman's chi-squared divided by 1 − Σ(t³ − t)/(N·(k³ − k)) over ties of t systems.
    /// `None` below two systems and when every block is one tie.
    pub fn friedman_tie_corrected(&self) -> Option<ChiSquaredTest> {
        let (k, n) = self.sizes();
        let untied = 1.0 - self.tie_sum / (n * k * (k * k - 1.0));
        let statistic = self.friedman()?.statistic / untied;
        (untied > 0.0).then(|| ChiSquaredTest::new(statistic, k - 1.0))
    }

    /// Iman and Davenport's F (1980, *Communications in Statistics* A9) of the uncorrected
    /// chi-squared: (N − 1)χ²/(N(k − 1) − χ²), less conservative than Friedman's test. `None`
    /// below two systems or two blocks.
    ///
    /// No outcome is rarer than all blocks agreeing on one order without ties, whose chance is
    /// k!^(1 − N): p is never less, and F there is infinite.
    pub fn iman_davenport(&self) -> Option<FTest> {
        const SAME: f64 = 1e-12;
        let (k, n) = self.sizes();
        let chi_squared = self.friedman().filter(|_| self.blocks >= 2)?.statistic;
        let largest = n * (k - 1.0);
        let df = [k - 1.0, (k - 1.0) * (n - 1.0)];
        let left = largest - chi_squared;
        let agree = left <= SAME * largest;
        let statistic = if agree { f64::INFINITY } else { (n - 1.0) * chi_squared / left };
        let orders: f64 = (1..=self.rank_sums.len()).map(|i| (i as f64).ln()).sum();
        let rarest = ((1.0 - n) * orders).exp();
        let p = reportable_p(f_sf(statistic, df[0], df[1]).max(rarest));
        Some(FTest { statistic, df, p })
    }

    /// Nemenyi's critical difference of mean ranks at level `alpha` (Nemenyi 1963): two systems
    /// further apart differ, all pairs taken together. `None` below two systems and for a level
    /// outside (0, 1).
    pub fn critical_difference(&self, alpha: f64) -> Option<f64> {
        let k = u32::try_from(self.rank_sums.len()).ok()?;
        let range = studentized_range_quantile(1.0 - alpha, k, f64::INFINITY)?;
        Some(range / 2_f64.sqrt() * self.stderr())
    }

    /// Standard error of a difference of two mean ranks, without ties.
    fn stderr(&self) -> f64 {
        let (k, n) = self.sizes();
        (k * (k + 1.0) / (6.0 * n)).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranked(rows: &[&[f64]]) -> RankedBlocks {
        let rows: Vec<Vec<f64>> = rows.iter().map(|row| row.to_vec()).collect();
        RankedBlocks::new(&rows, true).unwrap()
    }

    #[test]
    fn lower_scores_rank_first_where_lower_is_better() {
        let rows = [vec![0.3, 0.1, 0.2], vec![3.0, 1.0, 1.0]];
        let mean_ranks = |higher| RankedBlocks::new(&rows, higher).unwrap().mean_ranks();
        assert_eq!(mean_ranks(false), [3.0, 1.25, 1.75]);
        assert_eq!(mean_ranks(true), [1.0, 2.75, 2.25]);
    }

    #[test]
    fn blocks_that_all_agree_have_the_p_of_that_agreement() {
        let test = ranked(&[&[3.0, 2.0, 1.0], &[9.0, 8.0, 7.0], &[0.3, 0.2, 0.1]]).iman_davenport();
        let test = test.unwrap();
        assert!(test.statistic.is_infinite());
        assert!((test.p - 1.0 / 36.0).abs() < 1e-12, "{test:?}");
    }

    #[test]
    fn less_agreement_never_has_a_smaller_p() {
        // Three blocks of five systems: one exchanged pair, then one more; complete agreement has
        // the chance 1/120².
        let order = [5.0, 4.0, 3.0, 2.0, 1.0];
        let (once, twice) = ([4.0, 5.0, 3.0, 2.0, 1.0], [4.0, 5.0, 2.0, 3.0, 1.0]);
        let p = |last: &[f64]| ranked(&[&order, &order, last]).iman_davenport().unwrap().p;
        let [all, once, twice] = [p(&order), p(&once), p(&twice)];
        assert!((all - 1.0 / 14_400.0).abs() < 1e-15, "{all}");
        assert!(all <= once && once <= twice, "{all} {once} {twice}");
    }

    #[test]
    fn one_system_has_a_rank_and_no_test() {
        let alone = ranked(&[&[0.5], &[0.7]]);
        assert_eq!(alone.mean_ranks(), [1.0]);
        assert_eq!(alone.friedman(), None);
        assert_eq!(alone.friedman_tie_corrected(), None);
        assert_eq!(alone.iman_davenport(), None);
        assert_eq!(alone.critical_difference(0.05), None);
    }

    #[test]
    fn systems_that_tie_everywhere_are_not_told_apart() {
        let tied = ranked(&[&[1.0, 1.0, 1.0], &[2.0, 2.0, 2.0]]);
        assert_eq!(tied.friedman().map(|test| test.p), Some(1.0));
        assert_eq!(tied.friedman_tie_corrected(), None);
        assert_eq!(tied.iman_davenport().map(|test| test.p), Some(1.0));
    }

    #[test]
    fn ragged_empty_and_infinite_tables_are_refused() {
        for rows in [vec![], vec![vec![]], vec![vec![1.0, 2.0], vec![1.0]], vec![vec![f64::NAN]]] {
            assert_eq!(RankedBlocks::new(&rows, true), None, "{rows:?}");
        }
    }
}
