//! The exact test of two independent shares that holds nothing fixed but the sizes of the arms: the
//! common share is unknown, and p is the largest probability that any such share gives to tables
//! at least as extreme as the observed one.

use std::f64::consts::FRAC_PI_2;

use crate::stats::distribution::{binomial_masses, hypergeometric_pmf, reportable_p};
use crate::stats::{Counts, Test};

/// Tables whose p-values differ relatively by less than this are equally extreme for Boschloo's
/// test.
const TIE: f64 = 1e-7;

/// Boschloo's test (1970, *Statistica Neerlandica* 24), two-sided: tables are ordered by Fisher's
/// one-sided p-value, and the smaller of the two directions is doubled. Never rejects too often,
/// and rejects whenever Fisher's test in the doubled form does.
///
/// Its smallest p-value belongs to complete separation: 2·(n₁/N)^n₁·(n₂/N)^n₂. The work grows as
/// the product of the sizes.
pub fn boschloo(baseline: Counts, candidate: Counts) -> Test {
    let smaller = |more: Counts, less: Counts| extreme_by_fisher(more, less).supremum();
    let p = 2.0 * smaller(candidate, baseline).min(smaller(baseline, candidate));
    let total = (baseline.n + candidate.n) as f64;
    let part = |n: u64| n as f64 * (n as f64 / total).ln();
    let separated = 2.0 * (part(baseline.n) + part(candidate.n)).exp();
    Test {
        method: "boschloo",
        p: reportable_p(p),
        statistic: None,
        attainable: Some(reportable_p(separated)),
    }
}

/// A set of tables: those of row `i` successes of the first arm with fewer than `below[i]` of the
/// second.
struct Region {
    first: u64,
    second: u64,
    below: Vec<usize>,
}

impl Region {
    /// Probability of the set when both arms have this share, strictly between 0 and 1.
    fn probability(&self, share: f64) -> f64 {
        let rows = binomial_masses(self.first, share);
        let columns = binomial_masses(self.second, share);
        let below = running_sums(&columns);
        rows.iter().zip(&self.below).map(|(mass, count)| mass * below[*count]).sum()
    }

    /// Whether the tables without any success or without any failure belong to the set. They are
    /// certain at a common share of 0 or 1.
    fn holds_a_certain_table(&self) -> bool {
        let ends = [(0, 0), (self.below.len() - 1, self.second as usize)];
        ends.iter().any(|(i, j)| *j < self.below[*i])
    }

    /// Largest probability over all common shares.
    ///
    /// On the scale of θ with share = sin²θ a binomial share has the standard deviation 1/(2√n)
    /// everywhere. A grid with twelve points to it sees every hill; the high ones are climbed.
    fn supremum(&self) -> f64 {
        if self.holds_a_certain_table() {
            return 1.0;
        }
        let points = 32 + (20.0 * ((self.first + self.second) as f64).sqrt()) as usize;
        let at = |theta: f64| self.probability(theta.sin().powi(2));
        let step = FRAC_PI_2 / points as f64;
        let middle = |point: usize| (point as f64 + 0.5) * step;
        let grid: Vec<f64> = (0..points).map(|point| at(middle(point))).collect();
        let highest = grid.iter().copied().fold(0.0, f64::max);
        let worth_climbing = |point: &usize| {
            let height = grid[*point];
            height >= 0.98 * highest
                && (*point == 0 || grid[point - 1] <= height)
                && grid.get(point + 1).is_none_or(|next| *next < height)
        };
        (0..points)
            .filter(worth_climbing)
            .map(|point| summit(middle(point) - step, middle(point) + step, at))
            .fold(highest, f64::max)
    }
}

/// Tables in which the first arm has at least as much more success as observed, by Fisher's
/// one-sided p-value.
fn extreme_by_fisher(first: Counts, second: Counts) -> Region {
    let observed = fisher_tail(first.n, second.n, first.x + second.x)
        .take_while(|(k, _)| *k >= first.x)
        .last()
        .map_or(1.0, |(_, tail)| tail);
    let mut below = vec![0; first.n as usize + 1];
    for successes in 0..=first.n + second.n {
        let tails = fisher_tail(first.n, second.n, successes);
        for (k, _) in tails.take_while(|(_, tail)| *tail <= observed * (1.0 + TIE)) {
            let row = &mut below[k as usize];
            *row = (*row).max((successes - k) as usize + 1);
        }
    }
    Region { first: first.n, second: second.n, below }
}

/// P(X ≥ k) for the possible k from the largest down, X being the successes of the first arm
/// among so many of both.
fn fisher_tail(first: u64, second: u64, successes: u64) -> impl Iterator<Item = (u64, f64)> {
    let smallest = successes.saturating_sub(second);
    let largest = successes.min(first);
    let mut term = hypergeometric_pmf(largest, first, second, successes);
    let mut sum = 0.0;
    (smallest..=largest).rev().map(move |k| {
        sum += term;
        let absent = (second + k - successes) as f64;
        term *= k as f64 * absent / ((first - k + 1) as f64 * (successes - k + 1) as f64);
        (k, sum)
    })
}

/// 0, the first value, the sum of the first two, and so on.
fn running_sums(values: &[f64]) -> Vec<f64> {
    let mut sum = 0.0;
    let sums = values.iter().map(|value| {
        sum += value;
        sum
    });
    std::iter::once(0.0).chain(sums).collect()
}

/// Largest value of a function with one hill between two points, by golden sections.
fn summit(mut low: f64, mut high: f64, height: impl Fn(f64) -> f64) -> f64 {
    const SECTIONS: u32 = 32;
    const GOLDEN: f64 = 0.618_033_988_749_895;
    let mut highest: f64 = 0.0;
    for _ in 0..SECTIONS {
        let reach = GOLDEN * (high - low);
        let (left, right) = (high - reach, low + reach);
        let (at_left, at_right) = (height(left), height(right));
        highest = highest.max(at_left).max(at_right);
        if at_left >= at_right {
            high = right;
        } else {
            low = left;
        }
    }
    highest
}
