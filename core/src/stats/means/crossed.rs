//! Scores of several seeds over the same items: seeds and items are crossed random effects.
//!
//! A mean over such a matrix varies for two reasons: other items could have been asked, and other
//! seeds could have been trained. Neither standard error alone answers for a new run on new items.

use super::student::{has_spread, t_interval, t_test};
use crate::stats::{Interval, Moments, Test};

/// Mean squares of a seeds × items matrix with one score per cell (two-way random effects
/// without replication; Searle, Casella and `McCulloch` 1992, *Variance Components*, chapter 4).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Crossed {
    pub grand: f64,
    /// Number of seeds S, at least 2.
    pub seeds: u64,
    /// Number of items I, at least 2.
    pub items: u64,
    /// Mean square of the seeds, with S − 1 degrees of freedom.
    pub ms_seed: f64,
    /// Mean square of what neither explains, with (S − 1)(I − 1) degrees of freedom.
    pub ms_residual: f64,
}

impl Crossed {
    /// Standard error of the grand mean for new seeds over these very items.
    pub fn seed_stderr(self) -> f64 {
        (self.ms_seed / self.cells()).sqrt()
    }

    fn cells(self) -> f64 {
        self.seeds as f64 * self.items as f64
    }
}

/// Mean squares of `scores[seed][item]`; `None` below two seeds or two items, or when the seeds
/// have unequal numbers of items.
pub fn crossed(scores: &[Vec<f64>]) -> Option<Crossed> {
    let (seeds, items) = (scores.len(), scores.first()?.len());
    if seeds < 2 || items < 2 || scores.iter().any(|row| row.len() != items) {
        return None;
    }
    let seed_means = seed_means(scores);
    let item_means = item_means(scores);
    let grand = moments(&seed_means);
    let residuals = scores.iter().zip(&seed_means).flat_map(|(row, seed_mean)| {
        let means = item_means.iter();
        row.iter().zip(means).map(move |(score, item)| score - seed_mean - item + grand.mean)
    });
    let rest: f64 = residuals.map(|residual| residual * residual).sum();
    Some(Crossed {
        grand: grand.mean,
        seeds: seeds as u64,
        items: items as u64,
        ms_seed: grand.variance()? * items as f64,
        ms_residual: rest / ((seeds - 1) as f64 * (items - 1) as f64),
    })
}

/// Which of the two reasons for variation weighs more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axis {
    /// More seeds would help more.
    Seeds,
    /// More items would help more.
    Items,
}

/// Difference of the grand means of two arms over the same items, each arm with its own seeds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CrossedDifference {
    pub delta: f64,
    /// Standard error for new seeds and new items.
    pub stderr: f64,
    /// Degrees of freedom of `stderr`, usually not whole.
    pub df: f64,
    /// The axis whose standard error, the other held fixed, is the larger.
    pub dominant: Axis,
}

impl CrossedDifference {
    pub fn interval(self, level: f64) -> Interval {
        t_interval(self.delta, self.stderr, self.df, level)
    }

    pub fn test(self) -> Test {
        t_test("crossed-t", self.delta / self.stderr, self.df)
    }
}

/// Difference of two arms, each `scores[seed][item]` over the same items in the same order.
///
/// The items are paired: their part is the variance of the differences of seed-averaged scores.
/// The seeds are not: their part is Welch's. Either contains the residual once, so it is taken
/// off once; the sum is never less than the larger part. Degrees of freedom after Satterthwaite
/// (1946, *Biometrics Bulletin* 2) from both parts; where the seeds dominate, at most Welch's.
///
/// `None` below two seeds in an arm or two items, when the items differ in number, and when
/// nothing varies.
pub fn crossed_difference(
    baseline: &[Vec<f64>],
    candidate: &[Vec<f64>],
) -> Option<CrossedDifference> {
    let (before, after) = (crossed(baseline)?, crossed(candidate)?);
    if before.items != after.items {
        return None;
    }
    let (items_before, items_after) = (item_means(baseline), item_means(candidate));
    let differences: Vec<f64> =
        items_before.iter().zip(&items_after).map(|(before, after)| after - before).collect();
    let item = moments(&differences).stderr()?.powi(2);
    let (seed_before, seed_after) = (before.seed_stderr().powi(2), after.seed_stderr().powi(2));
    let seed = seed_before + seed_after;
    let residual = before.ms_residual / before.cells() + after.ms_residual / after.cells();
    let variance = (item + seed - residual).max(item).max(seed);
    let rounding = before.grand.abs().max(after.grand.abs());
    if !has_spread(Moments::new(2, 0.0, variance), rounding) {
        return None;
    }
    let seed_share = seed_before.powi(2) / (before.seeds - 1) as f64
        + seed_after.powi(2) / (after.seeds - 1) as f64;
    let item_share = item.powi(2) / (before.items - 1) as f64;
    let joint_df = variance.powi(2) / (item_share + seed_share);
    let (dominant, df) = if seed > item {
        (Axis::Seeds, joint_df.min(seed.powi(2) / seed_share))
    } else {
        (Axis::Items, joint_df)
    };
    Some(CrossedDifference {
        delta: after.grand - before.grand,
        stderr: variance.sqrt(),
        df,
        dominant,
    })
}

fn seed_means(scores: &[Vec<f64>]) -> Vec<f64> {
    scores.iter().map(|row| moments(row).mean).collect()
}

/// Mean score of each item over the seeds, which all have as many items.
fn item_means(scores: &[Vec<f64>]) -> Vec<f64> {
    let items = scores.first().map_or(0, Vec::len);
    let seeds = scores.len() as f64;
    (0..items).map(|item| scores.iter().map(|row| row[item]).sum::<f64>() / seeds).collect()
}

fn moments(values: &[f64]) -> Moments {
    values.iter().copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Scores that a seed and an item add up to.
    fn additive(seeds: &[f64], items: &[f64]) -> Vec<Vec<f64>> {
        seeds.iter().map(|seed| items.iter().map(|item| seed + item).collect()).collect()
    }

    #[test]
    fn effects_that_add_up_leave_no_residual() {
        let found = crossed(&additive(&[0.0, 1.0, 2.0], &[0.0, 4.0, 8.0, 12.0])).unwrap();
        // Mean square by hand: 4 items · variance 1 of the seeds.
        assert_eq!((found.grand, found.ms_seed, found.ms_residual), (7.0, 4.0, 0.0));
    }

    #[test]
    fn paired_items_leave_only_the_seeds() {
        let items = [0.0, 4.0, 8.0, 12.0];
        let found = crossed_difference(
            &additive(&[0.0, 1.0, 2.0], &items),
            &additive(&[5.0, 6.0, 7.0], &items),
        )
        .unwrap();
        // Welch of 0, 1, 2 against 5, 6, 7: 4 degrees of freedom, variance 2/3.
        assert_eq!((found.delta, found.dominant), (5.0, Axis::Seeds));
        assert!((found.df - 4.0).abs() < 1e-12 && (found.stderr.powi(2) - 2.0 / 3.0).abs() < 1e-12);
    }

    #[test]
    fn the_standard_error_is_never_below_that_of_either_axis() {
        // A pure interaction: the residual is larger than what either axis shows.
        let swap = vec![vec![1.0, 0.0, 1.0, 0.0], vec![0.0, 1.0, 0.0, 1.0]];
        let level = vec![vec![0.0, 0.0, 1.0, 1.0], vec![1.0, 0.0, 1.0, 0.0]];
        let found = crossed_difference(&level, &swap).unwrap();
        let seeds = |arm: &[Vec<f64>]| crossed(arm).unwrap().seed_stderr();
        let differences = item_means(&swap).into_iter().zip(item_means(&level)).map(|(a, b)| a - b);
        let items = differences.collect::<Moments>().stderr().unwrap();
        assert!(found.stderr >= items.max(seeds(&level).hypot(seeds(&swap))), "{found:?}");
        assert!(found.df >= 1.0, "{found:?}");
    }

    #[test]
    fn one_seed_unequal_rows_and_constant_scores_give_nothing() {
        let good = additive(&[0.0, 1.0], &[0.0, 1.0]);
        assert_eq!(crossed(&good[..1]), None);
        assert_eq!(crossed(&[vec![0.0, 1.0], vec![0.0]]), None);
        assert_eq!(crossed_difference(&good, &additive(&[0.0, 1.0], &[0.0, 1.0, 2.0])), None);
        let constant = additive(&[0.3, 0.3], &[0.0, 0.0]);
        assert_eq!(crossed_difference(&constant, &constant), None);
    }
}
